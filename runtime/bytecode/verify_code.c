/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verify_flow.h"
#include "spec/signature.h"

#include <string.h>

/* Order: what is written where, jumps, loops. See verify_flow.h for why one reading is enough.
 */

/* Opcodes that look at a list and keep no hold of it. What others read may be known elsewhere
 * then. */
#define LOOKS(id)                                                                              \
    (BL_OP_##id == BL_OP_IS_SET || BL_OP_##id == BL_OP_EQ || BL_OP_##id == BL_OP_NE ||         \
     BL_OP_##id == BL_OP_IN || BL_OP_##id == BL_OP_GLOB || BL_OP_##id == BL_OP_RENDER)
#define IS_SRC(kind) (BL_OPERAND_##kind == BL_OPERAND_SRC)

/* The rows of opcodes.def as eight bytes each. */
static const struct op_row {
    uint8_t a, b, c, rule, flags;
    uint8_t sources; /* bits 0 to 2: a, b, c is a register that is read */
    bool takes;      /* what it reads may be known elsewhere then */
    bool writes;     /* a is a register that is written */
} ops[BL_OP_COUNT] = {
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc)                                         \
    [BL_OP_##id] = {BL_OPERAND_##a,   BL_OPERAND_##b,                                          \
                    BL_OPERAND_##c,   BL_RULE_##rule,                                          \
                    (uint8_t)(flags), IS_SRC(a) | IS_SRC(b) << 1 | IS_SRC(c) << 2,             \
                    !LOOKS(id),       BL_OPERAND_##a == BL_OPERAND_DST},
#include "spec/opcodes.def"
#undef BL_OP
};

/* ---- messages -----------------------------------------------------------------------------
 */

struct bl_diagnostic *bl_code_refuse(struct bl_verify_code *c, enum bl_diagnostic_code code)
{
    struct bl_diagnostic *d = bl_verify_refuse(c->v, code);
    unsigned op = c->insns[c->pc].op;

    bl_diagnostic_text(c->v->sink, d, "function",
                       bl_module_string(c->v->module, c->function->name));
    bl_diagnostic_int(c->v->sink, d, "insn", c->pc);
    if (op < BL_OP_COUNT)
        bl_diagnostic_text(c->v->sink, d, "op", bl_op_info((enum bl_opcode)op)->mnemonic);
    return d;
}

bool bl_code_problem(struct bl_verify_code *c, enum bl_diagnostic_code code,
                     const char *problem)
{
    struct bl_diagnostic *d = bl_code_refuse(c, code);

    bl_diagnostic_text(c->v->sink, d, "problem", bl_str_from(problem));
    return false;
}

bool bl_code_bad_operand(struct bl_verify_code *c, const char *operand, uint64_t found)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_OPERAND);

    bl_diagnostic_text(c->v->sink, d, "operand", bl_str_from(operand));
    bl_diagnostic_int(c->v->sink, d, "found", (int64_t)found);
    return false;
}

static void put_type(struct bl_verify_code *c, struct bl_diagnostic *d, const char *name,
                     bl_type type)
{
    struct bl_buf words;

    bl_buf_init(&words, c->v->arena, 512);
    bl_module_type_name(c->v->module, type, &words);
    bl_diagnostic_text(c->v->sink, d, name, bl_buf_str(&words));
}

bool bl_code_bad_type(struct bl_verify_code *c, const char *operand, bl_type found,
                      const char *wanted)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_TYPE);

    bl_diagnostic_text(c->v->sink, d, "operand", bl_str_from(operand));
    put_type(c, d, "found", found);
    bl_diagnostic_text(c->v->sink, d, "wanted", bl_str_from(wanted));
    return false;
}

bool bl_code_bad_fit(struct bl_verify_code *c, const char *operand, bl_type found,
                     bl_type wanted)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_TYPE);

    bl_diagnostic_text(c->v->sink, d, "operand", bl_str_from(operand));
    put_type(c, d, "found", found);
    put_type(c, d, "wanted", wanted);
    return false;
}

BL_COLD static bool unset(struct bl_verify_code *c, uint64_t reg)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_UNSET);

    bl_diagnostic_int(c->v->sink, d, "register", (int64_t)reg);
    return false;
}

/* ---- registers ----------------------------------------------------------------------------
 */

bool bl_code_registers(struct bl_verify_code *c, const char *operand, uint64_t first,
                       uint64_t count, bool taken)
{
    if (first > c->register_count || count > c->register_count - first)
        return bl_code_bad_operand(c, operand, first);
    for (uint64_t i = first; i < first + count; i++) {
        unsigned reg = (unsigned)i;

        if (!bl_set_has(c->now.set, reg))
            return unset(c, i);
        if (taken && c->makes_lists)
            bl_set_take(c->now.fresh, reg);
    }
    return true;
}

static uint32_t builtin_count(struct bl_verify *v, uint32_t builtin)
{
    struct bl_signature signature;

    if (builtin >= BL_BUILTIN_COUNT)
        return 0;
    if (v->builtin_counts[builtin] == 0 &&
        bl_signature_read(bl_builtin_info((enum bl_builtin)builtin), &signature)) {
        v->builtin_counts[builtin] = (int8_t)(signature.count + 1);
        v->builtin_repeated[builtin] = signature.repeated;
    }
    return (uint32_t)(v->builtin_counts[builtin] > 0 ? v->builtin_counts[builtin] - 1 : 0);
}

/* Of any instruction, also one whose operands nobody has looked at yet: 0 when they name
 * nothing. */
uint32_t bl_code_range_count(struct bl_verify *v, const struct bl_insn *insn)
{
    const struct bl_module *m = v->module;

    if (insn->op == BL_OP_CALL || insn->op == BL_OP_GATE || insn->op == BL_OP_ATTEMPT)
        return insn->c < m->FUNCTIONS_count ? m->FUNCTIONS_rows[insn->c].param_count : 0;
    if (insn->op == BL_OP_BUILTIN)
        return builtin_count(v, insn->c);
    if (insn->op == BL_OP_RECORD)
        return insn->c < m->RECORDS_count ? m->RECORDS_rows[insn->c].count : 0;
    if (insn->op == BL_OP_VERDICT)
        return 3;
    if (insn->op == BL_OP_CLEAN)
        return BL_CLEAN_REGISTERS;
    if (insn->op == BL_OP_BUILD)
        return insn->c;
    if (insn->op == BL_OP_MESSAGE)
        return insn->c < m->MESSAGES_count ? m->MESSAGES_rows[insn->c].param_count : 0;
    return insn->op == BL_OP_EFFECT || insn->op == BL_OP_STEP ? insn->b : 0;
}

/* ---- jumps --------------------------------------------------------------------------------
 */

static void meet(struct bl_verify_code *c, struct bl_flow *into, const struct bl_flow *with)
{
    for (unsigned i = 0; i < c->words; i++) {
        into->set[i] &= with->set[i];
        into->fresh[i] &= with->fresh[i];
    }
}

/* What is known where nothing comes: everything, so that a meeting with it changes nothing. */
static void leave_to_nowhere(struct bl_verify_code *c)
{
    for (unsigned i = 0; i < c->words; i++) {
        c->now.set[i] = UINT64_MAX;
        c->now.fresh[i] = UINT64_MAX;
    }
}

static struct bl_pending *pending_at(struct bl_verify_code *c, uint32_t target)
{
    if (c->slots[target] != 0)
        return &c->pending.items[c->slots[target] - 1];
    uint32_t number = c->free_pending;
    if (number != 0) {
        c->free_pending = c->pending.items[number - 1].next_free;
    } else {
        if (BL_PUSH(c->v->arena, c->pending) == NULL) {
            c->v->nomem = true;
            return NULL;
        }
        number = (uint32_t)c->pending.count;
    }
    c->slots[target] = number;
    return &c->pending.items[number - 1];
}

/* The instruction in hand may go on at `target`, with what is known now. */
static bool go_on_at(struct bl_verify_code *c, uint32_t target)
{
    if (target >= c->insn_count)
        return bl_code_problem(c, BL_D_CODE_JUMP, "it leaves the function");
    if (target <= c->pc)
        return bl_code_problem(c, BL_D_CODE_JUMP, "it goes back");
    bool is_first = c->slots[target] == 0;
    struct bl_pending *pending = pending_at(c, target);
    if (pending == NULL)
        return false;
    if (is_first)
        *pending = (struct bl_pending){c->now, c->pc, 0};
    else
        meet(c, &pending->flow, &c->now);
    return true;
}

/* Takes in the jumps that come to the instruction in hand. */
static bool arrive(struct bl_verify_code *c)
{
    uint32_t number = c->slots[c->pc];
    struct bl_pending *pending = &c->pending.items[number - 1];
    if (c->insns[c->pc].op == BL_OP_NEXT)
        return bl_code_problem(c, BL_D_CODE_LOOP, "a jump enters the loop behind its start");
    if (c->loop_count > 0 && pending->first_source < c->loops[c->loop_count - 1].next)
        return bl_code_problem(c, BL_D_CODE_JUMP, "a jump comes into the loop from outside");
    meet(c, &c->now, &pending->flow);
    pending->next_free = c->free_pending;
    c->free_pending = number;
    c->slots[c->pc] = 0;
    c->block++;
    return true;
}

bool bl_code_branch(struct bl_verify_code *c, const struct bl_insn *insn)
{
    if (!go_on_at(c, insn->c))
        return false;
    if (insn->op == BL_OP_JUMP)
        leave_to_nowhere(c);
    return true;
}

/* ---- loops --------------------------------------------------------------------------------
 */

bool bl_code_iter(struct bl_verify_code *c, const struct bl_insn *insn)
{
    unsigned iterator = insn->b + 1u;

    if (iterator >= c->register_count || c->types[iterator] != BL_TYPE_ITERATOR)
        return bl_code_problem(c, BL_D_CODE_LOOP, "no iterator stands behind its list");
    if (bl_set_has(c->locked, iterator))
        return bl_code_problem(c, BL_D_CODE_LOOP, "an open loop has its registers");
    if (c->loop_count >= bl_limit(BL_LIMIT_LOOP_DEPTH))
        return bl_code_problem(c, BL_D_CODE_LOOP, "loops nest too deep");
    if (c->pc + 1 >= c->insn_count || insn[1].op != BL_OP_NEXT || insn[1].b != insn->b)
        return bl_code_problem(c, BL_D_CODE_LOOP, "its NEXT does not follow");
    return true;
}

/* Operands of code further down may be anything. */
static void take_operand(uint64_t *fresh, uint32_t reg)
{
    if (reg < 64 * BL_SET_WORDS)
        bl_set_take(fresh, reg);
}

/* A list that the body lets out, or puts another in the place of, may be known elsewhere when
 * the body begins again, so it is not fresh in the body from the start. Bodies nest no deeper
 * than limits.def says, so all these readings together are linear. */
static void take_from_body(struct bl_verify_code *c, uint32_t from, uint32_t to)
{
    uint64_t any = 0;

    for (unsigned i = 0; c->makes_lists && i < c->words; i++)
        any |= c->now.fresh[i];
    for (uint32_t pc = from; any != 0 && pc < to; pc++) {
        const struct bl_insn *insn = &c->insns[pc];

        if (insn->op >= BL_OP_COUNT)
            continue;
        if (ops[insn->op].writes && insn->op != BL_OP_LIST)
            take_operand(c->now.fresh, insn->a);
        if (!ops[insn->op].takes)
            continue;
        if ((ops[insn->op].sources & 2) != 0)
            take_operand(c->now.fresh, insn->b);
        if ((ops[insn->op].sources & 4) != 0)
            take_operand(c->now.fresh, insn->c);
        uint32_t count = bl_code_range_count(c->v, insn);
        uint32_t first = ops[insn->op].a == BL_OPERAND_RANGE ? insn->a : insn->b;
        for (uint32_t i = 0; i < count && first + i < c->register_count; i++)
            bl_set_take(c->now.fresh, first + i);
    }
}

bool bl_code_next(struct bl_verify_code *c, const struct bl_insn *insn)
{
    uint32_t exit = insn->c;

    if (c->pc == 0 || insn[-1].op != BL_OP_ITER || insn[-1].b != insn->b)
        return bl_code_problem(c, BL_D_CODE_LOOP, "its ITER does not stand before it");
    if (exit < c->pc + 2 || exit >= c->insn_count || c->insns[exit - 1].op != BL_OP_LOOP ||
        c->insns[exit - 1].c != c->pc)
        return bl_code_problem(c, BL_D_CODE_LOOP, "its exit does not stand behind its LOOP");
    if (c->loop_count > 0 && exit >= c->loops[c->loop_count - 1].exit)
        return bl_code_problem(c, BL_D_CODE_LOOP, "it does not end within the loop around it");
    take_from_body(c, c->pc + 1, exit - 1);
    if (!go_on_at(c, exit))
        return false;
    c->loops[c->loop_count++] = (struct bl_open_loop){c->pc, exit, insn->b};
    bl_set_add(c->locked, insn->b);
    bl_set_add(c->locked, insn->b + 1u);
    c->block++;
    return true;
}

bool bl_code_loop(struct bl_verify_code *c, const struct bl_insn *insn)
{
    if (c->loop_count == 0 || c->loops[c->loop_count - 1].next != insn->c ||
        c->loops[c->loop_count - 1].exit != c->pc + 1)
        return bl_code_problem(c, BL_D_CODE_LOOP, "it is not the end of the innermost loop");
    const struct bl_open_loop *loop = &c->loops[--c->loop_count];
    bl_set_take(c->locked, loop->list);
    bl_set_take(c->locked, loop->list + 1);
    leave_to_nowhere(c);
    return true;
}

/* ---- operands -----------------------------------------------------------------------------
 */

/* What operands of a kind are below; of kinds without a table, whatever the rule looks at. */
static uint32_t bound_of(const struct bl_module *m, enum bl_operand kind)
{
    switch (kind) {
    case BL_OPERAND_CONST:
        return m->CONSTS_count;
    case BL_OPERAND_FN:
        return m->FUNCTIONS_count;
    case BL_OPERAND_BUILTIN:
        return BL_BUILTIN_COUNT;
    case BL_OPERAND_AMBIENT:
        return BL_AMBIENT_COUNT;
    case BL_OPERAND_EVENT:
        return BL_EVENT_COUNT;
    case BL_OPERAND_PLACE:
        return BL_PLACE_COUNT;
    case BL_OPERAND_TRUTH:
        return 2;
    case BL_OPERAND_FIELD:
        return BL_FIELD_COUNT;
    case BL_OPERAND_RECORD:
        return m->RECORDS_count;
    case BL_OPERAND_SITE:
        return m->SITES_count;
    case BL_OPERAND_SETTING:
        return m->SETTINGS_count;
    case BL_OPERAND_SOUGHT:
        return m->SOUGHT_count;
    case BL_OPERAND_SECRETS:
        return m->SECRETS_count;
    case BL_OPERAND_STORE:
        return m->STORES_count;
    case BL_OPERAND_MESSAGE:
        return m->MESSAGES_count;
    case BL_OPERAND_SANITIZER:
        return m->SANITIZERS_count;
    case BL_OPERAND_NO:
        return 1;
    case BL_OPERAND_DST:
    case BL_OPERAND_SRC:
    case BL_OPERAND_RANGE:
    case BL_OPERAND_COUNT:
    case BL_OPERAND_MEMBER:
    case BL_OPERAND_TYPE:
    case BL_OPERAND_JUMP:
    case BL_OPERAND_LOOP:
        break;
    }
    return UINT32_MAX;
}

/* Something is; says what. */
BL_COLD static bool out_of_bounds(struct bl_verify_code *c, const struct bl_insn *insn)
{
    unsigned op = insn->op;

    if (insn->b >= c->bounds[ops[op].b])
        return bl_code_bad_operand(c, "b", insn->b);
    if (insn->c >= c->bounds[ops[op].c])
        return bl_code_bad_operand(c, "c", insn->c);
    /* A call without result names no register; its rule knows. */
    return (op == BL_OP_CALL && insn->a == BL_NO_REGISTER) ||
           bl_code_bad_operand(c, "a", insn->a);
}

/* Iterators are never written by what counts here, so nothing reads them either. */
static bool read_register(struct bl_verify_code *c, unsigned reg, bool taken)
{
    if (!bl_set_has(c->now.set, reg))
        return unset(c, reg);
    if (taken)
        bl_set_take(c->now.fresh, reg);
    return true;
}

/* ---- one instruction ----------------------------------------------------------------------
 */

static bool write_register(struct bl_verify_code *c, const struct bl_insn *insn, bl_type result)
{
    unsigned reg = insn->a;

    if (!bl_fits(result, c->types[reg]))
        return bl_code_bad_fit(c, "a", result, c->types[reg]);
    if (c->loop_count > 0 && bl_set_has(c->locked, reg))
        return bl_code_problem(c, BL_D_CODE_LOOP, "an open loop has its registers");
    bl_set_add(c->now.set, reg);
    if (insn->op == BL_OP_LIST) {
        bl_set_add(c->now.fresh, reg);
        c->makes_lists = true;
    } else if (c->makes_lists) {
        bl_set_take(c->now.fresh, reg);
    }
    c->constant[reg] = insn->op == BL_OP_CONST ? (uint64_t)c->block << 32 | insn->c : 0;
    return true;
}

static bool check_insn(struct bl_verify_code *c, const struct bl_insn *insn)
{
    if (insn->op >= BL_OP_COUNT) {
        struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_OPCODE);

        bl_diagnostic_int(c->v->sink, d, "found", insn->op);
        return false;
    }
    const struct op_row *op = &ops[insn->op];
    const uint32_t *bounds = c->bounds;
    bool taken = c->makes_lists && op->takes;
    if ((insn->a >= bounds[op->a] || insn->b >= bounds[op->b] || insn->c >= bounds[op->c]) &&
        !out_of_bounds(c, insn))
        return false;
    if (((op->sources & 2) != 0 && !read_register(c, insn->b, taken)) ||
        ((op->sources & 4) != 0 && !read_register(c, insn->c, taken)) ||
        ((op->sources & 1) != 0 && !read_register(c, insn->a, taken && insn->op != BL_OP_PUSH)))
        return false;
    bl_type result = bl_code_operation(c, (enum bl_rule_kind)op->rule, insn);
    if (result == BL_REFUSED)
        return false;
    if (op->writes && result != BL_TYPE_NONE && !write_register(c, insn, result))
        return false;
    if ((op->flags & BL_OP_E) != 0)
        leave_to_nowhere(c);
    return true;
}

/* ---- functions ----------------------------------------------------------------------------
 */

static bool check_function(struct bl_verify_code *c, uint32_t index)
{
    const struct bl_module *m = c->v->module;

    c->index = index;
    c->function = &m->FUNCTIONS_rows[index];
    c->insns = bl_module_code(m, c->function);
    c->insn_count = bl_module_insn_count(m, c->function);
    c->types = bl_module_registers(m, c->function);
    c->register_count = c->function->register_count;
    c->bounds[BL_OPERAND_SRC] = c->register_count;
    c->bounds[BL_OPERAND_DST] = c->register_count;
    c->words = (c->register_count + 63) / 64;
    c->depth = 0;
    c->loop_count = 0;
    c->makes_lists = false;
    c->block++;
    memset(&c->now, 0, sizeof c->now);
    memset(c->locked, 0, sizeof c->locked);
    for (unsigned i = 0; i < c->function->param_count; i++)
        bl_set_add(c->now.set, i);
    for (uint32_t pc = 0; pc < c->insn_count; pc++) {
        c->pc = pc;
        if ((c->slots[pc] != 0 && !arrive(c)) || !check_insn(c, &c->insns[pc]))
            return false;
    }
    if ((ops[c->insns[c->insn_count - 1].op].flags & BL_OP_E) == 0)
        return bl_code_problem(c, BL_D_CODE_END, "the function does not end with it");
    c->v->depths[index] = (uint8_t)(c->depth + 1);
    return true;
}

bool bl_verify_code(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    struct bl_verify_code *c = bl_verify_scratch(v, 1, sizeof *c);
    uint32_t longest = 0;

    for (uint32_t i = 0; i < m->FUNCTIONS_count; i++) {
        uint32_t count = bl_module_insn_count(m, &m->FUNCTIONS_rows[i]);

        if (count > longest)
            longest = count;
    }
    v->depths = bl_verify_scratch(v, m->FUNCTIONS_count, 1);
    if (c == NULL || v->depths == NULL)
        return false;
    c->v = v;
    for (unsigned kind = 0; kind < BL_OPERAND_KINDS; kind++)
        c->bounds[kind] = bound_of(m, (enum bl_operand)kind);
    c->loops = bl_verify_scratch(v, (size_t)bl_limit(BL_LIMIT_LOOP_DEPTH), sizeof *c->loops);
    c->slots = bl_verify_scratch(v, longest, sizeof *c->slots);
    if (v->nomem)
        return false;
    for (uint32_t i = 0; i < m->FUNCTIONS_count; i++) {
        if (!check_function(c, i))
            return false;
    }
    return true;
}
