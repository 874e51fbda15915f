/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"
#include "support/check.h"

#include <string.h>

static const bl_str nothing = {NULL, 0};

TEST(slices_clamp)
{
    const bl_str text = BL_STR("0123456789");
    check_str(bl_str_slice(text, 2, 5), "234");
    check_str(bl_str_slice(text, 2, 500), "23456789");
    check_str(bl_str_slice(text, 500, 600), "");
    check_str(bl_str_slice(text, 5, 2), "");
    check_str(bl_str_slice(nothing, 0, 5), "");
    check_str(bl_str_slice(nothing, 3, 5), "");
    check_str(bl_str_from("abc"), "abc");
    check_str(bl_str_from(NULL), "");
}

TEST(compares)
{
    static const struct {
        const char *a, *b;
        int order;
        bool nocase;
    } cases[] = {
        {"", "", 0, true},
        {"a", "", 1, false},
        {"a", "b", -1, false},
        {"abc", "abcd", -1, false},
        {"Bug", "bug", -1, true},
        {"bug", "bug", 0, true},
        {"Good First Issue", "good first issue", -1, true},
        {"a[", "a{", -1, false}, /* apart by the bit of letter case, and no letters */
        {"a@", "a`", -1, false},
        {"\xC3\x84", "\xC3\xA4", -1, false}, /* A and a with diaeresis: ASCII alone folds */
        {"\xFF", "a", 1, false},             /* bytes are unsigned */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bl_str a = bl_str_from(cases[i].a);
        bl_str b = bl_str_from(cases[i].b);
        check_case("'%s' and '%s'", cases[i].a, cases[i].b);
        int order = bl_str_compare(a, b);
        int reverse = bl_str_compare(b, a);
        check_int((order > 0) - (order < 0), cases[i].order);
        check_int((reverse > 0) - (reverse < 0), -cases[i].order);
        check_int(bl_str_equal(a, b), cases[i].order == 0);
        check_int(bl_str_equal_nocase(a, b), cases[i].nocase);
        check_int(bl_str_hash(a, 0) == bl_str_hash(b, 0), cases[i].order == 0);
        check_int(bl_str_hash_nocase(a, 0) == bl_str_hash_nocase(b, 0), cases[i].nocase);
    }
    check(bl_str_equal(nothing, BL_STR("")));
    check(bl_str_equal_nocase(nothing, BL_STR("")));
    check_int(bl_str_compare(nothing, BL_STR("")), 0);
    check(!bl_str_equal(BL_STR("a\0b"), BL_STR("a\0c")));
}

/* The values of the FNV authors' own test vectors. */
TEST(hash_is_fnv_1a)
{
    check(bl_str_hash(BL_STR(""), 0) == UINT64_C(0xcbf29ce484222325));
    check(bl_str_hash(BL_STR("a"), 0) == UINT64_C(0xaf63dc4c8601ec8c));
    check(bl_str_hash(BL_STR("foobar"), 0) == UINT64_C(0x85944171f73967e8));
    check(bl_str_hash_nocase(BL_STR("FooBAR"), 0) == UINT64_C(0x85944171f73967e8));
    check(bl_str_hash(BL_STR("a"), 1) != bl_str_hash(BL_STR("a"), 0));
}

TEST(begins_and_ends)
{
    check(bl_str_starts_with(BL_STR("/assist me"), BL_STR("/assist")));
    check(bl_str_starts_with(BL_STR("x"), nothing));
    check(bl_str_starts_with(nothing, nothing));
    check(!bl_str_starts_with(BL_STR("ab"), BL_STR("abc")));
    check(!bl_str_starts_with(BL_STR("xab"), BL_STR("ab")));
    check(bl_str_ends_with(BL_STR("name[bot]"), BL_STR("[bot]")));
    check(bl_str_ends_with(nothing, nothing));
    check(!bl_str_ends_with(BL_STR("bc"), BL_STR("abc")));
    check(!bl_str_ends_with(BL_STR("abx"), BL_STR("ab")));
}

TEST(trims_ascii_space)
{
    check_str(bl_str_trim(BL_STR(" \t\r\n\v\f a b \f\v\n\r\t ")), "a b");
    check_str(bl_str_trim(BL_STR(" \n ")), "");
    check_str(bl_str_trim(nothing), "");
    check_str(bl_str_trim(BL_STR("\xC2\xA0x")), "\xC2\xA0x"); /* NO-BREAK SPACE stays */
}

TEST(knows_ascii)
{
    for (int i = 0; i < 256; i++) {
        char c = (char)i;
        bool upper = i >= 0x41 && i <= 0x5A;
        bool lower = i >= 0x61 && i <= 0x7A;
        check_case("byte %d", i);
        check_int(bl_is_ascii_alpha(c), upper || lower);
        check_int(bl_is_ascii_digit(c), i >= 0x30 && i <= 0x39);
        check_int(bl_is_ascii_space(c), i == 0x20 || (i >= 9 && i <= 13));
        check_int(bl_ascii_lower(c), (char)(upper ? i + 32 : i));
    }
}

static size_t find_plainly(bl_str s, bl_str needle)
{
    for (size_t at = 0; at + needle.len <= s.len; at++) {
        if (needle.len == 0 || memcmp(s.ptr + at, needle.ptr, needle.len) == 0) {
            return at;
        }
    }
    return SIZE_MAX;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

TEST(finds_what_a_plain_search_finds)
{
    uint32_t seed = 1;
    char text[2000];
    char wanted[200];
    size_t found = 0;
    for (int round = 0; round < 20000; round++) {
        /* Few letters and repeated pieces: the needles that are periodic or nearly so. */
        uint32_t letters = 1 + next_random(&seed) % 3;
        size_t len = next_random(&seed) % sizeof(text);
        size_t want = next_random(&seed) % (round % 2 == 0 ? 12 : sizeof(wanted));
        size_t period = 1 + next_random(&seed) % 9;
        for (size_t i = 0; i < len; i++) {
            bool repeat = i >= period && next_random(&seed) % 40 != 0;
            text[i] = repeat ? text[i - period] : (char)('a' + next_random(&seed) % letters);
        }
        for (size_t i = 0; i < want; i++) {
            wanted[i] = (char)('a' + next_random(&seed) % letters);
        }
        if (len > want && round % 3 != 0) {
            memcpy(wanted, text + next_random(&seed) % (len - want), want);
            if (want > 0 && round % 3 == 1) {
                wanted[next_random(&seed) % want] ^= 1;
            }
        }
        check_case("round %d", round);
        bl_str s = {text, len};
        bl_str needle = {wanted, want};
        size_t expected = find_plainly(s, needle);
        found += expected != SIZE_MAX;
        check_size(bl_str_find(s, needle), expected);
    }
    check(found > 2000 && found < 18000);
}

TEST(finds_at_the_edges)
{
    check_size(bl_str_find(BL_STR("abc"), BL_STR("")), 0);
    check_size(bl_str_find(nothing, nothing), 0);
    check_size(bl_str_find(nothing, BL_STR("a")), SIZE_MAX);
    check_size(bl_str_find(BL_STR("abc"), BL_STR("abc")), 0);
    check_size(bl_str_find(BL_STR("abc"), BL_STR("abcd")), SIZE_MAX);
    check_size(bl_str_find(BL_STR("abc"), BL_STR("c")), 2);
    check_size(bl_str_find(BL_STR("a\0b"), BL_STR("\0b")), 1);
    check_size(bl_str_find_char(BL_STR("a.b.c"), '.'), 1);
    check_size(bl_str_find_char(BL_STR("abc"), '.'), SIZE_MAX);
    check_size(bl_str_find_char(nothing, '.'), SIZE_MAX);
}

/* A search that compares each place anew needs 10^12 steps here and does not come back. */
TEST(finds_in_linear_time)
{
    enum { LEN = 4 << 20, WANT = 1 << 20 };
    char *text = test_malloc(LEN);
    char *wanted = test_malloc(WANT);
    memset(text, 'a', LEN);
    memset(wanted, 'a', WANT);
    wanted[WANT - 1] = 'b';
    check_size(bl_str_find((bl_str){text, LEN}, (bl_str){wanted, WANT}), SIZE_MAX);
    wanted[WANT - 1] = 'a';
    wanted[WANT / 2] = 'b';
    check_size(bl_str_find((bl_str){text, LEN}, (bl_str){wanted, WANT}), SIZE_MAX);
    text[LEN - WANT / 2] = 'b';
    check_size(bl_str_find((bl_str){text, LEN}, (bl_str){wanted, WANT}), LEN - WANT);
    wanted[0] = 'b';
    wanted[WANT / 2] = 'a';
    check_size(bl_str_find((bl_str){text, LEN}, (bl_str){wanted, WANT}), SIZE_MAX);
    test_free(text);
    test_free(wanted);
}

/* The same distance by its definition: over all ways to end both words. */
static unsigned distance_plainly(bl_str a, bl_str b)
{
    unsigned table[16][16];
    for (size_t i = 0; i <= a.len; i++) {
        for (size_t j = 0; j <= b.len; j++) {
            unsigned least = i == 0 && j == 0 ? 0 : UINT32_MAX;
            unsigned ways[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
            if (i > 0) {
                ways[0] = table[i - 1][j] + 1;
            }
            if (j > 0) {
                ways[1] = table[i][j - 1] + 1;
            }
            if (i > 0 && j > 0) {
                ways[2] = table[i - 1][j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
            }
            if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] &&
                a.ptr[i - 2] == b.ptr[j - 1]) {
                ways[3] = table[i - 2][j - 2] + 1;
            }
            for (size_t k = 0; k < 4; k++) {
                least = ways[k] < least ? ways[k] : least;
            }
            table[i][j] = least;
        }
    }
    return table[a.len][b.len];
}

TEST(distance_of_known_words)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"label", "label", 0},
        {"label", "lable", 1},
        {"label", "labels", 1},
        {"label", "babel", 1},
        {"kitten", "sitting", 3},
        {"sunday", "saturday", 3},
        {"ab", "ba", 1},
        {"comment", "coment", 1},
        {"when", "wehn", 1},
        {"abcdef", "badcfe", 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bl_str a = bl_str_from(cases[i].a);
        bl_str b = bl_str_from(cases[i].b);
        check_case("'%s' and '%s'", cases[i].a, cases[i].b);
        check_int(bl_str_distance(a, b, 10), cases[i].distance);
        check_int(bl_str_distance(b, a, 10), cases[i].distance);
    }
}

TEST(distance_with_every_limit)
{
    uint32_t seed = 7;
    for (int round = 0; round < 20000; round++) {
        char x[12];
        char y[12];
        bl_str a = {x, next_random(&seed) % sizeof(x)};
        bl_str b = {y, next_random(&seed) % sizeof(y)};
        for (size_t i = 0; i < sizeof(x); i++) {
            x[i] = (char)('a' + next_random(&seed) % 3);
            y[i] = round % 2 == 0 ? (char)('a' + next_random(&seed) % 3) : x[i];
        }
        if (round % 2 != 0 && a.len > 2) {
            size_t at = next_random(&seed) % (a.len - 1);
            y[at] = x[at + 1];
            y[at + 1] = x[at];
        }
        unsigned expected = distance_plainly(a, b);
        for (unsigned limit = 0; limit < 14; limit++) {
            check_case("round %d, limit %u", round, limit);
            check_int(bl_str_distance(a, b, limit), expected <= limit ? expected : limit + 1);
        }
    }
}

TEST(distance_looks_at_64_bytes)
{
    char x[100];
    char y[100];
    memset(x, 'a', sizeof(x));
    memset(y, 'a', sizeof(y));
    y[64] = 'b';
    check_int(bl_str_distance((bl_str){x, 100}, (bl_str){y, 100}, 5), 0);
    y[63] = 'b';
    check_int(bl_str_distance((bl_str){x, 100}, (bl_str){y, 100}, 5), 1);
    check_int(bl_str_distance((bl_str){x, 100}, nothing, 100), 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_clamp),
        cmocka_unit_test(compares),
        cmocka_unit_test(hash_is_fnv_1a),
        cmocka_unit_test(begins_and_ends),
        cmocka_unit_test(trims_ascii_space),
        cmocka_unit_test(knows_ascii),
        cmocka_unit_test(finds_what_a_plain_search_finds),
        cmocka_unit_test(finds_at_the_edges),
        cmocka_unit_test(finds_in_linear_time),
        cmocka_unit_test(distance_of_known_words),
        cmocka_unit_test(distance_with_every_limit),
        cmocka_unit_test(distance_looks_at_64_bytes),
    };
    return check_main(tests);
}
