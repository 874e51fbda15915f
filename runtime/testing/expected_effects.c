/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "testing/case_run.h"

/* Expected effects: each names a kind and what of its arguments must be so. */

/* Which of the three a step is; steps.def. */
enum mode { MODE_THERE, MODE_ABSENT, MODE_AMONG };

#define MODE_SHIFT   28u
#define MEMBER_SHIFT 8u

void bl_case_each_effect(const struct bl_case *c, bl_each_effect *one, void *context)
{
    for (size_t r = 0; r < c->runs.count; r++) {
        const struct bl_run_result *run = &c->runs.items[r];
        for (size_t u = 0; u < run->units.count; u++) {
            const struct bl_plan *plan = &run->units.items[u].plan;
            for (size_t i = 0; i < plan->effects.count; i++)
                if (!one(context, &plan->effects.items[i]))
                    return;
        }
    }
}

/* ---- does it match? -----------------------------------------------------------------------
 */

static struct bl_value argument(const struct bl_planned *planned, size_t index)
{
    return index < planned->arg_count ? planned->args[index] : bl_absent();
}

/* The type of the register that held an argument. */
static bl_type argument_type(const struct bl_module *m, const struct bl_planned *planned,
                             size_t index)
{
    uint32_t function = bl_module_function_of(m, planned->insn);

    if (function == BL_NONE)
        return BL_TYPE_ERROR;
    return bl_module_registers(
        m, &m->FUNCTIONS_rows[function])[m->CODE_rows[planned->insn].a + index];
}

static bool same_text(struct bl_value wanted, struct bl_value found)
{
    return bl_is_absent(wanted) || bl_str_equal(bl_text_of(wanted), bl_text_of(found));
}

/* A value of any type, as the log would show it. */
static bool same_rendered(struct bl_case *c, struct bl_value wanted,
                          const struct bl_planned *planned, size_t index)
{
    struct bl_buf text;
    bl_type type = argument_type(c->module, planned, index);

    if (bl_is_absent(wanted))
        return true;
    /* A name in quotes is no name yet to whoever wrote the expectation. */
    if (argument(planned, index).tag == BL_V_TEXT &&
        bl_str_equal(bl_text_of(wanted), bl_text_of(argument(planned, index))))
        return true;
    bl_buf_init(&text, c->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    return bl_render(&c->machine, argument(planned, index), type, BL_PLACE_LOG, &text) ==
               BL_OK &&
           bl_str_equal(bl_text_of(wanted), bl_buf_str(&text));
}

static bool same_key(struct bl_value wanted, struct bl_value found)
{
    const struct bl_object *object = bl_object_of(found);

    return bl_is_absent(wanted) || (object != NULL && object->key == wanted.as.i);
}

static bool same_commit(struct bl_value wanted, struct bl_value found)
{
    const struct bl_object *commit = bl_object_of(found);

    return bl_is_absent(wanted) ||
           (commit != NULL && bl_str_equal(commit->name, bl_text_of(wanted)));
}

static bool same_label(struct bl_value wanted, struct bl_value found)
{
    return bl_is_absent(wanted) || bl_value_equal(found, wanted, BL_TYPE_LABEL);
}

static bool same_member(const struct bl_expected *e, struct bl_value found)
{
    return e->member == 0 || (found.tag == BL_V_ENUM && found.as.i == (int64_t)e->member - 1);
}

static bool same_kind(const struct bl_expected *e, struct bl_value found)
{
    return e->member == 0 ||
           (found.tag == BL_V_POSTED && found.as.posted->kind == e->member - 1);
}

/* A value of a row as the expectation wrote it: texts as they are, others as the log shows
 * them.
 */
static bool put_field(struct bl_case *c, const struct bl_planned *planned, size_t index,
                      struct bl_buf *out)
{
    struct bl_value v = argument(planned, index);
    bl_type type = bl_type_base(argument_type(c->module, planned, index));

    if (v.tag == BL_V_TEXT)
        bl_buf_put(out, bl_text_of(v));
    return v.tag == BL_V_TEXT ||
           (!bl_is_absent(v) && bl_render(&c->machine, v, type, BL_PLACE_LOG, out) == BL_OK);
}

/* The member is the store plus one; the number says which fields are named, and their values
 * stand in one text. */
static bool same_row(struct bl_case *c, const struct bl_expected *e,
                     const struct bl_planned *planned)
{
    const struct bl_module *m = c->module;
    uint32_t store = BL_KEEP_STORE(planned->site->detail);
    struct bl_buf key, values;

    bl_buf_init(&key, c->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_buf_init(&values, c->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    if (e->member != store + 1 || !put_field(c, planned, m->STORES_rows[store].key, &key) ||
        !bl_str_equal(bl_text_of(e->text), bl_buf_str(&key)))
        return false;
    for (uint32_t i = 0; i < planned->arg_count; i++) {
        if ((e->number.as.i >> i & 1) == 0)
            continue;
        if (!BL_KEEP_GIVES(planned->site->detail, i) || !put_field(c, planned, i, &values))
            return false;
        bl_buf_put_char(&values, '\x1f');
    }
    return bl_str_equal(bl_text_of(e->rendered), bl_buf_str(&values));
}

bool bl_case_matches(struct bl_case *c, const struct bl_expected *e,
                     const struct bl_planned *planned)
{
    if (planned->effect != (enum bl_effect)e->effect)
        return false;
    switch (planned->effect) {
    case BL_EFFECT_ENSURE_LABEL:
        return same_label(e->label, argument(planned, 0));
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        return same_label(e->label, argument(planned, 1));
    case BL_EFFECT_POST:
        return e->member == 0 ||
               (planned->site != NULL && planned->site->detail == e->member - 1);
    case BL_EFFECT_MARK:
        return same_kind(e, argument(planned, 0)) && same_text(e->text, argument(planned, 1)) &&
               same_rendered(c, e->rendered, planned, 2);
    case BL_EFFECT_REACT:
    case BL_EFFECT_LOCK:
        return same_member(e, argument(planned, 1));
    case BL_EFFECT_MILESTONE:
        return same_text(e->text, argument(planned, 1));
    case BL_EFFECT_CLOSE:
        return same_member(e, argument(planned, 1)) &&
               same_key(e->number, argument(planned, 2));
    case BL_EFFECT_STATUS:
        return same_text(e->text, argument(planned, 1)) &&
               same_member(e, argument(planned, 2)) &&
               same_commit(e->rendered, argument(planned, 0));
    case BL_EFFECT_SUGGEST_DUPLICATE:
        return same_key(e->number, argument(planned, 1)) &&
               same_text(e->text, argument(planned, 2));
    case BL_EFFECT_DISMISS:
        return same_key(e->number, argument(planned, 0)) &&
               same_rendered(c, e->rendered, planned, 1) &&
               same_text(e->text, argument(planned, 2));
    case BL_EFFECT_START:
        return bl_is_absent(e->task) ||
               bl_value_equal(argument(planned, 0), e->task, BL_TYPE_TASK);
    case BL_EFFECT_OUTPUT:
        return same_text(e->text, argument(planned, 0)) &&
               (bl_is_absent(e->number) || argument(planned, 1).as.i == e->number.as.i) &&
               same_rendered(c, e->rendered, planned, 1);
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
        return same_text(e->text, argument(planned, 0));
    case BL_EFFECT_KEEP:
        return same_row(c, e, planned);
    case BL_EFFECT_REOPEN:
    case BL_EFFECT_SUMMARY:
        return true;
    case BL_EFFECT_COUNT:
        break;
    }
    return false;
}

/* ---- side by side -------------------------------------------------------------------------
 */

#define COLUMN_MAX 60u

struct comparing {
    struct bl_case *c;
    const struct bl_expected *expected;
    size_t count;
    bool *is_met;  /* of each expected one */
    size_t extra;  /* planned ones that nobody expects */
    size_t column; /* width of the left side */
    struct bl_buf *out;
};

static bl_str written(const struct bl_case *c, const struct bl_expected *e)
{
    struct bl_span span = {e->lo, e->hi, e->source};
    bl_str text = c->options->sources != NULL ? bl_sources_text(c->options->sources, span)
                                              : (bl_str){NULL, 0};
    size_t end = bl_str_find_char(text, '\n');

    if (text.len == 0)
        return bl_effect_info((enum bl_effect)e->effect)->words;
    return bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end);
}

static void put_row(const struct comparing *p, char sign, bl_str left,
                    const struct bl_planned *right)
{
    struct bl_buf shown;
    size_t width;

    bl_buf_init(&shown, p->c->arena, 4096);
    width = bl_report_visible(left, &shown);
    bl_buf_printf(p->out, "    %c ", sign);
    bl_buf_put(p->out, bl_buf_str(&shown));
    if (right != NULL) {
        BL_PUT(p->out, "  "); /* also behind one that is wider than the column */
        for (; width < p->column; width++)
            bl_buf_put_char(p->out, ' ');
        bl_plan_effect_words(p->c->module, right, p->out);
    }
    BL_PUT(p->out, "\n");
}

/* Each planned effect meets the first expected one that is still open. */
static bool compare_one(void *context, const struct bl_plan_effect *effect)
{
    struct comparing *p = context;

    for (size_t i = 0; i < p->count; i++) {
        if (p->is_met[i] || !bl_case_matches(p->c, &p->expected[i], &effect->planned))
            continue;
        p->is_met[i] = true;
        if (p->out != NULL)
            put_row(p, '=', written(p->c, &p->expected[i]), &effect->planned);
        return true;
    }
    p->extra++;
    if (p->out != NULL)
        put_row(p, '+', (bl_str){NULL, 0}, &effect->planned);
    return true;
}

/* All of it again with an `out`: pairs and what is too much first, then what is missing. */
static bool compare(struct comparing *p)
{
    bool missing = false;

    p->is_met = BL_NEW_ARRAY(p->c->arena, p->count + 1, bool);
    if (p->is_met == NULL)
        return false;
    p->extra = 0;
    bl_case_each_effect(p->c, compare_one, p);
    for (size_t i = 0; i < p->count; i++) {
        missing = missing || !p->is_met[i];
        if (!p->is_met[i] && p->out != NULL)
            put_row(p, '-', written(p->c, &p->expected[i]), NULL);
    }
    return !missing;
}

static void side_by_side(struct comparing *p, struct bl_buf *out)
{
    struct bl_buf shown;
    const bl_str title = BL_STR("expected");

    bl_buf_init(&shown, p->c->arena, 65536);
    p->column = title.len;
    for (size_t i = 0; i < p->count; i++) {
        size_t width = bl_report_visible(written(p->c, &p->expected[i]), &shown);
        p->column = width > p->column ? width : p->column;
    }
    p->column = p->column < COLUMN_MAX ? p->column : COLUMN_MAX;
    p->out = out;
    BL_PUT(out, "      expected");
    for (size_t width = title.len; width < p->column + 2; width++)
        bl_buf_put_char(out, ' ');
    BL_PUT(out, "planned\n");
    (void)compare(p);
}

/* ---- the expectations ---------------------------------------------------------------------
 */

static struct bl_value given(const struct bl_value *args, size_t count, size_t index)
{
    return index < count ? args[index] : bl_absent();
}

static enum bl_status failed(struct bl_case *c, const struct bl_site *site, bl_str text,
                             const struct bl_expected *expected, size_t count)
{
    struct bl_test_failure *failure = bl_case_failure(c, site, text);
    struct comparing p = {.c = c, .expected = expected, .count = count};
    struct bl_buf detail;

    if (failure == NULL)
        return BL_ERR_NOMEM;
    bl_buf_init(&detail, c->results, 65536);
    side_by_side(&p, &detail);
    bl_case_explain(c, expected, count, &detail);
    failure->detail = bl_buf_str(&detail);
    return BL_OK;
}

enum bl_status bl_case_expect_effect(struct bl_case *c, const struct bl_site *site,
                                     const struct bl_value *args, size_t count)
{
    enum mode mode = (enum mode)(site->detail >> MODE_SHIFT);
    struct bl_expected e = {.effect = site->detail & 0xff,
                            .member = site->detail << 4 >> (MEMBER_SHIFT + 4),
                            .source = site->source,
                            .lo = site->lo,
                            .hi = site->hi,
                            .label = given(args, count, 0),
                            .task = given(args, count, 1),
                            .text = given(args, count, 2),
                            .rendered = given(args, count, 3),
                            .number = given(args, count, 4)};
    struct comparing p = {.c = c, .expected = &e, .count = 1};

    if (mode == MODE_AMONG) {
        struct bl_expected *kept = BL_PUSH(c->arena, c->expected);
        if (kept == NULL)
            return BL_ERR_NOMEM;
        *kept = e;
        return BL_OK;
    }
    c->result->expectations++;
    bool there = compare(&p);
    if (there == (mode == MODE_THERE))
        return BL_OK;
    return failed(c, site,
                  mode == MODE_THERE
                      ? BL_STR("The last step planned no such effect.")
                      : BL_STR("The last step planned it, and none such is expected."),
                  &e, 1);
}

enum bl_status bl_case_expect_exactly(struct bl_case *c, const struct bl_site *site)
{
    struct comparing p = {.c = c, .expected = c->expected.items, .count = c->expected.count};
    bool all = compare(&p);
    enum bl_status status = BL_OK;

    c->result->expectations++;
    if (!all || p.extra > 0)
        status = failed(c, site, BL_STR("The last step planned other effects."), p.expected,
                        p.count);
    c->expected.count = 0;
    return status;
}
