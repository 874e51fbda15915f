/* SPDX-License-Identifier: Apache-2.0 */
#include "running.h"

#include "support/check.h"

bool running_open(struct running *r, struct bl_arena *arena)
{
    *r = (struct running){.arena = arena};
    scripted_init(&r->world, arena);
    scripted_issue(&r->world, 12)->created = 500;
    return stage_begin(&r->stage, arena);
}

uint32_t running_rule(struct running *r, const char *name, enum bl_event_id event,
                      const char *body)
{
    struct bl_buf code;

    bl_buf_init(&code, r->arena, 1 << 16);
    bl_buf_printf(&code, "entry %s() : bool job 0\n%s", name, body);
    if (code.failed)
        return BL_NONE;
    stage_add(&r->stage, code.ptr);
    return stage_entry(&r->stage, BL_ENTRY_RULE, name, event);
}

static struct bl_object *thing(struct running *r, enum bl_entity entity, int64_t key,
                               const char *name)
{
    return bl_object_create(r->arena, entity, key, bl_str_from(name));
}

static bool make_event(struct running *r, enum bl_event_id event)
{
    struct bl_object *alice = thing(r, BL_ENTITY_USER, bl_user_key(5), "alice");

    r->event = (struct bl_event){
        .id = event,
        .name = bl_event_info(event)->event,
        .action = bl_event_info(event)->action,
        .event = thing(r, BL_ENTITY_EVENT, 0, ""),
        .issue = thing(r, BL_ENTITY_ISSUE, 12, "o/r"),
        .repository = thing(r, BL_ENTITY_REPOSITORY, 0, "o/r"),
        .at = 500,
    };
    if (alice == NULL || r->event.event == NULL || r->event.issue == NULL ||
        r->event.repository == NULL)
        return false;
    bl_object_set(alice, BL_FIELD_USER_LOGIN, text_value("alice"));
    bl_object_set(alice, BL_FIELD_USER_KIND,
                  bl_member_value(BL_ENUM_USER_KIND, BL_USER_KIND_PERSON));
    bl_object_set(r->event.event, BL_FIELD_EVENT_KEY, text_value("abc"));
    bl_object_set(r->event.event, BL_FIELD_EVENT_AT, bl_number(BL_V_TIME, 500));
    bl_object_set(r->event.event, BL_FIELD_EVENT_ACTOR, bl_object_value(alice));
    bl_object_set(r->event.issue, BL_FIELD_ISSUE_NUMBER, bl_int(12));
    /* What the payload says may be old: it is not what rules see. */
    bl_object_set(r->event.issue, BL_FIELD_ISSUE_TITLE, text_value("An old title"));
    bl_object_set(r->event.repository, BL_FIELD_REPOSITORY_NAME, text_value("o/r"));
    return true;
}

bool running_ready(struct running *r, enum bl_event_id event)
{
    if (!stage_ready(&r->stage, NULL) || !make_event(r, event))
        return false;
    r->options = (struct bl_run_options){
        .module = &r->stage.module,
        .world = &r->world.world,
        .event = &r->event,
        .job = 0,
        .now = 90000,
        .use_index = true,
    };
    return true;
}

enum bl_status running_go(struct running *r)
{
    bl_diagnostics_init(&r->sink, r->arena, 100);
    return bl_run(r->arena, &r->options, &r->result, &r->sink);
}

size_t running_count(const struct running *r, unsigned code)
{
    size_t count = 0;

    for (size_t i = 0; i < r->sink.list.count; i++)
        count += r->sink.list.items[i]->code == code ? 1 : 0;
    return count;
}

bl_str running_log(const struct running *r)
{
    struct bl_buf out;

    bl_buf_init(&out, r->arena, 1 << 20);
    for (size_t i = 0; i < r->result.log.count; i++) {
        static const char *const words[] = {"off", "note", "warning", "error"};

        bl_buf_printf(&out, "%s: %.*s\n", words[r->result.log.items[i].severity],
                      BL_STR_ARG(r->result.log.items[i].text));
    }
    return bl_buf_str(&out);
}
