/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_questions.h"

/* What the command line of redact-check names: samples, literals, patterns. */

#define NOTHING      ((bl_str){NULL, 0})
#define FOLDERS_DEEP 32u

size_t bl_check_given(const struct bl_check *c, const char *option)
{
    size_t count = 0;
    for (size_t i = 0; i < c->arguments->given.count; i++)
        count += bl_str_equal(bl_str_from(c->arguments->given.items[i].option->name),
                              bl_str_from(option));
    return count;
}

/* ---- samples ------------------------------------------------------------------------------
 */

static enum bl_exit add_source(struct bl_check *c, bl_str path)
{
    struct bl_source_name *slot = BL_PUSH(&c->arena, c->sources);
    if (slot == NULL)
        return bl_check_out_of_memory(c);
    slot->path = path;
    return BL_EXIT_OK;
}

/* A link may lead out of the folder, or round in it; a pipe would wait. */
static void say_skipped(struct bl_check *c, bl_str path, bool is_link)
{
    struct bl_buf out;
    bl_buf_init(&out, &c->arena, 1 << 16);
    bl_report_visible(path, &out);
    bl_buf_put(&out, is_link
                         ? BL_STR(": skipped: it is a link in a folder. Name it to have it "
                                  "looked at.\n")
                         : BL_STR(": skipped: it is no regular file. What it gives can come "
                                  "through standard input.\n"));
    bl_print_error_quoted(&c->arena, bl_buf_str(&out));
}

/* Folders are read file by file, sorted; folders in them with their own. */
static enum bl_exit add_path(struct bl_check *c, bl_str path, unsigned depth)
{
    bl_str *names, why = NOTHING;
    size_t count = 0;
    if (!bl_path_is_folder(&c->arena, path))
        return add_source(c, path);
    if (depth == 0)
        return bl_check_say(c, path, BL_STR("Folders nest too deep here."), BL_EXIT_UNREADABLE);
    if (bl_folder_list(&c->arena, path, NOTHING, &names, &count, &why) != BL_FILE_READ)
        return bl_check_say(c, path, why, BL_EXIT_UNREADABLE);
    enum bl_exit exit = BL_EXIT_OK;
    for (size_t i = 0; i < count && exit == BL_EXIT_OK; i++) {
        struct bl_buf inner;
        bl_buf_init(&inner, &c->arena, 1 << 16);
        bl_buf_printf(&inner, "%.*s/%.*s", BL_STR_ARG(path), BL_STR_ARG(names[i]));
        if (bl_path_is_link(&c->arena, bl_buf_str(&inner)))
            say_skipped(c, bl_buf_str(&inner), true);
        else if (!bl_path_is_file(&c->arena, bl_buf_str(&inner)) &&
                 !bl_path_is_folder(&c->arena, bl_buf_str(&inner)))
            say_skipped(c, bl_buf_str(&inner), false);
        else
            exit = add_path(c, bl_buf_str(&inner), depth - 1);
    }
    return exit;
}

enum bl_exit bl_check_sources(struct bl_check *c)
{
    const struct bl_arguments *a = c->arguments;
    size_t texts = bl_check_given(c, "text"), files = bl_check_given(c, "file");
    size_t trajectories = bl_check_given(c, "trajectory");
    enum bl_exit exit = BL_EXIT_OK;

    if (texts + files + trajectories + (a->operands.count > 0) > 1)
        return bl_check_say(c, NOTHING,
                            BL_STR("Give one source: --text, --file, --trajectory or paths. "
                                   "'bylaw redact-check --help' says more."),
                            BL_EXIT_USAGE);
    c->is_trajectory = trajectories > 0;
    c->text = bl_argument(a, "text", BL_STR(""));
    if (texts > 0)
        return BL_EXIT_OK;
    if (files > 0)
        return add_source(c, bl_argument(a, "file", NOTHING));
    if (trajectories > 0)
        return add_source(c, bl_argument(a, "trajectory", NOTHING));
    for (size_t i = 0; i < a->operands.count && exit == BL_EXIT_OK; i++)
        exit = add_path(c, a->operands.items[i], FOLDERS_DEEP);
    /* Questions about the redaction alone wait for nobody. */
    if (bl_check_needs_no_sample(c))
        return exit;
    return a->operands.count > 0 ? exit : add_source(c, BL_STR("-"));
}

/* ---- literals and patterns ----------------------------------------------------------------
 */

static enum bl_exit read_option(struct bl_check *c, const char *option, bl_str *text)
{
    bl_str path = bl_argument(c->arguments, option, NOTHING), why = NOTHING;

    *text = NOTHING;
    if (path.len == 0 || bl_file_read(&c->arena, path, (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES),
                                      text, &why) == BL_FILE_READ)
        return BL_EXIT_OK;
    return bl_check_say(c, path, why, BL_EXIT_UNREADABLE);
}

/* The next line that is not empty; false at the end. */
static bool next_line(bl_str *text, bl_str *row)
{
    do {
        size_t end = bl_str_find_char(*text, '\n');
        *row = bl_str_slice(*text, 0, end);
        if (row->len > 0 && row->ptr[row->len - 1] == '\r')
            row->len--;
        *text = bl_str_slice(*text, end == SIZE_MAX ? end : end + 1, SIZE_MAX);
    } while (row->len == 0 && text->len > 0);
    return row->len > 0;
}

enum bl_exit bl_check_literals(struct bl_check *c)
{
    bl_str text, row;
    enum bl_exit exit = read_option(c, "literals", &text);

    while (exit == BL_EXIT_OK && next_line(&text, &row)) {
        bl_str *slot = BL_PUSH(&c->arena, c->literals);
        if (slot == NULL)
            return bl_check_out_of_memory(c);
        *slot = row;
    }
    return exit;
}

enum bl_exit bl_check_baseline(struct bl_check *c)
{
    bl_str text, row;
    enum bl_exit exit = read_option(c, "baseline", &text);

    if (bl_check_given(c, "baseline") > 0 &&
        (bl_check_given(c, "key") == 0 || bl_check_given(c, "residue") == 0))
        return bl_check_say(
            c, NOTHING,
            BL_STR("--baseline needs --residue, and --key: with another key the "
                   "digests are others."),
            BL_EXIT_USAGE);
    while (exit == BL_EXIT_OK && next_line(&text, &row)) {
        row = bl_str_trim(bl_str_slice(row, 0, bl_str_find_char(row, '#')));
        struct bl_known_left *slot = row.len > 0 ? BL_PUSH(&c->arena, c->baseline) : NULL;
        if (slot == NULL && row.len > 0)
            return bl_check_out_of_memory(c);
        if (slot != NULL)
            *slot = (struct bl_known_left){.digest = row};
    }
    return exit;
}

enum bl_exit bl_check_patterns(struct bl_check *c)
{
    for (size_t i = 0, number = 0; i < c->arguments->given.count; i++) {
        const struct bl_given *g = &c->arguments->given.items[i];
        struct bl_pattern_error error;
        struct bl_buf why;
        if (!bl_str_equal(bl_str_from(g->option->name), BL_STR("pattern")))
            continue;
        struct bl_pattern *slot = BL_PUSH(&c->arena, c->patterns);
        if (slot == NULL)
            return bl_check_out_of_memory(c);
        if (bl_pattern_compile(&c->arena, g->value, NOTHING, slot, &error)) {
            number++;
            continue;
        }
        bl_buf_init(&why, &c->arena, 4096);
        bl_buf_printf(&why,
                      "Pattern %zu of the command line cannot be compiled, byte %zu: %.*s",
                      number, error.offset, BL_STR_ARG(error.message));
        if (error.help.len > 0)
            bl_buf_printf(&why, " %.*s", BL_STR_ARG(error.help));
        return bl_check_say(c, NOTHING, bl_buf_str(&why), BL_EXIT_USAGE);
    }
    return BL_EXIT_OK;
}
