/* SPDX-License-Identifier: Apache-2.0 */
#include "lint_run.h"

#include <time.h>

void lint_begin(struct linted *l)
{
    *l = (struct linted){.milliseconds = 0};
    bl_arena_init(&l->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_sources_init(&l->sources, &l->arena);
    bl_diagnostics_init(&l->sink, &l->arena, 100000);
}

void lint_end(struct linted *l)
{
    bl_arena_reset(&l->arena);
}

/* `# level NAME=LEVEL` in the first line. */
static size_t read_levels(struct linted *l, bl_str text, struct bl_lint_level *levels,
                          size_t max)
{
    bl_str line = bl_str_slice(text, 0, bl_str_find_char(text, '\n'));
    size_t count = 0;

    if (!bl_str_starts_with(line, BL_STR("# level ")))
        return 0;
    line = bl_str_slice(line, sizeof("# level ") - 1, line.len);
    while (line.len > 0 && count < max) {
        size_t end = bl_str_find_char(line, ' ');
        bl_str word = bl_str_slice(line, 0, end);
        size_t equals = bl_str_find_char(word, '=');
        bl_str level = bl_str_slice(word, equals + 1, word.len);

        levels[count++] = (struct bl_lint_level){
            .name = bl_arena_copy(&l->arena, bl_str_slice(word, 0, equals)),
            .severity = bl_str_equal(level, BL_STR("off"))    ? BL_SEVERITY_OFF
                        : bl_str_equal(level, BL_STR("warn")) ? BL_SEVERITY_WARNING
                                                              : BL_SEVERITY_ERROR,
            .span = BL_NO_SPAN};
        line = end == SIZE_MAX ? BL_STR("") : bl_str_slice(line, end + 1, line.len);
    }
    return count;
}

static void keep_witness(void *context, const struct bl_diagnostic *finding,
                         const struct bl_witness *witness)
{
    struct linted *l = context;
    struct shown *place = BL_PUSH(&l->arena, l->shown);

    if (place != NULL)
        *place = (struct shown){finding, *witness};
}

static double cpu_milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

bool lint_policy(struct linted *l, const char *path, const bl_str *search)
{
    struct bl_sema_options options = {
        .tests = true, .search = search, .search_count = search->len > 0};
    struct bl_lint_level levels[8];
    struct bl_lint_options lint = {.levels = levels, .witness = keep_witness, .context = l};
    bl_str root = bl_str_from(path), text;
    double begun;

    if (read_policy(NULL, &l->arena, root, &text) == BL_OK)
        lint.level_count = read_levels(l, text, levels, 8);
    if (bl_sema(&l->arena, &l->sources, &l->sink, &policy_loader, &root, 1, &options,
                &l->program) != BL_OK)
        return false;
    l->bytes = l->arena.used;
    begun = cpu_milliseconds();
    if (bl_lint(&l->arena, l->program, &lint, &l->sink) == BL_ERR_NOMEM)
        return false;
    l->milliseconds = cpu_milliseconds() - begun;
    l->bytes = l->arena.used - l->bytes;
    bl_diagnostics_sort(&l->sink);
    return true;
}
