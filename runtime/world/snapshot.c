/* SPDX-License-Identifier: Apache-2.0 */
#include "world/snapshot_table.h"
#include "world/world.h"

#define SENTENCE_BYTES 300
#define QUERY_ARGS_MAX 2

struct bl_snapshot {
    struct bl_arena *arena;
    const struct bl_world *world;
    struct bl_snapshot_table objects;
    struct bl_snapshot_table loads;
    struct bl_snapshot_table queries;
    size_t reads;
    size_t forgotten; /* how often a repository was */
};

/* Reads that were made, with what came back. */
struct load {
    struct bl_object *object;
    enum bl_read read;
    bool made;
    enum bl_answer answer;
    struct bl_failure failure;
};
struct query {
    enum bl_read read;
    struct bl_value args[QUERY_ARGS_MAX];
    size_t count;
    enum bl_answer answer;
    struct bl_value result;
    struct bl_failure failure;
    size_t forgotten; /* of the snapshot, when it was made */
};

struct bl_snapshot *bl_snapshot_create(struct bl_arena *arena, const struct bl_world *world)
{
    struct bl_snapshot *snapshot = BL_NEW(arena, struct bl_snapshot);
    if (snapshot != NULL) {
        snapshot->arena = arena;
        snapshot->world = world;
    }
    return snapshot;
}

struct bl_arena *bl_snapshot_arena(struct bl_snapshot *snapshot)
{
    return snapshot->arena;
}

void bl_snapshot_complete_failure(const struct bl_snapshot *snapshot,
                                  struct bl_failure *failure)
{
    const struct bl_world *world = snapshot->world;

    if (failure->why.len > 0 || world == NULL || world->page_failure == NULL)
        return;
    const struct bl_failure *page = world->page_failure(world->self);
    failure->why = page->why;
    failure->help = page->help;
    failure->again = page->again;
    failure->over = page->over;
}

size_t bl_snapshot_reads(const struct bl_snapshot *snapshot)
{
    return snapshot->reads;
}

/* ---- identity ---------------------------------------------------------------------------- */

struct identity {
    enum bl_entity entity;
    int64_t key;
    bl_str name;
};

/* Git tells tags and ids of commits apart by case, GitHub nothing else. */
static bool case_counts(enum bl_entity entity)
{
    return entity == BL_ENTITY_RELEASE || entity == BL_ENTITY_COMMIT;
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static bool same_object(const void *item, const void *wanted)
{
    const struct bl_object *object = item;
    const struct identity *id = wanted;
    return object->entity == id->entity && object->key == id->key &&
           (case_counts(id->entity) ? bl_str_equal(object->name, id->name)
                                    : bl_str_equal_nocase(object->name, id->name));
}

/* What a thing's identity says about it, so that no world has to say it again. */
static void set_identity(struct bl_object *object)
{
    static const struct {
        enum bl_entity entity;
        enum bl_field key;  /* BL_FIELD_COUNT: none */
        enum bl_field name; /* BL_FIELD_COUNT: none */
    } rows[] = {
        {BL_ENTITY_ISSUE, BL_FIELD_ISSUE_NUMBER, BL_FIELD_ISSUE_REPOSITORY},
        {BL_ENTITY_PULL_REQUEST, BL_FIELD_PULL_REQUEST_NUMBER,
         BL_FIELD_PULL_REQUEST_REPOSITORY},
        {BL_ENTITY_COMMENT, BL_FIELD_COMMENT_ID, BL_FIELD_COUNT},
        {BL_ENTITY_DISCUSSION, BL_FIELD_DISCUSSION_NUMBER, BL_FIELD_COUNT},
        {BL_ENTITY_ALERT, BL_FIELD_ALERT_NUMBER, BL_FIELD_COUNT},
        {BL_ENTITY_NUMBERED, BL_FIELD_NUMBERED_NUMBER, BL_FIELD_COUNT},
        {BL_ENTITY_USER, BL_FIELD_COUNT, BL_FIELD_USER_LOGIN},
        {BL_ENTITY_RELEASE, BL_FIELD_COUNT, BL_FIELD_RELEASE_TAG},
        {BL_ENTITY_COMMIT, BL_FIELD_COUNT, BL_FIELD_COMMIT_SHA},
        {BL_ENTITY_REPOSITORY, BL_FIELD_COUNT, BL_FIELD_REPOSITORY_NAME},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if ((unsigned)rows[i].entity == object->entity) {
            bl_object_set(object, rows[i].key, bl_int(object->key));
            bl_object_set(object, rows[i].name, bl_text(object->name));
        }
    }
    if (object->entity == BL_ENTITY_USER && object->key > 0) {
        bl_object_set(object, BL_FIELD_USER_ASSOCIATION,
                      bl_member_value(BL_ENUM_ASSOCIATION, (unsigned)(object->key - 1)));
    }
}

struct bl_object *bl_snapshot_object(struct bl_snapshot *snapshot, enum bl_entity entity,
                                     int64_t key, bl_str name)
{
    struct identity id = {entity, key, name};
    uint64_t hash = mix(mix(bl_str_hash_nocase(name, 0), (uint64_t)entity), (uint64_t)key);
    struct bl_object *object =
        bl_snapshot_table_find(&snapshot->objects, hash, same_object, &id);
    if (object != NULL) {
        return object;
    }
    bl_str copy = bl_arena_copy(snapshot->arena, name);
    if (copy.ptr == NULL) {
        return NULL;
    }
    object = bl_object_create(snapshot->arena, entity, key, copy);
    if (object == NULL ||
        !bl_snapshot_table_add(&snapshot->objects, snapshot->arena, hash, object)) {
        return NULL;
    }
    set_identity(object);
    return object;
}

/* Fields that are never asked of a world. */
static bool comes_along(enum bl_read read)
{
    return read == BL_READ_PAYLOAD || read == BL_READ_STORED || read == BL_READ_DECLARED;
}

struct bl_object *bl_snapshot_adopt(struct bl_snapshot *snapshot, const struct bl_object *thing)
{
    if (thing == NULL) {
        return NULL;
    }
    enum bl_entity entity = (enum bl_entity)thing->entity;
    struct bl_object *own = bl_snapshot_object(snapshot, entity, thing->key, thing->name);
    if (own == NULL || own == thing) {
        return own;
    }
    const struct bl_entity_info *info = bl_entity_info(entity);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        if (!comes_along(bl_field_info(field)->read) || !bl_object_knows(thing, field) ||
            bl_object_knows(own, field)) {
            continue;
        }
        /* Stored things hold stored things (a comment its author and its issue) and no chain
         * of them comes back to its beginning: entities.def has no such pair of fields. */
        struct bl_value value = bl_object_get(thing, field);
        struct bl_object *inner = bl_object_of(value);
        if (inner != NULL) {
            inner = bl_snapshot_adopt(snapshot, inner);
            if (inner == NULL) {
                return NULL;
            }
            value = bl_object_value(inner);
        }
        bl_object_set(own, field, value);
    }
    return own;
}

/* ---- words of failures ------------------------------------------------------------------- */

static bool is_plain(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] <= 0x20 || name.ptr[i] >= 0x7F) {
            return false;
        }
    }
    return name.len > 0 && name.len <= 100;
}

static void put_words(struct bl_buf *out, bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        bl_buf_put_char(out, name.ptr[i] == '_' ? ' ' : name.ptr[i]);
    }
}

/* "issue 12", "user alice", "release v1.2": a name that is not plain is left out. */
static void put_thing(struct bl_buf *out, const struct bl_object *object)
{
    enum bl_entity entity = (enum bl_entity)object->entity;
    put_words(out, bl_entity_info(entity)->name);
    if (object->key != 0 && entity != BL_ENTITY_USER) {
        bl_buf_put_char(out, ' ');
        bl_buf_put_int(out, object->key);
    } else if (is_plain(object->name)) {
        bl_buf_put_char(out, ' ');
        bl_buf_put(out, object->name);
    }
}

/* "BEFORE FIELD of THING BEHIND" */
static void say(struct bl_snapshot *snapshot, struct bl_failure *failure,
                const struct bl_object *object, bl_str what, const char *before,
                const char *behind, bl_str why)
{
    struct bl_buf text;
    bl_buf_init(&text, snapshot->arena, SENTENCE_BYTES);
    bl_buf_put(&text, bl_str_from(before));
    if (what.len > 0) {
        put_words(&text, what);
        BL_PUT(&text, " of ");
    }
    if (object != NULL) {
        put_thing(&text, object);
    }
    bl_buf_put(&text, bl_str_from(behind));
    *failure = (struct bl_failure){.what = bl_buf_str(&text), .why = why};
}

/* A world that failed without a word still leaves a line for the log. */
static void complete_failure(struct bl_snapshot *snapshot, struct bl_failure *failure,
                             const struct bl_object *object, enum bl_read read)
{
    if (failure->what.len > 0) {
        return;
    }
    bl_str why = failure->why.len > 0 ? failure->why : BL_STR("no reason was given");
    bl_str help = failure->help;
    bool again = failure->again, over = failure->over;
    if (object != NULL) {
        /* "The comments of issue 12", but "The issue 12". */
        bl_str what = bl_read_info(read)->name;
        if (bl_str_starts_with(bl_entity_info((enum bl_entity)object->entity)->name, what)) {
            what = BL_STR("");
        }
        say(snapshot, failure, object, what, "The ", " could not be read", why);
    } else {
        struct bl_buf text;
        bl_buf_init(&text, snapshot->arena, SENTENCE_BYTES);
        BL_PUT(&text, "The read of ");
        put_words(&text, bl_read_info(read)->name);
        BL_PUT(&text, " failed");
        *failure = (struct bl_failure){.what = bl_buf_str(&text), .why = why};
    }
    failure->help = help;
    failure->again = again;
    failure->over = over;
}

/* ---- reads of things --------------------------------------------------------------------- */

static bool same_load(const void *item, const void *wanted)
{
    const struct load *a = item;
    const struct load *b = wanted;
    return a->object == b->object && a->read == b->read;
}

static struct load *find_load(struct bl_snapshot *snapshot, struct bl_object *object,
                              enum bl_read read, bool add)
{
    struct load wanted = {.object = object, .read = read};
    uint64_t hash = mix(mix(0, (uint64_t)(uintptr_t)object), (uint64_t)read);
    struct load *load = bl_snapshot_table_find(&snapshot->loads, hash, same_load, &wanted);
    if (load != NULL || !add) {
        return load;
    }
    load = BL_NEW(snapshot->arena, struct load);
    if (load == NULL || !bl_snapshot_table_add(&snapshot->loads, snapshot->arena, hash, load)) {
        return NULL;
    }
    *load = wanted;
    return load;
}

static enum bl_answer no_memory(struct bl_failure *failure)
{
    *failure = (struct bl_failure){.what = BL_STR("A read could not be remembered"),
                                   .why = BL_STR("out of memory")};
    return BL_FAILED;
}

static enum bl_answer load_once(struct bl_snapshot *snapshot, struct bl_object *object,
                                enum bl_read read, struct bl_failure *failure)
{
    struct load *load = find_load(snapshot, object, read, true);
    if (load == NULL) {
        return no_memory(failure);
    }
    if (!load->made) {
        load->made = true;
        load->answer = BL_FAILED;
        load->failure = (struct bl_failure){.again = false};
        if (snapshot->world != NULL) {
            snapshot->reads++;
            load->answer = snapshot->world->load(snapshot->world->self, snapshot, object, read,
                                                 &load->failure);
        } else {
            load->failure.why = BL_STR("this run has no world");
        }
        if (load->answer == BL_MISSING && load->failure.what.len == 0) {
            say(snapshot, &load->failure, object, BL_STR(""), "The ", " does not exist",
                load->failure.why);
        }
        if (load->answer == BL_FAILED) {
            complete_failure(snapshot, &load->failure, object, read);
        }
        if (snapshot->arena->failed) {
            load->answer = no_memory(&load->failure);
        }
    }
    /* A world that knows a thing in part says with what it found why the rest is not known. */
    *failure = load->failure;
    return load->answer;
}

/* A permission belongs to the person, however they were reached, and what is read with it. */
static enum bl_answer load_permission(struct bl_snapshot *snapshot, struct bl_object *user,
                                      struct bl_failure *failure)
{
    struct bl_object *person = bl_snapshot_object(snapshot, BL_ENTITY_USER, 0, user->name);
    if (person == NULL) {
        return no_memory(failure);
    }
    enum bl_answer answer = load_once(snapshot, person, BL_READ_PERMISSION, failure);
    static const enum bl_field fields[] = {BL_FIELD_USER_ID, BL_FIELD_USER_KIND,
                                           BL_FIELD_USER_PERMISSION};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (!bl_object_knows(user, fields[i]) && bl_object_knows(person, fields[i])) {
            bl_object_set(user, fields[i], bl_object_get(person, fields[i]));
        }
    }
    return answer;
}

enum bl_answer bl_snapshot_load(struct bl_snapshot *snapshot, struct bl_object *object,
                                enum bl_read read, struct bl_failure *failure)
{
    if (object->entity == BL_ENTITY_USER && read == BL_READ_PERMISSION) {
        return load_permission(snapshot, object, failure);
    }
    return load_once(snapshot, object, read, failure);
}

/* The read that brings a field: its own, or for what is stored with a thing that somebody named
 * by its identity alone, the read of the whole thing. BL_READ_COUNT: none. */
static enum bl_read read_of(const struct bl_field_info *info)
{
    static const struct {
        enum bl_entity entity;
        enum bl_read read;
    } own[] = {
        {BL_ENTITY_ISSUE, BL_READ_ISSUE},           {BL_ENTITY_COMMENT, BL_READ_COMMENTS},
        {BL_ENTITY_PULL_REQUEST, BL_READ_PULL},     {BL_ENTITY_COMMIT, BL_READ_COMMIT},
        {BL_ENTITY_REPOSITORY, BL_READ_REPOSITORY}, {BL_ENTITY_USER, BL_READ_PERMISSION},
    };
    if (!comes_along(info->read)) {
        return info->read;
    }
    for (size_t i = 0; info->read == BL_READ_STORED && i < sizeof(own) / sizeof(own[0]); i++) {
        if (own[i].entity == info->entity) {
            return own[i].read;
        }
    }
    return BL_READ_COUNT;
}

enum bl_status bl_snapshot_field(struct bl_snapshot *snapshot, struct bl_object *object,
                                 enum bl_field field, struct bl_value *out,
                                 struct bl_failure *failure)
{
    const struct bl_field_info *info = bl_field_info(field);
    *out = bl_absent();
    *failure = (struct bl_failure){.again = false};
    if (info == NULL || object == NULL || (unsigned)info->entity != object->entity) {
        *failure = (struct bl_failure){.what = BL_STR("A thing was asked for a field that it "
                                                      "does not have")};
        return BL_ERR_INTERNAL;
    }
    if (!bl_object_knows(object, field)) {
        enum bl_read read = read_of(info);
        enum bl_answer answer = read != BL_READ_COUNT
                                    ? bl_snapshot_load(snapshot, object, read, failure)
                                    : BL_FOUND;
        if (snapshot->arena->failed) {
            return BL_ERR_NOMEM;
        }
        if (!bl_object_knows(object, field)) {
            if (answer == BL_FOUND) {
                bl_str help = failure->help;
                bl_str why = failure->why;
                if (why.len == 0) {
                    why = info->read == BL_READ_PAYLOAD ? BL_STR("the payload does not hold it")
                                                        : BL_STR("nobody said it");
                }
                say(snapshot, failure, object, info->name, "Nothing is known of the ", "", why);
                failure->help = help;
            }
            return BL_ERR_READ;
        }
    }
    *out = bl_object_get(object, field);
    return BL_OK;
}

void bl_snapshot_forget(struct bl_snapshot *snapshot, struct bl_object *object)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)object->entity);
    snapshot->forgotten += object->entity == BL_ENTITY_REPOSITORY ? 1 : 0;
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        enum bl_read read = bl_field_info(field)->read;
        if (!comes_along(read)) {
            object->known &= ~(UINT32_C(1) << bl_field_slot(field));
        }
    }
    for (unsigned read = 0; read < BL_READ_COUNT; read++) {
        struct load *load = find_load(snapshot, object, (enum bl_read)read, false);
        if (load != NULL) {
            load->made = false;
        }
    }
}

/* ---- reads of no thing ------------------------------------------------------------------- */

static bool same_value(struct bl_value a, struct bl_value b)
{
    return a.tag == b.tag &&
           (a.tag == BL_V_TEXT ? bl_str_equal(bl_text_of(a), bl_text_of(b)) : a.as.i == b.as.i);
}

static bool same_query(const void *item, const void *wanted)
{
    const struct query *a = item;
    const struct query *b = wanted;
    bool same = a->read == b->read && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = same_value(a->args[i], b->args[i]);
    }
    return same;
}

static uint64_t hash_query(const struct query *query)
{
    uint64_t hash = mix((uint64_t)query->read, query->count);
    for (size_t i = 0; i < query->count; i++) {
        struct bl_value v = query->args[i];
        hash = mix(hash, v.tag == BL_V_TEXT ? bl_str_hash(bl_text_of(v), 0) : (uint64_t)v.as.i);
    }
    return hash;
}

/* The caller's texts may die before the snapshot does. */
static bool keep_args(struct bl_snapshot *snapshot, struct query *query)
{
    for (size_t i = 0; i < query->count; i++) {
        if (query->args[i].tag == BL_V_TEXT) {
            bl_str copy = bl_arena_copy(snapshot->arena, bl_text_of(query->args[i]));
            if (copy.ptr == NULL) {
                return false;
            }
            query->args[i] = bl_text(copy);
        }
    }
    return true;
}

/* Which issues have a label is a fact of the repository, as its lists are; rows are kept by
 * what is written there. */
static bool is_stale(const struct bl_snapshot *snapshot, const struct query *query)
{
    return (query->read == BL_READ_LABELLED_ISSUES || query->read == BL_READ_STORE) &&
           query->forgotten != snapshot->forgotten;
}

/* Does a builtin that asks this give a list? */
static bool gives_list(enum bl_read read)
{
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        const struct bl_builtin_info *info = bl_builtin_info((enum bl_builtin)i);
        if (info->read == read && bl_str_starts_with(info->result, BL_STR("list of "))) {
            return true;
        }
    }
    return false;
}

/* A list of the repository may be empty; that GitHub does not find it says nothing about what
 * is in it. */
static bool is_always_there(const struct query *query)
{
    return gives_list(query->read) || (query->read == BL_READ_REPOSITORY && query->count == 0);
}

static void make_query(struct bl_snapshot *snapshot, struct query *query)
{
    query->answer = BL_FAILED;
    query->failure = (struct bl_failure){.again = false};
    query->forgotten = snapshot->forgotten;
    if (snapshot->world != NULL) {
        snapshot->reads++;
        query->answer =
            snapshot->world->query(snapshot->world->self, snapshot, query->read, query->args,
                                   query->count, &query->result, &query->failure);
    } else {
        query->failure.why = BL_STR("this run has no world");
    }
    if (query->answer != BL_FOUND) {
        query->result = bl_absent();
    }
    if (query->answer == BL_MISSING && is_always_there(query)) {
        query->answer = BL_FAILED;
        if (query->failure.why.len == 0) {
            query->failure.why = BL_STR("it was not found");
        }
    }
    if (query->answer == BL_FAILED) {
        complete_failure(snapshot, &query->failure, NULL, query->read);
    }
}

enum bl_status bl_snapshot_query(struct bl_snapshot *snapshot, enum bl_read read,
                                 const struct bl_value *args, size_t count,
                                 struct bl_value *out, struct bl_failure *failure)
{
    struct query wanted = {.read = read, .count = count};
    *out = bl_absent();
    if (count > QUERY_ARGS_MAX) {
        return BL_ERR_INTERNAL;
    }
    for (size_t i = 0; i < count; i++) {
        wanted.args[i] = args[i];
    }
    uint64_t hash = hash_query(&wanted);
    struct query *query = bl_snapshot_table_find(&snapshot->queries, hash, same_query, &wanted);
    if (query == NULL) {
        query = BL_NEW(snapshot->arena, struct query);
        if (query == NULL || !keep_args(snapshot, &wanted)) {
            return BL_ERR_NOMEM;
        }
        *query = wanted;
        make_query(snapshot, query);
        if (snapshot->arena->failed ||
            !bl_snapshot_table_add(&snapshot->queries, snapshot->arena, hash, query)) {
            return BL_ERR_NOMEM;
        }
    } else if (is_stale(snapshot, query)) {
        make_query(snapshot, query);
        if (snapshot->arena->failed) {
            return BL_ERR_NOMEM;
        }
    }
    if (query->answer == BL_FAILED) {
        *failure = query->failure;
        return BL_ERR_READ;
    }
    *out = query->result;
    return BL_OK;
}
