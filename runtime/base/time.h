/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_TIME_H
#define BL_BASE_TIME_H

#include "base/str.h"

/* Times are seconds since 1970-01-01T00:00:00Z, dates are days since 1970-01-01, both UTC. */

#define BL_SECONDS_PER_DAY INT64_C(86400)

struct bl_civil {
    int64_t year;
    unsigned month; /* 1 to 12 */
    unsigned day;   /* 1 to 31 */
};

/* Day number of a civil date that exists; its year within 10^12. */
int64_t bl_days_from_civil(struct bl_civil date);
/* Days beyond 10^15 on either side count as that day. */
struct bl_civil bl_civil_from_days(int64_t days);
/* The UTC day of a time (floor, also before 1970). */
int64_t bl_day_of_time(int64_t time);
/* "2026-11-02"; the day must exist and the year have four digits. */
bool bl_date_parse(bl_str s, int64_t *days);
/* "2026-11-02T08:00:00Z", "2026-11-02T08:00:00.123Z" or with "+01:00" for Z; the fraction is
 * dropped. Times of the years 1970 to 9999; no leap seconds. */
bool bl_time_parse(bl_str s, int64_t *seconds);

#define BL_TIME_TEXT_MAX 32
/* "2026-11-02T08:00:00Z"; returns the length written without the NUL. Both formats show a time
 * outside of the years 0 to 9999 as the nearest inside. */
size_t bl_time_format(int64_t seconds, char out[BL_TIME_TEXT_MAX]);
/* "2026-11-02" */
size_t bl_date_format(int64_t days, char out[BL_TIME_TEXT_MAX]);

#endif
