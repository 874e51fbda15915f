/* SPDX-License-Identifier: Apache-2.0 */
#include "event/event.h"

#include "base/digest.h"
#include "base/time.h"
#include "event/names.h"
#include "event/payload.h"

#define REASON_BYTES 400

/* ---- tables ------------------------------------------------------------------------------ */

enum { MAY = 0, MUST = 1 };

#define ALL       (~0u)
#define F(family) (1u << BL_FAMILY_##family)
#define LITERAL(text)                                                                          \
    {                                                                                          \
        "" text, sizeof("" text) - 1                                                           \
    }

#define BL_PAYLOAD_THING(entity, key, name)
#define BL_PAYLOAD(entity, field, path, kind, need)

static const struct {
    unsigned families;
    size_t member; /* of struct bl_event */
    enum bl_entity entity;
    bl_str path;
} things[] = {
#define BL_EVENT_THING(families, member, entity, path)                                         \
    {families, offsetof(struct bl_event, member), BL_ENTITY_##entity, LITERAL(path)},
#define BL_EVENT_PAYLOAD(families, field, path, kind, need)
#define BL_EVENT_AT(event, path)
#define BL_EVENT_KEY(families, path, other)
#define BL_EVENT_STAMP(families, path)
#include "event/payloads.def"
#undef BL_EVENT_THING
#undef BL_EVENT_PAYLOAD
};

static const struct {
    unsigned families;
    struct bl_payload_row row;
} rows[] = {
#define BL_EVENT_THING(families, member, entity, path)
#define BL_EVENT_PAYLOAD(families, field, path, kind, need)                                    \
    {families, {BL_FIELD_EVENT_##field, LITERAL(path), BL_PAYLOAD_##kind, need}},
#include "event/payloads.def"
#undef BL_EVENT_PAYLOAD
#undef BL_EVENT_AT
#define BL_EVENT_PAYLOAD(families, field, path, kind, need)
};

static const struct {
    enum bl_event_id event;
    bl_str path;
} own_times[] = {
#define BL_EVENT_AT(event, path) {BL_EVENT_##event, LITERAL(path)},
#include "event/payloads.def"
#undef BL_EVENT_AT
#undef BL_EVENT_KEY
#define BL_EVENT_AT(event, path)
};

static const struct {
    unsigned families;
    bl_str path;
    bl_str other;
} key_parts[] = {
#define BL_EVENT_KEY(families, path, other) {families, LITERAL(path), LITERAL(other)},
#include "event/payloads.def"
#undef BL_EVENT_KEY
#undef BL_EVENT_STAMP
#define BL_EVENT_KEY(families, path, other)
};

static const struct {
    unsigned families;
    bl_str path;
} stamps[] = {
#define BL_EVENT_STAMP(families, path) {families, LITERAL(path)},
#include "event/payloads.def"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
    struct bl_payload_reader reader;
    const struct bl_event_source *from;
    const struct bl_json *root;
    enum bl_event_family family;
    struct bl_event *out;
};

static bool is_of(const struct reading *r, unsigned families)
{
    return (families & (1u << r->family)) != 0;
}

/* A word of the payload as a sentence of ours may show it. */
static bl_str shown(bl_str word)
{
    for (size_t i = 0; i < word.len; i++) {
        if (!bl_is_ascii_alpha(word.ptr[i]) && !bl_is_ascii_digit(word.ptr[i]) &&
            word.ptr[i] != '_' && word.ptr[i] != '-') {
            return BL_STR("?");
        }
    }
    return word.len > 0 && word.len <= 64 ? word : BL_STR("?");
}

static bl_str not_handled(struct bl_arena *arena, bl_str name, bl_str action, bool known)
{
    struct bl_buf text;
    bl_buf_init(&text, arena, REASON_BYTES);
    bl_buf_put(&text, known ? BL_STR("No rule can be about the event '")
                            : BL_STR("No event is known here as '"));
    bl_buf_put(&text, shown(name));
    if (action.len > 0) {
        bl_buf_put_char(&text, '.');
        bl_buf_put(&text, shown(action));
    }
    BL_PUT(&text, "'.");
    return bl_buf_str(&text);
}

/* BL_EVENT_READ when the event is one of events.def. */
static enum bl_event_result find_event(struct reading *r, bl_str *reason)
{
    bl_str name = r->from->name;
    bl_str action = BL_STR("");
    r->out->id = bl_event_find(name, action);
    if (r->out->id == BL_EVENT_COUNT) {
        const struct bl_json *node = bl_json_get(r->root, BL_STR("action"));
        if (node == NULL) {
            bl_payload_missing(&r->reader, r->root, BL_STR("action"));
            return BL_EVENT_BROKEN;
        }
        if (node->kind != BL_JSON_STRING) {
            bl_payload_wrong(&r->reader, node, BL_STR("a text"));
            return BL_EVENT_BROKEN;
        }
        action = node->string;
        r->out->id = bl_event_find(name, action);
    }
    if (r->out->id == BL_EVENT_COUNT) {
        *reason = not_handled(r->reader.arena, name, action,
                              bl_event_action_exists(r->family, action));
        return BL_EVENT_NOT_HANDLED;
    }
    r->out->name = bl_event_info(r->out->id)->event;
    r->out->action = bl_event_info(r->out->id)->action;
    return BL_EVENT_READ;
}

static bool read_things(struct reading *r)
{
    const struct bl_json *repository = bl_json_get(r->root, BL_STR("repository"));
    const struct bl_json *name = bl_json_get(repository, BL_STR("full_name"));
    if (name != NULL && name->kind == BL_JSON_STRING) {
        r->reader.repository = name->string;
    }
    for (size_t i = 0; i < COUNT(things); i++) {
        if (!is_of(r, things[i].families)) {
            continue;
        }
        const struct bl_json *json = bl_json_at(r->root, things[i].path);
        if (json == NULL || json->kind == BL_JSON_NULL) {
            if (things[i].entity == BL_ENTITY_REPOSITORY) {
                continue; /* the field event.repository says whether it must be there */
            }
            return bl_payload_missing(&r->reader, r->root, things[i].path);
        }
        struct bl_object *thing = bl_payload_thing(&r->reader, json, things[i].entity);
        if (thing == NULL) {
            return false;
        }
        struct bl_object **member = (struct bl_object **)((char *)r->out + things[i].member);
        *member = thing;
    }
    if (r->out->comment != NULL) {
        bl_object_set(r->out->comment, BL_FIELD_COMMENT_ISSUE, bl_object_value(r->out->issue));
    }
    return true;
}

static bool read_inputs(struct reading *r)
{
    if (r->out->id != BL_EVENT_WORKFLOW_DISPATCH) {
        return true;
    }
    struct bl_arena *arena = r->reader.arena;
    struct bl_object *inputs = bl_object_create(arena, BL_ENTITY_INPUTS, 0, BL_STR(""));
    if (inputs == NULL || !bl_payload_fill(&r->reader, r->root, inputs)) {
        return false;
    }
    bl_object_set(r->out->event, BL_FIELD_EVENT_INPUTS, bl_object_value(inputs));
    struct bl_value number = bl_object_get(inputs, BL_FIELD_INPUTS_ISSUE);
    if (bl_is_absent(number)) {
        return true;
    }
    struct bl_object *issue =
        bl_object_create(arena, BL_ENTITY_ISSUE, number.as.i, r->reader.repository);
    if (issue == NULL) {
        return false;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, number);
    bl_object_set(issue, BL_FIELD_ISSUE_REPOSITORY, bl_text(r->reader.repository));
    r->out->issue = issue;
    return true;
}

/* The user with the association through which the event brought them: the author of the comment
 * or pull request when they are the one, else the author of the issue, else nobody. */
static bool settle_actor(struct reading *r)
{
    struct bl_object *actor = bl_object_of(bl_object_get(r->out->event, BL_FIELD_EVENT_ACTOR));
    if (actor == NULL) {
        return true; /* a schedule has none */
    }
    const struct bl_object *const brought[] = {r->out->comment, r->out->pull_request,
                                               r->out->issue};
    static const enum bl_field authors[] = {
        BL_FIELD_COMMENT_AUTHOR, BL_FIELD_PULL_REQUEST_AUTHOR, BL_FIELD_ISSUE_AUTHOR};
    for (size_t i = 0; i < COUNT(brought); i++) {
        struct bl_object *author =
            brought[i] != NULL ? bl_object_of(bl_object_get(brought[i], authors[i])) : NULL;
        if (author != NULL && bl_str_equal_nocase(author->name, actor->name)) {
            bl_object_set(r->out->event, BL_FIELD_EVENT_ACTOR, bl_object_value(author));
            return true;
        }
    }
    actor->key = bl_user_key(BL_ASSOCIATION_NOBODY);
    bl_object_set(actor, BL_FIELD_USER_ASSOCIATION,
                  bl_member_value(BL_ENUM_ASSOCIATION, BL_ASSOCIATION_NOBODY));
    return true;
}

static bool read_fields(struct reading *r)
{
    r->out->event = bl_object_create(r->reader.arena, BL_ENTITY_EVENT, 0, BL_STR(""));
    if (r->out->event == NULL) {
        return false;
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (is_of(r, rows[i].families) &&
            !bl_payload_field(&r->reader, r->root, &rows[i].row, r->out->event)) {
            return false;
        }
    }
    /* One object for one person: the issue's author has the association of the issue. */
    if (r->out->issue != NULL) {
        bl_object_set(r->out->event, BL_FIELD_EVENT_ISSUE_AUTHOR,
                      bl_object_get(r->out->issue, BL_FIELD_ISSUE_AUTHOR));
    }
    return true;
}

static bool time_at(const struct reading *r, bl_str path, int64_t *out)
{
    const struct bl_json *node = bl_json_at(r->root, path);
    return node != NULL && node->kind == BL_JSON_STRING && bl_time_parse(node->string, out);
}

/* event.at, and the time that goes into the key. */
static bool read_time(struct reading *r, int64_t *stamp)
{
    for (size_t i = 0; i < COUNT(own_times); i++) {
        if (own_times[i].event != r->out->id) {
            continue;
        }
        if (!time_at(r, own_times[i].path, &r->out->at)) {
            const struct bl_json *node = bl_json_at(r->root, own_times[i].path);
            return node == NULL
                       ? bl_payload_missing(&r->reader, r->root, own_times[i].path)
                       : bl_payload_wrong(&r->reader, node,
                                          BL_STR("a time such as 2026-11-02T08:00:00Z"));
        }
        *stamp = r->out->at;
    }
    bl_object_set(r->out->event, BL_FIELD_EVENT_AT,
                  bl_number(BL_V_TIME, r->out->at != 0 ? r->out->at : r->from->started));
    if (r->out->at != 0) {
        return true;
    }
    *stamp = r->from->started;
    for (size_t i = 0; i < COUNT(stamps); i++) {
        if (is_of(r, stamps[i].families) && time_at(r, stamps[i].path, stamp)) {
            break;
        }
    }
    return true;
}

static void add_part(struct bl_digest_state *digest, bl_str part)
{
    bl_digest_add(digest, part);
    bl_digest_add(digest, BL_STR("\n"));
}

/* A line for each part, so that no two events run together. */
static bool make_key(struct reading *r, int64_t stamp)
{
    struct bl_digest_state digest;
    char time[BL_TIME_TEXT_MAX];
    bl_digest_begin(&digest);
    add_part(&digest, r->out->name);
    add_part(&digest, r->out->action);
    for (size_t i = 0; i < COUNT(key_parts); i++) {
        if (!is_of(r, key_parts[i].families)) {
            continue;
        }
        const struct bl_json *node = bl_json_at(r->root, key_parts[i].path);
        if (node == NULL && key_parts[i].other.len > 0) {
            node = bl_json_at(r->root, key_parts[i].other);
        }
        add_part(&digest, node != NULL ? node->string : BL_STR(""));
    }
    add_part(&digest, (bl_str){time, bl_time_format(stamp, time)});
    unsigned char bytes[BL_DIGEST_BYTES];
    char *hex = bl_arena_alloc(r->reader.arena, BL_DIGEST_HEX, 1);
    if (hex == NULL) {
        return false;
    }
    bl_digest_end(&digest, bytes);
    bl_digest_hex(bytes, hex);
    bl_object_set(r->out->event, BL_FIELD_EVENT_KEY, bl_text((bl_str){hex, BL_DIGEST_HEX}));
    return true;
}

/* A payload that holds a thing which no event of this name has is that of another one: read as
 * this one it would say something that never happened. */
static bool fits_name(struct reading *r)
{
    for (size_t i = 0; i < COUNT(things); i++) {
        const struct bl_json *thing =
            things[i].path.len > 0 ? bl_json_at(r->root, things[i].path) : NULL;
        if (!is_of(r, things[i].families) && thing != NULL && thing->kind == BL_JSON_OBJECT) {
            struct bl_span span = {(uint32_t)thing->lo, (uint32_t)thing->lo, r->from->source};
            struct bl_diagnostic *d = bl_report(r->reader.sink, BL_D_EVENT_OTHER, span);
            bl_diagnostic_text(r->reader.sink, d, "name", r->from->name);
            bl_diagnostic_text(r->reader.sink, d, "path", things[i].path);
            return false;
        }
    }
    return true;
}

static bool read_event(struct reading *r)
{
    int64_t stamp = 0;
    return read_things(r) && read_fields(r) && read_inputs(r) && settle_actor(r) &&
           read_time(r, &stamp) && make_key(r, stamp);
}

static const struct bl_json *parse(struct reading *r, bl_str payload)
{
    struct bl_json_error error;
    const struct bl_json *root =
        bl_json_parse(r->reader.arena, payload, (size_t)bl_limit(BL_LIMIT_JSON_DEPTH),
                      &r->out->notes, &error);
    if (root == NULL && error.no_memory) {
        r->reader.arena->failed = true; /* the tree's own memory may be what ran out */
    } else if (root == NULL) {
        struct bl_span span = {(uint32_t)error.offset, (uint32_t)error.offset, r->from->source};
        struct bl_diagnostic *d = bl_report(r->reader.sink, BL_D_JSON_BROKEN, span);
        bl_diagnostic_text(r->reader.sink, d, "problem", error.message);
    } else if (root->kind != BL_JSON_OBJECT) {
        bl_payload_wrong(&r->reader, root, BL_STR("an object"));
        root = NULL;
    }
    return root;
}

enum bl_event_result bl_event_read(struct bl_arena *arena, bl_str payload,
                                   const struct bl_event_source *from, struct bl_event *out,
                                   struct bl_diagnostics *sink, bl_str *reason)
{
    struct reading r = {
        .reader = {.arena = arena,
                   .sink = sink,
                   .source = from->source,
                   .task_index = from->task_index,
                   .task_context = from->task_context},
        .from = from,
        .family = bl_family_find(from->name),
        .out = out,
    };
    *out = (struct bl_event){.id = BL_EVENT_COUNT};
    *reason = BL_STR("");
    enum bl_event_result result = BL_EVENT_NOT_HANDLED;
    if (r.family == BL_FAMILY_COUNT) {
        *reason = not_handled(arena, from->name, BL_STR(""), false);
    } else {
        /* Whether it is of this name comes before whether the action is known: the action of
         * another event's payload says nothing about this one. */
        r.root = parse(&r, payload);
        result = r.root != NULL && fits_name(&r) ? find_event(&r, reason) : BL_EVENT_BROKEN;
    }
    if (result == BL_EVENT_READ && !read_event(&r)) {
        result = BL_EVENT_BROKEN;
    }
    if (arena->failed) {
        bl_report(sink, BL_D_OUT_OF_MEMORY, BL_NO_SPAN);
        return BL_EVENT_BROKEN;
    }
    if (result == BL_EVENT_READ && out->notes > 0) {
        struct bl_diagnostic *d = bl_report(sink, BL_D_EVENT_NUL, BL_NO_SPAN);
        bl_diagnostic_int(sink, d, "count", (int64_t)out->notes);
    }
    return result;
}
