/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

static const bl_type issue = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);

struct made {
    struct bl_arena arena;
    struct bl_builder *b;
};

/* Where it lies, since the builder knows the arena's address. */
static void begin(struct made *m)
{
    bl_arena_init(&m->arena, SIZE_MAX, NULL);
    m->b = bl_builder_create(&m->arena);
    check(m->b != NULL);
}

static struct bl_span at(uint32_t lo, uint32_t hi)
{
    return (struct bl_span){lo, hi, 0};
}

static unsigned finish(struct made *m, char words[512])
{
    struct bl_module_bytes bytes;

    check_status(bl_builder_finish(m->b, &bytes), BL_OK);
    unsigned code = verify_bytes(bytes.bytes, bytes.size, words);
    bl_arena_reset(&m->arena);
    return code;
}

/* ---- texts, constants, types --------------------------------------------------------------
 */

TEST(equal_texts_stand_in_the_pool_once)
{
    struct made m;
    begin(&m);
    struct bl_string_ref first = bl_builder_string(m.b, BL_STR("needs info"));
    struct bl_string_ref again;

    for (unsigned i = 0; i < 1000; i++) {
        char text[16] = {(char)('a' + i % 26), (char)('a' + i / 26 % 26),
                         (char)('a' + i / 676)};

        bl_builder_string(m.b, bl_str_from(text));
    }
    again = bl_builder_string(m.b, BL_STR("needs info"));
    check_int(again.offset, first.offset);
    check_int(again.length, 10);
    check_str(((bl_str){m.b->STRINGS.items + first.offset, first.length}), "needs info");
    check_int(m.b->STRINGS.items[first.offset + 10], 0);
    /* The empty one, "needs info", and the thousand. */
    check_size(m.b->STRINGS.count, 1 + 11 + 4 * 1000);
    bl_arena_reset(&m.arena);
}

TEST(texts_that_no_module_may_hold_are_the_callers_mistake)
{
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {{"\xff", 1}, {"a\0b", 3}, {"\xc3", 1}, {"\xed\xa0\x80", 3}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made m;
        begin(&m);
        struct bl_module_bytes out;

        bl_builder_string(m.b, (bl_str){cases[i].bytes, cases[i].len});
        check_case("text %zu", i);
        check_status(m.b->status, BL_ERR_INTERNAL);
        check(m.b->wrong != NULL);
        /* Failure stays, and whatever comes after does nothing. */
        check_int(bl_builder_number(m.b, BL_TYPE_INT, 1), BL_NONE);
        check(bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE) == NULL);
        check_status(bl_builder_finish(m.b, &out), BL_ERR_INTERNAL);
        check(out.bytes == NULL);
        bl_arena_reset(&m.arena);
    }
}

TEST(equal_constants_have_one_row)
{
    struct made m;
    begin(&m);
    uint32_t three = bl_builder_number(m.b, BL_TYPE_INT, 3);
    uint32_t days = bl_builder_number(m.b, BL_TYPE_DURATION, 3);
    uint32_t bug = bl_builder_text(m.b, BL_TYPE_LABEL, BL_STR("bug"));
    uint32_t word = bl_builder_text(m.b, BL_TYPE_TEXT, BL_STR("bug"));

    check_int(bl_builder_number(m.b, BL_TYPE_INT, 3), three);
    check_int(bl_builder_text(m.b, BL_TYPE_LABEL, BL_STR("bug")), bug);
    check(three != days && bug != word);
    check_size(m.b->CONSTS.count, 4);
    check_int(m.b->CONSTS.items[bug].payload, m.b->CONSTS.items[word].payload);
    bl_arena_reset(&m.arena);
}

TEST(equal_sets_of_kinds_are_one_type)
{
    struct made m;
    begin(&m);
    bl_type both = bl_builder_posted(m.b, (const uint32_t[]){3, 1}, 2);

    check_int(bl_type_kind(both), BL_TYPE_POSTED);
    check_int(bl_builder_posted(m.b, (const uint32_t[]){1, 3, 1}, 3), both);
    check(bl_builder_posted(m.b, (const uint32_t[]){1}, 1) != both);
    check_int(m.b->POSTED_KINDS.items[0], 1);
    check_int(m.b->POSTED_KINDS.items[1], 3);
    check_size(m.b->POSTED_SETS.count, 2);
    check_int(bl_builder_posted(m.b, NULL, 0), BL_TYPE_ERROR);
    check_status(m.b->status, BL_ERR_LIMIT);
    check_int(m.b->limit, BL_LIMIT_POSTED_KINDS);
    bl_arena_reset(&m.arena);
}

/* ---- registers ----------------------------------------------------------------------------
 */

TEST(a_register_keeps_its_type)
{
    struct made m;
    begin(&m);
    struct bl_code *f =
        bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE);
    unsigned param = bl_code_param(f, issue);
    size_t mark = bl_code_mark(f);
    unsigned number = bl_code_register(f, BL_TYPE_INT);
    unsigned text = bl_code_register(f, BL_TYPE_TEXT);

    check_int(param, 0);
    check(number != text && number != param);
    bl_code_release(f, mark);
    check_int(bl_code_register(f, BL_TYPE_TEXT), text);
    check_int(bl_code_register(f, BL_TYPE_INT), number);
    unsigned more = bl_code_register(f, BL_TYPE_INT);
    check(more != number && more != text);
    check_int(bl_code_type(f, text), BL_TYPE_TEXT);
    check_int(bl_code_type(f, more), BL_TYPE_INT);
    check_int(f->row.register_count, 4);
    bl_arena_reset(&m.arena);
}

TEST(ranges_are_consecutive_and_take_free_registers)
{
    struct made m;
    begin(&m);
    struct bl_code *f =
        bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE);
    const bl_type pair[] = {BL_TYPE_INT, BL_TYPE_TEXT};
    const bl_type triple[] = {BL_TYPE_INT, BL_TYPE_TEXT, BL_TYPE_BOOL};
    size_t mark = bl_code_mark(f);
    unsigned first = bl_code_range(f, pair, 2);

    check_int(bl_code_range(f, pair, 2), first + 2);
    bl_code_release(f, mark);
    /* The two at the end are free and fit, and one more makes three. */
    check_int(bl_code_range(f, triple, 3), first + 2);
    check_int(f->row.register_count, 5);
    check_int(bl_code_range(f, pair, 2), first);
    check_int(bl_code_range(f, NULL, 0), 0);
    bl_arena_reset(&m.arena);
}

TEST(registers_and_instructions_have_limits)
{
    struct made m;
    begin(&m);
    struct bl_code *f =
        bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE);

    for (unsigned i = 0; i < 250; i++)
        check_int(bl_code_register(f, BL_TYPE_INT), i);
    check_status(m.b->status, BL_OK);
    bl_code_register(f, BL_TYPE_INT);
    check_status(m.b->status, BL_ERR_LIMIT);
    check_int(m.b->limit, BL_LIMIT_REGISTERS);
    bl_arena_reset(&m.arena);

    begin(&m);
    f = bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_ENTRY, BL_TYPE_NONE, BL_NONE);
    for (unsigned i = 0; i < 65534; i++)
        bl_code_emit(f, BL_OP_FIRED, 0, 0, 0, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_END, 0, 0, 0, BL_NO_SPAN);
    check_status(m.b->status, BL_OK);
    bl_code_end(f);
    check_int(finish(&m, NULL), 0);

    begin(&m);
    f = bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_ENTRY, BL_TYPE_NONE, BL_NONE);
    for (unsigned i = 0; i < 65536; i++)
        bl_code_emit(f, BL_OP_FIRED, 0, 0, 0, BL_NO_SPAN);
    check_status(m.b->status, BL_ERR_LIMIT);
    check_int(m.b->limit, BL_LIMIT_FUNCTION_INSTRUCTIONS);
    bl_arena_reset(&m.arena);
}

/* ---- code ---------------------------------------------------------------------------------
 */

/* A callee that is made while its caller is open gets the lower number. */
TEST(functions_get_their_numbers_when_they_end)
{
    struct made m;
    begin(&m);
    struct bl_code *f = bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_INT, BL_NONE);
    unsigned reg = bl_code_register(f, BL_TYPE_INT);
    struct bl_code *g = bl_code_begin(m.b, BL_STR("g"), BL_FUNCTION_PURE, BL_TYPE_INT, BL_NONE);
    unsigned other = bl_code_register(g, BL_TYPE_INT);

    bl_code_emit(g, BL_OP_CONST, other, 0, bl_builder_number(m.b, BL_TYPE_INT, 1), BL_NO_SPAN);
    bl_code_emit(g, BL_OP_RETURN, 0, other, 0, BL_NO_SPAN);
    uint32_t callee = bl_code_end(g);
    check_int(callee, 0);
    bl_code_emit(f, BL_OP_CALL, reg, 0, callee, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_RETURN, 0, reg, 0, BL_NO_SPAN);
    check_int(bl_code_end(f), 1);
    check_int(finish(&m, NULL), 0);
}

TEST(jumps_are_patched_and_loops_are_whole)
{
    struct made m;
    begin(&m);
    struct bl_code *f =
        bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_LIST_OF(BL_TYPE_INT), BL_NONE);
    unsigned from = bl_code_param(f, BL_LIST_OF(BL_TYPE_INT));
    unsigned result = bl_code_register(f, BL_LIST_OF(BL_TYPE_INT));
    unsigned element = bl_code_register(f, BL_TYPE_INT);
    unsigned seen = bl_code_register(f, BL_TYPE_BOOL);
    unsigned list = bl_code_loop_list(f, BL_OPTIONAL(BL_LIST_OF(BL_TYPE_INT)));
    char words[512];

    bl_code_emit(f, BL_OP_LIST, result, 0, 0, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_MOVE, list, from, 0, BL_NO_SPAN);
    struct bl_code_loop loop = bl_code_loop_begin(f, list, element, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_IN, seen, element, result, BL_NO_SPAN);
    bl_code_jump(f, BL_OP_JUMP_IF, seen, loop.again, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_PUSH, result, element, 0, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_EQ, seen, element, element, BL_NO_SPAN);
    bl_code_jump(f, BL_OP_JUMP_UNLESS, seen, loop.exit, BL_NO_SPAN);
    bl_code_loop_end(f, &loop, BL_NO_SPAN);
    bl_code_emit(f, BL_OP_RETURN, 0, result, 0, BL_NO_SPAN);
    check_int(bl_code_type(f, list + 1), BL_TYPE_ITERATOR);
    bl_code_end(f);
    const struct bl_insn *code = m.b->CODE.items;
    check_int(code[3].op, BL_OP_NEXT);
    check_int(code[3].c, 10); /* behind LOOP */
    check_int(code[5].c, 9);  /* LOOP */
    check_int(code[8].c, 10);
    check_int(code[9].op, BL_OP_LOOP);
    check_int(code[9].c, 3);
    check_int(finish(&m, words), 0);
}

TEST(wrong_use_of_code_is_the_callers_mistake)
{
    for (unsigned i = 0; i < 8; i++) {
        struct made m;
        begin(&m);
        struct bl_code *f =
            bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE);
        unsigned target = bl_code_target(f);

        switch (i) {
        case 0: /* a parameter behind another register */
            bl_code_register(f, BL_TYPE_INT);
            bl_code_param(f, BL_TYPE_INT);
            break;
        case 1: /* a jump as a plain instruction */
            bl_code_emit(f, BL_OP_JUMP, 0, 0, 1, BL_NO_SPAN);
            break;
        case 2: /* a jump back */
            bl_code_place(f, target);
            bl_code_jump(f, BL_OP_JUMP, 0, target, BL_NO_SPAN);
            break;
        case 3: /* a target with two places */
            bl_code_place(f, target);
            bl_code_place(f, target);
            break;
        case 4: /* a target without place */
            bl_code_jump(f, BL_OP_JUMP, 0, target, BL_NO_SPAN);
            bl_code_end(f);
            break;
        case 5: /* a target that is none */
            bl_code_jump(f, BL_OP_JUMP, 0, 17, BL_NO_SPAN);
            break;
        case 6: /* an operand that has no room */
            bl_code_emit(f, BL_OP_MOVE, 256, 0, 0, BL_NO_SPAN);
            break;
        default: /* an opcode that jumps by nothing */
            bl_code_jump(f, BL_OP_MOVE, 0, target, BL_NO_SPAN);
            break;
        }
        check_case("mistake %u", i);
        check_status(m.b->status, BL_ERR_INTERNAL);
        bl_arena_reset(&m.arena);
    }
}

/* ---- map ----------------------------------------------------------------------------------
 */

TEST(the_map_has_a_row_where_the_place_changes)
{
    struct made m;
    begin(&m);
    struct bl_module_bytes bytes;
    struct bl_module module;
    struct bl_diagnostics sink;
    struct bl_module_source source = {.path = bl_builder_string(m.b, BL_STR("a.policy")),
                                      .bytes = 100};
    struct bl_code *f =
        bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_BOOL, BL_NONE);
    unsigned reg = bl_code_param(f, BL_TYPE_BOOL);

    bl_add_SOURCES(m.b, source);
    bl_code_emit(f, BL_OP_MOVE, reg, reg, 0, at(50, 60)); /* 0: cannot fail, so nobody asks */
    bl_code_emit(f, BL_OP_EQ, reg, reg, reg, at(10, 20)); /* 1 */
    bl_code_emit(f, BL_OP_EQ, reg, reg, reg, at(10, 20)); /* 2: the same */
    bl_code_emit(f, BL_OP_NOT, reg, reg, 0, at(10, 20));  /* 3: a condition */
    bl_code_condition(f);
    bl_code_emit(f, BL_OP_EQ, reg, reg, reg, BL_NO_SPAN); /* 4: as 3 */
    bl_code_emit(f, BL_OP_NOT, reg, reg, 0, at(30, 40));  /* 5: a condition at a new place */
    bl_code_condition(f);
    bl_code_emit(f, BL_OP_RETURN, 0, reg, 0, at(10, 20)); /* 6: cannot fail either */
    bl_code_condition(f);
    bl_code_end(f);
    check_status(bl_builder_finish(m.b, &bytes), BL_OK);
    bl_diagnostics_init(&sink, &m.arena, 10);
    check_status(bl_module_verify(&m.arena, bytes.bytes, bytes.size, &module, &sink), BL_OK);

    static const struct {
        uint32_t insn, lo, flags;
    } rows[] = {{1, 10, 0}, {3, 10, BL_MAP_CONDITION}, {5, 30, BL_MAP_CONDITION}};
    check_int(module.MAP_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        check_case("row %u", i);
        check_int(module.MAP_rows[i].insn, rows[i].insn);
        check_int(module.MAP_rows[i].lo, rows[i].lo);
        check_int(module.MAP_rows[i].flags, rows[i].flags);
    }
    static const int row_of[] = {-1, 0, 0, 1, 1, 2, 2};
    for (uint32_t insn = 0; insn < 7; insn++) {
        const struct bl_map_row *place = bl_module_place(&module, insn);

        check_case("instruction %u", insn);
        check(place == (row_of[insn] < 0 ? NULL : &module.MAP_rows[row_of[insn]]));
    }
    check(bl_module_place(&module, 7) == NULL);
    bl_arena_reset(&m.arena);
}

/* The place of one function is none of the next. */
TEST(places_stay_in_their_function)
{
    struct made m;
    begin(&m);
    struct bl_module_bytes bytes;
    struct bl_module module;
    struct bl_diagnostics sink;
    struct bl_module_source source = {.path = bl_builder_string(m.b, BL_STR("a.policy")),
                                      .bytes = 100};

    bl_add_SOURCES(m.b, source);
    for (unsigned i = 0; i < 3; i++) {
        struct bl_code *f =
            bl_code_begin(m.b, BL_STR("f"), BL_FUNCTION_PURE, BL_TYPE_NONE, BL_NONE);

        unsigned list = bl_code_register(f, BL_LIST_OF(BL_TYPE_INT));

        bl_code_emit(f, BL_OP_LIST, list, 0, 0, i == 1 ? BL_NO_SPAN : at(i, 50));
        bl_code_emit(f, BL_OP_END, 0, 0, 0, BL_NO_SPAN);
        bl_code_end(f);
    }
    check_status(bl_builder_finish(m.b, &bytes), BL_OK);
    bl_diagnostics_init(&sink, &m.arena, 10);
    check_status(bl_module_verify(&m.arena, bytes.bytes, bytes.size, &module, &sink), BL_OK);
    check(bl_module_place(&module, 0) == &module.MAP_rows[0]);
    check(bl_module_place(&module, 2) == NULL);
    check(bl_module_place(&module, 4) == &module.MAP_rows[1]);
    for (uint32_t i = 0; i < 3; i++) {
        check_int(bl_module_function_of(&module, 2 * i), i);
        check_int(bl_module_insn_count(&module, &module.FUNCTIONS_rows[i]), 2);
    }
    check_int(bl_module_function_of(&module, 6), BL_NONE);
    /* Their registers are alike. */
    check_int(module.REGISTERS_count, 1);
    bl_arena_reset(&m.arena);
}

/* ---- bytes --------------------------------------------------------------------------------
 */

TEST(building_twice_gives_equal_bytes)
{
    struct bl_arena arenas[2];
    struct bl_module_bytes made[2];

    for (size_t i = 0; i < 2; i++) {
        bl_arena_init(&arenas[i], SIZE_MAX, NULL);
        /* Other memory, with other bytes in it. */
        if (i == 1)
            memset(bl_arena_alloc(&arenas[1], 1, 12345), 0xa5, 12345);
        check(sample_build(&arenas[i], &made[i]));
    }
    check_size(made[0].size, made[1].size);
    check(memcmp(made[0].bytes, made[1].bytes, made[0].size) == 0);
    check_int((uintptr_t)made[0].bytes % 8, 0);
    bl_arena_reset(&arenas[0]);
    bl_arena_reset(&arenas[1]);
}

/* Building, verifying and listing with memory that ends at each allocation in turn. */
TEST(memory_may_end_anywhere)
{
    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_module_bytes made;
        struct bl_module module;
        struct bl_diagnostics sink;
        bool whole = false;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, SIZE_MAX, &failing.allocator);
        bl_diagnostics_init(&sink, &arena, 10);
        check_case("allocation %zu", n);
        if (sample_build(&arena, &made)) {
            enum bl_status status =
                bl_module_verify(&arena, made.bytes, made.size, &module, &sink);

            check(status == BL_OK || status == BL_ERR_NOMEM);
            check_size(sink.errors, status == BL_OK ? 0 : 1);
            if (status == BL_OK) {
                struct bl_buf out;

                bl_buf_init(&out, &arena, SIZE_MAX);
                bl_module_disassemble(&module, NULL, &out);
                whole = !out.failed;
            }
        }
        bool ended = failing.calls < n;
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        check(whole || !ended);
        if (ended)
            break;
    }
}

/* The same by the arena's own limit, which cuts at every size and not at blocks alone. */
TEST(memory_may_end_at_any_byte)
{
    struct bl_arena arena;
    struct bl_module_bytes made;
    bool built = false;

    for (size_t limit = 0; limit < 1000000; limit += 1997) {
        bl_arena_init(&arena, limit, NULL);
        bool now = sample_build(&arena, &made);
        check_case("%zu bytes", limit);
        check(now || !built);
        built = now;
        bl_arena_reset(&arena);
    }
    check(built);
    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(sample_build(&arena, &made));
    for (size_t limit = 0; limit < 40000; limit += 91) {
        struct bl_arena scratch;
        struct bl_module module;
        struct bl_diagnostics sink;

        bl_arena_init(&scratch, limit, NULL);
        bl_diagnostics_init(&sink, &scratch, 10);
        enum bl_status status =
            bl_module_verify(&scratch, made.bytes, made.size, &module, &sink);
        check_case("%zu bytes", limit);
        check(status == BL_ERR_NOMEM || status == BL_OK);
        bl_arena_reset(&scratch);
    }
    bl_arena_reset(&arena);
}

/* Scratch memory goes back when a module is accepted. */
TEST(verifying_keeps_no_memory)
{
    struct bl_arena arena;
    struct bl_arena scratch;
    struct bl_module_bytes made;
    struct bl_module module;
    struct bl_diagnostics sink;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(sample_build(&arena, &made));
    bl_arena_init(&scratch, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &scratch, 10);
    size_t used = scratch.used;
    check_status(bl_module_verify(&scratch, made.bytes, made.size, &module, &sink), BL_OK);
    check_size(scratch.used, used);
    bl_arena_reset(&scratch);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_stand_in_the_pool_once),
        cmocka_unit_test(texts_that_no_module_may_hold_are_the_callers_mistake),
        cmocka_unit_test(equal_constants_have_one_row),
        cmocka_unit_test(equal_sets_of_kinds_are_one_type),
        cmocka_unit_test(a_register_keeps_its_type),
        cmocka_unit_test(ranges_are_consecutive_and_take_free_registers),
        cmocka_unit_test(registers_and_instructions_have_limits),
        cmocka_unit_test(functions_get_their_numbers_when_they_end),
        cmocka_unit_test(jumps_are_patched_and_loops_are_whole),
        cmocka_unit_test(wrong_use_of_code_is_the_callers_mistake),
        cmocka_unit_test(the_map_has_a_row_where_the_place_changes),
        cmocka_unit_test(places_stay_in_their_function),
        cmocka_unit_test(building_twice_gives_equal_bytes),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(memory_may_end_at_any_byte),
        cmocka_unit_test(verifying_keeps_no_memory),
    };
    return check_main(tests);
}
