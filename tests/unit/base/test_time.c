/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "support/check.h"

/* Day numbers of another implementation of the proleptic Gregorian calendar. */
static const struct {
    int64_t year;
    unsigned month, day;
    int64_t number;
} known_days[] = {
    {1, 1, 1, -719162},  {1900, 2, 28, -25509},   {1900, 3, 1, -25508},  {1969, 12, 31, -1},
    {1970, 1, 1, 0},     {1970, 3, 1, 59},        {1999, 12, 31, 10956}, {2000, 2, 29, 11016},
    {2000, 3, 1, 11017}, {2024, 2, 29, 19782},    {2026, 11, 2, 20759},  {2100, 2, 28, 47540},
    {2100, 3, 1, 47541}, {9999, 12, 31, 2932896},
};

TEST(days_and_dates_agree)
{
    for (size_t i = 0; i < sizeof(known_days) / sizeof(known_days[0]); i++) {
        struct bl_civil date = {known_days[i].year, known_days[i].month, known_days[i].day};
        check_case("%d-%u-%u", (int)date.year, date.month, date.day);
        check_int(bl_days_from_civil(date), known_days[i].number);
        struct bl_civil back = bl_civil_from_days(known_days[i].number);
        check_int(back.year, date.year);
        check_int(back.month, date.month);
        check_int(back.day, date.day);
    }
}

/* Counts on, day by day, with the rule of leap years and the lengths of months alone. */
TEST(every_day_of_eight_hundred_years)
{
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct bl_civil date = {1600, 1, 1};
    int64_t number = bl_days_from_civil(date);
    while (date.year < 2400) {
        struct bl_civil back = bl_civil_from_days(number);
        if (back.year != date.year || back.month != date.month || back.day != date.day ||
            bl_days_from_civil(date) != number) {
            check_case("%d-%u-%u", (int)date.year, date.month, date.day);
            check(false);
        }
        bool leap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0);
        unsigned length = lengths[date.month - 1] + (leap && date.month == 2);
        number++;
        date.day++;
        if (date.day > length) {
            date.day = 1;
            date.month++;
        }
        if (date.month > 12) {
            date.month = 1;
            date.year++;
        }
    }
}

TEST(days_of_times_round_down)
{
    check_int(bl_day_of_time(0), 0);
    check_int(bl_day_of_time(86399), 0);
    check_int(bl_day_of_time(86400), 1);
    check_int(bl_day_of_time(-1), -1);
    check_int(bl_day_of_time(-86400), -1);
    check_int(bl_day_of_time(-86401), -2);
}

TEST(reads_dates_that_exist)
{
    static const struct {
        const char *text;
        int64_t days; /* INT64_MIN: refused */
    } cases[] = {
        {"1970-01-01", 0},          {"2000-02-29", 11016},      {"2026-11-02", 20759},
        {"9999-12-31", 2932896},    {"2026-02-29", INT64_MIN},  {"1900-02-29", INT64_MIN},
        {"2026-04-31", INT64_MIN},  {"2026-12-32", INT64_MIN},  {"2026-13-01", INT64_MIN},
        {"2026-00-10", INT64_MIN},  {"2026-10-00", INT64_MIN},  {"2026-1-02", INT64_MIN},
        {"26-11-02", INT64_MIN},    {"2026/11/02", INT64_MIN},  {"2026-11-02 ", INT64_MIN},
        {" 2026-11-02", INT64_MIN}, {"2026-11-0a", INT64_MIN},  {"", INT64_MIN},
        {"-026-11-02", INT64_MIN},  {"10000-01-01", INT64_MIN}, {"20261102", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t days = INT64_MIN;
        check_case("\"%s\"", cases[i].text);
        check_int(bl_date_parse(bl_str_from(cases[i].text), &days), cases[i].days != INT64_MIN);
        check_int(days, cases[i].days);
    }
}

/* Seconds of another implementation. */
TEST(reads_times)
{
    static const struct {
        const char *text;
        int64_t seconds; /* INT64_MIN: refused */
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-02T08:00:00Z", 1793606400},
        {"2026-11-02T08:00:00.123Z", 1793606400},
        {"2026-11-02T08:00:00.9999999999999Z", 1793606400},
        {"2026-11-02T08:00:00+01:00", 1793602800},
        {"2026-11-02T08:00:00-05:30", 1793626200},
        {"2026-11-02T08:00:00.5-05:30", 1793626200},
        {"2026-11-02T08:00:00-00:00", 1793606400},
        {"2000-02-29T23:59:59Z", 951868799},
        {"2038-01-19T03:14:08Z", INT64_C(2147483648)},
        {"9999-12-31T23:59:59Z", INT64_C(253402300799)},
        {"1970-01-01T00:59:59+01:00", INT64_MIN},
        {"1969-12-31T23:59:59Z", INT64_MIN},
        {"9999-12-31T23:59:59-00:01", INT64_MIN},
        {"2026-11-02T08:00:60Z", INT64_MIN},
        {"2026-11-02T24:00:00Z", INT64_MIN},
        {"2026-11-02T08:60:00Z", INT64_MIN},
        {"2026-02-30T08:00:00Z", INT64_MIN},
        {"2026-11-02T08:00:00", INT64_MIN},
        {"2026-11-02T08:00Z", INT64_MIN},
        {"2026-11-02T08:00:00.Z", INT64_MIN},
        {"2026-11-02T08:00:00,5Z", INT64_MIN},
        {"2026-11-02 08:00:00Z", INT64_MIN},
        {"2026-11-02t08:00:00z", INT64_MIN},
        {"2026-11-02T08:00:00ZZ", INT64_MIN},
        {"2026-11-02T08:00:00+1:00", INT64_MIN},
        {"2026-11-02T08:00:00+0100", INT64_MIN},
        {"2026-11-02T08:00:00+24:00", INT64_MIN},
        {"2026-11-02T08:00:00+01:60", INT64_MIN},
        {"2026-11-02T08:00:00+01:00Z", INT64_MIN},
        {"2026-11-02T-8:00:00Z", INT64_MIN},
        {"2026-11-02", INT64_MIN},
        {"", INT64_MIN},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t seconds = INT64_MIN;
        check_case("\"%s\"", cases[i].text);
        check_int(bl_time_parse(bl_str_from(cases[i].text), &seconds),
                  cases[i].seconds != INT64_MIN);
        check_int(seconds, cases[i].seconds);
    }
}

TEST(writes_times_and_dates)
{
    static const struct {
        int64_t seconds;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {1793606400, "2026-11-02T08:00:00Z"},
        {951868799, "2000-02-29T23:59:59Z"},
        {-1, "1969-12-31T23:59:59Z"},
        {INT64_C(253402300799), "9999-12-31T23:59:59Z"},
        {INT64_C(253402300800), "9999-12-31T23:59:59Z"},
        {INT64_MAX, "9999-12-31T23:59:59Z"},
        {INT64_MIN, "0000-01-01T00:00:00Z"},
    };
    char text[BL_TIME_TEXT_MAX];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].text);
        size_t len = bl_time_format(cases[i].seconds, text);
        check_str(((bl_str){text, len}), cases[i].text);
        check(text[len] == '\0');
    }
    check_str(((bl_str){text, bl_date_format(20759, text)}), "2026-11-02");
    check_str(((bl_str){text, bl_date_format(INT64_MAX, text)}), "9999-12-31");
    check_str(((bl_str){text, bl_date_format(INT64_MIN, text)}), "0000-01-01");
}

TEST(days_without_end_do_no_harm)
{
    check(bl_civil_from_days(INT64_MAX).year > INT64_C(2000000000000));
    check(bl_civil_from_days(INT64_MIN).year < INT64_C(-2000000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_and_dates_agree),
        cmocka_unit_test(every_day_of_eight_hundred_years),
        cmocka_unit_test(days_of_times_round_down),
        cmocka_unit_test(reads_dates_that_exist),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(writes_times_and_dates),
        cmocka_unit_test(days_without_end_do_no_harm),
    };
    return check_main(tests);
}
