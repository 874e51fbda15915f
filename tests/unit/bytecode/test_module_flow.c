/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <stdio.h>
#include <string.h>

/* Order: what is written before it is read, jumps, calls, ends. One promise a case. */

TEST(registers_are_written_before_they_are_read)
{
    static const struct code_case cases[] = {
        {"never written",
         "pure f() : int\n"
         "  regs int\n"
         "  return r0\n",
         BL_D_CODE_UNSET, "register=0"},
        {"written on one way",
         "pure f(bool) : int\n"
         "  regs int\n"
         "  jump-unless r0, over\n"
         "  const r1, 1\n"
         "over:\n"
         "  return r1\n",
         BL_D_CODE_UNSET, "register=1"},
        {"written on the other way",
         "pure f(bool) : int\n"
         "  regs int\n"
         "  jump-unless r0, other\n"
         "  jump over\n"
         "other:\n"
         "  const r1, 1\n"
         "over:\n"
         "  return r1\n",
         BL_D_CODE_UNSET, "register=1"},
        {"written on both",
         "pure f(bool) : int\n"
         "  regs int\n"
         "  jump-unless r0, other\n"
         "  const r1, 1\n"
         "  jump over\n"
         "other:\n"
         "  const r1, 2\n"
         "over:\n"
         "  return r1\n",
         0, NULL},
        {"written in a loop that may never run",
         "pure f(list of int) : int\n"
         "  regs list of int, iterator, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  loop again\n"
         "out:\n"
         "  return r3\n",
         BL_D_CODE_UNSET, "register=3"},
        {"written further down in the loop",
         "pure f(list of int)\n"
         "  regs list of int, iterator, int, int, int\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "again:\n"
         "  next r3, r1, out\n"
         "  move r4, r5\n"
         "  move r5, r3\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_UNSET, "register=5"},
        {"one in a range",
         "pure f(bool, name) : verdict\n"
         "  regs text, verdict\n"
         "  verdict r3, r0\n"
         "  return r3\n",
         BL_D_CODE_UNSET, "register=2"},
        {"an iterator is no value",
         "pure f(list of int)\n"
         "  regs list of int, iterator, bool\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "again:\n"
         "  next r0, r1, out\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, NULL},
        {"code that nothing reaches may say anything of its registers",
         "pure f() : int\n"
         "  regs int\n"
         "  const r0, 1\n"
         "  return r0\n"
         "  return r0\n",
         0, NULL},
        {"but is checked all the same",
         "pure f() : int\n"
         "  regs int, text\n"
         "  const r0, 1\n"
         "  return r0\n"
         "  return r1\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
    };

    VERIFY_CASES(cases);
}

TEST(jumps_go_forward_within_the_function)
{
    static const struct code_case cases[] = {
        {"back",
         "pure f()\n"
         "again:\n"
         "  jump again\n"
         "  end\n",
         BL_D_CODE_JUMP, "it goes back"},
        {"back on a condition",
         "pure f(bool)\n"
         "  regs bool\n"
         "again:\n"
         "  not r1, r0\n"
         "  jump-if r1, again\n"
         "  end\n",
         BL_D_CODE_JUMP, "it goes back"},
        {"behind the function",
         "pure f()\n"
         "  jump #2\n"
         "  end\n",
         BL_D_CODE_JUMP, "it leaves the function"},
        {"far away",
         "pure f()\n"
         "  jump #4000000000\n"
         "  end\n",
         BL_D_CODE_JUMP, "it leaves the function"},
        {"into a loop",
         "pure f(list of int, bool)\n"
         "  regs list of int, iterator, int, int\n"
         "  jump-if r1, inside\n"
         "  move r2, r0\n"
         "  iter r2\n"
         "again:\n"
         "  next r4, r2, out\n"
         "inside:\n"
         "  const r5, 1\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_JUMP, "comes into the loop"},
        {"to the NEXT of a loop",
         "pure f(list of int, bool)\n"
         "  regs list of int, iterator, int\n"
         "  move r2, r0\n"
         "  jump-if r1, again\n"
         "  iter r2\n"
         "again:\n"
         "  next r4, r2, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_LOOP, "enters the loop behind its start"},
        {"out of a loop",
         "pure f(list of int, bool)\n"
         "  regs list of int, iterator, int\n"
         "  move r2, r0\n"
         "  iter r2\n"
         "again:\n"
         "  next r4, r2, out\n"
         "  jump-if r1, out\n"
         "  loop again\n"
         "out:\n"
         "  end\n",
         0, NULL},
        {"a condition that is none",
         "pure f(int)\n"
         "  jump-if r0, out\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int wanted=bool"},
        {"a condition that may be absent",
         "pure f(bool?)\n"
         "  jump-if r0, out\n"
         "out:\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=bool? wanted=bool"},
    };

    VERIFY_CASES(cases);
}

/* ---- calls and ends -----------------------------------------------------------------------
 */

TEST(calls_go_to_lower_functions)
{
    static const struct code_case cases[] = {
        {"itself",
         "pure f() : int\n"
         "  regs int\n"
         "  call r0, r0, #6\n"
         "  return r0\n",
         BL_D_CODE_CALL, "comes after it"},
        {"one further down, which calls it",
         "pure g() : int\n"
         "  regs int\n"
         "  call r0, r0, #7\n"
         "  return r0\n"
         "pure f() : int\n"
         "  regs int\n"
         "  call r0, r0, #6\n"
         "  return r0\n",
         BL_D_CODE_CALL, "comes after it"},
        {"one that is not there",
         "pure f() : int\n"
         "  regs int\n"
         "  call r0, r0, #7\n"
         "  return r0\n",
         BL_D_CODE_OPERAND, "operand=c"},
        {"without its result",
         "pure f()\n"
         "  call #255, r0, rounds\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=a found=255"},
        {"with a result that there is none",
         "pure g()\n"
         "  end\n"
         "pure f()\n"
         "  regs int\n"
         "  call r0, r0, g\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=a found=0"},
        {"with a parameter of another type",
         "pure g(int)\n"
         "  end\n"
         "pure f(text)\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=text wanted=int"},
        {"with a parameter that may be absent",
         "pure g(int)\n"
         "  end\n"
         "pure f(int?)\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=int? wanted=int"},
        {"with too few registers",
         "pure g(int, int)\n"
         "  end\n"
         "pure f(int)\n"
         "  call #255, r0, g\n"
         "  end\n",
         BL_D_CODE_OPERAND, "operand=b"},
        {"a result of another type",
         "pure f() : text\n"
         "  regs text\n"
         "  call r0, r0, rounds\n"
         "  return r0\n",
         BL_D_CODE_TYPE, "found=int wanted=text"},
    };

    VERIFY_CASES(cases);
}

/* A setting, a message, the description of a label: calls without CALL. */
TEST(hidden_calls_go_to_lower_functions_too)
{
    static const enum bl_section sections[] = {BL_SECTION_SETTINGS, BL_SECTION_LABELS,
                                               BL_SECTION_MESSAGE_FUNCTIONS};
    static const size_t offsets[] = {offsetof(struct bl_module_setting, function),
                                     offsetof(struct bl_module_label, description_function), 8};
    static const char *const texts[] = {
        "pure f() : int\n"
        "  regs int\n"
        "  setting r0, rounds\n"
        "  return r0\n",
        "pure f() : text\n"
        "  regs label, text\n"
        "  const r0, label \"bug\"\n"
        "  field r1, r0, label.description\n"
        "  return r1\n",
        "pure f() : text\n"
        "  regs text\n"
        "  message r0, r0, closes\n"
        "  return r0\n",
    };

    for (size_t i = 0; i < 3; i++) {
        struct bl_arena arena;
        struct bl_module_bytes made;
        const uint32_t itself = 6;

        check_case("%s", texts[i]);
        bl_arena_init(&arena, SIZE_MAX, NULL);
        check(sample_of(&arena, texts[i], &made));
        check_int(verify_bytes(made.bytes, made.size, NULL), 0);
        void *bytes = bl_arena_alloc(&arena, 1, made.size);
        memcpy(bytes, made.bytes, made.size);
        memcpy((char *)sample_row(bytes, sections[i], 0) + offsets[i], &itself, sizeof itself);
        sample_repair(bytes, made.size);
        check_int(verify_bytes(bytes, made.size, NULL), BL_D_CODE_CALL);
        bl_arena_reset(&arena);
    }
}

/* f0 calls nothing, f1 calls f0 … `depth` functions in a row. */
static unsigned chain(unsigned depth, char words[512])
{
    char text[8192] = "pure f0()\n  end\n";
    size_t at = strlen(text);

    for (unsigned i = 1; i < depth; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "pure f%u()\n  call #255, r0, f%u\n  end\n", i, i - 1);
    return verify_text(text, words);
}

TEST(calls_nest_sixty_four_deep)
{
    char words[512];

    check_int(chain(64, words), 0);
    check_int(chain(65, words), BL_D_CODE_CALL);
    check(strstr(words, "nest too deep") != NULL);
}

TEST(functions_end)
{
    static const struct code_case cases[] = {
        {"without an end",
         "pure f()\n"
         "  regs int\n"
         "  const r0, 1\n",
         BL_D_CODE_END, "does not end with it"},
        {"with a condition",
         "pure f(bool)\n"
         "  jump-if r0, #1\n",
         BL_D_CODE_JUMP, "leaves the function"},
        {"without its result",
         "pure f() : int\n"
         "  end\n",
         BL_D_CODE_END, "has a result"},
        {"with a result that it has not",
         "pure f(int)\n"
         "  return r0\n",
         BL_D_CODE_END, "has no result"},
        {"with a result that may be absent",
         "pure f(int?) : int\n"
         "  return r0\n",
         BL_D_CODE_TYPE, "found=int? wanted=int"},
        {"without code", "pure f()\n", BL_D_MODULE_ROW, "section=functions"},
    };

    VERIFY_CASES(cases);
}

TEST(code_cannot_change_what_the_run_is_about)
{
    static const struct code_case cases[] = {
        {"the issue in hand",
         "pure f(issue)\n"
         "  bind r0, issue\n"
         "  end\n",
         0, NULL},
        {"the account",
         "pure f(user)\n"
         "  bind r0, me\n"
         "  end\n",
         BL_D_CODE_BIND, "what=me"},
        {"the clock",
         "pure f(time)\n"
         "  bind r0, now\n"
         "  end\n",
         BL_D_CODE_BIND, "what=now"},
        {"the event",
         "pure f(event)\n"
         "  bind r0, event\n"
         "  end\n",
         BL_D_CODE_BIND, "what=event"},
        {"another thing as the issue",
         "pure f(comment)\n"
         "  bind r0, issue\n"
         "  end\n",
         BL_D_CODE_TYPE, "found=comment wanted=issue"},
    };

    VERIFY_CASES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_written_before_they_are_read),
        cmocka_unit_test(jumps_go_forward_within_the_function),
        cmocka_unit_test(calls_go_to_lower_functions),
        cmocka_unit_test(hidden_calls_go_to_lower_functions_too),
        cmocka_unit_test(calls_nest_sixty_four_deep),
        cmocka_unit_test(functions_end),
        cmocka_unit_test(code_cannot_change_what_the_run_is_about),
    };
    return check_main(tests);
}
