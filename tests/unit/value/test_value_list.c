/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "value/value.h"

/* A world that has `left` items and hands them out by pages of `page`. */
struct pages {
    struct bl_arena *arena;
    int64_t next;
    uint32_t left, page;
    uint32_t calls;
    uint32_t fail_at; /* which call fails; 0: none */
    bool stuck;       /* brings nothing and never ends */
};

static enum bl_status bring_page(struct bl_list *list, void *context)
{
    struct pages *pages = context;

    pages->calls++;
    if (pages->calls == pages->fail_at)
        return BL_ERR_READ;
    for (uint32_t i = 0; i < pages->page && pages->left > 0 && !pages->stuck; i++) {
        enum bl_status status = bl_list_push(pages->arena, list, bl_int(pages->next));

        if (status != BL_OK)
            return status;
        pages->next++;
        pages->left--;
    }
    list->complete = pages->left == 0 && !pages->stuck;
    return BL_OK;
}

static struct bl_list *paged(struct pages *pages)
{
    struct bl_list *list = bl_list_create(pages->arena);

    list->complete = false;
    list->more = bring_page;
    list->context = pages;
    return list;
}

TEST(a_new_list_is_empty_and_whole)
{
    struct bl_arena arena;
    struct bl_list *list;
    struct bl_value item;
    bool end = false;

    bl_arena_init(&arena, 1 << 20, NULL);
    list = bl_list_create(&arena);
    check_status(bl_list_at(list, 0, &item, &end), BL_OK);
    check(end);
    check(bl_is_absent(item));
    check_status(bl_list_complete(list), BL_OK);
    check_int(bl_list_value(list).tag, BL_V_LIST);
    check(bl_list_value(list).as.list == list);
    bl_arena_reset(&arena);
}

TEST(items_stand_in_the_order_of_pushing)
{
    struct bl_arena arena;
    struct bl_list *list;
    struct bl_list *other;

    bl_arena_init(&arena, 1 << 22, NULL);
    list = bl_list_create(&arena);
    other = bl_list_create(&arena);
    /* Two lists that grow in turn do not share room. */
    for (uint32_t i = 0; i < 1000; i++) {
        check_status(bl_list_push(&arena, list, bl_int(i)), BL_OK);
        check_status(bl_list_push(&arena, other, bl_int(-(int64_t)i)), BL_OK);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        struct bl_value item;
        bool end = true;

        check_case("item %u", i);
        check_status(bl_list_at(list, i, &item, &end), BL_OK);
        check(!end);
        check_int(item.as.i, i);
        check_int(other->items[i].as.i, -(int64_t)i);
    }
    check_int(list->count, 1000);
    bl_arena_reset(&arena);
}

/* Review §5.1: pages are fetched as iteration needs them. */
TEST(pages_come_as_they_are_needed)
{
    static const struct {
        uint32_t items, page, index, calls;
        bool end;
    } cases[] = {
        {250, 100, 0, 1, false},   {250, 100, 99, 1, false}, {250, 100, 100, 2, false},
        {250, 100, 249, 3, false}, {250, 100, 250, 3, true}, {250, 100, 9999, 3, true},
        {0, 100, 0, 1, true},      {3, 1, 2, 3, false},      {3, 1, 3, 3, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_arena arena;
        struct pages pages = {&arena, 0, cases[i].items, cases[i].page, 0, 0, false};
        struct bl_list *list;
        struct bl_value item;
        bool end;

        bl_arena_init(&arena, 1 << 20, NULL);
        check_case("item %u of %u", cases[i].index, cases[i].items);
        list = paged(&pages);
        check_status(bl_list_at(list, cases[i].index, &item, &end), BL_OK);
        check_int(end, cases[i].end);
        check_int(pages.calls, cases[i].calls);
        if (!end)
            check_int(item.as.i, cases[i].index);
        /* What is known is not asked for again. */
        check_status(bl_list_at(list, cases[i].index, &item, &end), BL_OK);
        check_int(pages.calls, cases[i].calls);
        bl_arena_reset(&arena);
    }
}

TEST(a_whole_list_has_all_pages)
{
    struct bl_arena arena;
    struct pages pages = {&arena, 0, 250, 100, 0, 0, false};
    struct bl_list *list;

    bl_arena_init(&arena, 1 << 20, NULL);
    list = paged(&pages);
    check_status(bl_list_complete(list), BL_OK);
    check_int(list->count, 250);
    check_int(pages.calls, 3);
    check_status(bl_list_complete(list), BL_OK);
    check_int(pages.calls, 3);
    bl_arena_reset(&arena);
}

/* Design: a failed read is neither "no" nor "empty". */
TEST(a_failed_page_is_no_end)
{
    struct bl_arena arena;
    struct pages pages = {&arena, 0, 250, 100, 0, 2, false};
    struct bl_list *list;
    struct bl_value item;
    bool end = true;

    bl_arena_init(&arena, 1 << 20, NULL);
    list = paged(&pages);
    check_status(bl_list_at(list, 50, &item, &end), BL_OK);
    check_status(bl_list_at(list, 150, &item, &end), BL_ERR_READ);
    check(!end);
    check(!list->complete);
    pages.calls = 1;
    check_status(bl_list_complete(list), BL_ERR_READ);
    bl_arena_reset(&arena);
}

TEST(a_page_that_brings_nothing_for_ever_ends_the_read)
{
    struct bl_arena arena;
    struct pages pages = {&arena, 0, 10, 5, 0, 0, true};
    struct bl_list *list;
    struct bl_value item;
    bool end = true;

    bl_arena_init(&arena, 1 << 20, NULL);
    list = paged(&pages);
    check_status(bl_list_at(list, 0, &item, &end), BL_ERR_INTERNAL);
    check(!end);
    check_status(bl_list_complete(list), BL_ERR_INTERNAL);
    list->more = NULL;
    check_status(bl_list_complete(list), BL_ERR_INTERNAL);
    bl_arena_reset(&arena);
}

TEST(a_list_holds_so_many_items_and_no_more)
{
    uint64_t limit = bl_limit(BL_LIMIT_LIST_ITEMS);
    struct bl_arena arena;
    struct bl_list *list;

    bl_arena_init(&arena, 1 << 24, NULL);
    list = bl_list_create(&arena);
    for (uint64_t i = 0; i < limit; i++)
        check_status(bl_list_push(&arena, list, bl_int(1)), BL_OK);
    check_status(bl_list_push(&arena, list, bl_int(1)), BL_ERR_LIMIT);
    check_size(list->count, limit);
    check(!arena.failed);
    bl_arena_reset(&arena);
}

TEST(every_allocation_may_fail)
{
    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_list *list;
        enum bl_status status = BL_OK;
        uint32_t pushed = 0;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, 1 << 24, &failing.allocator);
        list = bl_list_create(&arena);
        while (list != NULL && pushed < 20000) {
            status = bl_list_push(&arena, list, bl_int(pushed));
            if (status != BL_OK)
                break;
            pushed++;
        }
        check_case("allocation %zu", n);
        if (list != NULL) {
            check(status == BL_OK || status == BL_ERR_NOMEM);
            check_int(list->count, pushed);
            for (uint32_t i = 0; i < pushed; i++)
                check_int(list->items[i].as.i, i);
        }
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        if (list != NULL && status == BL_OK)
            break;
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_list_is_empty_and_whole),
        cmocka_unit_test(items_stand_in_the_order_of_pushing),
        cmocka_unit_test(pages_come_as_they_are_needed),
        cmocka_unit_test(a_whole_list_has_all_pages),
        cmocka_unit_test(a_failed_page_is_no_end),
        cmocka_unit_test(a_page_that_brings_nothing_for_ever_ends_the_read),
        cmocka_unit_test(a_list_holds_so_many_items_and_no_more),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return check_main(tests);
}
