/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"

/* All matches take time that is linear in the text, whatever the pattern and the text: a text
 * twice as long takes at most twice the steps, and no more than a fixed number of steps a byte.
 * No clock: steps are counted (text/pattern_blob.h). */

static const struct {
    const char *source;
    const char *unit; /* of the text */
} cases[] = {
    /* Each is quadratic, or worse, where every search starts anew. */
    {"a|a.*b", "a"},
    {"a(?:.*b)?", "a"},
    {"(?:a+)+b", "a"},
    {"(?:a|aa)+b", "a"},
    {"(?:a*)*b", "a"},
    {"[A-Za-z0-9+\\/=_-]{40,}!", "abcdefghij0"},
    {"x|x[^y]*y", "xz"},
    {"eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}", "eyJ"},
    {"eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}", "eyJabcdefgh.eyJ"},
    {"a.{8}b|a", "a"},
    {"\\b\\w+\\b.*\\bend\\b|\\w", "ab "},
    {"^.*$|^", "ab\n"},
    {"(?:\\s|\\/\\*.*\\*\\/)*\\(|\\/", "/* "},
    {"", "ab"},
    {"\\p{L}+\\d|\\p{L}", "\xC3\xA9"},
    {"a{1,1000}b|a", "a"},
    {"(?:a?){500}b|c", "a"},
};

static void check_linear(enum bl_pattern_form form, uint64_t limit)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t before = 0;
        for (size_t len = 4096; len <= 32768; len *= 2) {
            struct bl_arena arena;
            bl_arena_init(&arena, ARENA_BYTES, NULL);
            check_case("/%s/ as form %d on %zu bytes of '%s'", cases[i].source, (int)form, len,
                       cases[i].unit);
            struct bl_pattern pattern =
                compiled(&arena, bl_str_from(cases[i].source), BL_STR(""), form);
            uint64_t steps = steps_of(&arena, pattern, repeated(&arena, cases[i].unit, len));
            check(steps >= len);
            check(steps <= limit * len + limit);
            /* Texts are cut within a unit, blocks of the simulation are rounded. */
            check(before == 0 || steps <= before * 2 + before / 32 + limit);
            before = steps;
            bl_arena_reset(&arena);
        }
    }
}

/* req: PRF-01 PRF-08 */
TEST(automata_take_four_steps_a_byte)
{
    /* One backward, one forward, one for the match and one for looking whether one begins. */
    check_linear(BL_PATTERN_DFA, 4);
}

/* The factor of the simulation grows with the pattern: words, lists and items of its sets.
 * These have up to 1000 nodes, which is 16 words, twice backward and once forward. */
TEST(simulation_takes_bounded_steps_a_byte)
{
    check_linear(BL_PATTERN_GRAPH, 70);
}

/* The places of a long text are worked out block by block, so memory stays far below text times
 * nodes. */
TEST(simulation_keeps_few_sets)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_pattern pattern =
        compiled(&arena, BL_STR("a[ab]{999}b"), BL_STR(""), BL_PATTERN_BEST);
    check_int(bl_blob_field(pattern.bytes, BL_HEAD_KIND), BL_BLOB_GRAPH);
    bl_str text = repeated(&arena, "ab", 1 << 20);
    size_t before = arena.used;
    steps_of(&arena, pattern, text);
    check(arena.used - before <= (size_t)1 << 19);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automata_take_four_steps_a_byte),
        cmocka_unit_test(simulation_takes_bounded_steps_a_byte),
        cmocka_unit_test(simulation_keeps_few_sets),
    };
    return check_main(tests);
}
