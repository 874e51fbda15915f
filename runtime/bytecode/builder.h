/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_BUILDER_H
#define BL_BYTECODE_BUILDER_H

#include "bytecode/module.h"
#include "text/pattern.h"

/* Makes the bytes of a module. Used by grammar/emit, and by tests for modules that no compiler
 * would make: the builder checks sizes, not promises. What it gives is unverified; call
 * bl_module_verify.
 *
 * Failure is sticky: after the first one `status` says which and everything does nothing, gives
 * BL_NONE, an empty ref, register 0. So an emitter builds on and looks once, at
 * bl_builder_finish. Everything lives in the arena. Equal calls in equal order give equal
 * bytes.
 */
struct bl_builder_intern; /* open hash tables, bytecode/builder.c */

struct bl_builder {
    struct bl_arena *arena;
    enum bl_status status; /* BL_OK, BL_ERR_NOMEM, BL_ERR_LIMIT, BL_ERR_INTERNAL (wrong use) */
    enum bl_limit limit;   /* which one, after BL_ERR_LIMIT */
    const char *wrong;     /* after BL_ERR_INTERNAL: which contract the caller broke */
    struct bl_builder_intern *intern;
/* The rows so far, by section: builder->ENTRIES.items[i]. They may be changed until the end,
 * but for STRINGS, CONSTS, PATTERNS, BLOBS, CODE and MAP. */
#define BL_SECTION(id, name, row, doc) BL_VEC(row) id;
#include "bytecode/sections.def"
#undef BL_SECTION
};

/* NULL when out of memory. INFO has its one row, with empty texts. */
struct bl_builder *bl_builder_create(struct bl_arena *arena);

/* Adds a row behind the others and gives its index: bl_add_JOBS(b, (struct bl_module_job){…}).
 * One function for each section; sections with a function of their own below are better filled
 * through that. */
#define BL_SECTION(id, name, row, doc) uint32_t bl_add_##id(struct bl_builder *b, row value);
#include "bytecode/sections.def"
#undef BL_SECTION

/* ---- texts, constants, types ------------------------------------------------------------- */

/* The text in the pool, once for equal bytes. Valid UTF-8 without NUL, or BL_ERR_INTERNAL. */
struct bl_string_ref bl_builder_string(struct bl_builder *b, bl_str s);

/* Index of CONSTS, once for equal type and value. */
uint32_t bl_builder_number(struct bl_builder *b, bl_type type, int64_t payload);
uint32_t bl_builder_text(struct bl_builder *b, bl_type type, bl_str s);

/* The type POSTED of these kinds of comments (indices of COMMENTS) in any order, repetitions
 * allowed; one row for equal sets. BL_TYPE_ERROR after a failure. */
bl_type bl_builder_posted(struct bl_builder *b, const uint32_t *kinds, size_t count);

/* Where these types follow each other in REGISTERS, once for equal lists. */
uint32_t bl_builder_types(struct bl_builder *b, const bl_type *types, size_t count);

/* Index of PATTERNS, once for equal bytes. `source` is what the disassembler shows. */
uint32_t bl_builder_pattern(struct bl_builder *b, bl_str source, struct bl_pattern pattern);

/* ---- declarations ------------------------------------------------------------------------ */

/* Index of ENUMS; the type is BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + index). */
uint32_t bl_builder_enum(struct bl_builder *b, bl_str name, const bl_str *members,
                         size_t count);

struct bl_builder_member {
    bl_str name;
    bl_type type;
    uint32_t flags; /* BL_ATTRIBUTE_ONCE, of attributes alone */
};
/* Index of RECORDS. Records that it holds come first. */
uint32_t bl_builder_record(struct bl_builder *b, bl_str name,
                           const struct bl_builder_member *fields, size_t count);
/* Index of COMMENTS: a kind of comment with its attributes. */
uint32_t bl_builder_comment(struct bl_builder *b, bl_str name,
                            const struct bl_builder_member *attributes, size_t count);

/* Index of LABELS. The first option and its count in `row` are set from `options`. */
uint32_t bl_builder_label(struct bl_builder *b, struct bl_module_label row,
                          const bl_str *options, size_t option_count);
/* Index of LOCALES. `months`: twelve, or NULL. `stopwords` are sorted here and kept once each.
 * The ranges in `row` are set. */
uint32_t bl_builder_locale(struct bl_builder *b, struct bl_module_locale row,
                           const bl_str *months, const bl_str *stopwords,
                           size_t stopword_count);
/* Index of MESSAGES, after all its functions and before all who call it. `functions`: one for
 * each locale in the order of LOCALES, BL_NONE where the locale has none of its own. */
uint32_t bl_builder_message(struct bl_builder *b, bl_str name, const uint32_t *functions,
                            size_t locale_count, uint32_t param_count);

/* ---- rules and their index ----------------------------------------------------------------
 */

/* Any order: the rows are sorted at the end. */
void bl_builder_event_rule(struct bl_builder *b, enum bl_event_id event, uint32_t entry);
void bl_builder_override(struct bl_builder *b, uint32_t winner, uint32_t loser);
/* The fact that the rule `entry` needs, at most one for each. Rows are sorted at the end and
 * the entries' first_access is set; leave it BL_NONE. `path` is a fact, or for patterns the
 * set. A key above limits.def's index_key_bytes adds no row: the rule is always a candidate. */
void bl_builder_access_text(struct bl_builder *b, enum bl_access_kind kind, uint32_t path,
                            bl_str key, uint32_t entry);
void bl_builder_access_number(struct bl_builder *b, enum bl_access_kind kind, uint32_t path,
                              uint32_t key, uint32_t entry);
/* Index of SETS; at most one for each fact. `sources`: of each pattern of the set, of which the
 * first `literal_count` are plain texts. Their rows of SOUGHT follow each other from the set's
 * first_sought. */
uint32_t bl_builder_set(struct bl_builder *b, uint32_t fact, struct bl_pattern set,
                        const bl_str *sources, size_t literal_count);

/* Index of SIEVES: where patterns of a set of secrets or a redaction may begin. */
uint32_t bl_builder_sieve(struct bl_builder *b, struct bl_pattern set);

/* ---- functions ----------------------------------------------------------------------------
 */

/* A function under construction. Several may be open at once; each gets its index when it ends,
 * so a callee that is not there yet can be made while its caller is open, and calls go to lower
 * indices by themselves.
 *
 * A register keeps the type of its first use for the whole function; a register that was given
 * back is used again for the same type alone. No register has a type with ERROR or NONE in it:
 * whoever needs an empty list says a list of what. */
struct bl_code {
    struct bl_builder *builder;
    struct bl_function row;
    BL_VEC(struct bl_insn) insns;
    BL_VEC(struct bl_map_row) map;
    struct bl_map_row place; /* of the last instruction, which need not have a row */
    bool has_place;
    uint32_t joined;          /* the instruction that was a target last; BL_NONE */
    uint8_t ambient_in[256];  /* the ambient that a register holds for certain, plus 1; or 0 */
    BL_VEC(uint32_t) targets; /* place of each, BL_NONE until it has one */
    BL_VEC(uint8_t) taken;    /* registers in the order in which they were taken */
    bl_type types[256];
    bool in_use[256];
};

/* Never NULL but when out of memory (then everything below takes NULL and does nothing). `job`:
 * of ENTRY functions, else BL_NONE. `result`: BL_TYPE_NONE for none. */
struct bl_code *bl_code_begin(struct bl_builder *b, bl_str name, enum bl_function_kind kind,
                              bl_type result, uint32_t job);
/* Parameters come first, in order, before any other register. They are never given back. */
unsigned bl_code_param(struct bl_code *code, bl_type type);

/* A free register of that type. BL_ERR_LIMIT above limits.def's registers. */
unsigned bl_code_register(struct bl_code *code, bl_type type);
/* Consecutive registers of these types: what RANGE operands take. The first; 0 for count 0. */
unsigned bl_code_range(struct bl_code *code, const bl_type *types, size_t count);
/* What was taken after the mark is given back: registers are scoped as blocks are. Registers
 * taken before a loop are taken in it, too. */
size_t bl_code_mark(const struct bl_code *code);
void bl_code_release(struct bl_code *code, size_t mark);
static inline bl_type bl_code_type(const struct bl_code *code, unsigned reg)
{
    return code != NULL ? code->types[reg & 255u] : (bl_type)BL_TYPE_ERROR;
}

/* Appends an instruction and gives its index in this function. Operands as opcodes.def says;
 * not for opcodes with a JUMP or LOOP operand. A span without source keeps the place of the
 * instruction before. An AMBIENT whose register holds that thing already is left out. */
uint32_t bl_code_emit(struct bl_code *code, enum bl_opcode op, unsigned a, unsigned b,
                      uint32_t c, struct bl_span span);
/* Where a value was made in a register that was taken behind the mark, to be moved: its
 * instruction writes `to` at once. False when that cannot be, or would mean something else. */
bool bl_code_redirect(struct bl_code *code, unsigned from, unsigned to, size_t mark);
/* The last instruction gives the value of a condition that a person wrote (BL_MAP_CONDITION).
 * Does nothing when it writes no bool, since the value came from somewhere else: from a
 * variable, or out of a loop. MOVE it first where it shall be seen. */
void bl_code_condition(struct bl_code *code);
/* The last instruction gives a bool that explanations show (BL_MAP_REASON). */
void bl_code_reason(struct bl_code *code);
/* The last instruction is passed by whoever takes a row: BL_MAP_ROW. */
void bl_code_row(struct bl_code *code);

/* A place further down that can be jumped to before it is known. */
unsigned bl_code_target(struct bl_code *code);
/* JUMP (reg is 0), JUMP_IF or JUMP_UNLESS to a target without place yet. */
void bl_code_jump(struct bl_code *code, enum bl_opcode op, unsigned reg, unsigned target,
                  struct bl_span span);
/* The next instruction is the target's place. Each target gets one place, behind its jumps. */
void bl_code_place(struct bl_code *code, unsigned target);

/* for each element in list:
 *
 *     unsigned list = bl_code_loop_list(code, list_type);     the list, an iterator behind it
 *     … compute the list into it …
 *     struct bl_code_loop loop = bl_code_loop_begin(code, list, element, span);
 *     … body: jump to loop.again for the next element, to loop.exit to leave …
 *     bl_code_loop_end(code, &loop, span);
 *
 * The list and its iterator may not be written in the body, and no list that the body reads
 * (but for IN, EQ, IS_SET) may be one that it pushes to and that was made outside of it. */
struct bl_code_loop {
    uint32_t next;
    unsigned again, exit; /* targets */
};
unsigned bl_code_loop_list(struct bl_code *code, bl_type list_type);
struct bl_code_loop bl_code_loop_begin(struct bl_code *code, unsigned list, unsigned element,
                                       struct bl_span span);
void bl_code_loop_end(struct bl_code *code, const struct bl_code_loop *loop,
                      struct bl_span span);

/* Ends the function and gives its index in FUNCTIONS. Every target that was jumped to has its
 * place. BL_ERR_LIMIT above limits.def's function_instructions. */
uint32_t bl_code_end(struct bl_code *code);

/* ---- the end -------------------------------------------------------------------------------
 */

struct bl_module_bytes {
    const void *bytes; /* aligned to 8, in the builder's arena */
    size_t size;
};
/* Sorts what is sorted, lays out the sections, writes header and checksum (bytecode/writer.c).
 * The builder is done then. BL_ERR_NOMEM, BL_ERR_LIMIT (module_bytes too), BL_ERR_INTERNAL. */
BL_NODISCARD enum bl_status bl_builder_finish(struct bl_builder *b,
                                              struct bl_module_bytes *out);

#endif
