/* SPDX-License-Identifier: Apache-2.0 */
#include "run/explain.h"

#include "base/utf8.h"
#include "run/explain_words.h"
#include "run/run_parts.h"

#include <inttypes.h>

/* The explanation for people:
 *
 *   fired    answer_ends_waiting
 *            true: open == open
 *              rules.policy:12:9  when answers_now and issue.state == open
 */

#define LINE_MAX_CHARS 100u /* of a line of source */

struct printing {
    struct bl_explaining e;
    struct bl_buf *out;
    bool colour;
};

static void paint(const struct printing *p, const char *code, bl_str words)
{
    if (p->colour)
        bl_buf_printf(p->out, "\033[%sm", code);
    bl_buf_put(p->out, words);
    if (p->colour)
        BL_PUT(p->out, "\033[0m");
}

static const char *colour_of(enum bl_outcome outcome)
{
    switch (outcome) {
    case BL_OUTCOME_FIRED:
        return "32";
    case BL_OUTCOME_STOPPED:
        return "31";
    case BL_OUTCOME_NOT:
    case BL_OUTCOME_SKIPPED:
        break;
    }
    return "2";
}

/* A line of a policy; control characters of a file that is not as it was compiled do nothing.
 */
static void put_source_line(struct bl_buf *out, bl_str line)
{
    size_t at = 0;

    for (unsigned count = 0; at < line.len && count < LINE_MAX_CHARS; count++) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(line, &at);

        if (c < 0x20 || (c >= 0x7F && c <= 0x9F))
            bl_buf_put_char(out, ' ');
        else
            bl_buf_put(out, bl_str_slice(line, from, at));
    }
    if (at < line.len)
        BL_PUT(out, "…");
}

static void print_place(const struct printing *p, uint32_t insn)
{
    struct bl_explain_place place;

    if (!bl_explain_place(&p->e, insn, &place))
        return;
    BL_PUT(p->out, "           ");
    bl_buf_put(p->out, place.path);
    if (place.line != 0)
        bl_buf_printf(p->out, ":%" PRIu32 ":%" PRIu32 "  ", place.line, place.column);
    put_source_line(p->out, place.text);
    bl_buf_put_char(p->out, '\n');
}

static void print_atom(const struct printing *p, const struct bl_atom *atom)
{
    size_t before;

    BL_PUT(p->out, "         ");
    bl_buf_put(p->out, atom->result ? BL_STR("true") : BL_STR("false"));
    BL_PUT(p->out, ": ");
    before = p->out->len;
    bl_explain_reading(&p->e, atom, p->out);
    if (p->out->len == before)
        BL_PUT(p->out, "the condition");
    bl_buf_put_char(p->out, '\n');
    print_place(p, atom->insn);
}

static void print_rule(const struct printing *p, const struct bl_unit *unit,
                       const struct bl_rule_trace *rule)
{
    bl_str outcome = bl_explain_outcome(rule->outcome);

    paint(p, colour_of(rule->outcome), outcome);
    for (size_t width = outcome.len; width < 9; width++)
        bl_buf_put_char(p->out, ' ');
    bl_buf_put(p->out, bl_explain_entry(p->e.module, rule->entry));
    bl_buf_put_char(p->out, '\n');
    if (rule->outcome == BL_OUTCOME_SKIPPED) {
        BL_PUT(p->out, "         false: ");
        bl_explain_need(&p->e, rule, p->out);
        bl_buf_put_char(p->out, '\n');
    }
    if (rule->outcome == BL_OUTCOME_STOPPED) {
        BL_PUT(p->out, "         ");
        bl_buf_put(p->out, bl_run_reason(p->out->arena, &unit->failure));
        bl_buf_put_char(p->out, '\n');
        print_place(p, unit->failed_at);
    }
    for (const struct bl_atom *atom = bl_explain_atom(&p->e, rule->decided); atom != NULL;
         atom = bl_explain_below(&p->e, atom))
        print_atom(p, atom);
}

void bl_explain_rule(const struct bl_unit *unit, size_t rule, const struct bl_module *module,
                     struct bl_sources *sources, struct bl_buf *out)
{
    const struct printing p = {{module, &unit->trace, sources}, out, false};

    print_rule(&p, unit, &unit->trace.rules.items[rule]);
}

void bl_explain_print(const struct bl_run_result *result, const struct bl_module *module,
                      struct bl_sources *sources, bool colour, struct bl_buf *out)
{
    for (size_t i = 0; i < result->units.count; i++) {
        const struct bl_unit *unit = &result->units.items[i];
        const struct printing p = {{module, &unit->trace, sources}, out, colour};

        if (unit->step != BL_NONE) {
            paint(&p, "1", bl_explain_entry(module, unit->step));
            bl_buf_put_char(out, ' ');
            bl_buf_put(out, unit->name);
            bl_buf_put_char(out, '\n');
        }
        for (size_t k = 0; k < unit->trace.rules.count; k++)
            print_rule(&p, unit, &unit->trace.rules.items[k]);
    }
}
