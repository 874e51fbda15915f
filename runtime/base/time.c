/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"

/* The calendar repeats every 400 years. Counted from the 1st of March of year 0 the leap day is
 * the last day of its year, and the months have lengths that one line can give. */
#define DAYS_PER_ERA     INT64_C(146097)
#define DAYS_BEFORE_1970 INT64_C(719468) /* from 0000-03-01 */
/* Beyond this many days from 1970 the sums below could overflow; far beyond any calendar. */
#define DAYS_MAX       INT64_C(1000000000000000)
#define DAY_0000_01_01 INT64_C(-719528)
#define DAY_9999_12_31 INT64_C(2932896)

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

int64_t bl_days_from_civil(struct bl_civil date)
{
    int64_t year = date.year - (date.month <= 2);
    int64_t era = floor_divide(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t month = (date.month + 9) % 12; /* March is 0 */
    int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_BEFORE_1970;
}

struct bl_civil bl_civil_from_days(int64_t days)
{
    days = clamp(days, -DAYS_MAX, DAYS_MAX) + DAYS_BEFORE_1970;
    int64_t era = floor_divide(days, DAYS_PER_ERA);
    int64_t day_of_era = days - era * DAYS_PER_ERA;
    /* Takes the leap days out: one in 1460 days, less one in 36524, and the last of the era. */
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 -
                           day_of_era / (DAYS_PER_ERA - 1)) /
                          365;
    int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    struct bl_civil date = {
        .year = era * 400 + year_of_era,
        .month = (unsigned)(month < 10 ? month + 3 : month - 9),
        .day = (unsigned)(day_of_year - (153 * month + 2) / 5 + 1),
    };
    date.year += date.month <= 2;
    return date;
}

int64_t bl_day_of_time(int64_t time)
{
    return floor_divide(time, BL_SECONDS_PER_DAY);
}

/* Exactly `count` digits at `from`, as a number; -1 when they are not there. */
static int64_t digits(bl_str s, size_t from, size_t count)
{
    int64_t value = 0;
    if (s.len < from + count) {
        return -1;
    }
    for (size_t i = from; i < from + count; i++) {
        if (!bl_is_ascii_digit(s.ptr[i])) {
            return -1;
        }
        value = value * 10 + (s.ptr[i] - '0');
    }
    return value;
}

bool bl_date_parse(bl_str s, int64_t *days)
{
    int64_t year = digits(s, 0, 4);
    int64_t month = digits(s, 5, 2);
    int64_t day = digits(s, 8, 2);
    if (s.len != 10 || year < 0 || s.ptr[4] != '-' || month < 1 || month > 12 ||
        s.ptr[7] != '-' || day < 1 || day > 31) {
        return false;
    }
    struct bl_civil date = {year, (unsigned)month, (unsigned)day};
    int64_t number = bl_days_from_civil(date);
    /* The 31st of a shorter month comes back as a day of the next one. */
    if (bl_civil_from_days(number).month != date.month) {
        return false;
    }
    *days = number;
    return true;
}

/* "Z" or an offset such as "+01:00", in seconds. */
static bool parse_zone(bl_str s, int64_t *seconds)
{
    if (bl_str_equal(s, BL_STR("Z"))) {
        *seconds = 0;
        return true;
    }
    int64_t hours = digits(s, 1, 2);
    int64_t minutes = digits(s, 4, 2);
    if (s.len != 6 || (s.ptr[0] != '+' && s.ptr[0] != '-') || s.ptr[3] != ':' || hours < 0 ||
        hours > 23 || minutes < 0 || minutes > 59) {
        return false;
    }
    *seconds = (hours * 60 + minutes) * 60;
    if (s.ptr[0] == '-') {
        *seconds = -*seconds;
    }
    return true;
}

bool bl_time_parse(bl_str s, int64_t *seconds)
{
    int64_t day;
    int64_t hour = digits(s, 11, 2);
    int64_t minute = digits(s, 14, 2);
    int64_t second = digits(s, 17, 2);
    if (!bl_date_parse(bl_str_slice(s, 0, 10), &day) || hour < 0 || hour > 23 || minute < 0 ||
        minute > 59 || second < 0 || second > 59 || s.ptr[10] != 'T' || s.ptr[13] != ':' ||
        s.ptr[16] != ':') {
        return false;
    }
    size_t at = 19;
    if (at < s.len && s.ptr[at] == '.') {
        size_t first = ++at;
        while (at < s.len && bl_is_ascii_digit(s.ptr[at])) {
            at++;
        }
        if (at == first) {
            return false;
        }
    }
    int64_t zone;
    if (!parse_zone(bl_str_slice(s, at, s.len), &zone)) {
        return false;
    }
    int64_t time = day * BL_SECONDS_PER_DAY + (hour * 60 + minute) * 60 + second - zone;
    if (time < 0 || bl_day_of_time(time) > DAY_9999_12_31) {
        return false;
    }
    *seconds = time;
    return true;
}

static void put_digits(char *out, int64_t value, size_t count)
{
    while (count > 0) {
        out[--count] = (char)('0' + value % 10);
        value /= 10;
    }
}

size_t bl_date_format(int64_t days, char out[BL_TIME_TEXT_MAX])
{
    struct bl_civil date = bl_civil_from_days(clamp(days, DAY_0000_01_01, DAY_9999_12_31));
    put_digits(out, date.year, 4);
    out[4] = '-';
    put_digits(out + 5, date.month, 2);
    out[7] = '-';
    put_digits(out + 8, date.day, 2);
    out[10] = '\0';
    return 10;
}

size_t bl_time_format(int64_t seconds, char out[BL_TIME_TEXT_MAX])
{
    seconds = clamp(seconds, DAY_0000_01_01 * BL_SECONDS_PER_DAY,
                    (DAY_9999_12_31 + 1) * BL_SECONDS_PER_DAY - 1);
    int64_t day = bl_day_of_time(seconds);
    int64_t rest = seconds - day * BL_SECONDS_PER_DAY;
    size_t len = bl_date_format(day, out);
    out[len] = 'T';
    put_digits(out + len + 1, rest / 3600, 2);
    out[len + 3] = ':';
    put_digits(out + len + 4, rest / 60 % 60, 2);
    out[len + 6] = ':';
    put_digits(out + len + 7, rest % 60, 2);
    out[len + 9] = 'Z';
    out[len + 10] = '\0';
    return len + 10;
}
