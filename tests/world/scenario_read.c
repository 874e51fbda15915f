/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "world/scenario.h"

/* Reads, and values as JSON that both worlds must agree in. */

#define DEPTH_MAX 5

/* What the two may know differently, or that says nothing: ids that GitHub gives, associations
 * of people who were met in an event. */
static bool is_shown(enum bl_field field)
{
    return field != BL_FIELD_USER_ID && field != BL_FIELD_USER_ASSOCIATION &&
           field != BL_FIELD_COMMENT_REACTIONS;
}

static void put_time(struct bl_json_writer *out, int64_t seconds)
{
    char text[BL_TIME_TEXT_MAX];
    bl_json_string(out, (bl_str){text, bl_time_format(seconds, text)});
}

/* What is stored with a thing, and what a list brought along. */
static bool put_object(struct scenario *s, struct bl_json_writer *out,
                       const struct bl_object *object, unsigned depth)
{
    enum bl_entity entity = (enum bl_entity)object->entity;
    const struct bl_entity_info *info = bl_entity_info(entity);
    bool whole = true;
    if (entity == BL_ENTITY_USER || entity == BL_ENTITY_COMMIT) {
        bl_json_string(out, object->name);
        return true;
    }
    bl_json_begin_object(out);
    bl_json_key(out, BL_STR("key"));
    bl_json_integer(out, entity == BL_ENTITY_TIMELINE_EVENT || entity == BL_ENTITY_REACTION ||
                                 entity == BL_ENTITY_EDIT || entity == BL_ENTITY_RUN
                             ? 0
                             : object->key);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        enum bl_read read = bl_field_info(field)->read;
        bool stored = read == BL_READ_STORED || (read == BL_READ_ISSUE && depth <= 2);
        if (stored && is_shown(field) && bl_object_knows(object, field) && depth < DEPTH_MAX) {
            bl_json_key(out, bl_field_info(field)->name);
            whole =
                scenario_put_value(s, out, bl_object_get(object, field), depth + 1) && whole;
        }
    }
    bl_json_end_object(out);
    return whole;
}

static bool put_list(struct scenario *s, struct bl_json_writer *out, struct bl_list *list,
                     unsigned depth)
{
    bool whole = bl_list_complete(list) == BL_OK;
    bl_json_begin_array(out);
    for (uint32_t i = 0; i < list->count; i++) {
        whole = scenario_put_value(s, out, list->items[i], depth + 1) && whole;
    }
    bl_json_end_array(out);
    return whole;
}

bool scenario_put_value(struct scenario *s, struct bl_json_writer *out, struct bl_value value,
                        unsigned depth)
{
    switch ((enum bl_value_tag)value.tag) {
    case BL_V_ABSENT:
        bl_json_null(out);
        return true;
    case BL_V_BOOL:
        bl_json_bool(out, value.as.i != 0);
        return true;
    case BL_V_TIME:
        put_time(out, value.as.i);
        return true;
    case BL_V_ENUM:
        bl_json_string(out, bl_enum_member((enum bl_enum)value.aux, (unsigned)value.as.i));
        return true;
    case BL_V_TEXT:
        bl_json_string(out, bl_text_of(value));
        return true;
    case BL_V_LIST:
        return put_list(s, out, value.as.list, depth);
    case BL_V_OBJECT:
        return put_object(s, out, value.as.object, depth);
    case BL_V_INT:
    case BL_V_DURATION:
    case BL_V_MONEY:
    case BL_V_PERCENT:
    case BL_V_DATE:
    case BL_V_TASK:
    case BL_V_LOCALE:
    case BL_V_COMMAND:
    case BL_V_PATTERN:
    case BL_V_RECORD:
    case BL_V_POSTED:
        break;
    }
    bl_json_integer(out, value.as.i);
    return true;
}

struct bl_object *scenario_thing(struct scenario *s, const struct bl_json *command)
{
    enum bl_entity entity = bl_entity_find(scenario_text(command, "entity"));
    bl_str name = scenario_text(command, "name");
    bool numbered = entity == BL_ENTITY_ISSUE || entity == BL_ENTITY_PULL_REQUEST ||
                    entity == BL_ENTITY_COMMENT || entity == BL_ENTITY_REPOSITORY;
    if (entity == BL_ENTITY_COUNT) {
        return NULL;
    }
    if (numbered && name.len == 0) {
        name = s->repository;
    }
    return bl_snapshot_object(s->snapshot, entity, scenario_number(command, "number"), name);
}

static void put_why(struct bl_json_writer *out, const struct bl_failure *failure)
{
    bl_json_key(out, BL_STR("what"));
    bl_json_string(out, failure->what);
    bl_json_key(out, BL_STR("why"));
    bl_json_string(out, failure->why);
    bl_json_key(out, BL_STR("help"));
    bl_json_string(out, failure->help);
    bl_json_key(out, BL_STR("again"));
    bl_json_bool(out, failure->again);
}

/* The value goes through a buffer of its own: whether it is whole is known at its end. */
static void put_found(struct scenario *s, struct bl_json_writer *out, struct bl_value value)
{
    struct bl_json_writer w;
    struct bl_buf text;
    bl_buf_init(&text, &s->arena, (size_t)64 << 20);
    bl_json_writer_init(&w, &text, false);
    bool whole = scenario_put_value(s, &w, value, 0);
    bl_json_key(out, BL_STR("answer"));
    bl_json_string(out, whole ? BL_STR("found") : BL_STR("failed"));
    bl_json_key(out, BL_STR("value"));
    bl_json_string(out, bl_buf_str(&text));
    if (!whole && s->github != NULL) {
        put_why(out, bl_github_last_failure(s->github));
    }
}

void scenario_read(struct scenario *s, const struct bl_json *command,
                   struct bl_json_writer *out)
{
    struct bl_failure failure = {.again = false};
    struct bl_value value = bl_absent();
    struct bl_object *thing = scenario_thing(s, command);
    enum bl_field field = thing != NULL ? bl_field_find((enum bl_entity)thing->entity,
                                                        scenario_text(command, "field"))
                                        : BL_FIELD_COUNT;
    if (field == BL_FIELD_COUNT) {
        bl_json_key(out, BL_STR("answer"));
        bl_json_string(out, BL_STR("no such field"));
        return;
    }
    enum bl_answer answer = BL_FOUND;
    if (!bl_object_knows(thing, field)) {
        /* What is stored with a comment comes with its list, or by its id. */
        enum bl_read read = bl_field_info(field)->read;
        read = read == BL_READ_STORED ? BL_READ_COMMENTS : read;
        answer = bl_snapshot_load(s->snapshot, thing, read, &failure);
    }
    if (answer == BL_FOUND &&
        bl_snapshot_field(s->snapshot, thing, field, &value, &failure) == BL_OK) {
        put_found(s, out, value);
        return;
    }
    bl_json_key(out, BL_STR("answer"));
    bl_json_string(out, answer == BL_MISSING ? BL_STR("missing") : BL_STR("failed"));
    put_why(out, &failure);
}

static size_t arguments(const struct bl_json *command, struct bl_value args[2])
{
    const struct bl_json *list = bl_json_get(command, BL_STR("args"));
    size_t count = list != NULL && list->count < 2 ? list->count : list != NULL ? 2 : 0;
    for (size_t i = 0; i < count; i++) {
        const struct bl_json *item = &list->items[i];
        int64_t seconds;
        args[i] = bl_int(item->integer);
        if (item->kind == BL_JSON_STRING) {
            args[i] = bl_time_parse(item->string, &seconds) ? bl_number(BL_V_TIME, seconds)
                                                            : bl_text(item->string);
        }
    }
    return count;
}

void scenario_ask(struct scenario *s, const struct bl_json *command, struct bl_json_writer *out)
{
    struct bl_failure failure = {.again = false};
    struct bl_value value = bl_absent();
    struct bl_value args[2];
    size_t count = arguments(command, args);
    enum bl_read read = bl_read_find(scenario_text(command, "read"));
    if (bl_snapshot_query(s->snapshot, read, args, count, &value, &failure) != BL_OK) {
        bl_json_key(out, BL_STR("answer"));
        bl_json_string(out, BL_STR("failed"));
        put_why(out, &failure);
    } else if (bl_is_absent(value)) {
        bl_json_key(out, BL_STR("answer"));
        bl_json_string(out, BL_STR("missing"));
    } else {
        put_found(s, out, value);
    }
}
