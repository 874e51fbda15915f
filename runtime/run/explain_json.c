/* SPDX-License-Identifier: Apache-2.0 */
#include "run/explain.h"
#include "run/explain_words.h"
#include "run/run_parts.h"

/* The explanation for programs. */

struct writing {
    struct bl_explaining e;
    struct bl_arena *arena;
    struct bl_json_writer *out;
};

static void text(const struct writing *w, bl_str key, bl_str value)
{
    bl_json_key(w->out, key);
    bl_json_string(w->out, value);
}

static void write_place(const struct writing *w, uint32_t insn)
{
    struct bl_explain_place place;

    if (!bl_explain_place(&w->e, insn, &place))
        return;
    text(w, BL_STR("path"), place.path);
    if (place.line == 0)
        return;
    bl_json_key(w->out, BL_STR("line"));
    bl_json_integer(w->out, place.line);
    bl_json_key(w->out, BL_STR("column"));
    bl_json_integer(w->out, place.column);
    text(w, BL_STR("text"), place.text);
}

static void write_atom(const struct writing *w, const struct bl_atom *atom)
{
    struct bl_buf reading;

    bl_buf_init(&reading, w->arena, 2000);
    bl_explain_reading(&w->e, atom, &reading);
    bl_json_begin_object(w->out);
    write_place(w, atom->insn);
    bl_json_key(w->out, BL_STR("holds"));
    bl_json_bool(w->out, atom->result);
    text(w, BL_STR("reading"), bl_buf_str(&reading));
    bl_json_end_object(w->out);
}

static void write_rule(const struct writing *w, const struct bl_unit *unit,
                       const struct bl_rule_trace *rule)
{
    struct bl_buf need;

    bl_json_begin_object(w->out);
    text(w, BL_STR("rule"), bl_explain_entry(w->e.module, rule->entry));
    text(w, BL_STR("outcome"), bl_explain_outcome(rule->outcome));
    bl_json_key(w->out, BL_STR("conditions"));
    bl_json_begin_array(w->out);
    for (const struct bl_atom *atom = bl_explain_atom(&w->e, rule->decided); atom != NULL;
         atom = bl_explain_below(&w->e, atom))
        write_atom(w, atom);
    bl_json_end_array(w->out);
    if (rule->outcome == BL_OUTCOME_SKIPPED) {
        bl_buf_init(&need, w->arena, 2000);
        bl_explain_need(&w->e, rule, &need);
        text(w, BL_STR("needs"), bl_buf_str(&need));
    }
    if (rule->outcome == BL_OUTCOME_STOPPED) {
        text(w, BL_STR("failure"), bl_run_reason(w->arena, &unit->failure));
        bl_json_key(w->out, BL_STR("at"));
        bl_json_begin_object(w->out);
        write_place(w, unit->failed_at);
        bl_json_end_object(w->out);
    }
    bl_json_end_object(w->out);
}

void bl_explain_json(const struct bl_run_result *result, const struct bl_module *module,
                     struct bl_sources *sources, struct bl_json_writer *out)
{
    bl_json_begin_array(out);
    for (size_t i = 0; i < result->units.count; i++) {
        const struct bl_unit *unit = &result->units.items[i];
        const struct writing w = {{module, &unit->trace, sources}, result->arena, out};

        bl_json_begin_object(out);
        text(&w, BL_STR("unit"), unit->name);
        text(&w, BL_STR("step"), bl_explain_entry(module, unit->step));
        bl_json_key(out, BL_STR("rules"));
        bl_json_begin_array(out);
        for (size_t k = 0; k < unit->trace.rules.count; k++)
            write_rule(&w, unit, &unit->trace.rules.items[k]);
        bl_json_end_array(out);
        bl_json_end_object(out);
    }
    bl_json_end_array(out);
}
