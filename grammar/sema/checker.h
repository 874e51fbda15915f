/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_CHECKER_H
#define BL_SEMA_CHECKER_H

#include "sema/sema.h"
#include "text/pattern.h"

/* What the files of this room share. Nothing here is for others. */

#define BL_NO_TYPE         ((bl_type)BL_TYPE_ERROR) /* as a wanted type: nothing is asked for */
#define BL_ENTITY_TYPE(id) BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_##id)
#define BL_ALL_EVENTS      ((UINT64_C(1) << BL_EVENT_COUNT) - 1)

/* A name in scope inside a body. */
struct bl_scoped {
    struct bl_symbol *symbol;
    struct bl_scoped *next;
    struct bl_scoped *behind; /* brought before it, in its bucket */
    unsigned depth;           /* of the block that it stands in */
};

/* What a guard made known: the expression is set, or a comment of some kinds. */
struct bl_known {
    const struct bl_node *node;
    uint64_t hash;
    bl_type type;                                /* what it is known to be */
    struct bl_symbol *rebound[BL_AMBIENT_COUNT]; /* what its calls may read, at that time */
};
struct bl_known_mark {
    size_t count;
    uint64_t events;
};

#define BL_LOCAL_BUCKETS 64u /* a power of two */

/* The body at hand: of a define, a rule, a comment … */
struct bl_body {
    struct bl_body *outer;    /* whose typing waits for this one */
    struct bl_symbol *symbol; /* NULL: of a test or a package */
    struct bl_package *package;
    struct bl_scoped *locals;
    struct bl_scoped *named[BL_LOCAL_BUCKETS]; /* the same, by the hash of the name */
    unsigned depth;
    BL_VEC(struct bl_known) known;
    uint64_t events;     /* on which control may be here */
    enum bl_place place; /* for which texts are made; BL_PLACE_COUNT: none */
    struct bl_symbol *rebound[BL_AMBIENT_COUNT];
    struct bl_need_list *needs; /* NULL: nothing is recorded */
    bool in_test, in_expectation;
    bool words;          /* bare words may be names: rules of checks, cases of tests */
    bool ambients_given; /* by the construct: no needs */
    uint32_t brings;     /* BL_AMBIENT_BITs that the construct brings beside its events */
    bool reads;
    struct bl_node *first_read;
    bl_type answer;               /* of `answer`; ERROR: there is none */
    bl_type gives;                /* what `give` must fit; ERROR: anything */
    bl_type given;                /* what it gave */
    enum bl_ambient about;        /* of a job that says it; BL_AMBIENT_COUNT */
    unsigned loops;               /* how deep they nest here */
    unsigned calls;               /* how deep calls nest below */
    uint32_t capabilities;        /* of its effects */
    const struct bl_clause *list; /* the rows of a `for each` in hand */
    bool top;                     /* directly in a rule: a `when` may stand without a block */
};

struct bl_names; /* a table of names, scope.c */
struct bl_scope {
    struct bl_names *spaces[BL_SPACE_LOCALS];
};

/* Names that should differ, of a record or a list of words: begins as zero. */
struct bl_name_set {
    bl_str *slots;
    size_t capacity, count;
};

struct bl_checker {
    struct bl_arena *arena;
    struct bl_program *program;
    struct bl_sources *sources;
    struct bl_diagnostics *sink;
    const struct bl_loader *loader;
    const struct bl_sema_options *options;
    struct bl_body *body;
    unsigned depth;            /* of bodies that wait for each other */
    unsigned height;           /* of their trees together: what our own stack holds */
    struct bl_name_set broken; /* whose declarations could not be read, and are told of */
    bool broken_job;           /* one of them is a job */
};

/* ---- broken_heads.c: after an error, what the files declare by the look of it and nobody
 * knows
 * ----------------------------------------------------------------------------------- */
void bl_sema_note_broken(struct bl_checker *c);
/* declare.c: does the word that the text begins with declare a name? */
bool bl_sema_declares(bl_str text);
/* Does such a name stand there? */
bool bl_sema_is_broken(struct bl_checker *c, struct bl_span span);

/* ---- checker.c: messages, bodies
 * ------------------------------------------------------------- */
struct bl_diagnostic *bl_sema_error(struct bl_checker *c, enum bl_diagnostic_code code,
                                    struct bl_span span);
void bl_sema_arg(struct bl_checker *c, struct bl_diagnostic *d, const char *name, bl_str value);
/* The table has a row that nothing here knows. */
void bl_sema_defect(struct bl_checker *c, const struct bl_clause *clause);
void bl_sema_arg_type(struct bl_checker *c, struct bl_diagnostic *d, const char *name,
                      bl_type type);
/* The source text of a node, on one line, cut to 60 bytes. */
void bl_sema_arg_node(struct bl_checker *c, struct bl_diagnostic *d, const char *name,
                      const struct bl_node *node);
void bl_sema_help(struct bl_checker *c, struct bl_diagnostic *d, const char *format, ...)
    BL_PRINTF(3, 4);
/* What helps where a label was given as a text; what helps where quotes are too much, and then
 * true. */
void bl_sema_help_label(struct bl_checker *c, struct bl_diagnostic *d, struct bl_node *node);
bool bl_sema_help_unquoted(struct bl_checker *c, struct bl_diagnostic *d,
                           const struct bl_node *node, bl_type want);
bl_str bl_sema_text(struct bl_checker *c, const char *format, ...) BL_PRINTF(2, 3);
bl_str bl_sema_source(struct bl_checker *c, struct bl_span span);
void bl_sema_body_begin(struct bl_checker *c, struct bl_body *body, struct bl_symbol *symbol);
void bl_sema_body_end(struct bl_checker *c);
/* A body that another one waits for. False when too many wait: then it is left alone. */
bool bl_sema_nest(struct bl_checker *c, const struct bl_symbol *symbol);
void bl_sema_unnest(struct bl_checker *c, const struct bl_symbol *symbol);

/* ---- instances.c, tasks.c: what says `answer`
 * ------------------------------------------------- */
/* May say `answer` without knowing of which task. */
static inline bool bl_is_generic(enum bl_symbol_kind kind)
{
    return kind == BL_SYMBOL_DEFINE || kind == BL_SYMBOL_DECISION || kind == BL_SYMBOL_CHECK;
}
/* A copy of the declaration with a meaning of its own for this answer, signed and not typed
 * yet; the same one for the same answer. */
struct bl_symbol *bl_sema_instance(struct bl_checker *c, struct bl_symbol *original,
                                   bl_type answer);
/* The body at hand names the answer of a task, or uses what does. */
void bl_sema_says_answer(struct bl_checker *c);
/* Whether what uses something that says `answer` has one; reports it when not. */
bool bl_sema_has_answer(struct bl_checker *c, const struct bl_node *use,
                        const struct bl_symbol *used);
void bl_sema_tasks(struct bl_checker *c);
/* answer_parts.c: the parts of an answer that a test gives. */
struct bl_pair *bl_sema_answer_pairs(struct bl_checker *c, struct bl_clause *clauses,
                                     uint32_t record);
/* A CHECK statement: the verdict of another check is this one's when it refuses. */
struct bl_statement *bl_sema_check_call(struct bl_checker *c, struct bl_clause *clause,
                                        struct bl_node *call);

/* ---- scope.c: names
 * ------------------------------------------------------------------------------ */
bool bl_scope_create(struct bl_checker *c);
enum bl_space bl_symbol_space(enum bl_symbol_kind kind);
struct bl_symbol *bl_scope_find(const struct bl_checker *c, enum bl_space space, bl_str name);
/* False when the name is taken in the space of the symbol; then *taken is who has it. */
bool bl_scope_add(struct bl_checker *c, struct bl_symbol *symbol, struct bl_symbol **taken);
/* A local of the body at hand; reports a second one of the same block. */
struct bl_symbol *bl_scope_local(struct bl_checker *c, enum bl_local_kind kind,
                                 const struct bl_node *name_node, bl_str name, bl_type type,
                                 struct bl_node *value);
void bl_scope_bring(struct bl_checker *c, struct bl_symbol *local);
/* False when the name is in it already. Out of memory is said once, at the end. */
bool bl_name_set_add(struct bl_checker *c, struct bl_name_set *set, bl_str name);
bool bl_name_set_has(const struct bl_name_set *set, bl_str name);
struct bl_symbol *bl_scope_find_local(const struct bl_checker *c, bl_str name);
struct bl_scope_mark {
    struct bl_scoped *locals;
    struct bl_symbol *rebound[BL_AMBIENT_COUNT];
};
struct bl_scope_mark bl_scope_enter(struct bl_checker *c);
void bl_scope_leave(struct bl_checker *c, struct bl_scope_mark mark);

/* Names that are like another one. */
void bl_likeness_symbols(struct bl_checker *c, struct bl_likeness *likeness,
                         enum bl_symbol_kind kind);
/* Adds "Did you mean …" with a fix, else the list of those that there are when they are few. */
/* False when no file of the standard library declares the name. */
bool bl_sema_library_help(struct bl_checker *c, struct bl_diagnostic *d, bl_str name);
void bl_likeness_help(struct bl_checker *c, const struct bl_likeness *likeness,
                      struct bl_diagnostic *d, struct bl_span span);

/* ---- packages.c, declare.c, overrides.c
 * --------------------------------------------------------- */
void bl_sema_load(struct bl_checker *c, const bl_str *roots, size_t root_count);
bool bl_package_uses(const struct bl_package *package, const struct bl_package *used);
void bl_sema_declare(struct bl_checker *c);
/* The clauses of a program in order: calls `visit` for each at the top of a file. */
void bl_sema_each_clause(struct bl_checker *c,
                         void (*visit)(struct bl_checker *c, struct bl_file *file,
                                       struct bl_clause *clause));

/* ---- type_syntax.c, type_names.c
 * ---------------------------------------------------------------- */
/* The type that the elements spell; `fields` are the clauses of its block, if any. Reports. */
bl_type bl_sema_read_type(struct bl_checker *c, struct bl_node *const *nodes, uint32_t count,
                          struct bl_clause *fields, bl_str owner,
                          struct bl_field_declared *bounds);
/* Parameters of a declared name (a CALL node; a NAME has none). */
void bl_sema_read_params(struct bl_checker *c, struct bl_node *name,
                         struct bl_symbol_list *params);
uint32_t bl_sema_new_record(struct bl_checker *c, bl_str name, struct bl_symbol *symbol);
void bl_sema_read_fields(struct bl_checker *c, uint32_t record, struct bl_clause *fields);
bl_type bl_sema_enum_of(struct bl_checker *c, const bl_str *members, size_t count,
                        struct bl_symbol *symbol);
bl_type bl_sema_posted_type(struct bl_checker *c, struct bl_symbol *const *kinds, size_t count);
unsigned bl_sema_find_member(struct bl_checker *c, bl_type type,
                             bl_str name); /* UINT_MAX: none */
bl_str bl_sema_type_text(struct bl_checker *c, bl_type type);
/* bl_type_fits, with what no run knows yet. */
bool bl_sema_fits(bl_type from, bl_type to);
bl_type bl_sema_list_of(struct bl_checker *c, bl_type type, struct bl_span span);

/* ---- expressions
 * --------------------------------------------------------------------------------- */
/* Types the node where `want` is asked for (BL_NO_TYPE: anything), without holding it against
 * it. */
bl_type bl_sema_type(struct bl_checker *c, struct bl_node *node, bl_type want);
/* The same, and reports when it does not fit. */
bl_type bl_sema_expect(struct bl_checker *c, struct bl_node *node, bl_type want);
void bl_sema_mismatch(struct bl_checker *c, struct bl_node *node, bl_type want);
void bl_sema_condition(struct bl_checker *c, struct bl_node *node);
/* Gives `none` and `[]` the type that is asked for where they stand. */
void bl_sema_settle(struct bl_node *node, bl_type type);
bool bl_sema_is_absent_here(struct bl_checker *c, struct bl_node *node, bl_type type);
bl_type bl_sema_resolved(struct bl_node *node, enum bl_resolution resolution,
                         struct bl_symbol *symbol, uint32_t index, bl_type type);
bl_type bl_sema_name(struct bl_checker *c, struct bl_node *node, bl_type want);
/* Can the name mean something without a wanted type? */
bool bl_sema_name_stands_alone(struct bl_checker *c, const struct bl_node *node);
bl_type bl_sema_field(struct bl_checker *c, struct bl_node *node);
/* The field `name` of a type, annotated on `node`; ERROR and a message when there is none. */
bl_type bl_sema_member_of(struct bl_checker *c, struct bl_node *node, bl_type object);
bl_type bl_sema_call(struct bl_checker *c, struct bl_node *node, bl_type want);
struct bl_symbol *bl_sema_find_kind(struct bl_checker *c, struct bl_node *node,
                                    enum bl_symbol_kind kind);
void bl_sema_arguments(struct bl_checker *c, struct bl_node *node,
                       const struct bl_symbol_list *params);
bl_type bl_sema_call_symbol(struct bl_checker *c, struct bl_node *node,
                            struct bl_symbol *symbol);
bl_type bl_sema_compare(struct bl_checker *c, struct bl_node *node);
bl_type bl_sema_is(struct bl_checker *c, struct bl_node *node);
bl_type bl_sema_loop(struct bl_checker *c, struct bl_node *node, bl_type want);
bl_type bl_sema_string(struct bl_checker *c, struct bl_node *node);

/* ---- placed_texts.c, flow.c: places
 * ---------------------------------------------------------------------- */
/* Holds a text or a value against the place of the body. Its type there. */
bl_type bl_sema_put(struct bl_checker *c, struct bl_node *node, enum bl_place place);
/* A text literal that stands as it is: without placeholders. */
bl_str bl_sema_plain_text(struct bl_checker *c, struct bl_node *node);
void bl_sema_flow_error(struct bl_checker *c, struct bl_node *node, enum bl_place place);
/* Labels of the path on which untrusted text came to the node, its source first. */
void bl_sema_trace(struct bl_checker *c, struct bl_node *node, struct bl_diagnostic *d);
/* A type rendered for a place; with what no run knows yet. */
bl_type bl_sema_render(struct bl_checker *c, struct bl_node *node, bl_type type,
                       enum bl_place place);

/* ---- guards.c
 * -------------------------------------------------------------------------------- */
struct bl_known_mark bl_sema_mark(const struct bl_checker *c);
void bl_sema_forget(struct bl_checker *c, struct bl_known_mark mark);
void bl_sema_assume(struct bl_checker *c, struct bl_node *condition, bool holds);
/* What the node is known to be here; its declared type when nothing is known. */
bl_type bl_sema_narrowed(struct bl_checker *c, const struct bl_node *node, bl_type declared);
void bl_sema_know(struct bl_checker *c, const struct bl_node *node, bl_type type);

/* ---- needs.c: ambient names, event fields, targets
 * ---------------------------------------------------- */
void bl_sema_need_ambient(struct bl_checker *c, struct bl_node *use, enum bl_ambient ambient);
/* Own comments are of the account that the product names; reports when a run would have none.
 */
void bl_sema_need_account(struct bl_checker *c, struct bl_span use, bl_str name);
void bl_sema_need_field(struct bl_checker *c, struct bl_node *use, enum bl_field field);
void bl_sema_need_all(struct bl_checker *c, struct bl_node *use,
                      const struct bl_need_list *needs);
/* Which events bring the ambient; those that every run has: all. */
uint64_t bl_sema_bringers(enum bl_ambient ambient);
/* Reports what the events of a rule, a step or a test do not bring. */
void bl_sema_settle_needs(struct bl_checker *c, const struct bl_need_list *needs,
                          uint64_t events, bool in_test);
bl_str bl_sema_event_name(struct bl_checker *c, unsigned event);
/* The event that a path names; BL_EVENT_COUNT with a message when none. */
unsigned bl_sema_read_event(struct bl_checker *c, struct bl_node *path);
bl_str bl_sema_path_text(struct bl_checker *c, const struct bl_node *path);

/* ---- secrets.c
 * -------------------------------------------------------------------------------- */
/* Types the rows of a set unless that was done; reports a cycle. The body at hand uses it. */
void bl_sema_secrets(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use);
/* Types a redaction once; `use` is where it is named. */
void bl_sema_redaction(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use);
/* The patterns of a row, whose text is known when the policy is compiled; with `lists` also
 * those of lists. */
void bl_sema_patterns(struct bl_checker *c, struct bl_node *node, bool lists,
                      struct bl_node_list *out);
/* Types a view once (views.c). */
void bl_sema_view(struct bl_checker *c, struct bl_symbol *symbol);
/* The view that a clause names, typed; or NULL. */
struct bl_symbol *bl_sema_view_named(struct bl_checker *c, struct bl_node *name);
/* All views, sets and redactions. */
void bl_sema_redactions(struct bl_checker *c);

/* ---- bodies
 * ------------------------------------------------------------------------------------------ */
void bl_sema_signature(struct bl_checker *c, struct bl_symbol *symbol);
enum bl_level bl_sema_read_level(struct bl_checker *c, const struct bl_node *node);
/* Types the body unless that was done; reports a cycle. */
void bl_sema_callable(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use);
/* The body in hand calls what itself goes `below` deep; reports when that is too deep. */
void bl_sema_count_calls(struct bl_checker *c, struct bl_symbol *symbol, unsigned below,
                         struct bl_span use);
void bl_sema_message_signature(struct bl_checker *c, struct bl_symbol *symbol);
void bl_sema_message(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use);
void bl_sema_document_signature(struct bl_checker *c, struct bl_symbol *symbol);
struct bl_symbol *bl_sema_posted_document(struct bl_checker *c, struct bl_node *node,
                                          enum bl_symbol_kind kind);
/* Types a comment or part for who uses it; gives itself, or the instance for the answer there.
 */
struct bl_symbol *bl_sema_document(struct bl_checker *c, struct bl_symbol *symbol,
                                   struct bl_span use);
struct bl_statement *bl_sema_statements(struct bl_checker *c, struct bl_clause *clauses);
/* The same in a scope of its own. */
struct bl_statement *bl_sema_block(struct bl_checker *c, struct bl_clause *clauses);
/* Loops nest no deeper than limits.def says, else a message. `for each` begins before its scope
 * and names its things within; NULL without memory. */
struct bl_statement *bl_sema_loop_begin(struct bl_checker *c, struct bl_clause *clause,
                                        bl_type *element);
void bl_sema_loop_things(struct bl_checker *c, struct bl_statement *loop, bl_type element);
void bl_sema_loop_leave(struct bl_checker *c);
struct bl_statement *bl_sema_statement_new(struct bl_checker *c, enum bl_statement_kind kind,
                                           struct bl_clause *clause);
struct bl_statement *bl_sema_let(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_check_row(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_effect(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_document_row(struct bl_checker *c, struct bl_clause *clause);
/* Words of a comment stand in the catalogs (documents.c). */
void bl_sema_words(struct bl_checker *c, struct bl_node *node);
/* document_lists.c: rows of a `for each` that say something about its list. */
bool bl_sema_is_of_list(enum bl_clause_id id);
struct bl_counted *bl_sema_counted(struct bl_checker *c); /* in the scope of the loop */
void bl_sema_order(struct bl_checker *c, struct bl_counted *counted, struct bl_clause *rows);
void bl_sema_at_most(struct bl_checker *c, struct bl_counted *counted, struct bl_clause *rows);
/* What stands for a task where an engine runs. */
#define BL_SEMA_OF_ENGINE                                                                      \
    (BL_AMBIENT_BIT(BL_AMBIENT_MODEL_OF_TASK) | BL_AMBIENT_BIT(BL_AMBIENT_TURNS_OF_TASK) |     \
     BL_AMBIENT_BIT(BL_AMBIENT_BUDGET_OF_TASK))
void bl_sema_accepted(struct bl_checker *c);
void bl_sema_sections(struct bl_checker *c);
void bl_sema_engines(struct bl_checker *c);
/* The text of a file that stands beside a policy (packages.c). */
bool bl_sema_read_beside(struct bl_checker *c, struct bl_span at, bl_str path, bl_str *text);
/* document_heads.c: of a file its path and list, and the events of the jobs that write it; of a
 * report what brings it. */
void bl_sema_file_head(struct bl_checker *c, struct bl_symbol *symbol);
uint64_t bl_sema_file_events(struct bl_checker *c, const struct bl_symbol *file,
                             uint32_t *brings);
void bl_sema_report_head(struct bl_checker *c, struct bl_symbol *symbol, struct bl_body *body);
/* What reports need is there where they run. */
void bl_sema_reports(struct bl_checker *c);
/* Rows of a decision (want: its type) or of a message (texts: its text goes to `text`). */
struct bl_statement *bl_sema_rows(struct bl_checker *c, struct bl_clause *clauses, bl_type want,
                                  bool texts, struct bl_span owner);
struct bl_pair *bl_sema_pairs(struct bl_checker *c, struct bl_clause *clauses, bl_type object);
void bl_sema_signatures(struct bl_checker *c);
void bl_sema_values(struct bl_checker *c); /* settings, labels, locales */
void bl_sema_settings(struct bl_checker *c);
void bl_sema_constant(struct bl_checker *c, struct bl_node *node, bl_type want);
void bl_sema_workflows(struct bl_checker *c);
void bl_sema_jobs(struct bl_checker *c);
/* What GitHub asks of workflows, actions and lists of steps. */
void bl_sema_workflow_files(struct bl_checker *c);
/* The same of the steps, the queue and the name of a job, in the body of its job. */
void bl_sema_job_steps(struct bl_checker *c, const struct bl_job *job);

/* runners.c: its image, and its file of hosts. */
void bl_sema_runner(struct bl_checker *c, struct bl_symbol *runner);

/* ---- job_steps.c
 * --------------------------------------------------------------------------------- */
/* What the jobs before it gave comes into the scope of the body. */
void bl_sema_bring_given(struct bl_checker *c, struct bl_job *job);
/* `about E`: from here on the body is about that issue or pull request. */
void bl_sema_about(struct bl_checker *c, struct bl_job *job, struct bl_clause *clause);
void bl_sema_type_steps(struct bl_checker *c, struct bl_job *job, struct bl_clause *steps);
/* The effect of a clause whose first slot is the comment. */
struct bl_statement *bl_sema_post(struct bl_checker *c, struct bl_clause *clause);
void bl_sema_rules(struct bl_checker *c);
void bl_sema_assign_jobs(struct bl_checker *c);
/* Types what decides about the commands of a family, unless that was done; reports a cycle. */
void bl_sema_judge(struct bl_checker *c, struct bl_symbol *family, struct bl_span use);
void bl_sema_commands(struct bl_checker *c);
void bl_sema_lifecycle(struct bl_checker *c, struct bl_symbol *symbol);
/* ---- kept_rows.c */
void bl_sema_stores(struct bl_checker *c);
void bl_sema_entries(struct bl_checker *c);
/* The key and the fields of a row that is kept. */
struct bl_pair *bl_sema_row(struct bl_checker *c, struct bl_symbol *store, struct bl_node *key,
                            struct bl_clause *fields);
bool bl_sema_entry_may(enum bl_effect effect);
struct bl_statement *bl_sema_given_store(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_when_calls(struct bl_checker *c, struct bl_clause *clause);
/* ---- policy_tests.c: steps, their arguments, and nodes that stand for words */
struct bl_statement *bl_sema_step(struct bl_checker *c, struct bl_clause *clause,
                                  enum bl_step step);
void bl_sema_step_item(struct bl_checker *c, struct bl_statement *step, struct bl_node *node);
void bl_sema_step_append(struct bl_statement ***tail, struct bl_statement *statement);
/* A user: a bare login, one in quotes, or a column that holds one. */
struct bl_node *bl_sema_step_login(struct bl_checker *c, struct bl_node *node);
/* NULL stays NULL. */
struct bl_node *bl_sema_step_value(struct bl_checker *c, struct bl_node *node, bl_type want);
struct bl_statement *bl_sema_given_row(struct bl_checker *c, struct bl_clause *row,
                                       struct bl_node *number);
struct bl_node *bl_sema_step_moment(struct bl_checker *c, struct bl_node *node);
struct bl_node *bl_sema_text_node(struct bl_checker *c, struct bl_span span, bl_str text);
struct bl_node *bl_sema_bool_node(struct bl_checker *c, struct bl_span span, bool value);
/* ---- code_steps.c: pull requests, commits, statuses and jobs in tests */
void bl_sema_given_pull(struct bl_checker *c, struct bl_clause *clause,
                        struct bl_statement ***tail);
/* False when the clause gives no user. */
bool bl_sema_given_person(struct bl_checker *c, struct bl_clause *clause,
                          struct bl_statement ***tail);
struct bl_statement *bl_sema_given_usage(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_when_sets_status(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_when_commits(struct bl_checker *c, struct bl_clause *clause);
struct bl_statement *bl_sema_when_runs(struct bl_checker *c, struct bl_clause *clause);
/* tasks.c: bounds of a field go with its type. */
void bl_sema_check_bounds(struct bl_checker *c, const struct bl_field_declared *field);

/* sanitizers.c: the words and conditions of a sanitizer. */
void bl_sema_sanitizer(struct bl_checker *c, struct bl_symbol *symbol);
void bl_sema_tests(struct bl_checker *c);
/* expectations.c: one `expect …` of a test. */
struct bl_statement *bl_sema_expectation(struct bl_checker *c, struct bl_clause *clause);
/* levels.c: what `need LEVEL for EFFECT` asks; of a program without errors. */
void bl_sema_levels(struct bl_checker *c);

static inline bool bl_is_error(bl_type type)
{
    return bl_type_kind(type) == BL_TYPE_ERROR && !bl_type_is_list(type);
}

#endif
