/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verify_flow.h"
#include "text/clean.h"

/* Sanitizers: their rows, and the one instruction that makes text of others fit for a place. */

static bool check_clean_row(struct bl_verify *v, uint32_t index)
{
    const struct bl_module_clean_row *row = &v->module->CLEAN_ROWS_rows[index];
    bool word = row->kind == BL_NONE && row->word < BL_CLEAN_WORD_COUNT && row->action == 0;
    bool decision =
        row->word == BL_NONE && row->kind < BL_CLASS_COUNT && row->action < BL_ACTION_COUNT;

    if (!word && !decision)
        return bl_verify_bad_row(v, BL_SECTION_CLEAN_ROWS, index,
                                 "it names no step and no class");
    if (!bl_verify_place(v, row->source, row->lo, row->hi))
        return bl_verify_bad_row(v, BL_SECTION_CLEAN_ROWS, index, "it stands in no source");
    return true;
}

bool bl_verify_sanitizers(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->SANITIZERS_count; i++) {
        const struct bl_module_sanitizer *row = &m->SANITIZERS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_SANITIZERS, i,
                                     "its name is not in the pool");
        if (row->places == 0 || row->places >= 1u << BL_PLACE_COUNT || row->reads_markdown > 1)
            return bl_verify_bad_row(v, BL_SECTION_SANITIZERS, i, "it is for no place");
        if (row->first_row != end || row->count > m->CLEAN_ROWS_count - end)
            return bl_verify_bad_row(v, BL_SECTION_SANITIZERS, i,
                                     "its rows do not follow those of the row before");
        end += row->count;
    }
    if (end != m->CLEAN_ROWS_count)
        return bl_verify_bad_row(v, BL_SECTION_CLEAN_ROWS, end, "it belongs to no row");
    for (uint32_t i = 0; i < m->CLEAN_ROWS_count; i++) {
        if (!check_clean_row(v, i))
            return false;
    }
    return true;
}

bool bl_code_clean(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const bl_type wanted[BL_CLEAN_REGISTERS] = {
        BL_TYPE_UNTRUSTED, BL_LIST_OF(BL_TYPE_PATTERN), BL_LIST_OF(BL_TYPE_INT),
        BL_LIST_OF(BL_TYPE_INT), BL_LIST_OF(BL_TYPE_INT)};

    if (!bl_code_registers(c, "b", insn->b, BL_CLEAN_REGISTERS, true))
        return false;
    for (uint32_t i = 0; i < BL_CLEAN_REGISTERS; i++) {
        if (!bl_fits(c->types[insn->b + i], wanted[i]))
            return bl_code_bad_fit(c, "b", c->types[insn->b + i], wanted[i]);
    }
    *result = BL_TYPE_MAKE(BL_TYPE_CLEAN, c->v->module->SANITIZERS_rows[insn->c].places);
    return true;
}

bool bl_code_settle(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    bl_type text = c->types[insn->b];

    *result = text;
    return (!bl_type_is_optional(text) &&
            (bl_type_kind(text) == BL_TYPE_TEXT || bl_type_kind(text) == BL_TYPE_CLEAN)) ||
           bl_code_bad_type(c, "b", text, "own words, or a text that is clean");
}
