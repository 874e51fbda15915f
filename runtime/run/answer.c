/* SPDX-License-Identifier: Apache-2.0 */
#include "run/answer.h"

#include "event/json.h"
#include "vm/records.h"

static enum bl_status refuse(const struct bl_record_reader *r, uint32_t task, uint32_t source,
                             struct bl_diagnostics *sink)
{
    const struct bl_record_problem *problem = &r->problem;
    struct bl_span span = {problem->lo, problem->hi, source};
    bool has_place = problem->has_place && source != BL_NO_SOURCE;
    struct bl_diagnostic *d =
        bl_report(sink, BL_D_ANSWER_REFUSED, has_place ? span : BL_NO_SPAN);

    bl_diagnostic_text(sink, d, "task",
                       bl_module_string(r->module, r->module->TASKS_rows[task].name));
    bl_diagnostic_text(sink, d, "path", problem->path.len > 0 ? problem->path : BL_STR("$"));
    bl_diagnostic_text(sink, d, "problem", problem->problem);
    return r->arena->failed ? BL_ERR_NOMEM : BL_ERR_INVALID;
}

static struct bl_record_reader reader_of(struct bl_arena *arena, const struct bl_module *module)
{
    return (struct bl_record_reader){
        .arena = arena, .module = module, .kinds = BL_ANSWER_KINDS};
}

enum bl_status bl_answer_check(struct bl_arena *arena, const struct bl_module *module,
                               const struct bl_task_answer *answer, struct bl_diagnostics *sink)
{
    struct bl_record_reader reader = reader_of(arena, module);
    enum bl_status status = bl_record_check(&reader, answer->value);

    return status == BL_ERR_INVALID ? refuse(&reader, answer->task, BL_NO_SOURCE, sink)
                                    : status;
}

static enum bl_status report_json(const struct bl_json_error *error, uint32_t source,
                                  struct bl_diagnostics *sink)
{
    struct bl_span span = {(uint32_t)error->offset, (uint32_t)error->offset, source};
    struct bl_diagnostic *d;

    if (error->no_memory)
        return BL_ERR_NOMEM;
    d = bl_report(sink, BL_D_JSON_BROKEN, source != BL_NO_SOURCE ? span : BL_NO_SPAN);
    bl_diagnostic_text(sink, d, "problem", error->message);
    return BL_ERR_INVALID;
}

enum bl_status bl_answer_read(struct bl_arena *arena, const struct bl_module *module,
                              uint32_t task, bl_str json, uint32_t source,
                              struct bl_task_answer *out, struct bl_diagnostics *sink)
{
    struct bl_record_reader reader = reader_of(arena, module);
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *root =
        bl_json_parse(arena, json, (size_t)bl_limit(BL_LIMIT_JSON_DEPTH), &notes, &error);
    uint32_t record = module->TASKS_rows[task].record;
    enum bl_status status;

    *out = (struct bl_task_answer){task, bl_absent()};
    if (root == NULL)
        return report_json(&error, source, sink);
    if (record == BL_NONE && root->kind == BL_JSON_OBJECT && root->count == 0)
        return BL_OK;
    if (record == BL_NONE) {
        reader.problem = (struct bl_record_problem){
            .problem = BL_STR("must be an empty object: nothing is asked for"),
            .lo = root->lo,
            .hi = root->hi,
            .has_place = true};
        return refuse(&reader, task, source, sink);
    }
    status = bl_record_read(&reader, root, record, &out->value);
    if (status == BL_ERR_INVALID)
        return refuse(&reader, task, source, sink);
    return status == BL_OK ? bl_answer_check(arena, module, out, sink) : status;
}
