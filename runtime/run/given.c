/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "run/answer.h"
#include "run/run_parts.h"

/* What the jobs before this one gave, as the arguments of a function of the job. It comes as
 * texts, which a run of the policy wrote: anything that none would have written is refused. */

#define NAME_BYTES 255u

struct giving {
    struct bl_runner *runner;
    bl_str job, name, text;
};

static enum bl_status refuse(const struct giving *g, bl_str wanted)
{
    struct bl_diagnostics *sink = g->runner->sink;
    struct bl_diagnostic *d = bl_report(sink, BL_D_GIVEN_REFUSED, BL_NO_SPAN);
    struct bl_buf name;

    bl_buf_init(&name, g->runner->arena, g->job.len + g->name.len + 2);
    bl_buf_printf(&name, "%.*s.%.*s", BL_STR_ARG(g->job), BL_STR_ARG(g->name));
    bl_diagnostic_text(sink, d, "name", bl_buf_str(&name));
    bl_diagnostic_text(sink, d, "text", bl_str_slice(g->text, 0, 60));
    bl_diagnostic_text(sink, d, "wanted", wanted);
    g->runner->machine.failure =
        (struct bl_failure){.what = BL_STR("An output of a job before this one is refused")};
    return g->runner->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

/* As a run writes numbers: no blanks, no sign but '-', no leading zeros. */
static bool is_number(bl_str text, int64_t *out)
{
    bl_str digits =
        bl_str_starts_with(text, BL_STR("-")) ? bl_str_slice(text, 1, text.len) : text;

    return digits.len > 0 && bl_is_ascii_digit(digits.ptr[0]) &&
           (digits.ptr[0] != '0' || text.len == 1) && bl_int_parse(text, out);
}

static bool is_name(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] < 0x20 || text.ptr[i] == 0x7f)
            return false;
    }
    return text.len <= NAME_BYTES;
}

static enum bl_status read_member(const struct giving *g, bl_type type, struct bl_value *out)
{
    const struct bl_module *m = g->runner->module;
    unsigned list = bl_type_ref(type);

    for (unsigned i = 0; bl_module_member(m, list, i).len > 0; i++) {
        if (bl_str_equal(bl_module_member(m, list, i), g->text)) {
            *out = bl_member_value(list, i);
            return BL_OK;
        }
    }
    return refuse(g, BL_STR("word of its list"));
}

static enum bl_status read_thing(const struct giving *g, bl_type type, struct bl_value *out)
{
    enum bl_entity entity = (enum bl_entity)bl_type_ref(type);
    struct bl_object *thing;
    int64_t number;

    if (!is_number(g->text, &number) || number < 1)
        return refuse(g, BL_STR("number of an issue or a pull request"));
    thing = bl_snapshot_object(g->runner->snapshot, entity, number, (bl_str){NULL, 0});
    if (thing == NULL)
        return BL_ERR_NOMEM;
    bl_object_set(
        thing, entity == BL_ENTITY_ISSUE ? BL_FIELD_ISSUE_NUMBER : BL_FIELD_PULL_REQUEST_NUMBER,
        bl_number(BL_V_INT, number));
    *out = bl_object_value(thing);
    return BL_OK;
}

/* An empty text is what GitHub makes of an output that was not given. */
static enum bl_status read_value(const struct giving *g, bl_type type, struct bl_value *out)
{
    int64_t number = 0;

    *out = bl_absent();
    if (g->text.len == 0)
        return BL_OK;
    switch ((unsigned)bl_type_kind(type)) {
    case BL_TYPE_INT:
        if (!is_number(g->text, &number))
            return refuse(g, BL_STR("number"));
        *out = bl_number(BL_V_INT, number);
        return BL_OK;
    case BL_TYPE_BOOL:
        if (!bl_str_equal(g->text, BL_STR("true")) && !bl_str_equal(g->text, BL_STR("false")))
            return refuse(g, BL_STR("truth value"));
        *out = bl_bool(g->text.len == 4);
        return BL_OK;
    case BL_TYPE_ENUM:
        return read_member(g, type, out);
    case BL_TYPE_ENTITY:
        return read_thing(g, type, out);
    default:
        if (!is_name(g->text))
            return refuse(g, BL_STR("name"));
        *out = bl_text(g->text);
        return BL_OK;
    }
}

static bl_str text_of(const struct bl_runner *runner, bl_str job, bl_str name)
{
    const struct bl_run_options *options = runner->options;

    for (size_t i = 0; i < options->given_count; i++) {
        if (bl_str_equal(options->given[i].job, job) &&
            bl_str_equal(options->given[i].name, name))
            return options->given[i].text;
    }
    return (bl_str){NULL, 0};
}

static enum bl_status read_record(struct bl_runner *runner, uint32_t index,
                                  struct bl_value *out)
{
    const struct bl_module *m = runner->module;
    const struct bl_module_record *row = &m->RECORDS_rows[index];
    struct giving g = {.runner = runner, .job = bl_module_string(m, row->name)};
    struct bl_value *fields = BL_NEW_ARRAY(runner->arena, row->count + 1, struct bl_value);
    enum bl_status status = fields != NULL ? BL_OK : BL_ERR_NOMEM;

    for (uint32_t i = 0; status == BL_OK && i < row->count; i++) {
        const struct bl_module_member *member = &m->RECORD_FIELDS_rows[row->first + i];

        g.name = bl_module_string(m, member->name);
        g.text = text_of(runner, g.job, g.name);
        status = read_value(&g, member->type, &fields[i]);
    }
    *out = (struct bl_value){
        .tag = BL_V_RECORD, .aux = (uint16_t)index, .len = row->count, .as.fields = fields};
    return status;
}

static struct bl_value task_of(const struct bl_run_options *options)
{
    if (options->answer != NULL)
        return bl_number(BL_V_TASK, options->answer->task);
    if (options->task_run != NULL && options->task_run->task != BL_NONE)
        return bl_number(BL_V_TASK, options->task_run->task);
    return bl_absent();
}

enum bl_status bl_run_given(struct bl_runner *runner, uint32_t function,
                            struct bl_value **arguments, size_t *count)
{
    const struct bl_function *f = &runner->module->FUNCTIONS_rows[function];
    const bl_type *types = bl_module_registers(runner->module, f);
    enum bl_status status = BL_OK;

    *count = f->param_count;
    *arguments = BL_NEW_ARRAY(runner->arena, *count + 1, struct bl_value);
    if (*arguments == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; status == BL_OK && i < *count; i++) {
        struct bl_value *slot = &(*arguments)[i];

        if (bl_type_kind(types[i]) == BL_TYPE_RECORD)
            status = read_record(runner, bl_type_ref(types[i]), slot);
        else if (bl_type_kind(types[i]) == BL_TYPE_TASK)
            *slot = task_of(runner->options);
        else
            *slot = runner->options->answer != NULL ? bl_text(BL_STR("given")) : bl_absent();
    }
    return status;
}
