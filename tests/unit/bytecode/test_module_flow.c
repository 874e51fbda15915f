/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <stdio.h>
#include <string.h>

/* Order: what is written before it is read, jumps, loops, calls, ends. One promise a case. */

struct flow_case {
    const char *name;
    const char *text;
    unsigned code; /* 0: accepted */
    const char *says;
};

static void run(const struct flow_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char words[512];
        unsigned code = verify_text(cases[i].text, words);

        check_case("%s: %s", cases[i].name, words);
        check_int(code, cases[i].code);
        if (cases[i].says != NULL)
            check(strstr(words, cases[i].says) != NULL);
    }
}

#define RUN(cases) run(cases, sizeof(cases) / sizeof((cases)[0]))

TEST(registers_are_written_before_they_are_read)
{
    static const struct flow_case cases[] = {
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

    RUN(cases);
}

TEST(jumps_go_forward_within_the_function)
{
    static const struct flow_case cases[] = {
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

    RUN(cases);
}

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
    static const struct flow_case cases[] = {
        {"without NEXT",
         "pure f(list of int)\n"
         "  regs list of int, iterator\n"
         "  move r1, r0\n"
         "  iter r1\n"
         "  end\n",
         BL_D_CODE_LOOP, "its NEXT does not follow"},
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
         BL_D_MODULE_ROW, "section=registers"},
    };

    RUN(cases);
}

/* A list that grew while it is iterated would never end; one that grew after it was handed on
 * would be another value there. */
TEST(lists_grow_only_where_they_are_made)
{
    static const struct flow_case cases[] = {
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

    RUN(cases);
}

/* ---- calls and ends -----------------------------------------------------------------------
 */

TEST(calls_go_to_lower_functions)
{
    static const struct flow_case cases[] = {
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

    RUN(cases);
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
    static const struct flow_case cases[] = {
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

    RUN(cases);
}

TEST(code_cannot_change_what_the_run_is_about)
{
    static const struct flow_case cases[] = {
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

    RUN(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_written_before_they_are_read),
        cmocka_unit_test(jumps_go_forward_within_the_function),
        cmocka_unit_test(loops_nest_three_deep),
        cmocka_unit_test(loops_are_whole_and_have_registers_of_their_own),
        cmocka_unit_test(lists_grow_only_where_they_are_made),
        cmocka_unit_test(calls_go_to_lower_functions),
        cmocka_unit_test(hidden_calls_go_to_lower_functions_too),
        cmocka_unit_test(calls_nest_sixty_four_deep),
        cmocka_unit_test(functions_end),
        cmocka_unit_test(code_cannot_change_what_the_run_is_about),
    };
    return check_main(tests);
}
