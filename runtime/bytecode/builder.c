/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/builder.h"

#include "base/utf8.h"
#include "bytecode/builder_parts.h"

#include <string.h>

/* ---- failure ------------------------------------------------------------------------------
 */

void bl_builder_fail(struct bl_builder *b, enum bl_status status)
{
    if (b != NULL && b->status == BL_OK)
        b->status = status;
}

void bl_builder_over(struct bl_builder *b, enum bl_limit limit)
{
    if (b != NULL && b->status == BL_OK) {
        b->status = BL_ERR_LIMIT;
        b->limit = limit;
    }
}

void bl_builder_wrong(struct bl_builder *b, const char *contract)
{
    if (b != NULL && b->status == BL_OK) {
        b->status = BL_ERR_INTERNAL;
        b->wrong = contract;
    }
}

bool bl_builder_is_good(const struct bl_builder *b)
{
    return b != NULL && b->status == BL_OK;
}

/* ---- rows ---------------------------------------------------------------------------------
 */

/* Rows go into the file as they are, so they have no padding whose bytes nobody sets. */
_Static_assert(sizeof(struct bl_const) == 16, "no padding");
_Static_assert(sizeof(struct bl_insn) == 8, "no padding");
_Static_assert(sizeof(struct bl_module_info) == 64, "no padding");
_Static_assert(sizeof(struct bl_module_source) == 48, "no padding");
_Static_assert(sizeof(struct bl_function) == 32, "no padding");
_Static_assert(sizeof(struct bl_map_row) == 8, "no padding");
_Static_assert(sizeof(struct bl_module_header) == 32, "no padding");
_Static_assert(sizeof(struct bl_module_section) == 16, "no padding");

/* A row of the map has room for every place. */
#define BL_LIMIT(id, name, value, why)                                                         \
    _Static_assert(BL_LIMIT_##id != BL_LIMIT_SOURCES || (value) <= BL_MAP_SOURCE_MAX + 1,      \
                   why);                                                                       \
    _Static_assert(BL_LIMIT_##id != BL_LIMIT_SOURCE_BYTES || (value) <= BL_MAP_LO_MAX + 1, why);
#include "spec/limits.def"
#undef BL_LIMIT

#define BL_SECTION(id, name, row, doc)                                                         \
    uint32_t bl_add_##id(struct bl_builder *b, row value)                                      \
    {                                                                                          \
        row *at = bl_builder_is_good(b) ? BL_PUSH(b->arena, b->id) : NULL;                     \
                                                                                               \
        if (at == NULL) {                                                                      \
            bl_builder_fail(b, BL_ERR_NOMEM);                                                  \
            return BL_NONE;                                                                    \
        }                                                                                      \
        *at = value;                                                                           \
        return (uint32_t)(b->id.count - 1);                                                    \
    }
#include "bytecode/sections.def"
#undef BL_SECTION

struct bl_builder *bl_builder_create(struct bl_arena *arena)
{
    struct bl_builder *b = BL_NEW(arena, struct bl_builder);

    if (b == NULL)
        return NULL;
    b->arena = arena;
    b->intern = BL_NEW(arena, struct bl_builder_intern);
    if (b->intern == NULL)
        return NULL;
    struct bl_string_ref empty = bl_builder_string(b, BL_STR(""));
    bl_add_INFO(b, (struct bl_module_info){empty, empty, empty, empty, {0}});
    return bl_builder_is_good(b) ? b : NULL;
}

/* ---- hash tables --------------------------------------------------------------------------
 */

static bool table_grow(struct bl_builder *b, struct intern_table *t)
{
    size_t capacity = t->capacity == 0 ? 64 : t->capacity * 2;
    struct intern_slot *slots = BL_NEW_ARRAY(b->arena, capacity, struct intern_slot);

    if (slots == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].number == 0)
            continue;
        size_t at = t->slots[i].hash & (capacity - 1);
        while (slots[at].number != 0)
            at = (at + 1) & (capacity - 1);
        slots[at] = t->slots[i];
    }
    t->slots = slots;
    t->capacity = capacity;
    return true;
}

/* The slot of a key: filled when it is known, else the empty one where it belongs. NULL when
 * out of memory. `same` compares the key with number n of the caller's array. */
static struct intern_slot *
table_slot(struct bl_builder *b, struct intern_table *t, uint64_t hash, const void *key,
           bool (*same)(const struct bl_builder *, const void *, uint32_t))
{
    if (t->count * 2 >= t->capacity && !table_grow(b, t))
        return NULL;
    size_t at = hash & (t->capacity - 1);
    while (t->slots[at].number != 0) {
        if (t->slots[at].hash == hash && same(b, key, t->slots[at].number - 1))
            return &t->slots[at];
        at = (at + 1) & (t->capacity - 1);
    }
    return &t->slots[at];
}

static void table_take(struct intern_table *t, struct intern_slot *slot, uint64_t hash,
                       uint32_t number)
{
    slot->hash = hash;
    slot->number = number + 1;
    t->count++;
}

static bl_str bytes_of(const void *ptr, size_t size)
{
    return (bl_str){ptr, size};
}

/* ---- texts --------------------------------------------------------------------------------
 */

static bool same_string(const struct bl_builder *b, const void *key, uint32_t number)
{
    struct bl_string_ref ref = b->intern->strings.items[number];

    return bl_str_equal(*(const bl_str *)key,
                        (bl_str){b->STRINGS.items + ref.offset, ref.length});
}

/* The offset of `s` and a NUL behind the pool, or BL_NONE. */
static uint32_t pool_append(struct bl_builder *b, bl_str s)
{
    size_t need = b->STRINGS.count + s.len + 1;
    size_t at = b->STRINGS.count;

    if (s.len > bl_limit(BL_LIMIT_MODULE_BYTES) || need > bl_limit(BL_LIMIT_MODULE_BYTES)) {
        bl_builder_over(b, BL_LIMIT_MODULE_BYTES);
        return BL_NONE;
    }
    if (need > b->STRINGS.capacity) {
        size_t capacity = need < 2048 ? 4096 : need * 2;
        char *grown = bl_arena_grow(b->arena, b->STRINGS.items, b->STRINGS.capacity, capacity);

        if (grown == NULL) {
            bl_builder_fail(b, BL_ERR_NOMEM);
            return BL_NONE;
        }
        b->STRINGS.items = grown;
        b->STRINGS.capacity = capacity;
    }
    if (s.len > 0)
        memcpy(b->STRINGS.items + at, s.ptr, s.len);
    b->STRINGS.items[at + s.len] = '\0';
    b->STRINGS.count = need;
    return (uint32_t)at;
}

struct bl_string_ref bl_builder_string(struct bl_builder *b, bl_str s)
{
    const struct bl_string_ref nothing = {0, 0};
    uint64_t hash = bl_str_hash(s, 0);

    if (!bl_builder_is_good(b))
        return nothing;
    if (bl_utf8_invalid_at(s) != s.len || bl_str_find_char(s, '\0') != SIZE_MAX) {
        bl_builder_wrong(b, "texts of a module are UTF-8 without NUL");
        return nothing;
    }
    struct intern_slot *slot = table_slot(b, &b->intern->by_text, hash, &s, same_string);
    if (slot == NULL)
        return nothing;
    if (slot->number != 0)
        return b->intern->strings.items[slot->number - 1];
    uint32_t offset = pool_append(b, s);
    if (offset == BL_NONE)
        return nothing;
    struct bl_string_ref *ref = BL_PUSH(b->arena, b->intern->strings);
    if (ref == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return nothing;
    }
    *ref = (struct bl_string_ref){offset, (uint32_t)s.len};
    table_take(&b->intern->by_text, slot, hash, (uint32_t)(b->intern->strings.count - 1));
    return *ref;
}

/* ---- constants, types, patterns -----------------------------------------------------------
 */

static bool same_const(const struct bl_builder *b, const void *key, uint32_t number)
{
    return memcmp(key, &b->CONSTS.items[number], sizeof(struct bl_const)) == 0;
}

static uint32_t intern_const(struct bl_builder *b, struct bl_const value)
{
    uint64_t hash = bl_str_hash(bytes_of(&value, sizeof value), 0);

    if (!bl_builder_is_good(b))
        return BL_NONE;
    struct intern_slot *slot = table_slot(b, &b->intern->by_const, hash, &value, same_const);
    if (slot == NULL)
        return BL_NONE;
    if (slot->number != 0)
        return slot->number - 1;
    uint32_t index = bl_add_CONSTS(b, value);
    if (index != BL_NONE)
        table_take(&b->intern->by_const, slot, hash, index);
    return index;
}

uint32_t bl_builder_number(struct bl_builder *b, bl_type type, int64_t payload)
{
    return intern_const(b, (struct bl_const){type, 0, payload});
}

uint32_t bl_builder_text(struct bl_builder *b, bl_type type, bl_str s)
{
    struct bl_string_ref ref = bl_builder_string(b, s);

    return intern_const(b, (struct bl_const){type, ref.length, ref.offset});
}

static bool same_set(const struct bl_builder *b, const void *key, uint32_t number)
{
    struct bl_posted_set row = b->POSTED_SETS.items[number];

    return bl_str_equal(*(const bl_str *)key, bytes_of(b->POSTED_KINDS.items + row.first,
                                                       row.count * sizeof(uint32_t)));
}

/* Ascending, each once. Sets of kinds are short. */
static size_t sort_kinds(uint32_t *sorted, const uint32_t *kinds, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        size_t at = kept;

        while (at > 0 && sorted[at - 1] >= kinds[i])
            at--;
        if (at < kept && sorted[at] == kinds[i])
            continue;
        memmove(sorted + at + 1, sorted + at, (kept - at) * sizeof *sorted);
        sorted[at] = kinds[i];
        kept++;
    }
    return kept;
}

static uint32_t add_set(struct bl_builder *b, const uint32_t *kinds, size_t count)
{
    uint32_t first = (uint32_t)b->POSTED_KINDS.count;

    for (size_t i = 0; i < count; i++)
        bl_add_POSTED_KINDS(b, kinds[i]);
    return bl_add_POSTED_SETS(b, (struct bl_posted_set){first, (uint32_t)count});
}

bl_type bl_builder_posted(struct bl_builder *b, const uint32_t *kinds, size_t count)
{
    uint32_t sorted[65];

    if (!bl_builder_is_good(b))
        return BL_TYPE_ERROR;
    if (count == 0 || count > bl_limit(BL_LIMIT_POSTED_KINDS) || count >= sizeof sorted / 4) {
        bl_builder_over(b, BL_LIMIT_POSTED_KINDS);
        return BL_TYPE_ERROR;
    }
    count = sort_kinds(sorted, kinds, count);
    bl_str key = bytes_of(sorted, count * sizeof *sorted);
    uint64_t hash = bl_str_hash(key, 0);
    struct intern_slot *slot = table_slot(b, &b->intern->by_set, hash, &key, same_set);
    if (slot == NULL)
        return BL_TYPE_ERROR;
    if (slot->number == 0) {
        uint32_t index = add_set(b, sorted, count);

        if (index == BL_NONE)
            return BL_TYPE_ERROR;
        table_take(&b->intern->by_set, slot, hash, index);
    }
    if (slot->number - 1 > UINT16_MAX) {
        bl_builder_wrong(b, "a type has room for 65536 sets of kinds");
        return BL_TYPE_ERROR;
    }
    return BL_TYPE_MAKE(BL_TYPE_POSTED, slot->number - 1);
}

static bool same_types(const struct bl_builder *b, const void *key, uint32_t number)
{
    struct type_list list = b->intern->types.items[number];

    return bl_str_equal(*(const bl_str *)key, bytes_of(b->REGISTERS.items + list.first,
                                                       list.count * sizeof(bl_type)));
}

uint32_t bl_builder_types(struct bl_builder *b, const bl_type *types, size_t count)
{
    bl_str key = bytes_of(types, count * sizeof *types);
    uint64_t hash = bl_str_hash(key, 0);

    if (!bl_builder_is_good(b))
        return BL_NONE;
    struct intern_slot *slot = table_slot(b, &b->intern->by_types, hash, &key, same_types);
    if (slot == NULL)
        return BL_NONE;
    if (slot->number != 0)
        return b->intern->types.items[slot->number - 1].first;
    struct type_list *list = BL_PUSH(b->arena, b->intern->types);
    if (list == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return BL_NONE;
    }
    *list = (struct type_list){(uint32_t)b->REGISTERS.count, (uint32_t)count};
    table_take(&b->intern->by_types, slot, hash, (uint32_t)(b->intern->types.count - 1));
    for (size_t i = 0; i < count; i++)
        bl_add_REGISTERS(b, types[i]);
    return list->first;
}

static bool same_pattern(const struct bl_builder *b, const void *key, uint32_t number)
{
    struct bl_pattern known = b->intern->patterns.items[number];

    return bl_str_equal(*(const bl_str *)key, bytes_of(known.bytes, known.size));
}

uint32_t bl_builder_pattern(struct bl_builder *b, bl_str source, struct bl_pattern pattern)
{
    bl_str key = bytes_of(pattern.bytes, pattern.size);
    uint64_t hash = bl_str_hash(key, 0);
    struct bl_string_ref text = bl_builder_string(b, source);

    if (!bl_builder_is_good(b))
        return BL_NONE;
    struct intern_slot *slot = table_slot(b, &b->intern->by_pattern, hash, &key, same_pattern);
    if (slot == NULL)
        return BL_NONE;
    if (slot->number != 0)
        return slot->number - 1;
    struct bl_pattern *kept = BL_PUSH(b->arena, b->intern->patterns);
    if (kept == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return BL_NONE;
    }
    *kept = pattern;
    /* The place in BLOBS is known at the end. */
    uint32_t index = bl_add_PATTERNS(b, (struct bl_module_blob){0, 0, text});
    if (index != BL_NONE)
        table_take(&b->intern->by_pattern, slot, hash, index);
    return index;
}
