/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diagnostic.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/check_diagnostic.h"

#include <string.h>

static struct bl_arena arena;
static struct bl_diagnostics sink;

static int setup(void **state)
{
    (void)state;
    check_case("%s", "");
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &arena, 3);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_span span(uint32_t lo, uint32_t hi)
{
    return (struct bl_span){lo, hi, 0};
}

TEST(keeps_everything_of_a_message)
{
    char name[] = "lable";
    struct bl_diagnostic *d = bl_diagnostic_add(&sink, 17, BL_SEVERITY_ERROR, span(4, 9));
    bl_diagnostic_text(&sink, d, "name", bl_str_from(name));
    bl_diagnostic_int(&sink, d, "count", -3);
    bl_diagnostic_label(&sink, d, span(1, 2), BL_STR("First declared here."));
    bl_diagnostic_help(&sink, d, BL_STR("Rename one of them."));
    bl_diagnostic_fix(&sink, d, span(4, 9), BL_STR("label"));
    memset(name, 'X', sizeof(name) - 1);

    check_size(sink.list.count, 1);
    check_size(sink.errors, 1);
    check(sink.list.items[0] == d);
    struct bl_sources sources;
    bl_sources_init(&sources, &arena);
    bl_sources_add(&sources, BL_STR("a"), BL_STR("ab\n lable"));
    check_diag(&sink, &sources, 0, 17, 2, 2);
    check_diag_arg(&sink, 0, "name", "lable");
    check_diag_arg(&sink, 0, "count", "-3");
    check_size(d->label_count, 1);
    check_str(d->labels[0].text, "First declared here.");
    check_int(d->labels[0].span.hi, 2);
    check_str(d->help, "Rename one of them.");
    check(d->has_fix);
    check_str(d->fix_text, "label");
    check_int(d->fix_span.lo, 4);
}

TEST(counts_by_severity_and_stops_keeping_errors)
{
    for (int i = 0; i < 5; i++) {
        bl_diagnostic_add(&sink, 1, BL_SEVERITY_ERROR, span(0, 0));
        bl_diagnostic_add(&sink, 2, BL_SEVERITY_WARNING, span(0, 0));
        bl_diagnostic_add(&sink, 3, BL_SEVERITY_NOTE, span(0, 0));
        bl_diagnostic_add(&sink, 4, BL_SEVERITY_OFF, span(0, 0));
    }
    check_size(sink.errors, 3);
    check_size(sink.dropped, 2);
    check_size(sink.warnings, 5);
    check_size(sink.list.count, 3 + 5 + 5);
}

TEST(the_spare_takes_what_nobody_keeps)
{
    struct bl_diagnostic *d = bl_diagnostic_add(&sink, 4, BL_SEVERITY_OFF, span(0, 1));
    size_t used = arena.used;
    for (int i = 0; i < 100; i++) {
        bl_diagnostic_text(&sink, d, "name", BL_STR("text"));
        bl_diagnostic_int(&sink, d, "count", i);
        bl_diagnostic_label(&sink, d, span(0, 1), BL_STR("text"));
        bl_diagnostic_help(&sink, d, BL_STR("text"));
        bl_diagnostic_fix(&sink, d, span(0, 1), BL_STR("text"));
    }
    check_size(arena.used, used);
    check_size(sink.list.count, 0);
}

TEST(arguments_are_bounded)
{
    struct bl_diagnostic *d = bl_diagnostic_add(&sink, 1, BL_SEVERITY_ERROR, span(0, 1));
    char longer[300];
    memset(longer, 'x', sizeof(longer));
    memcpy(longer + 199, "\xC3\xA4", 2); /* a code point over the edge goes as a whole */
    bl_diagnostic_text(&sink, d, "name", (bl_str){longer, sizeof(longer)});
    check_size(d->args[0].value.len, 199);
    for (int i = 0; i < 50; i++) {
        bl_diagnostic_int(&sink, d, "count", i);
        bl_diagnostic_label(&sink, d, span(0, 1), BL_STR("text"));
    }
    check_size(d->arg_count, BL_DIAGNOSTIC_ARGS_MAX);
    check_size(d->label_count, BL_DIAGNOSTIC_LABELS_MAX);
}

TEST(sorts_by_place_and_keeps_the_order_of_equals)
{
    static const struct {
        uint32_t source, lo, hi;
        unsigned code;
    } given[] = {
        {1, 0, 1, 10},  {0, 9, 10, 11}, {0, 3, 8, 12}, {0, 3, 4, 13},
        {0, 9, 10, 14}, {0, 0, 0, 15},  {1, 0, 1, 16}, {0, 9, 10, 17},
    };
    static const unsigned sorted[] = {15, 13, 12, 11, 14, 17, 10, 16};
    bl_diagnostics_init(&sink, &arena, 100);
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        bl_diagnostic_add(&sink, given[i].code, BL_SEVERITY_ERROR,
                          (struct bl_span){given[i].lo, given[i].hi, given[i].source});
    }
    bl_diagnostics_sort(&sink);
    check_size(sink.list.count, 8);
    for (size_t i = 0; i < 8; i++) {
        check_case("place %zu", i);
        check_int(sink.list.items[i]->code, sorted[i]);
    }
}

TEST(sorts_many)
{
    bl_diagnostics_init(&sink, &arena, SIZE_MAX);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t lo = i * 7919 % 1000; /* each of 0 to 999 once */
        bl_diagnostic_add(&sink, lo, BL_SEVERITY_WARNING, span(lo, lo));
    }
    bl_diagnostics_sort(&sink);
    check_size(sink.list.count, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        check_int(sink.list.items[i]->code, i);
    }
}

TEST(drops_repetitions)
{
    bl_diagnostics_init(&sink, &arena, 100);
    for (int i = 0; i < 3; i++) {
        struct bl_diagnostic *d = bl_diagnostic_add(&sink, 1, BL_SEVERITY_ERROR, span(2, 3));
        bl_diagnostic_text(&sink, d, "name", BL_STR("a"));
        d = bl_diagnostic_add(&sink, 1, BL_SEVERITY_ERROR, span(2, 3));
        bl_diagnostic_text(&sink, d, "name", BL_STR("b"));
        bl_diagnostic_add(&sink, 2, BL_SEVERITY_WARNING, span(2, 3));
        bl_diagnostic_add(&sink, 2, BL_SEVERITY_WARNING, span(2, 4));
    }
    bl_diagnostics_sort(&sink);
    check_size(sink.list.count, 4);
    check_size(sink.errors, 2);
    check_size(sink.warnings, 2);
    check_diag_arg(&sink, 0, "name", "a");
    check_diag_arg(&sink, 1, "name", "b");
}

TEST(an_error_without_memory_is_still_an_error)
{
    for (size_t n = 1; n < 20; n++) {
        struct failing_allocator failing;
        struct bl_arena small;
        check_case("allocation %zu fails", n);
        failing_allocator_init(&failing, n);
        bl_arena_init(&small, SIZE_MAX, &failing.allocator);
        bl_diagnostics_init(&sink, &small, 1000);
        for (int i = 0; i < 100; i++) {
            struct bl_diagnostic *d =
                bl_diagnostic_add(&sink, 1, BL_SEVERITY_ERROR, span(0, 1));
            bl_diagnostic_text(&sink, d, "name", BL_STR("text"));
            bl_diagnostic_int(&sink, d, "count", i);
        }
        bool failed = small.failed;
        check_size(sink.errors, 100);
        check(failed || sink.list.count == 100);
        check(sink.list.count + sink.dropped == 100);
        bl_diagnostics_sort(&sink);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        if (!failed) {
            check(n > 2);
            return;
        }
    }
    check(false);
}

#define WITH_SINK(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SINK(keeps_everything_of_a_message),
        WITH_SINK(counts_by_severity_and_stops_keeping_errors),
        WITH_SINK(the_spare_takes_what_nobody_keeps),
        WITH_SINK(arguments_are_bounded),
        WITH_SINK(sorts_by_place_and_keeps_the_order_of_equals),
        WITH_SINK(sorts_many),
        WITH_SINK(drops_repetitions),
        WITH_SINK(an_error_without_memory_is_still_an_error),
    };
    return check_main(tests);
}
