/* SPDX-License-Identifier: Apache-2.0 */
#include "run/explain_words.h"

#include "base/utf8.h"
#include "bytecode/facts.h"

bl_str bl_explain_outcome(enum bl_outcome outcome)
{
    switch (outcome) {
    case BL_OUTCOME_FIRED:
        return BL_STR("fired");
    case BL_OUTCOME_NOT:
        return BL_STR("not");
    case BL_OUTCOME_SKIPPED:
        return BL_STR("skipped");
    case BL_OUTCOME_STOPPED:
        return BL_STR("stopped");
    }
    return (bl_str){NULL, 0};
}

bl_str bl_explain_entry(const struct bl_module *module, uint32_t entry)
{
    return entry < module->ENTRIES_count
               ? bl_module_string(module, module->ENTRIES_rows[entry].name)
               : (bl_str){NULL, 0};
}

/* ---- conditions -------------------------------------------------------------------------- */

/* The word of the language for an operator of two values. */
static bl_str operator_of(enum bl_opcode op)
{
    static const struct {
        enum bl_opcode op;
        bl_str word;
    } operators[] = {
        {BL_OP_EQ, {" == ", 4}},
        {BL_OP_NE, {" != ", 4}},
        {BL_OP_LT, {" < ", 3}},
        {BL_OP_LE, {" <= ", 4}},
        {BL_OP_IN, {" in ", 4}},
        {BL_OP_CONTAINS, {" contains ", 10}},
        {BL_OP_STARTS, {" starts_with ", 13}},
        {BL_OP_ENDS, {" ends_with ", 11}},
        {BL_OP_MATCHES, {" matches ", 9}},
        {BL_OP_GLOB, {" matches ", 9}},
    };

    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (operators[i].op == op)
            return operators[i].word;
    }
    return (bl_str){NULL, 0};
}

static void describe(const struct bl_explaining *e, struct bl_value v, struct bl_buf *out)
{
    struct bl_value_names names = bl_machine_names(e->module);

    bl_value_describe(out, v, &names);
}

static bl_str sought_source(const void *context, enum bl_value_tag tag, unsigned index)
{
    const struct bl_module *module = context;

    (void)tag;
    return bl_module_string(module, module->SOUGHT_rows[index].source);
}

/* ` contains "words"` or ` matches /pattern/`. */
static void put_sought(const struct bl_explaining *e, uint32_t sought, struct bl_buf *out)
{
    const struct bl_module *module = e->module;
    const struct bl_module_set *set = &module->SETS_rows[bl_module_set_of(module, sought)];
    struct bl_value_names names = bl_machine_names(module);

    if (sought - set->first_sought < set->literal_count) {
        BL_PUT(out, " contains ");
        describe(e, bl_text(bl_module_string(module, module->SOUGHT_rows[sought].source)), out);
        return;
    }
    names.declared = sought_source;
    BL_PUT(out, " matches ");
    bl_value_describe(out, bl_number(BL_V_PATTERN, sought), &names);
}

static const struct bl_atom *called_by(const struct bl_explaining *e,
                                       const struct bl_atom *atom)
{
    /* What was called was kept before its caller. Only in a trace that is full could an index
     * lead back, and there the way ends. */
    return (ptrdiff_t)atom->called < atom - e->trace->atoms.items
               ? bl_explain_atom(e, atom->called)
               : NULL;
}

static bool is_not(const struct bl_explaining *e, const struct bl_atom *atom)
{
    return e->module->CODE_rows[atom->insn].op == BL_OP_NOT;
}

/* The condition as the policy writes it, on one line; nothing without the source's text. */
static void as_written(const struct bl_explaining *e, const struct bl_atom *atom,
                       struct bl_buf *out)
{
    const struct bl_map_row *row = bl_module_place(e->module, atom->insn);

    if (row == NULL || e->sources == NULL)
        return;
    bl_str text =
        bl_sources_text(e->sources, (struct bl_span){row->lo, bl_map_hi(row), row->source});
    size_t end = bl_str_find_char(text, '\n');
    bl_buf_put(out,
               bl_utf8_prefix(bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end), 100));
}

/* Has it words of its own? A value that was only moved has not. */
static bool has_reading(const struct bl_explaining *e, const struct bl_atom *atom)
{
    enum bl_opcode op = (enum bl_opcode)e->module->CODE_rows[atom->insn].op;

    return operator_of(op).len > 0 || op == BL_OP_IS_SET || op == BL_OP_FIELD ||
           op == BL_OP_CALL || op == BL_OP_EVENT_IS;
}

/* Of a verdict also which row of its check decided, and in which words it refused. */
static void put_verdict(const struct bl_atom *atom, struct bl_buf *out)
{
    struct bl_object *verdict = bl_object_of(atom->left);
    bl_str rule, words;

    if (verdict == NULL || verdict->entity != BL_ENTITY_VERDICT ||
        !bl_object_knows(verdict, BL_FIELD_VERDICT_RULE))
        return;
    rule = bl_text_of(bl_object_get(verdict, BL_FIELD_VERDICT_RULE));
    words = bl_text_of(bl_object_get(verdict, BL_FIELD_VERDICT_TEXT));
    if (rule.len > 0) {
        BL_PUT(out, ", by ");
        bl_value_describe(out, bl_text(rule), NULL);
    }
    if (!atom->result && words.len > 0) {
        BL_PUT(out, ": ");
        bl_value_describe(out, bl_text(words), NULL);
    }
}

void bl_explain_reading(const struct bl_explaining *e, const struct bl_atom *atom,
                        struct bl_buf *out)
{
    const struct bl_atom *inner = is_not(e, atom) ? called_by(e, atom) : NULL;

    const struct bl_insn *insn = &e->module->CODE_rows[atom->insn];
    enum bl_opcode op = (enum bl_opcode)insn->op;
    bl_str word = operator_of(op);

    if (inner != NULL && !is_not(e, inner) && has_reading(e, inner)) {
        BL_PUT(out, "not ");
        bl_explain_reading(e, inner, out);
    } else if (word.len > 0) {
        describe(e, atom->left, out);
        bl_buf_put(out, word);
        describe(e, atom->right, out);
    } else if (op == BL_OP_FOUND) {
        describe(e, atom->left, out);
        put_sought(e, insn->c, out);
    } else if (op == BL_OP_IS_SET) {
        describe(e, atom->left, out);
        BL_PUT(out, " is set");
    } else if (op == BL_OP_FIELD) {
        const struct bl_field_info *field = bl_field_info((enum bl_field)insn->c);

        describe(e, atom->left, out);
        bl_buf_put_char(out, '.');
        bl_buf_put(out, field != NULL ? field->name : BL_STR("?"));
        put_verdict(atom, out);
    } else if (op == BL_OP_CALL) {
        bl_buf_put(out, bl_module_string(e->module, e->module->FUNCTIONS_rows[insn->c].name));
    } else if (op == BL_OP_EVENT_IS) {
        const struct bl_event_info *event = bl_event_info((enum bl_event_id)insn->c);

        BL_PUT(out, "event is ");
        bl_buf_put(out, event != NULL ? event->event : BL_STR("?"));
        if (event != NULL && event->action.len > 0) {
            bl_buf_put_char(out, '.');
            bl_buf_put(out, event->action);
        }
    } else {
        as_written(e, atom, out);
    }
}

void bl_explain_need(const struct bl_explaining *e, const struct bl_rule_trace *rule,
                     struct bl_buf *out)
{
    const struct bl_module *module = e->module;

    if (rule->access >= module->ACCESS_count)
        return;
    const struct bl_access *row = &module->ACCESS_rows[rule->access];
    enum bl_access_kind kind = (enum bl_access_kind)row->kind;
    uint32_t fact = kind == BL_ACCESS_PATTERN ? module->SETS_rows[row->path].path : row->path;
    const struct bl_fact_info *info = bl_fact_info((enum bl_fact)fact);
    struct bl_value key = bl_text((bl_str){module->STRINGS_rows + row->key, row->length});

    bl_buf_put(out, info != NULL ? info->path : BL_STR("?"));
    switch (kind) {
    case BL_ACCESS_LABEL:
        BL_PUT(out, " has ");
        describe(e, key, out);
        return;
    case BL_ACCESS_TEXT:
        BL_PUT(out, " == ");
        describe(e, key, out);
        return;
    case BL_ACCESS_ENUM:
        BL_PUT(out, " == ");
        bl_buf_put(out, bl_module_member(module, bl_type_ref(bl_fact_type((enum bl_fact)fact)),
                                         row->key));
        return;
    case BL_ACCESS_PATTERN:
        put_sought(e, module->SETS_rows[row->path].first_sought + row->key, out);
        return;
    }
}

/* ---- places ------------------------------------------------------------------------------ */

bool bl_explain_place(const struct bl_explaining *e, uint32_t insn,
                      struct bl_explain_place *out)
{
    const struct bl_map_row *row = insn != BL_NONE ? bl_module_place(e->module, insn) : NULL;

    *out = (struct bl_explain_place){0};
    if (row == NULL || row->source >= e->module->SOURCES_count)
        return false;
    out->path = bl_module_string(e->module, e->module->SOURCES_rows[row->source].path);
    if (e->sources == NULL)
        return true;
    struct bl_position position = bl_sources_position(e->sources, row->source, row->lo);
    const struct bl_source *source = bl_sources_get(e->sources, row->source);
    if (source == NULL || source->text.len == 0)
        return true;
    out->line = position.line;
    out->column = position.column_chars;
    out->text = bl_str_trim(bl_sources_line(e->sources, row->source, position.line));
    return true;
}

const struct bl_atom *bl_explain_atom(const struct bl_explaining *e, uint32_t index)
{
    return index < e->trace->atoms.count ? &e->trace->atoms.items[index] : NULL;
}

/* `not` and what it turns around are one line. */
const struct bl_atom *bl_explain_below(const struct bl_explaining *e,
                                       const struct bl_atom *atom)
{
    const struct bl_atom *inner = called_by(e, atom);

    return inner != NULL && is_not(e, atom) && !is_not(e, inner) ? called_by(e, inner) : inner;
}
