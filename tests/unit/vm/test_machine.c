/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/scripted_world.h"
#include "support/stage.h"

/* Budgets, depths and endings (language.md, Total and Fails closed; architecture.md, VM),
 * scopes of ambients, and what a trace keeps. */

static struct bl_arena arena;
static struct stage stage;
static struct scripted_world world;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 256 << 20, NULL);
    scripted_init(&world, &arena);
    scripted_issue(&world, 12);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static void prepare(const char *functions)
{
    check(stage_begin(&stage, &arena));
    stage_add(&stage, functions);
    struct bl_snapshot *snapshot = bl_snapshot_create(&arena, &world.world);
    check(stage_ready(&stage, snapshot));
    stage.machine.ambient[BL_AMBIENT_ISSUE] =
        bl_object_value(bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 12, BL_STR("o/r")));
}

static void limit(uint64_t instructions, uint64_t depth)
{
    const struct bl_machine_limits limits = {instructions, depth};
    struct bl_value issue = stage.machine.ambient[BL_AMBIENT_ISSUE];
    struct bl_snapshot *snapshot = stage.machine.snapshot;

    bl_machine_init(&stage.machine, &stage.module, &arena, snapshot, BL_EVENT_COUNT, &limits);
    stage.machine.ambient[BL_AMBIENT_ISSUE] = issue;
}

/* ---- budget -------------------------------------------------------------------------------
 */

static const char loops[] = "pure count(list of int) : int\n"
                            " regs list of int, iterator, int, int, int\n move r1, r0\n"
                            " const r4, 0\n const r5, 1\n iter r1\n"
                            "again:\n next r3, r1, out\n add r4, r4, r5\n loop again\n"
                            "out:\n return r4\n";

static struct bl_value numbers(size_t count)
{
    struct bl_list *list = bl_list_create(&arena);

    for (size_t i = 0; i < count; i++)
        check_status(bl_list_push(&arena, list, bl_int((int64_t)i)), BL_OK);
    return bl_list_value(list);
}

TEST(the_budget_is_exact)
{
    struct bl_value list = numbers(10);

    prepare(loops);
    limit(0, 0);
    check_int(stage_call(&stage, "count", &list, 1).as.i, 10);
    uint64_t needed = stage.machine.used;
    check(needed > 30);
    limit(needed, 0);
    check_int(stage_call(&stage, "count", &list, 1).as.i, 10);
    check_size((size_t)stage.machine.budget, 0);
    for (uint64_t budget = 1; budget < needed; budget++) {
        limit(budget, 0);
        check_status(stage_status(&stage, "count", &list, 1), BL_ERR_LIMIT);
        check_size((size_t)stage.machine.used, (size_t)budget);
        check(stage.machine.failed_at != BL_NONE);
        check(stage.machine.failure.what.len > 0);
    }
}

/* One budget a unit: the second call has what the first one left. */
TEST(calls_share_the_budget)
{
    struct bl_value list = numbers(10);

    prepare(loops);
    limit(0, 0);
    stage_call(&stage, "count", &list, 1);
    limit(stage.machine.used + 5, 0);
    check_status(stage_status(&stage, "count", &list, 1), BL_OK);
    check_status(stage_status(&stage, "count", &list, 1), BL_ERR_LIMIT);
}

static uint64_t cost_of(const char *function, const struct bl_value *args, size_t count)
{
    limit(0, 0);
    stage_call(&stage, function, args, count);
    return stage.machine.used;
}

/* What strangers make longer costs more: texts by their bytes, lists by their elements. */
TEST(long_work_is_charged)
{
    static char text[80001];
    struct bl_buf row;

    prepare("pure contains(untrusted, untrusted) : bool\n regs bool\n contains r2, r0, r1\n"
            " return r2\n"
            "pure matches(untrusted, untrusted) : bool\n regs pattern, bool\n"
            " const r2, pattern 0\n matches r3, r0, r2\n return r3\n"
            "pure joined(untrusted, untrusted) : untrusted\n regs untrusted\n"
            " build r2, r0, 2\n return r2\n"
            "pure same(untrusted, untrusted) : bool\n regs bool\n eq r2, r0, r1\n return r2\n"
            "pure length(untrusted, untrusted) : int\n regs int\n builtin r2, r0, length\n"
            " return r2\n"
            "pure words(untrusted, untrusted) : list of untrusted\n regs list of untrusted\n"
            " builtin r2, r0, words\n return r2\n"
            "pure stripped(untrusted, untrusted) : untrusted\n regs pattern, untrusted,"
            " pattern, untrusted\n const r4, pattern 0\n move r3, r0\n builtin r5, r3, strip\n"
            " return r5\n");
    bl_buf_init(&row, &arena, 1000);
    for (size_t i = 0; i < 80000; i++)
        text[i] = i % 8 == 7 ? ' ' : 'a';
    static const char *const functions[] = {"contains", "matches", "joined",  "same",
                                            "length",   "words",   "stripped"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct bl_value small[] = {bl_text((bl_str){text, 800}), bl_text((bl_str){text, 800})};
        struct bl_value large[] = {bl_text((bl_str){text, 80000}),
                                   bl_text((bl_str){text, 80000})};
        check_case("%s", functions[i]);
        uint64_t less = cost_of(functions[i], small, 2);
        uint64_t more = cost_of(functions[i], large, 2);
        check(more >= 80000 / BL_CHARGE_BYTES);
        check(more >= less * 20);
        check(more <= less * 110); /* and not more than it is longer */
    }
    prepare("pure in(list of int, int) : bool\n regs bool\n in r2, r1, r0\n return r2\n"
            "pure sum(list of int, int) : int\n regs int\n builtin r2, r0, sum\n return r2\n"
            "pure both(list of int, int) : list of int\n regs list of int\n add r2, r0, r0\n"
            " return r2\n");
    struct bl_value args[] = {numbers(5000), bl_int(-1)};
    check(cost_of("in", args, 2) >= 5000);
    check(cost_of("sum", args, 2) >= 5000);
    check(cost_of("both", args, 2) >= 10000);
}

/* Many rules seek something in one text: the set looks once, and again when the text is another
 * one. */
TEST(what_is_sought_in_one_text_costs_one_pass)
{
    static char text[80001];
    const struct bl_pattern_set_input inputs[] = {{BL_STR("ab"), BL_STR(""), true},
                                                  {BL_STR("b+$"), BL_STR(""), false}};
    const bl_str sources[] = {inputs[0].source, inputs[1].source};
    bool left_out[2];
    struct bl_pattern set;

    memset(text, 'a', 80000);
    text[79999] = 'b';
    check(stage_begin(&stage, &arena));
    check(bl_pattern_set_compile(&arena, inputs, 2, left_out, &set));
    bl_builder_set(stage.builder, BL_FACT_ISSUE_TEXT, set, sources, 1);
    stage_add(&stage, "pure once(untrusted, untrusted) : bool\n regs bool\n"
                      " found r2, r0, ab\n return r2\n"
                      "pure thrice(untrusted, untrusted) : bool\n regs bool\n"
                      " found r2, r0, ab\n found r2, r0, b+$\n found r2, r0, ab\n return r2\n"
                      "pure others(untrusted, untrusted) : bool\n regs bool\n"
                      " found r2, r0, ab\n found r2, r1, ab\n found r2, r0, ab\n return r2\n");
    check(stage_ready(&stage, NULL));
    struct bl_value texts[] = {bl_text((bl_str){text, 80000}), bl_text((bl_str){text, 79999}),
                               bl_text((bl_str){text, 1})};
    uint64_t once = cost_of("once", texts, 2);
    check(once >= 80000 / BL_CHARGE_BYTES);
    check_int(cost_of("thrice", texts, 2), once + 2);
    check(cost_of("others", texts, 2) >= 3 * (79999 / BL_CHARGE_BYTES));
    limit(0, 0);
    check(stage_call(&stage, "once", texts, 2).as.i == 1);
    check(stage_call(&stage, "once", texts + 1, 2).as.i == 0);
    check(stage_call(&stage, "thrice", texts, 2).as.i == 1);
}

/* ---- depth, sizes -------------------------------------------------------------------------
 */

TEST(calls_are_bounded)
{
    struct bl_buf code;

    bl_buf_init(&code, &arena, 1 << 16);
    BL_PUT(&code, "pure f0() : int\n regs int\n const r0, 7\n return r0\n");
    for (unsigned i = 1; i < 64; i++) /* deeper ones no verifier lets in */
        bl_buf_printf(&code, "pure f%u() : int\n regs int\n call r0, r0, f%u\n return r0\n", i,
                      i - 1);
    prepare(code.ptr);
    check_int(stage_call(&stage, "f63", NULL, 0).as.i, 7);
    limit(0, 63);
    check_status(stage_status(&stage, "f63", NULL, 0), BL_ERR_LIMIT);
    limit(0, 3);
    check_int(stage_call(&stage, "f2", NULL, 0).as.i, 7);
    check_status(stage_status(&stage, "f3", NULL, 0), BL_ERR_LIMIT);
    /* And the stack is whole afterwards. */
    check_int(stage_call(&stage, "f2", NULL, 0).as.i, 7);
    limit(0, 1000); /* more than limits.def is not to be had */
    check_size((size_t)stage.machine.call_depth, (size_t)bl_limit(BL_LIMIT_CALL_DEPTH));
}

/* Many registers in many frames: more than one chunk, and none is mixed up. */
TEST(registers_stand_apart)
{
    struct bl_buf code;

    bl_buf_init(&code, &arena, 1 << 20);
    for (unsigned i = 0; i < 60; i++) {
        bl_buf_printf(&code, "pure g%u(int) : int\n regs ", i);
        for (unsigned k = 0; k < 240; k++)
            bl_buf_printf(&code, "%sint", k > 0 ? ", " : "");
        bl_buf_printf(&code, "\n const r240, %u\n", i);
        if (i > 0)
            bl_buf_printf(&code, " call r100, r0, g%u\n add r240, r240, r100\n", i - 1);
        BL_PUT(&code, " add r240, r240, r0\n return r240\n");
    }
    prepare(code.ptr);
    struct bl_value two = bl_int(2);
    check_int(stage_call(&stage, "g59", &two, 1).as.i, 59 * 60 / 2 + 60 * 2);
}

TEST(texts_and_lists_are_bounded)
{
    static char half[600000];

    prepare("pure joined(untrusted) : untrusted\n regs untrusted\n add r1, r0, r0\n"
            " return r1\n"
            "pure more(list of int) : list of int\n regs list of int\n add r1, r0, r0\n"
            " return r1\n");
    for (size_t i = 0; i < sizeof half; i++)
        half[i] = 'x';
    struct bl_value text = bl_text((bl_str){half, 500000});
    check_status(stage_status(&stage, "joined", &text, 1), BL_OK);
    text = bl_text((bl_str){half, sizeof half});
    check_status(stage_status(&stage, "joined", &text, 1), BL_ERR_LIMIT);
    struct bl_value list = numbers(50000);
    check_status(stage_status(&stage, "more", &list, 1), BL_OK);
    list = numbers(50001);
    check_status(stage_status(&stage, "more", &list, 1), BL_ERR_LIMIT);
}

TEST(effects_are_bounded)
{
    prepare("entry many(list of int) job 0\n regs list of int, iterator, int, text\n"
            " move r1, r0\n const r4, \"x\"\n iter r1\n"
            "again:\n next r3, r1, out\n effect r4, 1, notice\n loop again\nout:\n end\n");
    struct bl_value list = numbers(10000);
    check_status(stage_status(&stage, "many", &list, 1), BL_OK);
    check_size(stage.machine.planned.count, 10000);
    list = numbers(1);
    check_status(stage_status(&stage, "many", &list, 1), BL_ERR_LIMIT);
}

/* ---- endings ------------------------------------------------------------------------------
 */

TEST(guards_stop_the_unit)
{
    prepare("pure required() : int\n regs int?, int\n absent r0\n require r1, r0\n return r1\n"
            "pure needed() : comment\n regs comment\n ambient r0, comment\n return r0\n");
    check_status(stage_status(&stage, "required", NULL, 0), BL_ERR_INTERNAL);
    check_int(stage.module.CODE_rows[stage.machine.failed_at].op, BL_OP_REQUIRE);
    check_status(stage_status(&stage, "needed", NULL, 0), BL_ERR_INTERNAL);
    check_int(stage.module.CODE_rows[stage.machine.failed_at].op, BL_OP_AMBIENT);
    check(stage.machine.failure.what.len > 0);
    struct bl_value result;
    check_status(bl_machine_call(&stage.machine, 99, NULL, 0, &result), BL_ERR_INTERNAL);
    check_status(bl_machine_call(&stage.machine, 0, &result, 1, NULL), BL_ERR_INTERNAL);
}

/* A failed read is neither yes nor no. req: FLT-01, FLT-03 */
TEST(failed_reads_stop_the_unit)
{
    prepare("pure title() : untrusted\n regs issue, untrusted\n ambient r0, issue\n"
            " field r1, r0, issue.title\n return r1\n"
            "pure bot() : bool\n regs issue, user, bool\n ambient r0, issue\n"
            " field r1, r0, issue.author\n is-set r2, r1\n return r2\n"
            "pure found() : issue?\n regs int, int?, issue?\n const r0, 12\n move r1, r0\n"
            " builtin r2, r1, issue_number\n return r2\n");
    world.fails = true;
    world.failing = BL_READ_ISSUE;
    check_status(stage_status(&stage, "title", NULL, 0), BL_ERR_READ);
    check_str(stage.machine.failure.why, "GitHub answered 502");
    check(stage.machine.failure.what.len > 0);
    check(stage.machine.failure.again);
    check_int(stage.module.CODE_rows[stage.machine.failed_at].op, BL_OP_FIELD);
    check_status(stage_status(&stage, "bot", NULL, 0), BL_ERR_READ);
    check_status(stage_status(&stage, "found", NULL, 0), BL_ERR_READ);
    check_size(world.reads[BL_READ_ISSUE], 2); /* each asked once: the thing, the number */
}

TEST(a_read_happens_once)
{
    prepare("pure title() : untrusted\n regs issue, untrusted\n ambient r0, issue\n"
            " field r1, r0, issue.title\n field r1, r0, issue.title\n return r1\n");
    check_str(bl_text_of(stage_call(&stage, "title", NULL, 0)), "A title");
    check_str(bl_text_of(stage_call(&stage, "title", NULL, 0)), "A title");
    check_size(world.reads[BL_READ_ISSUE], 1);
}

/* ---- bindings -----------------------------------------------------------------------------
 */

TEST(a_binding_ends_with_its_function)
{
    prepare("pure spoken() : locale\n regs locale\n ambient r0, language\n return r0\n"
            "pure inner(locale) : locale\n regs locale\n bind r0, language\n"
            " call r1, r0, spoken\n return r1\n"
            "pure outer(locale, locale) : locale\n regs locale, locale\n bind r0, language\n"
            " bind r1, language\n call r2, r0, inner\n call r3, r0, spoken\n return r3\n"
            "pure fails(locale) : locale\n regs locale?, locale\n bind r0, language\n"
            " absent r1\n require r2, r1\n return r2\n");
    struct bl_value locales[] = {bl_number(BL_V_LOCALE, 1), bl_number(BL_V_LOCALE, 2)};
    struct bl_value *language = &stage.machine.ambient[BL_AMBIENT_LANGUAGE];

    *language = bl_number(BL_V_LOCALE, 0);
    check_int(stage_call(&stage, "spoken", NULL, 0).as.i, 0);
    check_int(stage_call(&stage, "inner", locales, 1).as.i, 1);
    check_int(stage_call(&stage, "spoken", NULL, 0).as.i, 0);
    check_int(stage_call(&stage, "outer", locales, 2).as.i, 2);
    check_int(language->as.i, 0);
    check_status(stage_status(&stage, "fails", locales, 1), BL_ERR_INTERNAL);
    check_int(language->as.i, 0);
}

/* ---- trace --------------------------------------------------------------------------------
 */

static void traced(const char *functions)
{
    check(stage_begin(&stage, &arena));
    stage_add(&stage, functions);
}

static void start_trace(struct bl_trace *trace)
{
    check(stage_ready(&stage, NULL));
    *trace = (struct bl_trace){.arena = &arena};
    stage.machine.trace = trace;
}

TEST(a_trace_keeps_conditions_with_their_values)
{
    struct bl_trace trace;

    traced("pure small(int) : bool\n regs int, bool, bool\n const r1, 10\n lt r2, r0, r1\n"
           " jump-unless r2, no\n const r1, 3\n eq r2, r0, r1\nno:\n return r2\n");
    stage_map(&stage, "small", 1, 10, 20);
    stage_map(&stage, "small", 4, 30, 40);
    start_trace(&trace);
    struct bl_value seven = bl_int(7);
    check_int(stage_call(&stage, "small", &seven, 1).as.i, 0);
    check_size(trace.atoms.count, 2);
    check(trace.atoms.items[0].result);
    check_int(trace.atoms.items[0].left.as.i, 7);
    check_int(trace.atoms.items[0].right.as.i, 10);
    check(!trace.atoms.items[1].result);
    check_int(trace.atoms.items[1].right.as.i, 3);
    check_int(trace.atoms.items[1].called, BL_NONE);
    check_int(stage.machine.decided, 1);
    struct bl_value large = bl_int(70);
    check_int(stage_call(&stage, "small", &large, 1).as.i, 0);
    check_size(trace.atoms.count, 3);
    check_int(stage.machine.decided, 2);
    check_int(trace.atoms.items[2].left.as.i, 70);
    /* The result may be written over an operand. */
    const struct bl_map_row *row = bl_module_place(&stage.module, trace.atoms.items[2].insn);
    check_int(row->lo, 10);
}

TEST(a_call_names_what_decided_inside)
{
    struct bl_trace trace;

    traced("pure inner(int) : bool\n regs int, bool\n const r1, 3\n lt r2, r0, r1\n"
           " return r2\n"
           "pure plain(int) : bool\n regs bool\n const r1, true\n return r1\n"
           "entry rule(int) : bool job 0\n regs bool, bool\n call r1, r0, inner\n"
           " jump-unless r1, no\n call r1, r0, plain\n fired\nno:\n return r1\n");
    stage_map(&stage, "inner", 1, 1, 2);
    stage_map(&stage, "rule", 0, 3, 4);
    stage_map(&stage, "rule", 2, 5, 6);
    start_trace(&trace);
    struct bl_value seven = bl_int(7);
    check_int(stage_call(&stage, "rule", &seven, 1).as.i, 0);
    check_size(trace.atoms.count, 2);
    check_int(stage.machine.decided, 1);
    check_int(trace.atoms.items[1].called, 0);
    check(!trace.atoms.items[1].result);
    check_int(trace.atoms.items[0].left.as.i, 7);
    /* A function without conditions decided by none. */
    struct bl_value two = bl_int(2);
    check_int(stage_call(&stage, "rule", &two, 1).as.i, 1);
    check_size(trace.atoms.count, 5);
    check_int(stage.machine.decided, 4);
    check(trace.atoms.items[4].result);
    check_int(trace.atoms.items[4].called, BL_NONE);
    check_int(trace.atoms.items[3].called, 2);
}

TEST(a_trace_has_an_end)
{
    struct bl_trace trace;

    traced("pure count(list of int) : bool\n regs list of int, iterator, int, int, bool\n"
           " move r1, r0\n const r4, 99998\n iter r1\n"
           "again:\n next r3, r1, out\n lt r5, r3, r4\n loop again\nout:\n lt r5, r4, r4\n"
           " return r5\n");
    stage_map(&stage, "count", 4, 1, 2);
    stage_map(&stage, "count", 6, 3, 4);
    start_trace(&trace);
    struct bl_value list = numbers(100000);
    check_int(stage_call(&stage, "count", &list, 1).as.i, 0);
    check_size(trace.atoms.count, BL_TRACE_ATOMS);
    check_int(stage.machine.decided, BL_TRACE_ATOMS - 1);
    check_int(bl_module_place(&stage.module, trace.atoms.items[stage.machine.decided].insn)->lo,
              3);
}

/* A rule that fired was decided by what came before; what it asks later is another matter. */
TEST(what_a_rule_asks_after_it_fired_does_not_decide)
{
    struct bl_trace trace;

    traced("entry rule() : bool job 0\n regs int, int, bool, bool\n const r0, 1\n"
           " const r1, 2\n lt r2, r0, r1\n jump-unless r2, no\n fired\n lt r3, r1, r0\n"
           "no:\n return r2\n");
    stage_map(&stage, "rule", 2, 1, 2);
    stage_map(&stage, "rule", 5, 3, 4);
    start_trace(&trace);
    check_int(stage_call(&stage, "rule", NULL, 0).as.i, 1);
    check_size(trace.atoms.count, 2);
    check_int(stage.machine.decided, 0);
}

/* In a trace that is full the newest condition is the last one, and none calls itself. */
TEST(a_full_trace_has_no_rounds)
{
    struct bl_trace trace;

    traced("pure small(int) : bool\n regs int, bool\n const r1, 3\n lt r2, r0, r1\n"
           " return r2\n"
           "pure count(list of int) : bool\n regs list of int, iterator, int, bool\n"
           " move r1, r0\n const r4, false\n iter r1\n"
           "again:\n next r3, r1, out\n call r4, r3, small\n loop again\nout:\n return r4\n");
    stage_map(&stage, "small", 1, 1, 2);
    stage_map(&stage, "count", 4, 3, 4);
    start_trace(&trace);
    struct bl_value list = numbers(50000);
    check_int(stage_call(&stage, "count", &list, 1).as.i, 0);
    check_size(trace.atoms.count, BL_TRACE_ATOMS);
    for (size_t i = 0; i < trace.atoms.count; i++)
        check(trace.atoms.items[i].called == BL_NONE || trace.atoms.items[i].called < i);
}

/* ---- memory -------------------------------------------------------------------------------
 */

static const char everything[] =
    "pure greet(issue) : clean comment\n regs user, text, clean comment, clean comment\n"
    " field r1, r0, issue.author\n const r2, \"Hello \"\n render r3, r1, comment\n"
    " build r4, r2, 2\n return r4\n"
    "entry rule() : bool job 0\n"
    " regs issue, clean comment, int, name?, list of time, time, list of posted 2\n"
    " regs bool, untrusted, pattern, list of untrusted, locale\n"
    " ambient r0, issue\n const r11, locale 1\n bind r11, language\n call r1, r0, greet\n"
    " const r2, 7\n absent r3\n list r4\n const r5, time 5\n push r4, r5\n"
    " posted r6, r0, posted 2\n field r8, r0, issue.title\n const r9, pattern 0\n"
    " builtin r10, r8, finds\n builtin r8, r8, prose\n fired\n effect r0, 5, post:2\n"
    " const r7, true\n return r7\n";

/* Each allocation fails once: the machine says so and nothing else happens. */
TEST(memory_that_runs_out_is_an_ending)
{
    size_t met = 0;

    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_arena plain;

        failing_allocator_init(&failing, n);
        bl_arena_init(&plain, 64 << 20, NULL);
        bl_arena_init(&small, 64 << 20, &failing.allocator);
        check(stage_begin(&stage, &plain));
        stage_add(&stage, everything);
        check(stage_ready(&stage, NULL));
        scripted_init(&world, &plain);
        scripted_issue(&world, 12);
        scripted_comment(&world, 12, "bot[bot]", "<!-- bylaw:reply to=7 tag=v1 -->\n");
        struct bl_snapshot *snapshot = bl_snapshot_create(&small, &world.world);
        enum bl_status status = BL_ERR_NOMEM;
        if (snapshot != NULL) {
            bl_machine_init(&stage.machine, &stage.module, &small, snapshot, BL_EVENT_COUNT,
                            NULL);
            struct bl_object *issue =
                bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 12, BL_STR("o/r"));
            if (issue != NULL) {
                stage.machine.ambient[BL_AMBIENT_ISSUE] = bl_object_value(issue);
                status = stage_status(&stage, "rule", NULL, 0);
            }
        }
        bool failed = small.failed;
        check_case("allocation %u", (unsigned)n);
        check_status(status, failed ? BL_ERR_NOMEM : BL_OK);
        bl_arena_reset(&small);
        bl_arena_reset(&plain);
        check_size(failing.live, 0);
        if (!failed)
            break;
        met++;
    }
    check(met >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_budget_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_share_the_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_work_is_charged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_sought_in_one_text_costs_one_pass, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(calls_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(registers_stand_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_and_lists_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(effects_are_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(guards_stop_the_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failed_reads_stop_the_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_read_happens_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_binding_ends_with_its_function, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_trace_keeps_conditions_with_their_values, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_call_names_what_decided_inside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_trace_has_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_rule_asks_after_it_fired_does_not_decide, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_full_trace_has_no_rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_an_ending, set_up, tear_down),
    };
    return check_main(tests);
}
