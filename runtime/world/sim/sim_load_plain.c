/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_file.h"
#include "world/sim/sim_people.h"

/* What a world file says without things: lists of texts, and what a job has beside the
 * repository. */

/* ---- lists of texts ---------------------------------------------------------------------- */

static bool load_texts(struct bl_sim_loader *l, const struct bl_json *node,
                       enum bl_type_kind kind, struct bl_sim_texts *texts)
{
    struct bl_value v;
    if (!bl_sim_convert(l, node, BL_LIST_OF(BL_TYPE_MAKE(kind, 0)), NULL, &v)) {
        return false;
    }
    for (uint32_t i = 0; i < v.as.list->count; i++) {
        bl_str *row = BL_PUSH(l->sim->arena, *texts);
        if (row == NULL) {
            return false;
        }
        *row = bl_text_of(v.as.list->items[i]);
    }
    return true;
}

bool bl_sim_load_tracked_files(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_texts(l, node, BL_TYPE_PATH, &l->sim->files);
}

bool bl_sim_load_secrets(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_texts(l, node, BL_TYPE_NAME, &l->sim->secrets);
}

bool bl_sim_load_public_repositories(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_texts(l, node, BL_TYPE_REPOSITORY_NAME, &l->sim->public_repositories);
}

bool bl_sim_load_variables(struct bl_sim_loader *l, const struct bl_json *node)
{
    return bl_sim_load_named(l, node, bl_sim_variable);
}

bool bl_sim_load_job_files(struct bl_sim_loader *l, const struct bl_json *node)
{
    return bl_sim_load_named(l, node, bl_sim_job_file);
}

bool bl_sim_load_stores(struct bl_sim_loader *l, const struct bl_json *node)
{
    return bl_sim_load_named(l, node, bl_sim_store);
}

bool bl_sim_load_checkout(struct bl_sim_loader *l, const struct bl_json *node)
{
    return bl_sim_load_named(l, node, bl_sim_checkout_file);
}

bool bl_sim_load_checkout_commit(struct bl_sim_loader *l, const struct bl_json *node)
{
    struct bl_value v;
    return bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_NAME, 0), NULL, &v) &&
           bl_sim_checkout_commit(l->sim, bl_text_of(v)) == BL_OK;
}

bool bl_sim_load_git_reading(struct bl_sim_loader *l, const struct bl_json *node)
{
    struct bl_value v;
    return bl_sim_convert(l, node, BL_TYPE_MAKE(BL_TYPE_TEXT, 0), NULL, &v) &&
           bl_sim_git_reading(l->sim, bl_text_of(v)) == BL_OK;
}

bool bl_sim_load_foreign_issues(struct bl_sim_loader *l, const struct bl_json *node)
{
    return load_texts(l, node, BL_TYPE_NAME, &l->sim->foreign_issues);
}
