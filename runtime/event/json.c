/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"

#include "base/sort.h"
#include "event/json_scan.h"

#include <pthread.h>
#include <string.h>

#include <cjson/cJSON.h>

/* cJSON is told where to take memory by a pair of functions for the whole process, and keeps
 * the place of an error in a variable of the process. So one parse runs at a time (the mutex),
 * the functions are set for its time alone, and they look at a variable of the thread: the
 * memory of the parse that this thread is in. A thread of a program around us that uses cJSON
 * meanwhile meets an empty variable and gets the system's memory, which is what it gets
 * otherwise. A program that gave cJSON functions of its own must give them again after a parse,
 * since cJSON does not tell what it has. The tree is never freed node by node: its arena goes
 * as a whole. */
static pthread_mutex_t one_parse = PTHREAD_MUTEX_INITIALIZER;

/* cJSON asks for many small blocks and clears them itself, so they are cut from larger ones. */
#define TREE_BLOCK 4096
struct tree_memory {
    struct bl_arena *arena;
    char *at;
    size_t left;
};
static _Thread_local struct tree_memory *tree_memory;

static void *tree_allocate(size_t size)
{
    struct tree_memory *memory = tree_memory;
    if (memory == NULL) {
        const struct bl_allocator *system = bl_allocator_default();
        return system->allocate(system->context, size);
    }
    if (size > TREE_BLOCK / 4) {
        return bl_arena_alloc(memory->arena, 1, size);
    }
    size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (size > memory->left) {
        memory->at = bl_arena_alloc(memory->arena, 1, TREE_BLOCK);
        memory->left = memory->at != NULL ? TREE_BLOCK : 0;
        if (memory->at == NULL) {
            return NULL;
        }
    }
    void *block = memory->at;
    memory->at += size;
    memory->left -= size;
    return block;
}

static void tree_release(void *block)
{
    if (tree_memory == NULL && block != NULL) {
        const struct bl_allocator *system = bl_allocator_default();
        system->release(system->context, block);
    }
}

static const cJSON *parse_tree(struct bl_arena *scratch, const char *text, size_t len,
                               const char **end)
{
    cJSON_Hooks hooks = {tree_allocate, tree_release};
    struct tree_memory memory = {.arena = scratch};
    (void)pthread_mutex_lock(&one_parse);
    cJSON_InitHooks(&hooks);
    tree_memory = &memory;
    const cJSON *tree = cJSON_ParseWithLengthOpts(text, len, end, 0);
    tree_memory = NULL;
    cJSON_InitHooks(NULL);
    (void)pthread_mutex_unlock(&one_parse);
    return tree;
}

struct reader {
    struct bl_arena *arena;
    struct bl_arena *scratch;
    const char *text;
    const struct bl_json_tokens *tokens;
    size_t next; /* token */
    struct bl_json_error *error;
};

static bool refuse(struct bl_json_error *error, size_t offset, bl_str message)
{
    *error = (struct bl_json_error){.offset = offset, .message = message};
    return false;
}

static bool no_memory(struct bl_json_error *error)
{
    *error = (struct bl_json_error){.message = BL_STR("Out of memory."), .no_memory = true};
    return false;
}

/* Both passes saw the same text, so their tokens agree; if they ever do not, the text is
 * refused and not misread. */
static const struct bl_json_token *take_token(struct reader *r, bool key)
{
    if (r->next < r->tokens->list.count) {
        const struct bl_json_token *token = &r->tokens->list.items[r->next++];
        if ((token->kind == BL_JSON_TOKEN_KEY) == key) {
            return token;
        }
    }
    refuse(r->error, 0, BL_STR("The two readers of JSON disagree about this text."));
    return NULL;
}

/* A string without escapes is what stands between its quotes in our copy of the text. */
static bool take_string(struct reader *r, const struct bl_json_token *token,
                        const char *decoded, bl_str *out)
{
    if (!token->escaped) {
        *out = (bl_str){r->text + token->lo + 1, token->hi - token->lo - 2};
        return true;
    }
    *out = bl_arena_copy(r->arena, bl_str_from(decoded));
    return out->ptr != NULL || no_memory(r->error);
}

/* The order of members: by their ranks, which is what tells most keys apart, then by length and
 * bytes. */
struct bl_json_rank {
    uint64_t rank;
    uint32_t member;
};

/* The length and the first six bytes. */
static uint64_t rank_of(bl_str key)
{
    uint64_t rank = key.len < UINT16_MAX ? key.len : UINT16_MAX;
    for (size_t i = 0; i < 6; i++) {
        rank = rank << 8 | (i < key.len ? (unsigned char)key.ptr[i] : 0);
    }
    return rank;
}

static int compare_keys(bl_str a, bl_str b)
{
    if (a.len != b.len) {
        return a.len < b.len ? -1 : 1;
    }
    return a.len > 0 ? memcmp(a.ptr, b.ptr, a.len) : 0;
}

static int compare_members(const void *a, const void *b, const void *context)
{
    const struct bl_json_rank *x = a, *y = b;
    const struct bl_json *items = context;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return compare_keys(items[x->member].key, items[y->member].key);
}

/* The members by key, those of one key as they stand. Sorted, since a hash would need a secret
 * to keep strangers from choosing keys that collide. */
static const struct bl_json_rank *sort_members(struct reader *r, const struct bl_json *object)
{
    struct bl_json_rank *ranks = BL_NEW_ARRAY(r->arena, object->count, struct bl_json_rank);

    for (size_t i = 0; ranks != NULL && i < object->count; i++)
        ranks[i] = (struct bl_json_rank){rank_of(object->items[i].key), (uint32_t)i};
    if (ranks == NULL || !bl_sort(r->arena, ranks, object->count, sizeof *ranks,
                                  compare_members, object->items)) {
        no_memory(r->error);
        return NULL;
    }
    return ranks;
}

/* Up to here every member is looked at. */
#define NARROW 12

static bool same_key_twice(struct reader *r, const struct bl_json *again)
{
    return refuse(r->error, again->lo,
                  BL_STR("The key of this value stands twice in its object."));
}

static bool index_members(struct reader *r, struct bl_json *object)
{
    if (object->count <= NARROW) {
        for (size_t i = 1; i < object->count; i++) {
            for (size_t j = 0; j < i; j++) {
                if (bl_str_equal(object->items[i].key, object->items[j].key)) {
                    return same_key_twice(r, &object->items[i]);
                }
            }
        }
        return true;
    }
    object->order = sort_members(r, object);
    if (object->order == NULL) {
        return false;
    }
    for (size_t i = 1; i < object->count; i++) {
        const struct bl_json *a = &object->items[object->order[i - 1].member];
        const struct bl_json *b = &object->items[object->order[i].member];
        if (object->order[i - 1].rank == object->order[i].rank &&
            bl_str_equal(a->key, b->key)) {
            return same_key_twice(r, b); /* the sort is stable: b is the later one */
        }
    }
    return true;
}

#define EXACT_BOUND (INT64_C(1) << 53)

/* From the spelling, not from cJSON's double: "9007199254740990.5" must not become whole. */
static void read_number(struct bl_json *to)
{
    bl_str digits = to->string;
    bool negative = digits.len > 0 && digits.ptr[0] == '-';
    digits = bl_str_slice(digits, negative, digits.len);
    int64_t value = 0;
    to->kind = BL_JSON_NUMBER;
    for (size_t i = 0; i < digits.len; i++) {
        if (!bl_is_ascii_digit(digits.ptr[i])) {
            return;
        }
        value = value * 10 + (digits.ptr[i] - '0');
        if (value >= EXACT_BOUND) {
            return;
        }
    }
    to->kind = BL_JSON_INT;
    to->integer = negative ? -value : value;
}

static bool read_value(struct reader *r, const cJSON *from, struct bl_json *to);

static bool read_children(struct reader *r, const cJSON *from, struct bl_json *to)
{
    for (const cJSON *child = from->child; child != NULL; child = child->next) {
        to->count++;
    }
    if (to->count == 0) {
        return true;
    }
    to->items = BL_NEW_ARRAY(r->arena, to->count, struct bl_json);
    if (to->items == NULL) {
        return no_memory(r->error);
    }
    struct bl_json *item = to->items;
    for (const cJSON *child = from->child; child != NULL; child = child->next, item++) {
        item->parent = to;
        if (to->kind == BL_JSON_OBJECT) {
            const struct bl_json_token *key = take_token(r, true);
            if (key == NULL || !take_string(r, key, child->string, &item->key)) {
                return false;
            }
        }
        if (!read_value(r, child, item)) {
            return false;
        }
    }
    return to->kind == BL_JSON_ARRAY || index_members(r, to);
}

/* Recursion is bounded: the scan refused what is nested deeper than BL_JSON_DEPTH_MAX. */
static bool read_value(struct reader *r, const cJSON *from, struct bl_json *to)
{
    const struct bl_json_token *token = take_token(r, false);
    if (token == NULL) {
        return false;
    }
    to->lo = token->lo;
    to->hi = token->hi;
    if (cJSON_IsArray(from) || cJSON_IsObject(from)) {
        to->kind = cJSON_IsArray(from) ? BL_JSON_ARRAY : BL_JSON_OBJECT;
        return read_children(r, from, to);
    }
    if (cJSON_IsString(from) && token->kind == BL_JSON_TOKEN_STRING) {
        to->kind = BL_JSON_STRING;
        return take_string(r, token, from->valuestring, &to->string);
    }
    if (cJSON_IsNumber(from) && token->kind == BL_JSON_TOKEN_NUMBER) {
        if (from->valuedouble - from->valuedouble != 0.0) { /* infinite */
            return refuse(r->error, to->lo, BL_STR("This number is too large."));
        }
        to->string = (bl_str){r->text + token->lo, token->hi - token->lo};
        read_number(to);
        return true;
    }
    to->kind = cJSON_IsTrue(from)    ? BL_JSON_TRUE
               : cJSON_IsFalse(from) ? BL_JSON_FALSE
                                     : BL_JSON_NULL;
    return true;
}

/* Where the next thing that is not white space stands, or `to`. */
static const char *skip_blanks(const char *from, const char *to)
{
    while (from < to && bl_is_ascii_space(*from)) {
        from++;
    }
    return from;
}

static const struct bl_json *read_text(struct reader *r, size_t len)
{
    const char *end = NULL;
    const cJSON *tree = parse_tree(r->scratch, r->text, len, &end);
    if (tree == NULL) {
        size_t offset = end != NULL && end >= r->text ? (size_t)(end - r->text) : 0;
        if (r->scratch->failed) {
            no_memory(r->error);
        } else if (skip_blanks(r->text, r->text + len) == r->text + len) {
            refuse(r->error, 0, BL_STR("The text is empty."));
        } else {
            refuse(r->error, offset < len ? offset : len,
                   BL_STR("This is not JSON: a value, a comma, a colon or a bracket is wrong "
                          "here."));
        }
        return NULL;
    }
    end = skip_blanks(end, r->text + len);
    if (end < r->text + len) {
        refuse(r->error, (size_t)(end - r->text), BL_STR("Something follows the JSON value."));
        return NULL;
    }
    /* Both trees are alive now, and the limit is for both. */
    size_t limit = r->arena->limit;
    size_t left = limit - r->arena->used;
    r->arena->limit -= r->scratch->used < left ? r->scratch->used : left;
    struct bl_json *root = BL_NEW(r->arena, struct bl_json);
    if (root == NULL) {
        no_memory(r->error);
    } else if (!read_value(r, tree, root)) {
        root = NULL;
    }
    r->arena->limit = limit;
    return root;
}

const struct bl_json *bl_json_parse(struct bl_arena *arena, bl_str input, size_t max_depth,
                                    size_t *notes, struct bl_json_error *error)
{
    *error = (struct bl_json_error){.offset = 0};
    if (input.len >= UINT32_MAX) {
        refuse(error, 0, BL_STR("The text is too large."));
        return NULL;
    }
    char *text = bl_arena_alloc(arena, input.len + 1, 1);
    if (text == NULL) {
        no_memory(error);
        return NULL;
    }
    if (input.len > 0) {
        memcpy(text, input.ptr, input.len);
    }
    struct bl_arena scratch;
    bl_arena_init(&scratch, arena->limit - arena->used, arena->allocator);
    struct bl_json_tokens tokens;
    const struct bl_json *root = NULL;
    size_t depth = max_depth < BL_JSON_DEPTH_MAX ? max_depth : BL_JSON_DEPTH_MAX;
    if (bl_json_scan(&scratch, text, input.len, depth, &tokens, error)) {
        struct reader reader = {.arena = arena,
                                .scratch = &scratch,
                                .text = text,
                                .tokens = &tokens,
                                .error = error};
        root = read_text(&reader, input.len);
    }
    if (root != NULL) {
        *notes += tokens.notes;
    }
    bl_arena_reset(&scratch);
    return root;
}

const struct bl_json *bl_json_get(const struct bl_json *object, bl_str key)
{
    if (object == NULL || object->kind != BL_JSON_OBJECT) {
        return NULL;
    }
    if (object->order == NULL) {
        for (size_t i = 0; i < object->count; i++) {
            if (bl_str_equal(object->items[i].key, key)) {
                return &object->items[i];
            }
        }
        return NULL;
    }
    size_t low = 0;
    size_t high = object->count;
    uint64_t rank = rank_of(key);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct bl_json *item = &object->items[object->order[middle].member];
        uint64_t other = object->order[middle].rank;
        int order = rank != other ? (rank < other ? -1 : 1) : compare_keys(key, item->key);
        if (order == 0) {
            return item;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

const struct bl_json *bl_json_at(const struct bl_json *object, bl_str path)
{
    while (object != NULL && path.len > 0) {
        size_t dot = bl_str_find_char(path, '.');
        object = bl_json_get(object, bl_str_slice(path, 0, dot));
        path = dot == SIZE_MAX ? BL_STR("") : bl_str_slice(path, dot + 1, path.len);
    }
    return object;
}

static bool is_plain_key(bl_str key)
{
    for (size_t i = 0; i < key.len; i++) {
        if (!bl_is_ascii_alpha(key.ptr[i]) && !bl_is_ascii_digit(key.ptr[i]) &&
            key.ptr[i] != '_' && key.ptr[i] != '-') {
            return false;
        }
    }
    return key.len > 0;
}

void bl_json_path(struct bl_buf *out, const struct bl_json *node)
{
    const struct bl_json *up[BL_JSON_DEPTH_MAX + 1];
    size_t depth = 0;
    for (; node->parent != NULL && depth < BL_JSON_DEPTH_MAX + 1; node = node->parent) {
        up[depth++] = node;
    }
    if (depth == 0) {
        BL_PUT(out, "$");
    }
    bool first = true;
    while (depth > 0) {
        const struct bl_json *step = up[--depth];
        if (step->parent->kind == BL_JSON_ARRAY) {
            bl_buf_put_char(out, '[');
            bl_buf_put_int(out, step - step->parent->items);
            bl_buf_put_char(out, ']');
        } else if (is_plain_key(step->key)) {
            bl_buf_put(out, first ? BL_STR("") : BL_STR("."));
            bl_buf_put(out, step->key);
        } else {
            struct bl_json_writer writer;
            bl_json_writer_init(&writer, out, false);
            bl_buf_put_char(out, '[');
            bl_json_string(&writer, step->key);
            bl_buf_put_char(out, ']');
        }
        first = false;
    }
}
