/* SPDX-License-Identifier: Apache-2.0 */
#include "event/names.h"
#include "world/sim/sim_change.h"
#include "world/sim/sim_people.h"
#include "world/sim/sim_read.h"

/* Runs of workflows with their jobs, and issues of other repositories. */

#define NAME_BYTES 300

static enum bl_status refuse(struct bl_sim *sim, const char *why)
{
    sim->problem = bl_str_from(why);
    return BL_ERR_INVALID;
}

static struct bl_object *find_run(const struct bl_sim *sim, bl_str workflow, int64_t at)
{
    const struct bl_sim_things *runs = &sim->things[BL_ENTITY_RUN];
    for (size_t i = 0; i < runs->count; i++) {
        const struct bl_sim_run_more *more = runs->items[i]->handle;
        if (bl_str_equal(more->workflow, workflow) &&
            bl_sim_time(runs->items[i], BL_FIELD_RUN_CREATED_AT) == at) {
            return runs->items[i];
        }
    }
    return NULL;
}

static struct bl_object *add_run(struct bl_sim *sim, bl_str workflow, int64_t at)
{
    struct bl_object *run = bl_sim_add(sim, BL_ENTITY_RUN, bl_sim_next_id(sim), BL_STR(""));
    if (run == NULL) {
        return NULL;
    }
    struct bl_sim_run_more *more = run->handle;
    more->workflow = bl_sim_keep(sim, workflow);
    bl_object_set(run, BL_FIELD_RUN_CREATED_AT, bl_number(BL_V_TIME, at));
    return bl_sim_new_list(sim, run, BL_FIELD_RUN_JOBS) != NULL ? run : NULL;
}

enum bl_status bl_sim_run(struct bl_sim *sim, bl_str workflow, int64_t at, bl_str job,
                          int64_t started)
{
    if (!bl_is_name(workflow) || (job.len > 0 && !bl_is_name(job))) {
        return refuse(sim, "A run needs the file of its workflow, and a job a name.");
    }
    struct bl_object *run = find_run(sim, workflow, at);
    run = run != NULL ? run : add_run(sim, workflow, at);
    if (run == NULL || job.len == 0) {
        return run == NULL ? BL_ERR_NOMEM : BL_OK;
    }
    struct bl_list *jobs = bl_object_get(run, BL_FIELD_RUN_JOBS).as.list;
    struct bl_object *one =
        bl_object_create(sim->arena, BL_ENTITY_RUN_JOB, ++sim->last_run, sim->repository);
    if (one == NULL || bl_list_push(sim->arena, jobs, bl_object_value(one)) != BL_OK) {
        return BL_ERR_NOMEM;
    }
    bl_object_set(one, BL_FIELD_RUN_JOB_NAME, bl_sim_keep_text(sim, job));
    bl_object_set(one, BL_FIELD_RUN_JOB_STARTED_AT,
                  started != 0 ? bl_number(BL_V_TIME, started) : bl_absent());
    return sim->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

static bool created_later(const struct bl_object *a, const struct bl_object *b)
{
    return bl_sim_time(a, BL_FIELD_RUN_CREATED_AT) > bl_sim_time(b, BL_FIELD_RUN_CREATED_AT);
}

struct bl_list *bl_sim_runs(struct bl_sim *sim, bl_str workflow, int64_t since)
{
    const struct bl_sim_things *runs = &sim->things[BL_ENTITY_RUN];
    struct bl_list *list = bl_list_create(sim->arena);
    for (size_t i = 0; list != NULL && i < runs->count; i++) {
        const struct bl_sim_run_more *more = runs->items[i]->handle;
        if (bl_str_equal(more->workflow, workflow) &&
            bl_sim_time(runs->items[i], BL_FIELD_RUN_CREATED_AT) >= since &&
            bl_list_push(sim->arena, list, bl_object_value(runs->items[i])) != BL_OK) {
            return NULL;
        }
    }
    return list != NULL && bl_sim_sort(sim, list, created_later) ? list : NULL;
}

/* ---- other repositories ------------------------------------------------------------------ */

static bl_str place_of(struct bl_buf *out, bl_str repository, int64_t number)
{
    bl_buf_put(out, repository);
    BL_PUT(out, "#");
    bl_buf_put_int(out, number);
    return bl_buf_str(out);
}

enum bl_status bl_sim_foreign_issue(struct bl_sim *sim, bl_str repository, int64_t number)
{
    struct bl_buf name;
    if (!bl_is_repository_name(repository) || number <= 0) {
        return refuse(sim, "An issue of another repository needs owner/name and a number.");
    }
    bl_buf_init(&name, sim->arena, NAME_BYTES);
    bl_str *place = BL_PUSH(sim->arena, sim->foreign_issues);
    bl_str *open = BL_PUSH(sim->arena, sim->public_repositories);
    if (place == NULL || open == NULL) {
        return BL_ERR_NOMEM;
    }
    *place = place_of(&name, repository, number);
    *open = bl_sim_keep(sim, repository);
    return sim->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

bool bl_sim_is_foreign(const struct bl_sim *sim, bl_str repository, int64_t number)
{
    for (size_t i = 0; i < sim->foreign_issues.count; i++) {
        bl_str place = sim->foreign_issues.items[i];
        size_t sign = bl_str_find_char(place, '#');
        int64_t own = 0;
        for (size_t k = sign + 1; sign != SIZE_MAX && k < place.len && own < INT32_MAX; k++) {
            own = own * 10 + (place.ptr[k] - '0');
        }
        if (own == number && bl_str_equal_nocase(bl_str_slice(place, 0, sign), repository)) {
            return true;
        }
    }
    return false;
}
