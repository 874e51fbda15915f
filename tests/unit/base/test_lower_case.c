/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lower_case.h"
#include "support/check.h"

static bl_str lower(struct bl_arena *arena, const char *text)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, 4096);
    bl_lower_case(&out, bl_str_from(text));
    return bl_buf_str(&out);
}

/* Pairs of UnicodeData.txt and SpecialCasing.txt, at the ends of ranges and beside them. */
/* req: SCR-09 */
TEST(letters_get_small)
{
    static const struct {
        const char *text, *lower;
    } rows[] = {
        {"", ""},
        {"@AZ[`az{", "@az[`az{"},
        {"\u00C0\u00D6\u00D7\u00D8\u00DE\u00DF\u00F7",
         "\u00E0\u00F6\u00D7\u00F8\u00FE\u00DF\u00F7"},
        {"\u0100\u0101\u012E\u012F", "\u0101\u0101\u012F\u012F"},
        {"\u0130\u0131", "i\u0307\u0131"},
        {"\u0178\u0179\u017D", "\u00FF\u017A\u017E"},
        {"\u01C4\u01C5\u01C6", "\u01C6\u01C6\u01C6"},
        {"\u023A\u023E", "\u2C65\u2C66"}, /* longer in UTF-8 */
        {"\u03A3\u03A3", "\u03C3\u03C3"},
        {"\u0400\u042F\u0430", "\u0450\u044F\u0430"},
        {"\u13A0", "\uAB70"},
        {"\u1C90", "\u10D0"},
        {"\u1E9E", "\u00DF"},
        {"\u2126\u212A\u212B", "\u03C9k\u00E5"},
        {"\u2160\u24B6\uFF21", "\u2170\u24D0\uFF41"},
        {"\U00010400\U0001E921", "\U00010428\U0001E943"},
        {"\u4E2D\U0001F600\u05D0", "\u4E2D\U0001F600\u05D0"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, 1 << 16, NULL);
        check_case("%s", rows[i].text);
        check_str(lower(&arena, rows[i].text), rows[i].lower);
        bl_arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters_get_small)};
    return check_main(tests);
}
