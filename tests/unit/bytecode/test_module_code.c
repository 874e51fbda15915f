/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* One promise of the verifier a case: code that breaks this one promise and no other is refused
 * with its message, and where it helps, its neighbour that keeps it is accepted. */

/* ---- capabilities -------------------------------------------------------------------------
 */

static const char add_label[] = "  regs issue, label, clean timeline?\n"
                                "  ambient r0, issue\n"
                                "  const r1, label \"bug\"\n"
                                "  absent r2\n"
                                "  effect r0, 3, add label\n"
                                "  end\n";

static void check_effect(const char *head, unsigned code, const char *says)
{
    char text[512] = "";
    const struct code_case one = {head, text, code, says};
    strcat(text, head);
    strcat(text, add_label);
    verify_cases(&one, 1);
}

TEST(effects_stay_within_the_capabilities_of_the_job)
{
    static const struct code_case pulls[] = {
        {"a comment on a pull request with the permission for these",
         "entry f(pull_request, clean comment, time, int) job 2\n"
         "  effect r0, 4, post:1\n"
         "  end\n",
         0, NULL},
        {"a comment on an issue with it",
         "entry f(issue, clean comment, time, int) job 2\n"
         "  effect r0, 4, post:1\n"
         "  end\n",
         BL_D_CODE_CAPABILITY, "what=post permission=issues: write job=reviewer"},
        {"a label with it",
         "entry f(issue, label, clean timeline?) job 2\n"
         "  effect r0, 3, add label\n"
         "  end\n",
         BL_D_CODE_CAPABILITY, "what=add label"},
        {"lines of the log need none",
         "entry f(text)\n"
         "  effect r0, 1, notice\n"
         "  end\n",
         0, NULL},
    };
    check_effect("entry f() job 0\n", 0, NULL);
    check_effect("entry f() job 1\n", BL_D_CODE_CAPABILITY,
                 "what=add label permission=issues: write job=reader");
    check_effect("entry f()\n", BL_D_CODE_CAPABILITY, "what=add label");
    check_effect("pure f()\n", BL_D_CODE_EFFECT, "only rules and steps have effects");
    check_effect("test f()\n", BL_D_CODE_EFFECT, "only rules and steps have effects");
    VERIFY_CASES(pulls);
}

TEST(calls_give_no_effects_to_who_may_not_have_them)
{
    static const struct code_case cases[] = {
        {"a definition calls a rule",
         "entry g(text)\n"
         "  effect r0, 1, notice\n"
         "  end\n"
         "pure f(text)\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_CALL, "may do what this one may not"},
        {"a rule calls a rule of another job",
         "entry g() job 0\n"
         "  end\n"
         "entry f() job 1\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_CALL, "may do what this one may not"},
        {"a rule calls a rule of its job",
         "entry g() job 1\n"
         "  end\n"
         "entry f() job 1\n"
         "  call #255, r0, g\n"
         "  end\n",
         0, NULL},
        {"a rule calls a test",
         "test g()\n"
         "  end\n"
         "entry f()\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_CALL, "may do what this one may not"},
        {"a definition has a step of a test",
         "pure f(text)\n"
         "  step r0, 1, given maintainer\n"
         "  end\n",
         BL_D_CODE_EFFECT, "only tests have steps"},
        {"a rule has an expectation",
         "entry f(bool)\n"
         "  expect r0, -\n"
         "  end\n",
         BL_D_CODE_EFFECT, "only tests have steps"},
        {"a definition fires",
         "pure f()\n"
         "  fired\n"
         "  end\n",
         BL_D_CODE_EFFECT, "only rules and steps"},
    };
    VERIFY_CASES(cases);
}

/* ---- order of effects' arguments -----------------------------------------------------------
 */

TEST(effects_have_the_arguments_of_their_table)
{
    static const struct code_case cases[] = {
        {"too few",
         "entry f(issue, label) job 0\n"
         "  effect r0, 2, add label\n"
         "  end\n",
         BL_D_CODE_ARGUMENTS, "what=add label found=2 wanted=3"},
        {"too many",
         "entry f(issue, issue) job 0\n"
         "  effect r0, 2, reopen\n"
         "  end\n",
         BL_D_CODE_ARGUMENTS, "what=reopen found=2 wanted=1"},
        {"another thing",
         "entry f(pull_request) job 0\n"
         "  effect r0, 1, reopen\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=pull_request wanted=issue"},
        {"an absent one",
         "entry f(issue?) job 0\n"
         "  effect r0, 1, reopen\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=issue? wanted=issue"},
        {"a comment on a comment",
         "entry f(comment, clean comment, time, int) job 0\n"
         "  effect r0, 4, post:1\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=comment wanted=an issue or a pull request"},
        {"a mark in what is no own comment",
         "entry f(comment, int) job 0\n"
         "  regs comment, name, int\n"
         "  move r2, r0\n"
         "  const r3, name \"round\"\n"
         "  move r4, r1\n"
         "  effect r2, 3, mark\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=comment wanted=an own comment"},
        {"a mark in what may be no own comment",
         "entry f(posted 0?, int) job 0\n"
         "  regs posted 0?, name, int\n"
         "  move r2, r0\n"
         "  const r3, name \"round\"\n"
         "  move r4, r1\n"
         "  effect r2, 3, mark\n"
         "  end\n",
         BL_D_CODE_TYPE, "wanted=an own comment"},
        {"a name in a register for any text",
         "entry f(int)\n"
         "  regs untrusted, int\n"
         "  const r1, name \"round\"\n"
         "  move r2, r0\n"
         "  effect r1, 2, output\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=untrusted wanted=name"},
        {"a word of another list",
         "entry f(issue, issue_state) job 0\n"
         "  effect r0, 2, lock\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=issue_state wanted=lock_reason"},
        {"attributes of another kind",
         "entry f(issue, clean comment, time, int) job 0\n"
         "  effect r0, 4, post:0\n"
         "  end\n",
         BL_D_CODE_ARGUMENTS, "what=post found=4 wanted=6"},
        {"a kind without attributes",
         "entry f(issue, clean comment) job 0\n"
         "  effect r0, 2, post:2\n"
         "  end\n",
         0, NULL},
        {"attributes of a kind that has none",
         "entry f(issue, clean comment, time) job 0\n"
         "  effect r0, 3, post:2\n"
         "  end\n",
         BL_D_CODE_ARGUMENTS, "what=post found=3 wanted=2"},
        {"attributes in another order",
         "entry f(issue, clean comment, int, time) job 0\n"
         "  effect r0, 4, post:1\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int wanted=time?"},
        {"a kind that is not there",
         "entry f(issue, clean comment, time, int) job 0\n"
         "  effect r0, 4, post:3\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=c found=3"},
        {"registers that are not there",
         "entry f(issue) job 0\n"
         "  effect r1, 1, reopen\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=a"},
        {"mark adds one element to a list",
         "entry f(posted 0, name) job 0\n"
         "  regs posted 0, name, name\n"
         "  move r2, r0\n"
         "  const r3, name \"names\"\n"
         "  move r4, r1\n"
         "  effect r2, 3, mark\n"
         "  end\n",
         0, NULL},
        {"mark with a value of another type",
         "entry f(posted 0, text) job 0\n"
         "  regs posted 0, name, text\n"
         "  move r2, r0\n"
         "  const r3, name \"round\"\n"
         "  move r4, r1\n"
         "  effect r2, 3, mark\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
        {"mark with a name that was computed",
         "entry f(posted 0, name, int) job 0\n"
         "  effect r0, 3, mark\n"
         "  end\n",
         BL_D_CODE_CONSTANT, "what=mark"},
        {"mark with a name that one kind lacks",
         "entry f(posted 1, text) job 0\n"
         "  regs posted 1, name, text\n"
         "  move r2, r0\n"
         "  const r3, name \"note\"\n"
         "  move r4, r1\n"
         "  effect r2, 3, mark\n"
         "  end\n",
         BL_D_CODE_CONSTANT, "what=mark"},
        {"mark with a name that is another one on one way",
         "entry f(posted 0, int, bool) job 0\n"
         "  regs posted 0, name, int\n"
         "  move r3, r0\n"
         "  const r4, name \"note\"\n"
         "  jump-if r2, over\n"
         "  const r4, name \"round\"\n"
         "over:\n"
         "  move r5, r1\n"
         "  effect r3, 3, mark\n"
         "  end\n",
         BL_D_CODE_CONSTANT, "what=mark"},
        {"output with a name that was computed",
         "entry f(name, int)\n"
         "  effect r0, 2, output\n"
         "  end\n",
         BL_D_CODE_CONSTANT, "what=output"},
    };
    VERIFY_CASES(cases);
}

TEST(steps_of_tests_have_the_arguments_of_their_table)
{
    static const struct code_case cases[] = {
        {"as the table says",
         "test f(text, int, text, text, time?)\n"
         "  step r0, 5, opens\n"
         "  end\n",
         0, NULL},
        {"another type",
         "test f(text, text, text, text, time?)\n"
         "  step r0, 5, opens\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
        {"too few",
         "test f(text)\n"
         "  step r0, 1, opens\n"
         "  end\n",
         BL_D_CODE_ARGUMENTS, "what=opens found=1 wanted=5"},
        {"a setting gets a value of its type",
         "test f()\n"
         "  regs int, int\n"
         "  const r0, 0\n"
         "  const r1, 5\n"
         "  step r0, 2, set\n"
         "  end\n",
         0, NULL},
        {"a setting gets a value of another type",
         "test f()\n"
         "  regs int, text\n"
         "  const r0, 0\n"
         "  const r1, \"five\"\n"
         "  step r0, 2, set\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
        {"a setting that is not there",
         "test f()\n"
         "  regs int, int\n"
         "  const r0, 1\n"
         "  const r1, 5\n"
         "  step r0, 2, set\n"
         "  end\n",
         BL_D_CODE_CONSTANT, "what=set"},
        {"an expectation that is no condition",
         "test f(int)\n"
         "  expect r0, -\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int wanted=bool"},
    };
    VERIFY_CASES(cases);
}

/* Absent values are no things, and each rule says so. */
TEST(values_that_may_be_absent_are_not_used)
{
    static const struct code_case cases[] = {
        {"a field",
         "pure f(issue?) : int\n"
         "  regs int\n"
         "  field r1, r0, issue.number\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "found=issue? wanted=a thing that has the field"},
        {"a field of another thing",
         "pure f(comment) : int\n"
         "  regs int\n"
         "  field r1, r0, issue.number\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "found=comment wanted=a thing that has the field"},
        {"a field that is none",
         "pure f(event)\n"
         "  regs int\n"
         "  field r1, r0, #30\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=c found=30"},
        {"an attribute",
         "pure f(posted 0?) : int\n"
         "  regs int\n"
         "  attr r1, r0, name \"round\"\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "wanted=an own comment"},
        {"an attribute that only one kind has",
         "pure f(posted 1) : text?\n"
         "  regs text?\n"
         "  attr r1, r0, name \"note\"\n"
         "  return r1\n",
         BL_D_CODE_OPERAND, "operand=c"},
        {"an attribute whose name is a label",
         "pure f(posted 0) : int\n"
         "  regs int\n"
         "  attr r1, r0, label \"round\"\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "operand=c found=label wanted=a name"},
        {"a field of a record",
         "pure f(record 0?) : untrusted\n"
         "  regs untrusted\n"
         "  member r1, r0, 0\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "wanted=a record"},
        {"a list that is searched",
         "pure f(int, list of int?) : bool\n"
         "  regs bool\n"
         "  in r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, "found=list of int? wanted=a list"},
        {"what is searched for may be",
         "pure f(int?, list of int) : bool\n"
         "  regs bool\n"
         "  in r2, r0, r1\n"
         "  return r2\n",
         0, NULL},
        {"a number",
         "pure f(int?, int) : int\n"
         "  regs int\n"
         "  add r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, NULL},
        {"an order",
         "pure f(int?, int) : bool\n"
         "  regs bool\n"
         "  lt r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, NULL},
        {"an absent value where none may be",
         "pure f() : int\n"
         "  regs int\n"
         "  absent r0\n"
         "  return r0\n",
         BL_D_CODE_TYPE, "found=int wanted=a value that may be absent"},
        {"required first",
         "pure f(issue?) : int\n"
         "  regs issue, int\n"
         "  require r1, r0\n"
         "  field r2, r1, issue.number\n"
         "  return r2\n",
         0, NULL},
    };
    VERIFY_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_stay_within_the_capabilities_of_the_job),
        cmocka_unit_test(calls_give_no_effects_to_who_may_not_have_them),
        cmocka_unit_test(effects_have_the_arguments_of_their_table),
        cmocka_unit_test(steps_of_tests_have_the_arguments_of_their_table),
        cmocka_unit_test(values_that_may_be_absent_are_not_used),
    };
    return check_main(tests);
}
