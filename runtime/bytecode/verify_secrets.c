/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verifier_parts.h"
#include "text/fold.h"
#include "text/pattern.h"

/* Sets of secrets and redactions: what the scanner of runtime/secret takes for granted. */

static const char not_in_pool[] = "a text of it is not in the pool";
static const char bad_function[] = "its function is not what it takes";
static const char bad_place[] = "its place is none";
static const char bad_view[] = "it reads what is not there";

static bool is_pattern(const struct bl_module *m, uint32_t index)
{
    return index < m->PATTERNS_count;
}

static bool check_parts(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->PARTS_count; i++) {
        const struct bl_module_part *row = &m->PARTS_rows[i];
        bool whole = row->front == BL_NONE && row->part == BL_NONE;

        if (!is_pattern(m, row->pattern) ||
            (row->until != BL_NONE && (!whole || !is_pattern(m, row->until))) ||
            (!whole && (!is_pattern(m, row->front) || !is_pattern(m, row->part))))
            return bl_verify_bad_row(v, BL_SECTION_PARTS, i, "there is no such pattern");
    }
    return true;
}

static uint32_t sought_count(const struct bl_module *m, uint32_t sieve)
{
    const struct bl_module_sieve *row = &m->SIEVES_rows[sieve];
    struct bl_pattern set = {m->BLOBS_rows + row->first, (size_t)row->count * 8};

    return (uint32_t)bl_pattern_starts_count(set);
}

/* The sieve has a place for what the part's pattern finds. */
static bool is_sought(const struct bl_module *m, uint32_t part, uint32_t patterns)
{
    return m->PARTS_rows[part].sought == BL_NONE || m->PARTS_rows[part].sought < patterns;
}

/* What is left out has a place in the sieve, and ways to read are known ones. */
static bool is_view(const struct bl_module *m, const struct bl_module_view *view,
                    uint32_t patterns)
{
    if (view->first_without > m->PARTS_count ||
        view->without_count > m->PARTS_count - view->first_without ||
        view->decoded >> BL_DECODING_COUNT != 0 || view->folded >> BL_FOLDING_COUNT != 0)
        return false;
    for (uint32_t i = 0; i < view->without_count; i++) {
        if (!is_sought(m, view->first_without + i, patterns))
            return false;
    }
    return true;
}

/* ---- functions ----------------------------------------------------------------------------
 */

static bool takes(const struct bl_verify *v, uint32_t function, const bl_type *params,
                  unsigned count, bl_type result)
{
    const struct bl_module *m = v->module;

    if (!bl_verify_function(v, function, BL_FUNCTION_PURE, count, result))
        return false;
    const bl_type *types = bl_module_registers(m, &m->FUNCTIONS_rows[function]);
    for (unsigned i = 0; i < count; i++) {
        if (!bl_type_fits(params[i], types[i]))
            return false;
    }
    return true;
}

static bool is_condition(const struct bl_verify *v, uint32_t function)
{
    const bl_type match = BL_TYPE_UNTRUSTED;

    return function == BL_NONE || takes(v, function, &match, 1, BL_TYPE_BOOL);
}

static const bl_type log_text = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_LOG);

/* ---- sets of secrets ----------------------------------------------------------------------
 */

static bool check_finder(struct bl_verify *v, uint32_t index, uint32_t patterns)
{
    const struct bl_module *m = v->module;
    const struct bl_module_finder *row = &m->FINDERS_rows[index];

    if (!bl_verify_string(v, row->kind))
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, not_in_pool);
    if (row->part != BL_NONE && row->part >= m->PARTS_count)
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, "there is no such pattern");
    if (row->part == BL_NONE && (row->least == 0 || row->bits == 0))
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, "it measures nothing");
    if (row->part != BL_NONE && (row->least != 0 || row->bits != 0))
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, "a pattern is not measured");
    if (row->first_outside > m->PARTS_count ||
        row->outside_count > m->PARTS_count - row->first_outside)
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, "there are no such patterns");
    bool sought = row->part == BL_NONE || is_sought(m, row->part, patterns);
    for (uint32_t i = 0; sought && i < row->outside_count; i++)
        sought = is_sought(m, row->first_outside + i, patterns);
    if (!sought)
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, "its sieve has no such pattern");
    if (!is_condition(v, row->when))
        return bl_verify_bad_row(v, BL_SECTION_FINDERS, index, bad_function);
    return bl_verify_place(v, row->source, row->lo, row->hi) ||
           bl_verify_bad_row(v, BL_SECTION_FINDERS, index, bad_place);
}

static bool check_sets(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    v->secrets_last = bl_verify_scratch(v, m->SECRETS_count, sizeof *v->secrets_last);
    if (v->secrets_last == NULL)
        return false;
    for (uint32_t i = 0; i < m->SECRETS_count; i++) {
        const struct bl_module_secrets *row = &m->SECRETS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_SECRETS, i, not_in_pool);
        if (row->first_finder != end || row->finder_count > m->FINDERS_count - end)
            return bl_verify_bad_row(v, BL_SECTION_SECRETS, i, "its rows have a gap");
        end += row->finder_count;
        if (row->sieve >= m->SIEVES_count)
            return bl_verify_bad_row(v, BL_SECTION_SECRETS, i, "it has no such sieve");
        uint32_t patterns = sought_count(m, row->sieve);
        if (!is_view(m, &row->view, patterns))
            return bl_verify_bad_row(v, BL_SECTION_SECRETS, i, bad_view);
        for (uint32_t j = row->first_finder; j < end; j++) {
            uint32_t when = m->FINDERS_rows[j].when;

            if (!check_finder(v, j, patterns))
                return false;
            if (when != BL_NONE && when >= v->secrets_last[i])
                v->secrets_last[i] = when + 1;
        }
    }
    return end == m->FINDERS_count ||
           bl_verify_bad_row(v, BL_SECTION_FINDERS, end, "it belongs to no row");
}

/* ---- redactions ---------------------------------------------------------------------------
 */

/* What a list of known values may hold. */
static bool is_value(bl_type element)
{
    return element == BL_TYPE_SECRET || element == BL_TYPE_PATTERN ||
           element == BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ENVIRONMENT_VARIABLE);
}

static bool check_mask(struct bl_verify *v, uint32_t index, uint32_t patterns)
{
    const struct bl_module *m = v->module;
    const struct bl_module_mask *row = &m->MASKS_rows[index];
    bl_type params[2] = {BL_TYPE_ERROR, BL_TYPE_INT};
    unsigned count = row->list == BL_NONE ? 0 : 2;

    if ((row->part == BL_NONE) == (row->list == BL_NONE) ||
        (row->part != BL_NONE && row->part >= m->PARTS_count) ||
        (row->part != BL_NONE && !is_sought(m, row->part, patterns)))
        return bl_verify_bad_row(v, BL_SECTION_MASKS, index, "there is no such pattern");
    if (row->field > BL_MASK_KEYS ||
        (row->field != BL_MASK_TEXT &&
         (row->part == BL_NONE || m->PARTS_rows[row->part].sought != BL_NONE)))
        return bl_verify_bad_row(v, BL_SECTION_MASKS, index, "its keys have no pattern");
    if (row->list != BL_NONE) {
        if (!bl_verify_function(v, row->list, BL_FUNCTION_PURE, 0, BL_TYPE_ERROR))
            return bl_verify_bad_row(v, BL_SECTION_MASKS, index, bad_function);
        bl_type list = m->FUNCTIONS_rows[row->list].result;
        params[0] = bl_type_is_list(list) ? bl_type_element(list) : (bl_type)BL_TYPE_ERROR;
        if (bl_type_is_optional(list) || !is_value(params[0]))
            return bl_verify_bad_row(v, BL_SECTION_MASKS, index, bad_function);
    }
    if (!takes(v, row->kind, params, count, BL_TYPE_NAME) ||
        !takes(v, row->source, params, count, log_text) ||
        (row->list != BL_NONE && row->when != BL_NONE) || !is_condition(v, row->when))
        return bl_verify_bad_row(v, BL_SECTION_MASKS, index, bad_function);
    return bl_verify_place(v, row->place, row->lo, row->hi) ||
           bl_verify_bad_row(v, BL_SECTION_MASKS, index, bad_place);
}

static bool check_redaction(struct bl_verify *v, uint32_t index)
{
    static const bl_type texts[3] = {BL_TYPE_TEXT, BL_TYPE_TEXT, BL_TYPE_TEXT};
    static const bl_type bytes = BL_TYPE_INT;
    const struct bl_module *m = v->module;
    const struct bl_module_redaction *row = &m->REDACTIONS_rows[index];

    if (!bl_verify_string(v, row->name))
        return bl_verify_bad_row(v, BL_SECTION_REDACTIONS, index, not_in_pool);
    if (row->sieve >= m->SIEVES_count)
        return bl_verify_bad_row(v, BL_SECTION_REDACTIONS, index, "it has no such sieve");
    if ((row->when != BL_NONE && !takes(v, row->when, NULL, 0, BL_TYPE_BOOL)) ||
        !takes(v, row->marker, texts, 3, log_text) ||
        (row->size != BL_NONE && !takes(v, row->size, &bytes, 1, BL_TYPE_TEXT)))
        return bl_verify_bad_row(v, BL_SECTION_REDACTIONS, index, bad_function);
    uint32_t patterns = sought_count(m, row->sieve);
    if (!is_view(m, &row->view, patterns))
        return bl_verify_bad_row(v, BL_SECTION_REDACTIONS, index, bad_view);
    return row->keep == BL_NONE ||
           (row->keep < m->PARTS_count && m->PARTS_rows[row->keep].front == BL_NONE &&
            m->PARTS_rows[row->keep].until == BL_NONE && is_sought(m, row->keep, patterns)) ||
           bl_verify_bad_row(v, BL_SECTION_REDACTIONS, index, "there is no such pattern");
}

static bool check_redactions(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->REDACTIONS_count; i++) {
        const struct bl_module_redaction *row = &m->REDACTIONS_rows[i];

        if (row->first_mask != end || row->mask_count > m->MASKS_count - end)
            return bl_verify_bad_row(v, BL_SECTION_REDACTIONS, i, "its rows have a gap");
        end += row->mask_count;
        if (!check_redaction(v, i))
            return false;
        uint32_t patterns = sought_count(m, row->sieve);
        for (uint32_t j = row->first_mask; j < end; j++) {
            if (!check_mask(v, j, patterns))
                return false;
        }
    }
    return end == m->MASKS_count ||
           bl_verify_bad_row(v, BL_SECTION_MASKS, end, "it belongs to no row");
}

bool bl_verify_secrets(struct bl_verify *v)
{
    return check_parts(v) && check_sets(v) && check_redactions(v);
}
