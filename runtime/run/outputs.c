/* SPDX-License-Identifier: Apache-2.0 */
#include "run/outputs.h"

#include "event/json.h"
#include "run/run_parts.h"

#include <inttypes.h>

/* ---- outputs ----------------------------------------------------------------------------- */

static bool is_output_name(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool first = bl_is_ascii_alpha(c) || c == '_';

        if (!first && (i == 0 || (!bl_is_ascii_digit(c) && c != '-')))
            return false;
    }
    return name.len > 0;
}

#define DELIMITER     "bylaw_end_"
#define DELIMITER_MAX 18u /* digits of a number that we would write */

/* Random delimiters are for values that are not known yet. This one is: the number behind the
 * largest one that stands in it after our word. */
static uint64_t delimiter_of(bl_str value)
{
    uint64_t next = 0;

    for (;;) {
        size_t found = bl_str_find(value, BL_STR(DELIMITER));
        uint64_t number = 0;
        size_t digits = 0;

        if (found == SIZE_MAX)
            return next;
        value = bl_str_slice(value, found + sizeof DELIMITER - 1, value.len);
        for (; digits < value.len && bl_is_ascii_digit(value.ptr[digits]); digits++)
            number = digits < DELIMITER_MAX ? number * 10 + (uint64_t)(value.ptr[digits] - '0')
                                            : number;
        if (digits > 0 && digits <= DELIMITER_MAX && number >= next)
            next = number + 1;
    }
}

bool bl_output_put(struct bl_buf *out, bl_str name, bl_str value, struct bl_diagnostics *sink)
{
    if (!is_output_name(name)) {
        bl_diagnostic_text(sink, bl_report(sink, BL_D_OUTPUT_NAME, BL_NO_SPAN), "name", name);
        return false;
    }
    uint64_t delimiter = delimiter_of(value);
    bl_buf_put(out, name);
    bl_buf_printf(out, "<<" DELIMITER "%" PRIu64 "\n", delimiter);
    bl_buf_put(out, value);
    bl_buf_printf(out, "\n" DELIMITER "%" PRIu64 "\n", delimiter);
    return true;
}

/* Numbers and words of the policy; a list has one element a line. */
static void put_value(struct bl_buf *out, const struct bl_module *module, struct bl_value v)
{
    struct bl_value_names names = bl_machine_names(module);

    if (v.tag == BL_V_TEXT) {
        bl_buf_put(out, bl_text_of(v));
    } else if (v.tag == BL_V_LIST) {
        for (uint32_t i = 0; i < v.as.list->count; i++) {
            if (i > 0)
                bl_buf_put_char(out, '\n');
            if (v.as.list->items[i].tag == BL_V_TEXT)
                bl_buf_put(out, bl_text_of(v.as.list->items[i]));
            else
                bl_value_describe(out, v.as.list->items[i], &names);
        }
    } else if (bl_object_of(v) != NULL && bl_object_of(v)->key != 0) {
        bl_buf_put_int(out, bl_object_of(v)->key); /* "12": for the command of another step */
    } else if (!bl_is_absent(v)) {
        bl_value_describe(out, v, &names);
    }
}

static bl_str value_text(const struct bl_run_result *result, const struct bl_module *module,
                         struct bl_value v, struct bl_buf *out)
{
    struct bl_buf value;

    bl_buf_init(&value, result->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    put_value(&value, module, v);
    if (value.failed)
        out->failed = true;
    return bl_buf_str(&value);
}

bl_str bl_output_text(const struct bl_run_result *result, const struct bl_module *module,
                      struct bl_value value)
{
    struct bl_buf out;

    bl_buf_init(&out, result->arena, 1);
    return value_text(result, module, value, &out);
}

static bool put_output(const struct bl_run_result *result, const struct bl_module *module,
                       bl_str name, struct bl_value v, struct bl_buf *out,
                       struct bl_diagnostics *sink)
{
    return bl_output_put(out, name, value_text(result, module, v, out), sink);
}

/* All of them as one object of texts, on one line, for whoever has to name outputs beforehand.
 */
static bool put_all(const struct bl_run_result *result, const struct bl_module *module,
                    struct bl_buf *out, struct bl_diagnostics *sink)
{
    struct bl_json_writer w;
    struct bl_buf json;

    if (result->outputs.count == 0)
        return true;
    bl_buf_init(&json, result->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_json_writer_init(&w, &json, false);
    bl_json_begin_object(&w);
    for (size_t i = 0; i < result->outputs.count; i++) {
        bl_json_key(&w, result->outputs.items[i].name);
        bl_json_string(&w, value_text(result, module, result->outputs.items[i].value, out));
    }
    bl_json_end_object(&w);
    out->failed = out->failed || json.failed;
    return bl_output_put(out, BL_STR(BL_OUTPUT_ALL), bl_buf_str(&json), sink);
}

bool bl_outputs_write(const struct bl_run_result *result, const struct bl_run_options *options,
                      struct bl_buf *out, struct bl_diagnostics *sink)
{
    bool decides = options->module->JOBS_rows[options->job].decision != BL_NONE;
    bool good = true;

    if (result->has_task)
        good = put_output(result, options->module, BL_STR(BL_OUTPUT_TASK), result->task, out,
                          sink);
    else if (decides)
        good = bl_output_put(out, BL_STR(BL_OUTPUT_TASK), BL_STR("none"), sink);
    for (size_t i = 0; i < result->outputs.count; i++) {
        const struct bl_output *output = &result->outputs.items[i];

        good =
            put_output(result, options->module, output->name, output->value, out, sink) && good;
    }
    return put_all(result, options->module, out, sink) && good;
}

/* ---- summary ----------------------------------------------------------------------------- */

static bl_str state_words(enum bl_effect_state state)
{
    switch (state) {
    case BL_STATE_DONE:
        return BL_STR("Written");
    case BL_STATE_DRY:
        return BL_STR("Would be written");
    case BL_STATE_THERE:
        return BL_STR("There already");
    case BL_STATE_FAILED:
        return BL_STR("Failed");
    case BL_STATE_LEFT:
        return BL_STR("Left");
    case BL_STATE_PLANNED:
        break;
    }
    return BL_STR("Planned");
}

/* An effect in words is names and numbers; as code it is no Markdown either. */
static void put_code(struct bl_buf *out, bl_str words)
{
    BL_PUT(out, "`");
    for (size_t i = 0; i < words.len; i++)
        bl_buf_put_char(out, words.ptr[i] == '`' || words.ptr[i] == '\n' ? '\'' : words.ptr[i]);
    BL_PUT(out, "`");
}

static void put_effect(struct bl_buf *line, const struct bl_module *module,
                       const struct bl_plan_effect *effect)
{
    struct bl_buf words;

    bl_buf_init(&words, line->arena, 2000);
    bl_plan_effect_words(module, &effect->planned, &words);
    BL_PUT(line, "- ");
    bl_buf_put(line, state_words(effect->state));
    BL_PUT(line, ": ");
    put_code(line, bl_buf_str(&words));
    if (effect->state == BL_STATE_FAILED) {
        BL_PUT(line, " – ");
        put_code(line, bl_run_reason(line->arena, &effect->failure));
    }
    bl_buf_put_char(line, '\n');
}

/* Rows are written a whole file at a time, whichever effects they came from. */
static void put_rows(const struct bl_effect_call *call, struct bl_buf *out)
{
    struct bl_buf words;

    bl_buf_init(&words, out->arena, 2000);
    bl_buf_printf(&words, "keep %.*s", BL_STR_ARG(call->path));
    BL_PUT(out, "- Written: ");
    put_code(out, bl_buf_str(&words));
    bl_buf_put_char(out, '\n');
}

void bl_summary_line(const struct bl_module *module, const struct bl_effect_call *call,
                     struct bl_buf *out)
{
    if (call->effect == BL_EFFECT_KEEP) {
        put_rows(call, out);
        return;
    }
    const struct bl_plan_effect effect = {
        .planned = {.effect = call->effect,
                    .args = (struct bl_value *)(uintptr_t)call->args,
                    .arg_count = call->arg_count},
        .state = BL_STATE_DONE,
    };
    put_effect(out, module, &effect);
}

#define TAIL_BYTES 200u /* for the line that counts what had no room */

struct summary {
    struct bl_buf *out;
    size_t room;
    size_t dropped;
};

static void put_line(struct summary *s, bl_str line)
{
    if (s->dropped > 0 || s->out->len + line.len + TAIL_BYTES > s->room) {
        s->dropped++;
        return;
    }
    bl_buf_put(s->out, line);
}

static void put_stop(struct summary *s, bl_str unit, const struct bl_failure *failure)
{
    struct bl_buf line;

    bl_buf_init(&line, s->out->arena, 8000);
    BL_PUT(&line, "- Stopped");
    if (unit.len > 0) {
        BL_PUT(&line, " at ");
        put_code(&line, unit);
    }
    BL_PUT(&line, ": ");
    put_code(&line, bl_run_reason(s->out->arena, failure));
    bl_buf_put_char(&line, '\n');
    put_line(s, bl_buf_str(&line));
}

/* Lines for the log are in the log: a summary that had them could hold words of an AI. */
static void put_unit(struct summary *s, const struct bl_module *module,
                     const struct bl_unit *unit)
{
    struct bl_buf line;

    for (size_t i = 0; i < unit->plan.effects.count; i++) {
        const struct bl_plan_effect *effect = &unit->plan.effects.items[i];

        if (bl_effect_is_log(effect->planned.effect) ||
            effect->planned.effect == BL_EFFECT_SUMMARY)
            continue;
        bl_buf_init(&line, s->out->arena, 8000);
        put_effect(&line, module, effect);
        put_line(s, bl_buf_str(&line));
    }
    if (unit->status != BL_OK && unit->status != BL_ERR_WRITE)
        put_stop(s, unit->name, &unit->failure);
}

/* A report is whole or not there: a part of one could end in the middle of its Markdown. */
static void put_reports(struct summary *s, const struct bl_run_result *result)
{
    for (size_t i = 0; i < result->reports.count; i++) {
        struct bl_buf text;

        bl_buf_init(&text, s->out->arena, result->reports.items[i].len + 2);
        bl_buf_put_char(&text, '\n');
        bl_buf_put(&text, result->reports.items[i]);
        bl_buf_put_char(&text, '\n');
        put_line(s, bl_buf_str(&text));
    }
}

void bl_summary_write(const struct bl_run_result *result, const struct bl_module *module,
                      size_t taken, struct bl_buf *out)
{
    struct summary s = {out, taken < BL_SUMMARY_BYTES ? BL_SUMMARY_BYTES - taken : 0, 0};

    for (size_t i = 0; i < result->units.count; i++)
        put_unit(&s, module, &result->units.items[i]);
    if (result->left.len > 0) {
        struct bl_buf line;

        bl_buf_init(&line, out->arena, result->left.len + 100);
        bl_buf_printf(&line, "- %.*s\n", BL_STR_ARG(result->left));
        put_line(&s, bl_buf_str(&line));
    }
    if (result->stopped.what.len > 0 || result->stopped.why.len > 0)
        put_stop(&s, (bl_str){NULL, 0}, &result->stopped);
    put_reports(&s, result);
    if (s.dropped > 0 && s.out->len + TAIL_BYTES <= s.room)
        bl_buf_printf(out, "- And %" PRIu64 " more.\n", (uint64_t)s.dropped);
}
