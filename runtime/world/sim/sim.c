/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim.h"

#include "event/names.h"
#include "world/sim/sim_read.h"
#include "world/sim/sim_write.h"

/* Ids of comments and events are larger than 2^31 on GitHub by now; so are ours, and a program
 * that keeps one in an int shows it. */
#define FIRST_ID    INT64_C(3000000000)
#define PAGE        100
#define LINK_BYTES  400
#define SERVER      BL_STR("https://github.com/")
#define MAIN_BRANCH BL_STR("main")

static int64_t now(void *self)
{
    const struct bl_sim *sim = self;
    return sim->now;
}

struct bl_value bl_sim_link(struct bl_sim *sim, bl_str path)
{
    struct bl_buf link;
    bl_buf_init(&link, sim->arena, LINK_BYTES);
    bl_buf_put(&link, SERVER);
    bl_buf_put(&link, sim->repository);
    bl_buf_put(&link, path);
    return bl_text(bl_buf_str(&link));
}

bool bl_sim_set_repository(struct bl_sim *sim, bl_str name)
{
    sim->repository = bl_sim_keep(sim, name);
    sim->self = bl_object_create(sim->arena, BL_ENTITY_REPOSITORY, 0, sim->repository);
    if (sim->self == NULL) {
        return false;
    }
    bl_object_set(sim->self, BL_FIELD_REPOSITORY_NAME, bl_text(sim->repository));
    bl_object_set(sim->self, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK,
                  bl_sim_link(sim, BL_STR("/issues/new")));
    bl_object_set(sim->self, BL_FIELD_REPOSITORY_SECURITY_POLICY,
                  bl_sim_link(sim, BL_STR("/security/policy")));
    bl_object_set(sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH, bl_text(MAIN_BRANCH));
    return !sim->arena->failed;
}

struct bl_sim *bl_sim_create(struct bl_arena *arena, bl_str repository, bl_str account,
                             int64_t start)
{
    struct bl_sim *sim = BL_NEW(arena, struct bl_sim);
    if (sim == NULL || !bl_is_repository_name(repository) || !bl_is_login(account)) {
        return NULL;
    }
    sim->arena = arena;
    sim->now = start;
    sim->is_public = true;
    sim->last_id = FIRST_ID;
    sim->page = PAGE;
    sim->account = bl_sim_keep(sim, account);
    sim->world = (struct bl_world){.self = sim,
                                   .load = bl_sim_read_load,
                                   .query = bl_sim_read_query,
                                   .write = bl_sim_write,
                                   .holds = bl_sim_holds,
                                   .now = now};
    if (!bl_sim_set_repository(sim, repository)) {
        return NULL;
    }
    struct bl_object *me = bl_sim_user_of(sim, account);
    if (me == NULL) {
        return NULL;
    }
    bl_object_set(me, BL_FIELD_USER_KIND, bl_member_value(BL_ENUM_USER_KIND, BL_USER_KIND_BOT));
    return sim;
}

const struct bl_world *bl_sim_world(struct bl_sim *sim)
{
    return &sim->world;
}
