/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"

#include "base/time.h"

#include <stdio.h>

struct sim_fixture fixture;

int sim_set_up(void **state)
{
    (void)state;
    bl_arena_init(&fixture.arena, (size_t)256 << 20, NULL);
    bl_diagnostics_init(&fixture.sink, &fixture.arena, 50);
    fixture.sim = bl_sim_create(&fixture.arena, BL_STR("octo/demo"),
                                BL_STR("github-actions[bot]"), at("2026-11-02T08:00:00Z"));
    look_again();
    return 0;
}

int sim_tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&fixture.arena);
    return 0;
}

int64_t at(const char *time)
{
    int64_t seconds = 0;
    check(bl_time_parse(bl_str_from(time), &seconds));
    return seconds;
}

void look_again(void)
{
    fixture.snapshot = bl_snapshot_create(&fixture.arena, bl_sim_world(fixture.sim));
    fixture.failure = (struct bl_failure){.again = false};
}

/* bl_arena_copy ends with a NUL. */
static const char *terminated(bl_str text)
{
    return bl_arena_copy(&fixture.arena, text).ptr;
}

static const char *failed(void)
{
    struct bl_buf out;
    bl_buf_init(&out, &fixture.arena, 1000);
    BL_PUT(&out, "FAILED: ");
    bl_buf_put(&out, fixture.failure.why.len > 0 ? fixture.failure.why : fixture.failure.what);
    return terminated(bl_buf_str(&out));
}

const char *thing_says(struct bl_object *thing, const char *path)
{
    bl_str rest = bl_str_from(path);
    for (;;) {
        size_t dot = bl_str_find_char(rest, '.');
        enum bl_field field =
            bl_field_find((enum bl_entity)thing->entity, bl_str_slice(rest, 0, dot));
        struct bl_value v;
        check_case("%s", path);
        check(field != BL_FIELD_COUNT);
        if (bl_snapshot_field(fixture.snapshot, thing, field, &v, &fixture.failure) != BL_OK) {
            return failed();
        }
        check(bl_value_has_type(v, bl_field_info(field)->type));
        if (v.tag == BL_V_LIST && bl_list_complete(v.as.list) != BL_OK) {
            return "FAILED: page";
        }
        if (dot == SIZE_MAX || v.tag != BL_V_OBJECT) {
            return terminated(value_words(&fixture.arena, v));
        }
        thing = v.as.object;
        rest = bl_str_slice(rest, dot + 1, rest.len);
    }
}

/* The object with its identity, as an event brings it. */
static struct bl_object *numbered(enum bl_entity entity, int64_t number)
{
    bl_str repository = bl_sim_repository(fixture.sim);
    struct bl_object *thing = bl_snapshot_object(fixture.snapshot, entity, number, repository);
    bl_object_set(thing, bl_field_find(entity, BL_STR("number")), bl_int(number));
    bl_object_set(thing, bl_field_find(entity, BL_STR("repository")), bl_text(repository));
    return thing;
}

const char *issue_says(int64_t number, const char *path)
{
    look_again();
    return thing_says(numbered(BL_ENTITY_ISSUE, number), path);
}

const char *pull_says(int64_t number, const char *path)
{
    look_again();
    return thing_says(numbered(BL_ENTITY_PULL_REQUEST, number), path);
}

const char *repository_says(const char *path)
{
    struct bl_value v;
    look_again();
    if (bl_snapshot_query(fixture.snapshot, BL_READ_REPOSITORY, NULL, 0, &v,
                          &fixture.failure) != BL_OK) {
        return failed();
    }
    return thing_says(v.as.object, path);
}

void load_world(const char *json)
{
    enum bl_status status = bl_sim_load(fixture.sim, bl_str_from(json), 3, &fixture.sink);
    for (size_t i = 0; i < fixture.sink.list.count; i++) {
        (void)printf("PL%04u %.*s\n", fixture.sink.list.items[i]->code,
                     BL_STR_ARG(fixture.sink.list.items[i]->args[0].value));
    }
    check_status(status, BL_OK);
    look_again();
}

const char *dumped(void)
{
    struct bl_buf out;
    bl_buf_init(&out, &fixture.arena, (size_t)16 << 20);
    bl_sim_dump(fixture.sim, &out);
    check(!out.failed);
    return terminated(bl_buf_str(&out));
}
