/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "support/check.h"
#include "support/scripted_world.h"
#include "support/stage.h"

#include <string.h>

/* Every instruction: the last column of opcodes.def, language-review §5.1 and §5.9. */

static struct bl_arena arena;
static struct stage stage;
static struct scripted_world world;
static bool executed[BL_OP_COUNT];

static void open_world(void)
{
    bl_arena_init(&arena, 64 << 20, NULL);
    scripted_init(&world, &arena);
    struct scripted_issue *issue = scripted_issue(&world, 12);
    issue->title = "It crashes";
    issue->created = 100;
    scripted_label(&world, 12, "bug");
    scripted_label(&world, 12, "Needs Info");
    scripted_comment(&world, 12, "alice", "<!-- bylaw:reply to=1 -->\n\nnot ours");
    scripted_comment(&world, 12, "bot[bot]", "<!-- bylaw:reply to=7 tag=v1 -->\n\nours");
    scripted_comment(&world, 12, "bot[bot]", "<!-- bylaw:closed-notice day=2026-12-02 -->\n");
    scripted_comment(&world, 12, "bot[bot]", "no marker");
    world.variable = "off";
    world.secret = true;
}

/* Which instructions the functions of the module have: tests call them all. */
static void note_opcodes(void)
{
    for (uint32_t i = 0; i < stage.module.CODE_count; i++)
        executed[stage.module.CODE_rows[i].op] = true;
}

static void add_set(void)
{
    const struct bl_pattern_set_input inputs[] = {{BL_STR("crash"), BL_STR(""), true},
                                                  {BL_STR("^crash"), BL_STR(""), false}};
    const bl_str sources[] = {inputs[0].source, inputs[1].source};
    bool left_out[2];
    struct bl_pattern set;

    check(bl_pattern_set_compile(&arena, inputs, 2, left_out, &set));
    bl_add_SANITIZERS(stage.builder, (struct bl_module_sanitizer){{0, 0}, 8, 1, 0, 0});
    bl_builder_set(stage.builder, BL_FACT_ISSUE_TITLE, set, sources, 1);
}

static void prepare(const char *functions)
{
    check(stage_begin(&stage, &arena));
    add_set();
    stage_add(&stage, functions);
    struct bl_snapshot *snapshot = bl_snapshot_create(&arena, &world.world);
    check(stage_ready(&stage, snapshot));
    stage.machine.event = BL_EVENT_ISSUES_OPENED;
    stage.machine.ambient[BL_AMBIENT_ISSUE] =
        bl_object_value(bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 12, BL_STR("o/r")));
    struct bl_value repository;
    struct bl_failure failure;
    check_status(
        bl_snapshot_query(snapshot, BL_READ_REPOSITORY, NULL, 0, &repository, &failure), BL_OK);
    stage.machine.ambient[BL_AMBIENT_REPOSITORY] = repository;
    stage.machine.ambient[BL_AMBIENT_NOW] = time_value("2026-11-02T08:00:00Z");
    note_opcodes();
}

static bl_str words_of(struct bl_value v)
{
    struct bl_value_names names = bl_machine_names(&stage.module);
    struct bl_buf out;

    bl_buf_init(&out, &arena, 1000);
    bl_value_describe(&out, v, &names);
    return bl_buf_str(&out);
}

/* A function `f` without parameters and what it gives, in words. */
static const struct {
    const char *code;
    const char *gives;
} rows[] = {
    /* const, absent, move, require, is-set */
    {"pure f() : int\n regs int\n const r0, 12\n return r0\n", "12"},
    {"pure f() : text\n regs text\n const r0, \"a b\"\n return r0\n", "\"a b\""},
    {"pure f() : enum 0\n regs enum 0\n const r0, enum 0 high\n return r0\n", "high"},
    {"pure f() : issue_state\n regs issue_state\n const r0, issue_state closed\n return r0\n",
     "closed"},
    {"pure f() : task\n regs task\n const r0, task 1\n return r0\n", "report"},
    {"pure f() : int?\n regs int?\n absent r0\n return r0\n", "none"},
    {"pure f() : int?\n regs int, int?\n const r0, 5\n move r1, r0\n return r1\n", "5"},
    {"pure f() : int\n regs int, int?, int\n const r0, 5\n move r1, r0\n require r2, r1\n"
     " return r2\n",
     "5"},
    {"pure f() : bool\n regs int?, bool\n absent r0\n is-set r1, r0\n return r1\n", "false"},
    /* not, eq, ne, lt, le */
    {"pure f() : bool\n regs bool\n const r0, true\n not r0, r0\n return r0\n", "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n eq r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n ne r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int?, int, bool\n absent r0\n const r1, 5\n eq r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int?, int, bool\n absent r0\n const r1, 5\n ne r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs label, text, bool\n const r0, label \"BUG\"\n"
     " const r1, \"bug\"\n eq r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs text, label, bool\n const r0, \"bug\"\n"
     " const r1, label \"BUG\"\n eq r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs name, text, bool\n const r0, name \"V1\"\n const r1, \"v1\"\n"
     " eq r2, r0, r1\n return r2\n",
     "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n lt r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 4\n const r1, 5\n lt r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n le r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 6\n const r1, 5\n le r2, r0, r1\n"
     " return r2\n",
     "false"},
    /* add, sub, mul */
    {"pure f() : int\n regs int, int\n const r0, 40\n const r1, 2\n add r0, r0, r1\n"
     " return r0\n",
     "42"},
    {"pure f() : int\n regs int, int\n const r0, 9223372036854775807\n const r1, 2\n"
     " add r0, r0, r1\n return r0\n",
     "9223372036854775807"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 172800\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-13"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 172799\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-12"},
    {"pure f() : time\n regs time, duration\n const r0, time 100\n const r1, duration 60\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-01T00:02:40Z"},
    {"pure f() : duration\n regs duration, duration\n const r0, duration 3600\n"
     " const r1, duration 60\n add r0, r0, r1\n return r0\n",
     "61 minutes"},
    {"pure f() : money\n regs money, money\n const r0, money 5000\n const r1, money 5000\n"
     " add r0, r0, r1\n return r0\n",
     "$1.00"},
    {"pure f() : text\n regs text, text\n const r0, \"a\"\n const r1, \"b\"\n"
     " add r0, r0, r1\n return r0\n",
     "\"ab\""},
    {"pure f() : list of int\n regs list of int, list of int, int, list of int\n list r0\n"
     " list r1\n const r2, 1\n push r0, r2\n const r2, 2\n push r1, r2\n add r3, r0, r1\n"
     " return r3\n",
     "[1, 2]"},
    {"pure f() : int\n regs int, int\n const r0, 40\n const r1, 2\n sub r0, r0, r1\n"
     " return r0\n",
     "38"},
    {"pure f() : duration\n regs time, time, duration\n const r0, time 160\n"
     " const r1, time 100\n sub r2, r0, r1\n return r2\n",
     "1 minute"},
    {"pure f() : time\n regs time, duration\n const r0, time 160\n const r1, duration 60\n"
     " sub r0, r0, r1\n return r0\n",
     "1970-01-01T00:01:40Z"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 86400\n"
     " sub r0, r0, r1\n return r0\n",
     "1970-01-10"},
    {"pure f() : int\n regs int, int\n const r0, 6\n const r1, 7\n mul r0, r0, r1\n"
     " return r0\n",
     "42"},
    {"pure f() : int\n regs int, percent\n const r0, 99\n const r1, percent 10\n"
     " mul r0, r0, r1\n return r0\n",
     "9"}, /* rounds down */
    {"pure f() : duration\n regs duration, int\n const r0, duration 60\n const r1, 5\n"
     " mul r0, r0, r1\n return r0\n",
     "5 minutes"},
    /* in, contains, starts, ends, matches, glob */
    {"pure f() : bool\n regs issue, list of label, label, bool\n ambient r0, issue\n"
     " field r1, r0, issue.labels\n const r2, label \"needs info\"\n in r3, r2, r1\n"
     " return r3\n",
     "true"},
    {"pure f() : bool\n regs issue, list of label, label, bool\n ambient r0, issue\n"
     " field r1, r0, issue.labels\n const r2, label \"stale\"\n in r3, r2, r1\n return r3\n",
     "false"},
    {"pure f() : bool\n regs int?, list of int, int, bool\n absent r0\n list r1\n"
     " const r2, 1\n push r1, r2\n in r3, r0, r1\n return r3\n",
     "false"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"b\"\n"
     " contains r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"b\"\n"
     " starts r2, r0, r1\n return r2\n",
     "false"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"bc\"\n"
     " ends r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, pattern, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n const r2, pattern 0\n matches r3, r1, r2\n return r3\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, pattern, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n const r2, pattern 1\n matches r3, r1, r2\n return r3\n",
     "false"},
    {"pure f() : bool\n regs issue, untrusted, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n found r2, r1, crash\n return r2\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n found r2, r1, ^crash\n return r2\n",
     "false"},
    {"pure f() : bool\n regs path, path, bool\n const r0, path \"src/a.ts\"\n"
     " const r1, path \"src/**/*.ts\"\n glob r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs path, list of path, path, bool\n const r0, path \"src/a.ts\"\n"
     " list r1\n const r2, path \"*.md\"\n push r1, r2\n const r2, path \"**/a.*\"\n"
     " push r1, r2\n glob r3, r0, r1\n return r3\n",
     "true"},
    /* field: of things, labels, days, times, paths, repositories, what the workflow passes */
    {"pure f() : untrusted\n regs issue, untrusted\n ambient r0, issue\n"
     " field r1, r0, issue.title\n return r1\n",
     "\"It crashes\""},
    {"pure f() : name\n regs issue, user, name\n ambient r0, issue\n"
     " field r1, r0, issue.author\n field r2, r1, user.login\n return r2\n",
     "\"alice\""},
    {"pure f() : text\n regs label, text\n const r0, label \"needs info\"\n"
     " field r1, r0, label.description\n return r1\n",
     "\"Waits for its reporter\""},
    {"pure f() : text\n regs label, text\n const r0, label \"unknown\"\n"
     " field r1, r0, label.description\n return r1\n",
     "\"\""},
    {"pure f() : list of text\n regs label, list of text\n const r0, label \"NEEDS INFO\"\n"
     " field r1, r0, label.options\n return r1\n",
     "[Yes, No]"},
    {"pure f() : bool\n regs label, bool\n const r0, label \"needs info\"\n"
     " field r1, r0, label.ask\n return r1\n",
     "true"},
    {"pure f() : name\n regs label, name\n const r0, label \"bug\"\n"
     " field r1, r0, label.name\n return r1\n",
     "\"bug\""},
    {"pure f() : int\n regs date, int\n const r0, date 10\n field r1, r0, date.day_of_month\n"
     " return r1\n",
     "11"},
    {"pure f() : time\n regs date, time\n const r0, date 1\n field r1, r0, date.midnight\n"
     " return r1\n",
     "1970-01-02T00:00:00Z"},
    {"pure f() : date\n regs time, date\n const r0, time 86399\n field r1, r0, time.day\n"
     " return r1\n",
     "1970-01-01"},
    {"pure f() : bool\n regs path, bool\n const r0, path \"src/a_b-c.ts\"\n"
     " field r1, r0, path.plain\n return r1\n",
     "true"},
    {"pure f() : bool\n regs path, bool\n const r0, path \"src/../a\"\n"
     " field r1, r0, path.plain\n return r1\n",
     "false"},
    {"pure f() : untrusted\n regs path, untrusted\n const r0, path \"src/a\"\n"
     " field r1, r0, path.text\n return r1\n",
     "\"src/a\""},
    {"pure f() : bool\n regs repository_name, bool\n const r0, repository_name \"o/r\"\n"
     " field r1, r0, repository_name.public\n return r1\n",
     "true"},
    {"pure f() : text?\n regs variable, text?\n const r0, variable 0\n"
     " field r1, r0, variable.value\n return r1\n",
     "\"off\""},
    {"pure f() : bool\n regs secret_setting, bool\n const r0, secret_setting 1\n"
     " field r1, r0, secret_setting.is_set\n return r1\n",
     "true"},
    /* attr, posted, as-posted */
    {"pure f() : list of posted 2\n regs issue, list of posted 2\n ambient r0, issue\n"
     " posted r1, r0, posted 2\n return r1\n",
     "[comment 1001]"},
    {"pure f() : list of posted 1\n regs issue, list of posted 1\n ambient r0, issue\n"
     " posted r1, r0, posted 1\n return r1\n",
     "[comment 1002]"},
    {"pure f() : int\n regs issue, list of posted 2, posted 2?, posted 2, int\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n attr r4, r3, name \"to\"\n return r4\n",
     "7"},
    {"pure f() : name?\n regs issue, list of posted 2, posted 2?, posted 2, name?\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n attr r4, r3, name \"tag\"\n return r4\n",
     "\"v1\""},
    {"pure f() : list of posted 2\n regs issue, list of comment, list of posted 2\n"
     " ambient r0, issue\n field r1, r0, issue.comments\n posted r2, r1, posted 2\n"
     " return r2\n",
     "[comment 1001]"},
    {"pure f() : posted 2?\n"
     " regs issue, list of comment, comment?, comment, posted 2?\n ambient r0, issue\n"
     " field r1, r0, issue.comments\n builtin r2, r1, first\n require r3, r2\n"
     " as-posted r4, r3, posted 2\n return r4\n",
     "none"},
    {"pure f() : time\n regs issue, list of posted 2, posted 2?, posted 2, time\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n field r4, r3, comment.created_at\n return r4\n",
     "1970-01-01T00:00:00Z"},
    /* record, member, verdict */
    {"pure f() : text\n regs int, text, record 0, text\n const r0, 3\n const r1, \"three\"\n"
     " record r2, r0, pair\n member r3, r2, 1\n return r3\n",
     "\"three\""},
    {"pure f() : record 0\n regs int, text, record 0\n const r0, 3\n const r1, \"three\"\n"
     " record r2, r0, pair\n return r2\n",
     "(3, three)"},
    {"pure f() : clean log\n regs bool, name, text, verdict, clean log\n const r0, true\n"
     " const r1, name \"n\"\n const r2, \"why\"\n verdict r3, r0\n field r4, r3, verdict.text\n"
     " return r4\n",
     "\"why\""},
    /* list, push, iter, next, loop */
    {"pure f() : list of int\n regs list of int, int?, int\n list r0\n absent r1\n"
     " push r0, r1\n const r2, 7\n push r0, r2\n return r0\n",
     "[7]"},
    {"pure f() : int\n regs list of int, iterator, int, int, int\n list r0\n const r3, 1\n"
     " push r0, r3\n push r0, r3\n const r3, 5\n push r0, r3\n const r4, 0\n iter r0\n"
     "again:\n next r2, r0, out\n add r4, r4, r2\n loop again\nout:\n return r4\n",
     "7"},
    {"pure f() : int\n regs list of int, iterator, int, int\n list r0\n const r3, 9\n iter r0\n"
     "again:\n next r2, r0, out\n move r3, r2\n loop again\nout:\n return r3\n",
     "9"},
    /* jumps */
    {"pure f() : int\n regs bool, int\n const r0, true\n const r1, 1\n jump-if r0, yes\n"
     " const r1, 2\nyes:\n return r1\n",
     "1"},
    {"pure f() : int\n regs bool, int\n const r0, true\n const r1, 1\n jump-unless r0, no\n"
     " const r1, 2\nno:\n return r1\n",
     "2"},
    {"pure f() : int\n regs int\n const r0, 1\n jump out\nout:\n return r0\n", "1"},
    /* call, end */
    {"pure twice(int) : int\n regs int\n add r1, r0, r0\n return r1\n"
     "pure f() : int\n regs int, int\n const r0, 21\n call r1, r0, twice\n return r1\n",
     "42"},
    /* ambient, event-is, bind */
    {"pure f() : time\n regs time\n ambient r0, now\n return r0\n", "2026-11-02T08:00:00Z"},
    {"pure f() : comment?\n regs comment?\n ambient r0, comment\n return r0\n", "none"},
    {"pure f() : bool\n regs bool\n event-is r0, issues.opened\n return r0\n", "true"},
    {"pure f() : bool\n regs bool\n event-is r0, issues.closed\n return r0\n", "false"},
    {"pure day(date) : clean comment\n regs clean comment\n render r1, r0, comment\n"
     " return r1\n"
     "pure f() : clean comment\n regs locale, date, clean comment\n const r0, locale 1\n"
     " bind r0, language\n const r1, date 0\n call r2, r1, day\n return r2\n",
     "\"1. Januar 1970\""},
    /* render, build */
    {"pure f() : clean comment\n regs label, text, clean comment, clean comment\n"
     " const r0, label \"bug\"\n const r1, \"It is \"\n render r2, r0, comment\n"
     " build r3, r1, 2\n return r3\n",
     "\"It is `bug`\""},
    {"pure f() : text\n regs text\n build r0, r0, 0\n return r0\n", "\"\""},
};

TEST(instructions_give_what_their_rows_say)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_case("row %u: %s", (unsigned)i, rows[i].code);
        open_world();
        prepare(rows[i].code);
        check_str(words_of(stage_call(&stage, "f", NULL, 0)), rows[i].gives);
        bl_arena_reset(&arena);
    }
}

/* ---- messages, settings -------------------------------------------------------------------
 */

static const char says[] = "pure hello_en(name) : clean comment\n regs text, clean comment,"
                           " clean comment\n const r1, \"Hello \"\n render r2, r0, comment\n"
                           " build r3, r1, 2\n return r3\n"
                           "pure hello_de(name) : clean comment\n regs text, clean comment,"
                           " clean comment\n const r1, \"Hallo \"\n render r2, r0, comment\n"
                           " build r3, r1, 2\n return r3\n"
                           "pure bye_en() : text\n regs text\n const r0, \"Bye\"\n return r0\n"
                           "pure limit() : int\n regs int\n const r0, 3\n return r0\n";
static const char uses[] = "pure greet(locale) : clean comment\n"
                           " regs name, clean comment\n bind r0, language\n"
                           " const r1, name \"v1\"\n message r2, r1, hello\n return r2\n"
                           "pure part(locale) : text\n regs text\n bind r0, language\n"
                           " message r1, r1, bye\n return r1\n"
                           "pure asked() : int\n regs int\n setting r0, limit\n return r0\n";

static void prepare_messages(void)
{
    check(stage_begin(&stage, &arena));
    stage_add(&stage, says);
    bl_builder_message(stage.builder, BL_STR("hello"),
                       (const uint32_t[]){stage_function(&stage, "hello_en"),
                                          stage_function(&stage, "hello_de"), BL_NONE},
                       3, 1);
    bl_builder_message(stage.builder, BL_STR("bye"),
                       (const uint32_t[]){stage_function(&stage, "bye_en"), BL_NONE, BL_NONE},
                       3, 0);
    bl_add_SETTINGS(
        stage.builder,
        (struct bl_module_setting){.name = bl_builder_string(stage.builder, BL_STR("limit")),
                                   .function = stage_function(&stage, "limit"),
                                   .check = BL_NONE,
                                   .source = BL_NO_SOURCE});
    stage_add(&stage, uses);
    check(stage_ready(&stage, NULL));
    note_opcodes();
}

static bl_str said(const char *function, int64_t locale)
{
    struct bl_value language = bl_number(BL_V_LOCALE, locale);

    return bl_text_of(stage_call(&stage, function, &language, 1));
}

/* req: LNG-20
 * A text that a language lacks comes from the one it is like, at last from the
 * reference; a comment never fails for want of a text. */
TEST(messages_fall_back)
{
    open_world();
    prepare_messages();
    check_str(said("greet", 0), "Hello `v1`");
    check_str(said("greet", 1), "Hallo `v1`");
    check_str(said("greet", 2), "Hallo `v1`"); /* other is like de */
    check_str(said("part", 0), "Bye");
    check_str(said("part", 1), "Bye");
    check_str(said("part", 2), "Bye");
    check(bl_is_absent(stage.machine.ambient[BL_AMBIENT_LANGUAGE]));
    bl_arena_reset(&arena);
}

TEST(settings_can_be_given_by_a_test)
{
    open_world();
    prepare_messages();
    check_int(stage_call(&stage, "asked", NULL, 0).as.i, 3);
    const struct bl_value values[] = {bl_int(8)};
    bool given[] = {true};
    const struct bl_setting_values settings = {values, given};
    stage.machine.settings = &settings;
    check_int(stage_call(&stage, "asked", NULL, 0).as.i, 8);
    given[0] = false;
    check_int(stage_call(&stage, "asked", NULL, 0).as.i, 3);
    bl_arena_reset(&arena);
}

/* ---- effects, tests -----------------------------------------------------------------------
 */

TEST(effects_are_planned_in_the_written_order)
{
    open_world();
    prepare("entry rule() : bool job 0\n regs issue, label, clean timeline?, bool, text\n"
            " ambient r0, issue\n const r1, label \"bug\"\n absent r2\n fired\n"
            " effect r0, 3, add label\n const r1, label \"stale\"\n"
            " effect r0, 3, remove label\n const r4, \"done\"\n effect r4, 1, notice\n"
            " const r3, true\n return r3\n"
            "entry quiet() job 0\n end\n");
    stage.machine.entry = 4;
    stage.machine.chain = 9;
    check_int(stage_call(&stage, "rule", NULL, 0).as.i, 1);
    check(stage.machine.fired);
    check_size(stage.machine.planned.count, 3);
    static const enum bl_effect effects[] = {BL_EFFECT_ADD_LABEL, BL_EFFECT_REMOVE_LABEL,
                                             BL_EFFECT_NOTICE};
    for (size_t i = 0; i < 3; i++) {
        const struct bl_planned *planned = &stage.machine.planned.items[i];
        check_int(planned->effect, effects[i]);
        check_int(planned->entry, 4);
        check_int(planned->chain, 9);
        check_int(planned->position, i);
        check(planned->site != NULL && planned->site->kind == (uint32_t)effects[i]);
        check_int(stage.module.CODE_rows[planned->insn].op, BL_OP_EFFECT);
    }
    check_str(bl_text_of(stage.machine.planned.items[0].args[1]), "bug");
    check(bl_is_absent(stage.machine.planned.items[0].args[2]));
    check_str(bl_text_of(stage.machine.planned.items[1].args[1]), "stale");
    check(bl_is_absent(stage_call(&stage, "quiet", NULL, 0)));
    bl_arena_reset(&arena);
}

struct hosted {
    unsigned steps, expectations, held;
    enum bl_status answer;
};

static enum bl_status host_step(void *context, const struct bl_site *site,
                                const struct bl_value *args, size_t count)
{
    struct hosted *hosted = context;

    hosted->steps++;
    check_int(site->kind, BL_STEP_GIVEN_MAINTAINER);
    check_size(count, 1);
    check_str(bl_text_of(args[0]), "maria");
    return hosted->answer;
}

static enum bl_status host_expect(void *context, const struct bl_site *site, bool holds)
{
    struct hosted *hosted = context;

    (void)site;
    hosted->expectations++;
    hosted->held += holds ? 1 : 0;
    return BL_OK;
}

TEST(steps_and_expectations_go_to_the_host)
{
    struct hosted hosted = {0};
    const struct bl_test_host host = {host_step, host_expect, &hosted};

    open_world();
    prepare("test t()\n regs text, bool\n const r0, \"maria\"\n"
            " step r0, 1, given maintainer\n const r1, true\n expect r1, -\n not r1, r1\n"
            " expect r1, -\n end\n");
    check_status(stage_status(&stage, "t", NULL, 0), BL_ERR_INTERNAL);
    stage.machine.host = &host;
    check_status(stage_status(&stage, "t", NULL, 0), BL_OK);
    check_int(hosted.steps, 1);
    check_int(hosted.expectations, 2);
    check_int(hosted.held, 1);
    hosted.answer = BL_ERR_READ;
    check_status(stage_status(&stage, "t", NULL, 0), BL_ERR_READ);
    check_int(hosted.expectations, 2);
    bl_arena_reset(&arena);
}
/* ---- builtins by instruction */

static const struct {
    const char *code;
    const char *gives;
} builtins[] = {
    {"pure f() : issue?\n regs int, int?, issue?\n const r0, 12\n move r1, r0\n"
     " builtin r2, r1, issue_number\n return r2\n",
     "#12"},
    {"pure f() : issue?\n regs int, int?, issue?\n const r0, 99\n move r1, r0\n"
     " builtin r2, r1, issue_number\n return r2\n",
     "none"},
    {"pure f() : issue\n regs int, issue\n const r0, 12\n builtin r1, r0, issue\n"
     " return r1\n",
     "#12"},
    {"pure f() : numbered?\n regs int, numbered?\n const r0, 12\n builtin r1, r0, numbered\n"
     " return r1\n",
     "#12"},
    {"pure f() : list of issue\n regs time, time, list of issue\n const r0, time 0\n"
     " const r1, time 9\n builtin r2, r0, issues_created\n return r2\n",
     "[#12]"},
    {"pure f() : int\n regs time, list of comment, int\n const r0, time 0\n"
     " builtin r1, r0, comments_changed_since\n builtin r2, r1, count\n return r2\n",
     "4"},
    {"pure f() : text\n regs money, int, text\n const r0, money 12345\n const r1, 2\n"
     " builtin r2, r0, money\n return r2\n",
     "\"$1.23\""},
    {"pure f() : text\n regs text, text\n const r0, \" A \"\n builtin r1, r0, trim\n"
     " builtin r1, r1, lower\n return r1\n",
     "\"a\""},
    {"pure f() : clean log\n"
     " regs untrusted, list of pattern, list of int, list of int, list of int, clean log, "
     "text\n"
     " const r6, \"@a #1\"\n move r0, r6\n list r1\n list r2\n list r3\n list r4\n"
     " clean r5, r0, 0\n return r5\n",
     "\"`@a` `#1`\""},
};

TEST(builtins_are_called_by_instruction)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        check_case("row %u: %s", (unsigned)i, builtins[i].code);
        open_world();
        prepare(builtins[i].code);
        check_str(words_of(stage_call(&stage, "f", NULL, 0)), builtins[i].gives);
        bl_arena_reset(&arena);
    }
    open_world();
    prepare("pure f() : issue\n regs int, issue\n const r0, 99\n builtin r1, r0, issue\n"
            " return r1\n");
    check_status(stage_status(&stage, "f", NULL, 0), BL_ERR_READ);
    bl_arena_reset(&arena);
}

/* The last test: every row of opcodes.def stood in a function that ran. */
TEST(no_instruction_is_left_out)
{
    for (unsigned op = 0; op < BL_OP_COUNT; op++) {
        check_case("%.*s", BL_STR_ARG(bl_op_info((enum bl_opcode)op)->mnemonic));
        check(executed[op]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_give_what_their_rows_say),
        cmocka_unit_test(messages_fall_back),
        cmocka_unit_test(settings_can_be_given_by_a_test),
        cmocka_unit_test(effects_are_planned_in_the_written_order),
        cmocka_unit_test(steps_and_expectations_go_to_the_host),
        cmocka_unit_test(builtins_are_called_by_instruction),
        cmocka_unit_test(no_instruction_is_left_out),
    };
    return check_main(tests);
}
