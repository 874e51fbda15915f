/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_VERIFY_FLOW_H
#define BL_BYTECODE_VERIFY_FLOW_H

#include "bytecode/verifier_parts.h"

/* One function while its code is verified: what verify_code.c (order: what is written where,
 * jumps, loops) and verify_operation.c (types) share.
 *
 * Code is read once from front to back. That is enough: jumps go forward, so all that come to
 * an instruction were seen before it; and a loop goes back to where no less is known than when
 * it was entered first, since no instruction takes knowledge away but one (see `fresh`). */

#define BL_SET_WORDS     4u /* registers are at most 256 */
#define BL_OPERAND_KINDS 32u

struct bl_flow {
    uint64_t set[BL_SET_WORDS];   /* registers written on every way */
    uint64_t fresh[BL_SET_WORDS]; /* of these, lists made here that nothing else has taken */
};
/* What the jumps to an instruction further down bring. */
struct bl_pending {
    struct bl_flow flow;
    uint32_t first_source; /* the first instruction that jumps there */
    uint32_t next_free;    /* plus 1 */
};
struct bl_open_loop {
    uint32_t next; /* its NEXT */
    uint32_t exit; /* behind its LOOP */
    uint32_t list; /* register; its iterator stands behind */
};

struct bl_verify_code {
    struct bl_verify *v;
    const struct bl_function *function;
    uint32_t insn_count; /* of it */
    uint32_t index;
    const struct bl_insn *insns;
    const bl_type *types;
    unsigned register_count;
    unsigned words;                    /* of the sets */
    uint32_t bounds[BL_OPERAND_KINDS]; /* each operand is below that of its kind */
    uint32_t pc;
    uint32_t depth;   /* of calls below this function */
    bool makes_lists; /* a LIST came by: `fresh` is kept from there on */

    struct bl_flow now;
    uint64_t locked[BL_SET_WORDS]; /* lists and iterators of open loops */
    struct bl_open_loop *loops;
    uint32_t loop_count;
    uint32_t *slots; /* by instruction: index of pending plus 1, 0 when nothing jumps there */
    BL_VEC(struct bl_pending) pending;
    uint32_t free_pending; /* plus 1 */

    /* Constants that registers hold, within code that nothing jumps into: its number in the
     * high half, the index of CONSTS in the low one. */
    uint32_t block;
    uint64_t constant[256];
};

static inline bool bl_set_has(const uint64_t *set, unsigned reg)
{
    return (set[reg / 64] >> reg % 64 & 1) != 0;
}
static inline void bl_set_add(uint64_t *set, unsigned reg)
{
    set[reg / 64] |= UINT64_C(1) << reg % 64;
}
static inline void bl_set_take(uint64_t *set, unsigned reg)
{
    set[reg / 64] &= ~(UINT64_C(1) << reg % 64);
}
static inline bool bl_fits(bl_type from, bl_type to)
{
    return from == to || bl_type_fits(from, to);
}

/* A diagnostic for the instruction in hand, with `function`, `insn` and `op`. */
BL_COLD struct bl_diagnostic *bl_code_refuse(struct bl_verify_code *c,
                                             enum bl_diagnostic_code code);
BL_COLD bool bl_code_problem(struct bl_verify_code *c, enum bl_diagnostic_code code,
                             const char *problem);
BL_COLD bool bl_code_bad_operand(struct bl_verify_code *c, const char *operand, uint64_t found);
/* Operand `a`, `b` or `c`, or the number of an argument from 1, has another type. */
BL_COLD bool bl_code_bad_type(struct bl_verify_code *c, const char *operand, bl_type found,
                              const char *wanted);
BL_COLD bool bl_code_bad_fit(struct bl_verify_code *c, const char *operand, bl_type found,
                             bl_type wanted);

/* `count` registers from `first` exist, are written, and hold values. `taken`: they may be
 * known elsewhere from here on. */
bool bl_code_registers(struct bl_verify_code *c, const char *operand, uint64_t first,
                       uint64_t count, bool taken);
/* How many registers an instruction with a RANGE reads. */
uint32_t bl_code_range_count(struct bl_verify *v, const struct bl_insn *insn);

/* verify_operation.c: the type rule of the instruction, which gives the type of what it writes
 * to register a, or BL_TYPE_NONE. */
#define BL_REFUSED UINT32_MAX
bl_type bl_code_operation(struct bl_verify_code *c, enum bl_rule_kind rule,
                          const struct bl_insn *insn);
/* The instruction calls a function with calls of that depth. */
bool bl_code_called(struct bl_verify_code *c, uint32_t depth);
/* The type of the attribute that all kinds of a posted comment share; false when one lacks it.
 */
bool bl_code_attribute(const struct bl_module *m, bl_type posted, bl_str name, bl_type *result);
/* verify_sanitizer.c: SETTLE. */
bool bl_code_settle(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result);
/* verify_sanitizer.c: CLEAN. */
bool bl_code_clean(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result);
/* verify_effect.c: EFFECT, STEP, EXPECT and FIRED. */
bool bl_code_effect(struct bl_verify_code *c, const struct bl_insn *insn);
bool bl_code_step(struct bl_verify_code *c, const struct bl_insn *insn);
/* The same file: HOLDS, and the rows of the store that a STORED names. */
bl_type bl_code_rows(const struct bl_verify_code *c, const struct bl_insn *insn);
bool bl_code_holds(struct bl_verify_code *c, const struct bl_insn *insn);

/* verify_code.c: what the rules of loops and jumps need. */
bool bl_code_iter(struct bl_verify_code *c, const struct bl_insn *insn);
bool bl_code_next(struct bl_verify_code *c, const struct bl_insn *insn);
bool bl_code_loop(struct bl_verify_code *c, const struct bl_insn *insn);
bool bl_code_branch(struct bl_verify_code *c, const struct bl_insn *insn);

#endif
