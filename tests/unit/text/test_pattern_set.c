/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"
#include "spec/tables.h"
#include "support/allocator.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define WORDS        8 /* of 64 bits: for sets of at most 512 */

static struct bl_pattern set_of(struct bl_arena *arena,
                                const struct bl_pattern_set_input *inputs, size_t count,
                                bool *left_out)
{
    struct bl_pattern set = {NULL, 0};
    check(bl_pattern_set_compile(arena, inputs, count, left_out, &set));
    check(set.size % 8 == 0);
    check(bl_pattern_set_verify(set.bytes, set.size));
    check_size(bl_pattern_set_count(set), count);
    return set;
}

static bool is_found(const uint64_t *found, size_t i)
{
    return (found[i / 64] >> i % 64 & 1) != 0;
}

/* Numbers of the patterns found: "0 3 10". */
static bl_str scan(struct bl_arena *arena, struct bl_pattern set, bl_str text)
{
    uint64_t found[WORDS] = {0};
    struct bl_buf buf;
    bl_buf_init(&buf, arena, 1 << 16);
    bl_pattern_set_scan(set, text, found);
    for (size_t i = 0; i < (size_t)WORDS * 64; i++) {
        if (is_found(found, i)) {
            bl_buf_printf(&buf, "%s%zu", buf.len > 0 ? " " : "", i);
        }
    }
    return bl_buf_str(&buf);
}

static struct bl_pattern_set_input pattern(const char *source, const char *flags)
{
    return (struct bl_pattern_set_input){bl_str_from(source), bl_str_from(flags), false};
}

static struct bl_pattern_set_input literal(const char *source, const char *flags)
{
    return (struct bl_pattern_set_input){bl_str_from(source), bl_str_from(flags), true};
}

/* req: PRF-01 */
TEST(says_which_patterns_find_something)
{
    const struct bl_pattern_set_input inputs[] = {
        literal("crash", ""),           /* 0 */
        literal("a.b", ""),             /* 1 */
        literal("L\xC3\xB6schen", "i"), /* 2 */
        pattern("", ""),                /* 3 */
        pattern("^fix\\b", "i"),        /* 4 */
        pattern("\\bv\\d+$", ""),       /* 5 */
        pattern("^$", ""),              /* 6 */
        pattern("\\B-\\B", ""),         /* 7 */
        pattern("a.*z", ""),            /* 8 */
        pattern("[^a]{3}", ""),         /* 9 */
        pattern("x*$", ""),             /* 10 */
        pattern("\\p{Lu}{2}", ""),      /* 11 */
        pattern("^\\s", "m"),           /* 12 */
        literal("", ""),                /* 13 */
        pattern(".*end", "s"),          /* 14 */
        pattern("a{3,}", "i"),          /* 15 */
        pattern("\\bcrash\\b", ""),     /* 16 */
    };
    static const struct {
        const char *text;
        const char *found;
    } cases[] = {
        {"", "3 6 10 13"},
        {"crash", "0 3 10 13 16"},
        {"crashes", "0 3 9 10 13"},
        {"a.b", "1 3 10 13"},
        {"axb", "3 10 13"},
        {"FIX: l\xC3\xB6SCHEN v12", "2 3 4 5 9 10 11 13"},
        {"L\xC3\x96SCHEN fixed", "3 9 10 11 13"},
        {"a-b - c", "3 7 9 10 13"},
        {"a z\n x", "3 8 9 10 12 13"},
        {"a\nz", "3 10 13"},
        {"aAa\nend", "3 9 10 13 14 15"},
    };
    struct bl_arena arena;
    bool left_out[COUNT(inputs)];
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_pattern set = set_of(&arena, inputs, COUNT(inputs), left_out);
    for (size_t i = 0; i < COUNT(inputs); i++) {
        check(!left_out[i]);
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_case("'%s'", cases[i].text);
        check_str(scan(&arena, set, bl_str_from(cases[i].text)), cases[i].found);
    }
    bl_arena_reset(&arena);
}

TEST(a_set_may_be_empty)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_pattern set = set_of(&arena, NULL, 0, NULL);
    check_str(scan(&arena, set, BL_STR("text")), "");
    bl_arena_reset(&arena);
}

/* What is no pattern is left out, and the others keep their numbers. */
TEST(leaves_out_what_it_cannot_compile)
{
    const struct bl_pattern_set_input inputs[] = {
        literal("one", ""),
        pattern("(", ""),
        pattern("(?:[a-z]{1000}){9}", ""),
        literal("two", ""),
    };
    struct bl_arena arena;
    bool left_out[COUNT(inputs)];
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_pattern set = set_of(&arena, inputs, COUNT(inputs), left_out);
    check(!left_out[0] && left_out[1] && left_out[2] && !left_out[3]);
    check_str(scan(&arena, set, BL_STR("two ( one")), "0 3");
    bl_arena_reset(&arena);
}

/* Words against a plain search for each. */
TEST(finds_words_as_a_plain_search_does)
{
    enum { COUNT_OF_WORDS = 400 };
    struct bl_arena arena;
    struct bl_pattern_set_input inputs[COUNT_OF_WORDS];
    bool left_out[COUNT_OF_WORDS];
    uint64_t seed = 20261102;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < COUNT_OF_WORDS; i++) {
        char *word = bl_arena_alloc(&arena, 8, 1);
        check(word != NULL);
        size_t len = 1 + i % 6;
        for (size_t j = 0; j < len; j++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            word[j] = "abcd"[seed >> 62];
        }
        inputs[i] = literal(word, "");
    }
    struct bl_pattern set = set_of(&arena, inputs, COUNT_OF_WORDS, left_out);
    for (size_t i = 0; i < 300; i++) {
        char text[24];
        uint64_t found[WORDS] = {0};
        size_t len = i % sizeof(text);
        for (size_t j = 0; j < len; j++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[j] = "abcd"[seed >> 62];
        }
        bl_pattern_set_scan(set, (bl_str){text, len}, found);
        for (size_t j = 0; j < COUNT_OF_WORDS; j++) {
            check_case("'%.*s' in '%.*s'", BL_STR_ARG(inputs[j].source), (int)len, text);
            check(!left_out[j]);
            check(is_found(found, j) ==
                  (bl_str_find((bl_str){text, len}, inputs[j].source) != SIZE_MAX));
        }
    }
    bl_arena_reset(&arena);
}

/* Patterns that stay busy multiply the states of one automaton; in several they do not. */
TEST(takes_busy_patterns_apart)
{
    enum { PAIRS = 26 };
    struct bl_arena arena;
    struct bl_pattern_set_input inputs[PAIRS];
    bool left_out[PAIRS];
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < PAIRS; i++) {
        struct bl_buf buf;
        bl_buf_init(&buf, &arena, 64);
        bl_buf_printf(&buf, "<%c.*%c>", (int)('a' + i), (int)('a' + i));
        inputs[i] = (struct bl_pattern_set_input){bl_buf_str(&buf), BL_STR("s"), false};
    }
    struct bl_pattern set = set_of(&arena, inputs, PAIRS, left_out);
    size_t left = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        left += left_out[i];
    }
    check(left == 0);
    check(set.size < (size_t)4 << 20);
    check_str(scan(&arena, set, BL_STR("<b x> <a <c a> c> b>")), "0 1 2");
    bl_arena_reset(&arena);
}

/* Patterns that are too large even alone are left out, in bounded time, and never said to be
 * found or not found wrongly. */
TEST(leaves_out_what_is_too_large)
{
    enum { MANY = 60 };
    struct bl_arena arena;
    struct bl_pattern_set_input inputs[MANY + 1];
    bool left_out[MANY + 1];
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < MANY; i++) {
        struct bl_buf buf;
        bl_buf_init(&buf, &arena, 64);
        bl_buf_printf(&buf, "[a-%c].{%zu}Z", (int)('b' + i % 20), 20 + i);
        inputs[i] = (struct bl_pattern_set_input){bl_buf_str(&buf), BL_STR(""), false};
    }
    inputs[MANY] = literal("needle", "");
    struct bl_pattern set = set_of(&arena, inputs, MANY + 1, left_out);
    for (size_t i = 0; i < MANY; i++) {
        check(left_out[i]);
    }
    check(!left_out[MANY]);
    check_str(scan(&arena, set, BL_STR("a needle")), "60");
    bl_arena_reset(&arena);
}

TEST(stays_below_its_limit_of_states)
{
    enum { MANY = 400 };
    struct bl_arena arena;
    struct bl_pattern_set_input inputs[MANY];
    bool left_out[MANY];
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < MANY; i++) {
        struct bl_buf buf;
        bl_buf_init(&buf, &arena, 256);
        bl_buf_printf(&buf, "%zu:", i);
        bl_buf_put(&buf, repeated(&arena, "abcdefghij", 246));
        inputs[i] = (struct bl_pattern_set_input){bl_buf_str(&buf), BL_STR(""), true};
    }
    struct bl_pattern set = set_of(&arena, inputs, MANY, left_out);
    size_t states = 0;
    size_t left = 0;
    const uint8_t *blob = set.bytes;
    for (size_t at = BL_BLOB_HEADER; at < set.size;
         at += bl_blob_field(blob + at, BL_HEAD_SIZE)) {
        states += bl_blob_field(blob + at, BL_SEARCH_STATES);
    }
    check(states <= bl_limit(BL_LIMIT_SET_STATES));
    for (size_t i = 0; i < MANY; i++) {
        uint64_t found[WORDS] = {0};
        bl_pattern_set_scan(set, inputs[i].source, found);
        check_case("literal %zu", i);
        check(is_found(found, i) == !left_out[i]);
        left += left_out[i];
    }
    /* About 100,000 characters in all; what fits of them is kept. */
    check(left > 0 && left < MANY);
    bl_arena_reset(&arena);
}

TEST(says_when_memory_runs_out)
{
    const struct bl_pattern_set_input inputs[] = {
        literal("word", "i"), pattern("\\ba.*b$", "m"), pattern("\\p{L}[^x]{3}", "")};
    bool left_out[COUNT(inputs)];
    bool done = false;
    for (size_t n = 1; !done && n < 1000; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_pattern set;
        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, ARENA_BYTES, &failing.allocator);
        done = bl_pattern_set_compile(&arena, inputs, COUNT(inputs), left_out, &set);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
    }
    check(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_which_patterns_find_something),
        cmocka_unit_test(a_set_may_be_empty),
        cmocka_unit_test(leaves_out_what_it_cannot_compile),
        cmocka_unit_test(finds_words_as_a_plain_search_does),
        cmocka_unit_test(takes_busy_patterns_apart),
        cmocka_unit_test(leaves_out_what_is_too_large),
        cmocka_unit_test(stays_below_its_limit_of_states),
        cmocka_unit_test(says_when_memory_runs_out),
    };
    return check_main(tests);
}
