/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_PROGRAM_H
#define BL_SEMA_PROGRAM_H

#include "sema/clauses.h"
#include "spec/tables.h"
#include "syntax/ast.h"

/* The typed program: what bl_sema makes of the clause trees and what grammar/emit lowers.
 * Everything lives in the arena of the compile. Lists are in the order of the program: packages
 * that are used before those that use them, files by the bytes of their names, declarations as
 * written.
 *
 * References of types (bl_type_ref):
 *   ENUM    below BL_ENUM_COUNT a row of enums.def, else program->enums[ref - BL_ENUM_COUNT]
 *   RECORD  program->records[ref]
 *   POSTED  program->posted[ref]: the kinds of comments
 *   ENTITY  a row of entities.def
 *   CLEAN   the mask of places */

/* ---- what an expression node means
 * ---------------------------------------------------------------- * node->resolution says how
 * to read `symbol` and `index`. `declared` is the type of the expression as such; `type` what
 * it is known to be here. They differ only where a guard narrowed it: declared optional, type
 * not        the value is set: REQUIRE declared a comment, type posted    the comment is one of
 * ours: AS_POSTED (and REQUIRE) declared posted, type posted       fewer kinds are left:
 * nothing to do An operand whose type is optional where `declared` is not never occurs. Values
 * that stand where another type is asked for always satisfy bl_type_fits, so that no conversion
 * is needed; the type asked for is not stored in the node. */
enum bl_resolution {
#define BL_RESOLUTION(id, name, doc) BL_RESOLVED_##id,
#include "sema/resolutions.def"
#undef BL_RESOLUTION
};

/* ---- symbols
 * -------------------------------------------------------------------------------------- */
enum bl_symbol_kind {
#define BL_SYMBOL(id, name, space) BL_SYMBOL_##id,
#include "sema/symbols.def"
#undef BL_SYMBOL
    BL_SYMBOL_KIND_COUNT
};
/* The four spaces of names (language-review §5.8); names of one space differ. */
enum bl_space {
    BL_SPACE_VALUES,
    BL_SPACE_DOCUMENTS,
    BL_SPACE_RUNNING,
    BL_SPACE_TYPES,
    BL_SPACE_LOCALS
};

struct bl_symbol {
    enum bl_symbol_kind kind;
    bl_str name;
    struct bl_span span;      /* of its name */
    struct bl_clause *clause; /* its declaration; NULL for locals */
    struct bl_package *package;
    uint32_t number; /* among those of its kind in the program, from 0 */
    bl_type type;    /* of its value; a function's result */
    bool used;
    /* Of what says `answer` (defines, decisions, checks, comments, parts): itself for the
     * answers of other tasks, made by who uses it there. They are in no list of the program. */
    struct bl_symbol *original; /* of an instance; else NULL */
    struct bl_instance {
        bl_type answer;
        struct bl_symbol *symbol;
        struct bl_instance *next;
    } * instances;
    union {
        struct bl_local *local;
        struct bl_setting *setting;
        struct bl_label *label;
        struct bl_group *group;
        struct bl_locale *locale;
        struct bl_outside *outside;   /* VARIABLE, SECRET */
        struct bl_callable *callable; /* DEFINE, DECISION, CHECK, ACTOR */
        struct bl_message *message;
        struct bl_document *document; /* COMMENT, PART, FILE, REPORT */
        struct bl_rule *rule;         /* RULE, STEP, LIFECYCLE, ENTRY */
        struct bl_store *store;
        struct bl_sweep *sweep;
        struct bl_job *job;
        struct bl_enum_declared *list; /* ENUM */
        struct bl_record_declared *record;
        struct bl_task_declared *task;
        struct bl_cleaner *cleaner; /* SANITIZER */
        struct bl_secret_set *secrets;
        struct bl_redaction *redaction;
        struct bl_view_declared *view;
        struct bl_workflow *workflow;
        struct bl_engine_declared *engine;
        struct bl_commands *commands; /* COMMANDS, COMMAND */
    } as;
    uint32_t emit[2]; /* for grammar/emit alone */
};

struct bl_symbol_list {
    struct bl_symbol **items;
    size_t count, capacity;
};
struct bl_node_list {
    struct bl_node **items;
    size_t count, capacity;
};

enum bl_local_kind {
    BL_LOCAL_PARAMETER, /* position: of the parameter */
    BL_LOCAL_LET,       /* value */
    BL_LOCAL_LOOP,      /* the element of the list `value` (a quantifier, `each`, `for each`) */
    BL_LOCAL_POSITION,  /* in a `for each` of a document: the number of the element from 1 */
    BL_LOCAL_MORE,      /* how many elements `at_most` leaves out */
    BL_LOCAL_COLUMN,    /* of a test; position: among the columns */
    BL_LOCAL_TAKEN,     /* `takes` of a command */
    BL_LOCAL_GIVEN,     /* by the jobs before this one */
    BL_LOCAL_PART,      /* `link`, `ref`: the part that a row of a sanitizer decides about */
};
struct bl_local {
    enum bl_local_kind kind;
    uint32_t position;
    struct bl_node *value; /* LET: its expression; LOOP: the list */
    /* A local that is named as a thing of ambients.def, or as the language, and has its type
     * stands for it while it is in scope, also in what is called there: BIND. BL_AMBIENT_COUNT:
     * none. */
    enum bl_ambient rebinds;
    bool ambient_used; /* something in its scope reads the ambient that it rebinds through a
                          call, a message, a document or an effect; else no BIND is needed */
};

/* ---- packages
 * -------------------------------------------------------------------------------------- */
struct bl_package {
    bl_str path; /* as `use` names it ("std.github"), or the path of the root */
    bl_str name; /* of its `package` declaration; empty without one */
    struct bl_span span;
    bl_str account, marker, folder; /* own declaration, else empty */
    bool is_root;
    bool embedded; /* came with the compiler */
    struct bl_package **uses;
    size_t use_count, use_capacity;
    uint64_t *reaches; /* bits of the numbers of all that it uses, in steps too */
    uint32_t number;
};
/* A file of the program. */
struct bl_file {
    struct bl_ast ast;
    struct bl_package *package;
    struct bl_clause *clauses; /* list by `next` */
    bool is_test;              /* *_test.policy */
};

/* What a body asks of the run that calls it, besides its arguments: an ambient name or a field
 * of the event, on some events alone when a guard `event is …` stands before it. Transitive. */
struct bl_need {
    bool is_field;
    uint32_t what;       /* enum bl_ambient, or enum bl_field of EVENT */
    uint64_t events;     /* bits of enum bl_event_id */
    struct bl_node *use; /* where it is asked first */
};
struct bl_need_list {
    struct bl_need *items;
    size_t count, capacity;
};

/* ---- values
 * ---------------------------------------------------------------------------------------- */
struct bl_setting {
    struct bl_node *value;  /* what holds: the last `set` on the way, else the default */
    struct bl_node *preset; /* the default of the declaration */
    struct bl_node *least, *greatest; /* min, max; or NULL */
    unsigned calls;                   /* how deep the settings below its value go */
    unsigned state;                   /* sema's own */
    struct bl_requirement {
        struct bl_node *condition, *text;
        struct bl_requirement *next;
    } * requires;
    /* A setting whose value is absent is not held against least, greatest and requires. In
     * `requires` the setting's own name is known to be set. */
};
struct bl_label {
    bl_str shown;                /* the name in GitHub */
    bl_str color;                /* six digits, lower case; empty when none is declared */
    struct bl_node *description; /* STRING with settings in it (no place), or NULL */
    struct bl_symbol *group;
    struct bl_node_list options; /* STRINGs without placeholders */
    bool ask;
    struct bl_package *changed_by; /* whose declaration changed it last; NULL: none */
};
struct bl_group {
    struct bl_symbol_list labels; /* in the order of the program */
};
struct bl_enum_declared {
    struct bl_symbol *symbol; /* NULL: written as a type, `high, medium` */
    struct bl_str_list {
        bl_str *items;
        size_t count, capacity;
    } members;
};
struct bl_record_declared {
    struct bl_symbol *symbol; /* NULL: an answer, or a record in one */
    bl_str name;              /* "found", "triage.answer", "triage.answer.duplicates" */
    struct bl_field_declared {
        bl_str name;
        bl_type type;
        struct bl_node *min, *max; /* INT: bounds of an answer's field, or of what is in its
                                      list; or NULL */
        struct bl_node *most;      /* INT: how many elements; or NULL */
        struct bl_symbol *group;   /* GROUP of `label of`; or NULL */
        struct bl_span span;
    } * fields;
    size_t count, capacity;
};
struct bl_posted_kinds {
    struct bl_symbol **kinds; /* COMMENT symbols by ascending number */
    size_t count;
};
struct bl_outside {     /* variable, secret */
    bl_str shown;       /* the name in GitHub */
    bl_str environment; /* of a secret; may be empty */
};
struct bl_locale {
    bl_str shown; /* "English"; empty */
    bl_str day, address, written;
    struct bl_str_list months; /* twelve, or none */
    struct bl_str_list stopwords;
    struct bl_symbol *like; /* what is missing comes from there; or NULL */
};
struct bl_message {
    struct bl_symbol_list params; /* of the first catalog that has it; symbols of LOCAL */
    /* One for each catalog; a locale without one falls back to its `like`, then to the first.
     * Each has parameters of its own with the same names and types, which its body names.
     * Placeholders are rendered for the place COMMENT. symbol->type is TEXT when every text
     * renders itself safely everywhere, else clean text for comments. */
    struct bl_message_text {
        struct bl_symbol *locale;
        struct bl_package *package; /* whose words they are */
        struct bl_clause *clause;
        struct bl_clause *overridden; /* the words of a used package that these stand for */
        struct bl_symbol_list params;
        struct bl_node *text;      /* STRING; NULL: rows */
        struct bl_statement *rows; /* ROW statements with `text` */
        struct bl_span span;
    } * texts;
    size_t count, capacity;
    struct bl_need_list needs;
    unsigned state; /* sema's own */
};

/* ---- functions
 * -------------------------------------------------------------------------------------- */

struct bl_callable { /* define, decision, check (gate, screen), actor */
    struct bl_symbol *symbol;
    struct bl_symbol_list params;
    bl_type result;        /* CHECK: the entity VERDICT; ACTOR: bool */
    struct bl_node *value; /* one expression; NULL: body */
    struct bl_statement *body;
    /* DEFINE: LETs and a GIVE as the last. DECISION: LETs and ROWs in order, the last without
     * condition. CHECK: see the statements; at the end it passes with the rule `allowed`… */
    bool is_gate, is_screen;
    bool is_typed;              /* its declaration says the type of its result */
    struct bl_node *unreadable; /* text of a gate, or NULL */
    enum bl_level level;        /* ACTOR … level L; BL_LEVEL_ANYONE without */
    struct bl_need_list needs;
    uint32_t ambients; /* BL_AMBIENT_BITs among the needs: those that BIND matters for */
    bool reads;        /* something in it may read the world */
    bool attempts;     /* a read in it may fail with a warning */
    bool says_answer;  /* names the answer of a task, itself or through what it calls. Only an
                          instance of it is whole, and only that is lowered */
    bl_type answer;    /* of an instance: what its body is typed for; else ERROR */
    unsigned calls;    /* how deep calls nest below it */
    unsigned state;    /* sema's own; so are the events on which a condition holds, fails */
    uint64_t holds, fails;
};

enum bl_statement_kind {
#define BL_STATEMENT(id, doc) BL_STATEMENT_##id,
#include "sema/statements.def"
#undef BL_STATEMENT
    BL_STATEMENT_KIND_COUNT
};

struct bl_pair {
    bl_str name;
    struct bl_node *value;
    struct bl_span span;
    struct bl_pair *next;
    /* Of an answer in a test instead of `value`: one value, or elements of a list; of a record
     * its own parts. */
    struct bl_node **values;
    uint32_t value_count;
    struct bl_pair *inner;
};

/* What a list in a document says of its elements. */
struct bl_counted {
    struct bl_symbol *position, *more; /* LOCALs: the element's place, how many are left out */
    struct bl_order_key {
        struct bl_node *value; /* oldest: time or date, most: int; or absent */
        bool is_most;
    } * keys;
    size_t key_count, key_capacity;
    struct bl_node *at_most;   /* int; or NULL */
    struct bl_node *more_text; /* for the place of the document; or NULL */
};

/* One statement; which members are set stands in statements.def, the others are zero. */
struct bl_statement {
    enum bl_statement_kind kind;
    struct bl_statement *next;
    struct bl_clause *clause;
    struct bl_span span;
    struct bl_node *condition;
    struct bl_node *value;
    struct bl_node *text;
    struct bl_node_list items;
    struct bl_symbol *symbol;
    struct bl_statement *body;
    struct bl_statement *otherwise;
    struct bl_pair *pairs;
    bl_str name;
    enum bl_effect effect;
    uint32_t member;
    enum bl_ambient target; /* effects: the ISSUE, PULL_REQUEST or COMMENT in scope that it acts
                               on; BL_AMBIENT_COUNT for effects that act on none */
    uint32_t needed;        /* effects: the BL_CAP bit of the permission that it takes, or 0 */
    bool attempted;         /* `attempt`: its failure is a warning */
    enum bl_place place;    /* documents: where its text stands; else BL_PLACE_COUNT */
    struct bl_counted *counted; /* FOR in a document; else NULL */
};

/* ---- documents
 * --------------------------------------------------------------------------------------- */
struct bl_attribute {
    bl_str name;
    bl_type type;
    struct bl_node *value;
    bool once; /* of `once_by` */
    struct bl_span span;
};
struct bl_document {
    struct bl_symbol *symbol;
    struct bl_symbol_list params;
    enum bl_place place;      /* COMMENT, SUMMARY, PROMPT */
    struct bl_node *language; /* of type locale; NULL: the first locale */
    struct bl_node *path;     /* FILE: own text */
    struct bl_node *each;     /* FILE: one for each of this list, its only parameter; or NULL */
    struct bl_symbol *screen; /* SECRETS that it may not hold; or NULL */
    struct bl_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    struct bl_statement *body;
    struct bl_need_list needs;
    uint32_t ambients;
    bool says_answer; /* names the answer of a task */
    bool of_engine;   /* REPORT: on engine.ended */
    bl_type answer;   /* the one that its body is typed for */
    unsigned state;   /* sema's own */
};

/* ---- what runs
 * ----------------------------------------------------------------------------------------- */
struct bl_rule { /* rule, step, lifecycle, command, entry */
    struct bl_symbol *symbol;
    uint64_t events; /* bits of enum bl_event_id that it is about; a step: of its job */
    struct bl_symbol *answers; /* TASK of `on T.answered`; or NULL: then `events` are those of
                                  the job that runs answers */
    struct bl_symbol_list over;
    struct bl_statement *body; /* a WHEN without block has everything behind it as its body.
                                  LIFECYCLE: one FOR, whose body is LET, SINCE, ENDS, EXEMPT,
                                  ON_DAY in written order, SINCE before ENDS before EXEMPT
                                  before ON_DAY. COMMAND: see struct bl_commands */
    struct bl_node *at_most;   /* LIFECYCLE: how many units may write; or NULL */
    struct bl_symbol *job;     /* whose capabilities bind it; NULL: none takes it */
    struct bl_need_list needs;
    uint32_t capabilities;        /* BL_CAP bits that its effects need */
    struct bl_symbol_list params; /* ENTRY */
    bool by_person;               /* ENTRY: nobody else may call it */
};
struct bl_store {
    bl_str file;  /* a plain path */
    uint32_t key; /* field of the record */
};
struct bl_sweep_item {
    struct bl_symbol *symbol;  /* STEP, LIFECYCLE, REPORT */
    struct bl_node *condition; /* `when`, or NULL */
    bool attempted;
    struct bl_span span;
};
struct bl_sweep {
    struct bl_symbol *symbol;
    struct bl_sweep_item *items;
    size_t count, capacity;
    struct bl_symbol *job; /* that runs it; NULL: none */
    struct bl_need_list needs;
};
enum bl_job_runs {
    BL_RUNS_NOTHING,
    BL_RUNS_RULES,
    BL_RUNS_SWEEP,
    BL_RUNS_ANSWERS,
    BL_RUNS_TASK
};
/* What a step of a job's own does, uses and command lines aside. */
struct bl_job_step {
    enum bl_job_step_kind kind;
    struct bl_symbol *symbol;    /* FILE, CHECK or COMMENT; NULL: of the engine */
    bl_str path;                 /* CHECK: of the file that is held against it */
    struct bl_statement *posted; /* POST */
    struct bl_span span;
};
struct bl_job {
    struct bl_symbol *symbol;
    struct bl_symbol *workflow, *after; /* or NULL */
    uint32_t capabilities;              /* BL_CAP bits of `may write` */
    struct bl_node_list when;           /* conditions; all must hold */
    enum bl_job_runs runs;
    struct bl_symbol *sweep; /* BL_RUNS_SWEEP */
    struct bl_symbol *engine;
    uint64_t events; /* of its workflow; without one every event (rules), schedule and
                        workflow_dispatch (sweeps) */
    struct bl_need_list needs;
    /* What the jobs before it gave, as GIVEN locals: `task`, `answer`, and a record for each of
     * those jobs. */
    struct bl_symbol_list given;
    bl_type outputs;               /* the record that later jobs get of it; BL_NO_TYPE */
    struct bl_node *about;         /* the issue or pull request, perhaps absent; or NULL */
    struct bl_symbol *about_local; /* LET; rebinds the ambient of that thing */
    BL_VEC(struct bl_job_step) steps;
};
struct bl_engine_declared {
    struct bl_str_list command, hosts;
    struct bl_engine_flag_declared {
        bl_str flag;
        struct bl_node *value;     /* for the place ARGUMENT; or NULL */
        struct bl_symbol *file;    /* FILE whose path it gets; or NULL */
        bool is_schema;            /* it gets the path of the schema of the answer */
        struct bl_node *condition; /* or NULL */
    } * flags;
    size_t flag_count, flag_capacity;
    bl_str input;     /* the file of the task, without .md; empty: none */
    unsigned outputs; /* bits: answer, usage, worktree */
    struct bl_need_list needs;
};
struct bl_workflow {
    bl_str file; /* the name of its file; empty when it says none that is one */
    uint64_t events;
    bool answers;
};
/* What a task asks, each as a question of its own that sees the LETs written before it. */
struct bl_task_question {
    struct bl_node *value; /* NULL: it does not ask */
    size_t lets;           /* the first so many of `lets` */
};
struct bl_task_declared {
    uint32_t record; /* of its answer, in program->records; UINT32_MAX: none */
    struct bl_statement *lets;
    struct bl_task_question model, turns, budget; /* name, int, money */
    struct bl_task_question judges;               /* comment? */
    struct bl_task_question counts;               /* bool */
    struct bl_statement *passes;                  /* CHECKs, in written order */
    size_t passes_lets;
    struct bl_symbol_list files; /* FILE */
};
struct bl_cleaner {
    unsigned places;              /* mask */
    struct bl_symbol *link, *ref; /* what conditions of rows call the part in hand */
};
/* A family of commands, and one command. A comment of the family's events that begins with its
 * word is judged: no line of a command when its writer is none of `by`, else refused by the
 * first row that refuses — no such command, the writer is none of the command's `by`, the
 * family's rows, what it takes, the command's own rows — else accepted. Judging reads and
 * writes nothing, so that whoever asks gets the same answer; it is one function for all who
 * ask. */
struct bl_commands {
    bl_str word;              /* "/say"; of a command its own, in lower case */
    struct bl_symbol_list by; /* ACTORs; none: everyone */
    /* COMMANDS */
    struct bl_symbol_list commands;               /* in the order of the program */
    struct bl_node_list strips;                   /* of type PATTERN */
    struct bl_statement *refusals;                /* REFUSE rows */
    struct bl_node *denied, *unknown, *malformed; /* STRING without placeholders, or NULL */
    struct bl_rule *refused;                      /* what happens when one is refused */
    struct bl_statement *accepted; /* the last statements of each command's body */
    uint32_t reaction; /* member of reaction_kind that is left on accepted comments */
    /* COMMAND */
    struct bl_symbol *family;
    struct bl_symbol *taken; /* LOCAL of type issue or untrusted; NULL: it takes nothing */
    bool takes_rest;         /* all that follows, else one word */
    struct bl_rule
        *rule; /* body: LETs, rows of checks and effects as written, then `accepted` */
    struct bl_statement *unjudged; /* where in the body the judging ends; NULL: at its end */
    struct bl_need_list needs;     /* of the judging; what its own events bring */
    unsigned calls, state;         /* sema's own */
    void *typing;
};
struct bl_level_need { /* need LEVEL for EFFECT; proved later */
    enum bl_level level;
    enum bl_effect effect;
    uint32_t member; /* state reason of `close …`; UINT32_MAX: any */
    struct bl_span span;
};

/* ---- tests
 * ----------------------------------------------------------------------------------------------
 */
struct bl_test_row {
    struct bl_node **values; /* one for each column */
    struct bl_span span;
};
struct bl_test {
    struct bl_file *file;
    struct bl_node *name;          /* STRING; placeholders name columns */
    struct bl_symbol_list columns; /* a column declared `: user` holds a login: type NAME */
    struct bl_test_row *rows;
    size_t row_count, row_capacity;
    struct bl_statement *body; /* TEST_SET, STEP, EXPECT… in written order */
    struct bl_need_list needs;
    struct bl_span span;
};

struct bl_accepted {                  /* accept */
    bl_str tool, rule, path, comment; /* path: empty, or a glob */
    uint32_t reason;                  /* member of DISMISSAL */
    int64_t until;                    /* a day; INT64_MIN: no end */
    struct bl_span span;
};

/* ---- the program
 * ----------------------------------------------------------------------------------------- */
struct bl_program {
    struct bl_arena *arena;
    struct bl_sources *sources;
    BL_VEC(struct bl_file *) files;
    BL_VEC(struct bl_package *) packages;
    struct bl_package *product; /* whose account, marker and folder hold: the package
                                   declaration nearest to the root; NULL: none */
    BL_VEC(struct bl_enum_declared) enums;
    BL_VEC(struct bl_record_declared) records;
    BL_VEC(struct bl_posted_kinds) posted;
    /* By kind, each symbol's `number` is its place. */
    struct bl_symbol_list symbols[BL_SYMBOL_KIND_COUNT];
    BL_VEC(struct bl_test) tests;
    BL_VEC(struct bl_level_need) levels;
    BL_VEC(struct bl_accepted) accepted;
    BL_VEC(struct bl_lint_level) lints;
    BL_VEC(struct bl_file_section) sections;
    struct bl_scope *scope; /* sema's own tables of names */
};
/* A section that a file of the repository must have: plain words, in each language that has
 * both of its messages. The first is that of the policy. */
struct bl_file_section {
    struct bl_span span;
    bl_str path; /* below the repository; empty: the setting names no file */
    struct bl_section_words {
        const struct bl_symbol *locale;
        bl_str heading, words;
    } * words;
    size_t count;
};
struct bl_lint_level {
    bl_str name;
    enum bl_severity severity;
    struct bl_span span;
};

/* A type as people read it: "list of issue", "task?", "one of open, closed". */
void bl_program_type_name(const struct bl_program *program, bl_type type, struct bl_buf *out);
/* Spelling and number of members of an enumeration, declared ones included. */
bl_str bl_program_member(const struct bl_program *program, unsigned enumeration,
                         unsigned member);
unsigned bl_program_member_count(const struct bl_program *program, unsigned enumeration);
/* "define", "comment": as policies write it. */
bl_str bl_symbol_kind_name(enum bl_symbol_kind kind);
/* NULL when the space has no such name. */
struct bl_symbol *bl_program_find(const struct bl_program *program, enum bl_space space,
                                  bl_str name);

#endif
