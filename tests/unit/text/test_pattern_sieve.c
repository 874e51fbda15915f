/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "pattern_support.h"

/* A set finds what its patterns find one by one, wherever the sieve looks and whatever it
 * passes over: in texts made of parts of what is looked for, with matches at both ends. */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MANY         120
#define WORDS        ((MANY + 63) / 64)

struct random {
    uint64_t state;
};

static size_t below(struct random *random, size_t bound)
{
    random->state = random->state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(random->state >> 33) % bound;
}

/* Characters of one to four bytes that share some of them. */
static const char *const chars[] = {
    "a",
    "b",
    "e",
    "E",
    "r",
    " ",
    "-",
    "7",
    "\n",
    "\xC3\xA9",
    "\xC3\xA8",
    "\xC4\xA9",
    "\xE2\x82\xAC",
    "\xE2\x82\xAD",
    "\xF0\x9F\x98\x80",
    "\xF0\x9F\x99\x80",
};

static void put_chars(struct random *random, struct bl_buf *buf, size_t count, size_t variety)
{
    while (count-- > 0) {
        bl_buf_put(buf, bl_str_from(chars[below(random, variety)]));
    }
}

static bl_str word(struct random *random, struct bl_arena *arena, size_t least, size_t variety)
{
    struct bl_buf buf;
    bl_buf_init(&buf, arena, 256);
    put_chars(random, &buf, least + below(random, 5), variety);
    return bl_buf_str(&buf);
}

static bl_str text_of(struct random *random, struct bl_arena *arena,
                      const struct bl_pattern_set_input *inputs, size_t count, size_t variety)
{
    struct bl_buf buf;
    bl_buf_init(&buf, arena, 4096);
    put_chars(random, &buf, below(random, 4), variety);
    for (size_t parts = below(random, 5); parts > 0; parts--) {
        bl_str source = inputs[below(random, count)].source;
        bl_buf_put(&buf, bl_utf8_prefix(source, below(random, source.len + 2)));
        put_chars(random, &buf, below(random, 7), variety);
    }
    return bl_buf_str(&buf);
}

static bool is_found(const uint64_t *found, size_t i)
{
    return (found[i / 64] >> i % 64 & 1) != 0;
}

static unsigned stride_of(struct bl_pattern set)
{
    return bl_blob_field((const uint8_t *)set.bytes + BL_BLOB_HEADER, BL_SEARCH_SIEVE) & 0xFF;
}

/* One set of words of at least so many characters; returns the stride of its sieve. */
static unsigned check_words(struct random *random, size_t least, size_t count, size_t variety)
{
    struct bl_arena arena;
    struct bl_pattern_set_input inputs[MANY] = {{{NULL, 0}, {NULL, 0}, false}};
    bool left_out[MANY];
    struct bl_pattern set;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t i = 0; i < count; i++) {
        inputs[i] = (struct bl_pattern_set_input){word(random, &arena, least, variety),
                                                  BL_STR(""), true};
    }
    check(bl_pattern_set_compile(&arena, inputs, count, left_out, &set));
    check(bl_pattern_set_verify(set.bytes, set.size));
    for (size_t round = 0; round < 60; round++) {
        bl_str text = text_of(random, &arena, inputs, count, variety);
        uint64_t found[WORDS] = {0};
        bl_pattern_set_scan(set, text, found);
        for (size_t i = 0; i < count; i++) {
            check_case("'%.*s' in '%.*s'", BL_STR_ARG(inputs[i].source), BL_STR_ARG(text));
            check(!left_out[i]);
            check(is_found(found, i) == (bl_str_find(text, inputs[i].source) != SIZE_MAX));
        }
    }
    unsigned stride = stride_of(set);
    bl_arena_reset(&arena);
    return stride;
}

/* req: PRF-01 */
TEST(words_are_found_with_every_stride)
{
    struct random random = {20261103};
    bool seen[5] = {false};
    for (size_t round = 0; round < 60; round++) {
        static const size_t counts[] = {1, 3, 20, MANY};
        static const size_t least[] = {1, 2, 3, 5, 9};
        size_t variety = round % 2 == 0 ? 9 : COUNT(chars);
        seen[check_words(&random, least[round % COUNT(least)], counts[round % COUNT(counts)],
                         variety)] = true;
    }
    check(seen[0] && seen[1] && seen[2] && seen[4]);
}

/* Patterns of many shapes, against each alone. */
TEST(patterns_are_found_as_alone)
{
    static const char *const sets[][4] = {
        {"\\b(?:error|beer)\\b", "^\\s*fix", "re-7\\d$", "(?:a|b){4,}"},
        {"[a-f]{3}-", "rare", "7[^7]7", "e+r+a"},
        {"\\p{L}\\p{L}\\p{N}", "\xE2\x82\xAC[\xE2\x82\xAC-\xE2\x82\xAF]", "\xC3\xA9\\b", "bb"},
        {"a.*rrr", ".b-", "(?:ab)?er-", "[^a]ar"},
        {"[\xC3\xA0-\xC5\xBF]{2}7", "\xF0\x9F\x98\x80.?7", "-[\xC3\xA8\xC3\xA9]e", "a\\nb"},
        {"\\B-\\B7", "(?:e|ee|eee)r{2}", "x{3}|re{2}|77", "\\d{3}"},
    };
    struct random random = {7};
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t s = 0; s < COUNT(sets); s++) {
        for (size_t flags = 0; flags < 4; flags++) {
            struct bl_pattern_set_input inputs[4];
            struct bl_pattern alone[4];
            struct bl_pattern set;
            bool left_out[4];
            bl_str flag = bl_str_from((const char *const[]){"", "i", "m", "s"}[flags]);
            for (size_t i = 0; i < 4; i++) {
                inputs[i] = (struct bl_pattern_set_input){bl_str_from(sets[s][i]), flag, false};
                alone[i] = compiled(&arena, inputs[i].source, flag, BL_PATTERN_BEST);
            }
            check(bl_pattern_set_compile(&arena, inputs, 4, left_out, &set));
            for (size_t round = 0; round < 400; round++) {
                bl_str text = text_of(&random, &arena, inputs, 4, COUNT(chars));
                uint64_t found[WORDS] = {0};
                bl_pattern_set_scan(set, text, found);
                for (size_t i = 0; i < 4; i++) {
                    check_case("/%s/%.*s in '%.*s'", sets[s][i], BL_STR_ARG(flag),
                               BL_STR_ARG(text));
                    check(is_found(found, i) == bl_pattern_matches(alone[i], text));
                }
            }
        }
    }
    bl_arena_reset(&arena);
}

/* Texts of which every place could begin something, and those in which nothing does. */
/* req: PRF-01 PRF-08 */
/* Two phases can leave a beginning at one look. That of the one lay in front of the place from
 * which the scan went on, and with it the other one was lost. */
TEST(a_beginning_is_found_behind_any_number_of_bytes)
{
    const struct bl_pattern_set_input input = {BL_STR("\\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\\b"),
                                               BL_STR(""), false};
    static const char front[] = "y=a =x-key";
    bool left_out[1];
    struct bl_arena arena;
    struct bl_pattern set;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(bl_pattern_set_compile(&arena, &input, 1, left_out, &set));
    for (size_t i = 0; i < 2000; i++) {
        struct random random = {i};
        uint64_t found = 0;
        struct bl_buf text;

        bl_buf_init(&text, &arena, 256);
        for (size_t k = below(&random, 9); k > 0; k--)
            bl_buf_put_char(&text, front[below(&random, sizeof front - 1)]);
        bl_buf_put_char(&text, '=');
        for (size_t k = 0; k < 10; k++)
            bl_buf_put_char(&text, (char)('0' + below(&random, 10)));
        BL_PUT(&text, ":AAEQbSsA61Fa3mJi6hrTz8C0otDkkc6zvua&b=1");
        bl_pattern_set_scan(set, bl_buf_str(&text), &found);
        check_case("%.*s", BL_STR_ARG(bl_buf_str(&text)));
        check(found == 1);
    }
    bl_arena_reset(&arena);
}

TEST(a_scan_takes_bounded_steps_a_byte)
{
    static const char *const sets[][3] = {
        {"aaaaaaaaab", "baaaaaaaab", "aaab"},
        {"abababababab!", "bababababa?", "ab+a!"},
        {"\\b(?:ab|ba)+c", "aa", "bbb"},
        {"editor123 crash", "server7 hang", "login9 leak"},
        {"\xE2\x82\xAC{9}x", "\xE2\x82\xAC-", "a"},
        {"a.*b", "b.*c", "c.*d"},
    };
    static const char *const units[] = {
        "a", "ab", "abababababa", "aaaaaaaaa", "editor1 server ", "\xE2\x82\xAC", "x"};
    for (size_t s = 0; s < COUNT(sets); s++) {
        for (size_t u = 0; u < COUNT(units); u++) {
            uint64_t before = 0;
            for (size_t len = 4096; len <= 32768; len *= 2) {
                struct bl_arena arena;
                struct bl_pattern_set_input inputs[3];
                struct bl_pattern set;
                bool left_out[3];
                uint64_t found = 0;
                uint64_t steps = 0;
                bl_arena_init(&arena, ARENA_BYTES, NULL);
                for (size_t i = 0; i < 3; i++) {
                    inputs[i] = (struct bl_pattern_set_input){bl_str_from(sets[s][i]),
                                                              BL_STR(""), false};
                }
                check(bl_pattern_set_compile(&arena, inputs, 3, left_out, &set));
                check_case("set %zu on %zu bytes of '%s'", s, len, units[u]);
                bl_pattern_set_scan_counted(set, repeated(&arena, units[u], len), &found,
                                            &steps);
                size_t automata = bl_blob_field(set.bytes, BL_SET_AUTOMATA);
                check(steps <= 6 * automata * (len + 1));
                check(before == 0 || steps <= before * 2 + before / 32 + 6);
                before = steps;
                bl_arena_reset(&arena);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_with_every_stride),
        cmocka_unit_test(patterns_are_found_as_alone),
        cmocka_unit_test(a_beginning_is_found_behind_any_number_of_bytes),
        cmocka_unit_test(a_scan_takes_bounded_steps_a_byte),
    };
    return check_main(tests);
}
