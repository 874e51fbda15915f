/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "support/check.h"
#include "text/fold.h"

#include <string.h>

/* Folding, against what Unicode says of these characters (UnicodeData.txt, confusables.txt). */

#define B (1u << BL_FOLDING_BLANKS)
#define W (1u << BL_FOLDING_WIDTH)
#define M (1u << BL_FOLDING_MARKS)
#define L (1u << BL_FOLDING_LOOKALIKES)
#define C (1u << BL_FOLDING_CASE)

static const struct row {
    const char *text;
    unsigned foldings;
    const char *folded; /* NULL: nothing changes at its beginning */
    size_t size;        /* bytes that it stands for */
} rows[] = {
    {"a", B | W | M | L | C, NULL, 0},
    {"7", B | W | M | L | C, NULL, 0},
    {"A", B | W | M | L, NULL, 0},
    {"A", C, "a", 1},
    {" a", B, NULL, 0},
    {"\ta", B, " ", 1},
    {" \t\r\n  a", B, " ", 6},
    {" \t", W | M | L | C, NULL, 0},
    {"\xC2\xA0x", B, " ", 2},                 /* U+00A0 */
    {"\xE2\x80\x83\xE3\x80\x80x", B, " ", 6}, /* U+2003, U+3000 */
    {"\xEF\xBC\xA1", W, "A", 3},              /* U+FF21, full width */
    {"\xEF\xBC\xA1", W | C, "a", 3},
    {"\xEF\xBC\xA1", M | L | B, NULL, 0},
    {"\xF0\x9D\x90\x80", W, "A", 4}, /* U+1D400, bold of mathematics */
    {"\xE2\x91\xA0", W, "1", 3},     /* U+2460, in a circle */
    {"\xC2\xB2", W, "2", 2},         /* U+00B2, raised */
    {"\xC3\xA9", M, "e", 2},         /* U+00E9 */
    {"\xC3\xA9", W | L, NULL, 0},
    {"\xCC\x81x", M, "", 2}, /* U+0301 alone */
    {"\xD0\xB0", L, "a", 2}, /* U+0430, Cyrillic */
    {"\xD0\xB0", W | M, NULL, 0},
    {"\xD0\x90", L | C, "a", 2},                  /* U+0410, its capital */
    {"\xCE\xBF", L, "o", 2},                      /* U+03BF, Greek */
    {"\xE4\xB8\xAD", B | W | M | L | C, NULL, 0}, /* U+4E2D */
};

TEST(each_way_folds_its_own_and_no_other)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[BL_FOLD_BYTES];
        size_t length = 0;
        size_t size =
            bl_fold_read(bl_str_from(rows[i].text), 0, rows[i].foldings, out, &length);

        check_case("row %zu", i);
        check_size(size, rows[i].size);
        bl_str folded = {out, length};
        if (rows[i].folded != NULL)
            check_str(folded, rows[i].folded);
    }
}

/* What was folded is folded: no second look finds more. */
TEST(folding_twice_changes_nothing)
{
    for (uint32_t c = 0x80; c < 0x20000; c++) {
        char bytes[4], out[BL_FOLD_BYTES], again[BL_FOLD_BYTES];
        size_t length = 0, twice = 0;

        if (c >= 0xD800 && c < 0xE000)
            continue;
        bl_str text = {bytes, bl_utf8_encode(c, bytes)};
        if (bl_fold_read(text, 0, W | M | L | C, out, &length) == 0)
            continue;
        for (size_t at = 0; at < length; at++) {
            bool begins = ((unsigned char)out[at] & 0xC0) != 0x80;
            check_case("U+%04X", c);
            check(!begins ||
                  bl_fold_read((bl_str){out, length}, at, W | M | L | C, again, &twice) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_folds_its_own_and_no_other),
        cmocka_unit_test(folding_twice_changes_nothing),
    };
    return check_main(tests);
}
