/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VALUE_VALUE_H
#define BL_VALUE_VALUE_H

#include "base/arena.h"
#include "base/buf.h"
#include "spec/tables.h"

/* Values of the machine: 16 bytes, immutable once shared, in the arena of the run or in the module.
 * The static types say everything; the tag serves traces, equality and tests. */

enum bl_value_tag {
    BL_V_ABSENT,
    BL_V_BOOL,    /* i: 0 or 1 */
    BL_V_INT,     /* i; also duration (seconds), money (1/10000 $), percent (1/100) by their type */
    BL_V_DURATION,
    BL_V_MONEY,
    BL_V_PERCENT,
    BL_V_TIME,    /* i: seconds since 1970, UTC */
    BL_V_DATE,    /* i: days since 1970 */
    BL_V_ENUM,    /* i: member; aux: enumeration (bl_enum or the module's) */
    BL_V_TASK,    /* i: index in the module's table; so for LOCALE and COMMAND */
    BL_V_LOCALE,
    BL_V_COMMAND,
    BL_V_TEXT,    /* ptr, len: every text-like type, names, labels, paths, links included */
    BL_V_PATTERN, /* i: index in the module's table */
    BL_V_LIST,    /* list */
    BL_V_OBJECT,  /* object: a thing of entities.def */
    BL_V_RECORD,  /* fields: of a declared record; aux: record; len: how many */
    BL_V_POSTED,  /* posted */
};

struct bl_list;
struct bl_object;
struct bl_posted;

struct bl_value {
    uint8_t tag; /* enum bl_value_tag */
    uint8_t unused;
    uint16_t aux;
    uint32_t len;
    union {
        int64_t i;
        const char *ptr;
        struct bl_list *list;
        struct bl_object *object;
        const struct bl_value *fields;
        struct bl_posted *posted;
    } as;
};

/* A list grows only while the function that made it builds it. A list of the world may be known in
 * part: `more` brings the next page when an index behind `count` is asked for. */
struct bl_list {
    struct bl_value *items;
    uint32_t count;
    uint32_t capacity;
    bool complete; /* no further page */
    /* Appends at least one item or sets complete. Fails like every read: BL_ERR_READ. */
    enum bl_status (*more)(struct bl_list *list, void *context);
    void *context;
};

/* A thing of GitHub. Fields that are not known yet are read by the machine through the world
 * (world/world.h), never here. */
struct bl_object {
    uint8_t entity; /* enum bl_entity */
    uint32_t known; /* bit n: fields[n] is set (it may be absent) */
    struct bl_value *fields; /* field_count of the entity */
    int64_t key;             /* number or id: what makes two things the same thing, with `name` */
    bl_str name;             /* repository of an issue, login of a user, id of a commit … */
    void *handle;            /* the world's own */
    const struct bl_posted *marker; /* of a comment: what its marker says, once looked at */
    bool marker_known;
};

/* An own comment with the attributes of its marker. */
struct bl_posted {
    struct bl_object *comment;
    uint16_t kind; /* index of the module's comment table */
    struct bl_value *attributes; /* as many as the kind declares; absent where the marker lacks one */
};

static inline struct bl_value bl_absent(void) { return (struct bl_value){.tag = BL_V_ABSENT}; }
static inline struct bl_value bl_bool(bool b)
{
    return (struct bl_value){.tag = BL_V_BOOL, .as.i = b};
}
static inline struct bl_value bl_number(enum bl_value_tag tag, int64_t i)
{
    return (struct bl_value){.tag = (uint8_t)tag, .as.i = i};
}
static inline struct bl_value bl_int(int64_t i) { return bl_number(BL_V_INT, i); }
static inline struct bl_value bl_member_value(unsigned enumeration, unsigned member)
{
    return (struct bl_value){.tag = BL_V_ENUM, .aux = (uint16_t)enumeration, .as.i = member};
}
/* The bytes are not copied. */
struct bl_value bl_text(bl_str s);
static inline bl_str bl_text_of(struct bl_value v)
{
    return v.tag == BL_V_TEXT ? (bl_str){v.as.ptr, v.len} : (bl_str){NULL, 0};
}
static inline bool bl_is_absent(struct bl_value v) { return v.tag == BL_V_ABSENT; }

/* The tag that values of a type have (a list type: BL_V_LIST). */
enum bl_value_tag bl_tag_of_type(bl_type type);
/* Does the value have the form that the type promises (deeply for lists, shallow for objects)? For
 * asserts in debug builds and for hosts that build values. */
bool bl_value_has_type(struct bl_value v, bl_type type);

/* Empty, complete list in the arena; NULL when out of memory. */
struct bl_list *bl_list_create(struct bl_arena *arena);
/* Appends to a list under construction; BL_ERR_LIMIT above limits.def's list_items. */
BL_NODISCARD enum bl_status bl_list_push(struct bl_arena *arena, struct bl_list *list,
                                         struct bl_value item);
/* Item `index` into *out, fetching pages as needed. *end is set when the list has no such item. */
BL_NODISCARD enum bl_status bl_list_at(struct bl_list *list, uint32_t index, struct bl_value *out,
                                       bool *end);
/* Fetches all pages. */
BL_NODISCARD enum bl_status bl_list_complete(struct bl_list *list);
struct bl_value bl_list_value(struct bl_list *list);

/* An object with no field known; NULL when out of memory. `name` is not copied. */
struct bl_object *bl_object_create(struct bl_arena *arena, enum bl_entity entity, int64_t key,
                                   bl_str name);
struct bl_value bl_object_value(struct bl_object *object);
/* Sets and marks as known. The field must belong to the object's entity. */
void bl_object_set(struct bl_object *object, enum bl_field field, struct bl_value value);
bool bl_object_knows(const struct bl_object *object, enum bl_field field);
/* Absent when it is not known. */
struct bl_value bl_object_get(const struct bl_object *object, enum bl_field field);

/* Equality as policies mean it. Labels, logins and repository names compare without ASCII case
 * (`type` tells them from other text); users by login; things by entity, key and name; records and
 * lists element by element; a posted comment equals the comment. Absent equals nothing, not even
 * absent. */
bool bl_value_equal(struct bl_value a, struct bl_value b, bl_type type);
/* Order of two values of one ordered type: negative, 0, positive. */
int bl_value_order(struct bl_value a, struct bl_value b);

/* For traces, `--explain` and JSON dumps: a short reading of a value ("#12", "\"Crash\"",
 * 2026-11-02T08:00:00Z, 15 days, [bug, stale]). Text is cut to 60 characters, control characters
 * and everything that could steer a terminal or a log is escaped. `names` may be NULL. */
struct bl_value_names {
    const void *context;
    bl_str (*enum_member)(const void *context, unsigned enumeration, unsigned member);
    bl_str (*declared)(const void *context, enum bl_value_tag tag, unsigned index);
};
void bl_value_describe(struct bl_buf *out, struct bl_value v, const struct bl_value_names *names);

#endif
