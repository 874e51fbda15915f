/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "support/check.h"

#include <string.h>

struct card {
    uint16_t key, place;
};

static size_t compared;

static int by_key(const void *a, const void *b, const void *context)
{
    const struct card *x = a, *y = b;
    const int *sign = context;

    compared++;
    return *sign * ((x->key > y->key) - (x->key < y->key));
}

/* Each card comes before the next one, and each stands once. */
static void check_order(const struct card *cards, size_t count, int sign)
{
    static bool seen[4096];

    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
        check(!seen[cards[i].place]);
        seen[cards[i].place] = true;
        if (i == 0)
            continue;
        int order =
            sign * ((cards[i - 1].key > cards[i].key) - (cards[i - 1].key < cards[i].key));
        check(order < 0 || (order == 0 && cards[i - 1].place < cards[i].place));
    }
}

static uint16_t key_at(unsigned shape, size_t i, size_t count)
{
    switch (shape) {
    case 0:
        return 0; /* all equal */
    case 1:
        return (uint16_t)i;
    case 2:
        return (uint16_t)(count - i);
    case 3:
        return (uint16_t)(i % 2);
    case 4:
        return (uint16_t)(i < count / 2 ? i : count - i); /* an organ pipe */
    default:
        return (uint16_t)(i * 40503U >> 3); /* scattered */
    }
}

/* No shape takes more comparisons than count * log2(count). */
TEST(all_lengths_and_shapes_come_in_order_and_equals_stay)
{
    for (size_t count = 0; count <= 4096; count += count < 70 ? 1 : count / 3) {
        for (unsigned shape = 0; shape < 6; shape++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                struct bl_arena arena;
                struct card cards[4096];
                size_t rounds = 0;

                check_case("%zu of shape %u, sign %d", count, shape, sign);
                bl_arena_init(&arena, 1U << 20, NULL);
                for (size_t i = 0; i < count; i++)
                    cards[i] = (struct card){key_at(shape, i, count), (uint16_t)i};
                compared = 0;
                check(bl_sort(&arena, cards, count, sizeof *cards, by_key, &sign));
                check_order(cards, count, sign);
                while ((size_t)1 << rounds < count)
                    rounds++;
                check(compared <= 2 * count + rounds * count);
                bl_arena_reset(&arena);
            }
        }
    }
}

TEST(without_memory_the_elements_stay)
{
    struct card cards[] = {{2, 0}, {1, 1}};
    struct bl_arena arena;
    int sign = 1;

    bl_arena_init(&arena, 0, NULL);
    check(!bl_sort(&arena, cards, 2, sizeof *cards, by_key, &sign));
    check_int(cards[0].key, 2);
    check_int(cards[1].key, 1);
    check(bl_sort(&arena, cards, 1, sizeof *cards, by_key, &sign));
    check(bl_sort(&arena, NULL, 0, sizeof *cards, by_key, &sign));
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_and_shapes_come_in_order_and_equals_stay),
        cmocka_unit_test(without_memory_the_elements_stay),
    };
    return check_main(tests);
}
