/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_MODULE_H
#define BL_BYTECODE_MODULE_H

#include "base/buf.h"
#include "base/diagnostic.h"
#include "spec/tables.h"

#define BL_NONE           UINT32_MAX
#define BL_NO_REGISTER    255u /* operand a of a CALL whose function has no result */
#define BL_MODULE_MAGIC   "BYLAWPBC"
#define BL_MODULE_VERSION 2u

/* The file: the header, one row for each section in the order of sections.def, the sections. A
 * section begins at the next multiple of 8 behind the one before it; the bytes between are 0,
 * so a module has one form only. docs/bytecode.md says more. */
enum bl_section {
#define BL_SECTION(id, name, row, doc) BL_SECTION_##id,
#include "bytecode/sections.def"
#undef BL_SECTION
    BL_SECTION_COUNT
};
struct bl_module_header {
    char magic[8];
    uint32_t version;
    uint32_t section_count;
    uint64_t size;     /* of the whole file */
    uint64_t checksum; /* bl_module_checksum */
};
struct bl_module_section {
    uint32_t offset; /* from the start of the file */
    uint32_t count;  /* rows */
    uint32_t row_size;
    uint32_t unused; /* 0 */
};
/* Over everything but the field itself. Finds damage (within one aligned unit of 8 bytes for
 * certain); it is no signature. `size` is at least that of a header. */
uint64_t bl_module_checksum(const void *bytes, size_t size);

/* A text of the pool, from its start (that of the pool, or behind a NUL) to its NUL: valid
 * UTF-8. Everywhere below, `first, count` ranges of a section follow each other without gaps,
 * row by row, unless it says otherwise. Optional indices are BL_NONE. */
struct bl_string_ref {
    uint32_t offset;
    uint32_t length;
};

struct bl_insn {
    uint8_t op; /* enum bl_opcode */
    uint8_t a;
    uint16_t b;
    uint32_t c;
};

struct bl_const {
    bl_type type;    /* a scalar: bool, int, text, label, name, path, repository_name, link,
                        secret,    duration, date, time, money, percent, enum, task (payload: index
                        of    TASKS), command (any number), locale (of LOCALES), pattern (of
                        PATTERNS), or the entity variable or secret_setting (of VARIABLES) */
    uint32_t length; /* of text, else 0 */
    int64_t payload; /* number, index, or offset in the pool */
};

struct bl_module_info {
    struct bl_string_ref package;
    struct bl_string_ref account; /* whose comments carry markers; may be empty */
    struct bl_string_ref marker;  /* prefix of markers */
    struct bl_string_ref folder;
    uint8_t
        digest[32]; /* SHA-256 over the path of each source, a NUL and its digest, in order */
};
struct bl_module_source {
    struct bl_string_ref path;
    uint8_t digest[32];
    uint32_t bytes;
    uint32_t unused;
};
struct bl_module_name {
    struct bl_string_ref name;  /* in the policy */
    struct bl_string_ref shown; /* in GitHub (variables, secrets), else equal */
};
/* What a task asks and what its answer must be. The functions are pure and have no parameters.
 */
struct bl_module_task {
    struct bl_string_ref name;
    uint32_t record;                 /* of RECORDS: its answer; BL_NONE: it has none */
    uint32_t model, turns, budget;   /* name, int, money; or BL_NONE */
    uint32_t judges;                 /* comment?: what a run by hand is about; or BL_NONE */
    uint32_t passes;                 /* verdict on the answer; or BL_NONE */
    uint32_t counts;                 /* bool: does the answer still count; or BL_NONE */
    uint32_t first_file, file_count; /* in TASK_FILES; BL_NONE, 0: they cannot be written yet */
};
/* One that asks nothing and has no answer. */
static inline struct bl_module_task bl_plain_task(struct bl_string_ref name)
{
    return (struct bl_module_task){.name = name,
                                   .record = BL_NONE,
                                   .model = BL_NONE,
                                   .turns = BL_NONE,
                                   .budget = BL_NONE,
                                   .judges = BL_NONE,
                                   .passes = BL_NONE,
                                   .counts = BL_NONE};
}
struct bl_answer_rule { /* ascending */
    uint32_t task;
    uint32_t entry;
};
/* The bounds of one field of a record, for values that come from outside. */
struct bl_answer_bound {
    uint32_t field;                    /* of RECORD_FIELDS, ascending */
    uint32_t most;                     /* elements of a list; BL_NONE: limits.def */
    int64_t min;                       /* of a number; INT64_MIN */
    int64_t max;                       /* of a number, or characters of a text; INT64_MAX */
    uint32_t first_label, label_count; /* in ANSWER_LABELS; BL_NONE, 0: every declared label */
};
struct bl_module_enum { /* type ENUM with ref BL_ENUM_COUNT + index */
    struct bl_string_ref name;
    uint32_t first, count; /* in MEMBERS */
};
struct bl_module_record { /* its fields may hold records of lower index only: none holds itself
                           */
    struct bl_string_ref name;
    uint32_t first, count; /* in RECORD_FIELDS */
};
struct bl_module_member {
    struct bl_string_ref name;
    bl_type type;
    uint32_t flags; /* attributes: BL_ATTRIBUTE_ONCE */
};
#define BL_ATTRIBUTE_ONCE 1u /* of `once_by` */
struct bl_posted_set {       /* type POSTED with ref index */
    uint32_t first, count;   /* in POSTED_KINDS, ascending, at least one */
};
struct bl_module_label {
    struct bl_string_ref name, shown, color, description;
    uint32_t first_option, option_count; /* in LABEL_OPTIONS */
    uint32_t ask;                        /* 0 or 1 */
    uint32_t description_function;       /* BL_NONE, or function() : text that renders it. Who
                                            reads `description` of a label calls these: they
                                            have lower indices */
};
struct bl_module_setting {
    struct bl_string_ref name;
    uint32_t function;       /* no parameters; its value */
    uint32_t check;          /* BL_NONE, or function() : verdict */
    uint32_t source, lo, hi; /* where its value was given */
};
struct bl_module_locale {
    struct bl_string_ref code, name;
    struct bl_string_ref
        day;              /* pattern with {month} {day} {year} {month_number} {day_number} */
    uint32_t first_month; /* twelve in MONTHS, or BL_NONE */
    uint32_t like;        /* the locale that lacks are taken from, or BL_NONE; the chain
                             ends, see limits.def. The first locale is like none: it is
                             the reference */
    uint32_t first_stopword, stopword_count; /* in STOPWORDS: lower case, ascending by bytes */
};
struct bl_module_comment {
    struct bl_string_ref name;
    uint32_t first_attribute, attribute_count; /* in ATTRIBUTES */
    uint32_t screen; /* of SECRETS: what it may not hold; or BL_NONE */
};
/* The functions of a message are pure, with equal parameters. Their results are texts; a call
 * has the type of all of them joined (bl_text_join). Each locale has a function of its own, or
 * the chain of `like` comes to one that has, or the first locale has. */
struct bl_module_message {
    struct bl_string_ref name;
    uint32_t first_function; /* in MESSAGE_FUNCTIONS, one for each locale */
    uint32_t param_count;
};
struct bl_module_blob {
    uint32_t first, count; /* in BLOBS: units of 8 bytes; those of SETS follow behind */
    struct bl_string_ref source;
};

/* A file below the package's folder. With a list there is one for each element, which its other
 * functions take. */
struct bl_module_file {
    struct bl_string_ref name;
    uint32_t list; /* function() : list, or BL_NONE */
    uint32_t path; /* function([element]) : text */
    uint32_t text; /* function([element]) : list of text for the place PROMPT, in pieces */
};
enum bl_engine_argument {
    BL_ARGUMENT_ALONE,  /* the flag has none */
    BL_ARGUMENT_OWN,    /* function() : text for the place ARGUMENT */
    BL_ARGUMENT_FILE,   /* the path of a file, index of FILES */
    BL_ARGUMENT_SCHEMA, /* the path of the schema of the answer */
};
struct bl_engine_flag {
    struct bl_string_ref flag;
    uint32_t kind;     /* enum bl_engine_argument */
    uint32_t argument; /* by kind; else BL_NONE */
    uint32_t when;     /* function() : bool, or BL_NONE */
};
struct bl_module_engine {
    struct bl_string_ref name;
    struct bl_string_ref input;      /* of the task's files the one INPUT.md; empty: none */
    uint32_t first_word, word_count; /* in ENGINE_WORDS: the program and its first arguments */
    uint32_t first_host, host_count; /* in ENGINE_WORDS, behind them */
    uint32_t first_flag, flag_count; /* in ENGINE_FLAGS */
    uint32_t outputs;                /* bits: answer, usage, worktree */
};

/* A finding that is accepted; without a path it is accepted everywhere, and INT64_MIN is no
 * end. */
struct bl_module_accepted {
    struct bl_string_ref tool, rule, path, comment;
    uint32_t reason; /* member of DISMISSAL */
    uint32_t unused; /* 0 */
    int64_t until;
};

/* Rows that are kept in a file, a JSON object in each line. */
struct bl_module_store {
    struct bl_string_ref name;
    struct bl_string_ref file; /* a plain path, below the folder of the run */
    uint32_t record;           /* of RECORDS: a row; of the types of BL_STORE_KINDS */
    uint32_t key;              /* field of it, an int or a name, by which rows are told apart */
};
/* What the detail of a KEEP says: the store, and from bit 8 on which fields of its row are
 * given. What is not given stays as the row of that key has it. */
#define BL_KEEP_STORE(detail)        ((detail)&0xffu)
#define BL_KEEP_GIVES(detail, field) (((detail) >> (8 + (field)) & 1u) != 0)
struct bl_module_called {
    uint32_t entry; /* ascending */
    uint32_t
        record;  /* of RECORDS: its parameters by name, in their order; BL_NONE: it has none */
    uint32_t by; /* 1: only a person may call it; else 0 */
};

enum bl_function_kind {
    BL_FUNCTION_PURE,  /* define, decision, check, message …: no effects */
    BL_FUNCTION_ENTRY, /* rule, step: may have effects, within the capabilities of its job */
    BL_FUNCTION_TEST,  /* may have STEP and EXPECT */
};
/* Everyone may call pure functions; an ENTRY function also ENTRY functions of the same job, a
 * TEST function also TEST functions. Instructions and places of a function go on to those of
 * the next one, or to the end of their section; functions with equal registers share them. */
struct bl_function {
    struct bl_string_ref name;
    uint8_t kind;
    uint8_t param_count; /* the first registers */
    uint16_t register_count;
    uint32_t first_register; /* in REGISTERS */
    uint32_t first_insn;     /* in CODE */
    uint32_t first_place;    /* in MAP */
    bl_type result;          /* BL_TYPE_NONE: none */
    uint32_t job;            /* ENTRY: whose capabilities bind it, or BL_NONE: none */
};

/* What an EFFECT, STEP or EXPECT is about. `source` may be BL_NO_SOURCE here and below. */
struct bl_site {
    uint32_t kind; /* enum bl_effect, enum bl_step, or 0 */
    uint32_t
        detail; /* POST, GIVEN_ISSUE_POSTED: index of COMMENTS; MILESTONE: 1 when it is
                   attempted, so that its failure is a warning; KEEP: BL_KEEP_STORE and
                   BL_KEEP_GIVES; WHEN_CALLS: index of ENTRIES; GIVEN_ROW: as KEEP; RUNS: index
                   of JOBS; 0 of
                   other effects; other
                   steps may have one of their own */
    uint32_t source, lo, hi;
};

struct bl_module_job {
    struct bl_string_ref name;
    uint32_t capabilities;           /* bits BL_CAP(permission): what its effects may need */
    uint32_t runs_rules;             /* 1: rules of its events */
    uint32_t runs_answers;           /* 1: rules of the answers of tasks */
    uint32_t when;                   /* function (given) : bool, or BL_NONE */
    uint32_t first_step, step_count; /* in ENTRIES: the steps of its sweep, in order */
    uint32_t events[2];              /* steps: bits of enum bl_event_id that bring them */
    uint32_t engine;                 /* of ENGINES: what it runs a task with; or BL_NONE */
    uint32_t decision; /* entry of the decision without parameters that gives the task (task or
                          task?), or BL_NONE */
    uint32_t first_own, own_count; /* in JOB_STEPS */
};

struct bl_module_job_step {
    uint32_t kind, index; /* BL_NONE where there is none */
    struct bl_string_ref name, path;
};
/* What `when` and the entries that post take: `task?`, `name?` for an answer that is there, and
 * for jobs before it a record named as the job, of optional values. */

enum bl_entry_kind {
    BL_ENTRY_RULE,     /* function() : bool, whether it fired; plans effects */
    BL_ENTRY_STEP,     /* function(); plans effects; its loop's iterations are units */
    BL_ENTRY_DECISION, /* function(parameters) : value */
    BL_ENTRY_CHECK,    /* function(parameters) : verdict */
    BL_ENTRY_DEFINE,
    BL_ENTRY_TEST,      /* function(columns) */
    BL_ENTRY_SANITIZER, /* function(untrusted) : clean text */
    BL_ENTRY_REPORT,    /* a step without units; it writes into the summary and the log alone */
    BL_ENTRY_CALLED,    /* function(parameters) : verdict, which refuses: then nothing of it is
                           planned; of no job */
    BL_ENTRY_POSTED,    /* function(given) : bool, whether there was anything to act on; plans
                           what a step of a job posts */
    BL_ENTRY_SCREEN,    /* as a check, and reads nothing of the world */
};
struct bl_entry {
    uint32_t kind;
    struct bl_string_ref name;
    uint32_t function;
    uint32_t job;          /* rules, steps: index of JOBS, or BL_NONE */
    uint32_t first_access; /* rules: in ACCESS; BL_NONE: always a candidate */
    uint32_t source, lo, hi;
};
/* Of a STEP or a REPORT. One without a row has one unit, no conditions and no bounds. */
struct bl_module_step {
    uint32_t entry;     /* ascending */
    uint32_t units;     /* function() : list of things, the units; BL_NONE: one unit. The step's
                           function then takes the thing as its parameter */
    uint32_t ambient;   /* with units: the ambient that the thing is bound to */
    uint32_t when;      /* function() : bool asked first, or BL_NONE */
    uint32_t at_most;   /* with units: function() : int, how many units may write in one run, or
                           BL_NONE */
    uint32_t attempted; /* 1 when its failures are warnings alone; else 0 */
};
static inline struct bl_module_step bl_plain_step(uint32_t entry)
{
    return (struct bl_module_step){.entry = entry,
                                   .units = BL_NONE,
                                   .ambient = BL_NONE,
                                   .when = BL_NONE,
                                   .at_most = BL_NONE};
}
struct bl_event_rule {
    uint32_t event : 8;  /* enum bl_event_id, ascending */
    uint32_t entry : 24; /* ascending within an event */
};

/* One fact of the event that a rule needs: skipped when it does not hold; at most one a rule,
 * which `first_access` of the rule's entry names. Sorted by kind, path, key and entry, so that
 * the runtime finds the rules of a fact: texts by their bytes with ASCII letters in lower case,
 * members and patterns by number. */
enum bl_access_kind {
    BL_ACCESS_LABEL,   /* the event's issue or pull request has the label in the pool at key */
    BL_ACCESS_TEXT,    /* a text field (name, login …) equals the text in the pool at key */
    BL_ACCESS_ENUM,    /* an enum field has the member `key` */
    BL_ACCESS_PATTERN, /* pattern `key` of set `field` finds something */
};
struct bl_access {
    uint16_t kind;
    uint16_t path;   /* which fact: enum bl_fact of bytecode/facts.h; PATTERN: index of SETS */
    uint32_t key;    /* offset in the pool, member, or pattern of the set */
    uint32_t length; /* of the text at key */
    uint32_t entry;
};
struct bl_module_set {
    uint32_t path;                       /* enum bl_fact: the text field */
    uint32_t first, count;               /* in BLOBS, behind the patterns */
    uint32_t first_sought, sought_count; /* in SOUGHT: bl_pattern_set_count rows, */
    uint32_t literal_count;              /* of which the first so many are plain texts */
};
struct bl_module_sought {
    struct bl_string_ref source; /* of a pattern: as it is written, /crash/i */
    uint32_t first_access;       /* in ACCESS; BL_NONE: the index does not ask it */
};
struct bl_module_pair {     /* ascending */
    uint32_t winner, loser; /* entries, both rules */
};
struct bl_module_case {
    uint32_t function; /* calls the test's function with the row's values; no parameters */
    struct bl_string_ref name; /* with the row's values in it */
    uint32_t source, lo, hi;
};
/* A sanitizer. Its function takes the text and gives what CLEAN makes of it. */
struct bl_module_sanitizer {
    struct bl_string_ref name;
    uint32_t places;           /* bits of enum bl_place, at least one */
    uint32_t reads_markdown;   /* 0: only what its function does; 1: CLEAN scans the text */
    uint32_t first_row, count; /* in CLEAN_ROWS */
};
/* Registers that CLEAN reads: the text, its patterns, three lists of decisions. */
#define BL_CLEAN_REGISTERS 5u
struct bl_module_clean_row {
    uint32_t word;   /* of the words of cleaning.def; BL_NONE: it is a row of a class */
    uint32_t kind;   /* then: the class; else BL_NONE */
    uint32_t action; /* of the actions there; 0 of a word */
    uint32_t source, lo, hi;
};

/* What a pattern finds counts as a whole, or in part: `front` is what stands in front of the
 * part, and the part is what `part` finds right behind the longest text that front takes. Both
 * or none are BL_NONE. With `until` it goes on to the end of what that finds next, or of the
 * text. */
struct bl_module_part {
    uint32_t pattern, front, part; /* in PATTERNS */
    uint32_t until;                /* BL_NONE, or in PATTERNS of a whole one */
    uint32_t sought; /* its number in the sieve of its set; BL_NONE: asked of all of a text */
};
struct bl_module_sieve {
    uint32_t first, count; /* in BLOBS, behind those of SETS */
};
/* A row of a set of secrets: a pattern, or the measure of chance. Rows of a set come in the
 * order in which they are asked. */
struct bl_module_finder {
    struct bl_string_ref kind;
    uint32_t part;                         /* in PARTS; BL_NONE: the measure of chance */
    uint32_t least, bits;                  /* of the measure; else 0 */
    uint32_t first_outside, outside_count; /* in PARTS: what is left out of the text */
    uint32_t when;                         /* function(untrusted) : bool, or BL_NONE */
    uint32_t source, lo, hi;
};
/* How others read a text: without what parts find, decoded, folded. */
struct bl_module_view {
    uint32_t first_without, without_count; /* in PARTS */
    uint32_t decoded;                      /* bits of decodings.def */
    uint32_t folded;                       /* bits of foldings.def */
};
/* A view that is called by its name is a set without finders. */
struct bl_module_secrets {
    struct bl_string_ref name;
    uint32_t first_finder, finder_count; /* in FINDERS */
    uint32_t sieve;                      /* in SIEVES */
    struct bl_module_view view;
};
enum bl_decoding {
#define BL_DECODING(ID, word, what) BL_DECODING_##ID,
#include "spec/decodings.def"
#undef BL_DECODING
    BL_DECODING_COUNT
};
/* What the pattern of a row of a redaction looks at. */
enum bl_mask_field {
    BL_MASK_TEXT,
    BL_MASK_FIELD, /* keys of JSON: all texts and numbers below one are masked */
    BL_MASK_NAMED, /* KEY=TEXT of a member: all texts and numbers beside it are masked */
    BL_MASK_KEYS,  /* keys below a masked one: they are masked, too */
};
/* A row of a redaction. With `list`, values that are known: function() : list of secret, of
 * environment_variable or of pattern; kind and source are then function(element, int) with the
 * place in the list, else function(). */
struct bl_module_mask {
    uint32_t part;         /* in PARTS, or BL_NONE: a list */
    uint32_t list;         /* function, or BL_NONE */
    uint32_t kind, source; /* functions : name, and text for the log */
    uint32_t when;         /* of a pattern: function(untrusted) : bool, or BL_NONE */
    uint32_t field;        /* enum bl_mask_field */
    uint32_t place, lo, hi;
};
struct bl_module_redaction {
    struct bl_string_ref name;
    uint32_t first_mask, mask_count; /* in MASKS */
    uint32_t sieve;
    uint32_t when;   /* function() : bool, or BL_NONE */
    uint32_t marker; /* function(kind text, size text, digest text) : text for the log */
    uint32_t size;   /* function(int) : text; BL_NONE: an empty one */
    uint32_t keep;   /* in PARTS, of a whole pattern: what is a marker; BL_NONE */
    struct bl_module_view view;
};
/* The least that says where an instruction stands: there are more of these than of anything
 * else but instructions. limits.def says that a byte of a source needs 20 bits and a source 10.
 */
struct bl_map_row {
    uint32_t lo : 20;
    uint32_t source : 10; /* index of SOURCES */
    uint32_t flags : 2;
    uint16_t insn;   /* of its function, counted from the first, ascending */
    uint16_t length; /* in bytes; of what is longer, BL_MAP_LENGTH_MAX */
};
#define BL_MAP_LO_MAX     0xfffffu
#define BL_MAP_SOURCE_MAX 0x3ffu
#define BL_MAP_LENGTH_MAX 0xffffu
static inline uint32_t bl_map_hi(const struct bl_map_row *row)
{
    return row->lo + row->length;
}
/* The instruction writes the bool that is the value of a condition that a person wrote: that of
 * the row alone, not those behind it that share its place. */
#define BL_MAP_CONDITION 1u
/* Whoever passes the instruction took a row that a person wrote: one of a decision, a check or
 * a message. */
#define BL_MAP_ROW 2u
/* The instruction writes a bool that nobody wrote and that decides all the same, such as
 * whether a day of a lifecycle has come: explanations show it, coverage does not ask for it. */
#define BL_MAP_REASON 3u

/* A module whose every promise was proved. Only bl_module_verify makes one; the machine takes
 * nothing else. Arrays point into the bytes that were loaded, which must outlive it. */
struct bl_module {
    const void *bytes;
    size_t size;
    uint8_t digest[32]; /* of the sources, from INFO */
#define BL_SECTION(id, name, row, doc)                                                         \
    const row *id##_rows;                                                                      \
    uint32_t id##_count;
#include "bytecode/sections.def"
#undef BL_SECTION
};

/* Checks header, sections and every row, then the code of every function (bytecode/verifier.c).
 * `bytes` must be aligned to 8 and stay as they are. Diagnostics (07xx) say what is refused and
 * where. Scratch memory comes from `arena`. Linear in size. BL_ERR_UNVERIFIED, BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_module_verify(struct bl_arena *arena, const void *bytes,
                                             size_t size, struct bl_module *out,
                                             struct bl_diagnostics *sink);

static inline bl_str bl_module_string(const struct bl_module *m, struct bl_string_ref ref)
{
    return (bl_str){m->STRINGS_rows + ref.offset, ref.length};
}
const struct bl_insn *bl_module_code(const struct bl_module *m, const struct bl_function *f);
const bl_type *bl_module_registers(const struct bl_module *m, const struct bl_function *f);
uint32_t bl_module_insn_count(const struct bl_module *m, const struct bl_function *f);
/* Behind the last row of MAP that belongs to the function. */
uint32_t bl_module_places_end(const struct bl_module *m, const struct bl_function *f);
/* Index of the function that an instruction belongs to; BL_NONE. Logarithmic. */
uint32_t bl_module_function_of(const struct bl_module *m, uint32_t insn);
/* The place of an instruction: its row of the map, or the nearest before it in its function
 * (whose flags are not its own then); NULL when there is none. Logarithmic. */
const struct bl_map_row *bl_module_place(const struct bl_module *m, uint32_t insn);
/* Entry of that kind and name; BL_NONE. */
uint32_t bl_module_entry(const struct bl_module *m, enum bl_entry_kind kind, bl_str name);
/* What there is to know of an entry that is a step; bl_plain_step where nothing is said. */
struct bl_module_step bl_module_step(const struct bl_module *m, uint32_t entry);
uint32_t bl_module_job(const struct bl_module *m, bl_str name);
/* The row of JOB_STEPS, of those of the job; BL_NONE. */
uint32_t bl_module_job_step(const struct bl_module *m, uint32_t job, enum bl_job_step_kind kind,
                            bl_str name, bl_str path);
uint32_t bl_module_label(const struct bl_module *m,
                         bl_str name); /* by name in GitHub, without case */
/* The set that row `sought` of SOUGHT belongs to. Linear in sets, of which there is at most one
 * for each fact. */
uint32_t bl_module_set_of(const struct bl_module *m, uint32_t sought);
/* Spelling of a member, the module's own enumerations included. */
bl_str bl_module_member(const struct bl_module *m, unsigned enumeration, unsigned member);
/* A type as people read it: "list of issue", "task?", "issue_state", "text[comment]",
 * "posted question|reminder". Any number, also one that the verifier refuses. */
void bl_module_type_name(const struct bl_module *m, bl_type type, struct bl_buf *out);

/* The module as text for people and goldens: `policyc --emit=asm`. Names instead of numbers,
 * the source line beside the code where `sources` is not NULL. */
void bl_module_disassemble(const struct bl_module *m, struct bl_sources *sources,
                           struct bl_buf *out);

#endif
