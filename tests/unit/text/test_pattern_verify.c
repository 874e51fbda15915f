/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"

#include <string.h>

/* Bytes that nobody compiled: refused, or run without leaving the bytes and the text. Each copy
 * is an allocation of its own, so that a sanitizer sees a step too far. */

static const char *const sources[] = {
    "gh[opur]_[A-Za-z0-9]{4,}",
    "\\b(?:a|b.*)\\b|\\p{L}\xE6\x97\xA5",
    "^(?:a|b)+$",
    "[^a]{2,70}b",
    "",
};

static const char *const texts[] = {
    "",
    "a",
    "ab ghp_0123\xC3\xA9\xE6\x97\xA5 \xF0\x9F\x98\x80 zz\nxx -- 0123456789",
};

/* Matches come in order, do not overlap and lie within the text. */
struct order {
    size_t last;
    size_t text_len;
};

static bool check_match(void *context, struct bl_match match)
{
    struct order *order = context;
    check(match.lo >= order->last && match.lo <= match.hi && match.hi <= order->text_len);
    order->last = match.hi;
    return true;
}

static void run(struct bl_arena *arena, struct bl_pattern pattern)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        bl_str text = bl_str_from(texts[i]);
        struct order order = {0, text.len};
        uint64_t steps = 0;
        bl_pattern_matches(pattern, text);
        check(bl_pattern_each_counted(arena, pattern, text, check_match, &order, &steps));
        check(steps <= 1000 * (text.len + 1));
    }
}

static void run_set(struct bl_arena *arena, struct bl_pattern set)
{
    size_t words = bl_pattern_set_count(set) / 64 + 1;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        uint64_t *found = bl_arena_alloc(arena, words, sizeof(*found));
        check(found != NULL);
        bl_pattern_set_scan(set, bl_str_from(texts[i]), found);
    }
}

static struct bl_pattern copy_of(struct bl_arena *arena, struct bl_pattern pattern, size_t size)
{
    void *bytes = bl_arena_alloc(arena, size, 1);
    check(bytes != NULL);
    memcpy(bytes, pattern.bytes, size < pattern.size ? size : pattern.size);
    return (struct bl_pattern){bytes, size};
}

static struct bl_pattern a_set(struct bl_arena *arena)
{
    struct bl_pattern_set_input inputs[5];
    bool left_out[5];
    struct bl_pattern set = {NULL, 0};
    for (size_t i = 0; i < 5; i++) {
        inputs[i] = (struct bl_pattern_set_input){bl_str_from(sources[i]), BL_STR(""), false};
    }
    check(bl_pattern_set_compile(arena, inputs, 5, left_out, &set));
    check(bl_pattern_set_verify(set.bytes, set.size));
    return set;
}

/* Every byte of the pattern, changed in three ways. */
static void change_each_byte(struct bl_arena *arena, struct bl_pattern pattern, bool is_set,
                             size_t *refused, size_t *taken)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xFF};
    for (size_t i = 0; i < pattern.size; i++) {
        for (size_t j = 0; j < sizeof(changes); j++) {
            struct bl_arena_mark mark = bl_arena_mark(arena);
            struct bl_pattern copy = copy_of(arena, pattern, pattern.size);
            uint8_t *bytes = bl_arena_alloc(arena, pattern.size, 1);
            check(bytes != NULL);
            memcpy(bytes, copy.bytes, copy.size);
            bytes[i] ^= changes[j];
            copy.bytes = bytes;
            check_case("byte %zu of %zu", i, pattern.size);
            if (!(is_set ? bl_pattern_set_verify : bl_pattern_verify)(bytes, copy.size)) {
                ++*refused;
            } else if (is_set) {
                run_set(arena, copy);
                ++*taken;
            } else {
                run(arena, copy);
                ++*taken;
            }
            bl_arena_release(arena, mark);
        }
    }
}

/* req: PRF-01 */
TEST(changed_patterns_are_refused_or_stay_within_bounds)
{
    struct bl_arena arena;
    size_t refused = 0;
    size_t taken = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        for (enum bl_pattern_form form = BL_PATTERN_DFA; form <= BL_PATTERN_GRAPH; form++) {
            change_each_byte(&arena,
                             compiled(&arena, bl_str_from(sources[i]), BL_STR(""), form), false,
                             &refused, &taken);
        }
    }
    check(refused > 1000 && taken > 1000);
    bl_arena_reset(&arena);
}

TEST(changed_sets_are_refused_or_stay_within_bounds)
{
    struct bl_arena arena;
    size_t refused = 0;
    size_t taken = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    change_each_byte(&arena, a_set(&arena), true, &refused, &taken);
    check(refused > 1000 && taken > 1000);
    bl_arena_reset(&arena);
}

TEST(cut_or_longer_bytes_are_refused)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (enum bl_pattern_form form = BL_PATTERN_DFA; form <= BL_PATTERN_GRAPH; form++) {
        struct bl_pattern pattern = compiled(&arena, bl_str_from(sources[1]), BL_STR(""), form);
        for (size_t size = 0; size <= pattern.size + 16; size++) {
            struct bl_pattern copy = copy_of(&arena, pattern, size);
            check_case("%zu of %zu bytes", size, pattern.size);
            check(bl_pattern_verify(copy.bytes, size) == (size == pattern.size));
        }
        check(!bl_pattern_set_verify(pattern.bytes, pattern.size));
    }
    struct bl_pattern set = a_set(&arena);
    for (size_t size = 0; size <= set.size + 16; size += 8) {
        check(bl_pattern_set_verify(copy_of(&arena, set, size).bytes, size) ==
              (size == set.size));
    }
    check(!bl_pattern_verify(set.bytes, set.size));
    check(!bl_pattern_verify(NULL, 0) && !bl_pattern_set_verify(NULL, 0));
    bl_arena_reset(&arena);
}

/* Headers with counts whose products are as large as they get. */
TEST(huge_counts_are_refused)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (enum bl_pattern_form form = BL_PATTERN_DFA; form <= BL_PATTERN_GRAPH; form++) {
        struct bl_pattern pattern = compiled(&arena, bl_str_from(sources[0]), BL_STR(""), form);
        for (unsigned field = BL_HEAD_CLASSES; field < BL_HEAD_COUNT; field++) {
            static const uint32_t values[] = {UINT32_MAX, 65536, 65535, 0x80000000};
            for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
                uint8_t *bytes = bl_arena_alloc(&arena, pattern.size, 1);
                check(bytes != NULL);
                memcpy(bytes, pattern.bytes, pattern.size);
                for (size_t j = 0; j < 4; j++) {
                    bytes[4 * field + j] = (uint8_t)(values[i] >> 8 * j);
                }
                check_case("form %d, field %u, value %u", (int)form, field, values[i]);
                bool empty =
                    form == BL_PATTERN_GRAPH && field == BL_GRAPH_EMPTY && values[i] == 65535;
                check(bl_pattern_verify(bytes, pattern.size) == empty);
            }
        }
    }
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_patterns_are_refused_or_stay_within_bounds),
        cmocka_unit_test(changed_sets_are_refused_or_stay_within_bounds),
        cmocka_unit_test(cut_or_longer_bytes_are_refused),
        cmocka_unit_test(huge_counts_are_refused),
    };
    return check_main(tests);
}
