/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* Every opcode of the table, every operand of it: what is out of range is refused. */

/* A function in which the opcode stands, and is accepted. */
static const struct {
    enum bl_opcode op;
    const char *text;
} samples[] = {
    {BL_OP_CONST, "pure f()\n  regs int\n  const r0, 1\n  end\n"},
    {BL_OP_ABSENT, "pure f()\n  regs int?\n  absent r0\n  end\n"},
    {BL_OP_MOVE, "pure f(int)\n  regs int?\n  move r1, r0\n  end\n"},
    {BL_OP_REQUIRE, "pure f(int?)\n  regs int\n  require r1, r0\n  end\n"},
    {BL_OP_IS_SET, "pure f(int?)\n  regs bool\n  is-set r1, r0\n  end\n"},
    {BL_OP_NOT, "pure f(bool)\n  regs bool\n  not r1, r0\n  end\n"},
    {BL_OP_EQ, "pure f(label, name)\n  regs bool\n  eq r2, r0, r1\n  end\n"},
    {BL_OP_NE, "pure f(int?, int)\n  regs bool\n  ne r2, r0, r1\n  end\n"},
    {BL_OP_LT, "pure f(date, date)\n  regs bool\n  lt r2, r0, r1\n  end\n"},
    {BL_OP_LE, "pure f(int, int)\n  regs bool\n  le r2, r0, r1\n  end\n"},
    {BL_OP_ADD, "pure f(time, duration)\n  regs time\n  add r2, r0, r1\n  end\n"},
    {BL_OP_SUB, "pure f(time, time)\n  regs duration\n  sub r2, r0, r1\n  end\n"},
    {BL_OP_MUL, "pure f(int, percent)\n  regs int\n  mul r2, r0, r1\n  end\n"},
    {BL_OP_IN, "pure f(name, list of label)\n  regs bool\n  in r2, r0, r1\n  end\n"},
    {BL_OP_CONTAINS, "pure f(untrusted, text)\n  regs bool\n  contains r2, r0, r1\n  end\n"},
    {BL_OP_STARTS, "pure f(path, text)\n  regs bool\n  starts r2, r0, r1\n  end\n"},
    {BL_OP_ENDS, "pure f(name, name)\n  regs bool\n  ends r2, r0, r1\n  end\n"},
    {BL_OP_MATCHES, "pure f(untrusted, pattern)\n  regs bool\n  matches r2, r0, r1\n  end\n"},
    {BL_OP_GLOB, "pure f(path, list of path)\n  regs bool\n  glob r2, r0, r1\n  end\n"},
    {BL_OP_FIELD, "pure f(posted 0)\n  regs user\n  field r1, r0, comment.author\n  end\n"},
    {BL_OP_ATTR, "pure f(posted 1)\n  regs int\n  attr r1, r0, name \"round\"\n  end\n"},
    {BL_OP_MEMBER, "pure f(record 0)\n  regs int?\n  member r1, r0, 1\n  end\n"},
    {BL_OP_RECORD, "pure f(text, int)\n  regs record 0\n  record r2, r0, answer\n  end\n"},
    {BL_OP_VERDICT, "pure f(bool, name, text)\n  regs verdict\n  verdict r3, r0\n  end\n"},
    {BL_OP_LIST, "pure f()\n  regs list of int\n  list r0\n  end\n"},
    {BL_OP_PUSH, "pure f(int)\n  regs list of int\n  list r1\n  push r1, r0\n  end\n"},
    {BL_OP_ITER, "pure f(list of int)\n  regs list of int, iterator, int\n  move r1, r0\n"
                 "  iter r1\na:\n  next r3, r1, b\n  loop a\nb:\n  end\n"},
    {BL_OP_NEXT, "pure f(list of int)\n  regs list of int, iterator, int\n  move r1, r0\n"
                 "  iter r1\na:\n  next r3, r1, b\n  loop a\nb:\n  end\n"},
    {BL_OP_LOOP, "pure f(list of int)\n  regs list of int, iterator, int\n  move r1, r0\n"
                 "  iter r1\na:\n  next r3, r1, b\n  loop a\nb:\n  end\n"},
    {BL_OP_JUMP, "pure f()\n  jump a\na:\n  end\n"},
    {BL_OP_JUMP_IF, "pure f(bool)\n  jump-if r0, a\na:\n  end\n"},
    {BL_OP_JUMP_UNLESS, "pure f(bool)\n  jump-unless r0, a\na:\n  end\n"},
    {BL_OP_CALL, "pure f(name, int)\n  regs clean comment\n  call r2, r0, asks_en\n  end\n"},
    {BL_OP_BUILTIN, "pure f(untrusted, int)\n  regs untrusted\n  builtin r2, r0, cut\n  end\n"},
    {BL_OP_POSTED, "pure f(issue)\n  regs list of posted 1\n  posted r1, r0, posted 1\n  end\n"},
    {BL_OP_AS_POSTED, "pure f(comment)\n  regs posted 0?\n  as-posted r1, r0, posted 0\n  end\n"},
    {BL_OP_AMBIENT, "pure f()\n  regs issue\n  ambient r0, issue\n  end\n"},
    {BL_OP_BIND, "pure f(locale)\n  bind r0, language\n  end\n"},
    {BL_OP_EVENT_IS, "pure f()\n  regs bool\n  event-is r0, schedule\n  end\n"},
    {BL_OP_RENDER, "pure f(user)\n  regs clean log\n  render r1, r0, log\n  end\n"},
    {BL_OP_BUILD, "pure f(text, clean log)\n  regs clean log\n  build r2, r0, 2\n  end\n"},
    {BL_OP_MESSAGE, "pure f(name, int)\n  regs clean comment\n  message r2, r0, asks\n  end\n"},
    {BL_OP_EFFECT, "entry f(issue, label, clean timeline?) job 0\n"
                   "  effect r0, 3, add label\n  end\n"},
    {BL_OP_FIRED, "entry f()\n  fired\n  end\n"},
    {BL_OP_STEP, "test f(text)\n  step r0, 1, given maintainer\n  end\n"},
    {BL_OP_EXPECT, "test f(bool)\n  expect r0, -\n  end\n"},
    {BL_OP_RETURN, "pure f(int) : int\n  return r0\n"},
    {BL_OP_END, "pure f()\n  end\n"},
    {BL_OP_SETTING, "pure f()\n  regs int\n  setting r0, rounds\n  end\n"},
};
_Static_assert(sizeof samples / sizeof samples[0] == BL_OP_COUNT, "each opcode has its sample");

struct sample {
    struct bl_arena arena;
    unsigned char *bytes;
    size_t size;
    struct bl_function function;
    struct bl_insn *insn;
    uint32_t pc;
    size_t values; /* tried */
};

static struct sample load(size_t i)
{
    struct sample s = {.values = 0};
    struct bl_module_bytes made;

    bl_arena_init(&s.arena, SIZE_MAX, NULL);
    check(sample_of(&s.arena, samples[i].text, &made));
    s.size = made.size;
    s.bytes = bl_arena_alloc(&s.arena, 1, made.size);
    check(s.bytes != NULL);
    memcpy(s.bytes, made.bytes, made.size);
    const struct bl_function *f =
        sample_row(s.bytes, BL_SECTION_FUNCTIONS,
                   sample_count(s.bytes, BL_SECTION_FUNCTIONS) - 1);
    s.function = *f;
    s.insn = sample_row(s.bytes, BL_SECTION_CODE, f->first_insn);
    while (s.insn->op != samples[i].op) {
        check(s.pc + 1 < f->insn_count);
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
    case BL_OPERAND_RECORD:
        return sample_count(s->bytes, BL_SECTION_RECORDS);
    case BL_OPERAND_MEMBER:
        return 2; /* of the record 'answer' */
    case BL_OPERAND_TYPE:
        return BL_TYPE_KIND_COUNT;
    case BL_OPERAND_SITE:
        return sample_count(s->bytes, BL_SECTION_SITES);
    case BL_OPERAND_JUMP:
        return s->function.insn_count;
    case BL_OPERAND_LOOP:
        return s->function.insn_count;
    case BL_OPERAND_SETTING:
        return sample_count(s->bytes, BL_SECTION_SETTINGS);
    case BL_OPERAND_MESSAGE:
        return sample_count(s->bytes, BL_SECTION_MESSAGES);
    }
    return 0;
}

static void refuse_all(struct sample *s, unsigned operand, enum bl_operand kind)
{
    static const uint32_t width[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX};
    const uint32_t first = rows(s, kind);
    const uint32_t more[] = {first + 1, first * 2, 250, 255, 256, 0x7fff, 0x8000, 0x7fffffff,
                             0x80000000};

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
        for (uint32_t pc = 0; pc < s->function.insn_count; pc++)
            refuse(s, operand, pc);
    }
}

TEST(operands_out_of_range_are_refused)
{
    for (size_t i = 0; i < BL_OP_COUNT; i++) {
        struct sample s = load(i);
        const struct bl_op_info *info = bl_op_info(samples[i].op);

        check_case("%.*s", BL_STR_ARG(info->mnemonic));
        check_int(samples[i].op, i);
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
 * sample gets every other type in turn. Most are refused; what is accepted is another meaning of
 * the opcode that its rule allows, and none of these has a secret in it. */
TEST(secret_registers_fit_nowhere_but_where_values_are_carried)
{
    for (size_t i = 0; i < BL_OP_COUNT; i++) {
        struct sample s = load(i);
        bl_type *types = sample_row(s.bytes, BL_SECTION_REGISTERS, s.function.first_register);
        enum bl_opcode op = samples[i].op;

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
