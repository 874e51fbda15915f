/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_check.h"

#include <string.h>

/* bylaw redact-check: what a redaction masks in a sample, without a model and without a run. */

#define NOTHING ((bl_str){NULL, 0})

static const struct bl_option options[] = {
    {"text", 0, "TEXT", BL_OPTION_MANY, NULL, "The sample itself."},
    {"file", 'f', "PATH", BL_OPTION_MANY, NULL, "A file with the sample."},
    {"trajectory", 't', "PATH", BL_OPTION_MANY, NULL,
     "A trajectory, JSON or a value a line: its texts are masked as when it is shown. The file "
     "stays as it is."},
    {"strict", 0, NULL, 0, NULL, "A pattern that matches nothing gives exit code 26."},
    {"json", 0, NULL, 0, NULL, "Print the report as JSON (schema 1.0)."},
    {"sarif", 0, NULL, 0, NULL, "Print the matches as SARIF 2.1.0."},
    {"quiet", 'q', NULL, 0, NULL, "Leave the masked text out of the report."},
    {"residue", 0, "SECRETS", 0, NULL,
     "Look in the masked text for what this set of secrets of the policy still finds; exit "
     "code "
     "27 when that is something."},
    {"literals", 0, "FILE", 0, NULL,
     "Further literals, one a line, behind those of the policy. Values of secrets belong in no "
     "command line."},
    {"pattern", 0, "PATTERN", BL_OPTION_MANY, NULL,
     "A further custom pattern, behind those of the policy."},
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
        "Without a source the sample is standard input. Values are never printed. Exit "
        "codes: 0 every literal matched,\n25 one matched nothing, 26 with --strict a "
        "pattern matched nothing, 27 something is left, 1 a source cannot be\nread, 2 wrong "
        "use.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand = "PATH",
    .examples =
        "  bylaw redact-check --file run.log --strict --json\n"
        "  bylaw redact-check -p mine.policy --residue any_secret logs/     mine.policy "
        "uses redaction and std.tokens\n",
};

struct check {
    struct bl_session session;
    struct bl_arena arena;
    const struct bl_arguments *arguments;
    struct bl_text_run *run;
    struct bl_redactor *redactor;
    BL_VEC(struct bl_checked) samples;
    BL_VEC(bl_str) literals;
    BL_VEC(struct bl_pattern) patterns;
    bool is_trajectory;
};

static enum bl_exit say(struct check *c, bl_str path, bl_str sentence, int exit)
{
    bl_session_say(&c->session, path, sentence);
    return (enum bl_exit)exit;
}

static enum bl_exit out_of_memory(struct check *c)
{
    return say(c, NOTHING, BL_STR("Out of memory."), BL_EXIT_INTERNAL);
}

static size_t given(const struct bl_arguments *arguments, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < arguments->given.count; i++)
        count += bl_str_equal(bl_str_from(arguments->given.items[i].option->name),
                              bl_str_from(name));
    return count;
}

/* ---- sources ------------------------------------------------------------------------------
 */

static enum bl_exit add_sample(struct check *c, bl_str name, bl_str text)
{
    struct bl_checked *slot = BL_PUSH(&c->arena, c->samples);
    if (slot == NULL)
        return out_of_memory(c);
    slot->name = name;
    slot->text = text;
    return BL_EXIT_OK;
}

static enum bl_exit add_file(struct check *c, bl_str path)
{
    bl_str text, why = NOTHING;
    if (bl_file_read(&c->arena, path, (size_t)bl_limit(BL_LIMIT_WORLD_BYTES), &text, &why) !=
        BL_FILE_READ)
        return say(c, path, why, BL_EXIT_UNREADABLE);
    return add_sample(c, bl_str_equal(path, BL_STR("-")) ? NOTHING : path, text);
}

/* Folders are read file by file, sorted; folders in them with their own. */
static enum bl_exit add_path(struct check *c, bl_str path, unsigned depth)
{
    bl_str *names, why = NOTHING;
    size_t count = 0;
    if (!bl_path_is_folder(&c->arena, path))
        return add_file(c, path);
    if (depth == 0)
        return say(c, path, BL_STR("Folders nest too deep here."), BL_EXIT_UNREADABLE);
    if (bl_folder_list(&c->arena, path, BL_STR(""), &names, &count, &why) != BL_FILE_READ)
        return say(c, path, why, BL_EXIT_UNREADABLE);
    enum bl_exit exit = BL_EXIT_OK;
    for (size_t i = 0; i < count && exit == BL_EXIT_OK; i++) {
        struct bl_buf inner;
        if (bl_str_equal(names[i], BL_STR(".")) || bl_str_equal(names[i], BL_STR("..")))
            continue;
        bl_buf_init(&inner, &c->arena, 1 << 16);
        bl_buf_printf(&inner, "%.*s/%.*s", BL_STR_ARG(path), BL_STR_ARG(names[i]));
        if (!bl_path_is_link(&c->arena, bl_buf_str(&inner)))
            exit = add_path(c, bl_buf_str(&inner), depth - 1);
    }
    return exit;
}

static enum bl_exit read_sources(struct check *c)
{
    const struct bl_arguments *a = c->arguments;
    size_t texts = given(a, "text"), files = given(a, "file");
    size_t trajectories = given(a, "trajectory");
    enum bl_exit exit = BL_EXIT_OK;

    if (texts + files + trajectories + (a->operands.count > 0) > 1)
        return say(c, NOTHING,
                   BL_STR("Give one source: --text, --file, --trajectory or paths. "
                          "'bylaw redact-check --help' says more."),
                   BL_EXIT_USAGE);
    c->is_trajectory = trajectories > 0;
    if (texts > 0)
        return add_sample(c, NOTHING, bl_argument(a, "text", NOTHING));
    if (files > 0)
        return add_file(c, bl_argument(a, "file", NOTHING));
    if (trajectories > 0)
        return add_file(c, bl_argument(a, "trajectory", NOTHING));
    for (size_t i = 0; i < a->operands.count && exit == BL_EXIT_OK; i++)
        exit = add_path(c, a->operands.items[i], 32);
    return a->operands.count > 0 ? exit : add_file(c, BL_STR("-"));
}

/* ---- what the command line adds -----------------------------------------------------------
 */

static enum bl_exit read_literals(struct check *c)
{
    bl_str path = bl_argument(c->arguments, "literals", NOTHING), text, why = NOTHING;
    if (path.len == 0)
        return BL_EXIT_OK;
    if (bl_file_read(&c->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &text, &why) !=
        BL_FILE_READ)
        return say(c, path, why, BL_EXIT_UNREADABLE);
    for (size_t at = 0; at < text.len;) {
        bl_str rest = bl_str_slice(text, at, text.len);
        size_t end = bl_str_find_char(rest, '\n');
        bl_str row = bl_str_slice(rest, 0, end);
        if (row.len > 0 && row.ptr[row.len - 1] == '\r')
            row.len--;
        at += end == SIZE_MAX ? rest.len : end + 1;
        if (row.len == 0)
            continue;
        bl_str *slot = BL_PUSH(&c->arena, c->literals);
        if (slot == NULL)
            return out_of_memory(c);
        *slot = row;
    }
    return BL_EXIT_OK;
}

static enum bl_exit read_patterns(struct check *c)
{
    for (size_t i = 0, number = 0; i < c->arguments->given.count; i++) {
        const struct bl_given *g = &c->arguments->given.items[i];
        struct bl_pattern_error error;
        struct bl_buf why;
        if (!bl_str_equal(bl_str_from(g->option->name), BL_STR("pattern")))
            continue;
        struct bl_pattern *slot = BL_PUSH(&c->arena, c->patterns);
        if (slot == NULL)
            return out_of_memory(c);
        if (bl_pattern_compile(&c->arena, g->value, NOTHING, slot, &error)) {
            number++;
            continue;
        }
        bl_buf_init(&why, &c->arena, 4096);
        bl_buf_printf(&why, "Pattern %zu of the command line cannot be compiled: %.*s", number,
                      BL_STR_ARG(error.message));
        return say(c, NOTHING, bl_buf_str(&why), BL_EXIT_USAGE);
    }
    return BL_EXIT_OK;
}

/* ---- the policy ---------------------------------------------------------------------------
 */

static enum bl_exit load_policy(struct check *c)
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
            return out_of_memory(c);
        *slot = c->arguments->given.items[i].value;
    }
    if (paths.count == 0 && !bl_file_exists(&c->arena, BL_STR(".github/bylaw.policy"), &why)) {
        bl_str *slot = BL_PUSH(&c->arena, paths);
        if (slot == NULL)
            return out_of_memory(c);
        *slot = shipped.path;
        c->session.overlay = &shipped;
        c->session.overlay_count = 1;
    }
    return bl_session_load(&c->session, c->arguments, paths.items, paths.count, false);
}

static enum bl_exit choose(struct check *c, uint32_t *index)
{
    const struct bl_module *m = &c->session.module;
    bl_str name = bl_argument(c->arguments, "redaction", NOTHING);
    *index = name.len > 0               ? bl_texts_redaction(m, name)
             : m->REDACTIONS_count == 1 ? 0
                                        : BL_NONE;
    if (*index != BL_NONE)
        return BL_EXIT_OK;
    if (name.len > 0)
        return say(c, name, BL_STR("The policy has no redaction of this name."), BL_EXIT_USAGE);
    return say(
        c, NOTHING,
        m->REDACTIONS_count == 0
            ? BL_STR("The policy has no redaction; 'use redaction' brings the shipped one.")
            : BL_STR("The policy has several redactions: say which with --redaction."),
        BL_EXIT_USAGE);
}

static enum bl_exit failed(struct check *c, bl_str name, enum bl_status status, bl_str problem)
{
    if (problem.len > 0)
        return say(c, name, problem,
                   status == BL_ERR_IO ? BL_EXIT_UNREADABLE : (int)BL_EXIT_POLICY);
    if (status == BL_ERR_NOMEM)
        return out_of_memory(c);
    if (c->run != NULL)
        bl_text_run_report(c->run, status);
    return (enum bl_exit)bl_run_exit_code(status, NULL);
}

static enum bl_exit make_redactor(struct check *c)
{
    struct bl_redaction_input input = {.literals = c->literals.items,
                                       .literal_count = c->literals.count,
                                       .patterns = c->patterns.items,
                                       .pattern_count = c->patterns.count};
    struct bl_run_options run_options = {
        .module = &c->session.module, .job = BL_NONE, .now = bl_clock()};
    struct bl_environment_variable *environment = NULL;
    size_t count = 0;
    uint32_t index;
    bl_str problem = NOTHING;
    enum bl_exit exit = choose(c, &index);

    if (exit == BL_EXIT_OK)
        exit = bl_texts_key(&c->session, bl_argument(c->arguments, "key", NOTHING), input.key);
    if (exit != BL_EXIT_OK)
        return exit;
    if (!bl_texts_environment(&c->arena, &environment, &count))
        return out_of_memory(c);
    enum bl_status status = bl_text_run_begin(&c->arena, &run_options, environment, count,
                                              &c->run, &c->session.sink);
    if (status == BL_OK) {
        struct bl_secret_host host = bl_machine_host(bl_text_run_machine(c->run));
        status = bl_redactor_create(&c->arena, &c->session.module, index, &host, &input,
                                    &c->redactor, &problem);
    }
    return status == BL_OK ? BL_EXIT_OK : failed(c, NOTHING, status, problem);
}

/* ---- the check ----------------------------------------------------------------------------
 */

static enum bl_exit check_samples(struct check *c)
{
    for (size_t i = 0; i < c->samples.count; i++) {
        struct bl_checked *sample = &c->samples.items[i];
        bl_str problem = NOTHING;
        bl_text_run_renew(c->run);
        enum bl_status status =
            c->is_trajectory
                ? bl_check_trajectory(c->redactor, &c->arena, sample->text, &sample->redacted,
                                      &problem)
                : bl_redact(c->redactor, &c->arena, sample->text, &sample->redacted, &problem);
        if (status != BL_OK)
            return failed(c, sample->name, status, problem);
    }
    return BL_EXIT_OK;
}

/* What another detector still sees. Markers are no secrets, and the sets know nothing of them.
 */
static enum bl_exit find_residue(struct check *c, struct bl_buf *out)
{
    bl_str name = bl_argument(c->arguments, "residue", NOTHING);
    uint32_t set = name.len > 0 ? bl_texts_secrets(&c->session.module, name) : BL_NONE;
    size_t left = 0;
    if (name.len > 0 && set == BL_NONE)
        return say(c, name, BL_STR("The policy has no set of secrets of this name."),
                   BL_EXIT_USAGE);
    for (size_t i = 0; set != BL_NONE && i < c->samples.count; i++) {
        const struct bl_checked *sample = &c->samples.items[i];
        struct bl_secret_findings found;
        bl_text_run_renew(c->run);
        enum bl_status status = bl_machine_secrets(bl_text_run_machine(c->run), set,
                                                   sample->redacted.text, false, &found);
        if (status != BL_OK)
            return failed(c, sample->name, status, NOTHING);
        for (size_t j = 0; j < found.list.count; j++, left++) {
            const struct bl_secret_finding *f = &found.list.items[j];
            bl_str kind = bl_module_string(&c->session.module,
                                           c->session.module.FINDERS_rows[f->finder].kind);
            bl_report_visible(sample->name, out);
            bl_buf_printf(out, "%sleft: %zu-%zu %.*s", sample->name.len > 0 ? ": " : "", f->lo,
                          f->hi, BL_STR_ARG(kind));
            bl_buf_printf(out, f->bits > 0 ? ", %u bits\n" : "\n", f->bits);
        }
    }
    return left > 0 ? (enum bl_exit)BL_EXIT_RESIDUE : BL_EXIT_OK;
}

/* 26 before 25 (RCK-20). */
static int exit_code(const struct check *c)
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

static enum bl_exit report(struct check *c)
{
    struct bl_check_report r = {.session = &c->session,
                                .arena = &c->arena,
                                .redactor = c->redactor,
                                .samples = c->samples.items,
                                .sample_count = c->samples.count,
                                .suppressed = bl_argument_is(c->arguments, "quiet")};
    struct bl_buf out, left;
    bl_buf_init(&out, &c->arena, c->arena.limit);
    bl_buf_init(&left, &c->arena, c->arena.limit);
    enum bl_exit residue = find_residue(c, &left);
    if (residue != BL_EXIT_OK && (int)residue != BL_EXIT_RESIDUE)
        return residue;
    if (bl_argument_is(c->arguments, "sarif"))
        bl_check_sarif(&r, &out);
    else if (bl_argument_is(c->arguments, "json"))
        bl_check_json(&r, &out);
    else
        bl_check_text(&r, &out);
    if (out.failed || left.failed)
        return out_of_memory(c);
    bl_print_error(bl_buf_str(&left));
    if (bl_print(bl_buf_str(&out)) != BL_OK)
        return say(c, NOTHING, BL_STR("Standard output is closed or full."), BL_EXIT_INTERNAL);
    int code = exit_code(c);
    return code != BL_EXIT_OK ? (enum bl_exit)code : residue;
}

static enum bl_exit check(struct check *c)
{
    enum bl_exit exit = read_sources(c);
    if (exit == BL_EXIT_OK)
        exit = read_literals(c);
    if (exit == BL_EXIT_OK)
        exit = read_patterns(c);
    if (exit == BL_EXIT_OK)
        exit = load_policy(c);
    if (exit == BL_EXIT_OK)
        exit = make_redactor(c);
    if (exit == BL_EXIT_OK)
        exit = check_samples(c);
    return exit == BL_EXIT_OK ? report(c) : exit;
}

enum bl_exit bl_bylaw_redact_check(int argc, char **argv)
{
    struct check c = {.is_trajectory = false};
    struct bl_arguments arguments;
    enum bl_exit exit;
    bl_session_begin(&c.session, "bylaw");
    bl_arena_init(&c.arena, 4 * (size_t)bl_limit(BL_LIMIT_WORLD_BYTES), NULL);
    c.arguments = &arguments;
    if (!bl_session_usage(&c.session, &line, argc, argv, 2, &arguments, &exit)) {
        exit = check(&c);
        bl_session_report(&c.session, false);
    }
    bl_arena_reset(&c.arena);
    bl_session_end(&c.session);
    return exit;
}
