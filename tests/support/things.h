/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_THINGS_H
#define BL_TESTS_SUPPORT_THINGS_H

#include "base/arena.h"
#include "event/event.h"

/* For tests over events and worlds: files of the checkout, and values as short texts that a
 * table can hold. */

/* The bytes of a file of the checkout ("tests/events/push.json"). The test fails when it cannot
 * be read. */
bl_str read_file(struct bl_arena *arena, const char *path);

/* A value in words: text as it is, numbers, true, times as 2026-11-02T08:00:00Z, members by
 * their spelling, things by their name (with a number in front: "12 owner/name"), lists in
 * brackets, "none" for absent. */
bl_str value_words(struct bl_arena *arena, struct bl_value v);

/* The value behind a path of field names ("author.login") in words; "?" when a field is not
 * known, "no such field" when a name is wrong. */
bl_str field_words(struct bl_arena *arena, const struct bl_object *object, const char *path);

/* The same from one of an event's things: "issue.author.login", "event.at". "nothing" when the
 * event has no such thing. */
bl_str event_words(struct bl_arena *arena, const struct bl_event *event, const char *path);

#endif
