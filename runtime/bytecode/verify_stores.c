/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verifier_parts.h"

/* Stores, and the entries that are called by name: what comes from a file or a command line. */

static const char not_in_pool[] = "a text of it is not in the pool";

/* ---- stores ------------------------------------------------------------------------------ */

/* What a file may hold: one list at the most, and each type a word of JSON. */
static bool is_kept(bl_type type)
{
    enum bl_type_kind kind = bl_type_kind(type);

    return kind < BL_TYPE_KIND_COUNT && (BL_STORE_KINDS >> kind & 1) != 0 &&
           bl_type_list_depth(type) <= 1;
}

static bool check_store_row(struct bl_verify *v, uint32_t index)
{
    const struct bl_module *m = v->module;
    const struct bl_module_store *row = &m->STORES_rows[index];

    if (row->record >= m->RECORDS_count || row->record > UINT16_MAX ||
        row->key >= m->RECORDS_rows[row->record].count ||
        m->RECORDS_rows[row->record].count > bl_limit(BL_LIMIT_STORE_FIELDS))
        return bl_verify_bad_row(v, BL_SECTION_STORES, index, "its rows have no such key");
    const struct bl_module_member *fields =
        &m->RECORD_FIELDS_rows[m->RECORDS_rows[row->record].first];
    if (fields[row->key].type != BL_TYPE_INT && fields[row->key].type != BL_TYPE_NAME)
        return bl_verify_bad_row(v, BL_SECTION_STORES, index, "its key is no int and no name");
    for (uint32_t i = 0; i < m->RECORDS_rows[row->record].count; i++) {
        if (!is_kept(fields[i].type))
            return bl_verify_bad_row(v, BL_SECTION_STORES, index, "no file can hold its rows");
    }
    return true;
}

bool bl_verify_stores(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->STORES_count; i++) {
        const struct bl_module_store *row = &m->STORES_rows[i];

        if (i >= bl_limit(BL_LIMIT_STORES) || !bl_verify_string(v, row->name) ||
            !bl_verify_string(v, row->file))
            return bl_verify_bad_row(v, BL_SECTION_STORES, i, not_in_pool);
        if (!bl_path_is_plain(bl_module_string(m, row->file)))
            return bl_verify_bad_row(v, BL_SECTION_STORES, i,
                                     "its path leads out of its folder");
        for (uint32_t k = 0; k < i; k++) {
            if (m->STORES_rows[k].file.offset == row->file.offset)
                return bl_verify_bad_row(v, BL_SECTION_STORES, i, "its file is another's");
        }
        if (!check_store_row(v, i))
            return false;
    }
    return true;
}

/* ---- called entries ---------------------------------------------------------------------- */

/* Its parameters by name: fields of a record, as the function has them. */
static bool has_parameters(const struct bl_module *m, const struct bl_module_called *row)
{
    const struct bl_function *f = &m->FUNCTIONS_rows[m->ENTRIES_rows[row->entry].function];
    const bl_type *params = bl_module_registers(m, f);

    if (row->record == BL_NONE)
        return f->param_count == 0;
    if (row->record >= m->RECORDS_count || row->record > UINT16_MAX ||
        m->RECORDS_rows[row->record].count != f->param_count)
        return false;
    for (unsigned i = 0; i < f->param_count; i++) {
        if (m->RECORD_FIELDS_rows[m->RECORDS_rows[row->record].first + i].type != params[i])
            return false;
    }
    return true;
}

/* Each of them has its row. */
bool bl_verify_called(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t at = 0;

    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        if (m->ENTRIES_rows[i].kind != BL_ENTRY_CALLED)
            continue;
        if (at >= m->CALLED_count || m->CALLED_rows[at].entry != i)
            return bl_verify_bad_row(v, BL_SECTION_ENTRIES, i, "nothing says what it takes");
        if (m->CALLED_rows[at].by > 1 || !has_parameters(m, &m->CALLED_rows[at]))
            return bl_verify_bad_row(v, BL_SECTION_CALLED, at,
                                     "its entry takes something else");
        at++;
    }
    return at == m->CALLED_count ||
           bl_verify_bad_row(v, BL_SECTION_CALLED, at, "there is no such entry");
}
