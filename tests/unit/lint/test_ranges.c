/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/formula.h"
#include "support/check.h"

/* Sets of numbers held against the numbers themselves. */

#define LEAST    (-9)
#define GREATEST 9

static uint32_t random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Disjoint intervals with gaps between them. */
static struct bl_ranges random_ranges(uint32_t *state)
{
    struct bl_ranges ranges = {.absent = (random_number(state) & 1) != 0};
    int64_t at = LEAST + (int64_t)(random_number(state) % 5);

    while (at <= GREATEST && ranges.count < 4 && random_number(state) % 4 != 0) {
        int64_t hi = at + (int64_t)(random_number(state) % 4);

        hi = hi > GREATEST ? GREATEST : hi;
        ranges.lo[ranges.count] = at;
        ranges.hi[ranges.count++] = hi;
        at = hi + 2 + (int64_t)(random_number(state) % 3);
    }
    return ranges;
}

static bool is_tidy(const struct bl_ranges *ranges)
{
    for (uint32_t i = 0; i < ranges->count; i++) {
        if (ranges->lo[i] > ranges->hi[i] || (i > 0 && ranges->lo[i] <= ranges->hi[i - 1]))
            return false;
    }
    return true;
}

TEST(meeting_is_both)
{
    uint32_t seed = 1;

    for (int i = 0; i < 3000; i++) {
        struct bl_ranges a = random_ranges(&seed), b = random_ranges(&seed), met;
        bool any = bl_ranges_meet(&a, &b, &met), some = a.absent && b.absent;

        check_case("round %d", i);
        check(is_tidy(&met));
        for (int64_t n = LEAST; n <= GREATEST; n++) {
            bool both = bl_ranges_hold(&a, n) && bl_ranges_hold(&b, n);

            check_int(bl_ranges_hold(&met, n), both);
            some = some || both;
        }
        check_int(any, some);
        check_int(met.absent, a.absent && b.absent);
    }
}

TEST(the_opposite_is_everything_else)
{
    uint32_t seed = 2;

    for (int i = 0; i < 3000; i++) {
        struct bl_ranges a = random_ranges(&seed), rest;
        bool optional = (random_number(&seed) & 1) != 0;

        check_case("round %d", i);
        check(bl_ranges_opposite(&a, LEAST, GREATEST, optional, &rest));
        check(is_tidy(&rest));
        for (int64_t n = LEAST; n <= GREATEST; n++)
            check_int(bl_ranges_hold(&rest, n), !bl_ranges_hold(&a, n));
        check_int(rest.absent, optional && !a.absent);
    }
}

TEST(the_ends_of_the_numbers_are_numbers)
{
    struct bl_ranges all = {.count = 1, .lo = {INT64_MIN}, .hi = {INT64_MAX}}, rest;
    struct bl_ranges last = {.count = 1, .lo = {INT64_MAX}, .hi = {INT64_MAX}};

    check(bl_ranges_opposite(&all, INT64_MIN, INT64_MAX, false, &rest));
    check_size(rest.count, 0);
    check(bl_ranges_opposite(&last, INT64_MIN, INT64_MAX, false, &rest));
    check_size(rest.count, 1);
    check_int(rest.hi[0], INT64_MAX - 1);
    check(bl_ranges_opposite(&rest, INT64_MIN, INT64_MAX, false, &rest));
    check_int(rest.lo[0], INT64_MAX);
}

TEST(too_many_are_refused_and_not_lost)
{
    struct bl_ranges a = {.count = BL_RANGES_MAX}, b = {.count = BL_RANGES_MAX}, met, rest;

    for (uint32_t i = 0; i < BL_RANGES_MAX; i++) {
        a.lo[i] = (int64_t)i * 10;
        a.hi[i] = a.lo[i] + 7;
        b.lo[i] = (int64_t)i * 10 + 5;
        b.hi[i] = b.lo[i] + 7;
    }
    check(!bl_ranges_opposite(&a, INT64_MIN, INT64_MAX, false, &rest));
    check(bl_ranges_meet(&a, &b, &met));
    for (int64_t n = -5; n < 100; n++) {
        if (bl_ranges_hold(&a, n) && bl_ranges_hold(&b, n))
            check(bl_ranges_hold(&met, n)); /* it may hold more, and never less */
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(meeting_is_both),
        cmocka_unit_test(the_opposite_is_everything_else),
        cmocka_unit_test(the_ends_of_the_numbers_are_numbers),
        cmocka_unit_test(too_many_are_refused_and_not_lost),
    };

    return check_main(tests);
}
