/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_TAPE_H
#define BL_WORLD_GITHUB_GITHUB_TAPE_H

#include "world/github/github_wire.h"

/* Recordings: exchanges as lines of JSON, written by a transport around another one, and played
 * by a transport that has no other. Private to this room.
 *
 * A line is {"at": seconds, "method", "url", "body", "etag", "wire", "status", "json", "link",
 * "location", "etag_back", "accepted", "retry_after", "remaining", "reset", "answer"}.
 * Bytes of an answer that are no text are replaced. A run that was told to stop has
 * {"at": seconds, "stop": true} for its last. */

/* Tells `options->record` of each exchange of `inner`. False when out of memory. */
bool bl_github_recorder(struct bl_arena *arena, const struct bl_github_options *options,
                        const struct bl_github_transport *inner,
                        struct bl_github_transport *out);

/* The line of a run that was told to stop, when somebody records. */
void bl_github_record_stop(struct bl_arena *arena, const struct bl_github_options *options);

struct bl_github_player;
/* Answers from the lines, in their order. NULL when out of memory. */
struct bl_github_player *bl_github_player_create(struct bl_arena *arena, bl_str lines);
struct bl_github_transport bl_github_player_transport(struct bl_github_player *player);
/* The clock of the recording: the moment of the next exchange. Waiting takes no time. */
struct bl_github_clock bl_github_player_clock(struct bl_github_player *player);
struct bl_github_stop bl_github_player_stop(struct bl_github_player *player);
bl_str bl_github_player_difference(const struct bl_github_player *player);

#endif
