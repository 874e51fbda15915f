/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* One promise of the verifier a case: code that breaks this one promise and no other is refused
 * with its message, and where it helps, its neighbour that keeps it is accepted. */

/* ---- flow of untrusted text ---------------------------------------------------------------
 */

/* req: SAN-01 SAN-02: text of people and of an AI reaches no place unclean. */
TEST(untrusted_text_reaches_no_place)
{
    static const struct code_case cases[] = {
        {"as a comment",
         "entry f(issue, time, int, list of name) : bool job 0\n"
         "  regs issue, untrusted, time, int, text?, list of name, bool\n"
         "  move r4, r0\n"
         "  field r5, r0, issue.text\n"
         "  move r6, r1\n"
         "  move r7, r2\n"
         "  absent r8\n"
         "  move r9, r3\n"
         "  effect r4, 6, post:0\n"
         "  const r10, true\n"
         "  return r10\n",
         BL_D_CODE_UNTRUSTED, "what=post found=untrusted place=comment"},
        {"as the reason of a label",
         "entry f(issue) job 0\n"
         "  regs issue, label, untrusted\n"
         "  move r1, r0\n"
         "  const r2, label \"bug\"\n"
         "  field r3, r0, issue.title\n"
         "  effect r1, 3, add label\n"
         "  end\n",
         BL_D_CODE_UNTRUSTED, "what=add label found=untrusted place=timeline"},
        {"as a notice",
         "entry f(issue) job 0\n"
         "  regs untrusted\n"
         "  field r1, r0, issue.title\n"
         "  effect r1, 1, notice\n"
         "  end\n",
         BL_D_CODE_UNTRUSTED, "what=notice found=untrusted place=log"},
        {"a name as it stands",
         "entry f(user) job 0\n"
         "  regs name\n"
         "  field r1, r0, user.login\n"
         "  effect r1, 1, notice\n"
         "  end\n",
         BL_D_CODE_UNTRUSTED, "found=name"},
        {"a name that was rendered for the log",
         "entry f(user) job 0\n"
         "  regs name, clean log\n"
         "  field r1, r0, user.login\n"
         "  render r2, r1, log\n"
         "  effect r2, 1, notice\n"
         "  end\n",
         0, NULL},
        {"text that was cleaned for another place",
         "entry f(user) job 0\n"
         "  regs name, clean comment\n"
         "  field r1, r0, user.login\n"
         "  render r2, r1, comment\n"
         "  effect r2, 1, notice\n"
         "  end\n",
         BL_D_CODE_UNTRUSTED, "found=text[comment] place=log"},
        {"as own text by a move",
         "entry f(issue) job 0\n"
         "  regs untrusted, text\n"
         "  field r1, r0, issue.title\n"
         "  move r2, r1\n"
         "  effect r2, 1, notice\n"
         "  end\n",
         BL_D_CODE_TYPE, "op=move operand=a found=untrusted wanted=text"},
        {"as own text by joining it",
         "pure f(issue) : text\n"
         "  regs text, untrusted, text\n"
         "  const r1, \"Title: \"\n"
         "  field r2, r0, issue.title\n"
         "  build r3, r1, 2\n"
         "  return r3\n",
         BL_D_CODE_TYPE, "op=build operand=a found=untrusted wanted=text"},
        {"as own text by adding it",
         "pure f(text, untrusted) : text\n"
         "  regs text\n"
         "  add r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, "op=add operand=a found=untrusted wanted=text"},
        {"by rendering it",
         "pure f(untrusted) : clean comment\n"
         "  regs clean comment\n"
         "  render r1, r0, comment\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=render operand=b found=untrusted"},
        {"through a builtin that keeps the kind",
         "pure f(untrusted) : text\n"
         "  regs text\n"
         "  builtin r1, r0, lower\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=builtin operand=a found=untrusted wanted=text"},
        {"through a list",
         "pure f(untrusted) : list of text\n"
         "  regs list of text\n"
         "  list r1\n"
         "  push r1, r0\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=push operand=b found=untrusted wanted=text"},
        {"through a list that holds anything",
         "pure f(list of untrusted) : list of text\n"
         "  regs list of text\n"
         "  move r1, r0\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=move"},
        {"through a record",
         "pure f(record 0) : text\n"
         "  regs text\n"
         "  member r1, r0, 0\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=member operand=a found=untrusted wanted=text"},
        {"through a verdict",
         "pure f(bool, name, untrusted) : verdict\n"
         "  regs verdict\n"
         "  verdict r3, r0\n"
         "  return r3\n",
         BL_D_CODE_TYPE, "op=verdict operand=b found=untrusted wanted=text"},
        {"through a call",
         "pure g(text) : text\n"
         "  return r0\n"
         "pure f(untrusted) : text\n"
         "  regs text\n"
         "  call r1, r0, g\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "op=call operand=b found=untrusted wanted=text"},
        {"as a result",
         "pure f(untrusted) : text\n"
         "  return r0\n",
         BL_D_CODE_TYPE, "op=return operand=b found=untrusted wanted=text"},
        {"into the marker of a comment",
         "entry f(issue, clean comment, time, int, untrusted, list of name) job 0\n"
         "  effect r0, 6, post:0\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=untrusted wanted=text?"},
        {"into an output of the job",
         "entry f(untrusted) job 0\n"
         "  regs name, untrusted\n"
         "  const r1, name \"title\"\n"
         "  move r2, r0\n"
         "  effect r1, 2, output\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=untrusted wanted=a small value"},
        {"as the name of a label",
         "entry f(issue, untrusted, clean timeline?) job 0\n"
         "  effect r0, 3, add label\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=untrusted wanted=label"},
        {"text of a message for comments into the log",
         "entry f(name, int) job 0\n"
         "  regs clean log\n"
         "  message r2, r0, asks\n"
         "  effect r2, 1, notice\n"
         "  end\n",
         BL_D_CODE_TYPE, "op=message operand=a found=text[comment] wanted=text[log]"},
        {"untrusted text may be looked at",
         "pure f(untrusted, untrusted) : bool\n"
         "  regs bool, int, int\n"
         "  contains r2, r0, r1\n"
         "  builtin r3, r0, length\n"
         "  builtin r4, r1, length\n"
         "  lt r2, r3, r4\n"
         "  return r2\n",
         0, NULL},
    };
    VERIFY_CASES(cases);
}

TEST(secrets_go_nowhere)
{
    static const struct code_case cases[] = {
        {"a notice",
         "entry f(secret) job 0\n"
         "  effect r0, 1, notice\n"
         "  end\n",
         BL_D_CODE_UNTRUSTED, "found=secret"},
        {"joined",
         "pure f(text, secret) : text\n"
         "  regs text\n"
         "  build r2, r0, 2\n"
         "  return r2\n",
         BL_D_CODE_TYPE, "found=secret"},
        {"compared",
         "pure f(secret, secret) : bool\n"
         "  regs bool\n"
         "  eq r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, "found=secret"},
        {"searched",
         "pure f(secret, text) : bool\n"
         "  regs bool\n"
         "  contains r2, r0, r1\n"
         "  return r2\n",
         BL_D_CODE_TYPE, "found=secret"},
        {"an output",
         "entry f(secret) job 0\n"
         "  regs name, secret\n"
         "  const r1, name \"key\"\n"
         "  move r2, r0\n"
         "  effect r1, 2, output\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=secret"},
    };
    VERIFY_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untrusted_text_reaches_no_place),
        cmocka_unit_test(secrets_go_nowhere),
    };
    return check_main(tests);
}
