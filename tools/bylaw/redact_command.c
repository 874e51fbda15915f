/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_questions.h"
#include "bylaw/unknown.h"
#include "vm/vm.h"

/* bylaw redact-check: what a redaction masks in a sample, without a model and without a run. */

#define NOTHING ((bl_str){NULL, 0})

static const struct bl_option options[] = {
    {"text", 0, "TEXT", BL_OPTION_MANY, NULL, "The sample itself."},
    {"file", 'f', "PATH", BL_OPTION_MANY, NULL, "A file with the sample."},
    {"trajectory", 't', "PATH", BL_OPTION_MANY, NULL,
     "A trajectory, JSON or a value a line: its texts are masked as when it is shown. The file "
     "stays as it is."},
    {"strict", 0, NULL, 0, NULL,
     "A custom pattern that matches nothing, of the policy's lists or of --pattern, gives exit "
     "code 26; rows of the policy need not match."},
    {"json", 0, NULL, 0, NULL, "Print the report as JSON (schema 1.0)."},
    {"sarif", 0, NULL, 0, NULL, "Print the matches as SARIF 2.1.0."},
    {"quiet", 'q', NULL, 0, NULL, "Leave the masked text out of the report."},
    {"residue", 0, "SECRETS", 0, NULL,
     "Look in the masked text for what this set of secrets of the policy still finds; exit "
     "code 27 when that is something."},
    {"baseline", 0, "FILE", 0, NULL,
     "What --residue may leave: a file with the digests that it prints, one a line, # begins a "
     "remark. Needs --key."},
    {"list-kinds", 0, NULL, 0, NULL,
     "Print the rows of the redaction, and what each finds in the sample when one is named (- "
     "is standard input)."},
    {"explain", 0, "OFFSET", 0, NULL,
     "Say why the byte at OFFSET of the sample is masked, or why it is not."},
    {"idempotent", 0, NULL, 0, NULL, "Mask the masked sample once more: nothing may change."},
    {"chunk", 0, "SIZES", 0, NULL,
     "Mask the sample in pieces of so many bytes (1,7,4096): the same must come out."},
    {"probe", 0, "N", 0, NULL,
     "Set N fake secrets of each kind, and each literal, in all encodings into quotes, "
     "addresses, diffs, JSON, tables, logs and the named sample, and say which of them stay "
     "readable. The fakes are the same each time."},
    {"literals", 0, "FILE", 0, NULL,
     "Further literals, one a line, behind those of the policy. Values of secrets belong in no "
     "command line."},
    {"pattern", 0, "PATTERN", BL_OPTION_MANY, NULL,
     "A further custom pattern, behind those of the policy: as in a policy, without the "
     "slashes "
     "(/ needs no backslash); all of a match is masked."},
    {"redaction", 0, "NAME", 0, NULL, "Which redaction, when the policy has several."},
    {"key", 0, "FILE", 0, NULL,
     "What markers are made with, so that they are the same next time. Default: chance."},
    {"policy", 'p', "PATH", BL_OPTION_MANY, NULL,
     "A .policy file, a folder of them, or one .pbc. Default: .github/bylaw.policy, else the "
     "shipped redaction."},
    BL_SESSION_OPTIONS,
};

static const struct bl_command_line line = {
    .tool = "bylaw redact-check",
    .usage = "[--text TEXT | --file PATH | --trajectory PATH | PATH…] [options]",
    .summary = "shows what a redaction masks in a sample",
    .about =
        "Without a source the sample is standard input. Values are never printed, and memory "
        "does not grow with the\nsample. In folders hidden files are read and links are not.",
    .exits = "  0   every literal matched\n"
             "  1   a source cannot be read\n"
             "  2   wrong use\n"
             "  3   the policy does not compile, or its redaction cannot work\n"
             "  4   the file of --key cannot be read\n"
             "  25  a literal matched nothing\n"
             "  26  with --strict, a pattern matched nothing\n"
             "  27  with --residue, something is left\n"
             "  28  with --probe, --chunk or --idempotent, the redaction fails\n"
             "  70  internal: a defect, memory or budget\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "PATH",
    .examples =
        "  bylaw redact-check --file run.log --strict --json\n"
        "  bylaw redact-check -p mine.policy --residue any_secret logs/     mine.policy "
        "uses redaction and std.tokens\n"
        "  bylaw redact-check --probe 20                       are there gaps in the policy?\n"
        "  bylaw redact-check --file run.log --explain 4711    why is this not masked?\n",
};

/* ---- endings ------------------------------------------------------------------------------
 */

enum bl_exit bl_check_say(struct bl_check *c, bl_str path, bl_str sentence, int exit)
{
    bl_session_say(&c->session, path, sentence);
    return (enum bl_exit)exit;
}

enum bl_exit bl_check_out_of_memory(struct bl_check *c)
{
    return bl_check_say(c, NOTHING, BL_STR("Out of memory."), BL_EXIT_INTERNAL);
}

enum bl_exit bl_check_failed(struct bl_check *c, bl_str name, enum bl_status status,
                             bl_str problem)
{
    if (problem.len > 0)
        return bl_check_say(c, name, problem,
                            status == BL_ERR_IO ? BL_EXIT_UNREADABLE : (int)BL_EXIT_POLICY);
    if (status == BL_ERR_NOMEM)
        return bl_check_out_of_memory(c);
    if (c->run != NULL)
        bl_text_run_report(c->run, status);
    return (enum bl_exit)bl_run_exit_code(status, NULL);
}

/* ---- the policy ---------------------------------------------------------------------------
 */

static enum bl_exit load_policy(struct bl_check *c)
{
    static const struct bl_overlay shipped = {
        {"shipped.policy", sizeof "shipped.policy" - 1},
        {"use redaction\n", sizeof "use redaction\n" - 1}};
    BL_VEC(bl_str) paths = {NULL, 0, 0};
    bl_str why = NOTHING;
    for (size_t i = 0; i < c->arguments->given.count; i++) {
        if (!bl_str_equal(bl_str_from(c->arguments->given.items[i].option->name),
                          BL_STR("policy")))
            continue;
        bl_str *slot = BL_PUSH(&c->arena, paths);
        if (slot == NULL)
            return bl_check_out_of_memory(c);
        *slot = c->arguments->given.items[i].value;
    }
    if (paths.count == 0 && !bl_file_exists(&c->arena, BL_STR(".github/bylaw.policy"), &why)) {
        bl_str *slot = BL_PUSH(&c->arena, paths);
        if (slot == NULL)
            return bl_check_out_of_memory(c);
        *slot = shipped.path;
        c->session.overlay = &shipped;
        c->session.overlay_count = 1;
    }
    return bl_session_load(&c->session, c->arguments, paths.items, paths.count, false);
}

static enum bl_exit choose(struct bl_check *c, uint32_t *index)
{
    const struct bl_module *m = &c->session.module;
    bl_str name = bl_argument(c->arguments, "redaction", NOTHING);
    *index = name.len > 0               ? bl_texts_redaction(m, name)
             : m->REDACTIONS_count == 1 ? 0
                                        : BL_NONE;
    if (*index != BL_NONE)
        return BL_EXIT_OK;
    if (name.len > 0)
        return bl_unknown_redaction(&c->session, name);
    return bl_check_say(
        c, NOTHING,
        m->REDACTIONS_count == 0
            ? BL_STR("The policy has no redaction; 'use redaction' brings the shipped one.")
            : BL_STR("The policy has several redactions: say which with --redaction."),
        BL_EXIT_USAGE);
}

enum bl_exit bl_check_redactor(struct bl_check *c, struct bl_redactor **out)
{
    struct bl_secret_host host = bl_machine_host(bl_text_run_machine(c->run));
    bl_str problem = NOTHING;
    enum bl_status status = bl_redactor_create(&c->arena, &c->session.module, c->redaction,
                                               &host, &c->input, out, &problem);

    return status == BL_OK ? BL_EXIT_OK : bl_check_failed(c, NOTHING, status, problem);
}

static enum bl_exit make_redactor(struct bl_check *c)
{
    struct bl_run_options run_options = {
        .module = &c->session.module, .job = BL_NONE, .now = bl_clock()};
    struct bl_environment_variable *environment = NULL;
    size_t count = 0;
    enum bl_exit exit = choose(c, &c->redaction);

    c->input = (struct bl_redaction_input){.literals = c->literals.items,
                                           .literal_count = c->literals.count,
                                           .patterns = c->patterns.items,
                                           .pattern_count = c->patterns.count};
    if (exit == BL_EXIT_OK)
        exit =
            bl_texts_key(&c->session, bl_argument(c->arguments, "key", NOTHING), c->input.key);
    if (exit != BL_EXIT_OK)
        return exit;
    if (!bl_texts_environment(&c->arena, &environment, &count))
        return bl_check_out_of_memory(c);
    run_options.environment = environment;
    run_options.environment_count = count;
    enum bl_status status =
        bl_text_run_begin(&c->arena, &run_options, &c->run, &c->session.sink);
    return status == BL_OK ? bl_check_redactor(c, &c->redactor)
                           : bl_check_failed(c, NOTHING, status, NOTHING);
}

/* Which set of secrets looks at the masked text. */
static enum bl_exit choose_residue(struct bl_check *c)
{
    bl_str name = bl_argument(c->arguments, "residue", NOTHING);

    c->residue = name.len > 0 ? bl_texts_secrets(&c->session.module, name) : BL_NONE;
    if (name.len == 0 || c->residue != BL_NONE)
        return BL_EXIT_OK;
    return bl_unknown_secrets(&c->session, name);
}

/* ---- the check ----------------------------------------------------------------------------
 */

/* 26 before 25 (RCK-20). */
static int exit_code(const struct bl_check *c)
{
    bool stale = false, idle = false;
    for (size_t i = 0; i < bl_redactor_literals(c->redactor); i++)
        stale = stale || !bl_redactor_literal_matched(c->redactor, i);
    for (size_t i = 0; i < bl_redactor_patterns(c->redactor); i++)
        idle = idle || !bl_redactor_pattern_matched(c->redactor, i);
    if (idle && bl_argument_is(c->arguments, "strict"))
        return BL_EXIT_STRICT;
    return stale ? BL_EXIT_STALE_LITERALS : (int)BL_EXIT_OK;
}

static void say_gone(struct bl_check *c)
{
    struct bl_buf out;
    size_t gone = 0;

    for (size_t i = 0; i < c->baseline.count; i++)
        gone += !c->baseline.items[i].is_there;
    if (gone == 0)
        return;
    bl_buf_init(&out, &c->arena, 1 << 20);
    bl_buf_printf(&out, "warning: %zu of %zu digests of the baseline %s in no sample:", gone,
                  c->baseline.count, gone == 1 ? "is" : "are");
    for (size_t i = 0; i < c->baseline.count; i++) {
        if (c->baseline.items[i].is_there)
            continue;
        BL_PUT(&out, " ");
        bl_report_visible(c->baseline.items[i].digest, &out);
    }
    BL_PUT(&out, "\n");
    bl_print_error_quoted(&c->arena, bl_buf_str(&out));
}

static enum bl_exit mask_and_report(struct bl_check *c)
{
    if (bl_machine_values(bl_text_run_machine(c->run), &c->work) != BL_OK ||
        !bl_check_report_begin(c))
        return bl_check_out_of_memory(c);
    enum bl_exit exit = bl_check_samples(c);
    if (exit == BL_EXIT_OK)
        exit = bl_check_report_end(c);
    bl_check_report_free(c);
    if (exit != BL_EXIT_OK)
        return exit;
    say_gone(c);
    int code = exit_code(c);
    return code != BL_EXIT_OK ? (enum bl_exit)code
           : c->left > 0      ? (enum bl_exit)BL_EXIT_RESIDUE
                              : BL_EXIT_OK;
}

static enum bl_exit answer(struct bl_check *c)
{
    return bl_check_has_questions(c) ? bl_check_questions(c) : mask_and_report(c);
}

static enum bl_exit check(struct bl_check *c)
{
    static enum bl_exit (*const steps[])(struct bl_check *) = {
        bl_check_sources, bl_check_literals, bl_check_patterns, bl_check_baseline,
        load_policy,      make_redactor,     choose_residue,    answer};
    enum bl_exit exit = BL_EXIT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && exit == BL_EXIT_OK; i++)
        exit = steps[i](c);
    return exit;
}

enum bl_exit bl_bylaw_redact_check(int argc, char **argv)
{
    struct bl_check c = {.is_trajectory = false};
    struct bl_arguments arguments;
    enum bl_exit exit;
    bl_session_begin(&c.session, "bylaw");
    bl_arena_init(&c.arena, 4 * (size_t)bl_limit(BL_LIMIT_WORLD_BYTES), NULL);
    bl_arena_init(&c.work, 4 * (size_t)bl_limit(BL_LIMIT_WORLD_BYTES), NULL);
    bl_arena_init(&c.rest_arena, SIZE_MAX, NULL);
    c.arguments = &arguments;
    if (!bl_session_usage(&c.session, &line, argc, argv, 2, &arguments, &exit)) {
        exit = check(&c);
        bl_session_report(&c.session, false);
    }
    bl_arena_reset(&c.work);
    bl_arena_reset(&c.rest_arena);
    bl_arena_reset(&c.arena);
    bl_session_end(&c.session);
    return exit;
}
