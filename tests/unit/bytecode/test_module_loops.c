/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <stdio.h>
#include <string.h>

/* Loops, and the lists that they go over and make: why every run ends. One promise a case. */

/* Three lists, one inside another; `depth` loops. */
static unsigned nested(unsigned depth, char words[512])
{
    char text[2048];
    size_t at = 0;

    at += (size_t)snprintf(text, sizeof text, "pure f(list of int)\n  regs int");
    for (unsigned i = 0; i < depth; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, ", list of int, iterator");
    at += (size_t)snprintf(text + at, sizeof text - at, "\n");
    for (unsigned i = 0; i < depth; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  move r%u, r0\n  iter r%u\na%u:\n  next r1, r%u, o%u\n",
                               2 + 2 * i, 2 + 2 * i, i, 2 + 2 * i, i);
    for (unsigned i = depth; i-- > 0;)
        at += (size_t)snprintf(text + at, sizeof text - at, "  loop a%u\no%u:\n", i, i);
    snprintf(text + at, sizeof text - at, "  end\n");
    return verify_text(text, words);
}

TEST(loops_nest_three_deep)
{
    char words[512];

    check_int(nested(1, words), 0);
    check_int(nested(3, words), 0);
    check_int(nested(4, words), BL_D_CODE_LOOP);
    check(strstr(words, "nest too deep") != NULL);
}

TEST(loops_are_whole_and_have_registers_of_their_own)
{
    static const struct code_case cases[] = {
        {"without NEXT",
         "pure f(list of int)\n"
         "  regs list of int, iterator\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "  end\n",
         BL_D_CODE_LOOP, "its NEXT does not follow"},
        {"with something else that names its list",
         "pure f(list of int)\n"
         "  regs list of int, iterator, bool\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "  is-set r3, r1\n"
         "  end\n",
         BL_D_CODE_LOOP, "its NEXT does not follow"},
        {"with the NEXT of the function behind it",
         "pure f(int, list of int)\n"
         "  regs iterator\n"
         "  iter r1\n"
         "pure g(int, list of int)\n"
         "  regs iterator, int\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its NEXT does not follow"},
        {"with the iterator of the function behind it",
         "pure f(int, list of int)\n"
         "  iter r1\n"
         "again:\n"
         "  next r0, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n"
         "pure g()\n"
         "  regs iterator\n"
         "  end\n",
         BL_D_CODE_LOOP, "no iterator"},
        {"with something else that names its list before NEXT",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, bool\n"
         "  move r1, r0\n"
         "  is-set r4, r1\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its ITER does not stand before it"},
        {"with a number that looks like its LOOP",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "  next r3, r1, out\n"
         "  const r4, #2\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its exit does not stand behind its LOOP"},
        {"with a LOOP more in its middle",
         "pure f(list of int, bool)\n"
         "  regs list of int, iterator, int\n"
         "  move r2, r0\n"
         "  iter r2\n"
         "again:\n"
         "  next r4, r2, out\n"
         "  jump-if r1, over\n"
         "  loop again\n"
         "over:\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "not the end of the innermost loop"},
        {"with the NEXT of another list",
         "pure f(list of int)\n"
         "  regs list of int, iterator, list of int, iterator, int\n"
         "  move r1, r0\n"
         "  move r3, r0\n"
         "  iter r1\n"
         "again:\n"
         "  next r5, r3, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its NEXT does not follow"},
        {"without ITER",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its ITER does not stand before it"},
        {"without LOOP",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "  next r3, r1, out\n"
         "  move r3, r3\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its exit does not stand behind its LOOP"},
        {"without iterator",
         "pure f(list of int)\n"
         "  regs list of int, int, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "no iterator"},
        {"with the iterator behind the last register",
         "pure f(int, list of int)\n"
         "  iter r1\n"
         "again:\n"
         "  next r0, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "no iterator"},
        {"LOOP to the outer one",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, list of int, iterator\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  move r4, r0\n"
         "  iter r4\n"
         "b:\n"
         "  next r3, r4, inner\n"
         "  loop a\n"
         "inner:\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "its exit does not stand behind its LOOP"},
        {"LOOP without loop",
         "pure f()\n"
         "a:\n"
         "  loop a\n"
         "  end\n",
         BL_D_CODE_LOOP, "not the end of the innermost loop"},
        {"loops that cross",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, list of int, iterator\n"
         "  move r1, r0\n"
         "  move r4, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out_a\n"
         "  iter r4\n"
         "b:\n"
         "  next r3, r4, out_b\n"
         "  loop a\n"
         "out_a:\n"
         "  loop b\n"
         "out_b:\n"
         "  end\n",
         BL_D_CODE_LOOP, "does not end within the loop around it"},
        {"one iterator for two",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  iter r1\n"
         "b:\n"
         "  next r3, r1, inner\n"
         "  loop b\n"
         "inner:\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "an open loop has its registers"},
        {"a body that writes its list",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  add r1, r1, r0\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "an open loop has its registers"},
        {"one after another with the same registers",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  loop a\n"
         "out:\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "b:\n"
         "  next r3, r1, end\n"
         "  loop b\n"
         "end:\n"
         "  end\n",
         0, NULL},
        {"over what is no list",
         "pure f(int)\n"
         "  regs int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int wanted=a list"},
        {"over a list that may be absent",
         "pure f(list of int?)\n"
         "  regs list of int?, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=list of int? wanted=a list"},
        {"an iterator as a parameter",
         "pure f(iterator)\n"
         "  end\n",
         BL_D_MODULE_ROW, "it takes an iterator"},
    };

    VERIFY_CASES(cases);
}

/* A list that grew while it is iterated would never end; one that grew after it was handed on
 * would be another value there. */
TEST(lists_grow_only_where_they_are_made)
{
    static const struct code_case cases[] = {
        {"a list of the caller",
         "pure f(list of int, int)\n"
         "  push r0, r1\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=0"},
        {"a list of the world",
         "pure f(issue, label)\n"
         "  regs list of label\n"
         "  field r2, r0, issue.labels\n"
         "  push r2, r1\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=2"},
        {"under another register",
         "pure f(int)\n"
         "  regs list of int, list of int\n"
         "  list r1\n"
         "  move r2, r1\n"
         "  push r2, r0\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=2"},
        {"after another register has it",
         "pure f(int)\n"
         "  regs list of int, list of int\n"
         "  list r1\n"
         "  move r2, r1\n"
         "  push r1, r0\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=1"},
        {"after a call took it",
         "pure g(list of int)\n"
         "  end\n"
         "pure f(int)\n"
         "  regs list of int\n"
         "  list r1\n"
         "  call #255, r1, g\n"
         "  push r1, r0\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=1"},
        {"after it was handed on, on one way",
         "pure f(int, bool)\n"
         "  regs list of int, list of int\n"
         "  list r2\n"
         "  jump-if r1, over\n"
         "  move r3, r2\n"
         "over:\n"
         "  push r2, r0\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=2"},
        {"the one that is iterated",
         "pure f(int)\n"
         "  regs list of int, iterator, int\n"
         "  list r1\n"
         "  push r1, r0\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  push r1, r3\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=1"},
        {"handed on at the end of a loop's body",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, list of int, list of int\n"
         "  move r1, r0\n"
         "  list r4\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  push r4, r3\n"
         "  move r5, r4\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=4"},
        {"another list in its place at the end of a loop's body",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, list of int\n"
         "  move r1, r0\n"
         "  list r4\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  push r4, r3\n"
         "  move r4, r0\n"
         "  loop a\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=4"},
        {"behind a loop that handed it on and was left",
         "pure f(list of int, bool)\n"
         "  regs list of int, iterator, int, list of int, list of int\n"
         "  move r2, r0\n"
         "  list r5\n"
         "  iter r2\n"
         "a:\n"
         "  next r4, r2, out\n"
         "  jump-if r1, left\n"
         "  move r6, r5\n"
         "  loop a\n"
         "out:\n"
         "  end\n"
         "left:\n"
         "  push r5, r4\n"
         "  end\n",
         BL_D_CODE_PUSH, "register=5"},
        {"built in a loop",
         "pure f(list of int) : list of int\n"
         "  regs list of int, iterator, int, list of int, bool\n"
         "  move r1, r0\n"
         "  list r4\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  in r5, r3, r4\n"
         "  jump-if r5, more\n"
         "  push r4, r3\n"
         "more:\n"
         "  loop a\n"
         "out:\n"
         "  return r4\n",
         0, NULL},
        {"made anew in each round",
         "pure f(list of int) : list of list of int\n"
         "  regs list of int, iterator, int, list of int, list of list of int\n"
         "  move r1, r0\n"
         "  list r5\n"
         "  iter r1\n"
         "a:\n"
         "  next r3, r1, out\n"
         "  list r4\n"
         "  push r4, r3\n"
         "  push r5, r4\n"
         "  loop a\n"
         "out:\n"
         "  return r5\n",
         0, NULL},
        {"what is no list",
         "pure f(int)\n"
         "  push r0, r0\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int wanted=a list"},
        {"what may be no list",
         "pure f(list of int?, int)\n"
         "  push r0, r1\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=list of int? wanted=a list"},
        {"an element of another type",
         "pure f(text)\n"
         "  regs list of int\n"
         "  list r1\n"
         "  push r1, r0\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
        {"an element that may be absent is left out",
         "pure f(int?)\n"
         "  regs list of int\n"
         "  list r1\n"
         "  push r1, r0\n"
         "  end\n",
         0, NULL},
    };

    VERIFY_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_nest_three_deep),
        cmocka_unit_test(loops_are_whole_and_have_registers_of_their_own),
        cmocka_unit_test(lists_grow_only_where_they_are_made),
    };
    return check_main(tests);
}
