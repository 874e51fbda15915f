/* SPDX-License-Identifier: Apache-2.0 */
#include "planning.h"
#include "support/check.h"

/* Plans for people and for programs: FLT-09, OUT-12; no text of strangers but in the comments
 * of the JSON. */

static struct planning p;

static const char stranger[] = "SECRET-WORDS";

static void plan_some(void)
{
    struct bl_value reason = text_value(stranger);
    struct bl_value close[] = {planning_issue(&p, 12),
                               bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE),
                               planning_issue(&p, 9), reason};
    struct bl_value add[] = {planning_issue(&p, 12), text_value("a \"b\"\n::c"), reason};

    scripted_label(&p.world, 12, "bug");
    plan_chain(&p, BETA);
    plan_add(&p, "bug");
    plan_effect(&p, BL_EFFECT_ADD_LABEL, 0, add, 3);
    plan_reply(&p, 7, stranger);
    plan_effect(&p, BL_EFFECT_CLOSE, 0, close, 4);
    plan_effect(&p, BL_EFFECT_START, 0, (struct bl_value[]){bl_number(BL_V_TASK, 0)}, 1);
    plan_notice(&p, BL_EFFECT_NOTICE, "a line");
    plan_chain(&p, GAMMA);
    plan_add(&p, "bug");
}

static bl_str printed(bool colour)
{
    struct bl_buf out;

    bl_buf_init(&out, &p.arena, 1 << 16);
    bl_plan_print(&p.plan, &out, colour);
    return bl_buf_str(&out);
}

TEST(people_read_a_line_an_effect)
{
    planning_open(&p, false);
    p.world.cut_after = 1;
    plan_some();
    check_status(planning_run(&p, false), BL_ERR_WRITE);
    check_str(printed(false),
              "there   add label bug to #12  (beta, gamma)\n"
              "done    add label \"a \\\"b\\\"\\u{A}:\\u{3A}c\" to #12  (beta)\n"
              "failed  post reply on #12  (beta): The write was not made: GitHub answered 500\n"
              "left    close #12 as duplicate of #9  (beta)\n"
              "left    start the task triage  (beta)\n"
              "done    notice: a line  (beta)\n");
    bl_str colour = printed(true);
    check(bl_str_find(colour, BL_STR("\033[31mfailed\033[0m")) != SIZE_MAX);
    check(bl_str_find(colour, BL_STR("\033[32mdone\033[0m")) != SIZE_MAX);
    check(bl_str_find(printed(false), bl_str_from(stranger)) == SIZE_MAX);
    planning_close(&p);
}

TEST(programs_read_json)
{
    struct bl_buf out;
    struct bl_json_writer writer;
    struct bl_json_error error;
    size_t notes = 0;

    planning_open(&p, false);
    p.world.cut_after = 1;
    plan_some();
    check_status(planning_run(&p, false), BL_ERR_WRITE);
    bl_buf_init(&out, &p.arena, 1 << 16);
    bl_json_writer_init(&writer, &out, false);
    bl_plan_json(&p.plan, &writer);
    const struct bl_json *json = bl_json_parse(&p.arena, bl_buf_str(&out), 20, &notes, &error);
    check(json != NULL && json->kind == BL_JSON_ARRAY);
    check_size(json->count, 6);
    const struct bl_json *post = &json->items[2];
    check_str(bl_json_get(post, BL_STR("effect"))->string, "post");
    check_str(bl_json_get(post, BL_STR("state"))->string, "failed");
    check_str(bl_json_get(post, BL_STR("words"))->string, "post reply on #12");
    check_str(bl_json_get(post, BL_STR("body"))->string,
              "<!-- bylaw:reply to=7 -->\n\nSECRET-WORDS");
    check_str(bl_json_get(bl_json_get(post, BL_STR("failure")), BL_STR("why"))->string,
              "GitHub answered 500");
    const struct bl_json *add = &json->items[0];
    check_size(bl_json_get(add, BL_STR("rules"))->count, 2);
    check_str(bl_json_get(bl_json_get(add, BL_STR("arguments")), BL_STR("issue"))->string,
              "#12");
    check_str(bl_json_get(bl_json_get(add, BL_STR("arguments")), BL_STR("label"))->string,
              "bug");
    const struct bl_json *close = bl_json_get(&json->items[3], BL_STR("arguments"));
    check_str(bl_json_get(close, BL_STR("state_reason"))->string, "duplicate");
    check_str(bl_json_get(close, BL_STR("duplicate_of"))->string, "#9");
    check_str(
        bl_json_get(bl_json_get(&json->items[5], BL_STR("arguments")), BL_STR("text"))->string,
        "a line");
    /* The words of strangers stand in the body of the comment and nowhere else. */
    bl_str all = bl_buf_str(&out);
    size_t first = bl_str_find(all, bl_str_from(stranger));
    check(first != SIZE_MAX);
    check(bl_str_find(bl_str_slice(all, first + 1, all.len), bl_str_from(stranger)) ==
          SIZE_MAX);
    planning_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_read_a_line_an_effect),
        cmocka_unit_test(programs_read_json),
    };
    return check_main(tests);
}
