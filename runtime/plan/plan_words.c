/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "plan/plan_parts.h"

/* Plans as text for people and as JSON. */

/* ---- words ------------------------------------------------------------------------------- */

static bool is_bare(bl_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!bl_is_ascii_alpha(s.ptr[i]) && !bl_is_ascii_digit(s.ptr[i]) &&
            bl_str_find_char(BL_STR("_-./+"), s.ptr[i]) == SIZE_MAX)
            return false;
    }
    return s.len > 0;
}

static void put_value(const struct bl_module *module, struct bl_value v, struct bl_buf *out)
{
    struct bl_value_names names = bl_machine_names(module);

    if (v.tag == BL_V_TEXT && is_bare(bl_text_of(v)))
        bl_buf_put(out, bl_text_of(v));
    else
        bl_value_describe(out, v, &names);
}

/* "not_planned" is two words. */
static void put_member(const struct bl_module *module, struct bl_value v, struct bl_buf *out)
{
    bl_str word = v.tag == BL_V_ENUM && v.as.i >= 0
                      ? bl_module_member(module, v.aux, (unsigned)v.as.i)
                      : (bl_str){NULL, 0};

    for (size_t i = 0; i < word.len; i++)
        bl_buf_put_char(out, word.ptr[i] == '_' ? ' ' : word.ptr[i]);
}

/* A line for the log is ready for one; a terminal gets no control characters either. */
static void put_line(bl_str s, struct bl_buf *out)
{
    for (size_t at = 0; at < s.len;) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(s, &at);

        if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029)
            bl_buf_put_char(out, ' ');
        else
            bl_buf_put(out, bl_str_slice(s, from, at));
    }
}

struct sentence {
    const struct bl_module *module;
    const struct bl_planned *planned;
    struct bl_buf *out;
};

static void arg(const struct sentence *s, size_t index)
{
    put_value(s->module, bl_planned_arg(s->planned, index), s->out);
}

static void words(const struct sentence *s, bl_str text)
{
    bl_buf_put(s->out, text);
}

static void put_close(const struct sentence *s)
{
    words(s, BL_STR("close "));
    arg(s, 0);
    words(s, BL_STR(" as "));
    put_member(s->module, bl_planned_arg(s->planned, 1), s->out);
    if (!bl_is_absent(bl_planned_arg(s->planned, 2))) {
        words(s, BL_STR(" of "));
        arg(s, 2);
    }
}

static void put_two(const struct sentence *s, bl_str first, size_t a, bl_str second, size_t b)
{
    words(s, first);
    arg(s, a);
    words(s, second);
    arg(s, b);
}

static void put_post(const struct sentence *s)
{
    const struct bl_module_comment *kind = bl_planned_kind(s->module, s->planned);

    words(s, BL_STR("post "));
    words(s, kind != NULL ? bl_module_string(s->module, kind->name) : BL_STR("a comment"));
    words(s, BL_STR(" on "));
    arg(s, 0);
}

/* "keep learned lrn_1 (standing, runs_left)": what it says of them stands in the row. */
static void put_keep(const struct sentence *s)
{
    const struct bl_module *m = s->module;
    const struct bl_module_store *store = &m->STORES_rows[bl_planned_store(s->planned)];
    const struct bl_module_record *record = &m->RECORDS_rows[store->record];
    bool first = true;

    words(s, BL_STR("keep "));
    words(s, bl_module_string(m, store->name));
    words(s, BL_STR(" "));
    arg(s, store->key);
    for (uint32_t i = 0; i < record->count; i++) {
        if (i == store->key || !BL_KEEP_GIVES(s->planned->site->detail, i))
            continue;
        words(s, first ? BL_STR(" (") : BL_STR(", "));
        words(s, bl_module_string(m, m->RECORD_FIELDS_rows[record->first + i].name));
        first = false;
    }
    words(s, first ? BL_STR("") : BL_STR(")"));
}

static void put_log(const struct sentence *s)
{
    const struct bl_effect_info *info = bl_effect_info(s->planned->effect);

    words(s, info->words);
    words(s, BL_STR(": "));
    put_line(bl_text_of(bl_planned_arg(s->planned, 0)), s->out);
}

void bl_plan_effect_words(const struct bl_module *module, const struct bl_planned *planned,
                          struct bl_buf *out)
{
    const struct sentence s = {module, planned, out};

    switch (planned->effect) {
    case BL_EFFECT_ENSURE_LABEL:
        words(&s, BL_STR("ensure label "));
        arg(&s, 0);
        return;
    case BL_EFFECT_MARK:
        put_two(&s, BL_STR("mark "), 0, BL_STR(" with "), 1);
        words(&s, BL_STR(" "));
        arg(&s, 2);
        return;
    case BL_EFFECT_ADD_LABEL:
        put_two(&s, BL_STR("add label "), 1, BL_STR(" to "), 0);
        return;
    case BL_EFFECT_POST:
        put_post(&s);
        return;
    case BL_EFFECT_REACT:
        put_two(&s, BL_STR("react to "), 0, BL_STR(" with "), 1);
        return;
    case BL_EFFECT_MILESTONE:
        put_two(&s, BL_STR("file "), 0, BL_STR(" under the milestone "), 1);
        return;
    case BL_EFFECT_CLOSE:
        put_close(&s);
        return;
    case BL_EFFECT_LOCK:
        words(&s, BL_STR("lock "));
        arg(&s, 0);
        words(&s, BL_STR(" as "));
        put_member(module, bl_planned_arg(planned, 1), out);
        return;
    case BL_EFFECT_REMOVE_LABEL:
        put_two(&s, BL_STR("remove label "), 1, BL_STR(" from "), 0);
        return;
    case BL_EFFECT_REOPEN:
        words(&s, BL_STR("reopen "));
        arg(&s, 0);
        return;
    case BL_EFFECT_STATUS:
        put_two(&s, BL_STR("set the status "), 1, BL_STR(" of "), 0);
        words(&s, BL_STR(" to "));
        arg(&s, 2);
        return;
    case BL_EFFECT_SUGGEST_DUPLICATE:
        put_two(&s, BL_STR("suggest that "), 0, BL_STR(" is a duplicate of "), 1);
        return;
    case BL_EFFECT_DISMISS:
        words(&s, BL_STR("dismiss "));
        arg(&s, 0);
        words(&s, BL_STR(" as "));
        put_member(module, bl_planned_arg(planned, 1), out);
        return;
    case BL_EFFECT_START:
        words(&s, BL_STR("start the task "));
        arg(&s, 0);
        return;
    case BL_EFFECT_OUTPUT:
        put_two(&s, BL_STR("set the output "), 0, BL_STR(" to "), 1);
        return;
    case BL_EFFECT_KEEP:
        put_keep(&s);
        return;
    case BL_EFFECT_SUMMARY:
        words(&s, BL_STR("write into the summary"));
        return;
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
        put_log(&s);
        return;
    case BL_EFFECT_COUNT:
        break;
    }
}

/* ---- for people -------------------------------------------------------------------------- */

static const struct {
    bl_str word;
    const char *colour;
} states[] = {
    [BL_STATE_PLANNED] = {{"planned", 7}, "33"}, [BL_STATE_THERE] = {{"there", 5}, "2"},
    [BL_STATE_DRY] = {{"would", 5}, "33"},       [BL_STATE_DONE] = {{"done", 4}, "32"},
    [BL_STATE_FAILED] = {{"failed", 6}, "31"},   [BL_STATE_LEFT] = {{"left", 4}, "2"},
};
#define STATE_WIDTH 8u

static bl_str entry_name(const struct bl_plan *plan, uint32_t entry)
{
    return entry < plan->module->ENTRIES_count
               ? bl_module_string(plan->module, plan->module->ENTRIES_rows[entry].name)
               : (bl_str){NULL, 0};
}

static void put_reason(const struct bl_failure *failure, struct bl_buf *out)
{
    put_line(failure->what, out);
    if (failure->what.len > 0 && failure->why.len > 0)
        BL_PUT(out, ": ");
    put_line(failure->why, out);
}

void bl_plan_print(const struct bl_plan *plan, struct bl_buf *out, bool colour)
{
    for (size_t i = 0; i < plan->effects.count; i++) {
        const struct bl_plan_effect *effect = &plan->effects.items[i];
        bl_str word = states[effect->state].word;

        if (colour)
            bl_buf_printf(out, "\033[%sm", states[effect->state].colour);
        bl_buf_put(out, word);
        if (colour)
            BL_PUT(out, "\033[0m");
        for (size_t width = word.len; width < STATE_WIDTH; width++)
            bl_buf_put_char(out, ' ');
        bl_plan_effect_words(plan->module, &effect->planned, out);
        for (size_t k = 0; k < effect->entries.count; k++) {
            bl_buf_put(out, k == 0 ? BL_STR("  (") : BL_STR(", "));
            bl_buf_put(out, entry_name(plan, effect->entries.items[k]));
        }
        if (effect->entries.count > 0)
            bl_buf_put_char(out, ')');
        if (effect->state == BL_STATE_FAILED) {
            BL_PUT(out, ": ");
            put_reason(&effect->failure, out);
        }
        bl_buf_put_char(out, '\n');
    }
}

/* ---- for programs ------------------------------------------------------------------------ */

static void json_value(const struct bl_plan *plan, struct bl_value v,
                       struct bl_json_writer *out)
{
    struct bl_buf text;

    if (v.tag == BL_V_INT) {
        bl_json_integer(out, v.as.i);
    } else if (v.tag == BL_V_BOOL) {
        bl_json_bool(out, v.as.i != 0);
    } else if (v.tag == BL_V_TEXT) {
        bl_json_string(out, bl_text_of(v));
    } else if (bl_is_absent(v)) {
        bl_json_null(out);
    } else {
        bl_buf_init(&text, plan->arena, 4096);
        put_value(plan->module, v, &text);
        bl_json_string(out, bl_buf_str(&text));
    }
}

/* The arguments by the names of effects.def: up to the first bracket, mark or blank of each.
 * Texts that go beside an effect (`text[timeline]`) may be a stranger's, cleaned for that place
 * alone: they are left out, and so is the text of a comment, which `body` has whole. */
static void json_args(const struct bl_plan *plan, const struct bl_plan_effect *effect,
                      struct bl_json_writer *out)
{
    bl_str rest = bl_effect_info(effect->planned.effect)->args;
    bool log = bl_effect_is_log(effect->planned.effect);

    for (size_t i = 0; i < effect->planned.arg_count && rest.len > 0; i++) {
        size_t comma = bl_str_find(rest, BL_STR(", "));
        bl_str name = bl_str_slice(rest, 0, comma == SIZE_MAX ? rest.len : comma);
        size_t end = 0;

        rest = bl_str_slice(rest, comma == SIZE_MAX ? rest.len : comma + 2, rest.len);
        while (end < name.len && (bl_is_ascii_alpha(name.ptr[end]) || name.ptr[end] == '_'))
            end++;
        bool text = bl_str_starts_with(name, BL_STR("text["));
        if ((text && !log) || bl_str_starts_with(name, BL_STR("attributes")))
            continue;
        /* "small value", "issue or pull_request"; of a closing, the second issue is another. */
        name = bl_str_slice(name, 0, end);
        if (bl_str_equal(name, BL_STR("small")))
            name = BL_STR("value");
        else if (effect->planned.effect == BL_EFFECT_CLOSE && i == 2)
            name = BL_STR("duplicate_of");
        bl_json_key(out, name);
        json_value(plan, effect->planned.args[i], out);
    }
}

/* The row as it will stand in its file. */
static void json_row(const struct bl_plan *plan, const struct bl_plan_effect *effect,
                     struct bl_json_writer *out)
{
    const struct bl_module *m = plan->module;
    const struct bl_module_store *store = &m->STORES_rows[bl_planned_store(&effect->planned)];

    bl_json_key(out, BL_STR("store"));
    bl_json_string(out, bl_module_string(m, store->name));
    bl_json_key(out, BL_STR("key"));
    json_value(plan, bl_planned_row_key(m, &effect->planned), out);
    bl_json_key(out, BL_STR("row"));
    bl_json_string(out, bl_str_trim(effect->line));
}

static void json_failure(const struct bl_plan_effect *effect, struct bl_json_writer *out)
{
    bl_json_key(out, BL_STR("failure"));
    bl_json_begin_object(out);
    bl_json_key(out, BL_STR("what"));
    bl_json_string(out, effect->failure.what);
    bl_json_key(out, BL_STR("why"));
    bl_json_string(out, effect->failure.why);
    bl_json_key(out, BL_STR("again"));
    bl_json_bool(out, effect->failure.again);
    bl_json_end_object(out);
}

static void json_effect(const struct bl_plan *plan, const struct bl_plan_effect *effect,
                        struct bl_json_writer *out)
{
    struct bl_buf text;

    bl_buf_init(&text, plan->arena, 4096);
    bl_plan_effect_words(plan->module, &effect->planned, &text);
    bl_json_begin_object(out);
    bl_json_key(out, BL_STR("effect"));
    bl_json_string(out, bl_effect_info(effect->planned.effect)->words);
    bl_json_key(out, BL_STR("state"));
    bl_json_string(out, states[effect->state].word);
    bl_json_key(out, BL_STR("words"));
    bl_json_string(out, bl_buf_str(&text));
    bl_json_key(out, BL_STR("rules"));
    bl_json_begin_array(out);
    for (size_t i = 0; i < effect->entries.count; i++)
        bl_json_string(out, entry_name(plan, effect->entries.items[i]));
    bl_json_end_array(out);
    bl_json_key(out, BL_STR("arguments"));
    bl_json_begin_object(out);
    if (effect->planned.effect == BL_EFFECT_KEEP)
        json_row(plan, effect, out);
    else
        json_args(plan, effect, out);
    bl_json_end_object(out);
    if (effect->planned.effect == BL_EFFECT_POST) {
        bl_json_key(out, BL_STR("body"));
        bl_json_string(out, effect->body);
    }
    if (effect->state == BL_STATE_FAILED)
        json_failure(effect, out);
    bl_json_end_object(out);
}

void bl_plan_json(const struct bl_plan *plan, struct bl_json_writer *out)
{
    bl_json_begin_array(out);
    for (size_t i = 0; i < plan->effects.count; i++)
        json_effect(plan, &plan->effects.items[i], out);
    bl_json_end_array(out);
}
