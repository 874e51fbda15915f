/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_PAYLOAD_H
#define BL_WORLD_SIM_SIM_PAYLOAD_H

#include "world/sim/sim_model.h"
#include "world/sim/sim_people.h"

/* What GitHub sends, written as GitHub writes it and read as any payload is read, so that tests
 * meet the same events as production. Private to this room. */

struct bl_sim_sending {
    const char *name;
    const char *action; /* NULL: the event has none */
    struct bl_object *sender;
    struct bl_object *issue;
    struct bl_object *comment;
    struct bl_object *pull;
    struct bl_object *release;
    struct bl_object *status;
    struct bl_object *assignee;
    bl_str label;        /* of a labeling */
    const char *changed; /* "title" or "body"; NULL: no `changes` */
    bl_str before;       /* what it was */
    const struct bl_sim_inputs *inputs;
    bl_str workflow;                /* of a run that ended; empty: none did */
    bl_str started_by;              /* the event that started it */
    const struct bl_object *pushed; /* the commit of a push */
    int64_t at;
};

/* Fills *out; nothing when it is NULL. */
BL_NODISCARD enum bl_status bl_sim_send(struct bl_sim *sim,
                                        const struct bl_sim_sending *sending,
                                        struct bl_sim_delivery *out);

#endif
