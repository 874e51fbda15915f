/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EVENT_PAYLOAD_H
#define BL_EVENT_PAYLOAD_H

#include "base/diagnostic.h"
#include "event/json.h"
#include "value/value.h"

/* Things of entities.def from the JSON that GitHub writes for them, in webhooks and in answers
 * of the REST API alike, by the rows of payloads.def. */

struct bl_payload_reader {
    struct bl_arena *arena;
    struct bl_diagnostics *sink; /* may be NULL */
    uint32_t source;             /* of diagnostics */
    bl_str repository;           /* owner/name of what is read */
    /* How things are made; NULL: bl_object_create. Worlds unify here. NULL is out of memory. */
    struct bl_object *(*make)(void *context, enum bl_entity entity, int64_t key, bl_str name);
    void *context;
    /* For inputs: the number of a task by its name, -1 for none. NULL: tasks stay unknown. */
    int (*task_index)(const void *context, bl_str name);
    const void *task_context;
};

enum bl_payload_kind {
    BL_PAYLOAD_INT,
    BL_PAYLOAD_BOOL,
    BL_PAYLOAD_TIME,
    BL_PAYLOAD_TEXT,
    BL_PAYLOAD_NAME,
    BL_PAYLOAD_USER,
    BL_PAYLOAD_AUTHOR,
    BL_PAYLOAD_USERS,
    BL_PAYLOAD_LABELS,
    BL_PAYLOAD_WORD,
    BL_PAYLOAD_PRESENT,
    BL_PAYLOAD_SHA,
    BL_PAYLOAD_SHA_MERGED,
    BL_PAYLOAD_REPO,
    BL_PAYLOAD_REF,
    BL_PAYLOAD_LINK_NEW_ISSUE,
    BL_PAYLOAD_LINK_SECURITY,
    BL_PAYLOAD_NUMBER_TEXT,
    BL_PAYLOAD_TASK_TEXT,
    BL_PAYLOAD_BOOL_TEXT,
};

struct bl_payload_row {
    enum bl_field field;
    bl_str path;
    enum bl_payload_kind kind;
    bool must;
};

/* Sets one field as its row says. False when the JSON is not what the row wants (a diagnostic
 * names the place) or out of memory. */
bool bl_payload_field(const struct bl_payload_reader *reader, const struct bl_json *holder,
                      const struct bl_payload_row *row, struct bl_object *object);

/* Sets what `json` says of an object: every row of its entity, and the repository. */
bool bl_payload_fill(const struct bl_payload_reader *reader, const struct bl_json *json,
                     struct bl_object *object);

/* Makes the thing that `json` is, by the row of its identity, and fills it. NULL as above. */
struct bl_object *bl_payload_thing(const struct bl_payload_reader *reader,
                                   const struct bl_json *json, enum bl_entity entity);

/* A user of the API; a null one is ghost. `association` is GitHub's spelling; NULL or a word
 * that we do not know leaves it unknown. NULL as above. */
struct bl_object *bl_payload_user(const struct bl_payload_reader *reader,
                                  const struct bl_json *json,
                                  const struct bl_json *association);

/* GitHub's spellings to ours: "FIRST_TIME_CONTRIBUTOR" is first_timer, "NONE" and "MANNEQUIN"
 * are nobody; false when GitHub never says that. */
bool bl_association_from(bl_str spelling, unsigned *member);
/* And back, one of them: for payloads that are written. */
bl_str bl_association_spelling(unsigned member);

/* JSON_MISSING for a path below a node, JSON_WRONG_TYPE for a node. Always false. */
bool bl_payload_missing(const struct bl_payload_reader *reader, const struct bl_json *holder,
                        bl_str path);
bool bl_payload_wrong(const struct bl_payload_reader *reader, const struct bl_json *node,
                      bl_str wanted);

#endif
