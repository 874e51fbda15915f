/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/module.h"

/* Looking things up in a module, which may be one under verification: everything that is read
 * here was checked before. */

const struct bl_insn *bl_module_code(const struct bl_module *m, const struct bl_function *f)
{
    return m->CODE_rows + f->first_insn;
}

const bl_type *bl_module_registers(const struct bl_module *m, const struct bl_function *f)
{
    return m->REGISTERS_rows + f->first_register;
}

/* The row behind; of the last one there is none. */
static const struct bl_function *next_function(const struct bl_module *m,
                                               const struct bl_function *f)
{
    return f + 1 < m->FUNCTIONS_rows + m->FUNCTIONS_count ? f + 1 : NULL;
}

uint32_t bl_module_insn_count(const struct bl_module *m, const struct bl_function *f)
{
    const struct bl_function *next = next_function(m, f);

    return (next != NULL ? next->first_insn : m->CODE_count) - f->first_insn;
}

uint32_t bl_module_places_end(const struct bl_module *m, const struct bl_function *f)
{
    const struct bl_function *next = next_function(m, f);

    return next != NULL ? next->first_place : m->MAP_count;
}

uint32_t bl_module_function_of(const struct bl_module *m, uint32_t insn)
{
    uint32_t lo = 0;
    uint32_t hi = m->FUNCTIONS_count;

    if (insn >= m->CODE_count)
        return BL_NONE;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (m->FUNCTIONS_rows[mid].first_insn <= insn)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

const struct bl_map_row *bl_module_place(const struct bl_module *m, uint32_t insn)
{
    uint32_t function = bl_module_function_of(m, insn);

    if (function == BL_NONE)
        return NULL;
    const struct bl_function *f = &m->FUNCTIONS_rows[function];
    uint32_t lo = f->first_place;
    uint32_t hi = bl_module_places_end(m, f);
    /* The first row that stands behind the instruction. */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (f->first_insn + m->MAP_rows[mid].insn <= insn)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > f->first_place ? &m->MAP_rows[lo - 1] : NULL;
}

uint32_t bl_module_entry(const struct bl_module *m, enum bl_entry_kind kind, bl_str name)
{
    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        if (m->ENTRIES_rows[i].kind == (uint32_t)kind &&
            bl_str_equal(bl_module_string(m, m->ENTRIES_rows[i].name), name))
            return i;
    }
    return BL_NONE;
}

struct bl_module_step bl_module_step(const struct bl_module *m, uint32_t entry)
{
    uint32_t lo = 0;
    uint32_t hi = m->STEPS_count;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (m->STEPS_rows[mid].entry < entry)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < m->STEPS_count && m->STEPS_rows[lo].entry == entry)
        return m->STEPS_rows[lo];
    return bl_plain_step(entry);
}

uint32_t bl_module_job(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->JOBS_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->JOBS_rows[i].name), name))
            return i;
    }
    return BL_NONE;
}

uint32_t bl_module_job_step(const struct bl_module *m, uint32_t job, enum bl_job_step_kind kind,
                            bl_str name, bl_str path)
{
    const struct bl_module_job *row = &m->JOBS_rows[job];

    for (uint32_t i = row->first_own; i < row->first_own + row->own_count; i++) {
        const struct bl_module_job_step *step = &m->JOB_STEPS_rows[i];

        if (step->kind == (uint32_t)kind &&
            bl_str_equal(bl_module_string(m, step->name), name) &&
            bl_str_equal(bl_module_string(m, step->path), path))
            return i;
    }
    return BL_NONE;
}

uint32_t bl_module_label(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->LABELS_count; i++) {
        if (bl_str_equal_nocase(bl_module_string(m, m->LABELS_rows[i].shown), name))
            return i;
    }
    return BL_NONE;
}

uint32_t bl_module_set_of(const struct bl_module *m, uint32_t sought)
{
    uint32_t set = 0;

    while (set + 1 < m->SETS_count && m->SETS_rows[set + 1].first_sought <= sought)
        set++;
    return set;
}

bl_str bl_module_member(const struct bl_module *m, unsigned enumeration, unsigned member)
{
    if (enumeration < BL_ENUM_COUNT)
        return bl_enum_member((enum bl_enum)enumeration, member);
    if (enumeration - BL_ENUM_COUNT >= m->ENUMS_count ||
        member >= m->ENUMS_rows[enumeration - BL_ENUM_COUNT].count)
        return (bl_str){NULL, 0};
    return bl_module_string(
        m, m->MEMBERS_rows[m->ENUMS_rows[enumeration - BL_ENUM_COUNT].first + member]);
}

/* ---- names of types -----------------------------------------------------------------------
 */

static void put_string(const struct bl_module *m, struct bl_string_ref ref, struct bl_buf *out)
{
    bl_buf_put(out, bl_module_string(m, ref));
}

/* One that was written as a type, `high, medium`, has no name but its members. */
static void put_declared(const struct bl_module *m, const struct bl_module_enum *list,
                         struct bl_buf *out)
{
    if (bl_module_string(m, list->name).len > 0) {
        put_string(m, list->name, out);
        return;
    }
    BL_PUT(out, "one of ");
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0)
            BL_PUT(out, ", ");
        put_string(m, m->MEMBERS_rows[list->first + i], out);
    }
}

static void put_enum(const struct bl_module *m, unsigned ref, struct bl_buf *out)
{
    if (ref < BL_ENUM_COUNT)
        bl_buf_put(out, bl_enum_name((enum bl_enum)ref));
    else if (ref - BL_ENUM_COUNT < m->ENUMS_count)
        put_declared(m, &m->ENUMS_rows[ref - BL_ENUM_COUNT], out);
}

static void put_posted(const struct bl_module *m, unsigned ref, struct bl_buf *out)
{
    const struct bl_posted_set *set =
        ref < m->POSTED_SETS_count ? &m->POSTED_SETS_rows[ref] : NULL;

    BL_PUT(out, "posted ");
    for (uint32_t i = 0; set != NULL && i < set->count; i++) {
        if (i > 0)
            BL_PUT(out, "|");
        put_string(m, m->COMMENTS_rows[m->POSTED_KINDS_rows[set->first + i]].name, out);
    }
}

static void put_places(unsigned mask, struct bl_buf *out)
{
    bool is_first = true;

    BL_PUT(out, "text[");
    for (unsigned i = 0; i < BL_PLACE_COUNT; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        if (!is_first)
            BL_PUT(out, ", ");
        bl_buf_put(out, bl_place_name((enum bl_place)i));
        is_first = false;
    }
    BL_PUT(out, "]");
}

void bl_module_type_name(const struct bl_module *m, bl_type type, struct bl_buf *out)
{
    enum bl_type_kind kind = bl_type_kind(type);
    unsigned ref = bl_type_ref(type);

    for (bl_type left = type; bl_type_is_list(left); left = bl_type_element(left))
        BL_PUT(out, "list of ");
    if (kind == BL_TYPE_ENUM)
        put_enum(m, ref, out);
    else if (kind == BL_TYPE_ENTITY && bl_entity_info((enum bl_entity)ref) != NULL)
        bl_buf_put(out, bl_entity_info((enum bl_entity)ref)->name);
    else if (kind == BL_TYPE_RECORD && ref < m->RECORDS_count)
        put_string(m, m->RECORDS_rows[ref].name, out);
    else if (kind == BL_TYPE_POSTED)
        put_posted(m, ref, out);
    else if (kind == BL_TYPE_CLEAN)
        put_places(ref, out);
    else
        bl_buf_put(out, bl_type_kind_name(kind));
    if (bl_type_is_optional(type))
        BL_PUT(out, "?");
}
