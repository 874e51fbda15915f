/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "report/diff.h"
#include "testing/case_run.h"

#include <inttypes.h>

/* Golden plans: all that the last step planned, as text that people review and diff. */

#define NAME_MAX 100u

/* Part of a path: nothing that leads elsewhere or that a file system may not have, so other
 * characters (the signs around a login) are left out. Empty when nothing is left. */
static bl_str file_name(struct bl_case *c, bl_str name)
{
    struct bl_buf out;

    bl_buf_init(&out, c->results, NAME_MAX + 1);
    for (size_t i = 0; i < name.len && out.len < NAME_MAX; i++) {
        if (bl_is_ascii_alpha(name.ptr[i]) || bl_is_ascii_digit(name.ptr[i]) ||
            name.ptr[i] == '_' || ((name.ptr[i] == '-' || name.ptr[i] == '.') && out.len > 0))
            bl_buf_put_char(&out, name.ptr[i]);
    }
    return bl_buf_str(&out);
}

static bl_str path_of(struct bl_case *c, const struct bl_site *site, bl_str name)
{
    const struct bl_source *file =
        c->options->sources != NULL ? bl_sources_get(c->options->sources, site->source) : NULL;
    bl_str path = file != NULL ? file->path : (bl_str){NULL, 0};
    size_t end = path.len;
    struct bl_buf out;

    while (end > 0 && path.ptr[end - 1] != '/')
        end--;
    bl_buf_init(&out, c->results, 65536);
    bl_buf_put(&out, bl_str_slice(path, 0, end));
    bl_buf_printf(&out, "golden/%.*s.plan", BL_STR_ARG(name));
    return bl_buf_str(&out);
}

/* ---- the text -----------------------------------------------------------------------------
 */

static void put_indented(struct bl_buf *out, bl_str text)
{
    while (text.len > 0) {
        size_t end = bl_str_find_char(text, '\n');
        size_t length = end == SIZE_MAX ? text.len : end;
        if (length > 0)
            BL_PUT(out, "    | ");
        else
            BL_PUT(out, "    |");
        bl_buf_put(out, bl_str_slice(text, 0, length));
        BL_PUT(out, "\n");
        text = bl_str_slice(text, length + 1, text.len);
    }
}

static void put_unit(const struct bl_module *m, const struct bl_unit *unit, struct bl_buf *out)
{
    if (unit->plan.effects.count == 0 && unit->failure.what.len == 0)
        return;
    if (unit->step != BL_NONE) {
        bl_buf_put(out, bl_module_string(m, m->ENTRIES_rows[unit->step].name));
        if (unit->name.len > 0)
            bl_buf_printf(out, " %.*s", BL_STR_ARG(unit->name));
        BL_PUT(out, ":\n");
    }
    for (size_t i = 0; i < unit->plan.effects.count; i++) {
        const struct bl_plan_effect *effect = &unit->plan.effects.items[i];
        BL_PUT(out, "  ");
        bl_plan_effect_words(m, &effect->planned, out);
        for (size_t k = 0; k < effect->entries.count && unit->step == BL_NONE; k++) {
            bl_buf_put(out, k == 0 ? BL_STR("  (") : BL_STR(", "));
            bl_buf_put(out,
                       bl_module_string(m, m->ENTRIES_rows[effect->entries.items[k]].name));
        }
        bl_buf_put(out, effect->entries.count > 0 && unit->step == BL_NONE ? BL_STR(")\n")
                                                                           : BL_STR("\n"));
        if (effect->planned.effect == BL_EFFECT_POST)
            put_indented(out, effect->body);
    }
    if (unit->failure.what.len > 0)
        bl_buf_printf(out, "  failed: %.*s\n", BL_STR_ARG(unit->failure.what));
}

static bl_str plan_text(struct bl_case *c)
{
    struct bl_buf out;

    bl_buf_init(&out, c->results, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    for (size_t r = 0; r < c->runs.count; r++)
        for (size_t u = 0; u < c->runs.items[r].units.count; u++)
            put_unit(c->module, &c->runs.items[r].units.items[u], &out);
    if (out.len == 0)
        BL_PUT(&out, "nothing\n");
    return bl_buf_str(&out);
}

/* ---- the comparison -----------------------------------------------------------------------
 */

static struct bl_golden *find(struct bl_case *c, bl_str path)
{
    for (size_t i = 0; i < c->summary->goldens.count; i++)
        if (bl_str_equal(c->summary->goldens.items[i].path, path))
            return &c->summary->goldens.items[i];
    return NULL;
}

static enum bl_status differ(struct bl_case *c, const struct bl_site *site, bl_str path,
                             bl_str before, bl_str text, const char *sentence)
{
    struct bl_test_failure *failure = bl_case_failure(c, site, bl_str_from(sentence));
    struct bl_buf detail;

    if (failure == NULL)
        return BL_ERR_NOMEM;
    bl_buf_init(&detail, c->results, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_diff_write(c->arena, path, before, text, &detail);
    failure->detail = bl_buf_str(&detail);
    return detail.failed ? BL_ERR_NOMEM : BL_OK;
}

/* The file as it is; a new row of the summary. */
static enum bl_status look(struct bl_case *c, const struct bl_site *site, bl_str path,
                           bl_str text)
{
    const struct bl_golden_files *files = &c->options->golden;
    struct bl_golden golden = {.path = path, .text = text, .test = c->result->name};
    enum bl_status status = BL_OK;

    if (files->read != NULL)
        status =
            files->read(files->context, c->results, path, &golden.is_there, &golden.before);
    if (status == BL_ERR_IO)
        return bl_case_broken(c, site, golden.before);
    if (status != BL_OK)
        return status;
    golden.differs = !golden.is_there || !bl_str_equal(golden.before, text);
    struct bl_golden *kept = BL_PUSH(c->results, c->summary->goldens);
    if (kept == NULL)
        return BL_ERR_NOMEM;
    *kept = golden;
    if (!golden.differs || files->bless)
        return BL_OK;
    return differ(c, site, path, golden.before, text,
                  golden.is_there ? "The plan differs from its golden file."
                                  : "There is no golden file of this name; --bless writes it.");
}

enum bl_status bl_case_expect_golden(struct bl_case *c, const struct bl_site *site, bl_str name)
{
    c->result->expectations++;
    name = file_name(c, name);
    if (name.len == 0)
        return bl_case_broken(
            c, site,
            BL_STR("The name of a golden file has letters and digits, '_', '-', '.'."));
    bl_str path = path_of(c, site, name);
    bl_str text = plan_text(c);
    const struct bl_golden *known = find(c, path);
    if (known == NULL)
        return look(c, site, path, text);
    if (bl_str_equal(known->text, text))
        return BL_OK;
    /* One file is one plan: also what runs after a crash must come to the same. */
    return differ(c, site, path, known->text, text,
                  "The plan differs from what the same golden file stands for before.");
}
