/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "testing/case_run.h"
#include "vm/stores.h"

/* Entries that are called, and the rows that they find. */

static uint32_t called_of(const struct bl_module *m, uint32_t entry)
{
    for (uint32_t i = 0; i < m->CALLED_count; i++)
        if (m->CALLED_rows[i].entry == entry)
            return i;
    return BL_NONE;
}

enum bl_status bl_case_call(struct bl_case *c, const struct bl_site *site,
                            const struct bl_value *args, size_t count)
{
    struct bl_call call = {.called = called_of(c->module, site->detail),
                           .given = bl_absent(),
                           .by_person = args[0].as.i != 0};
    struct bl_run_options options = {.call = &call};
    c->runs.count = 0;
    c->has_task = false;
    if (call.called == BL_NONE)
        return BL_ERR_INTERNAL;
    if (c->module->CALLED_rows[call.called].record != BL_NONE)
        call.given =
            (struct bl_value){.tag = BL_V_RECORD,
                              .aux = (uint16_t)c->module->CALLED_rows[call.called].record,
                              .len = (uint32_t)count - 2,
                              .as.fields = args + 2};
    return bl_case_run(c, &options);
}

/* What a field holds of which the test says nothing. */
static enum bl_status plain(struct bl_case *c, bl_type type, struct bl_value *out)
{
    enum bl_value_tag tag = bl_tag_of_type(type);
    *out = bl_absent();
    if (bl_type_is_optional(type))
        return BL_OK;
    if (tag == BL_V_LIST) {
        struct bl_list *list = bl_list_create(c->arena);
        *out = list != NULL ? bl_list_value(list) : bl_absent();
        return list != NULL ? BL_OK : BL_ERR_NOMEM;
    }
    *out = tag == BL_V_TEXT ? bl_text(BL_STR("test")) : bl_number(tag, 0);
    if (tag == BL_V_TIME)
        out->as.i = bl_sim_now(c->sim);
    else if (tag == BL_V_DATE)
        out->as.i = bl_day_of_time(bl_sim_now(c->sim));
    else if (tag == BL_V_ENUM)
        out->aux = (uint16_t)bl_type_ref(type);
    return BL_OK;
}

enum bl_status bl_case_given_row(struct bl_case *c, const struct bl_site *site,
                                 const struct bl_value *args, size_t count)
{
    const struct bl_module *m = c->module;
    const struct bl_module_store *store = &m->STORES_rows[BL_KEEP_STORE(site->detail)];
    const struct bl_module_member *fields =
        &m->RECORD_FIELDS_rows[m->RECORDS_rows[store->record].first];
    struct bl_value *values = BL_NEW_ARRAY(c->arena, count + 1, struct bl_value);
    bl_str path = bl_module_string(m, store->file);
    enum bl_status status = values != NULL ? BL_OK : BL_ERR_NOMEM;
    struct bl_buf text;
    for (size_t i = 0; status == BL_OK && i < count; i++) {
        values[i] = args[i];
        if (i != store->key && !BL_KEEP_GIVES(site->detail, i))
            status = plain(c, fields[i].type, &values[i]);
    }
    if (status != BL_OK)
        return status;
    bl_buf_init(&text, c->arena, (size_t)bl_limit(BL_LIMIT_STORE_BYTES));
    bl_buf_put(&text, bl_sim_store_text(c->sim, path));
    bl_store_line(m,
                  (struct bl_value){.tag = BL_V_RECORD,
                                    .aux = (uint16_t)store->record,
                                    .len = (uint32_t)count,
                                    .as.fields = values},
                  &text);
    return text.failed ? BL_ERR_NOMEM : bl_sim_store(c->sim, path, bl_buf_str(&text));
}
