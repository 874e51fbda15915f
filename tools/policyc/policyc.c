/* SPDX-License-Identifier: Apache-2.0 */
#include "policyc/policyc.h"

#include "lint/lint.h"
#include "run/answer.h"
#include "run/run.h"
#include "show/show.h"
#include "show/show_cost.h"

/* policyc: from policies to a module, and what there is to say about them. */

static const struct bl_option options[] = {
    {"output", 'o', "OUT", 0, NULL,
     "Write the module there; with --emit: what it would print, and with --emit=workflows: the "
     "folder of the repository. Nothing is written when there is an error."},
    {"lint", 0, NULL, 0, NULL, "Look for more than errors; findings give exit code 1."},
    {"level", 0, "RULE=LEVEL", BL_OPTION_MANY, NULL,
     "Set a lint rule to off, warn or error, as 'lint' in a policy does."},
    {"fmt", 0, NULL, 0, NULL,
     "Give the files the one look of policies; '-' is standard input. Nothing is written when "
     "one of them does not parse."},
    {"check", 0, NULL, 0, NULL,
     "With --fmt: write nothing and name the files that differ; they give exit code 1. With "
     "--emit=workflows: hold those of a repository, the last path or the one of -o, against "
     "the policy."},
    {"diff", 0, NULL, 0, NULL,
     "With --fmt: write nothing and print what would change; it gives exit code 1."},
    {"fix", 0, NULL, 0, NULL,
     "Carry out what errors and lint findings say to put instead, and report what is left."},
    {"dry-run", 0, NULL, 0, NULL, "With --fix: print what would change; it gives exit code 1."},
    {"test", 0, NULL, 0, NULL,
     "Run the tests of the policies (*_test.policy too); with --emit=json: take them into the "
     "tree."},
    {"filter", 0, "TEXT", 0, NULL, "With --test: only tests whose name holds this text."},
    {"shard", 0, "N/M", 0, NULL, "With --test: the Nth of M parts of the tests."},
    {"junit", 0, "FILE", 0, NULL, "With --test: write the results as JUnit's XML, too."},
    {"bless", 0, NULL, 0, NULL,
     "With --test: write the golden plans that differ, and show how, instead of failing."},
    {"coverage", 0, NULL, 0, NULL,
     "With --test: say which rules, rows, effects and conditions the tests reached, and which "
     "not. Every rule of an event is then evaluated."},
    {"coverage-lcov", 0, "FILE", 0, NULL, "With --test: write the coverage for lcov, too."},
    {"coverage-html", 0, "FILE", 0, NULL, "With --test: write it as a page, too."},
    {"coverage-threshold", 0, "PERCENT", 0, NULL,
     "With --test: less coverage than this gives exit code 1."},
    {"verbose", 'v', NULL, 0, NULL, "With --test: name the tests that passed, too."},
    {"no-index", 0, NULL, 0, NULL, "With --test: evaluate every rule of an event."},
    {"emit", 0, "WHAT", 0, "ast|json|asm|docs|permissions|graph|cost|workflows|schema",
     "Print the tree as parsed, the typed tree as JSON, the module with its instructions, a "
     "page about the policy, the workflows of GitHub Actions that it declares, or the JSON "
     "schemas of the answers of its tasks and of what its entries take, and stop."},
    {"explain", 0, "CODE", 0, NULL,
     "Say more about a diagnostic or lint rule: PL0203, unused-label."},
    BL_SESSION_OPTIONS,
};

static const struct bl_command_line line = {
    .tool = "policyc",
    .usage = "[FILE|FOLDER]… [-o OUT.pbc] [options]",
    .summary = "compiles policies to a verified module",
    .about =
        "Reads .policy files, or folders of which every .policy file takes part, and all that "
        "they use;\nwithout a path .github/bylaw.policy. The files of a folder are one "
        "package, "
        "so a file that says\n'package' is read together with all others of its folder. Every "
        "error of every file is\nreported in one run.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "FILE",
    .examples =
        "  policyc --lint                       check .github/bylaw.policy\n"
        "  policyc policies/mine -o mine.pbc    compile a folder\n"
        "  policyc --test --filter reminder     run the tests that speak of reminders\n"
        "  policyc --fmt --diff policies        show what the formatter would change\n"
        "  policyc --emit=asm mine.pbc          show what a module does\n"
        "  policyc --emit=workflows -o .        write .github/workflows from the policy\n"
        "  policyc --emit=workflows --check .   hold them against the policy\n"
        "  policyc --explain PL0203             say more about a diagnostic\n",
};

enum bl_exit bl_policyc_print(struct bl_session *session, const struct bl_buf *out)
{
    if (out->failed) {
        bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Out of memory."));
        return BL_EXIT_INTERNAL;
    }
    if (bl_print_quoted(&session->arena, bl_buf_str(out)) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Standard output is closed or full."));
    return BL_EXIT_INTERNAL;
}

void bl_policyc_output(struct bl_session *session, struct bl_buf *out)
{
    bl_buf_init(out, &session->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
}

static enum bl_exit explain(struct bl_session *session, bl_str code)
{
    struct bl_buf out;
    bl_policyc_output(session, &out);
    if (!bl_report_explain(code, &out)) {
        bl_session_say(
            session, code,
            BL_STR("There is no such diagnostic. They look like PL0203, lint rules like "
                   "unused-label."));
        return BL_EXIT_USAGE;
    }
    return bl_policyc_print(session, &out);
}

static enum bl_exit write_file(struct bl_session *session, bl_str path, bl_str content)
{
    bl_str why = {NULL, 0};
    if (bl_file_write(&session->arena, path, content, &why) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(session, path, why);
    return BL_EXIT_INPUT;
}

/* To the file of -o, else to standard output. */
static enum bl_exit put(struct bl_session *session, const struct bl_arguments *arguments,
                        const struct bl_buf *out)
{
    if (!bl_argument_is(arguments, "output") || out->failed)
        return bl_policyc_print(session, out);
    return write_file(session, bl_argument(arguments, "output", BL_STR("")), bl_buf_str(out));
}

/* Pages that are made of the typed program, by the word behind --emit. */
static const struct {
    const char *word;
    void (*show)(const struct bl_program *program, struct bl_buf *out);
} pages[] = {{"docs", bl_show_docs},
             {"permissions", bl_show_permissions},
             {"graph", bl_show_graph},
             {"json", bl_show_tree}};

static enum bl_exit emit(struct bl_session *session, const struct bl_arguments *arguments)
{
    bl_str what = bl_argument(arguments, "emit", BL_STR(""));
    struct bl_buf out;
    bl_policyc_output(session, &out);
    if (bl_str_equal(what, BL_STR("asm"))) {
        bl_module_disassemble(&session->module, &session->sources, &out);
        return put(session, arguments, &out);
    }
    if (bl_str_equal(what, BL_STR("cost"))) {
        bl_show_cost(&session->arena, &session->module, &out);
        return put(session, arguments, &out);
    }
    if (bl_str_equal(what, BL_STR("schema"))) {
        bl_answer_schemas(&session->module, &out);
        return put(session, arguments, &out);
    }
    if (session->program == NULL) {
        bl_session_say(session, (bl_str){NULL, 0},
                       BL_STR("A module has no tree; give its policies."));
        return BL_EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (!bl_str_equal(what, bl_str_from(pages[i].word)))
            continue;
        pages[i].show(session->program, &out);
        return put(session, arguments, &out);
    }
    for (size_t i = 0; i < session->program->files.count; i++) {
        const struct bl_file *file = session->program->files.items[i];
        if (file->package == NULL || !file->package->is_root)
            continue;
        const struct bl_source *source = bl_sources_get(&session->sources, file->ast.source);
        bl_buf_printf(&out, "# %.*s\n", BL_STR_ARG(source->path));
        bl_ast_dump(file->ast.file, &out);
    }
    return put(session, arguments, &out);
}

/* ---- lint
 * ----------------------------------------------------------------------------------------- */

static bool read_level(bl_str text, struct bl_lint_level *out)
{
    static const struct {
        const char *word;
        enum bl_severity severity;
    } levels[] = {
        {"off", BL_SEVERITY_OFF}, {"warn", BL_SEVERITY_WARNING}, {"error", BL_SEVERITY_ERROR}};
    size_t equals = bl_str_find_char(text, '=');
    if (equals == SIZE_MAX)
        return false;
    bl_str name = bl_str_slice(text, 0, equals);
    const struct bl_diagnostic_info *info = bl_diagnostic_find(name);
    if (info == NULL || info->lint.len == 0)
        return false;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (bl_str_equal(bl_str_slice(text, equals + 1, text.len),
                         bl_str_from(levels[i].word))) {
            *out = (struct bl_lint_level){info->lint, levels[i].severity, BL_NO_SPAN};
            return true;
        }
    }
    return false;
}

static void say_no_rule(struct bl_session *session, bl_str name)
{
    struct bl_likeness like = bl_likeness_begin(name);
    struct bl_buf out;

    for (size_t i = 0; i < bl_lint_rule_count(); i++)
        bl_likeness_consider(&like, bl_diagnostic_info(bl_lint_rule_at(i)->code)->lint);
    bl_buf_init(&out, &session->arena, 1024);
    BL_PUT(&out, "There is no lint rule of this name");
    if (like.best.len > 0)
        bl_buf_printf(&out, ". Did you mean '%.*s'?", BL_STR_ARG(like.best));
    else
        BL_PUT(&out, "; docs/reference/diagnostics.md lists them.");
    bl_session_say(session, name, bl_buf_str(&out));
}

enum bl_exit bl_policyc_lint(struct bl_session *session, const struct bl_arguments *arguments)
{
    BL_VEC(struct bl_lint_level) levels = {NULL, 0, 0};
    for (size_t i = 0; i < arguments->given.count; i++) {
        const struct bl_given *given = &arguments->given.items[i];
        if (!bl_str_equal(bl_str_from(given->option->name), BL_STR("level")))
            continue;
        struct bl_lint_level *level = BL_PUSH(&session->arena, levels);
        if (level == NULL || !read_level(given->value, level)) {
            size_t equals = bl_str_find_char(given->value, '=');
            bl_str name = bl_str_slice(given->value, 0, equals == SIZE_MAX ? 0 : equals);
            const struct bl_diagnostic_info *info = bl_diagnostic_find(name);
            if (name.len > 0 && (info == NULL || info->lint.len == 0)) {
                say_no_rule(session, name);
                return BL_EXIT_USAGE;
            }
            bl_session_say(session, given->value,
                           BL_STR("'--level' takes RULE=off, RULE=warn or RULE=error, such as "
                                  "unused-label=error."));
            return BL_EXIT_USAGE;
        }
    }
    if (session->program == NULL) {
        bl_session_say(session, (bl_str){NULL, 0},
                       BL_STR("A module cannot be linted; give its policies."));
        return BL_EXIT_USAGE;
    }
    struct bl_lint_options choice = {.levels = levels.items, .level_count = levels.count};
    if (bl_lint(&session->arena, session->program, &choice, &session->sink) == BL_ERR_NOMEM) {
        bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Out of memory."));
        return BL_EXIT_INTERNAL;
    }
    return session->sink.errors + session->sink.warnings > 0 ? BL_EXIT_FINDINGS : BL_EXIT_OK;
}

static enum bl_exit wrong_use(struct bl_session *session, const char *sentence)
{
    bl_session_say(session, (bl_str){NULL, 0}, bl_str_from(sentence));
    return BL_EXIT_USAGE;
}

/* What of the options does not go together; NULL when all do. */
static const char *misfit(const struct bl_arguments *arguments)
{
    bool format = bl_argument_is(arguments, "fmt");
    bool fix = bl_argument_is(arguments, "fix");
    bool workflows =
        bl_str_equal(bl_argument(arguments, "emit", BL_STR("")), BL_STR("workflows"));
    if (!format && !workflows && bl_argument_is(arguments, "check"))
        return "'--check' goes with '--fmt' and '--emit=workflows'.";
    if (!format && bl_argument_is(arguments, "diff"))
        return "'--diff' goes with '--fmt'.";
    if (bl_argument_is(arguments, "check") && bl_argument_is(arguments, "diff"))
        return "'--check' and '--diff' do not go together.";
    if (!fix && bl_argument_is(arguments, "dry-run"))
        return "'--dry-run' goes with '--fix'.";
    if ((format || fix) &&
        (format == fix || bl_argument_is(arguments, "lint") ||
         bl_argument_is(arguments, "test") || bl_argument_is(arguments, "emit") ||
         bl_argument_is(arguments, "output")))
        return "'--fmt' and '--fix' go with nothing else that policyc does.";
    if (!fix && bl_argument_is(arguments, "level") && !bl_argument_is(arguments, "lint"))
        return "'--level' goes with '--lint' and '--fix'.";
    if (!bl_argument_is(arguments, "test") &&
        (bl_argument_is(arguments, "filter") || bl_argument_is(arguments, "shard") ||
         bl_argument_is(arguments, "junit") || bl_argument_is(arguments, "bless") ||
         bl_policyc_wants_coverage(arguments)))
        return "'--filter', '--shard', '--junit', '--bless' and '--coverage…' go with "
               "'--test'.";
    return NULL;
}

/* What is printed of the tree needs nothing lowered, so parts that cannot run yet may be in it.
 */
static bool is_about_the_tree(const struct bl_arguments *arguments)
{
    bl_str what = bl_argument(arguments, "emit", BL_STR(""));
    bool module = arguments->operands.count == 1 &&
                  bl_str_ends_with(arguments->operands.items[0], BL_STR(".pbc"));
    return what.len > 0 && !module && !bl_str_equal(what, BL_STR("asm")) &&
           !bl_str_equal(what, BL_STR("cost")) && !bl_str_equal(what, BL_STR("schema"));
}

static enum bl_exit read_and_emit(struct bl_session *session,
                                  const struct bl_arguments *arguments)
{
    bool tree = bl_str_equal(bl_argument(arguments, "emit", BL_STR("")), BL_STR("json"));
    session->for_reading = true;
    enum bl_exit exit = bl_session_check(session, arguments, arguments->operands.items,
                                         bl_policyc_policy_count(arguments),
                                         tree && bl_argument_is(arguments, "test"));
    if (exit != BL_EXIT_OK) {
        bl_session_report(session, session->report.format != BL_REPORT_TEXT);
        /* An editor wants the tree of a policy that is being written. */
        if (tree && exit == BL_EXIT_POLICY && session->program != NULL &&
            session->report.format == BL_REPORT_TEXT) {
            enum bl_exit printed = emit(session, arguments);
            return printed != BL_EXIT_OK ? printed : exit;
        }
        return exit;
    }
    return bl_str_equal(bl_argument(arguments, "emit", BL_STR("")), BL_STR("workflows"))
               ? bl_policyc_workflows(session, arguments)
               : emit(session, arguments);
}

/* What every run would refuse is said before one is tried. */
static enum bl_exit settings(struct bl_session *session, enum bl_exit so_far)
{
    enum bl_status status =
        bl_run_check_settings(&session->arena, &session->module, &session->sink);
    if (status == BL_OK)
        return so_far;
    return status == BL_ERR_REFUSED ? BL_EXIT_POLICY : BL_EXIT_INTERNAL;
}

static enum bl_exit work(struct bl_session *session, const struct bl_arguments *arguments)
{
    if (bl_argument_is(arguments, "explain"))
        return explain(session, bl_argument(arguments, "explain", BL_STR("")));
    bool tests = bl_argument_is(arguments, "test");
    const char *wrong = misfit(arguments);
    if (wrong != NULL)
        return wrong_use(session, wrong);
    if (bl_argument_is(arguments, "fmt"))
        return bl_policyc_format(session, arguments);
    if (bl_argument_is(arguments, "fix"))
        return bl_policyc_fix(session, arguments);
    if (is_about_the_tree(arguments))
        return read_and_emit(session, arguments);
    enum bl_exit exit = bl_session_load(session, arguments, arguments->operands.items,
                                        arguments->operands.count, tests);
    if (exit == BL_EXIT_OK && bl_argument_is(arguments, "emit"))
        return emit(session, arguments);
    if (exit == BL_EXIT_OK && bl_argument_is(arguments, "lint"))
        exit = bl_policyc_lint(session, arguments);
    if (exit == BL_EXIT_OK || exit == BL_EXIT_FINDINGS)
        exit = settings(session, exit);
    bl_session_report(session, session->report.format != BL_REPORT_TEXT && !tests);
    /* Findings are no reason to keep silent about the tests. */
    if (tests && (exit == BL_EXIT_OK || exit == BL_EXIT_FINDINGS)) {
        enum bl_exit tested = bl_policyc_test(session, arguments);
        exit = tested != BL_EXIT_OK ? tested : exit;
    }
    if (exit == BL_EXIT_OK && bl_argument_is(arguments, "output"))
        exit = write_file(session, bl_argument(arguments, "output", BL_STR("")),
                          (bl_str){session->bytes.bytes, session->bytes.size});
    return exit;
}

int main(int argc, char **argv)
{
    struct bl_session session;
    struct bl_arguments arguments;
    enum bl_exit exit;
    bl_session_begin(&session, "policyc");
    if (!bl_session_usage(&session, &line, argc, argv, 1, &arguments, &exit))
        exit = work(&session, &arguments);
    bl_session_end(&session);
    return (int)exit;
}
