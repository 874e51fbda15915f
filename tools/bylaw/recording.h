/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_RECORDING_H
#define BL_BYLAW_RECORDING_H

#include "cli/session.h"
#include "event/json.h"

/* A run as a folder, from which `bylaw replay` decides it again:
 *
 *   recording.json  which run it was: job, event, clock, repository, switches
 *   policy.pbc      the module
 *   event.json      the payload, when there was one
 *   world.json      the simulated repository, when a file gave it
 *   github.jsonl    each exchange with GitHub, a line each as it happened
 *   passed.jsonl    what was asked of the workflow and of the checkout
 *   redactions.jsonl  what redactions gave to the policy (redaction_tape.h)
 *   plan.json       what `bylaw run --json` says
 *
 * No file holds the token or the value of a secret that the policy declares: they are replaced
 * wherever they stand, also as JSON, addresses, hexadecimal digits and Base64 write them. What
 * the redactions of the policy find in the texts, or the shipped one without such, is masked.
 * Folder and files are their owner's alone. */

#define BL_RECORDING_FORMAT 2

struct bl_recording {
    struct bl_session *session;
    struct bl_arena *arena;
    bl_str folder;
    bool broken; /* a file could not be written; it was said */
    BL_VEC(bl_str) secrets;
    struct bl_recording_mask *mask; /* recording_mask.h; NULL: not yet */
    bool late;                      /* one of them became known after something was written */
    bool written;
};

/* Makes the folder, which must not hold a recording. False after a message. */
bool bl_recording_begin(struct bl_recording *recording, struct bl_session *session,
                        struct bl_arena *arena, bl_str folder);
/* A text that no file may hold. Short ones and plain words of JSON are no secrets. */
void bl_recording_hide(struct bl_recording *recording, bl_str secret);
/* From now on texts are masked by the redactions of the session's module. False after a
 * message: nothing may be recorded. */
bool bl_recording_mask(struct bl_recording *recording);
/* Writes a file; `plain` keeps its bytes as they are. */
void bl_recording_put(struct bl_recording *recording, const char *name, bl_str content,
                      bool plain);
/* Appends a line to a file. An empty line could not be made. */
void bl_recording_line(struct bl_recording *recording, const char *name, bl_str line);

/* Which run it was: recording.json. */
struct bl_recorded {
    bl_str world; /* "github", "file", "event": all that is known comes with the event */
    bl_str job;
    bl_str event_name; /* empty: there was no event */
    int64_t now;
    int64_t id_seed;
    bool dry;
    bool use_index;
    bl_str api_url, graphql_url, repository; /* of the world github */
    int64_t repository_id;
    uint32_t issue_fields; /* that lists bring along */
};
void bl_recording_manifest(struct bl_recording *recording, const struct bl_recorded *recorded);
/* False after a message. */
bool bl_recorded_read(struct bl_session *session, bl_str folder, struct bl_recorded *out);
/* The end: what was written before a secret was known is written anew without it. */
void bl_recording_end(struct bl_recording *recording);

/* Reads a file of a recording; false after a message. Missing ones are empty when `optional`.
 */
bool bl_recording_read(struct bl_session *session, bl_str folder, const char *name,
                       bool optional, bl_str *out);
/* The path of a file in it. */
bl_str bl_recording_path(struct bl_arena *arena, bl_str folder, const char *name);

#endif
