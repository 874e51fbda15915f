/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_parts.h"
#include "vm/stores.h"

/* Rows of stores: what a `keep` gives becomes a whole row, and all rows that a unit keeps in
 * one store become one new text of its file, so that there is no moment at which some of them
 * are kept and others are not. */

uint32_t bl_planned_store(const struct bl_planned *planned)
{
    return BL_KEEP_STORE(planned->site->detail);
}

struct bl_value bl_planned_row_key(const struct bl_module *module,
                                   const struct bl_planned *planned)
{
    return bl_planned_arg(planned, module->STORES_rows[bl_planned_store(planned)].key);
}

/* ---- one row ----------------------------------------------------------------------------- */

struct completing {
    struct bl_machine *machine;
    struct bl_plan_effect *effect;
    struct bl_diagnostics *sink;
    uint32_t store;
    const struct bl_module_record *record;
};

static enum bl_status refuse(const struct completing *c, bl_str problem)
{
    const struct bl_planned *planned = &c->effect->planned;
    const struct bl_module *module = c->machine->module;
    struct bl_span span = {planned->site->lo, planned->site->hi, planned->site->source};
    struct bl_diagnostic *d = bl_report(c->sink, BL_D_ROW_REFUSED, span);
    struct bl_value_names names = bl_machine_names(module);
    struct bl_buf key;

    bl_buf_init(&key, c->machine->arena, 400);
    bl_value_describe(&key, bl_planned_row_key(module, planned), &names);
    bl_diagnostic_text(c->sink, d, "key", bl_buf_str(&key));
    bl_diagnostic_text(c->sink, d, "store",
                       bl_module_string(module, module->STORES_rows[c->store].name));
    bl_diagnostic_text(c->sink, d, "problem", problem);
    c->machine->failure = (struct bl_failure){.what = BL_STR("A row cannot be kept")};
    return c->machine->arena->failed ? BL_ERR_NOMEM : BL_ERR_REFUSED;
}

static enum bl_status lacks(const struct completing *c, uint32_t field)
{
    const struct bl_module *m = c->machine->module;
    struct bl_buf problem;

    bl_buf_init(&problem, c->machine->arena, 400);
    bl_buf_printf(
        &problem, "it is new, and nothing gives its '%.*s'",
        BL_STR_ARG(bl_module_string(m, m->RECORD_FIELDS_rows[c->record->first + field].name)));
    return refuse(c, bl_buf_str(&problem));
}

/* What is not given stays as it is; of a new row all is given that is not optional. */
static enum bl_status fill(const struct completing *c, const struct bl_value *before,
                           struct bl_value *fields)
{
    const struct bl_module *m = c->machine->module;
    const struct bl_planned *planned = &c->effect->planned;

    for (uint32_t i = 0; i < c->record->count; i++) {
        bool given =
            i == m->STORES_rows[c->store].key || BL_KEEP_GIVES(planned->site->detail, i);

        fields[i] = given            ? bl_planned_arg(planned, i)
                    : before != NULL ? before[i]
                                     : bl_absent();
        if (bl_is_absent(fields[i]) &&
            !bl_type_is_optional(m->RECORD_FIELDS_rows[c->record->first + i].type))
            return lacks(c, i);
    }
    return BL_OK;
}

static enum bl_status find_before(const struct completing *c, struct bl_value *before)
{
    struct bl_list *rows = NULL;
    enum bl_status status = bl_machine_rows(c->machine, c->store, &rows);
    struct bl_value key = bl_planned_row_key(c->machine->module, &c->effect->planned);

    *before = bl_absent();
    c->effect->row = BL_NONE;
    if (status != BL_OK)
        return status;
    c->effect->row = bl_machine_row_of(c->machine, c->store, key);
    if (c->effect->row != BL_NONE)
        *before = rows->items[c->effect->row];
    return BL_OK;
}

/* A row is what its line says when it is read again: what no reading takes is not written. */
static enum bl_status write_line(const struct completing *c, struct bl_value row)
{
    struct bl_arena *arena = c->machine->arena;
    struct bl_buf line;
    struct bl_value again;
    bl_str problem = {NULL, 0};

    bl_buf_init(&line, arena, (size_t)bl_limit(BL_LIMIT_STORE_BYTES));
    bl_store_line(c->machine->module, row, &line);
    if (line.failed)
        return arena->failed ? BL_ERR_NOMEM
                             : refuse(c, BL_STR("it is larger than a store may be"));
    c->effect->line = bl_buf_str(&line);
    enum bl_status status =
        bl_store_read_line(arena, c->machine->module, c->store,
                           bl_str_slice(c->effect->line, 0, line.len - 1), &again, &problem);
    return status == BL_ERR_INVALID ? refuse(c, problem) : status;
}

enum bl_status bl_plan_complete_row(struct bl_machine *machine, struct bl_plan_effect *effect,
                                    struct bl_diagnostics *sink)
{
    const struct bl_module *m = machine->module;
    uint32_t store = bl_planned_store(&effect->planned);
    const struct completing c = {machine, effect, sink, store,
                                 &m->RECORDS_rows[m->STORES_rows[store].record]};
    struct bl_value *fields = BL_NEW_ARRAY(machine->arena, c.record->count, struct bl_value);
    struct bl_value before;

    if (fields == NULL)
        return BL_ERR_NOMEM;
    enum bl_status status = find_before(&c, &before);
    if (status == BL_OK)
        status = fill(&c, before.tag == BL_V_RECORD ? before.as.fields : NULL, fields);
    if (status != BL_OK)
        return status;
    return write_line(&c, (struct bl_value){.tag = BL_V_RECORD,
                                            .aux = (uint16_t)m->STORES_rows[store].record,
                                            .len = c.record->count,
                                            .as.fields = fields});
}

/* ---- all rows of a store ----------------------------------------------------------------- */

bool bl_plan_row_is_there(struct bl_machine *machine, const struct bl_plan_effect *effect)
{
    struct bl_list *rows = NULL;
    struct bl_buf line;

    if (effect->row == BL_NONE ||
        bl_machine_rows(machine, bl_planned_store(&effect->planned), &rows) != BL_OK)
        return false;
    bl_buf_init(&line, machine->arena, (size_t)bl_limit(BL_LIMIT_STORE_BYTES));
    bl_store_line(machine->module, rows->items[effect->row], &line);
    return !line.failed && bl_str_equal(bl_buf_str(&line), effect->line);
}

static bool is_to_do(const struct bl_plan_effect *effect, uint32_t store)
{
    return effect->planned.effect == BL_EFFECT_KEEP && effect->state == BL_STATE_PLANNED &&
           bl_planned_store(&effect->planned) == store;
}

/* Rows stay where they stand; new ones go behind them, in the order of the plan. */
static enum bl_status write_text(struct bl_plan *plan, struct bl_machine *machine,
                                 uint32_t store, bl_str *text)
{
    struct bl_list *rows = NULL;
    enum bl_status status = bl_machine_rows(machine, store, &rows);
    struct bl_buf out;

    if (status != BL_OK)
        return status;
    bl_str *lines = BL_NEW_ARRAY(plan->arena, (size_t)rows->count + 1, bl_str);
    if (lines == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < plan->effects.count; i++) {
        const struct bl_plan_effect *effect = &plan->effects.items[i];
        if (is_to_do(effect, store) && effect->row != BL_NONE)
            lines[effect->row] = effect->line;
    }
    bl_buf_init(&out, plan->arena, (size_t)bl_limit(BL_LIMIT_STORE_BYTES));
    for (uint32_t i = 0; i < rows->count; i++) {
        if (lines[i].ptr != NULL)
            bl_buf_put(&out, lines[i]);
        else
            bl_store_line(machine->module, rows->items[i], &out);
    }
    for (size_t i = 0; i < plan->effects.count; i++) {
        const struct bl_plan_effect *effect = &plan->effects.items[i];
        if (is_to_do(effect, store) && effect->row == BL_NONE)
            bl_buf_put(&out, effect->line);
    }
    *text = bl_buf_str(&out);
    if (!out.failed)
        return BL_OK;
    machine->failure = (struct bl_failure){
        .what = BL_STR("The file of a store would be larger than it may be")};
    return plan->arena->failed ? BL_ERR_NOMEM : BL_ERR_LIMIT;
}

enum bl_status bl_plan_write_rows(struct bl_plan *plan, struct bl_machine *machine)
{
    bool written[256] = {false};
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && i < plan->effects.count; i++) {
        struct bl_plan_effect *effect = &plan->effects.items[i];
        uint32_t store = effect->planned.effect == BL_EFFECT_KEEP
                             ? bl_planned_store(&effect->planned)
                             : BL_NONE;

        if (store == BL_NONE || written[store] || !is_to_do(effect, store))
            continue;
        written[store] = true;
        effect->writes_store = true;
        status = write_text(plan, machine, store, &effect->body);
    }
    return status;
}
