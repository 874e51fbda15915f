/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "support/check.h"

#include <string.h>

/* RFC 3629, section 3 and 10, and the Unicode Standard's examples of ill-formed sequences. */
TEST(says_where_text_stops_being_utf8)
{
    static const struct {
        const char *name;
        bl_str text;
        size_t at; /* SIZE_MAX: valid */
    } cases[] = {
        {"empty", {NULL, 0}, SIZE_MAX},
        {"ASCII", {"plain", 5}, SIZE_MAX},
        {"NUL is a character", {"a\0b", 3}, SIZE_MAX},
        {"A<NOT IDENTICAL TO><ALPHA>.", {"A\xE2\x89\xA2\xCE\x91.", 7}, SIZE_MAX},
        {"a clef, U+1D11E", {"\xF0\x9D\x84\x9E", 4}, SIZE_MAX},
        {"U+10FFFF", {"\xF4\x8F\xBF\xBF", 4}, SIZE_MAX},
        {"U+110000", {"\xF4\x90\x80\x80", 4}, 0},
        {"overlong slash, two bytes", {"ab\xC0\xAF", 4}, 2},
        {"overlong slash, three bytes", {"\xE0\x80\xAF", 3}, 0},
        {"overlong slash, four bytes", {"\xF0\x80\x80\xAF", 4}, 0},
        {"overlong NUL", {"\xC0\x80", 2}, 0},
        {"lowest surrogate", {"x\xED\xA0\x80", 4}, 1},
        {"highest surrogate", {"x\xED\xBF\xBF", 4}, 1},
        {"in front of the surrogates", {"\xED\x9F\xBF", 3}, SIZE_MAX},
        {"behind the surrogates", {"\xEE\x80\x80", 3}, SIZE_MAX},
        {"continuation alone", {"\x80", 1}, 0},
        {"cut after one of two", {"abc\xC3", 4}, 3},
        {"cut after two of three", {"abc\xE2\x82", 5}, 3},
        {"cut after three of four", {"abc\xF0\x9D\x84", 6}, 3},
        {"lead in place of a continuation", {"\xE2\x82\xE2\x82\xAC", 5}, 0},
        {"never a byte of UTF-8", {"\xFE", 1}, 0},
        {"five bytes", {"\xF8\x88\x80\x80\x80", 5}, 0},
        {"behind eight bytes of ASCII", {"12345678\xFF", 9}, 8},
        {"behind sixteen and seven", {"12345678123456781234567\xC3\xA4\xFF", 26}, 25},
        {"in the middle of a word",
         {"12345678123\xFF"
          "4567890",
          19},
         11},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].name);
        check_size(bl_utf8_invalid_at(cases[i].text),
                   cases[i].at == SIZE_MAX ? cases[i].text.len : cases[i].at);
    }
}

/* How many strings of a length are valid follows from the numbers of code points of one, two
 * and three bytes: 128, 1,920 and 63,488 - 2,048. */
TEST(accepts_as_many_short_strings_as_there_are)
{
    size_t two = 0;
    size_t three = 0;
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            char text[3] = {(char)a, (char)b, 0};
            two += bl_utf8_invalid_at((bl_str){text, 2}) == 2;
            for (unsigned c = 0; c < 256; c++) {
                text[2] = (char)c;
                three += bl_utf8_invalid_at((bl_str){text, 3}) == 3;
            }
        }
    }
    check_size(two, 128 * 128 + 1920);
    check_size(three, 128 * 128 * 128 + 2 * 128 * 1920 + 61440);
}

TEST(accepts_each_code_point_of_four_bytes)
{
    size_t count = 0;
    for (unsigned a = 0xF0; a < 256; a++) {
        for (unsigned b = 0; b < 256; b++) {
            for (unsigned c = 0; c < 256; c++) {
                char text[4] = {(char)a, (char)b, (char)c, (char)0xBF};
                count += bl_utf8_invalid_at((bl_str){text, 4}) == 4;
                text[3] = (char)0xC0;
                count += bl_utf8_invalid_at((bl_str){text, 4}) == 4;
                text[3] = 0x7F;
                count += bl_utf8_invalid_at((bl_str){text, 4}) == 4;
            }
        }
    }
    check_size(count, 0x100000 / 64);
}

TEST(encodes_and_decodes_every_code_point)
{
    for (uint32_t point = 0; point <= 0x10FFFF; point++) {
        if (point == 0xD800) {
            point = 0xE000;
        }
        char text[4];
        size_t len = bl_utf8_encode(point, text);
        size_t want = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        size_t offset = 0;
        if (len != want || bl_utf8_invalid_at((bl_str){text, len}) != len ||
            bl_utf8_decode((bl_str){text, len}, &offset) != point || offset != len) {
            check_case("U+%04X", point);
            check(false);
        }
    }
}

TEST(encodes_known_bytes)
{
    static const struct {
        uint32_t point;
        const char *bytes;
    } cases[] = {
        {0x24, "$"},
        {0xA3, "\xC2\xA3"},
        {0x20AC, "\xE2\x82\xAC"},
        {0x10348, "\xF0\x90\x8D\x88"},
        {0xD800, "\xEF\xBF\xBD"},
        {0xDFFF, "\xEF\xBF\xBD"},
        {0x110000, "\xEF\xBF\xBD"},
        {UINT32_MAX, "\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[4];
        check_case("U+%04X", cases[i].point);
        size_t len = bl_utf8_encode(cases[i].point, text);
        check_slice(((bl_str){text, len}), bl_str_from(cases[i].bytes));
    }
}

TEST(decoding_never_reads_beyond_the_end)
{
    static const char *const cut[] = {"\xC3", "\xE2\x82", "\xF0\x9D\x84", "\xF0"};
    for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
        /* On the heap and of its exact size, so that a sanitizer sees one byte more. */
        size_t len = strlen(cut[i]);
        char *exact = test_malloc(len);
        memcpy(exact, cut[i], len);
        size_t offset = 0;
        check_int(bl_utf8_decode((bl_str){exact, len}, &offset), 0xFFFD);
        /* One byte at a time: what is no character takes nothing along. */
        check_size(offset, 1);
        test_free(exact);
    }
}

TEST(an_invalid_byte_hides_none_behind_it)
{
    static const char *const broken[] = {"\xC3\n", "\xE2\x80\x1B", "\xF0\x9F\x98\r", "\xFF\n",
                                         "\x80\n", "\xC0\x8A\n",   "\xED\x1B"};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        bl_str text = bl_str_from(broken[i]);
        uint32_t last = 0;
        check_case("text %zu", i);
        for (size_t offset = 0; offset < text.len;) {
            last = bl_utf8_decode(text, &offset);
        }
        check_int(last, text.ptr[text.len - 1]);
    }
}

TEST(counts_and_cuts_between_code_points)
{
    const bl_str text = BL_STR("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z");
    static const size_t cut[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    check_size(bl_utf8_length(text), 5);
    check_size(bl_utf8_length((bl_str){NULL, 0}), 0);
    for (size_t max = 0; max < sizeof(cut) / sizeof(cut[0]); max++) {
        check_case("%zu bytes", max);
        check_size(bl_utf8_prefix(text, max).len, cut[max]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_where_text_stops_being_utf8),
        cmocka_unit_test(accepts_as_many_short_strings_as_there_are),
        cmocka_unit_test(accepts_each_code_point_of_four_bytes),
        cmocka_unit_test(encodes_and_decodes_every_code_point),
        cmocka_unit_test(encodes_known_bytes),
        cmocka_unit_test(decoding_never_reads_beyond_the_end),
        cmocka_unit_test(an_invalid_byte_hides_none_behind_it),
        cmocka_unit_test(counts_and_cuts_between_code_points),
    };
    return check_main(tests);
}
