/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_EVENT_H
#define BL_EVENT_EVENT_H

#include "base/diagnostic.h"
#include "event/json.h"
#include "value/value.h"

/* A webhook payload as things of entities.def. The payload gives identity (kind, numbers, ids,
 * actor, times, changes); what can change while an event waits in a queue is read fresh when
 * the run starts. Without a world file the simulator is seeded from the payload, so everything
 * else that the payload says is kept too, in `seed`. */

struct bl_event {
    enum bl_event_id id;
    bl_str name; /* GitHub's event name */
    bl_str action;
    struct bl_object *event; /* the entity EVENT with every field that it carries known */
    /* What it is about, with identity and all that the payload says known; NULL when not there.
     */
    struct bl_object *issue;
    struct bl_object *comment;
    struct bl_object *pull_request;
    struct bl_object *status;
    struct bl_object *release;
    struct bl_object *repository;
    int64_t at;   /* event.at (language-review §5.7); 0 when it is the start of the run */
    size_t notes; /* NUL escapes that were replaced */
};

enum bl_event_result { BL_EVENT_READ, BL_EVENT_NOT_HANDLED, BL_EVENT_BROKEN };

/* Reads a payload. `name` is GitHub's event name. `task_index` resolves the name of a task of
 * the module for `event.inputs.task` (-1 unknown: broken). `started` is the clock of the run,
 * for events whose own time is that. NOT_HANDLED: a payload that no rule can be about; *reason
 * says why. BROKEN: not JSON, or without what the event must have; a diagnostic names the place
 * in the JSON. Objects and texts live in `arena`; nothing of the input is kept. Strings of
 * GitHub that must be names (logins, tags …) and are not are refused. */
enum bl_event_result bl_event_read(struct bl_arena *arena, bl_str name, bl_str payload,
                                   int64_t started, int (*task_index)(const void *, bl_str),
                                   const void *task_context, struct bl_event *out,
                                   struct bl_diagnostics *sink, uint32_t source,
                                   bl_str *reason);

/* GitHub's spellings to ours: "FIRST_TIME_CONTRIBUTOR" -> first_timer, "MANNEQUIN" -> nobody;
 * false when GitHub never says that. */
bool bl_association_from(bl_str spelling, unsigned *member);
/* A user object from a `user` of a payload or world file; a null user is ghost. */

#endif
