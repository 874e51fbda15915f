/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "run/explain.h"
#include "running.h"
#include "support/check.h"

/* Why a rule fired or not: the condition that decided, its values, its place; rules that the
 * index left out too. */

static struct bl_arena arena;
static struct running r;
static struct bl_sources sources;

static const char source[] = "rule old_ones {\n"
                             "  on issues.opened\n"
                             "  when is_old(issue)\n"
                             "  add label stale\n"
                             "}\n"
                             "define is_old(issue) = issue.created_at < now - 15 days\n";

static uint32_t at(const char *words)
{
    size_t place = bl_str_find(bl_str_from(source), bl_str_from(words));

    check(place != SIZE_MAX);
    return (uint32_t)place;
}

static void prepare(void)
{
    bl_arena_init(&arena, 64 << 20, NULL);
    check(running_open(&r, &arena));
    stage_add(&r.stage, "pure is_old(issue) : bool\n regs time, time, duration, time, bool\n"
                        " field r1, r0, issue.created_at\n ambient r2, now\n"
                        " const r3, duration 1296000\n sub r4, r2, r3\n lt r5, r1, r4\n"
                        " return r5\n");
    stage_map(&r.stage, "is_old", 4, at("issue.created_at <"), at("days\n") + 4);
    running_rule(&r, "old_ones", BL_EVENT_ISSUES_OPENED,
                 "regs issue, bool\n ambient r0, issue\n call r1, r0, is_old\n"
                 " jump-unless r1, no\n fired\nno:\n return r1\n");
    stage_map(&r.stage, "old_ones", 1, at("is_old(issue)\n"), at("is_old(issue)\n") + 13);
    running_rule(&r, "open_ones", BL_EVENT_ISSUES_OPENED,
                 "regs issue, issue_state, issue_state, bool\n ambient r0, issue\n"
                 " field r1, r0, issue.state\n const r2, issue_state open\n eq r3, r1, r2\n"
                 " jump-unless r3, no\n fired\nno:\n return r3\n");
    stage_map(&r.stage, "open_ones", 3, at("on issues"), at("on issues") + 5);
    uint32_t bugs = running_rule(&r, "bugs", BL_EVENT_ISSUES_OPENED,
                                 "regs bool\n const r0, true\n return r0\n");
    uint32_t bobs = running_rule(&r, "bobs", BL_EVENT_ISSUES_OPENED,
                                 "regs bool\n const r0, true\n return r0\n");
    uint32_t closed = running_rule(&r, "closed_ones", BL_EVENT_ISSUES_OPENED,
                                   "regs bool\n const r0, true\n return r0\n");
    running_rule(&r, "no_condition", BL_EVENT_ISSUES_OPENED,
                 "regs bool\n const r0, true\n return r0\n");
    bl_builder_access_text(r.stage.builder, BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS,
                           BL_STR("bug"), bugs);
    bl_builder_access_text(r.stage.builder, BL_ACCESS_TEXT, BL_FACT_ISSUE_AUTHOR, BL_STR("bob"),
                           bobs);
    bl_builder_access_number(r.stage.builder, BL_ACCESS_ENUM, BL_FACT_ISSUE_STATE,
                             BL_ISSUE_STATE_CLOSED, closed);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    r.options.explain = true;
    bl_sources_init(&sources, &arena);
    bl_sources_add(&sources, BL_STR("rules.policy"), bl_str_from(source));
}

static bl_str explained(struct bl_sources *with, bool colour)
{
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1 << 20);
    bl_explain_print(&r.result, &r.stage.module, with, colour, &out);
    return bl_buf_str(&out);
}

TEST(people_read_what_decided)
{
    prepare();
    check_status(running_go(&r), BL_OK);
    check_size(r.result.rules_skipped, 3);
    check_str(explained(&sources, false),
              "skipped  bugs\n"
              "         false: issue.labels has \"bug\"\n"
              "skipped  bobs\n"
              "         false: issue.author.login == \"bob\"\n"
              "skipped  closed_ones\n"
              "         false: issue.state == closed\n"
              "not      old_ones\n"
              "         false: is_old\n"
              "           rules.policy:3:8  when is_old(issue)\n"
              "         false: 1970-01-01T00:08:20Z < 1969-12-17T00:08:20Z\n"
              "           rules.policy:6:24  define is_old(issue) = issue.created_at < now - "
              "15 days\n"
              "fired    open_ones\n"
              "         true: open == open\n"
              "           rules.policy:2:3  on issues.opened\n"
              "fired    no_condition\n");
    /* Without the text of the source the path alone. */
    check(bl_str_find(explained(NULL, false), BL_STR("           rules.policy\n")) != SIZE_MAX);
    check(bl_str_find(explained(&sources, true), BL_STR("\033[32mfired\033[0m")) != SIZE_MAX);
    bl_arena_reset(&arena);
}

/* `issue lacks stale` is the opposite of a condition, and reads as one. */
TEST(an_opposite_reads_as_one_condition)
{
    bl_arena_init(&arena, 64 << 20, NULL);
    check(running_open(&r, &arena));
    running_rule(&r, "unmarked", BL_EVENT_ISSUES_OPENED,
                 "regs issue, list of label, label, bool\n ambient r0, issue\n"
                 " field r1, r0, issue.labels\n const r2, label \"stale\"\n in r3, r2, r1\n"
                 " not r3, r3\n jump-unless r3, no\n fired\nno:\n return r3\n");
    stage_map(&r.stage, "unmarked", 3, 1, 2);
    stage_map(&r.stage, "unmarked", 4, 1, 2);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    scripted_label(&r.world, 12, "bug");
    r.options.explain = true;
    check_status(running_go(&r), BL_OK);
    check_str(explained(NULL, false), "fired    unmarked\n"
                                      "         true: not \"stale\" in [bug]\n"
                                      "           rules.policy\n");
    bl_arena_reset(&arena);
}

TEST(programs_read_the_same)
{
    struct bl_buf out;
    struct bl_json_writer writer;
    struct bl_json_error error;
    size_t notes = 0;

    prepare();
    check_status(running_go(&r), BL_OK);
    bl_buf_init(&out, &arena, 1 << 20);
    bl_json_writer_init(&writer, &out, true);
    bl_explain_json(&r.result, &r.stage.module, &sources, &writer);
    const struct bl_json *json = bl_json_parse(&arena, bl_buf_str(&out), 20, &notes, &error);
    check(json != NULL && json->count == 1);
    const struct bl_json *rules = bl_json_get(&json->items[0], BL_STR("rules"));
    check_size(rules->count, 6);
    check_str(bl_json_get(&rules->items[0], BL_STR("outcome"))->string, "skipped");
    check_str(bl_json_get(&rules->items[0], BL_STR("needs"))->string,
              "issue.labels has \"bug\"");
    const struct bl_json *old_ones = &rules->items[3];
    check_str(bl_json_get(old_ones, BL_STR("rule"))->string, "old_ones");
    const struct bl_json *conditions = bl_json_get(old_ones, BL_STR("conditions"));
    check_size(conditions->count, 2);
    check_int(bl_json_get(&conditions->items[1], BL_STR("line"))->integer, 6);
    check_int(bl_json_get(&conditions->items[1], BL_STR("column"))->integer, 24);
    check_int(bl_json_get(&conditions->items[1], BL_STR("holds"))->kind, BL_JSON_FALSE);
    check_str(bl_json_get(&conditions->items[0], BL_STR("text"))->string, "when is_old(issue)");
    bl_arena_reset(&arena);
}

TEST(a_rule_that_stopped_says_why)
{
    prepare();
    r.world.fails = true;
    r.world.failing = BL_READ_ISSUE;
    check_status(running_go(&r), BL_ERR_READ);
    check_str(explained(&sources, false), ""); /* no rule was reached */
    r.world.fails = false;
    r.options.limits.instructions = 9;
    check_status(running_go(&r), BL_ERR_LIMIT);
    bl_str text = explained(&sources, false);
    check(bl_str_find(text, BL_STR("stopped  ")) != SIZE_MAX);
    check(bl_str_find(text, BL_STR("The budget of instructions is used up")) != SIZE_MAX);
    bl_arena_reset(&arena);
}

/* The decision of a run is the same with and without its explanation. */
TEST(explaining_changes_nothing)
{
    prepare();
    check_status(running_go(&r), BL_OK);
    uint64_t instructions = r.result.instructions;
    size_t evaluated = r.result.rules_evaluated;
    r.options.explain = false;
    check_status(running_go(&r), BL_OK);
    check(r.result.instructions == instructions);
    check_size(r.result.rules_evaluated, evaluated);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_what_decided),
        cmocka_unit_test(an_opposite_reads_as_one_condition),
        cmocka_unit_test(programs_read_the_same),
        cmocka_unit_test(a_rule_that_stopped_says_why),
        cmocka_unit_test(explaining_changes_nothing),
    };
    return check_main(tests);
}
