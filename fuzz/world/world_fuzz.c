/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_people.h"

#include <stdlib.h>

/* A world file. Whatever is in it, loading ends with a status; what was loaded dumps and loads
 * to the same, answers every read with values of their types, and lets people act and effects
 * be carried out. */

#define MEMORY ((size_t)128 << 20)

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct bl_sim *load(struct bl_arena *arena, bl_str json)
{
    struct bl_diagnostics sink;
    bl_diagnostics_init(&sink, arena, 20);
    struct bl_sim *sim = bl_sim_create(arena, BL_STR("octo/demo"),
                                       BL_STR("github-actions[bot]"), INT64_C(1800000000));
    if (sim == NULL) {
        return NULL;
    }
    enum bl_status status = bl_sim_load(sim, json, 0, &sink);
    must((status == BL_OK) == (sink.errors == 0));
    must(status != BL_ERR_NOMEM || arena->failed || sink.errors > 0);
    return status == BL_OK ? sim : NULL;
}

static bl_str dump(struct bl_arena *arena, const struct bl_sim *sim)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, MEMORY);
    bl_sim_dump(sim, &out);
    return out.failed ? BL_STR("") : bl_buf_str(&out);
}

static void read_fields(struct bl_snapshot *snapshot, struct bl_object *thing, unsigned depth);

static void read_value(struct bl_snapshot *snapshot, struct bl_value v, unsigned depth)
{
    if (v.tag == BL_V_OBJECT) {
        read_fields(snapshot, v.as.object, depth);
    } else if (v.tag == BL_V_LIST && bl_list_complete(v.as.list) == BL_OK) {
        for (uint32_t i = 0; i < v.as.list->count && i < 8; i++) {
            read_value(snapshot, v.as.list->items[i], depth);
        }
    }
}

static void read_fields(struct bl_snapshot *snapshot, struct bl_object *thing, unsigned depth)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)thing->entity);
    for (unsigned i = 0; depth > 0 && i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        struct bl_failure failure = {.again = false};
        struct bl_value v;
        enum bl_status status = bl_snapshot_field(snapshot, thing, field, &v, &failure);
        must(status != BL_OK || bl_value_has_type(v, bl_field_info(field)->type));
        must(status != BL_ERR_READ || failure.what.len > 0);
        read_value(snapshot, v, depth - 1);
    }
}

static void read_all(struct bl_arena *arena, struct bl_sim *sim)
{
    struct bl_snapshot *snapshot = bl_snapshot_create(arena, bl_sim_world(sim));
    struct bl_failure failure;
    struct bl_value v;
    if (snapshot != NULL &&
        bl_snapshot_query(snapshot, BL_READ_REPOSITORY, NULL, 0, &v, &failure) == BL_OK) {
        read_value(snapshot, v, 4);
    }
}

static void act(struct bl_arena *arena, struct bl_sim *sim)
{
    struct bl_sim_delivery out;
    int64_t number = 0;
    for (int64_t i = 1; i < 50 && number == 0; i++) {
        number = bl_sim_opened(sim, i, &out) == BL_OK ? i : 0;
    }
    int64_t now = bl_sim_now(sim);
    must(bl_sim_comment(sim, BL_STR("alice"), number, BL_STR("x"), now, &out) != BL_OK ||
         out.event.comment != NULL);
    if (number > 0) {
        const struct bl_world *world = bl_sim_world(sim);
        struct bl_object *issue =
            bl_object_create(arena, BL_ENTITY_ISSUE, number, bl_sim_repository(sim));
        for (unsigned e = 0; issue != NULL && e < BL_EFFECT_COUNT; e++) {
            const struct bl_value args[] = {bl_object_value(issue), bl_text(BL_STR("label")),
                                            bl_absent()};
            struct bl_effect_call call = {.effect = (enum bl_effect)e,
                                          .args = args,
                                          .arg_count = 3,
                                          .target = issue,
                                          .body = BL_STR("body")};
            struct bl_failure failure;
            bool text = e == BL_EFFECT_ADD_LABEL || e == BL_EFFECT_REMOVE_LABEL ||
                        e == BL_EFFECT_POST || e == BL_EFFECT_MILESTONE ||
                        e == BL_EFFECT_REOPEN;
            must(!text || world->write(world->self, arena, &call, &failure) == BL_WRITTEN ||
                 arena->failed);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bl_str input = {(const char *)data, size};
    struct bl_arena arena;
    bl_arena_init(&arena, MEMORY, NULL);
    struct bl_sim *sim = load(&arena, input);
    if (sim != NULL) {
        bl_str first = dump(&arena, sim);
        struct bl_sim *again = first.len > 0 ? load(&arena, first) : NULL;
        must(again != NULL || arena.failed || first.len == 0);
        must(again == NULL || bl_str_equal(dump(&arena, again), first) || arena.failed);
        read_all(&arena, sim);
        act(&arena, sim);
        read_all(&arena, sim);
    }
    bl_arena_reset(&arena);
    bl_arena_init(&arena, size % 89 * 1024, NULL);
    (void)load(&arena, input);
    bl_arena_reset(&arena);
    return 0;
}
