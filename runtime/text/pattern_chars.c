/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_chars.h"

#include <stdlib.h>
#include <string.h>

#define BL_UNICODE_CLASS(id, name, ...)                                                        \
    static const struct bl_char_range ranges_##id[] = {__VA_ARGS__};
#include "text/pattern_unicode.def"
#undef BL_UNICODE_CLASS

#define SET_OF(array) ((struct bl_chars){(array), sizeof(array) / sizeof((array)[0])})

static const struct bl_char_range ranges_word[] = {
    {'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
static const struct bl_char_range ranges_line[] = {{'\n', '\n'}};
static const struct bl_char_range ranges_other[] = {
    {0, '\n' - 1},      {'\n' + 1, '0' - 1}, {'9' + 1, 'A' - 1},
    {'Z' + 1, '_' - 1}, {'_' + 1, 'a' - 1},  {'z' + 1, BL_CODE_POINT_MAX}};

struct bl_chars bl_chars_unicode(bl_str name)
{
#define BL_UNICODE_CLASS(id, spelling, ...)                                                    \
    if (bl_str_equal(name, BL_STR(spelling))) {                                                \
        return SET_OF(ranges_##id);                                                            \
    }
#include "text/pattern_unicode.def"
#undef BL_UNICODE_CLASS
    return (struct bl_chars){NULL, 0};
}

static struct bl_chars of_kind(enum bl_char_kind kind)
{
    switch (kind) {
    case BL_CHAR_EDGE:
        break;
    case BL_CHAR_WORD:
        return SET_OF(ranges_word);
    case BL_CHAR_LINE:
        return SET_OF(ranges_line);
    case BL_CHAR_OTHER:
        return SET_OF(ranges_other);
    }
    return (struct bl_chars){NULL, 0};
}

void bl_chars_add(struct bl_chars_builder *builder, uint32_t lo, uint32_t hi)
{
    struct bl_char_range *range = BL_PUSH(builder->arena, builder->ranges);
    if (range != NULL) {
        *range = (struct bl_char_range){lo, hi};
    }
}

void bl_chars_add_set(struct bl_chars_builder *builder, struct bl_chars set)
{
    for (size_t i = 0; i < set.count; i++) {
        bl_chars_add(builder, set.ranges[i].lo, set.ranges[i].hi);
    }
}

static int compare_ranges(const void *a, const void *b)
{
    const struct bl_char_range *x = a;
    const struct bl_char_range *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* The part of [lo, hi] that lies within [from, to], moved by `by`. */
static void add_moved(struct bl_chars_builder *builder, struct bl_char_range range,
                      uint32_t from, uint32_t to, int by)
{
    uint32_t lo = range.lo > from ? range.lo : from;
    uint32_t hi = range.hi < to ? range.hi : to;
    if (lo <= hi) {
        bl_chars_add(builder, (uint32_t)((int)lo + by), (uint32_t)((int)hi + by));
    }
}

static struct bl_chars normalise(struct bl_chars_builder *builder)
{
    struct bl_char_range *ranges = builder->ranges.items;
    size_t count = builder->ranges.count;
    if (count > 1) {
        qsort(ranges, count, sizeof(*ranges), compare_ranges);
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && ranges[i].lo <= ranges[kept - 1].hi + 1) {
            if (ranges[i].hi > ranges[kept - 1].hi) {
                ranges[kept - 1].hi = ranges[i].hi;
            }
        } else {
            ranges[kept++] = ranges[i];
        }
    }
    return (struct bl_chars){ranges, kept};
}

struct bl_chars bl_chars_negate(struct bl_arena *arena, struct bl_chars set)
{
    struct bl_char_range *out = BL_NEW_ARRAY(arena, set.count + 1, struct bl_char_range);
    if (out == NULL) {
        return (struct bl_chars){NULL, 0};
    }
    size_t count = 0;
    uint32_t next = 0;
    for (size_t i = 0; i < set.count; i++) {
        if (set.ranges[i].lo > next) {
            out[count++] = (struct bl_char_range){next, set.ranges[i].lo - 1};
        }
        next = set.ranges[i].hi + 1;
    }
    if (next <= BL_CODE_POINT_MAX) {
        out[count++] = (struct bl_char_range){next, BL_CODE_POINT_MAX};
    }
    return (struct bl_chars){out, count};
}

struct bl_chars bl_chars_finish(struct bl_chars_builder *builder, bool fold, bool negate)
{
    if (fold) {
        size_t count = builder->ranges.count;
        for (size_t i = 0; i < count; i++) {
            add_moved(builder, builder->ranges.items[i], 'A', 'Z', 'a' - 'A');
            add_moved(builder, builder->ranges.items[i], 'a', 'z', 'A' - 'a');
        }
    }
    struct bl_chars set = normalise(builder);
    return negate ? bl_chars_negate(builder->arena, set) : set;
}

unsigned bl_chars_kinds(struct bl_chars set)
{
    unsigned kinds = 0;
    for (enum bl_char_kind kind = BL_CHAR_WORD; kind <= BL_CHAR_OTHER; kind++) {
        struct bl_chars other = of_kind(kind);
        size_t j = 0;
        for (size_t i = 0; i < set.count && j < other.count;) {
            if (set.ranges[i].hi < other.ranges[j].lo) {
                i++;
            } else if (other.ranges[j].hi < set.ranges[i].lo) {
                j++;
            } else {
                kinds |= 1u << kind;
                break;
            }
        }
    }
    return kinds;
}

struct bl_chars bl_chars_of_kind(struct bl_arena *arena, struct bl_chars set,
                                 enum bl_char_kind kind)
{
    struct bl_chars_builder builder = {.arena = arena};
    struct bl_chars other = of_kind(kind);
    for (size_t i = 0; i < set.count; i++) {
        for (size_t j = 0; j < other.count; j++) {
            add_moved(&builder, set.ranges[i], other.ranges[j].lo, other.ranges[j].hi, 0);
        }
    }
    return normalise(&builder);
}

/* ---- classes ---------------------------------------------------------------------------- */

/* What is never divided further: each ASCII character, and each stretch of other code points
 * between two neighbouring ends of ranges. */
struct partition {
    struct bl_arena *arena;
    uint32_t *wide; /* first code points of the stretches, ascending */
    size_t wide_count;
    size_t elements;    /* 128 + wide_count */
    uint32_t *class_of; /* of elements */
    uint32_t *size;     /* of classes */
    uint32_t *hits;     /* members of the set in hand, by class */
    uint32_t *moved_to; /* where they go, UINT32_MAX when not known */
    uint32_t *touched;
    size_t class_count;
};

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool find_stretches(struct partition *p, const struct bl_chars *sets, size_t count)
{
    size_t ranges = 0;
    for (size_t i = 0; i < count; i++) {
        ranges += sets[i].count;
    }
    p->wide = BL_NEW_ARRAY(p->arena, 2 * ranges + 1, uint32_t);
    if (p->wide == NULL) {
        return false;
    }
    size_t ends = 0;
    p->wide[ends++] = 0x80;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = sets[i].count; j-- > 0 && sets[i].ranges[j].hi >= 0x80;) {
            struct bl_char_range range = sets[i].ranges[j];
            if (range.lo > 0x80) {
                p->wide[ends++] = range.lo;
            }
            if (range.hi < BL_CODE_POINT_MAX) {
                p->wide[ends++] = range.hi + 1;
            }
        }
    }
    qsort(p->wide, ends, sizeof(*p->wide), compare_numbers);
    p->wide_count = 1;
    for (size_t i = 1; i < ends; i++) {
        if (p->wide[i] != p->wide[p->wide_count - 1]) {
            p->wide[p->wide_count++] = p->wide[i];
        }
    }
    return true;
}

static bool partition_init(struct partition *p, const struct bl_chars *sets, size_t count)
{
    if (!find_stretches(p, sets, count)) {
        return false;
    }
    p->elements = 128 + p->wide_count;
    p->class_of = BL_NEW_ARRAY(p->arena, p->elements, uint32_t);
    p->size = BL_NEW_ARRAY(p->arena, p->elements, uint32_t);
    p->hits = BL_NEW_ARRAY(p->arena, p->elements, uint32_t);
    p->moved_to = BL_NEW_ARRAY(p->arena, p->elements, uint32_t);
    p->touched = BL_NEW_ARRAY(p->arena, p->elements, uint32_t);
    if (p->arena->failed) {
        return false;
    }
    memset(p->moved_to, 0xFF, p->elements * sizeof(*p->moved_to));
    p->class_count = 1;
    p->size[0] = (uint32_t)p->elements;
    return true;
}

/* The element that holds a code point, which is at or behind element `from`. Sets are walked in
 * order, so the search goes out from the last place in steps that double. */
static size_t element_of(const struct partition *p, uint32_t code, size_t from)
{
    if (code < 0x80) {
        return code;
    }
    size_t lo = from > 128 ? from - 128 : 0;
    size_t step = 1;
    while (lo + step < p->wide_count && p->wide[lo + step] <= code) {
        lo += step;
        step *= 2;
    }
    size_t hi = lo + step < p->wide_count ? lo + step : p->wide_count;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (p->wide[middle] <= code) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return 128 + lo;
}

/* Does the element hold code points up to `hi`? Ranges end where elements end. */
static bool begins_by(const struct partition *p, size_t element, uint32_t hi)
{
    return element < p->elements && (element < 128 ? element : p->wide[element - 128]) <= hi;
}

/* Makes every class lie either within the set or outside. */
static void refine(struct partition *p, struct bl_chars set)
{
    size_t touched = 0;
    size_t e = 0;
    for (size_t i = 0; i < set.count; i++) {
        e = element_of(p, set.ranges[i].lo, e);
        for (; begins_by(p, e, set.ranges[i].hi); e++) {
            uint32_t class = p->class_of[e];
            if (p->hits[class]++ == 0) {
                p->touched[touched++] = class;
            }
        }
    }
    for (size_t i = 0; i < touched; i++) {
        uint32_t class = p->touched[i];
        if (p->hits[class] < p->size[class]) {
            p->moved_to[class] = (uint32_t)p->class_count;
            p->size[p->class_count++] = p->hits[class];
            p->size[class] -= p->hits[class];
        }
    }
    e = 0;
    for (size_t i = 0; i < set.count; i++) {
        e = element_of(p, set.ranges[i].lo, e);
        for (; begins_by(p, e, set.ranges[i].hi); e++) {
            uint32_t target = p->moved_to[p->class_of[e]];
            if (target != UINT32_MAX) {
                p->class_of[e] = target;
            }
        }
    }
    for (size_t i = 0; i < touched; i++) {
        p->hits[p->touched[i]] = 0;
        p->moved_to[p->touched[i]] = UINT32_MAX;
    }
}

static enum bl_char_kind kind_of_code(uint32_t code)
{
    struct bl_char_range range = {code, code};
    unsigned kinds = bl_chars_kinds((struct bl_chars){&range, 1});
    return (kinds & 1u << BL_CHAR_WORD) != 0   ? BL_CHAR_WORD
           : (kinds & 1u << BL_CHAR_LINE) != 0 ? BL_CHAR_LINE
                                               : BL_CHAR_OTHER;
}

/* Numbers the classes in the order of their first members and writes the maps. */
static bool write_maps(struct partition *p, struct bl_char_classes *out)
{
    out->count = p->class_count;
    out->wide_lo = BL_NEW_ARRAY(p->arena, p->wide_count, uint32_t);
    out->wide_class = BL_NEW_ARRAY(p->arena, p->wide_count, uint16_t);
    out->kinds = BL_NEW_ARRAY(p->arena, p->class_count, uint8_t);
    if (p->arena->failed) {
        return false;
    }
    uint32_t *number = p->moved_to; /* all UINT32_MAX */
    uint32_t next = 0;
    out->wide_count = 0;
    for (size_t e = 0; e < p->elements; e++) {
        uint32_t code = e < 128 ? (uint32_t)e : p->wide[e - 128];
        uint32_t *n = &number[p->class_of[e]];
        if (*n == UINT32_MAX) {
            *n = next++;
            out->kinds[*n] = (uint8_t)kind_of_code(code);
        }
        p->class_of[e] = *n;
        if (e < 128) {
            out->ascii[e] = (uint8_t)*n;
        } else if (out->wide_count == 0 || out->wide_class[out->wide_count - 1] != *n) {
            out->wide_lo[out->wide_count] = code;
            out->wide_class[out->wide_count++] = (uint16_t)*n;
        }
    }
    return true;
}

static int compare_classes(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* Which classes make up each set. */
static bool write_members(struct partition *p, const struct bl_chars *sets, size_t count,
                          struct bl_char_classes *out)
{
    BL_VEC(uint16_t) members = {0};
    uint32_t *seen = p->touched; /* number of the set that met a class last, plus 1 */
    memset(seen, 0, p->elements * sizeof(*seen));
    out->at = BL_NEW_ARRAY(p->arena, count + 1, uint32_t);
    if (out->at == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t begin = members.count;
        size_t e = 0;
        for (size_t j = 0; j < sets[i].count; j++) {
            e = element_of(p, sets[i].ranges[j].lo, e);
            for (; begins_by(p, e, sets[i].ranges[j].hi); e++) {
                uint32_t class = p->class_of[e];
                uint16_t *slot;
                if (seen[class] == i + 1) {
                    continue;
                }
                seen[class] = (uint32_t)i + 1;
                slot = BL_PUSH(p->arena, members);
                if (slot == NULL) {
                    return false;
                }
                *slot = (uint16_t) class;
            }
        }
        if (members.count - begin > 1) {
            qsort(members.items + begin, members.count - begin, sizeof(*members.items),
                  compare_classes);
        }
        out->at[i + 1] = (uint32_t)members.count;
    }
    out->members = members.items;
    return true;
}

bool bl_char_classes_make(struct bl_arena *arena, const struct bl_chars *sets, size_t count,
                          bool by_kind, struct bl_char_classes *out)
{
    struct partition p = {.arena = arena};
    if (!partition_init(&p, sets, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        refine(&p, sets[i]);
    }
    if (by_kind) {
        refine(&p, of_kind(BL_CHAR_WORD));
        refine(&p, of_kind(BL_CHAR_LINE));
    }
    return p.class_count <= UINT16_MAX && write_maps(&p, out) &&
           write_members(&p, sets, count, out);
}
