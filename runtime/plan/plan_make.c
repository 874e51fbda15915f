/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "plan/plan_parts.h"

/* Merging and checking: first the chains into one order, then equal effects into one, then
 * every comment made and measured, all before the first write. */

/* ---- order ------------------------------------------------------------------------------- */

struct chain {
    size_t at, end; /* in machine->planned */
};
struct merge {
    const struct bl_module *module;
    const struct bl_planned *planned;
    struct chain *heap; /* least head first */
    size_t count;
};

static bl_str entry_name(const struct bl_module *module, uint32_t entry)
{
    return entry < module->ENTRIES_count
               ? bl_module_string(module, module->ENTRIES_rows[entry].name)
               : (bl_str){NULL, 0};
}

static unsigned rank_of(const struct bl_planned *planned)
{
    const struct bl_effect_info *info = bl_effect_info(planned->effect);

    return info != NULL ? info->order : 0;
}

static bool comes_first(const struct merge *m, size_t a, size_t b)
{
    const struct bl_planned *left = &m->planned[m->heap[a].at];
    const struct bl_planned *right = &m->planned[m->heap[b].at];

    if (rank_of(left) != rank_of(right))
        return rank_of(left) < rank_of(right);
    int order =
        bl_str_compare(entry_name(m->module, left->entry), entry_name(m->module, right->entry));
    return order != 0 ? order < 0 : left->chain < right->chain;
}

static void swap(struct merge *m, size_t a, size_t b)
{
    struct chain held = m->heap[a];

    m->heap[a] = m->heap[b];
    m->heap[b] = held;
}

static void sink_down(struct merge *m, size_t at)
{
    for (;;) {
        size_t least = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < m->count; child++)
            least = comes_first(m, child, least) ? child : least;
        if (least == at)
            return;
        swap(m, at, least);
        at = least;
    }
}

/* Effects of one chain stand together, in the order in which they were planned. */
static enum bl_status find_chains(struct bl_machine *machine, struct merge *m)
{
    size_t count = machine->planned.count;

    m->heap = BL_NEW_ARRAY(machine->arena, count, struct chain);
    if (m->heap == NULL)
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || m->planned[i].chain != m->planned[i - 1].chain)
            m->heap[m->count++] = (struct chain){i, i};
        m->heap[m->count - 1].end = i + 1;
    }
    for (size_t i = m->count; i-- > 0;)
        sink_down(m, i);
    return BL_OK;
}

static const struct bl_planned *take_first(struct merge *m)
{
    const struct bl_planned *first = &m->planned[m->heap[0].at++];

    if (m->heap[0].at == m->heap[0].end)
        m->heap[0] = m->heap[--m->count];
    sink_down(m, 0);
    return first;
}

/* ---- one of each ------------------------------------------------------------------------- */

/* Effects by key: open hash of indices into plan->effects, and those of one key in a row. */
struct known {
    struct bl_machine *machine;
    struct bl_plan *plan;
    struct bl_diagnostics *sink;
    uint32_t *slots; /* index + 1 */
    uint64_t *keys;  /* of the effects */
    bool *beaten;    /* of the effects: another rule is over it */
    size_t mask;
    bool conflict;
};

static bool is_over(const struct bl_module *module, uint32_t winner, uint32_t loser)
{
    for (uint32_t i = 0; i < module->OVERRIDES_count; i++) {
        if (module->OVERRIDES_rows[i].winner == winner &&
            module->OVERRIDES_rows[i].loser == loser)
            return true;
    }
    return false;
}

static struct bl_span span_of(const struct bl_planned *planned)
{
    return planned->site != NULL
               ? (struct bl_span){planned->site->lo, planned->site->hi, planned->site->source}
               : BL_NO_SPAN;
}

static void report_conflict(const struct known *k, const struct bl_planned *first,
                            uint32_t first_entry, const struct bl_planned *second)
{
    const struct bl_module *module = k->plan->module;
    struct bl_buf one;
    struct bl_buf other;
    struct bl_diagnostic *d = bl_report(k->sink, BL_D_EFFECTS_CONFLICT, span_of(first));

    bl_buf_init(&one, k->plan->arena, 400);
    bl_buf_init(&other, k->plan->arena, 400);
    bl_plan_effect_words(module, first, &one);
    bl_plan_effect_words(module, second, &other);
    bl_diagnostic_text(k->sink, d, "first", entry_name(module, first_entry));
    bl_diagnostic_text(k->sink, d, "one", bl_buf_str(&one));
    bl_diagnostic_text(k->sink, d, "second", entry_name(module, second->entry));
    bl_diagnostic_text(k->sink, d, "other", bl_buf_str(&other));
    bl_diagnostic_label(k->sink, d, span_of(second), BL_STR("the other one"));
}

/* Two effects that contradict each other: the rule that is over the other holds. An effect for
 * which several rules asked must be beaten in all of them. */
static bool settles(struct known *k, size_t there, const struct bl_planned *planned)
{
    struct bl_plan_effect *effect = &k->plan->effects.items[there];
    uint32_t unsettled = BL_NONE;

    for (size_t i = 0; i < effect->entries.count; i++) {
        if (is_over(k->plan->module, effect->entries.items[i], planned->entry))
            return true;
        if (!is_over(k->plan->module, planned->entry, effect->entries.items[i]))
            unsettled = effect->entries.items[i];
    }
    k->beaten[there] = unsettled == BL_NONE;
    if (unsettled != BL_NONE) {
        report_conflict(k, &effect->planned, unsettled, planned);
        k->conflict = true;
    }
    return false;
}

static enum bl_status add_entry(struct bl_plan *plan, struct bl_plan_effect *effect,
                                uint32_t entry)
{
    for (size_t i = 0; i < effect->entries.count; i++) {
        if (effect->entries.items[i] == entry)
            return BL_OK;
    }
    uint32_t *slot = BL_PUSH(plan->arena, effect->entries);
    if (slot == NULL)
        return BL_ERR_NOMEM;
    *slot = entry;
    return BL_OK;
}

static enum bl_status add_effect(struct known *k, const struct bl_planned *planned)
{
    struct bl_plan *plan = k->plan;
    uint64_t key = bl_planned_key(plan->module, planned);
    size_t slot = key & k->mask;

    for (; k->slots[slot] != 0; slot = (slot + 1) & k->mask) {
        size_t there = k->slots[slot] - 1;
        struct bl_plan_effect *effect = &plan->effects.items[there];

        if (k->keys[there] != key || k->beaten[there])
            continue;
        switch (bl_planned_relation(plan->module, &effect->planned, planned)) {
        case BL_RELATION_EQUAL:
            return add_entry(plan, effect, planned->entry);
        case BL_RELATION_CONFLICT:
            if (settles(k, there, planned))
                return BL_OK;
            break;
        case BL_RELATION_NONE:
            break;
        }
    }
    size_t index = plan->effects.count;
    struct bl_plan_effect *effect = BL_PUSH(plan->arena, plan->effects);
    if (effect == NULL)
        return BL_ERR_NOMEM;
    effect->planned = *planned;
    k->slots[slot] = (uint32_t)index + 1;
    k->keys[index] = key;
    if (planned->effect == BL_EFFECT_FAIL && !plan->failed) {
        plan->failed = true;
        plan->fail_text = bl_text_of(bl_planned_arg(planned, 0));
    }
    return add_entry(plan, effect, planned->entry);
}

static enum bl_status merge_effects(struct known *k)
{
    struct bl_machine *machine = k->machine;
    struct merge m = {.module = machine->module, .planned = machine->planned.items};
    enum bl_status status = find_chains(machine, &m);
    size_t kept = 0;

    while (status == BL_OK && m.count > 0)
        status = add_effect(k, take_first(&m));
    for (size_t i = 0; status == BL_OK && i < k->plan->effects.count; i++) {
        if (!k->beaten[i])
            k->plan->effects.items[kept++] = k->plan->effects.items[i];
    }
    if (status == BL_OK)
        k->plan->effects.count = kept;
    return status;
}

/* ---- what is written ----------------------------------------------------------------------
 */

static enum bl_status make_comment(struct bl_machine *machine, struct bl_plan_effect *effect,
                                   struct bl_diagnostics *sink)
{
    const struct bl_planned *planned = &effect->planned;
    const struct bl_module_comment *kind = bl_planned_kind(machine->module, planned);
    uint64_t limit = bl_limit(BL_LIMIT_COMMENT_CHARS);
    struct bl_buf body;

    if (kind == NULL || bl_planned_target(planned) == NULL ||
        planned->arg_count < 2u + kind->attribute_count) {
        machine->failure = (struct bl_failure){
            .what = BL_STR("A comment is to be written on nothing, or of no kind")};
        return BL_ERR_INTERNAL;
    }
    bl_buf_init(&body, machine->arena, 2 * (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_marker_write(machine->module, planned->site->detail, planned->args + 2, &body);
    BL_PUT(&body, "\n\n");
    bl_buf_put(&body, bl_text_of(planned->args[1]));
    if (body.failed && machine->arena->failed)
        return BL_ERR_NOMEM;
    effect->body = bl_buf_str(&body);
    size_t count = body.failed ? body.max : bl_utf8_length(effect->body);
    if (!body.failed && count <= limit)
        return BL_OK;
    struct bl_diagnostic *d = bl_report(sink, BL_D_COMMENT_TOO_LONG, span_of(planned));
    bl_diagnostic_text(sink, d, "name", bl_module_string(machine->module, kind->name));
    bl_diagnostic_int(sink, d, "count", (int64_t)count);
    bl_diagnostic_int(sink, d, "limit", (int64_t)limit);
    return BL_ERR_LIMIT;
}

static enum bl_status describe_label(struct bl_machine *machine, struct bl_plan_effect *effect)
{
    const struct bl_module *module = machine->module;
    bl_str name = bl_text_of(bl_planned_arg(&effect->planned, 0));
    struct bl_value description;

    for (uint32_t i = 0; i < module->LABELS_count; i++) {
        const struct bl_module_label *label = &module->LABELS_rows[i];

        if (!bl_str_equal_nocase(bl_module_string(module, label->shown), name))
            continue;
        effect->label_color = bl_module_string(module, label->color);
        effect->label_description = bl_module_string(module, label->description);
        if (label->description_function == BL_NONE)
            return BL_OK;
        enum bl_status status =
            bl_machine_call(machine, label->description_function, NULL, 0, &description);
        effect->label_description = bl_text_of(description);
        return status;
    }
    machine->failure = (struct bl_failure){
        .what = BL_STR("A label that the policy does not declare is to be ensured")};
    return BL_ERR_INTERNAL;
}

/* What cleaning puts between characters that a reader sees side by side. */
static bl_str without_marks(struct bl_arena *arena, bl_str text)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, text.len + 1);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '`' && text.ptr[i] != '\\')
            bl_buf_put_char(&out, text.ptr[i]);
    }
    return bl_buf_str(&out);
}

/* Searched as it will stand there, and as it is read; not the marker, which holds no text of
 * others. */
static enum bl_status screen(struct bl_machine *machine, struct bl_plan_effect *effect,
                             struct bl_diagnostics *sink)
{
    const struct bl_planned *planned = &effect->planned;
    const struct bl_module_comment *kind = bl_planned_kind(machine->module, planned);
    struct bl_secret_findings findings;
    enum bl_status status;

    if (kind->screen == BL_NONE)
        return BL_OK;
    const bl_str text = bl_text_of(planned->args[1]);
    const bl_str read = without_marks(machine->arena, text);
    status = bl_machine_secrets(machine, kind->screen, text, true, &findings);
    if (status == BL_OK && findings.list.count == 0 && read.len < text.len)
        status = bl_machine_secrets(machine, kind->screen, read, true, &findings);
    if (status != BL_OK || findings.list.count == 0)
        return status;
    const struct bl_module_finder *finder =
        &machine->module->FINDERS_rows[findings.list.items[0].finder];
    struct bl_diagnostic *d = bl_report(sink, BL_D_COMMENT_SECRET, span_of(planned));
    bl_diagnostic_text(sink, d, "name", bl_module_string(machine->module, kind->name));
    bl_diagnostic_text(sink, d, "kind", bl_module_string(machine->module, finder->kind));
    machine->failure =
        (struct bl_failure){.what = BL_STR("A comment holds something like a secret")};
    return BL_ERR_REFUSED;
}

/* Every effect acts on something; all comments are made, so that all that are too long are
 * reported. */
static enum bl_status complete(struct bl_machine *machine, struct bl_plan *plan,
                               struct bl_diagnostics *sink)
{
    enum bl_status worst = BL_OK;

    for (size_t i = 0; i < plan->effects.count; i++) {
        struct bl_plan_effect *effect = &plan->effects.items[i];
        enum bl_status status = BL_OK;

        if (effect->planned.effect == BL_EFFECT_POST)
            status = make_comment(machine, effect, sink);
        if (effect->planned.effect == BL_EFFECT_POST && status == BL_OK)
            status = screen(machine, effect, sink);
        if (effect->planned.effect == BL_EFFECT_ENSURE_LABEL)
            status = describe_label(machine, effect);
        if (effect->planned.effect == BL_EFFECT_KEEP)
            status = bl_plan_complete_row(machine, effect, sink);
        if (status != BL_OK && status != BL_ERR_LIMIT && status != BL_ERR_REFUSED)
            return status;
        worst = status != BL_OK ? status : worst;
    }
    return worst;
}

enum bl_status bl_plan_make(struct bl_machine *machine, struct bl_plan *out,
                            struct bl_diagnostics *sink)
{
    size_t slots = 16;

    machine->failure = (struct bl_failure){0};
    *out = (struct bl_plan){.arena = machine->arena, .module = machine->module};
    while (slots < 2 * machine->planned.count)
        slots *= 2;
    struct known known = {
        .machine = machine,
        .plan = out,
        .sink = sink,
        .slots = BL_NEW_ARRAY(machine->arena, slots, uint32_t),
        .keys = BL_NEW_ARRAY(machine->arena, machine->planned.count, uint64_t),
        .beaten = BL_NEW_ARRAY(machine->arena, machine->planned.count, bool),
        .mask = slots - 1,
    };
    if (known.slots == NULL || known.keys == NULL || known.beaten == NULL)
        return BL_ERR_NOMEM;
    enum bl_status status = merge_effects(&known);
    if (status == BL_OK && known.conflict)
        status = BL_ERR_INVALID;
    if (status == BL_OK)
        status = complete(machine, out, sink);
    if (status == BL_ERR_LIMIT && machine->failure.what.len == 0)
        machine->failure.what = BL_STR("A comment is longer than GitHub keeps");
    return status;
}
