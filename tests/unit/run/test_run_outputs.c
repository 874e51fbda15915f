/* SPDX-License-Identifier: Apache-2.0 */
#include "run/outputs.h"
#include "running.h"
#include "support/check.h"

#include <string.h>

/* Outputs and the summary: github.md "The runner", OUT-11, OUT-12, FLT-09. */

static struct bl_arena arena;
static struct running r;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 256 << 20, NULL);
    check(running_open(&r, &arena));
    bl_diagnostics_init(&r.sink, &arena, 100);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

/* Reads a file of outputs as the runner does: in a line the first of `=` and `<<` decides; a
 * heredoc goes to the line that is its delimiter. False when the runner would fail the step. */
struct pair {
    bl_str name, value;
};
static bool read_outputs(bl_str file, struct pair *pairs, size_t *count)
{
    *count = 0;
    while (file.len > 0) {
        size_t end = bl_str_find_char(file, '\n');
        bl_str line = bl_str_slice(file, 0, end == SIZE_MAX ? file.len : end);
        size_t equals = bl_str_find_char(line, '=');
        size_t heredoc = bl_str_find(line, BL_STR("<<"));

        file = bl_str_slice(file, end == SIZE_MAX ? file.len : end + 1, file.len);
        if (equals < heredoc) {
            pairs[(*count)++] = (struct pair){bl_str_slice(line, 0, equals),
                                              bl_str_slice(line, equals + 1, line.len)};
            continue;
        }
        if (heredoc == SIZE_MAX)
            return false;
        bl_str delimiter = bl_str_slice(line, heredoc + 2, line.len);
        bl_str value = {file.ptr, 0};
        bool ended = false;
        bool first = true;
        while (file.len > 0 && !ended) {
            end = bl_str_find_char(file, '\n');
            bl_str next = bl_str_slice(file, 0, end == SIZE_MAX ? file.len : end);
            ended = bl_str_equal(next, delimiter);
            if (!ended)
                value.len = (size_t)(next.ptr + next.len - value.ptr);
            first = false;
            file = bl_str_slice(file, end == SIZE_MAX ? file.len : end + 1, file.len);
        }
        if (!ended || first)
            return false;
        pairs[(*count)++] = (struct pair){bl_str_slice(line, 0, heredoc), value};
    }
    return true;
}

TEST(no_value_begins_another_output)
{
    static const char *const values[] = {
        "triage",
        "",
        "a\nb",
        "triage\nevil=1",
        "x<<y\nz",
        "bylaw_end_0",
        "bylaw_end_0\nevil=1",
        "bylaw_end_0\nbylaw_end_1\nbylaw_end_2",
        "bylaw_end_999999999999999999",
        "bylaw_end_99999999999999999999999",
        "bylaw_end_\nbylaw_end_x",
        "a\n",
        "\n",
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct bl_buf out;
        struct pair pairs[10];
        size_t count;

        check_case("value %u", (unsigned)i);
        bl_buf_init(&out, &arena, 10000);
        check(bl_output_put(&out, BL_STR("before"), BL_STR("1"), &r.sink));
        check(bl_output_put(&out, BL_STR("name"), bl_str_from(values[i]), &r.sink));
        check(bl_output_put(&out, BL_STR("after"), BL_STR("2"), &r.sink));
        check(read_outputs(bl_buf_str(&out), pairs, &count));
        check_size(count, 3);
        check_str(pairs[1].name, "name");
        check_str(pairs[1].value, values[i]);
        check_str(pairs[2].name, "after");
    }
}

/* A value full of our own words still takes one pass. */
TEST(hostile_values_take_linear_time)
{
    struct bl_buf value;
    struct bl_buf out;

    bl_buf_init(&value, &arena, 1 << 21);
    for (unsigned i = 0; i < 60000; i++)
        bl_buf_printf(&value, "bylaw_end_%u\n", i);
    bl_buf_init(&out, &arena, 1 << 22);
    check(bl_output_put(&out, BL_STR("n"), bl_buf_str(&value), &r.sink));
    check(bl_str_starts_with(bl_buf_str(&out), BL_STR("n<<bylaw_end_60000\n")));
}

TEST(names_are_checked)
{
    static const struct {
        const char *name;
        bool good;
    } names[] = {{"task", true},  {"_a-1", true}, {"A", true},        {"", false},
                 {"1a", false},   {"-a", false},  {"a=b", false},     {"a\nb", false},
                 {"a<<b", false}, {"a b", false}, {"\xC3\xA4", false}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct bl_buf out;

        bl_buf_init(&out, &arena, 1000);
        bl_diagnostics_init(&r.sink, &arena, 100);
        check_case("%s", names[i].name);
        check(bl_output_put(&out, bl_str_from(names[i].name), BL_STR("1"), &r.sink) ==
              names[i].good);
        check_size(r.sink.list.count, names[i].good ? 0 : 1);
        check_size(out.len > 0, names[i].good ? 1 : 0);
    }
}

static bl_str outputs(void)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1 << 16);
    check(bl_outputs_write(&r.result, &r.options, &out, &r.sink));
    return bl_buf_str(&out);
}

TEST(a_run_gives_its_task_and_outputs)
{
    running_rule(&r, "all", BL_EVENT_ISSUES_OPENED,
                 "regs issue, bool, name, int, task\n ambient r0, issue\n fired\n"
                 " const r2, name \"rounds\"\n const r3, 3\n effect r2, 2, output\n"
                 " const r4, task 1\n effect r4, 1, start\n const r1, true\n return r1\n");
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_str(outputs(), "task<<bylaw_end_0\nreport\nbylaw_end_0\n"
                         "rounds<<bylaw_end_0\n3\nbylaw_end_0\n"
                         "outputs<<bylaw_end_0\n{\"rounds\":\"3\"}\nbylaw_end_0\n");
}

TEST(a_job_that_decides_says_none)
{
    stage_add(&r.stage, "pure next_task() : task?\n regs task?\n absent r0\n return r0\n");
    r.stage.builder->JOBS.items[0].decision =
        stage_entry(&r.stage, BL_ENTRY_DECISION, "next_task", BL_EVENT_COUNT);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    check_str(outputs(), "task<<bylaw_end_0\nnone\nbylaw_end_0\n");
    r.options.job = 1; /* decides nothing */
    check_status(running_go(&r), BL_OK);
    check_str(outputs(), "");
}

/* ---- summary ------------------------------------------------------------------------------
 */

static bl_str summary(size_t taken)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 2 << 20);
    bl_summary_write(&r.result, &r.stage.module, taken, &out);
    check(!out.failed);
    return bl_buf_str(&out);
}

static const char adds_two[] =
    "regs issue, label, clean timeline?, bool, clean comment, int, name?, list of time, text,"
    " issue, clean comment, int, name?, list of time\n"
    " ambient r0, issue\n fired\n const r1, label \"bug\"\n absent r2\n"
    " effect r0, 3, add label\n const r1, label \"a`b\"\n effect r0, 3, add label\n"
    " ambient r9, issue\n const r8, \"words\"\n move r10, r8\n const r11, 1\n absent r12\n"
    " list r13\n effect r9, 5, post:2\n effect r8, 1, notice\n const r3, true\n return r3\n";

/* What was written and the write that failed; no text of an issue.
 * req: FLT-09, OUT-12 */
TEST(the_summary_lists_writes_and_the_failure)
{
    running_rule(&r, "adds", BL_EVENT_ISSUES_OPENED, adds_two);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.world.issues[0].title = "TITLE-OF-A-STRANGER";
    r.world.cut_after = 1;
    check_status(running_go(&r), BL_ERR_WRITE);
    check_str(summary(0),
              "- Written: `add label bug to #12`\n"
              "- Failed: `add label \"a'b\" to #12` – `The write was not made: GitHub"
              " answered 500`\n"
              "- Left: `post reply on #12`\n");
}

TEST(a_full_summary_counts_the_rest)
{
    running_rule(&r, "adds", BL_EVENT_ISSUES_OPENED, adds_two);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    check_status(running_go(&r), BL_OK);
    bl_str all = summary(0);
    check_str(summary(BL_SUMMARY_BYTES), "");
    check_str(summary(BL_SUMMARY_BYTES + 5), "");
    for (size_t room = 0; room < 400; room++) {
        bl_str some = summary(BL_SUMMARY_BYTES - room);

        check(some.len <= room);
        check(some.len == 0 || some.ptr[some.len - 1] == '\n');
        check(bl_str_equal(some, all) || some.len == 0 ||
              bl_str_find(some, BL_STR(" more.\n")) != SIZE_MAX);
    }
    check(bl_str_find(summary(BL_SUMMARY_BYTES - 240), BL_STR("- And 2 more.\n")) != SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_value_begins_another_output, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_values_take_linear_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_checked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_gives_its_task_and_outputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_job_that_decides_says_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_summary_lists_writes_and_the_failure, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_full_summary_counts_the_rest, set_up, tear_down),
    };
    return check_main(tests);
}
