/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VALUE_VALUE_H
#define BL_VALUE_VALUE_H

#include "base/arena.h"
#include "base/buf.h"
#include "spec/tables.h"

/* Values of the machine: 16 bytes, immutable once shared, in the arena of the run or in the
 * module. The static types say everything; the tag serves traces, equality and tests. */

enum bl_value_tag {
    BL_V_ABSENT,
    BL_V_BOOL,     /* i: 0 or 1 */
    BL_V_INT,      /* i */
    BL_V_DURATION, /* i: seconds */
    BL_V_MONEY,    /* i: ten-thousandths of a US dollar */
    BL_V_PERCENT,  /* i: hundredths */
    BL_V_TIME,     /* i: seconds since 1970, UTC */
    BL_V_DATE,     /* i: days since 1970 */
    BL_V_ENUM,     /* i: member; aux: enumeration (bl_enum or the module's) */
    BL_V_TASK,     /* i: index in the module's table; so for LOCALE and COMMAND */
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
        const struct bl_posted *posted;
    } as;
};

/* A list grows only while the function that made it builds it. A list of the world may be known
 * in part: `more` brings the next page when an index behind `count` is asked for. */
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
    uint8_t entity;          /* enum bl_entity */
    uint32_t known;          /* bit n: fields[n] is set (it may be absent) */
    struct bl_value *fields; /* field_count of the entity, by bl_field_slot */
    int64_t key;  /* number or id: what makes two things the same thing, with `name` */
    bl_str name;  /* repository of an issue, login of a user, id of a commit … */
    void *handle; /* the world's own */
    const struct bl_posted *marker; /* of a comment: what its marker says, once looked at */
    bool marker_known;
};

/* An own comment with the attributes of its marker. */
struct bl_posted {
    struct bl_object *comment;
    uint16_t kind; /* index of the module's comment table */
    struct bl_value
        *attributes; /* as many as the kind declares; absent where the marker lacks one */
};

static inline struct bl_value bl_absent(void)
{
    return (struct bl_value){.tag = BL_V_ABSENT};
}
static inline struct bl_value bl_bool(bool b)
{
    return (struct bl_value){.tag = BL_V_BOOL, .as.i = b};
}
static inline struct bl_value bl_number(enum bl_value_tag tag, int64_t i)
{
    return (struct bl_value){.tag = (uint8_t)tag, .as.i = i};
}
static inline struct bl_value bl_int(int64_t i)
{
    return bl_number(BL_V_INT, i);
}
static inline struct bl_value bl_member_value(unsigned enumeration, unsigned member)
{
    return (struct bl_value){.tag = BL_V_ENUM, .aux = (uint16_t)enumeration, .as.i = member};
}
/* The bytes are not copied. Text above 4 GiB is cut there; limits.def's text_bytes is far
 * below. */
struct bl_value bl_text(bl_str s);
static inline bl_str bl_text_of(struct bl_value v)
{
    return v.tag == BL_V_TEXT ? (bl_str){v.as.ptr, v.len} : (bl_str){NULL, 0};
}
static inline bool bl_is_absent(struct bl_value v)
{
    return v.tag == BL_V_ABSENT;
}
/* The thing, or the comment of a posted comment, which may stand wherever a comment may; NULL
 * for other values. */
struct bl_object *bl_object_of(struct bl_value v);

/* The tag that values of a type have when they are there (a list type: BL_V_LIST). Types
 * without values, ERROR and NONE, give BL_V_ABSENT; the hidden register of a loop holds a
 * number. */
enum bl_value_tag bl_tag_of_type(bl_type type);
/* Does the value have the form that the type promises (deeply for lists, as far as they are
 * read; shallow for objects, records and posted comments)? For asserts in debug builds and for
 * hosts that build values. Every value has the type ERROR. */
bool bl_value_has_type(struct bl_value v, bl_type type);

/* Empty, complete list in the arena; NULL when out of memory. */
struct bl_list *bl_list_create(struct bl_arena *arena);
/* Appends to a list under construction, or from its `more`; BL_ERR_LIMIT above limits.def's
 * list_items, BL_ERR_NOMEM. The list stays as it was then. Amortised constant. */
BL_NODISCARD enum bl_status bl_list_push(struct bl_arena *arena, struct bl_list *list,
                                         struct bl_value item);
/* Item `index` into *out, fetching pages as needed. *end says whether the list has no such
 * item. Fails as `more` does; BL_ERR_INTERNAL when a page neither brought an item nor was the
 * last. */
BL_NODISCARD enum bl_status bl_list_at(struct bl_list *list, uint32_t index,
                                       struct bl_value *out, bool *end);
/* Fetches all pages. */
BL_NODISCARD enum bl_status bl_list_complete(struct bl_list *list);
struct bl_value bl_list_value(struct bl_list *list);

/* An object with no field known; NULL when out of memory, or when the entity is none of
 * objects. `name` is not copied. */
struct bl_object *bl_object_create(struct bl_arena *arena, enum bl_entity entity, int64_t key,
                                   bl_str name);
/* The key of a user: the association of the thing through which the user was reached, so that
 * one person may be several objects. 0: nobody knows it. */
static inline int64_t bl_user_key(unsigned association)
{
    return (int64_t)association + 1;
}
struct bl_value bl_object_value(struct bl_object *object);
/* Sets and marks as known. The field must belong to the object's entity: another one sets
 * nothing, is never known and always absent. */
void bl_object_set(struct bl_object *object, enum bl_field field, struct bl_value value);
bool bl_object_knows(const struct bl_object *object, enum bl_field field);
/* Absent when it is not known. */
struct bl_value bl_object_get(const struct bl_object *object, enum bl_field field);

/* Equality as policies mean it. `type` is the type of either side; it tells labels and
 * repository names, which compare without ASCII case, from other text: pass the one that is
 * such a type, and for lists the list type. Things are the same when entity, key and name are
 * (repository names without case), users when their logins are (without case); a thing without
 * key and name is the same as itself alone. Records and lists compare element by element, text
 * in records exactly; a list with pages still to come equals nothing. A posted comment equals
 * the comment. Absent equals nothing, not even absent. */
bool bl_value_equal(struct bl_value a, struct bl_value b, bl_type type);
/* Order of two values of one ordered type: negative, 0, positive. Both are there. */
int bl_value_order(struct bl_value a, struct bl_value b);

/* For traces, `--explain` and JSON dumps: a short reading of a value, always one line:
 * - none, true, 12, 15 days, $1.50, 20%, 2026-11-02, 2026-11-02T08:00:00Z, maintainer;
 * - "Crash": text is cut to 60 characters; control characters, characters that cannot be seen
 * and everything that could steer a terminal, a reader or a log are written as \u{85};
 * - [bug, "needs info", and 3 more]: at most 8 elements, texts like names without quotes;
 * - #12, alice, v1.2, comment 991: things by what people call them; (1, "a") a record.
 * `names` (may be NULL) knows the words of the module; without it numbers stand in their place.
 */
struct bl_value_names {
    const void *context;
    bl_str (*enum_member)(const void *context, unsigned enumeration, unsigned member);
    bl_str (*declared)(const void *context, enum bl_value_tag tag, unsigned index);
};
void bl_value_describe(struct bl_buf *out, struct bl_value v,
                       const struct bl_value_names *names);

/* A text of which bl_value_describe shows only a part? */
bool bl_value_is_shortened(struct bl_value v);
/* A text in its own lines, each behind `margin`: at most 200 lines of 400 characters, escaped
 * as above. */
void bl_value_describe_lines(struct bl_buf *out, struct bl_value v, bl_str margin);

#endif
