/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "instruction_rows.h"
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
    stage_secrets(&stage);
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
    {"pure f() : text\n regs text, text\n const r0, \"a\"\n"
     " settle r1, r0\n return r1\n",
     "\"a\""},
};

/* req: ANS-01 */
TEST(the_answer_is_the_one_of_the_run)
{
    const char *code =
        "pure f() : text\n regs record 0, text\n answer r0, pair\n member r1, r0, 1\n"
        " return r1\n";
    const struct bl_value fields[] = {bl_int(3), text_value("three")};
    struct bl_value answer = {.tag = BL_V_RECORD, .aux = 0, .len = 2, .as.fields = fields};
    open_world();
    prepare(code);
    check_status(stage_status(&stage, "f", NULL, 0), BL_ERR_INTERNAL);
    bl_arena_reset(&arena);
    for (unsigned record = 0; record < 2; record++) {
        open_world();
        prepare(code);
        answer.aux = (uint16_t)record;
        stage.machine.answer = answer;
        if (record == 0)
            check_str(words_of(stage_call(&stage, "f", NULL, 0)), "\"three\"");
        else
            check_status(stage_status(&stage, "f", NULL, 0), BL_ERR_INTERNAL);
        bl_arena_reset(&arena);
    }
}

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

/* A store is its file, read strictly: all of it or nothing. */
TEST(rows_of_a_store_are_its_file)
{
    static const struct {
        const char *file; /* NULL: there is none */
        const char *gives;
    } cases[] = {
        {NULL, "[]"},
        {"", "[]"},
        {"{\"id\":\"a\",\"number\":7}\n{\"number\":null,\"id\":\"b c\"}",
         "[(a, 7), (\"b c\", none)]"},
        {"{\"id\":\"a\"}\r\n", "[(a, none)]"},
    };
    static const char *const refused[] = {
        "\n",
        "{\"id\":\"a\"}\n\n",
        "{\"id\":\"a\"}\n{\"id\":\"a\"}\n",
        "{\"id\":\"\"}\n",
        "{\"id\":\" a\"}\n",
        "{\"id\":\"a\\u0085b\"}\n",
        "{\"id\":7}\n",
        "{\"id\":null}\n",
        "{}\n",
        "{\"id\":\"a\",\"number\":1.0}\n",
        "{\"id\":\"a\",\"number\":9007199254740993}\n",
        "{\"id\":\"a\",\"number\":[1]}\n",
        "{\"id\":\"a\",\"other\":1}\n",
        "{\"id\":\"a\"} {\"id\":\"b\"}\n",
        "[{\"id\":\"a\"}]\n",
        "{\"id\":\"a\"",
    };
    static const char code[] =
        "pure f() : list of record 1\n regs list of record 1\n stored r0, rows\n return r0\n";

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("row %u", (unsigned)i);
        open_world();
        world.store = cases[i].file;
        prepare(code);
        check_str(words_of(stage_call(&stage, "f", NULL, 0)), cases[i].gives);
        bl_arena_reset(&arena);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        check_case("%s", refused[i]);
        open_world();
        world.store = refused[i];
        prepare(code);
        check_status(stage_status(&stage, "f", NULL, 0), BL_ERR_READ);
        check(bl_str_starts_with(stage.machine.failure.what, BL_STR("Line ")));
        bl_arena_reset(&arena);
    }
}

/* The last test: every row of opcodes.def ran. */
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
        cmocka_unit_test(the_answer_is_the_one_of_the_run),
        cmocka_unit_test(builtins_are_called_by_instruction),
        cmocka_unit_test(rows_of_a_store_are_its_file),
        cmocka_unit_test(no_instruction_is_left_out),
    };
    return check_main(tests);
}
