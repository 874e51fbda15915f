/* SPDX-License-Identifier: Apache-2.0 */
#include "opcode_samples.h"
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* Every opcode of the table, every operand of it: what is out of range is refused. */

struct sample {
    struct bl_arena arena;
    unsigned char *bytes;
    size_t size;
    struct bl_function function;
    uint32_t insn_count; /* of it */
    struct bl_insn *insn;
    uint32_t pc;
    size_t values; /* tried */
};

static struct sample load(size_t i)
{
    struct sample s = {.values = 0};
    struct bl_module_bytes made;

    bl_arena_init(&s.arena, SIZE_MAX, NULL);
    check(sample_of(&s.arena, opcode_samples[i].text, &made));
    s.size = made.size;
    s.bytes = bl_arena_alloc(&s.arena, 1, made.size);
    check(s.bytes != NULL);
    memcpy(s.bytes, made.bytes, made.size);
    const struct bl_function *f = sample_row(s.bytes, BL_SECTION_FUNCTIONS,
                                             sample_count(s.bytes, BL_SECTION_FUNCTIONS) - 1);
    s.function = *f;
    s.insn = sample_row(s.bytes, BL_SECTION_CODE, f->first_insn);
    s.insn_count = sample_count(s.bytes, BL_SECTION_CODE) - f->first_insn; /* it is the last */
    while (s.insn->op != opcode_samples[i].op) {
        check(s.pc + 1 < s.insn_count);
        s.insn++;
        s.pc++;
    }
    return s;
}

/* Operand number 0, 1, 2 is `value`: refused. */
static void refuse(struct sample *s, unsigned operand, uint32_t value)
{
    struct bl_insn kept = *s->insn;
    char words[512];

    if (operand == 0)
        s->insn->a = (uint8_t)value;
    else if (operand == 1)
        s->insn->b = (uint16_t)value;
    else
        s->insn->c = value;
    if (memcmp(s->insn, &kept, sizeof kept) == 0)
        return;
    sample_repair(s->bytes, s->size);
    unsigned code = verify_bytes(s->bytes, s->size, words);
    check_case("%.*s, operand %c is %u", BL_STR_ARG(bl_op_info(kept.op)->mnemonic),
               (int)('a' + (int)operand), value);
    check(code != 0);
    *s->insn = kept;
    s->values++;
}

static uint32_t rows(const struct sample *s, enum bl_operand kind)
{
    switch (kind) {
    case BL_OPERAND_NO:
        return 1;
    case BL_OPERAND_DST:
    case BL_OPERAND_SRC:
        return s->function.register_count;
    case BL_OPERAND_RANGE:
        return s->function.register_count + 1u;
    case BL_OPERAND_COUNT:
        return s->function.register_count + 1u;
    case BL_OPERAND_CONST:
        return sample_count(s->bytes, BL_SECTION_CONSTS);
    case BL_OPERAND_FN:
        return sample_count(s->bytes, BL_SECTION_FUNCTIONS);
    case BL_OPERAND_FIELD:
        return BL_FIELD_COUNT;
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
    case BL_OPERAND_RECORD:
        return sample_count(s->bytes, BL_SECTION_RECORDS);
    case BL_OPERAND_MEMBER:
        return 2; /* of the record 'answer' */
    case BL_OPERAND_TYPE:
        return BL_TYPE_KIND_COUNT;
    case BL_OPERAND_SITE:
        return sample_count(s->bytes, BL_SECTION_SITES);
    case BL_OPERAND_JUMP:
        return s->insn_count;
    case BL_OPERAND_LOOP:
        return s->insn_count;
    case BL_OPERAND_SETTING:
        return sample_count(s->bytes, BL_SECTION_SETTINGS);
    case BL_OPERAND_MESSAGE:
        return sample_count(s->bytes, BL_SECTION_MESSAGES);
    case BL_OPERAND_SANITIZER:
        return sample_count(s->bytes, BL_SECTION_SANITIZERS);
    case BL_OPERAND_SOUGHT:
        return sample_count(s->bytes, BL_SECTION_SOUGHT);
    case BL_OPERAND_SECRETS:
        return sample_count(s->bytes, BL_SECTION_SECRETS);
    case BL_OPERAND_STORE:
        return sample_count(s->bytes, BL_SECTION_STORES);
    }
    return 0;
}

static void refuse_all(struct sample *s, unsigned operand, enum bl_operand kind)
{
    static const uint32_t width[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
    const uint32_t first = rows(s, kind);
    const uint32_t more[] = {first + 1, first * 2, 250,        255,       256,
                             0x7fff,    0x8000,    0x7fffffff, 0x80000000};

    refuse(s, operand, first);
    refuse(s, operand, width[operand]);
    refuse(s, operand, width[operand] / 2 + 1);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        if (more[i] > first && more[i] <= width[operand])
            refuse(s, operand, more[i]);
    }
    if (kind == BL_OPERAND_JUMP) {
        /* Itself and everything before it. */
        for (uint32_t pc = 0; pc <= s->pc; pc++)
            refuse(s, operand, pc);
    }
    if (kind == BL_OPERAND_LOOP) {
        for (uint32_t pc = 0; pc < s->insn_count; pc++)
            refuse(s, operand, pc);
    }
}

TEST(operands_out_of_range_are_refused)
{
    for (size_t i = 0; i < BL_OP_COUNT; i++) {
        struct sample s = load(i);
        const struct bl_op_info *info = bl_op_info(opcode_samples[i].op);

        check_case("%.*s", BL_STR_ARG(info->mnemonic));
        check_int(opcode_samples[i].op, i);
        char words[512];
        unsigned code = verify_bytes(s.bytes, s.size, words);
        check_case("%.*s: %s", BL_STR_ARG(info->mnemonic), words);
        check_int(code, 0);
        refuse_all(&s, 0, info->a);
        refuse_all(&s, 1, info->b);
        refuse_all(&s, 2, info->c);
        check(s.values >= 8);
        bl_arena_reset(&s.arena);
    }
}

TEST(unknown_opcodes_are_refused)
{
    struct sample s = load(BL_OP_END);

    for (unsigned op = BL_OP_COUNT; op <= UINT8_MAX; op++) {
        s.insn->op = (uint8_t)op;
        sample_repair(s.bytes, s.size);
        check_case("opcode %u", op);
        check_int(verify_bytes(s.bytes, s.size, NULL), BL_D_CODE_OPCODE);
    }
    bl_arena_reset(&s.arena);
}

/* Every register of another type than the instruction takes or gives: each register of each
 * sample gets every other type in turn. Most are refused; what is accepted is another meaning
 * of the opcode that its rule allows, and none of these has a secret in it. */
TEST(secret_registers_fit_nowhere_but_where_values_are_carried)
{
    for (size_t i = 0; i < BL_OP_COUNT; i++) {
        struct sample s = load(i);
        bl_type *types = sample_row(s.bytes, BL_SECTION_REGISTERS, s.function.first_register);
        enum bl_opcode op = opcode_samples[i].op;

        for (unsigned reg = 0; reg < s.function.register_count; reg++) {
            bl_type kept = types[reg];

            types[reg] = BL_TYPE_SECRET;
            sample_repair(s.bytes, s.size);
            unsigned code = verify_bytes(s.bytes, s.size, NULL);
            types[reg] = kept;
            /* IS_SET looks whether there is one; BIND and the loops' own rows differ. */
            if (code == 0) {
                check_case("%.*s, register %u", BL_STR_ARG(bl_op_info(op)->mnemonic), reg);
                check(op == BL_OP_IS_SET);
            }
        }
        bl_arena_reset(&s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_out_of_range_are_refused),
        cmocka_unit_test(unknown_opcodes_are_refused),
        cmocka_unit_test(secret_registers_fit_nowhere_but_where_values_are_carried),
    };
    return check_main(tests);
}
