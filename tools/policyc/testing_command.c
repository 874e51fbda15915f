/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "policyc/policyc.h"
#include "report/diff.h"
#include "testing/coverage.h"
#include "testing/testing.h"

#include <unistd.h>

/* policyc --test: the tests of policies, their golden files and their coverage. */

static enum bl_exit say(struct bl_session *session, enum bl_exit exit, const char *sentence)
{
    bl_session_say(session, (bl_str){NULL, 0}, bl_str_from(sentence));
    return exit;
}

static bool read_shard(bl_str text, struct bl_test_options *out)
{
    size_t slash = bl_str_find_char(text, '/');
    int64_t part = 0, parts = 0;
    if (slash == SIZE_MAX || !bl_int_parse(bl_str_slice(text, 0, slash), &part) ||
        !bl_int_parse(bl_str_slice(text, slash + 1, text.len), &parts) || part < 1 ||
        parts < part || parts > 10000)
        return false;
    out->shard = (uint32_t)part;
    out->shards = (uint32_t)parts;
    return true;
}

static enum bl_exit write_file(struct bl_session *session, bl_str path,
                               const struct bl_buf *out)
{
    bl_str why = {NULL, 0};
    if (out->failed)
        return say(session, BL_EXIT_INTERNAL, "Out of memory.");
    if (bl_file_write(&session->arena, path, bl_buf_str(out), &why) == BL_OK)
        return BL_EXIT_OK;
    bl_session_say(session, path, why);
    return BL_EXIT_INPUT;
}

/* ---- golden plans
 * --------------------------------------------------------------------------- */

static enum bl_status read_golden(void *context, struct bl_arena *arena, bl_str path,
                                  bool *found, bl_str *out)
{
    bl_str why = {NULL, 0};
    size_t limit = (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES);
    (void)context;
    enum bl_file_result result = bl_file_read(arena, path, limit, out, &why);
    *found = result == BL_FILE_READ;
    if (result != BL_FILE_FAILED)
        return arena->failed ? BL_ERR_NOMEM : BL_OK;
    *out = why;
    return BL_ERR_IO;
}

/* Shows what becomes of each file that differs, and writes it. */
static enum bl_exit bless(struct bl_session *session, const struct bl_test_summary *summary,
                          struct bl_buf *shown)
{
    for (size_t i = 0; i < summary->goldens.count; i++) {
        const struct bl_golden *golden = &summary->goldens.items[i];
        struct bl_buf text;
        if (!golden->differs)
            continue;
        bl_diff_write(&session->arena, golden->path, golden->before, golden->text, shown);
        bl_policyc_output(session, &text);
        bl_buf_put(&text, golden->text);
        bl_str folder = bl_str_slice(golden->path, 0, golden->path.len);
        while (folder.len > 0 && folder.ptr[folder.len - 1] != '/')
            folder.len--;
        bl_str why = {NULL, 0};
        if (bl_folder_make(&session->arena,
                           bl_str_slice(folder, 0, folder.len > 0 ? folder.len - 1 : 0),
                           &why) != BL_OK) {
            bl_session_say(session, folder, why);
            return BL_EXIT_INPUT;
        }
        if (bl_path_is_link(&session->arena, golden->path)) {
            bl_session_say(session, golden->path,
                           BL_STR("This is a link, which may lead elsewhere. Take it away."));
            return BL_EXIT_INPUT;
        }
        enum bl_exit exit = write_file(session, golden->path, &text);
        if (exit != BL_EXIT_OK)
            return exit;
    }
    return BL_EXIT_OK;
}

/* The part of a path up to its last '/'. */
static bl_str folder_of(bl_str path)
{
    size_t end = path.len;

    while (end > 0 && path.ptr[end - 1] != '/')
        end--;
    return bl_str_slice(path, 0, end);
}

static bool is_expected(const struct bl_test_summary *summary, bl_str path)
{
    for (size_t i = 0; i < summary->goldens.count; i++) {
        if (bl_str_equal(summary->goldens.items[i].path, path))
            return true;
    }
    return false;
}

/* Golden files beside the tests that none of them expects: what they were for is gone. */
static void tell_left_over(struct bl_session *session, const struct bl_test_summary *summary)
{
    bl_str told = {NULL, 0};
    bool any = false;

    for (size_t i = 0; i < session->program->files.count; i++) {
        const struct bl_file *file = session->program->files.items[i];
        bl_str folder = folder_of(bl_sources_get(&session->sources, file->ast.source)->path);
        bl_str *names = NULL, why = {NULL, 0};
        size_t count = 0;
        struct bl_buf golden;

        /* The files of a folder stand beside each other. */
        if (!file->package->is_root || (any && bl_str_equal(folder, told)))
            continue;
        told = folder;
        any = true;
        bl_buf_init(&golden, &session->arena, 8192);
        bl_buf_printf(&golden, "%.*sgolden", BL_STR_ARG(folder));
        if (!bl_path_is_folder(&session->arena, bl_buf_str(&golden)) ||
            bl_folder_list(&session->arena, bl_buf_str(&golden), BL_STR(".plan"), &names,
                           &count, &why) != BL_FILE_READ)
            continue;
        for (size_t k = 0; k < count; k++) {
            struct bl_buf path;

            bl_buf_init(&path, &session->arena, 8192);
            bl_buf_printf(&path, "%.*s/%.*s", BL_STR_ARG(bl_buf_str(&golden)),
                          BL_STR_ARG(names[k]));
            if (!is_expected(summary, bl_buf_str(&path)))
                bl_session_say(session, bl_buf_str(&path),
                               BL_STR("No test expects this golden file. Delete it."));
        }
    }
}

/* ---- coverage
 * ------------------------------------------------------------------------------- */

bool bl_policyc_wants_coverage(const struct bl_arguments *arguments)
{
    return bl_argument_is(arguments, "coverage") ||
           bl_argument_is(arguments, "coverage-lcov") ||
           bl_argument_is(arguments, "coverage-html") ||
           bl_argument_is(arguments, "coverage-threshold");
}

/* The policies that are tested: those of the root, without what it uses and without its tests.
 * A module has no files, so all of its sources count. */
static bool *wanted_sources(struct bl_session *session)
{
    bool *wanted = BL_NEW_ARRAY(&session->arena, session->sources.list.count + 1, bool);
    for (size_t i = 0; wanted != NULL && i < session->program->files.count; i++) {
        const struct bl_file *file = session->program->files.items[i];
        wanted[file->ast.source] =
            file->package != NULL && file->package->is_root && !file->is_test;
    }
    return wanted;
}

static enum bl_exit check_threshold(struct bl_session *session,
                                    const struct bl_arguments *arguments,
                                    const struct bl_coverage_sum *sum)
{
    bl_str text = bl_argument(arguments, "coverage-threshold", BL_STR("0"));
    int64_t least = 0;
    struct bl_buf words;
    if (!bl_int_parse(text, &least) || least < 0 || least > 100)
        return say(session, BL_EXIT_USAGE, "'--coverage-threshold' takes 0 to 100.");
    if (bl_coverage_percent(sum) >= (unsigned)least)
        return BL_EXIT_OK;
    bl_buf_init(&words, &session->arena, 200);
    bl_buf_printf(&words, "The tests cover %u %%, less than %.*s %%.", bl_coverage_percent(sum),
                  BL_STR_ARG(text));
    bl_session_say(session, (bl_str){NULL, 0}, bl_buf_str(&words));
    return BL_EXIT_FINDINGS;
}

static enum bl_exit report_coverage(struct bl_session *session,
                                    const struct bl_arguments *arguments,
                                    const struct bl_coverage *coverage, struct bl_buf *shown)
{
    static const struct {
        const char *option;
        void (*write)(const struct bl_coverage_report *, struct bl_sources *, struct bl_buf *);
    } files[] = {{"coverage-lcov", bl_coverage_lcov}, {"coverage-html", bl_coverage_html}};
    struct bl_coverage_report report;
    const bool *wanted = session->program != NULL ? wanted_sources(session) : NULL;
    if (bl_coverage_collect(&session->arena, &session->module, coverage, &session->sources,
                            wanted, &report) != BL_OK)
        return say(session, BL_EXIT_INTERNAL, "Out of memory.");
    if (bl_argument_is(arguments, "coverage"))
        bl_coverage_text(&report, &session->sources, shown);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        bl_str path = bl_argument(arguments, files[i].option, (bl_str){NULL, 0});
        struct bl_buf out;
        if (path.len == 0)
            continue;
        bl_policyc_output(session, &out);
        files[i].write(&report, &session->sources, &out);
        enum bl_exit exit = write_file(session, path, &out);
        if (exit != BL_EXIT_OK)
            return exit;
    }
    return check_threshold(session, arguments, &report.sum);
}

/* ---- the command
 * ---------------------------------------------------------------------------- */

static enum bl_exit write_junit(struct bl_session *session, bl_str path,
                                const struct bl_test_summary *summary)
{
    struct bl_buf out;
    bl_policyc_output(session, &out);
    bl_tests_junit(summary, &session->sources, &out);
    return write_file(session, path, &out);
}

/* The worse of two: what could not be done before what was found. */
static enum bl_exit worse(enum bl_exit a, enum bl_exit b)
{
    return a > b ? a : b;
}

static enum bl_exit report(struct bl_session *session, const struct bl_arguments *arguments,
                           const struct bl_test_options *choice,
                           const struct bl_test_summary *summary)
{
    bool colour =
        bl_wants_colour(bl_argument(arguments, "color", BL_STR("auto")), STDOUT_FILENO);
    bl_str junit = bl_argument(arguments, "junit", BL_STR(""));
    enum bl_exit exit = summary->failed > 0 ? BL_EXIT_FINDINGS : BL_EXIT_OK;
    struct bl_buf out;
    bl_policyc_output(session, &out);
    bl_tests_print(summary, &session->sources, colour, bl_argument_is(arguments, "verbose"),
                   &out);
    /* A plan of a test that fails is nothing to keep. */
    if (choice->golden.bless && summary->failed > 0)
        BL_PUT(&out, "Nothing is blessed while tests fail.\n");
    else if (choice->golden.bless)
        exit = worse(exit, bless(session, summary, &out));
    if (summary->failed == 0 && choice->filter.len == 0 && choice->shards == 0 &&
        session->program != NULL)
        tell_left_over(session, summary);
    if (choice->coverage != NULL)
        exit = worse(exit, report_coverage(session, arguments, choice->coverage, &out));
    enum bl_exit printed = bl_policyc_print(session, &out);
    if (printed == BL_EXIT_OK && junit.len > 0)
        exit = worse(exit, write_junit(session, junit, summary));
    return worse(exit, printed);
}

enum bl_exit bl_policyc_test(struct bl_session *session, const struct bl_arguments *arguments)
{
    bool covers = bl_policyc_wants_coverage(arguments);
    struct bl_test_options choice = {
        .module = &session->module,
        .sources = &session->sources,
        .filter = bl_argument(arguments, "filter", BL_STR("")),
        .use_index = !bl_argument_is(arguments, "no-index") && !covers,
        .golden = {read_golden, NULL, bl_argument_is(arguments, "bless")}};
    bl_str shard = bl_argument(arguments, "shard", BL_STR(""));
    if (shard.len > 0 && !read_shard(shard, &choice))
        return say(session, BL_EXIT_USAGE,
                   "'--shard' takes N/M, such as 1/4 for the first quarter.");
    struct bl_test_summary summary;
    if (covers)
        choice.coverage = bl_coverage_create(&session->arena, &session->module);
    if ((covers && choice.coverage == NULL) ||
        bl_tests_run(&session->arena, &choice, &summary) != BL_OK)
        return say(session, BL_EXIT_INTERNAL, "Out of memory.");
    enum bl_exit exit = report(session, arguments, &choice, &summary);
    /* A filter that chooses nothing is more likely a slip than a wish. */
    if (exit == BL_EXIT_OK && summary.results.count == 0 && choice.filter.len > 0)
        return say(session, BL_EXIT_FINDINGS, "No test has a name with this text.");
    return exit;
}
