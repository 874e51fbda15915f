/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "support/check.h"

TEST(sums_and_products_saturate)
{
    static const struct {
        int64_t a, b, sum, difference, product;
    } cases[] = {
        {0, 0, 0, 0, 0},
        {2, 3, 5, -1, 6},
        {-2, 3, 1, -5, -6},
        {INT64_MAX, 1, INT64_MAX, INT64_MAX - 1, INT64_MAX},
        {INT64_MAX, -1, INT64_MAX - 1, INT64_MAX, -INT64_MAX},
        {INT64_MIN, 1, INT64_MIN + 1, INT64_MIN, INT64_MIN},
        {INT64_MIN, -1, INT64_MIN, INT64_MIN + 1, INT64_MAX},
        {INT64_MAX, INT64_MAX, INT64_MAX, 0, INT64_MAX},
        {INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MAX},
        {INT64_MIN, INT64_MAX, -1, INT64_MIN, INT64_MIN},
        {0, INT64_MIN, INT64_MIN, INT64_MAX, 0},
        {INT64_C(3037000500), INT64_C(3037000500), INT64_C(6074001000), 0, INT64_MAX},
        {INT64_C(3037000499), INT64_C(3037000499), INT64_C(6074000998), 0,
         INT64_C(9223372030926249001)},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check_int(bl_int_add(cases[i].a, cases[i].b), cases[i].sum);
        check_int(bl_int_sub(cases[i].a, cases[i].b), cases[i].difference);
        check_int(bl_int_mul(cases[i].a, cases[i].b), cases[i].product);
    }
}

/* The results come from arithmetic without bounds. */
TEST(percent_rounds_down_and_saturates)
{
    static const struct {
        int64_t a, percent, result;
    } cases[] = {
        {0, 0, 0},
        {200, 50, 100},
        {199, 50, 99},
        {-199, 50, -100},
        {199, -50, -100},
        {-199, -50, 99},
        {1, 1, 0},
        {-1, 1, -1},
        {INT64_MAX, 100, INT64_MAX},
        {INT64_MIN, 100, INT64_MIN},
        {INT64_MAX, 99, INT64_C(9131138316486228048)},
        {INT64_MIN, 99, INT64_C(-9131138316486228050)},
        {INT64_MAX, 101, INT64_MAX},
        {INT64_MIN, 101, INT64_MIN},
        {INT64_MAX, INT64_MAX, INT64_MAX},
        {INT64_MIN, INT64_MIN, INT64_MAX},
        {INT64_MIN, INT64_MAX, INT64_MIN},
        {100, INT64_MAX, INT64_MAX},
        {99, INT64_MAX, INT64_C(9131138316486228048)},
        {99, INT64_MIN, INT64_C(-9131138316486228050)},
        {-99, INT64_MAX, INT64_C(-9131138316486228049)},
        {101, INT64_MAX, INT64_MAX},
        {INT64_C(123456789012345678), 7400, INT64_C(9135802386913580172)},
        {INT64_C(-123456789012345678), 7471, INT64_MIN},
        {INT64_C(123456789012345678), 7471, INT64_MAX},
        {INT64_MAX, 33, INT64_C(3043712772162076016)},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check_int(bl_int_percent(cases[i].a, cases[i].percent), cases[i].result);
    }
}

TEST(reads_digits_with_single_underscores)
{
    static const struct {
        const char *text;
        bool valid;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"007", true, 7},
        {"1_000", true, 1000},
        {"1_0_0_0", true, 1000},
        {"9223372036854775807", true, INT64_MAX},
        {"9_223_372_036_854_775_807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"99999999999999999999999", false, 0},
        {"", false, 0},
        {"_", false, 0},
        {"_1", false, 0},
        {"1_", false, 0},
        {"1__0", false, 0},
        {"-1", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"1.0", false, 0},
        {"0x10", false, 0},
        {"\xD9\xA1", false, 0}, /* ARABIC-INDIC DIGIT ONE */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t value = -7;
        check_case("\"%s\"", cases[i].text);
        check_int(bl_int_parse(bl_str_from(cases[i].text), &value), cases[i].valid);
        check_int(value, cases[i].valid ? cases[i].value : -7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_saturate),
        cmocka_unit_test(percent_rounds_down_and_saturates),
        cmocka_unit_test(reads_digits_with_single_underscores),
    };
    return check_main(tests);
}
