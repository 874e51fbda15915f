/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_WORLD_H
#define BL_WORLD_WORLD_H

#include "base/diagnostic.h"
#include "value/value.h"

/* The world behind the interface: a repository on GitHub (world/github), or one in memory
 * (world/sim). The machine reads through it, plans are carried out on it; neither knows which. */

/* Reads answer found, missing or failed. Only "not found" is missing; everything else that is not a
 * whole, understood answer is failed, and the language never sees that as a value. */
enum bl_answer { BL_FOUND, BL_MISSING, BL_FAILED };

/* Why a read or a write failed, in words for one line of a log, without text of strangers. Sentences
 * of ours and names that were asked for; lives in the arena of the call. */
struct bl_failure {
    bl_str what; /* "The comments of issue 12 could not be read" */
    bl_str why;  /* "GitHub answered 502" */
    bl_str help; /* what to do, may be empty */
    bool again;  /* the same run later may succeed */
};

/* An effect as it goes to the world: the row of effects.def, its arguments in the order of the row,
 * and what the module adds. Texts are rendered and checked already. */
struct bl_effect_call {
    enum bl_effect effect;
    const struct bl_value *args;
    size_t arg_count;
    struct bl_object *target; /* issue, pull request, comment or commit that it acts on; may be NULL */
    bl_str body;              /* POST: the whole comment, marker line included; MARK: the new first line */
    bl_str label_color;       /* ENSURE_LABEL: six hex digits */
    bl_str label_description; /* ENSURE_LABEL */
};

enum bl_written { BL_WRITTEN, BL_NOT_WRITTEN, BL_UNKNOWN_WRITTEN };

struct bl_world {
    void *self;

    /* Makes every field of `object` known that belongs to `read` in entities.def (bl_object_set).
     * MISSING: the thing does not exist. New things come from `arena` and live as long. */
    enum bl_answer (*load)(void *self, struct bl_arena *arena, struct bl_object *object,
                           enum bl_read read, struct bl_failure *failure);

    /* Reads that belong to no object: ISSUE(int number), NUMBERED(int), PULL(int),
     * ISSUES_CREATED(time, time), COMMENTS_CHANGED(time), VARIABLE(text name) -> text or absent,
     * SECRET(text name) -> bool, REPOSITORY() -> the repository object. FOUND sets *out. */
    enum bl_answer (*query)(void *self, struct bl_arena *arena, enum bl_read read,
                            const struct bl_value *args, size_t count, struct bl_value *out,
                            struct bl_failure *failure);

    /* Carries out one effect, at most once. NOT_WRITTEN: nothing happened, failure says why;
     * UNKNOWN_WRITTEN: it may or may not have happened (a lost answer). */
    enum bl_written (*write)(void *self, struct bl_arena *arena, const struct bl_effect_call *call,
                             struct bl_failure *failure);

    /* The clock: seconds since 1970, UTC. Asked once a run. */
    int64_t (*now)(void *self);

    /* The account that the run writes with, as its comments show it ("github-actions[bot]" on
     * GitHub; the module names the one whose markers count). */
};

/* One look at the world during a unit: every read is made once (by thing and arguments) and answered
 * from memory after that. Objects are unified: the same issue is the same bl_object. The event's own
 * things are put in before the first rule runs. */
struct bl_snapshot;

/* NULL when out of memory. `world` may be NULL when a run can do without (pure tests). */
struct bl_snapshot *bl_snapshot_create(struct bl_arena *arena, const struct bl_world *world);

/* The object of that identity if the snapshot has met it, else a new one with no field known. Worlds
 * call it for every thing that they hand out, so that facts of one thing meet in one place. `name` is
 * copied when new. Identity: entity, key, and name without case (users: name alone). */
struct bl_object *bl_snapshot_object(struct bl_snapshot *snapshot, enum bl_entity entity,
                                     int64_t key, bl_str name);

/* The field's value, read when it is not known yet. BL_ERR_READ: failed, or the thing is missing;
 * *failure says what. */
BL_NODISCARD enum bl_status bl_snapshot_field(struct bl_snapshot *snapshot,
                                              struct bl_object *object, enum bl_field field,
                                              struct bl_value *out, struct bl_failure *failure);
/* As bl_world.query, memoised; MISSING gives BL_OK and absent. */
BL_NODISCARD enum bl_status bl_snapshot_query(struct bl_snapshot *snapshot, enum bl_read read,
                                              const struct bl_value *args, size_t count,
                                              struct bl_value *out, struct bl_failure *failure);
/* Reads made so far (not those answered from memory). */
size_t bl_snapshot_reads(const struct bl_snapshot *snapshot);
struct bl_arena *bl_snapshot_arena(struct bl_snapshot *snapshot);

#endif
