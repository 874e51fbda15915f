/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "event/names.h"
#include "world/sim/sim_change.h"
#include "world/sim/sim_file.h"

/* One entry of a world file: its keys against the tables, its values against their types. */

#define PATH_BYTES  400
#define WORDS_BYTES 400

/* ---- tables ------------------------------------------------------------------------------ */

#define LITERAL(text)                                                                          \
    {                                                                                          \
        "" text, sizeof("" text) - 1                                                           \
    }

#define BL_SIM_ROOT(key, name)
#define BL_SIM_PLAIN(key, name)

static const struct bl_sim_extra_row extras[] = {
#define BL_SIM_EXTRA(entity, key, kind, type, member)                                          \
    {BL_ENTITY_##entity, LITERAL(key), BL_SIM_EXTRA_##kind, offsetof(struct type, member)},
#define BL_SIM_FOLLOWS(entity, key, what)
#define BL_SIM_REQUIRED(entity, key)
#include "world/sim/sim_keys.def"
#undef BL_SIM_EXTRA
#undef BL_SIM_FOLLOWS
#define BL_SIM_EXTRA(entity, key, kind, type, member)
};

struct key_row {
    enum bl_entity entity;
    bl_str key;
    bl_str what;
};
static const struct key_row follows[] = {
#define BL_SIM_FOLLOWS(entity, key, what) {BL_ENTITY_##entity, LITERAL(key), LITERAL(what)},
#include "world/sim/sim_keys.def"
#undef BL_SIM_FOLLOWS
#undef BL_SIM_REQUIRED
#define BL_SIM_FOLLOWS(entity, key, what)
};
static const struct key_row required[] = {
#define BL_SIM_REQUIRED(entity, key) {BL_ENTITY_##entity, LITERAL(key), LITERAL("")},
#include "world/sim/sim_keys.def"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

size_t bl_sim_extra_count(void)
{
    return COUNT(extras);
}

const struct bl_sim_extra_row *bl_sim_extra_at(size_t index)
{
    return index < COUNT(extras) ? &extras[index] : NULL;
}

static const struct key_row *find_key(const struct key_row *rows, size_t count,
                                      enum bl_entity entity, bl_str key)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].entity == entity && bl_str_equal(rows[i].key, key)) {
            return &rows[i];
        }
    }
    return NULL;
}

bool bl_sim_field_follows(enum bl_field field)
{
    const struct bl_field_info *info = bl_field_info(field);
    return find_key(follows, COUNT(follows), info->entity, info->name) != NULL;
}

/* ---- mistakes ---------------------------------------------------------------------------- */

static struct bl_diagnostic *report(struct bl_sim_loader *l, enum bl_diagnostic_code code,
                                    const struct bl_json *node)
{
    struct bl_buf path;
    bl_buf_init(&path, l->sim->arena, PATH_BYTES);
    bl_json_path(&path, node);
    struct bl_diagnostic *d =
        bl_report(l->sink, code, (struct bl_span){node->lo, node->hi, l->source});
    bl_diagnostic_text(l->sink, d, "path", bl_buf_str(&path));
    l->broken = true;
    return d;
}

bool bl_sim_report(struct bl_sim_loader *loader, enum bl_diagnostic_code code,
                   const struct bl_json *node, const char *argument, bl_str value)
{
    struct bl_diagnostic *d = report(loader, code, node);
    if (argument != NULL) {
        bl_diagnostic_text(loader->sink, d, argument, value);
    }
    return false;
}

static bool wrong(struct bl_sim_loader *l, const struct bl_json *node, bl_str wanted)
{
    return bl_sim_report(l, BL_D_JSON_WRONG_TYPE, node, "wanted", wanted);
}

static bool missing(struct bl_sim_loader *l, const struct bl_json *entry, bl_str key)
{
    struct bl_buf path;
    bl_buf_init(&path, l->sim->arena, PATH_BYTES);
    bl_json_path(&path, entry);
    bl_buf_put_char(&path, '.');
    bl_buf_put(&path, key);
    struct bl_diagnostic *d = bl_report(l->sink, BL_D_JSON_MISSING,
                                        (struct bl_span){entry->lo, entry->hi, l->source});
    bl_diagnostic_text(l->sink, d, "path", bl_buf_str(&path));
    l->broken = true;
    return false;
}

bool bl_sim_report_key(struct bl_sim_loader *loader, const struct bl_json *node,
                       bl_str (*next)(const void *context, size_t index), const void *context)
{
    struct bl_diagnostic *d = report(loader, BL_D_WORLD_UNKNOWN_KEY, node);
    unsigned least = 1 + (unsigned)(node->key.len < 60 ? node->key.len : 60) / 3;
    bl_str best = BL_STR("");
    for (size_t i = 0;; i++) {
        bl_str known = next(context, i);
        if (known.len == 0) {
            break;
        }
        unsigned distance = bl_str_distance(node->key, known, least);
        if (distance < least || (distance == least && best.len == 0)) {
            least = distance;
            best = known;
        }
    }
    if (best.len > 0) {
        struct bl_buf help;
        bl_buf_init(&help, loader->sim->arena, PATH_BYTES);
        BL_PUT(&help, "Did you mean '");
        bl_buf_put(&help, best);
        BL_PUT(&help, "'?");
        bl_diagnostic_help(loader->sink, d, bl_buf_str(&help));
    }
    return false;
}

/* ---- values ------------------------------------------------------------------------------ */

static bool convert_time(struct bl_sim_loader *l, const struct bl_json *node,
                         struct bl_value *out)
{
    int64_t number;
    if (node->kind == BL_JSON_STRING && bl_time_parse(node->string, &number)) {
        *out = bl_number(BL_V_TIME, number);
        return true;
    }
    if (node->kind == BL_JSON_STRING && bl_date_parse(node->string, &number) && number >= 0) {
        *out = bl_number(BL_V_TIME, number * BL_SECONDS_PER_DAY);
        return true;
    }
    return wrong(l, node, BL_STR("a time such as 2026-11-02T08:00:00Z, or a day"));
}

static bool convert_word(struct bl_sim_loader *l, const struct bl_json *node,
                         enum bl_enum which, struct bl_value *out)
{
    unsigned count = bl_enum_member_count(which);
    unsigned member =
        node->kind == BL_JSON_STRING ? bl_enum_member_find(which, node->string) : count;
    if (member < count) {
        *out = bl_member_value(which, member);
        return true;
    }
    if (node->kind != BL_JSON_STRING) {
        return wrong(l, node, BL_STR("a text"));
    }
    struct bl_buf words;
    bl_buf_init(&words, l->sim->arena, WORDS_BYTES);
    for (unsigned i = 0; i < count; i++) {
        bl_buf_put(&words, i > 0 ? BL_STR(", ") : BL_STR(""));
        bl_buf_put(&words, bl_enum_member(which, i));
    }
    struct bl_diagnostic *d = report(l, BL_D_JSON_BAD_WORD, node);
    bl_diagnostic_text(l->sink, d, "word", node->string);
    bl_diagnostic_text(l->sink, d, "words", bl_buf_str(&words));
    return false;
}

static bool convert_text(struct bl_sim_loader *l, const struct bl_json *node, bl_type type,
                         struct bl_value *out)
{
    bool free = bl_type_is(type, BL_TYPE_UNTRUSTED) || bl_type_is(type, BL_TYPE_TEXT);
    bool repository = bl_type_is(type, BL_TYPE_REPOSITORY_NAME);
    if (node->kind != BL_JSON_STRING) {
        return wrong(l, node, BL_STR("a text"));
    }
    if (repository && !bl_is_repository_name(node->string)) {
        return wrong(l, node, BL_STR("a repository as owner/name"));
    }
    if (!free && !bl_is_name(node->string)) {
        return wrong(l, node, BL_STR("a name without control characters"));
    }
    *out = bl_sim_keep_text(l->sim, node->string);
    /* GitHub keeps one spelling of a label. */
    const struct bl_sim_label_row *row =
        bl_type_is(type, BL_TYPE_LABEL) ? bl_sim_find_label(l->sim, node->string) : NULL;
    if (row != NULL) {
        *out = bl_text(row->name);
    }
    return true;
}

/* Things that are named, not described: users by login, commits by id, issues by number. */
static bool convert_named(struct bl_sim_loader *l, const struct bl_json *node,
                          enum bl_entity entity, struct bl_value *out)
{
    struct bl_object *thing = NULL;
    if (entity == BL_ENTITY_USER) {
        bl_str login = node->kind == BL_JSON_NULL ? BL_GHOST_LOGIN : node->string;
        if ((node->kind != BL_JSON_STRING && node->kind != BL_JSON_NULL) ||
            !bl_is_login(login)) {
            return wrong(l, node, BL_STR("a login"));
        }
        thing = bl_sim_user_of(l->sim, login);
    } else if (entity == BL_ENTITY_COMMIT) {
        if (node->kind != BL_JSON_STRING || !bl_is_name(node->string)) {
            return wrong(l, node, BL_STR("the id of a commit"));
        }
        thing = bl_sim_commit_of(l->sim, node->string);
    } else {
        thing = node->kind == BL_JSON_INT ? bl_sim_issue_of(l->sim, node->integer) : NULL;
        if (thing == NULL) {
            return wrong(l, node, BL_STR("the number of an issue in 'issues'"));
        }
    }
    *out = thing != NULL ? bl_object_value(thing) : bl_absent();
    return thing != NULL;
}

/* Things that stand inside another: a comment of an issue, a reaction to a comment … */
static bool convert_inner(struct bl_sim_loader *l, const struct bl_json *node,
                          enum bl_entity entity, struct bl_object *holder, struct bl_value *out)
{
    struct bl_sim *sim = l->sim;
    struct bl_object *thing;
    if (node->kind != BL_JSON_OBJECT) {
        return wrong(l, node, BL_STR("an object"));
    }
    if (entity == BL_ENTITY_COMMENT) {
        int64_t id = sim->last_id + 1;
        if (bl_json_get(node, BL_STR("id")) != NULL &&
            !bl_sim_read_number(l, node, "id", &id)) {
            return false;
        }
        if (bl_sim_find(sim, entity, id, BL_STR("")) != NULL) {
            return bl_sim_report(l, BL_D_WORLD_TWICE, node, NULL, BL_STR(""));
        }
        thing = bl_sim_add(sim, entity, id, BL_STR(""));
        if (thing != NULL) {
            bl_object_set(thing, BL_FIELD_COMMENT_ID, bl_int(id));
            bl_object_set(thing, BL_FIELD_COMMENT_ISSUE, bl_object_value(holder));
        }
    } else {
        int64_t key = entity == BL_ENTITY_RUN_JOB ? ++sim->last_run : bl_sim_next_id(sim);
        thing = bl_object_create(sim->arena, entity, key, sim->repository);
    }
    if (thing == NULL || !bl_sim_fill(l, node, thing)) {
        return false;
    }
    if (entity == BL_ENTITY_COMMENT) {
        bl_sim_count_reactions(thing);
        struct bl_sim_comment_more *more = bl_sim_comment_more(thing);
        if (more->updated_at == 0) {
            more->updated_at = bl_sim_time(thing, BL_FIELD_COMMENT_CREATED_AT);
        }
    }
    *out = bl_object_value(thing);
    return true;
}

/* The time by which the things of a list are sorted; BL_FIELD_COUNT for those that are not. */
static enum bl_field time_of(enum bl_entity entity)
{
    bl_str name = entity == BL_ENTITY_COMMENT ? BL_STR("created_at") : BL_STR("at");
    return bl_field_find(entity, name);
}

static bool convert_list(struct bl_sim_loader *l, const struct bl_json *node, bl_type element,
                         struct bl_object *holder, struct bl_value *out)
{
    struct bl_list *list = bl_list_create(l->sim->arena);
    enum bl_entity entity = bl_type_is(element, BL_TYPE_ENTITY)
                                ? (enum bl_entity)bl_type_ref(element)
                                : BL_ENTITY_COUNT;
    enum bl_field time = entity < BL_ENTITY_COUNT ? time_of(entity) : BL_FIELD_COUNT;
    bool good = true;
    if (node->kind != BL_JSON_ARRAY) {
        return wrong(l, node, BL_STR("a list"));
    }
    for (size_t i = 0; list != NULL && i < node->count; i++) {
        struct bl_value item;
        if (!bl_sim_convert(l, &node->items[i], element, holder, &item)) {
            good = false;
        } else if (time != BL_FIELD_COUNT) {
            good = bl_sim_insert(l->sim, list, bl_object_of(item), time) && good;
        } else if (bl_list_push(l->sim->arena, list, item) != BL_OK) {
            return wrong(l, node, BL_STR("a shorter list"));
        }
    }
    *out = list != NULL ? bl_list_value(list) : bl_absent();
    return good && list != NULL;
}

static bool convert_plain(struct bl_sim_loader *l, const struct bl_json *node, bl_type type,
                          struct bl_object *holder, struct bl_value *out)
{
    enum bl_type_kind kind = bl_type_kind(type);
    if (kind == BL_TYPE_BOOL) {
        *out = bl_bool(node->kind == BL_JSON_TRUE);
        return node->kind == BL_JSON_TRUE || node->kind == BL_JSON_FALSE ||
               wrong(l, node, BL_STR("true or false"));
    }
    if (kind == BL_TYPE_INT) {
        *out = bl_int(node->integer);
        return (node->kind == BL_JSON_INT && node->integer >= 0) ||
               wrong(l, node, BL_STR("a whole number that is not negative"));
    }
    if (kind == BL_TYPE_TIME) {
        return convert_time(l, node, out);
    }
    if (kind == BL_TYPE_ENUM) {
        return convert_word(l, node, (enum bl_enum)bl_type_ref(type), out);
    }
    if (kind != BL_TYPE_ENTITY) {
        return convert_text(l, node, type, out);
    }
    enum bl_entity entity = (enum bl_entity)bl_type_ref(type);
    bool named =
        entity == BL_ENTITY_USER || entity == BL_ENTITY_COMMIT || entity == BL_ENTITY_ISSUE;
    return named ? convert_named(l, node, entity, out)
                 : convert_inner(l, node, entity, holder, out);
}

bool bl_sim_convert(struct bl_sim_loader *loader, const struct bl_json *node, bl_type type,
                    struct bl_object *holder, struct bl_value *out)
{
    *out = bl_absent();
    if (node->kind == BL_JSON_NULL && bl_type_is_optional(type)) {
        return true;
    }
    if (bl_type_is_list(type)) {
        return convert_list(loader, node, bl_type_element(type), holder, out);
    }
    return convert_plain(loader, node, bl_type_base(type), holder, out);
}

/* ---- keys -------------------------------------------------------------------------------- */

static bool fill_extra(struct bl_sim_loader *l, const struct bl_json *node,
                       const struct bl_sim_extra_row *row, struct bl_object *object)
{
    void *member = (char *)object->handle + row->offset;
    enum bl_enum words =
        row->kind == BL_SIM_EXTRA_LOCK ? BL_ENUM_LOCK_REASON : BL_ENUM_DISMISSAL;
    struct bl_value v;
    switch (row->kind) {
    case BL_SIM_EXTRA_TIME:
        if (!convert_time(l, node, &v)) {
            return false;
        }
        *(int64_t *)member = v.as.i;
        return true;
    case BL_SIM_EXTRA_NUMBER:
        *(int64_t *)member = node->integer;
        return (node->kind == BL_JSON_INT && node->integer > 0) ||
               wrong(l, node, BL_STR("a number above zero"));
    case BL_SIM_EXTRA_LOCK:
    case BL_SIM_EXTRA_DISMISSAL:
        if (!convert_word(l, node, words, &v)) {
            return false;
        }
        *(bl_str *)member = bl_enum_member(words, (unsigned)v.as.i);
        return true;
    case BL_SIM_EXTRA_NAME:
        if (node->kind != BL_JSON_STRING || !bl_is_name(node->string)) {
            return wrong(l, node, BL_STR("a name without control characters"));
        }
        *(bl_str *)member = bl_sim_keep(l->sim, node->string);
        return true;
    }
    return false;
}

static const struct bl_sim_extra_row *find_extra(enum bl_entity entity, bl_str key)
{
    for (size_t i = 0; i < COUNT(extras); i++) {
        if (extras[i].entity == entity && bl_str_equal(extras[i].key, key)) {
            return &extras[i];
        }
    }
    return NULL;
}

/* The keys of an entity, one after the other, for a suggestion. */
static bl_str known_key(const void *context, size_t index)
{
    enum bl_entity entity = *(const enum bl_entity *)context;
    const struct bl_entity_info *info = bl_entity_info(entity);
    if (index < info->field_count) {
        return bl_field_info((enum bl_field)(info->first_field + index))->name;
    }
    index -= info->field_count;
    if (entity == BL_ENTITY_PULL_REQUEST) {
        enum bl_entity issue = BL_ENTITY_ISSUE;
        return known_key(&issue, index);
    }
    for (size_t i = 0; i < COUNT(extras); i++) {
        if (extras[i].entity == entity && index-- == 0) {
            return extras[i].key;
        }
    }
    return BL_STR("");
}

static bool fill_key(struct bl_sim_loader *l, const struct bl_json *node,
                     struct bl_object *object)
{
    enum bl_entity entity = (enum bl_entity)object->entity;
    struct bl_object *issue = entity == BL_ENTITY_PULL_REQUEST ? object->handle : NULL;
    struct bl_object *target = object;
    enum bl_field field = BL_FIELD_COUNT;
    if (issue != NULL) {
        field = bl_field_find(BL_ENTITY_ISSUE, node->key);
        target = issue;
    }
    if (field == BL_FIELD_COUNT) {
        field = bl_field_find(entity, node->key);
        target = field != BL_FIELD_COUNT ? object : target;
    }
    enum bl_entity owner = (enum bl_entity)target->entity;
    const struct key_row *row = find_key(follows, COUNT(follows), owner, node->key);
    if (row != NULL) {
        return bl_sim_report(l, BL_D_WORLD_FOLLOWS, node, "source", row->what);
    }
    if (field == BL_FIELD_COUNT) {
        const struct bl_sim_extra_row *extra = find_extra(owner, node->key);
        return extra != NULL ? fill_extra(l, node, extra, target)
                             : bl_sim_report_key(l, node, known_key, &entity);
    }
    struct bl_value v;
    if (!bl_sim_convert(l, node, bl_field_info(field)->type, target, &v)) {
        return false;
    }
    bl_object_set(target, field, v);
    return true;
}

bool bl_sim_fill(struct bl_sim_loader *loader, const struct bl_json *entry,
                 struct bl_object *object)
{
    bool good = true;
    for (size_t i = 0; i < entry->count; i++) {
        good = fill_key(loader, &entry->items[i], object) && good;
    }
    for (size_t i = 0; i < COUNT(required); i++) {
        if ((unsigned)required[i].entity == object->entity &&
            bl_json_get(entry, required[i].key) == NULL) {
            good = missing(loader, entry, required[i].key);
        }
    }
    return good && bl_sim_complete(loader->sim, object);
}

bool bl_sim_read_number(struct bl_sim_loader *loader, const struct bl_json *entry,
                        const char *key, int64_t *out)
{
    const struct bl_json *node = bl_json_get(entry, bl_str_from(key));
    if (node == NULL) {
        return missing(loader, entry, bl_str_from(key));
    }
    *out = node->integer;
    return (node->kind == BL_JSON_INT && node->integer > 0) ||
           wrong(loader, node, BL_STR("a number above zero"));
}

bool bl_sim_read_name(struct bl_sim_loader *loader, const struct bl_json *entry,
                      const char *key, bl_type type, bl_str *out)
{
    const struct bl_json *node = bl_json_get(entry, bl_str_from(key));
    struct bl_value v;
    if (node == NULL) {
        return missing(loader, entry, bl_str_from(key));
    }
    bool good = bl_sim_convert(loader, node, type, NULL, &v);
    *out = bl_text_of(v);
    return good;
}

bool bl_sim_load_named(struct bl_sim_loader *l, const struct bl_json *node,
                       enum bl_status (*add)(struct bl_sim *sim, bl_str name, bl_str text))
{
    bool good = true;
    if (node->kind != BL_JSON_OBJECT) {
        return bl_sim_report(l, BL_D_JSON_WRONG_TYPE, node, "wanted",
                             BL_STR("an object of names and texts"));
    }
    for (size_t i = 0; i < node->count; i++) {
        const struct bl_json *item = &node->items[i];
        struct bl_value v;
        if (!bl_is_name(item->key)) {
            good = bl_sim_report(l, BL_D_JSON_WRONG_TYPE, item, "wanted",
                                 BL_STR("named without control characters"));
        } else if (!bl_sim_convert(l, item, BL_TYPE_MAKE(BL_TYPE_TEXT, 0), NULL, &v)) {
            good = false;
        } else {
            good = add(l->sim, item->key, bl_text_of(v)) == BL_OK && good;
        }
    }
    return good;
}
