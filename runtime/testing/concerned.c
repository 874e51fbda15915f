/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "run/explain.h"
#include "testing/case_run.h"

/* What a failure says beyond its sentence: the plans of the last step, and why the rules that
 * it is about fired or did not. */

/* Rules that one failure explains at most. */
#define EXPLAINED_MAX 6u

static bool describe_effect(struct bl_buf *out, const struct bl_module *module,
                            const struct bl_plan_effect *effect)
{
    BL_PUT(out, "    ");
    bl_plan_effect_words(module, &effect->planned, out);
    for (size_t k = 0; k < effect->entries.count; k++) {
        bl_buf_put(out, k == 0 ? BL_STR("  (") : BL_STR(", "));
        bl_buf_put(
            out, bl_module_string(module, module->ENTRIES_rows[effect->entries.items[k]].name));
    }
    if (effect->entries.count > 0)
        BL_PUT(out, ")");
    BL_PUT(out, "\n");
    return true;
}

void bl_case_describe_plans(const struct bl_case *c, struct bl_buf *out)
{
    size_t count = 0;

    if (c->runs.count == 0) {
        BL_PUT(out, "  No job ran for the last step.\n");
        return;
    }
    BL_PUT(out, "  The last step planned:\n");
    for (size_t r = 0; r < c->runs.count; r++) {
        for (size_t u = 0; u < c->runs.items[r].units.count; u++) {
            const struct bl_unit *unit = &c->runs.items[r].units.items[u];
            for (size_t i = 0; i < unit->plan.effects.count; i++, count++)
                describe_effect(out, c->module, &unit->plan.effects.items[i]);
            if (unit->failure.what.len > 0)
                bl_buf_printf(out, "    failed: %.*s\n", BL_STR_ARG(unit->failure.what));
        }
    }
    if (count == 0)
        BL_PUT(out, "    nothing\n");
}

/* ---- which rules a failure is about -------------------------------------------------------
 */

/* The label that register `reg` holds in front of instruction `at`, when a constant or a move
 * of one put it there; absent when more would be needed to know it. */
static struct bl_value label_in(const struct bl_module *m, const struct bl_function *f,
                                uint32_t at, uint32_t reg)
{
    while (at-- > f->first_insn) {
        const struct bl_insn *insn = &m->CODE_rows[at];
        const struct bl_op_info *info = bl_op_info((enum bl_opcode)insn->op);
        if (info->a != BL_OPERAND_DST || insn->a != reg)
            continue;
        if (insn->op == BL_OP_MOVE) {
            reg = insn->b;
            continue;
        }
        if (insn->op != BL_OP_CONST || m->CONSTS_rows[insn->c].type != BL_TYPE_LABEL)
            break;
        const struct bl_const *constant = &m->CONSTS_rows[insn->c];
        return bl_text((bl_str){m->STRINGS_rows + constant->payload, constant->length});
    }
    return bl_absent();
}

static bool is_about_label(uint32_t effect)
{
    return effect == BL_EFFECT_ADD_LABEL || effect == BL_EFFECT_REMOVE_LABEL;
}

/* Has the function an effect of that kind, and not surely with another label? */
static bool may_plan(const struct bl_module *m, const struct bl_function *f, uint32_t effect,
                     uint32_t member, struct bl_value label)
{
    uint32_t end = f->first_insn + bl_module_insn_count(m, f);
    for (uint32_t i = f->first_insn; i < end; i++) {
        const struct bl_insn *insn = &m->CODE_rows[i];
        if (insn->op != BL_OP_EFFECT || m->SITES_rows[insn->c].kind != effect)
            continue;
        if (effect == BL_EFFECT_POST && member != 0 &&
            m->SITES_rows[insn->c].detail != member - 1)
            continue;
        if (!is_about_label(effect) || bl_is_absent(label))
            return true;
        struct bl_value found = label_in(m, f, i, insn->a + 1u);
        if (bl_is_absent(found) || bl_value_equal(found, label, BL_TYPE_LABEL))
            return true;
    }
    return false;
}

struct concern {
    struct bl_case *c;
    const struct bl_expected *expected;
    size_t count;
    bool labels; /* the trace names some */
    bool extra;  /* there are effects that nobody expects */
};

static const struct bl_function *function_of(const struct bl_module *m, uint32_t entry)
{
    uint32_t function = m->ENTRIES_rows[entry].function;

    return function < m->FUNCTIONS_count ? &m->FUNCTIONS_rows[function] : NULL;
}

/* Conditions of the expectation that failed, which compare a text that is a label's name. */
static bool touches_labels(const struct concern *k, const struct bl_function *f)
{
    const struct bl_module *m = k->c->module;

    for (size_t i = 0; i < k->c->trace.atoms.count; i++) {
        const struct bl_value sides[2] = {k->c->trace.atoms.items[i].left,
                                          k->c->trace.atoms.items[i].right};
        for (unsigned s = 0; s < 2; s++) {
            if (sides[s].tag != BL_V_TEXT ||
                bl_module_label(m, bl_text_of(sides[s])) == BL_NONE)
                continue;
            if (may_plan(m, f, BL_EFFECT_ADD_LABEL, 0, sides[s]) ||
                may_plan(m, f, BL_EFFECT_REMOVE_LABEL, 0, sides[s]))
                return true;
        }
    }
    return false;
}

static bool names_labels(const struct bl_case *c)
{
    for (size_t i = 0; i < c->trace.atoms.count; i++) {
        const struct bl_atom *atom = &c->trace.atoms.items[i];
        if ((atom->left.tag == BL_V_TEXT &&
             bl_module_label(c->module, bl_text_of(atom->left)) != BL_NONE) ||
            (atom->right.tag == BL_V_TEXT &&
             bl_module_label(c->module, bl_text_of(atom->right)) != BL_NONE))
            return true;
    }
    return false;
}

/* Did this rule plan something that no expectation matches? */
struct search {
    const struct concern *k;
    uint32_t entry;
    bool found;
};

static bool look(void *context, const struct bl_plan_effect *effect)
{
    struct search *s = context;
    bool asked = false;

    for (size_t i = 0; i < effect->entries.count; i++)
        asked = asked || effect->entries.items[i] == s->entry;
    for (size_t i = 0; asked && i < s->k->count; i++)
        asked = !bl_case_matches(s->k->c, &s->k->expected[i], &effect->planned);
    s->found = s->found || asked;
    return !s->found;
}

static bool is_concerned(const struct concern *k, const struct bl_rule_trace *rule)
{
    const struct bl_function *f = function_of(k->c->module, rule->entry);

    if (f == NULL)
        return false;
    if (k->expected == NULL)
        return k->labels ? touches_labels(k, f) : rule->outcome != BL_OUTCOME_SKIPPED;
    for (size_t i = 0; i < k->count; i++)
        if (may_plan(k->c->module, f, k->expected[i].effect, k->expected[i].member,
                     k->expected[i].label))
            return true;
    struct search s = {k, rule->entry, false};
    bl_case_each_effect(k->c, look, &s);
    return s.found;
}

/* What the runs said of themselves: a setting that was refused, a read that failed. */
static void put_notices(const struct bl_case *c, struct bl_buf *out)
{
    bl_str rest = bl_buf_str(&c->notices);

    for (size_t lines = 0; rest.len > 0; lines++) {
        size_t end = bl_str_find_char(rest, '\n');

        if (lines == 0)
            BL_PUT(out, "  The runs so far said:\n");
        if (lines == EXPLAINED_MAX) {
            BL_PUT(out, "    …\n");
            return;
        }
        if (end > 0) {
            BL_PUT(out, "    ");
            bl_report_visible(bl_str_slice(rest, 0, end), out);
            BL_PUT(out, "\n");
        }
        rest = bl_str_behind_line(rest);
    }
}

void bl_case_explain(struct bl_case *c, const struct bl_expected *expected, size_t count,
                     struct bl_buf *out)
{
    struct concern k = {.c = c, .expected = expected, .count = count};
    size_t told = 0, more = 0;

    put_notices(c, out);
    k.labels = expected == NULL && names_labels(c);
    for (size_t r = 0; r < c->runs.count; r++) {
        for (size_t u = 0; u < c->runs.items[r].units.count; u++) {
            const struct bl_unit *unit = &c->runs.items[r].units.items[u];
            for (size_t i = 0; i < unit->trace.rules.count; i++) {
                if (!is_concerned(&k, &unit->trace.rules.items[i]))
                    continue;
                if (told == EXPLAINED_MAX) {
                    more++;
                    continue;
                }
                if (told++ == 0)
                    BL_PUT(out, "  The rules concerned:\n");
                BL_PUT(out, "    ");
                bl_explain_rule(unit, i, c->module, c->options->sources, out);
            }
        }
    }
    if (more > 0)
        bl_buf_printf(out, "    and %zu more\n", more);
}
