/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_EMIT_LOWERING_H
#define BL_EMIT_LOWERING_H

#include "emit/emit.h"

/* What the files of this room share. Functions are made when something first needs them, so
 * callees get lower indices than their callers; declarations of types likewise. */

struct bl_emitter {
    struct bl_arena *arena;
    struct bl_program *program;
    struct bl_builder *b;
    struct bl_diagnostics *sink;
    struct bl_span over;  /* the statement with which a limit was passed */
    uint32_t code_serial; /* numbers functions, so that a local knows whose register it has */
    uint32_t *enums;      /* program's number -> module's, BL_NONE until needed */
    uint32_t *records;
    bl_type *posted;
    struct bl_sought_plan *sought; /* what sets of patterns seek; NULL before rules */
    const struct bl_workflow_files *workflows; /* NULL until a test asks for one */
    struct bl_judges *judges;                  /* of each family of commands, by its number */
};

/* The functions of a family of commands; BL_NONE until they are needed. */
struct bl_judges {
    uint32_t
        given; /* () : untrusted?   the word of the event's comment, when it is a command's */
    uint32_t judged; /* () : verdict?     about the event's comment; absent: it is no command */
    uint32_t is;     /* (comment) : bool  is it a command that was carried out? */
};

/* A function under construction. */
struct bl_body {
    struct bl_emitter *e;
    struct bl_code *code;
    uint32_t serial;
    struct bl_span span; /* of the statement in hand */
    bool may_fire;       /* a rule before its FIRED */
    unsigned not_fired;  /* RULE: where a false condition goes */
};

/* ---- declare.c: tables of the module -------------------------------------------------------
 */

void bl_emit_tables(struct bl_emitter *e);
/* The module's number of a type: refs of enumerations, records and posted kinds differ. */
bl_type bl_emit_type(struct bl_emitter *e, bl_type type);
/* As policies write a pattern, /crash/i: what explanations show. */
bl_str bl_emit_pattern_source(struct bl_emitter *e, bl_str source, bl_str flags);
/* Functions, made at first use; index of FUNCTIONS. */
uint32_t bl_emit_callable(struct bl_emitter *e, struct bl_symbol *symbol);
/* Rows of checks: each ends the function with a verdict when it decides. */
void bl_lower_check(struct bl_body *body, struct bl_statement *s, void *context);
/* Ends the function with a verdict; `text` may be NULL. */
void bl_lower_verdict(struct bl_body *body, bool passes, bl_str rule, struct bl_node *text,
                      struct bl_span span);
uint32_t bl_emit_sanitizer(struct bl_emitter *e,
                           struct bl_symbol *symbol); /* index of FUNCTIONS */
uint32_t bl_emit_message(struct bl_emitter *e,
                         struct bl_symbol *symbol); /* index of MESSAGES */
uint32_t bl_emit_setting(struct bl_emitter *e,
                         struct bl_symbol *symbol); /* index of SETTINGS */
uint32_t bl_emit_outside(struct bl_emitter *e,
                         struct bl_symbol *symbol); /* index of VARIABLES */

/* ---- store.c */
void bl_emit_stores(struct bl_emitter *e);
void bl_emit_entries(struct bl_emitter *e);
unsigned bl_lower_stored(struct bl_body *body, struct bl_node *node);
void bl_lower_keep(struct bl_body *body, struct bl_statement *s);
/* A register for each field of a row of the store, at most 32; how many. */
size_t bl_row_types(struct bl_body *body, const struct bl_symbol *store, bl_type *types);
/* The row that the statement gives into those registers; the detail of its site. */
uint32_t bl_lower_row(struct bl_body *body, const struct bl_statement *s, struct bl_node *key,
                      unsigned first);

/* ---- function.c
 * ------------------------------------------------------------------------------ */

struct bl_body bl_body_begin(struct bl_emitter *e, bl_str name, enum bl_function_kind kind,
                             bl_type result, uint32_t job);
/* Parameters of the language become the first registers. */
void bl_body_params(struct bl_body *body, const struct bl_symbol_list *params);
uint32_t bl_body_end(struct bl_body *body);
void bl_body_local(struct bl_body *body, struct bl_symbol *local, unsigned reg);
unsigned bl_body_local_register(struct bl_body *body, const struct bl_symbol *local);
uint32_t bl_put(struct bl_body *body, enum bl_opcode op, unsigned a, unsigned b, uint32_t c,
                struct bl_span span);
/* Says that `what` came through the checks and has no lowering: nothing is written. */
void bl_emit_defect(struct bl_emitter *e, struct bl_span span, bl_str what);

/* Makes a local that is named as an ambient stand for it: save, bind; restore gives the old one
 * back. Does nothing where no BIND is needed. */
struct bl_rebound {
    enum bl_ambient ambient; /* BL_AMBIENT_COUNT: nothing was bound */
    unsigned saved;
};
struct bl_rebound bl_rebind(struct bl_body *body, const struct bl_symbol *local, unsigned reg);
void bl_rebind_restore(struct bl_body *body, const struct bl_rebound *rebound);

/* ---- expression.c, condition.c, loop.c, text.c
 * ------------------------------------------------- */

/* The register that holds the value; its type is bl_emit_type(node->type) or fits it. */
unsigned bl_lower(struct bl_body *body, struct bl_node *node);
/* The value in a register of exactly this (module) type; `none` and `[]` take it. */
unsigned bl_lower_as(struct bl_body *body, struct bl_node *node, bl_type type);
void bl_lower_into(struct bl_body *body, struct bl_node *node, unsigned reg);
/* Jumps to `target` when the condition is `when`, else goes on behind. */
void bl_lower_condition(struct bl_body *body, struct bl_node *node, bool when, unsigned target);
/* By kind of node; `node->declared` is the type that they give. */
unsigned bl_typed_register(struct bl_body *body, const struct bl_node *node);
unsigned bl_lower_comparison(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_arithmetic(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_is(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_if(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_else(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_boolean(struct bl_body *body, struct bl_node *node);
/* A builtin on values that registers hold. */
unsigned bl_lower_builtin(struct bl_body *body, enum bl_builtin builtin, bl_type result,
                          const unsigned *args, size_t count, struct bl_span span);
unsigned bl_lower_field(struct bl_body *body, unsigned object, enum bl_field field,
                        struct bl_span span);
/* `comment is F`. */
unsigned bl_lower_is_command(struct bl_body *body, struct bl_node *node);
/* In a test: the declared jobs, and the file of a workflow. */
unsigned bl_lower_jobs(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_generated(struct bl_body *body, struct bl_node *node);
/* attempt(list): empty when it cannot be read. */
unsigned bl_lower_attempt(struct bl_body *body, struct bl_node *node);
/* A call of the define, decision, check or actor that the node's symbol is. */
unsigned bl_lower_call(struct bl_body *body, struct bl_node *node, struct bl_node **kids,
                       size_t count);
unsigned bl_lower_loop(struct bl_body *body, struct bl_node *node);
/* A list that is gone through for those elements for which the condition (or NULL) holds, into
 * a register: where the world can leave out others, it does. */
void bl_lower_filtered(struct bl_body *body, struct bl_node *list, struct bl_node *condition,
                       const struct bl_symbol *element, unsigned reg);
/* A text with its placeholders rendered for `place`. */
unsigned bl_lower_text(struct bl_body *body, struct bl_node *node, enum bl_place place);
/* A value rendered for a place, as placeholders are. */
unsigned bl_lower_rendered(struct bl_body *body, struct bl_node *node, enum bl_place place);
/* A call of the sanitizer that the node's symbol is. */
unsigned bl_lower_cleaner(struct bl_body *body, struct bl_node *node);
unsigned bl_lower_message(struct bl_body *body, struct bl_node *call);
/* A comment, present or not, as one of ours of these kinds: an optional register. */
unsigned bl_lower_as_posted(struct bl_body *body, unsigned comment, bl_type kinds,
                            struct bl_span span);
/* Arguments in consecutive registers of the parameters' types. */
unsigned bl_lower_arguments(struct bl_body *body, struct bl_node **kids, size_t count,
                            const struct bl_symbol_list *params);

unsigned bl_const_text(struct bl_body *body, bl_type type, bl_str text, struct bl_span span);
unsigned bl_const_number(struct bl_body *body, bl_type type, int64_t value,
                         struct bl_span span);
unsigned bl_ambient_register(struct bl_body *body, enum bl_ambient ambient,
                             struct bl_span span);

/* ---- statement.c, effect.c, document.c, test.c
 * --------------------------------------------------- */

void bl_lower_effect(struct bl_body *body, struct bl_statement *s);
void bl_lower_list(struct bl_body *body, struct bl_statement *list,
                   void (*one)(struct bl_body *, struct bl_statement *, void *), void *context);
/* One step of a test; `detail` as steps.def says. */
void bl_lower_step(struct bl_body *body, const struct bl_statement *s, unsigned step,
                   uint32_t detail, unsigned first, size_t count);
/* EXPECT and its like; false when the statement is none of these. */
bool bl_lower_expectation(struct bl_body *body, struct bl_statement *s);
/* LET, WHEN, FOR as every list has them; false when the statement is none of these. */
bool bl_lower_flow(struct bl_body *body, struct bl_statement *s,
                   void (*one)(struct bl_body *, struct bl_statement *, void *), void *context);
/* The answer that a step `TASK answers N { … }` gives. */
void bl_lower_answer(struct bl_body *body, struct bl_statement *s, unsigned reg);
uint32_t bl_emit_document(struct bl_emitter *e, struct bl_symbol *symbol);
/* The rows of FILES; `emit` of a symbol is its row. */
void bl_emit_files(struct bl_emitter *e);
/* A report as the function of a step of the job: it writes into the summary. */
uint32_t bl_emit_report(struct bl_emitter *e, const struct bl_symbol *symbol, uint32_t job);
uint32_t bl_emit_site(struct bl_emitter *e, uint32_t kind, uint32_t detail,
                      struct bl_span span);

/* ---- entries: rule.c, command.c, sweep.c, lifecycle.c, test.c, access.c
 * ---------------------------------------------------- */

void bl_emit_tasks(struct bl_emitter *e);
void bl_emit_jobs(struct bl_emitter *e);
/* job_step.c: the rows of JOB_STEPS, behind the entries of checks; and the parameters of a
 * function of a job, for what the jobs before it gave. */
void bl_emit_job_steps(struct bl_emitter *e);
void bl_lower_given(struct bl_body *body, const struct bl_job *job);
void bl_emit_rules(struct bl_emitter *e);
void bl_emit_commands(struct bl_emitter *e);
void bl_emit_sweeps(struct bl_emitter *e);
/* The rows of a lifecycle for one thing; falls out behind them. */
void bl_lower_lifecycle(struct bl_body *body, struct bl_statement *rows, struct bl_span span);
void bl_emit_questions(struct bl_emitter *e); /* decisions, checks, defines that can be tried */
void bl_emit_tests(struct bl_emitter *e);
/* Finds the one fact that each rule needs, and makes a set of patterns for each text field;
 * before the rules are lowered. */
void bl_emit_plan_access(struct bl_emitter *e, struct bl_symbol **rules, size_t count);
/* The row of SOUGHT that answers the comparison; BL_NONE when no set does. */
uint32_t bl_emit_sought(const struct bl_emitter *e, const struct bl_node *node);
/* The rows by which the runtime finds the same rules, once they are lowered. */
void bl_emit_access(struct bl_emitter *e, struct bl_symbol **rules, size_t count);

/* Index of SECRETS, made when it is first needed. */
uint32_t bl_emit_secrets(struct bl_emitter *e, struct bl_symbol *symbol);
/* A call of a view. */
unsigned bl_lower_view(struct bl_body *body, struct bl_node *node);
/* A call of a redaction, or of what it finds. */
unsigned bl_lower_redaction(struct bl_body *body, enum bl_builtin builtin, struct bl_node *node,
                            const struct bl_symbol *redaction);
/* All sets of secrets and redactions. */
void bl_emit_redactions(struct bl_emitter *e);

/* A row of ENTRIES that has a name and a place, and nothing else yet. */
struct bl_entry bl_emit_entry(struct bl_emitter *e, enum bl_entry_kind kind, bl_str name,
                              struct bl_span at);
/* Index of JOBS; BL_NONE for NULL. */
uint32_t bl_emit_job(const struct bl_symbol *job);

#endif
