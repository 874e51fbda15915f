/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "bytecode/verifier_parts.h"
#include "text/pattern.h"

/* The rows by which a run finds its candidates among the rules, and what hangs on entries and
 * instructions: overrides, test cases, the map. */

static const char bad_place[] = "its place is not in the sources";

static bool is_rule(const struct bl_module *m, uint32_t entry)
{
    return entry < m->ENTRIES_count && m->ENTRIES_rows[entry].kind == BL_ENTRY_RULE;
}

static bool check_event_rules(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_event_rule *rows = m->EVENT_RULES_rows;

    for (uint32_t i = 0; i < m->EVENT_RULES_count; i++) {
        if (rows[i].event >= BL_EVENT_COUNT || !is_rule(m, rows[i].entry))
            return bl_verify_bad_row(v, BL_SECTION_EVENT_RULES, i,
                                     "there is no such event or rule");
        if (i > 0 &&
            (rows[i].event < rows[i - 1].event ||
             (rows[i].event == rows[i - 1].event && rows[i].entry <= rows[i - 1].entry)))
            return bl_verify_bad_row(v, BL_SECTION_EVENT_RULES, i, "they are not ascending");
    }
    return true;
}

static bool check_answer_rules(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_answer_rule *rows = m->ANSWER_RULES_rows;

    for (uint32_t i = 0; i < m->ANSWER_RULES_count; i++) {
        if (rows[i].task >= m->TASKS_count || !is_rule(m, rows[i].entry))
            return bl_verify_bad_row(v, BL_SECTION_ANSWER_RULES, i,
                                     "there is no such task or rule");
        if (i > 0 && (rows[i].task < rows[i - 1].task ||
                      (rows[i].task == rows[i - 1].task && rows[i].entry <= rows[i - 1].entry)))
            return bl_verify_bad_row(v, BL_SECTION_ANSWER_RULES, i, "they are not ascending");
    }
    return true;
}

/* ---- facts --------------------------------------------------------------------------------
 */

static unsigned members_of(const struct bl_module *m, bl_type type)
{
    unsigned ref = bl_type_ref(type);

    if (!bl_type_is(type, BL_TYPE_ENUM))
        return 0;
    if (ref < BL_ENUM_COUNT)
        return bl_enum_member_count((enum bl_enum)ref);
    return m->ENUMS_rows[ref - BL_ENUM_COUNT].count;
}

static bool check_key(const struct bl_verify *v, const struct bl_access *row)
{
    const struct bl_module *m = v->module;
    bl_type type = row->path < BL_FACT_COUNT ? bl_fact_type((enum bl_fact)row->path)
                                             : (bl_type)BL_TYPE_ERROR;

    switch ((enum bl_access_kind)row->kind) {
    case BL_ACCESS_LABEL:
        return type == BL_LIST_OF((bl_type)BL_TYPE_LABEL) &&
               row->length <= bl_limit(BL_LIMIT_INDEX_KEY_BYTES) &&
               bl_verify_text(v, row->key, row->length);
    case BL_ACCESS_TEXT:
        return bl_type_is_text(type) && row->length <= bl_limit(BL_LIMIT_INDEX_KEY_BYTES) &&
               bl_verify_text(v, row->key, row->length);
    case BL_ACCESS_ENUM:
        return row->length == 0 && row->key < members_of(m, bl_type_base(type));
    case BL_ACCESS_PATTERN:
        return row->length == 0 && row->path < m->SETS_count &&
               row->key < m->SETS_rows[row->path].sought_count;
    }
    return false;
}

static bool check_access(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_access *rows = m->ACCESS_rows;

    for (uint32_t i = 0; i < m->ACCESS_count; i++) {
        if (!is_rule(m, rows[i].entry) || m->ENTRIES_rows[rows[i].entry].first_access != i)
            return bl_verify_bad_row(v, BL_SECTION_ACCESS, i, "it is no fact of its rule");
        if (!check_key(v, &rows[i]))
            return bl_verify_bad_row(v, BL_SECTION_ACCESS, i, "there is no such fact");
        if (i == 0)
            continue;
        int order = bl_access_order(m->STRINGS_rows, &rows[i - 1], &rows[i]);
        if (order > 0 || (order == 0 && rows[i - 1].entry >= rows[i].entry))
            return bl_verify_bad_row(v, BL_SECTION_ACCESS, i, "they are not ascending");
    }
    return true;
}

/* The facts that ask for a pattern come after this. Automata and texts were proved. */
static bool check_sets(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->SETS_count; i++) {
        const struct bl_module_set *row = &m->SETS_rows[i];
        struct bl_pattern set = {m->BLOBS_rows + row->first, (size_t)row->count * 8};

        if (!bl_type_is_text(bl_fact_type((enum bl_fact)row->path)))
            return bl_verify_bad_row(v, BL_SECTION_SETS, i, "there is no such text");
        if (row->first_sought != end || row->sought_count > m->SOUGHT_count - end ||
            row->sought_count != bl_pattern_set_count(set) ||
            row->literal_count > row->sought_count)
            return bl_verify_bad_row(v, BL_SECTION_SETS, i, "it has a row for each pattern");
        end += row->sought_count;
    }
    if (end != m->SOUGHT_count)
        return bl_verify_bad_row(v, BL_SECTION_SOUGHT, end, "it belongs to no row");
    return true;
}

static bool check_first_access(const struct bl_module *m, uint32_t set, uint32_t pattern)
{
    uint32_t at = m->SOUGHT_rows[m->SETS_rows[set].first_sought + pattern].first_access;
    struct bl_access key = {BL_ACCESS_PATTERN, (uint16_t)set, pattern, 0, 0};

    if (at == BL_NONE)
        return true;
    return at < m->ACCESS_count &&
           bl_access_order(m->STRINGS_rows, &m->ACCESS_rows[at], &key) == 0 &&
           (at == 0 || bl_access_order(m->STRINGS_rows, &m->ACCESS_rows[at - 1], &key) != 0);
}

/* A pattern that rules ask and that had no row would never find them. */
static bool check_sought(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->SETS_count; i++) {
        for (uint32_t j = 0; j < m->SETS_rows[i].sought_count; j++) {
            uint32_t row = m->SETS_rows[i].first_sought + j;

            if (!bl_verify_string(v, m->SOUGHT_rows[row].source))
                return bl_verify_bad_row(v, BL_SECTION_SOUGHT, row,
                                         "a text of it is not in the pool");
            if (!check_first_access(m, i, j))
                return bl_verify_bad_row(v, BL_SECTION_SOUGHT, row,
                                         "it is not the first fact of its pattern");
        }
    }
    for (uint32_t i = 0; i < m->ACCESS_count; i++) {
        const struct bl_access *row = &m->ACCESS_rows[i];

        if (row->kind == BL_ACCESS_PATTERN &&
            m->SOUGHT_rows[m->SETS_rows[row->path].first_sought + row->key].first_access ==
                BL_NONE)
            return bl_verify_bad_row(v, BL_SECTION_ACCESS, i, "its pattern does not know it");
    }
    return true;
}

/* ---- the rest -----------------------------------------------------------------------------
 */

static bool check_overrides(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_module_pair *rows = m->OVERRIDES_rows;

    for (uint32_t i = 0; i < m->OVERRIDES_count; i++) {
        if (!is_rule(m, rows[i].winner) || !is_rule(m, rows[i].loser) ||
            rows[i].winner == rows[i].loser)
            return bl_verify_bad_row(v, BL_SECTION_OVERRIDES, i, "it needs two rules");
        if (i > 0 &&
            (rows[i].winner < rows[i - 1].winner ||
             (rows[i].winner == rows[i - 1].winner && rows[i].loser <= rows[i - 1].loser)))
            return bl_verify_bad_row(v, BL_SECTION_OVERRIDES, i, "they are not ascending");
    }
    return true;
}

static bool check_cases(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->CASES_count; i++) {
        const struct bl_module_case *row = &m->CASES_rows[i];

        if (!bl_verify_function(v, row->function, BL_FUNCTION_TEST, 0, BL_TYPE_NONE))
            return bl_verify_bad_row(v, BL_SECTION_CASES, i,
                                     "its function is not of the kind that it needs");
        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_CASES, i, "a text of it is not in the pool");
        if (!bl_verify_place(v, row->source, row->lo, row->hi))
            return bl_verify_bad_row(v, BL_SECTION_CASES, i, bad_place);
    }
    return true;
}

/* Of an instruction that nobody has looked at yet. */
static bool writes_bool(const struct bl_module *m, const struct bl_function *f, uint32_t insn)
{
    const struct bl_insn *code = &m->CODE_rows[insn];

    return code->op < BL_OP_COUNT &&
           bl_op_info((enum bl_opcode)code->op)->a == BL_OPERAND_DST &&
           code->a < f->register_count && bl_module_registers(m, f)[code->a] == BL_TYPE_BOOL;
}

static bool check_place(struct bl_verify *v, const struct bl_function *f, uint32_t insn_count,
                        uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_map_row *row = &m->MAP_rows[index];

    if (row->insn >= insn_count || (index > f->first_place && row->insn <= row[-1].insn))
        return bl_verify_bad_row(v, BL_SECTION_MAP, index, "they are not ascending");
    if (row->source >= m->SOURCES_count || bl_map_hi(row) > m->SOURCES_rows[row->source].bytes)
        return bl_verify_bad_row(v, BL_SECTION_MAP, index, bad_place);
    if ((row->flags == BL_MAP_CONDITION || row->flags == BL_MAP_REASON) &&
        !writes_bool(m, f, f->first_insn + row->insn))
        return bl_verify_bad_row(v, BL_SECTION_MAP, index,
                                 "its instruction gives no condition");
    return true;
}

static bool check_map(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->FUNCTIONS_count; i++) {
        const struct bl_function *f = &m->FUNCTIONS_rows[i];
        uint32_t insn_count = bl_module_insn_count(m, f);
        uint32_t end = bl_module_places_end(m, f);

        for (uint32_t row = f->first_place; row < end; row++) {
            if (!check_place(v, f, insn_count, row))
                return false;
        }
    }
    return true;
}

bool bl_verify_candidates(struct bl_verify *v)
{
    return check_event_rules(v) && check_answer_rules(v) && check_sets(v) && check_access(v) &&
           check_sought(v) && check_overrides(v) && check_cases(v) && check_map(v);
}
