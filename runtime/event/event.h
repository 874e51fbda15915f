/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_EVENT_H
#define BL_EVENT_EVENT_H

#include "base/diagnostic.h"
#include "event/json.h"
#include "value/value.h"

/* A webhook payload as things of entities.def. The payload gives identity (kind, numbers, ids,
 * actor, times, changes); what can change while an event waits in a queue is read fresh when
 * the run starts (bl_snapshot_adopt takes the identity alone). Everything else that the payload
 * says is known here too: without a world file the simulator is seeded from it. */

struct bl_event {
    enum bl_event_id id;
    bl_str name;             /* GitHub's event name */
    bl_str action;           /* empty when the event has none */
    struct bl_object *event; /* the entity EVENT with every field that it carries known */
    /* What it is about, with all that the payload says known; NULL when not there. Of a run by
     * hand the issue is what was typed in, its number alone. */
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

/* What reading an event needs beside the payload. */
struct bl_event_source {
    bl_str name;     /* GitHub's event name */
    int64_t started; /* the clock of the run, for events whose own time is that */
    /* The number of a task of the module for `inputs.task`, -1 for none (then the event is
     * broken). NULL: the task stays unknown. */
    int (*task_index)(const void *context, bl_str name);
    const void *task_context;
    uint32_t source; /* of diagnostics */
};

/* Reads a payload. NOT_HANDLED: a payload that no rule can be about; *reason says why in a
 * sentence. BROKEN: not JSON, or without what the event must have; a diagnostic names the place
 * in the JSON. Also when out of memory: then the arena has failed. Objects and texts live in
 * `arena`; nothing of the input is kept. Strings of GitHub that must be names (logins, tags …)
 * and are not are refused. */
enum bl_event_result bl_event_read(struct bl_arena *arena, bl_str payload,
                                   const struct bl_event_source *from, struct bl_event *out,
                                   struct bl_diagnostics *sink, bl_str *reason);

#endif
