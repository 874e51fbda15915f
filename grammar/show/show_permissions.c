/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/job_uses.h"
#include "show/show_text.h"

/* Which permission a job needs, for what, and where that stands. */

/* ---- the page
 * --------------------------------------------------------------------------------------- */

static void put_permission(enum bl_permission permission, struct bl_buf *out)
{
    const struct bl_permission_info *info = bl_permission_info(permission);

    bl_buf_printf(out, "`%.*s: %.*s`", BL_STR_ARG(info->key), BL_STR_ARG(info->level));
}

static void put_use(const struct bl_program *program, const struct bl_permission_use *use,
                    struct bl_buf *out)
{
    static const char *const kinds[] = {"effect", "read", "action"};

    BL_PUT(out, "| ");
    put_permission(use->permission, out);
    bl_buf_printf(out, " | %s ", kinds[use->kind]);
    bl_show_code(out, use->what);
    bl_buf_printf(out, " | %.*s ", BL_STR_ARG(bl_symbol_kind_name(use->where->kind)));
    bl_show_code(out, use->where->name);
    BL_PUT(out, " | ");
    bl_show_code(out, bl_show_place(program, use->span));
    if (use->more > 0)
        bl_buf_printf(out, " and %zu more", use->more);
    BL_PUT(out, " |\n");
}

static void put_set(const char *title, uint32_t set, struct bl_buf *out)
{
    bool some = false;

    bl_buf_printf(out, "%s: ", title);
    for (unsigned p = BL_PERMISSION_NONE + 1; p < BL_PERMISSION_COUNT; p++) {
        if ((set & BL_CAP(p)) == 0 || bl_permission_is_implied(set, p))
            continue;
        bl_buf_put(out, some ? BL_STR(", ") : BL_STR(""));
        put_permission((enum bl_permission)p, out);
        some = true;
    }
    bl_buf_put(out, some ? BL_STR(".\n\n") : BL_STR("nothing.\n\n"));
}

static void put_job(const struct bl_program *program, const struct bl_symbol *job,
                    struct bl_buf *out)
{
    struct bl_job_uses uses;
    uint32_t found = 0;

    bl_job_uses(program, job, &uses);
    BL_PUT(out, "## Job ");
    bl_show_code(out, job->name);
    BL_PUT(out, "\n\n");
    if (uses.permissions.count > 0)
        BL_PUT(out, "| permission | for | of | place |\n|---|---|---|---|\n");
    for (unsigned p = 0; p < BL_PERMISSION_COUNT; p++) {
        for (size_t i = 0; i < uses.permissions.count; i++) {
            if (uses.permissions.items[i].permission != p)
                continue;
            found |= BL_CAP(p);
            put_use(program, &uses.permissions.items[i], out);
        }
    }
    bl_buf_put(out, uses.permissions.count > 0 ? BL_STR("\n") : BL_STR(""));
    put_set("Needed", found, out);
    put_set("Given to write", job->as.job->capabilities, out);
    if (uses.unknown)
        BL_PUT(out, "It runs parts whose needs are not known, so what it is given counts as "
                    "needed.\n\n");
    else
        put_set("Given and not needed", job->as.job->capabilities & ~found, out);
    if (job->as.job->workflow != NULL)
        put_set("In the workflow", uses.needed, out);
}

/* What runs without a job. */
static void put_entries(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *entries = &program->symbols[BL_SYMBOL_ENTRY];
    const struct bl_symbol_list *stores = &program->symbols[BL_SYMBOL_STORE];

    if (entries->count == 0)
        return;
    BL_PUT(out,
           "## Entries\n\nCalled on the command line, they need no permission of GitHub: ");
    for (size_t i = 0; i < entries->count; i++) {
        bl_buf_put(out, i > 0 ? BL_STR(", ") : BL_STR(""));
        bl_show_code(out, entries->items[i]->name);
        bl_buf_put(out, entries->items[i]->as.rule->by_person ? BL_STR(" (by a person)")
                                                              : BL_STR(""));
    }
    BL_PUT(out, ".\n\n");
    for (size_t i = 0; i < stores->count; i++) {
        bl_buf_put(out, i > 0 ? BL_STR(", ") : BL_STR("Files that may be written: "));
        bl_show_code(out, stores->items[i]->as.store->file);
    }
    if (stores->count > 0)
        BL_PUT(out, ".\n\n");
}

void bl_show_permissions(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];

    BL_PUT(out, "# Permissions of ");
    bl_show_prose(out, bl_show_title(program));
    BL_PUT(out, "\n\nMade from the policy by `policyc --emit=permissions`.\n\n");
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->clause != NULL && jobs->items[i]->as.job != NULL)
            put_job(program, jobs->items[i], out);
    }
    put_entries(program, out);
    out->failed = out->failed || program->arena->failed;
}
