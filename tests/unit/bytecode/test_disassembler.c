/* SPDX-License-Identifier: Apache-2.0 */
#include "support/assembler.h"
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

struct loaded {
    struct bl_arena arena;
    struct bl_module module;
};

/* Where it lies: the module's bytes are in the arena. */
static void load(struct loaded *l, const char *text)
{
    struct bl_module_bytes made;
    struct bl_diagnostics sink;

    bl_arena_init(&l->arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &l->arena, 10);
    check(text != NULL ? sample_of(&l->arena, text, &made) : sample_build(&l->arena, &made));
    check_status(bl_module_verify(&l->arena, made.bytes, made.size, &l->module, &sink), BL_OK);
}

static bl_str listing(struct loaded *l, struct bl_sources *sources)
{
    struct bl_buf out;

    bl_buf_init(&out, &l->arena, SIZE_MAX);
    bl_module_disassemble(&l->module, sources, &out);
    check(!out.failed);
    return bl_buf_str(&out);
}

/* From the first line that begins with `from`. */
static bl_str part(bl_str text, const char *from)
{
    size_t at = bl_str_find(text, bl_str_from(from));

    check(at != SIZE_MAX);
    return bl_str_slice(text, at, text.len);
}

/* ---- code ---------------------------------------------------------------------------------
 */

TEST(code_has_names_instead_of_numbers)
{
    struct loaded l;

    load(&l, "entry f(issue, posted 1) : bool job 0\n"
             "  regs list of label, label, bool, int, record 0, int?\n"
             "  regs issue, clean comment, time, int\n"
             "  regs list of label, iterator, label, name, issue_state, enum 0, verdict?\n"
             "  field r2, r0, issue.labels\n"
             "  const r3, label \"needs \\n info\"\n"
             "  in r4, r3, r2\n"
             "  jump-unless r4, no\n"
             "  attr r5, r1, name \"round\"\n"
             "  setting r5, rounds\n"
             "  move r12, r2\n"
             "  iter r12\n"
             "again:\n"
             "  next r14, r12, out\n"
             "  loop again\n"
             "out:\n"
             "  const r16, issue_state closed\n"
             "  const r17, enum 0 high\n"
             "  fired\n"
             "no:\n"
             "  return r4\n");
    check_str(part(listing(&l, NULL), "\nentry f"),
              "\nentry f(issue, posted question|reminder) : bool job triage\n"
              "  r2 list of label\n"
              "  r3 label\n"
              "  r4 bool\n"
              "  r5 int\n"
              "  r6 answer\n"
              "  r7 int?\n"
              "  r8 issue\n"
              "  r9 text[comment]\n"
              "  r10 time\n"
              "  r11 int\n"
              "  r12 list of label\n"
              "  r13 an iterator\n"
              "  r14 label\n"
              "  r15 name\n"
              "  r16 issue_state\n"
              "  r17 severity\n"
              "  r18 verdict?\n"
              "    field        r2, r0, issue.labels\n"
              "    const        r3, label \"needs \\\\n info\"\n"
              "    in           r4, r3, r2\n"
              "    jump-unless  r4, L3\n"
              "    attr         r5, r1, name \"round\"\n"
              "    setting      r5, rounds\n"
              "    move         r12, r2\n"
              "    iter         r12\n"
              "  L1:\n"
              "    next         r14, r12, L2\n"
              "    loop         L1\n"
              "  L2:\n"
              "    const        r16, issue_state closed\n"
              "    const        r17, severity high\n"
              "    fired\n"
              "  L3:\n"
              "    return       r4\n");
    bl_arena_reset(&l.arena);
}

TEST(calls_effects_and_steps_are_named)
{
    struct loaded l;

    load(&l, "pure f(text, int?) : text\n"
             "  regs record 0, int?, bool, name, text, verdict, clean comment\n"
             "  record r2, r0, answer\n"
             "  member r3, r2, 1\n"
             "  build r6, r6, 0\n"
             "  return r0\n"
             "pure f(text) : text\n"
             "  regs int\n"
             "  builtin r1, r0, length\n"
             "  return r0\n"
             "test g(text, int?)\n"
             "  regs text\n"
             "  call r2, r0, #6\n"
             "  call r2, r0, #7\n"
             "  step r0, 1, given maintainer\n"
             "  end\n");
    check_str(part(listing(&l, NULL), "\nfunction f("),
              "\nfunction f(text, int?) : text\n"
              "  r2 answer\n"
              "  r3 int?\n"
              "  r4 bool\n"
              "  r5 name\n"
              "  r6 text\n"
              "  r7 verdict\n"
              "  r8 text[comment]\n"
              "    record       r2, (r0-r1), answer\n"
              "    member       r3, r2, number\n"
              "    build        r6, ()\n"
              "    return       r0\n"
              "\nfunction f#2(text) : text\n"
              "  r1 int\n"
              "    builtin      r1, (r0), length\n"
              "    return       r0\n"
              "\ntest g(text, int?)\n"
              "  r2 text\n"
              "    call         r2, (r0-r1), f\n"
              "    call         r2, (r0), f#2\n"
              "    step         (r0), given maintainer\n"
              "    end\n");
    bl_arena_reset(&l.arena);
}

/* ---- tables -------------------------------------------------------------------------------
 */

TEST(tables_are_listed_a_line_a_row)
{
    static const char *const lines[] = {
        "module assistant\n",
        "source policies/assistant.policy\n",
        "variable ai_switch \"AI_SWITCH\"\n",
        "task triage answers answer counts always runs label_crash runs say\n",
        "enum severity: low, high\n",
        "record answer\n  text : untrusted\n  number : int?\n",
        "comment reminder\n  asked : time  once\n  round : int\n",
        "label bug \"bug\" color \"d73a4a\" ask description bug_words options \"It crashes\", "
        "\"It is wrong\"\n",
        "locale de \"Deutsch\" day \"{month} {day}, {year}\" like en\n",
        "\n  stop words a, and, the\n",
        "setting rounds = rounds check rounds_check\n",
        "message asks en=asks_en de=asks_de\n",
        "message closes en=closes_en\n",
        "job triage rules when always decision next_task\n"
        "  may issues: write\n"
        "  may statuses: write\n"
        "  step sweep_one\n"
        "  step clean_up\n",
        "rule label_crash = label_crash job triage needs issue.title matches \"crash(es)?\"\n",
        "rule ask = ask job triage needs issue.labels has \"Bug\"\n",
        "rule say = say job reader needs issue.state == open\n",
        "step sweep_one = sweep_one job triage units open_ones at most rounds as issue\n",
        "step clean_up = clean_up job triage when always\n",
        "on issues.opened: label_crash ask say\n",
        "label_crash over say\n",
        "case \"12, alice\" = opened_1\n",
        "    effect       (r0-r2), add label\n",
        "    effect       (r0-r5), post question\n",
        "    call         -, (r0-r1), opened\n",
        "  ? le           r2, r0, r1\n",
    };
    struct loaded l;

    load(&l, NULL);
    bl_str text = listing(&l, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_case("%s", lines[i]);
        check(bl_str_find(text, bl_str_from(lines[i])) != SIZE_MAX);
    }
    bl_arena_reset(&l.arena);
}

/* What a terminal could act on stays out of the listing. */
TEST(control_characters_are_escaped)
{
    struct loaded l;

    load(&l, "pure f() : text\n"
             "  regs text\n"
             "  const r0, \"\x1b[2J\x07\\\"\n"
             "  return r0\n");
    bl_str text = listing(&l, NULL);
    check(bl_str_find(text, BL_STR("\"\\x1b[2J\\x07\\\\\"")) != SIZE_MAX);
    check(bl_str_find_char(text, '\x1b') == SIZE_MAX);
    bl_arena_reset(&l.arena);
}

TEST(the_line_of_the_source_stands_beside_the_code)
{
    struct loaded l;
    struct bl_sources sources;
    char policy[2001];

    memset(policy, '\n', 2000);
    memcpy(policy + 40, "  the second function", 21);
    policy[2000] = '\0';
    load(&l, NULL);
    bl_sources_init(&sources, &l.arena);
    bl_sources_add(&sources, BL_STR("other.policy"), BL_STR("x"));
    bl_sources_add(&sources, BL_STR("policies/assistant.policy"), bl_str_from(policy));
    bl_str text = listing(&l, &sources);
    check(bl_str_find(text, BL_STR("  ; policies/assistant.policy:41  the second function\n"
                                   "    call")) != SIZE_MAX);
    /* Once, though the comparison further down has the same place. */
    size_t at = bl_str_find(text, BL_STR("assistant.policy:41"));
    check(bl_str_find(bl_str_slice(text, at + 1, text.len), BL_STR("assistant.policy:41")) ==
          SIZE_MAX);
    /* Without the file there is nothing beside it. */
    bl_sources_init(&sources, &l.arena);
    text = listing(&l, &sources);
    check(bl_str_find(text, BL_STR("policies/assistant.policy:")) == SIZE_MAX);
    bl_arena_reset(&l.arena);
}

/* ---- names --------------------------------------------------------------------------------
 */

TEST(types_have_the_words_that_people_read)
{
    static const struct {
        const char *type, *name;
    } cases[] = {
        {"int", "int"},
        {"list of list of issue", "list of list of issue"},
        {"task?", "task?"},
        {"list of name?", "list of name?"},
        {"clean comment+log", "text[comment, log]"},
        {"issue_state", "issue_state"},
        {"enum 0", "severity"},
        {"record 1", "report"},
        {"posted 1", "posted question|reminder"},
        {"verdict", "verdict"},
    };
    struct loaded l;

    load(&l, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_buf out;

        bl_buf_init(&out, &l.arena, 200);
        bl_module_type_name(&l.module, assemble_type(bl_str_from(cases[i].type)), &out);
        check_str(bl_buf_str(&out), cases[i].name);
    }
    /* Numbers that no module holds have some name, and nothing happens. */
    for (uint32_t i = 0; i < 100000; i++) {
        struct bl_arena arena;
        struct bl_buf out;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        bl_buf_init(&out, &arena, 400);
        bl_module_type_name(&l.module, i * UINT32_C(2654435761), &out);
        bl_arena_reset(&arena);
    }
    bl_arena_reset(&l.arena);
}

TEST(rows_are_found_by_their_names)
{
    struct loaded l;

    load(&l, NULL);
    const struct bl_module *m = &l.module;
    check_int(bl_module_entry(m, BL_ENTRY_RULE, BL_STR("ask")), 1);
    check_int(bl_module_entry(m, BL_ENTRY_STEP, BL_STR("ask")), BL_NONE);
    check_int(bl_module_entry(m, BL_ENTRY_TEST, BL_STR("opened")), 8);
    check_int(bl_module_job(m, BL_STR("reader")), 1);
    check_int(bl_module_job(m, BL_STR("Reader")), BL_NONE);
    check_int(bl_module_label(m, BL_STR("BUG")), 0);
    check_int(bl_module_label(m, BL_STR("bugs")), BL_NONE);
    check_str(bl_module_member(m, BL_ENUM_ISSUE_STATE, 1), "closed");
    check_str(bl_module_member(m, BL_ENUM_COUNT, 1), "high");
    check_size(bl_module_member(m, BL_ENUM_COUNT, 2).len, 0);
    check_size(bl_module_member(m, BL_ENUM_COUNT + 1, 0).len, 0);
    check_size(bl_module_member(m, BL_ENUM_ISSUE_STATE, 2).len, 0);
    check_int(m->digest[0], 7);
    check_int(m->digest[31], 7);
    bl_arena_reset(&l.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_has_names_instead_of_numbers),
        cmocka_unit_test(calls_effects_and_steps_are_named),
        cmocka_unit_test(tables_are_listed_a_line_a_row),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(the_line_of_the_source_stands_beside_the_code),
        cmocka_unit_test(types_have_the_words_that_people_read),
        cmocka_unit_test(rows_are_found_by_their_names),
    };
    return check_main(tests);
}
