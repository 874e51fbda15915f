/* SPDX-License-Identifier: Apache-2.0 */
#include "policyc/policyc.h"
#include "syntax/ast.h"

#include <stdlib.h>

/* `policyc --fix`: what diagnostics and lint findings say to put instead is put there, in
 * rounds, since a mistake can hide others. */

#define ROUNDS_MAX 10

struct fix {
    size_t file; /* index */
    uint32_t lo;
    uint32_t hi;
    bl_str text;
};
struct fixes {
    struct fix *items;
    size_t count;
    size_t capacity;
};

static enum bl_exit out_of_memory(struct bl_session *session)
{
    bl_session_say(session, (bl_str){NULL, 0}, BL_STR("Out of memory."));
    return BL_EXIT_INTERNAL;
}

/* ---- one round ----------------------------------------------------------------------- */

static size_t file_of(const struct bl_policy_files *files, bl_str path)
{
    size_t i = 0;
    while (i < files->count && !bl_str_equal(files->items[i].path, path))
        i++;
    return i;
}

static int compare(const void *x, const void *y)
{
    const struct fix *left = x;
    const struct fix *right = y;
    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    if (left->lo != right->lo)
        return left->lo < right->lo ? -1 : 1;
    return left->hi < right->hi ? -1 : left->hi > right->hi;
}

/* Of the diagnostics, those in our files, in order; where two meet, the first. */
static void collect(struct bl_session *session, const struct bl_policy_files *files,
                    struct bl_session *round, struct fixes *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < round->sink.list.count; i++) {
        const struct bl_diagnostic *d = round->sink.list.items[i];
        const struct bl_source *source = bl_sources_get(&round->sources, d->fix_span.source);
        size_t file =
            d->has_fix && source != NULL ? file_of(files, source->path) : files->count;
        struct fix *fix = file < files->count ? BL_PUSH(&session->arena, *out) : NULL;
        if (fix != NULL)
            *fix = (struct fix){file, d->fix_span.lo, d->fix_span.hi,
                                bl_arena_copy(&session->arena, d->fix_text)};
    }
    if (out->count == 0)
        return;
    qsort(out->items, out->count, sizeof *out->items, compare);
    for (size_t i = 1; i < out->count; i++) {
        const struct fix *last = &out->items[kept];
        const struct fix *fix = &out->items[i];
        if (fix->file != last->file || (fix->lo >= last->hi && fix->lo > last->lo))
            out->items[++kept] = *fix;
    }
    out->count = kept + 1;
}

static bool parses(bl_str path, bl_str text)
{
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;
    bl_arena_init(&arena, bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&sources, &arena);
    bl_diagnostics_init(&sink, &arena, 1);
    uint32_t source = bl_sources_add(&sources, path, text);
    bool good =
        source != BL_NO_SOURCE && bl_parse(&arena, &sources, source, &sink, &ast) == BL_OK;
    bl_arena_reset(&arena);
    return good;
}

static bl_str with_fixes(struct bl_arena *arena, bl_str text, const struct fix *fixes,
                         size_t count)
{
    struct bl_buf out;
    size_t at = 0;
    bl_buf_init(&out, arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    for (size_t i = 0; i < count; i++) {
        bl_buf_put(&out, bl_str_slice(text, at, fixes[i].lo));
        bl_buf_put(&out, fixes[i].text);
        at = fixes[i].hi;
    }
    bl_buf_put(&out, bl_str_slice(text, at, text.len));
    return bl_buf_str(&out);
}

/* All fixes of a file, or those that leave it a policy when all together do not. Later ones
 * first, so that the places of the others stay. */
static bool fix_file(struct bl_session *session, struct bl_policy_file *file,
                     const struct fix *fixes, size_t count)
{
    bl_str before = file->changed;
    bool was_good = parses(file->path, before);
    bl_str all = with_fixes(&session->arena, before, fixes, count);
    if (!was_good || parses(file->path, all)) {
        file->changed = all;
        return !bl_str_equal(before, all);
    }
    for (size_t i = count; i-- > 0;) {
        bl_str one = with_fixes(&session->arena, file->changed, &fixes[i], 1);
        if (parses(file->path, one))
            file->changed = one;
    }
    return !bl_str_equal(before, file->changed);
}

static bool fix_files(struct bl_session *session, struct bl_policy_files *files,
                      const struct fixes *fixes)
{
    bool changed = false;
    for (size_t i = 0; i < fixes->count;) {
        size_t end = i;
        while (end < fixes->count && fixes->items[end].file == fixes->items[i].file)
            end++;
        struct bl_policy_file *file = &files->items[fixes->items[i].file];
        changed |= fix_file(session, file, &fixes->items[i], end - i);
        i = end;
    }
    return changed;
}

/* ---- all of them --------------------------------------------------------------------- */

/* Checks and lints the texts as they are now; the session that did is *round. */
static enum bl_exit look(struct bl_session *session, const struct bl_policy_files *files,
                         const struct bl_arguments *arguments, struct bl_session *round)
{
    struct bl_overlay *overlay =
        BL_NEW_ARRAY(&session->arena, files->count + 1, struct bl_overlay);
    bl_session_begin(round, "policyc");
    bl_session_options(round, arguments);
    if (overlay == NULL)
        return out_of_memory(session);
    for (size_t i = 0; i < files->count; i++)
        overlay[i] = (struct bl_overlay){files->items[i].path, files->items[i].changed};
    round->overlay = overlay;
    round->overlay_count = files->count;
    enum bl_exit exit = bl_session_check(round, arguments, arguments->operands.items,
                                         arguments->operands.count, true);
    if (exit == BL_EXIT_OK)
        exit = bl_policyc_lint(round, arguments);
    return exit;
}

static bool goes_on(enum bl_exit exit)
{
    return exit == BL_EXIT_OK || exit == BL_EXIT_FINDINGS || exit == BL_EXIT_POLICY;
}

enum bl_exit bl_policyc_fix(struct bl_session *session, const struct bl_arguments *arguments)
{
    bool dry = bl_argument_is(arguments, "dry-run");
    struct bl_policy_files files = {NULL, 0, 0};
    enum bl_exit exit = bl_policy_files_read(session, arguments, &files);
    if (exit != BL_EXIT_OK)
        return exit;
    for (unsigned i = 0; i <= ROUNDS_MAX; i++) {
        struct bl_session round;
        struct fixes fixes = {NULL, 0, 0};
        exit = look(session, &files, arguments, &round);
        if (goes_on(exit) && i < ROUNDS_MAX)
            collect(session, &files, &round, &fixes);
        bool changed = fix_files(session, &files, &fixes);
        /* What is left is what the last round found. */
        if (!changed && goes_on(exit) && (!dry || session->report.format == BL_REPORT_TEXT))
            bl_session_report(&round, session->report.format != BL_REPORT_TEXT);
        bl_session_end(&round);
        if (!changed)
            break;
    }
    if (session->arena.failed)
        return out_of_memory(session);
    if (!goes_on(exit))
        return exit;
    enum bl_exit written =
        bl_policy_files_write(session, &files, dry ? BL_REWRITE_DIFF : BL_REWRITE_FILES);
    if (dry) /* what would change, and what would be left: the worse of the two */
        return written > exit ? written : exit;
    return written != BL_EXIT_OK ? written : exit;
}
