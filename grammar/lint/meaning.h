/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_MEANING_H
#define BL_LINT_MEANING_H

#include "lint/formula.h"

/* From typed expressions to terms and formulas. Defines, decisions, checks and actors are pure
 * and acyclic, so a call means its body with the arguments put in; what is larger than a cap,
 * or what the analysis does not look into, becomes a term that stands for itself. */

/* What a value is, by case: the conditions exclude each other and one of them holds. */
struct bl_cases {
    struct bl_case {
        const struct bl_formula *when;
        const struct bl_term *value;
    } * items;
    uint32_t count; /* 1 with ALWAYS: a plain term */
    uint32_t room;  /* 0: they belong to another, too */
};
#define BL_CASES_MAX 12u

struct bl_binding {
    const struct bl_symbol *symbol;
    struct bl_cases value;
};
struct bl_meaning_mark {
    size_t bindings;
    uint32_t names;
    const struct bl_term *ambients[BL_AMBIENT_COUNT];
};

/* What a setting stands for. */
enum bl_settings {
    BL_SETTINGS_OPEN,  /* anything that its bounds allow, since it is there to be changed */
    BL_SETTINGS_FIXED, /* what the program sets it to */
    BL_SETTINGS_ANY,   /* of what is remembered: none was looked at */
};

/* A call that was looked at. */
struct bl_remembered {
    uint64_t hash;
    const struct bl_symbol *symbol;
    const struct bl_term **arguments;
    const struct bl_term *ambients[BL_AMBIENT_COUNT]; /* NULL: the name itself */
    enum bl_settings settings;
    struct bl_cases cases;
};

struct bl_known_condition {
    const struct bl_node *node;
    uint32_t names;
    enum bl_settings settings;
    const struct bl_formula *formula;
};

struct bl_meaning {
    struct bl_arena *arena;
    struct bl_program *program;
    struct bl_terms terms;
    struct bl_formulas formulas;
    enum bl_settings settings; /* never ANY */
    size_t settings_read;      /* how often one was looked at */
    BL_VEC(struct bl_binding) bindings;
    const struct bl_term *ambients[BL_AMBIENT_COUNT];
    uint32_t names, newest_names; /* what names stand for, as a number: equal, equal meaning */
    uint32_t bound_depth;
    uint32_t call_depth;
    size_t work, max_work; /* nodes looked at for one question */
    BL_VEC(struct bl_remembered) remembered;
    uint32_t *remembered_slots;
    size_t remembered_slot_count;
    struct bl_known_condition *known; /* conditions that were asked before; open hash */
    size_t known_count, known_slots;
    uint32_t *label_slots; /* labels of the program by their name in GitHub; open hash */
    size_t label_slot_count;
};

/* False when out of memory. */
bool bl_meaning_init(struct bl_meaning *m, struct bl_arena *arena, struct bl_program *program);

const struct bl_formula *bl_meaning_condition(struct bl_meaning *m, const struct bl_node *node);
struct bl_cases bl_meaning_cases(struct bl_meaning *m, const struct bl_node *node);
/* The value as one term; one that has cases stands for itself. */
const struct bl_term *bl_meaning_term(struct bl_meaning *m, const struct bl_node *node);

/* Names of a body: what they stand for until the mark is released. A local that is named as an
 * ambient stands for that, too. */
struct bl_meaning_mark bl_meaning_enter(const struct bl_meaning *m);
void bl_meaning_leave(struct bl_meaning *m, const struct bl_meaning_mark *mark);
void bl_meaning_bind(struct bl_meaning *m, const struct bl_symbol *symbol,
                     const struct bl_term *value);
/* A `let`: its value, or the symbol itself when that has too many cases. */
void bl_meaning_let(struct bl_meaning *m, const struct bl_statement *let);
/* The element of a loop or a parameter: stands for itself. */
void bl_meaning_stands_alone(struct bl_meaning *m, const struct bl_symbol *symbol);
/* What an ambient name means here. */
const struct bl_term *bl_meaning_ambient(struct bl_meaning *m, enum bl_ambient ambient);
/* The bounds of the settings that a formula asks about, while they may be anything. */
const struct bl_formula *bl_meaning_bounds(struct bl_meaning *m,
                                           const struct bl_symbol *setting);

/* The label of this name in GitHub, in any case; NULL when the policy declares none. */
const struct bl_symbol *bl_meaning_label(const struct bl_meaning *m, bl_str shown);

/* Both are there and equal. */
const struct bl_formula *bl_meaning_equal(struct bl_meaning *m, const struct bl_term *a,
                                          const struct bl_term *b);
/* A comment is of this kind, or a carried-out command of this family. */
const struct bl_formula *bl_meaning_is_one_of(struct bl_meaning *m,
                                              const struct bl_term *comment,
                                              const struct bl_symbol *kind);
/* It is one of these events. */
const struct bl_formula *bl_meaning_events(struct bl_meaning *m, uint64_t events);

#endif
