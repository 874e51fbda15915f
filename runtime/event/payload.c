/* SPDX-License-Identifier: Apache-2.0 */
#include "event/payload.h"

#include "base/num.h"
#include "base/time.h"
#include "event/names.h"

#define PATH_BYTES 400

/* ---- tables ------------------------------------------------------------------------------ */

enum { MAY = 0, MUST = 1 };

/* A slice of a literal as an initializer. */
#define LITERAL(text)                                                                          \
    {                                                                                          \
        "" text, sizeof("" text) - 1                                                           \
    }

struct thing_row {
    enum bl_entity entity;
    bl_str key;
    bl_str name;
};

static const struct thing_row things[] = {
#define BL_PAYLOAD_THING(entity, key, name) {BL_ENTITY_##entity, LITERAL(key), LITERAL(name)},
#define BL_PAYLOAD(entity, field, path, kind, need)
#define BL_EVENT_THING(families, member, entity, path)
#define BL_EVENT_PAYLOAD(families, field, path, kind, need)
#define BL_EVENT_AT(event, path)
#define BL_EVENT_KEY(families, path, other)
#define BL_EVENT_STAMP(families, path)
#include "event/payloads.def"
#undef BL_PAYLOAD_THING
#undef BL_PAYLOAD
};

static const struct bl_payload_row rows[] = {
#define BL_PAYLOAD_THING(entity, key, name)
#define BL_PAYLOAD(entity, field, path, kind, need)                                            \
    {BL_FIELD_##entity##_##field, LITERAL(path), BL_PAYLOAD_##kind, need},
#include "event/payloads.def"
#undef BL_PAYLOAD_THING
#undef BL_PAYLOAD
#undef BL_EVENT_THING
#undef BL_EVENT_PAYLOAD
#undef BL_EVENT_AT
#undef BL_EVENT_KEY
#undef BL_EVENT_STAMP
};

/* The first spelling of a member is the one that is written. */
static const struct {
    bl_str spelling;
    unsigned member;
} associations[] = {
    {LITERAL("OWNER"), BL_ASSOCIATION_OWNER},
    {LITERAL("MEMBER"), BL_ASSOCIATION_MEMBER},
    {LITERAL("COLLABORATOR"), BL_ASSOCIATION_COLLABORATOR},
    {LITERAL("CONTRIBUTOR"), BL_ASSOCIATION_CONTRIBUTOR},
    {LITERAL("FIRST_TIME_CONTRIBUTOR"), BL_ASSOCIATION_FIRST_TIMER},
    {LITERAL("FIRST_TIMER"), BL_ASSOCIATION_FIRST_TIMER},
    {LITERAL("NONE"), BL_ASSOCIATION_NOBODY},
    {LITERAL("MANNEQUIN"), BL_ASSOCIATION_NOBODY},
};

bool bl_association_from(bl_str spelling, unsigned *member)
{
    for (size_t i = 0; i < sizeof(associations) / sizeof(associations[0]); i++) {
        if (bl_str_equal(associations[i].spelling, spelling)) {
            *member = associations[i].member;
            return true;
        }
    }
    return false;
}

bl_str bl_association_spelling(unsigned member)
{
    for (size_t i = 0; i < sizeof(associations) / sizeof(associations[0]); i++) {
        if (associations[i].member == member) {
            return associations[i].spelling;
        }
    }
    return BL_STR("NONE");
}

/* ---- messages ---------------------------------------------------------------------------- */

static bool report(const struct bl_payload_reader *r, enum bl_diagnostic_code code,
                   const struct bl_json *node, bl_str below, const char *argument, bl_str value)
{
    if (r->sink == NULL) {
        return false;
    }
    struct bl_buf path;
    bl_buf_init(&path, r->arena, PATH_BYTES);
    if (node->parent != NULL || below.len == 0) {
        bl_json_path(&path, node);
    }
    if (below.len > 0) {
        bl_buf_put(&path, path.len > 0 ? BL_STR(".") : BL_STR(""));
        bl_buf_put(&path, below);
    }
    struct bl_span span = {node->lo, node->hi, r->source};
    struct bl_diagnostic *d = bl_report(r->sink, code, span);
    bl_diagnostic_text(r->sink, d, "path", bl_buf_str(&path));
    if (argument != NULL) {
        bl_diagnostic_text(r->sink, d, argument, value);
    }
    return false;
}

bool bl_payload_missing(const struct bl_payload_reader *reader, const struct bl_json *holder,
                        bl_str path)
{
    return report(reader, BL_D_JSON_MISSING, holder, path, NULL, path);
}

bool bl_payload_wrong(const struct bl_payload_reader *reader, const struct bl_json *node,
                      bl_str wanted)
{
    return report(reader, BL_D_JSON_WRONG_TYPE, node, BL_STR(""), "wanted", wanted);
}

/* ---- kinds ------------------------------------------------------------------------------- */

/* What a kind may need beside the value itself. */
struct place {
    const struct bl_payload_reader *reader;
    const struct bl_json *holder; /* the object that the path begins at */
    const struct bl_payload_row *row;
    bl_type type;
};

static bool wrong(const struct place *p, const struct bl_json *node, bl_str wanted)
{
    return bl_payload_wrong(p->reader, node, wanted);
}

static struct bl_object *make(const struct bl_payload_reader *r, enum bl_entity entity,
                              int64_t key, bl_str name)
{
    return r->make != NULL ? r->make(r->context, entity, key, name)
                           : bl_object_create(r->arena, entity, key, name);
}

static bool read_name(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    bool repository = bl_type_is(p->type, BL_TYPE_REPOSITORY_NAME);
    if (node->kind != BL_JSON_STRING ||
        !(repository ? bl_is_repository_name(node->string) : bl_is_name(node->string))) {
        return wrong(p, node,
                     repository ? BL_STR("a repository as owner/name")
                                : BL_STR("a name without control characters"));
    }
    *out = bl_text(node->string);
    return true;
}

static bool read_time(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    int64_t seconds;
    if (node->kind != BL_JSON_STRING || !bl_time_parse(node->string, &seconds)) {
        return wrong(p, node, BL_STR("a time such as 2026-11-02T08:00:00Z"));
    }
    *out = bl_number(BL_V_TIME, seconds);
    return true;
}

struct bl_object *bl_payload_user(const struct bl_payload_reader *reader,
                                  const struct bl_json *json, const struct bl_json *association)
{
    const struct bl_json *login = bl_json_get(json, BL_STR("login"));
    const struct bl_json *id = bl_json_get(json, BL_STR("id"));
    const struct bl_json *type = bl_json_get(json, BL_STR("type"));
    bl_str name = BL_GHOST_LOGIN;
    int64_t number = BL_GHOST_ID;
    bool bot = false;
    if (json->kind != BL_JSON_NULL) {
        if (login == NULL || login->kind != BL_JSON_STRING || !bl_is_login(login->string)) {
            bl_payload_wrong(reader, login != NULL ? login : json,
                             login != NULL ? BL_STR("a login") : BL_STR("a user with a login"));
            return NULL;
        }
        name = login->string;
        number = id != NULL && id->kind == BL_JSON_INT ? id->integer : 0;
        bot = bl_is_bot_login(name) || (type != NULL && type->kind == BL_JSON_STRING &&
                                        bl_str_equal(type->string, BL_STR("Bot")));
    }
    unsigned member = 0;
    bool known = association != NULL && association->kind == BL_JSON_STRING &&
                 bl_association_from(association->string, &member);
    struct bl_object *user =
        make(reader, BL_ENTITY_USER, known ? bl_user_key(member) : 0, name);
    if (user == NULL) {
        return NULL;
    }
    bl_object_set(user, BL_FIELD_USER_LOGIN, bl_text(name));
    if (number > 0) {
        bl_object_set(user, BL_FIELD_USER_ID, bl_int(number));
    }
    bl_object_set(
        user, BL_FIELD_USER_KIND,
        bl_member_value(BL_ENUM_USER_KIND, bot ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON));
    if (known) {
        bl_object_set(user, BL_FIELD_USER_ASSOCIATION,
                      bl_member_value(BL_ENUM_ASSOCIATION, member));
    }
    return user;
}

static bool read_user(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    const struct bl_json *association =
        p->row->kind == BL_PAYLOAD_AUTHOR ? bl_json_get(p->holder, BL_STR("author_association"))
                                          : NULL;
    struct bl_object *user = bl_payload_user(p->reader, node, association);
    if (user != NULL) {
        *out = bl_object_value(user);
    }
    return user != NULL;
}

static bool read_label(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    if (node->kind == BL_JSON_OBJECT) {
        const struct bl_json *name = bl_json_get(node, BL_STR("name"));
        if (name == NULL) {
            return bl_payload_missing(p->reader, node, BL_STR("name"));
        }
        node = name;
    }
    return read_name(p, node, out);
}

static bool read_list(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    if (node->kind != BL_JSON_ARRAY) {
        return wrong(p, node, BL_STR("a list"));
    }
    struct bl_list *list = bl_list_create(p->reader->arena);
    if (list == NULL) {
        return false;
    }
    for (size_t i = 0; i < node->count; i++) {
        struct bl_value item = bl_absent();
        bool good = p->row->kind == BL_PAYLOAD_LABELS ? read_label(p, &node->items[i], &item)
                                                      : read_user(p, &node->items[i], &item);
        if (!good) {
            return false;
        }
        if (bl_list_push(p->reader->arena, list, item) != BL_OK) {
            return wrong(p, node, BL_STR("a shorter list"));
        }
    }
    *out = bl_list_value(list);
    return true;
}

/* A word that GitHub added after this was written must not stop every run. */
static bool read_word(const struct place *p, const struct bl_json *node, struct bl_value *out,
                      bool *known)
{
    enum bl_enum which = (enum bl_enum)bl_type_ref(p->type);
    if (node->kind != BL_JSON_STRING) {
        return wrong(p, node, BL_STR("a text"));
    }
    unsigned member = bl_enum_member_find(which, node->string);
    if (member == bl_enum_member_count(which)) {
        *known = false;
        return !p->row->must || wrong(p, node, BL_STR("a word that is known for this field"));
    }
    *out = bl_member_value(which, member);
    return true;
}

static bool read_commit(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    if (p->row->kind == BL_PAYLOAD_SHA_MERGED) {
        /* Before that it is a trial merge, which changes with every push. */
        const struct bl_json *merged = bl_json_get(p->holder, BL_STR("merged_at"));
        if (merged == NULL || merged->kind == BL_JSON_NULL) {
            return true;
        }
    }
    struct bl_value sha;
    if (!read_name(p, node, &sha)) {
        return false;
    }
    struct bl_object *commit = make(p->reader, BL_ENTITY_COMMIT, 0, node->string);
    if (commit == NULL) {
        return false;
    }
    bl_object_set(commit, BL_FIELD_COMMIT_SHA, sha);
    *out = bl_object_value(commit);
    return true;
}

static bool read_ref(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    static const bl_str prefixes[] = {LITERAL("refs/heads/"), LITERAL("refs/tags/")};
    if (!read_name(p, node, out)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (bl_str_starts_with(node->string, prefixes[i]) &&
            node->string.len > prefixes[i].len) {
            *out = bl_text(bl_str_slice(node->string, prefixes[i].len, node->string.len));
        }
    }
    return true;
}

static bool read_link(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    bl_str url = node->string;
    bool good = node->kind == BL_JSON_STRING && (bl_str_starts_with(url, BL_STR("https://")) ||
                                                 bl_str_starts_with(url, BL_STR("http://")));
    for (size_t i = 0; good && i < url.len; i++) {
        good = url.ptr[i] > 0x20 && url.ptr[i] < 0x7F;
    }
    if (!good) {
        return wrong(p, node, BL_STR("an address"));
    }
    struct bl_buf link;
    bl_buf_init(&link, p->reader->arena, url.len + 32);
    bl_buf_put(&link, url);
    bl_buf_put(&link, p->row->kind == BL_PAYLOAD_LINK_NEW_ISSUE ? BL_STR("/issues/new")
                                                                : BL_STR("/security/policy"));
    *out = bl_text(bl_buf_str(&link));
    return !link.failed;
}

/* What a form of workflow_dispatch gives: a text, empty when nothing was chosen. */
static bool read_input(const struct place *p, const struct bl_json *node, struct bl_value *out,
                       bool *known)
{
    bl_str text = node->kind == BL_JSON_STRING ? bl_str_trim(node->string) : BL_STR("");
    int64_t number = node->integer;
    *known = node->kind != BL_JSON_STRING || text.len > 0;
    if (p->row->kind == BL_PAYLOAD_BOOL_TEXT) {
        bool yes = node->kind == BL_JSON_TRUE || bl_str_equal(text, BL_STR("true"));
        bool no = node->kind == BL_JSON_FALSE || bl_str_equal(text, BL_STR("false"));
        *out = bl_bool(yes);
        bool empty = !*known; /* not chosen */
        *known = true;
        return yes || no || empty || wrong(p, node, BL_STR("true or false"));
    }
    if (!*known) {
        return true;
    }
    if (p->row->kind == BL_PAYLOAD_NUMBER_TEXT) {
        bool good = node->kind == BL_JSON_INT ||
                    (node->kind == BL_JSON_STRING && bl_int_parse(text, &number));
        *out = bl_int(number);
        return (good && number > 0) || wrong(p, node, BL_STR("the number of an issue"));
    }
    if (node->kind != BL_JSON_STRING) {
        return wrong(p, node, BL_STR("a text"));
    }
    if (p->reader->task_index == NULL) {
        *known = false;
        return true;
    }
    int index = p->reader->task_index(p->reader->task_context, text);
    *out = bl_number(BL_V_TASK, index);
    return index >= 0 ||
           report(p->reader, BL_D_EVENT_UNKNOWN_TASK, node, BL_STR(""), "word", node->string);
}

static bool read_int(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    *out = bl_int(node->integer);
    return node->kind == BL_JSON_INT || wrong(p, node, BL_STR("a whole number below 2^53"));
}

static bool read_bool(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    *out = bl_bool(node->kind == BL_JSON_TRUE);
    return node->kind == BL_JSON_TRUE || node->kind == BL_JSON_FALSE ||
           wrong(p, node, BL_STR("true or false"));
}

static bool read_text(const struct place *p, const struct bl_json *node, struct bl_value *out)
{
    *out = bl_text(bl_kept_text(node->string));
    return node->kind == BL_JSON_STRING || wrong(p, node, BL_STR("a text"));
}

/* A value that is there and not null. */
static bool read_value(const struct place *p, const struct bl_json *node, struct bl_value *out,
                       bool *known)
{
    switch (p->row->kind) {
    case BL_PAYLOAD_INT:
        return read_int(p, node, out);
    case BL_PAYLOAD_BOOL:
        return read_bool(p, node, out);
    case BL_PAYLOAD_TEXT:
        return read_text(p, node, out);
    case BL_PAYLOAD_TIME:
        return read_time(p, node, out);
    case BL_PAYLOAD_NAME:
        return read_name(p, node, out);
    case BL_PAYLOAD_USER:
    case BL_PAYLOAD_AUTHOR:
        return read_user(p, node, out);
    case BL_PAYLOAD_USERS:
    case BL_PAYLOAD_LABELS:
        return read_list(p, node, out);
    case BL_PAYLOAD_WORD:
        return read_word(p, node, out, known);
    case BL_PAYLOAD_PRESENT:
        *out = bl_bool(true);
        return true;
    case BL_PAYLOAD_SHA:
    case BL_PAYLOAD_SHA_MERGED:
        return read_commit(p, node, out);
    case BL_PAYLOAD_REPO: {
        const struct bl_json *name = bl_json_get(node, BL_STR("full_name"));
        return name != NULL ? read_name(p, name, out)
                            : bl_payload_missing(p->reader, node, BL_STR("full_name"));
    }
    case BL_PAYLOAD_REF:
        return read_ref(p, node, out);
    case BL_PAYLOAD_LINK_NEW_ISSUE:
    case BL_PAYLOAD_LINK_SECURITY:
        return read_link(p, node, out);
    case BL_PAYLOAD_NUMBER_TEXT:
    case BL_PAYLOAD_TASK_TEXT:
    case BL_PAYLOAD_BOOL_TEXT:
        return read_input(p, node, out, known);
    }
    return false;
}

/* A value that is missing (`node` NULL) or null. */
static bool read_nothing(const struct place *p, const struct bl_json *node,
                         struct bl_value *out, bool *known)
{
    enum bl_payload_kind kind = p->row->kind;
    *known = true;
    if (kind == BL_PAYLOAD_PRESENT || kind == BL_PAYLOAD_BOOL_TEXT) {
        *out = bl_bool(false);
        return true;
    }
    if (node != NULL && (kind == BL_PAYLOAD_USER || kind == BL_PAYLOAD_AUTHOR)) {
        return read_user(p, node, out);
    }
    /* GitHub leaves out what older payloads never had, and writes null for the rest: one thing.
     */
    if (bl_type_is_optional(p->type) && (node != NULL || !p->row->must)) {
        return true; /* known to be absent */
    }
    if (node != NULL && kind == BL_PAYLOAD_TEXT) {
        *out = bl_text(BL_STR(""));
        return true;
    }
    if (node != NULL && kind == BL_PAYLOAD_REPO) {
        *out = bl_text(BL_GHOST_REPOSITORY);
        return true;
    }
    *known = false;
    return !p->row->must || bl_payload_missing(p->reader, p->holder, p->row->path);
}

bool bl_payload_field(const struct bl_payload_reader *reader, const struct bl_json *holder,
                      const struct bl_payload_row *row, struct bl_object *object)
{
    const struct bl_json *node = bl_json_at(holder, row->path);
    struct place place = {reader, holder, row, bl_field_info(row->field)->type};
    struct bl_value value = bl_absent();
    bool known = true;
    /* GitHub writes an unnamed workflow so. */
    bool unnamed = row->kind == BL_PAYLOAD_NAME && !row->must && node != NULL &&
                   node->kind == BL_JSON_STRING && node->string.len == 0;
    bool good = node == NULL || node->kind == BL_JSON_NULL || unnamed
                    ? read_nothing(&place, node, &value, &known)
                    : read_value(&place, node, &value, &known);
    if (good && known) {
        bl_object_set(object, row->field, value);
    }
    return good;
}

bool bl_payload_fill(const struct bl_payload_reader *reader, const struct bl_json *json,
                     struct bl_object *object)
{
    const struct bl_entity_info *entity = bl_entity_info((enum bl_entity)object->entity);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned field = (unsigned)rows[i].field;
        if (field >= entity->first_field && field < entity->first_field + entity->field_count &&
            !bl_payload_field(reader, json, &rows[i], object)) {
            return false;
        }
    }
    enum bl_field repository =
        bl_field_find((enum bl_entity)object->entity, BL_STR("repository"));
    if (repository != BL_FIELD_COUNT) {
        bl_object_set(object, repository, bl_text(reader->repository));
    }
    return true;
}

static const struct thing_row *thing_of(enum bl_entity entity)
{
    for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
        if (things[i].entity == entity) {
            return &things[i];
        }
    }
    return NULL;
}

struct bl_object *bl_payload_thing(const struct bl_payload_reader *reader,
                                   const struct bl_json *json, enum bl_entity entity)
{
    const struct thing_row *row = thing_of(entity);
    if (row == NULL) {
        return NULL;
    }
    int64_t key = 0;
    bl_str name = reader->repository;
    if (json->kind != BL_JSON_OBJECT) {
        bl_payload_wrong(reader, json, BL_STR("an object"));
        return NULL;
    }
    if (row->key.len > 0) {
        const struct bl_json *number = bl_json_at(json, row->key);
        if (number == NULL || number->kind != BL_JSON_INT || number->integer <= 0) {
            number == NULL ? bl_payload_missing(reader, json, row->key)
                           : bl_payload_wrong(reader, number, BL_STR("a number above zero"));
            return NULL;
        }
        key = number->integer;
    }
    if (row->name.len > 0) {
        const struct bl_json *text = bl_json_at(json, row->name);
        if (text == NULL || text->kind != BL_JSON_STRING) {
            text == NULL ? bl_payload_missing(reader, json, row->name)
                         : bl_payload_wrong(reader, text, BL_STR("a text"));
            return NULL;
        }
        name = text->string;
    }
    struct bl_object *object = make(reader, entity, key, name);
    return object != NULL && bl_payload_fill(reader, json, object) ? object : NULL;
}
