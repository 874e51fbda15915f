/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_LINT_LINTER_H
#define BL_LINT_LINTER_H

#include "lint/lint.h"

/* What the files of this room share. */

/* An effect of a rule and when it happens. */
struct bl_deed {
    const struct bl_symbol *rule;
    const struct bl_statement *statement;
    enum bl_effect effect;
    struct bl_span span;
    const struct bl_formula
        *guard;      /* events and conditions; settings as the program sets them */
    uint64_t events; /* on which it may happen; all for a step */
    /* What it is about and what it does with that: deeds with equal slot, target and what are
     * about one thing; they are equal when effect and value are, too. NULL: nothing. */
    unsigned slot; /* enum bl_deed_slot */
    const struct bl_term *target, *what, *value;
    bool many; /* of its kind there can be many on one thing: no two conflict */
    bool in_loop;
    uint32_t rule_number; /* of the rule among linter->rules */
    uint32_t position;    /* among the deeds of its rule */
    unsigned rank;        /* where it comes in a plan: the greatest order of the deeds so far */
    /* The literals of the guard that always hold, by term: to tell deeds apart without a
     * search. */
    const struct bl_literal **literals;
    uint32_t literal_count;
    bool pure; /* the guard is nothing else */
};
enum bl_deed_slot {
    BL_SLOT_DECLARED_LABEL,
    BL_SLOT_LABEL,
    BL_SLOT_STATE,
    BL_SLOT_MILESTONE,
    BL_SLOT_LOCK,
    BL_SLOT_COMMENT,
    BL_SLOT_ATTRIBUTE,
    BL_SLOT_REACTION,
    BL_SLOT_STATUS,
    BL_SLOT_ALERT,
    BL_SLOT_ROW,
    BL_SLOT_SUGGESTION,
    BL_SLOT_TASK,
    BL_SLOT_OUTPUT,
    BL_SLOT_LOG,
};

struct bl_linted_rule {
    const struct bl_symbol *symbol; /* RULE, STEP, LIFECYCLE, COMMAND */
    const struct bl_rule *rule;
    size_t first_deed, deed_count; /* in linter->deeds */
    bool own;                      /* of the root package */
};

struct bl_linter {
    struct bl_arena *arena;
    struct bl_program *program;
    const struct bl_lint_options *options;
    struct bl_diagnostics found;
    struct bl_meaning meaning;
    struct bl_solver solver;
    BL_VEC(struct bl_linted_rule) rules;
    BL_VEC(struct bl_deed) deeds;
    BL_VEC(const struct bl_node *) reported; /* nodes with a finding that explains others */
    BL_VEC(struct bl_shown) shown;           /* witnesses of findings */
    bool incomplete;
};
struct bl_shown {
    const struct bl_diagnostic *finding;
    struct bl_witness *witness;
};

/* A finding with the severity of the table; never NULL. */
struct bl_diagnostic *bl_lint_report(struct bl_linter *l, enum bl_diagnostic_code code,
                                     struct bl_span span);
void bl_lint_text(struct bl_linter *l, struct bl_diagnostic *d, const char *name, bl_str value);
/* The source of a node on one line, cut at 60 bytes. */
bl_str bl_lint_source(struct bl_linter *l, struct bl_span span);
bl_str bl_lint_words(struct bl_linter *l, const char *format, ...) BL_PRINTF(2, 3);
/* What runs of a rule, a step, a lifecycle or a command; NULL of others. */
const struct bl_rule *bl_lint_rule_of(const struct bl_symbol *symbol);
/* Is the symbol declared in the root package, outside of tests? */
/* What has a body that is typed to its end: itself, of a define or check that waits for an
 * answer its first instance, or NULL. */
const struct bl_symbol *bl_lint_whole(const struct bl_symbol *symbol);
bool bl_lint_is_own(const struct bl_symbol *symbol);
void bl_lint_mark_reported(struct bl_linter *l, const struct bl_node *node);
bool bl_lint_was_reported(const struct bl_linter *l, const struct bl_node *node);
/* "'issues.opened'" */
bl_str bl_event_words(struct bl_linter *l, enum bl_event_id event);

/* deeds.c: rules, steps and what they do. */
void bl_lint_collect_deeds(struct bl_linter *l);
/* The words for people: "add the label bug". */
bl_str bl_deed_words(struct bl_linter *l, const struct bl_deed *deed);
/* What holds of the deed's thing once it is done, as a formula; ALWAYS when nothing is known.
 */
const struct bl_formula *bl_deed_after(struct bl_linter *l, const struct bl_deed *deed);
/* The guard as it is once the deed is done: its literals about what the deed changes. */
const struct bl_formula *bl_deed_guard_after(struct bl_linter *l,
                                             const struct bl_formula *guard,
                                             const struct bl_deed *deed);

/* reruns.c: the events that GitHub sends when the deed is done, as bits; and the deed of the
 * rule that such an event would bring about, NULL when none. Those that would find their work
 * done come last. */
uint64_t bl_lint_brought_events(const struct bl_deed *deed);
const struct bl_deed *bl_lint_started_by(struct bl_linter *l, const struct bl_linted_rule *rule,
                                         const struct bl_deed *deed, enum bl_event_id event);

/* stated.c: the next length of time or percentage in words for people, from *at on. */
struct bl_stated {
    bl_str words;
    enum bl_node_kind kind; /* DURATION, PERCENT */
    int64_t number;
};
bool bl_lint_next_stated(bl_str text, size_t *at, struct bl_stated *out);
/* Does a letter or a digit of ASCII stand there? */
bool bl_lint_is_word(bl_str text, size_t at);

/* said_commands.c: which commands the texts of tests say. A text that only a run knows may say
 * any. Takes (words of the texts * log commands). NULL when out of memory. */
struct bl_said_commands *bl_said_commands_begin(struct bl_linter *l);
/* Takes the texts of a test in; do they address any family? */
bool bl_said_commands_look(struct bl_said_commands *said, const struct bl_test *test);
/* Of the texts so far. */
bool bl_said_commands_reach(const struct bl_said_commands *said,
                            const struct bl_symbol *command);

/* suppressions.c: takes out of `found` what comments silence, and adds what is wrong with them.
 */
void bl_lint_suppress(struct bl_linter *l);

/* The functions of lint.def. */
void bl_lint_unused(struct bl_linter *l);
void bl_lint_unanswered(struct bl_linter *l);
void bl_lint_locals(struct bl_linter *l);
void bl_lint_conditions(struct bl_linter *l);
void bl_lint_spelling(struct bl_linter *l);
void bl_lint_patterns(struct bl_linter *l);
void bl_lint_pattern_shape(struct bl_linter *l);
void bl_lint_scripts(struct bl_linter *l);
void bl_lint_shadows(struct bl_linter *l);
void bl_lint_numbers(struct bl_linter *l);
void bl_lint_loops(struct bl_linter *l);
void bl_lint_pairs(struct bl_linter *l);
void bl_lint_reruns(struct bl_linter *l);
void bl_lint_repeats(struct bl_linter *l);
void bl_lint_translations(struct bl_linter *l);
void bl_lint_plurals(struct bl_linter *l);
void bl_lint_said_numbers(struct bl_linter *l);
void bl_lint_unindexed(struct bl_linter *l);
void bl_lint_permissions(struct bl_linter *l);
void bl_lint_workflows(struct bl_linter *l);
void bl_lint_engine_jobs(struct bl_linter *l);
void bl_lint_remarks(struct bl_linter *l);
void bl_lint_tests(struct bl_linter *l);

/* walk.c: every expression and every list of statements of the root package. `where` is the
 * declaration that it stands in. */
struct bl_lint_visitor {
    void *context;
    /* May be NULL. */
    void (*expression)(void *context, const struct bl_symbol *where,
                       const struct bl_node *node);
    void (*statements)(void *context, const struct bl_symbol *where,
                       const struct bl_statement *list);
};
void bl_lint_visit(struct bl_linter *l, const struct bl_lint_visitor *visitor);
/* Every node of the files of the root package as the parser made them: also what no expression
 * of the program holds, as the patterns of secrets, and what tests say. */
void bl_lint_visit_source(struct bl_linter *l,
                          void (*look)(void *context, const struct bl_node *node),
                          void *context);

#endif
