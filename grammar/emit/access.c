/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "emit/lowering.h"

/* The index: for each rule one fact of the event without which it cannot fire. Only conditions
 * of the whole rule count, and only those that stand before anything that may read: the index
 * may skip a rule and may never skip a read. */

struct fact_need {
    unsigned rank; /* the less often a fact holds, the better: 1 is best; 0: none */
    enum bl_access_kind kind;
    enum bl_fact fact;
    bl_str text; /* LABEL, TEXT; PATTERN: its source */
    bl_str flags;
    bool literal;
    uint32_t member; /* ENUM */
};

/* ---- what may read
 * ---------------------------------------------------------------------------------- */

static bool is_ambient(const struct bl_node *node, enum bl_ambient ambient)
{
    return node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_AMBIENT &&
           node->index == (uint32_t)ambient;
}

/* The event's own issue and pull request are read before the first rule. */
static bool field_reads(const struct bl_node *node)
{
    enum bl_read read = bl_field_info((enum bl_field)node->index)->read;
    const struct bl_node *object = node->kids[0];
    if (read == BL_READ_PAYLOAD || read == BL_READ_STORED || read == BL_READ_DECLARED)
        return false;
    return !(read == BL_READ_ISSUE && is_ambient(object, BL_AMBIENT_ISSUE)) &&
           !(read == BL_READ_PULL && is_ambient(object, BL_AMBIENT_PULL_REQUEST));
}

static bool own_read(const struct bl_node *node)
{
    switch (node->resolution) {
    case BL_RESOLVED_FIELD:
        return field_reads(node);
    case BL_RESOLVED_CALL:
    case BL_RESOLVED_IS_ACTOR:
        return node->symbol->as.callable->reads != 0;
    case BL_RESOLVED_BUILTIN:
        return bl_builtin_info((enum bl_builtin)node->index)->read != BL_READ_STORED;
    case BL_RESOLVED_HAS:
        return !is_ambient(node->kids[0], BL_AMBIENT_ISSUE) &&
               !is_ambient(node->kids[0], BL_AMBIENT_PULL_REQUEST);
    case BL_RESOLVED_IS_PULL:
        return !is_ambient(node->kids[0], BL_AMBIENT_ISSUE);
    default:
        return false;
    }
}

static bool may_read(const struct bl_node *node)
{
    if (node == NULL)
        return false;
    if (own_read(node))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++)
        if (may_read(node->kids[i]))
            return true;
    return false;
}

/* ---- facts
 * ----------------------------------------------------------------------------------------------
 */

static enum bl_fact fact_of(const struct bl_node *node)
{
    enum bl_field second = BL_FIELD_COUNT;
    if (node->kind != BL_NODE_FIELD || node->resolution != BL_RESOLVED_FIELD)
        return BL_FACT_COUNT;
    enum bl_field first = (enum bl_field)node->index;
    const struct bl_node *object = node->kids[0];
    if (object->kind == BL_NODE_FIELD && object->resolution == BL_RESOLVED_FIELD) {
        second = first;
        first = (enum bl_field)object->index;
        object = object->kids[0];
    }
    for (unsigned f = 0; f < BL_FACT_COUNT; f++) {
        const struct bl_fact_info *info = bl_fact_info((enum bl_fact)f);
        if (info->first == first && info->second == second && is_ambient(object, info->ambient))
            return (enum bl_fact)f;
    }
    return BL_FACT_COUNT;
}

static bool plain_text(const struct bl_node *node, bl_str *text)
{
    bool is_plain = node->kind == BL_NODE_STRING && node->kid_count == 1 &&
                    node->kids[0]->kind == BL_NODE_STRING_PART;
    bool is_word = node->resolution == BL_RESOLVED_WORD;
    if (is_plain)
        *text = node->kids[0]->text;
    else if (is_word)
        *text = node->text;
    return is_plain || is_word;
}

static struct fact_need none(void)
{
    return (struct fact_need){.rank = 0};
}

static struct fact_need label_need(const struct bl_node *node)
{
    struct fact_need need = {.rank = 2, .kind = BL_ACCESS_LABEL};
    if (node->op != BL_OPERATOR_HAS || node->kids[1]->resolution != BL_RESOLVED_LABEL)
        return none();
    if (is_ambient(node->kids[0], BL_AMBIENT_ISSUE))
        need.fact = BL_FACT_ISSUE_LABELS;
    else if (is_ambient(node->kids[0], BL_AMBIENT_PULL_REQUEST))
        need.fact = BL_FACT_PULL_LABELS;
    else
        return none();
    need.text = node->kids[1]->symbol->as.label->shown;
    return need;
}

static struct fact_need equal_need(const struct bl_node *node)
{
    const struct bl_node *left = node->kids[0], *right = node->kids[1];
    if (fact_of(left) == BL_FACT_COUNT) {
        left = node->kids[1];
        right = node->kids[0];
    }
    struct fact_need need = {.fact = fact_of(left)};
    if (need.fact == BL_FACT_COUNT)
        return none();
    if (plain_text(right, &need.text) && bl_type_is_text(left->type)) {
        need.rank = 1;
        need.kind = BL_ACCESS_TEXT;
    } else if (right->resolution == BL_RESOLVED_ENUM) {
        need.rank = 4;
        need.kind = BL_ACCESS_ENUM;
        need.member = right->index;
    }
    return need;
}

static struct fact_need search_need(const struct bl_node *node)
{
    struct fact_need need = {
        .rank = 3, .kind = BL_ACCESS_PATTERN, .fact = fact_of(node->kids[0])};
    if (need.fact == BL_FACT_COUNT || !bl_type_is_text(node->kids[0]->type))
        return none();
    if (node->op == BL_OPERATOR_CONTAINS && plain_text(node->kids[1], &need.text) &&
        need.text.len > 0) {
        need.literal = true;
        return need;
    }
    if (node->op == BL_OPERATOR_MATCHES && node->kids[1]->kind == BL_NODE_PATTERN) {
        need.text = node->kids[1]->text;
        need.flags = node->kids[1]->flags;
        return need;
    }
    return none();
}

static struct fact_need need_of(const struct bl_node *node)
{
    if (node->kind != BL_NODE_COMPARE)
        return none();
    if (node->resolution == BL_RESOLVED_HAS)
        return label_need(node);
    if (node->op == BL_OPERATOR_EQ && node->resolution == BL_RESOLVED_NOT)
        return equal_need(node);
    return search_need(node);
}

/* Parts of a conjunction from left to right; false when one may read. */
static bool conjunction(const struct bl_node *node, struct fact_need *best)
{
    if (node->kind == BL_NODE_AND)
        return conjunction(node->kids[0], best) && conjunction(node->kids[1], best);
    struct fact_need need = need_of(node);
    if (need.rank != 0 && (best->rank == 0 || need.rank < best->rank))
        *best = need;
    return !may_read(node);
}

static struct fact_need rule_need(const struct bl_rule *rule)
{
    struct fact_need best = none();
    for (const struct bl_statement *s = rule->body; s != NULL;) {
        if (s->kind == BL_STATEMENT_LET && !may_read(s->value)) {
            s = s->next;
        } else if (s->kind == BL_STATEMENT_WHEN && s->clause != NULL && !s->clause->has_block &&
                   conjunction(s->condition, &best)) {
            s = s->body;
        } else {
            break;
        }
    }
    return best;
}

/* ---- sets of patterns
 * ---------------------------------------------------------------------------------- */

/* What is sought in one text field. */
struct sought_set {
    BL_VEC(struct bl_pattern_set_input) inputs;
    uint32_t *rows;  /* of each input: its row of SOUGHT, BL_NONE when it was left out */
    uint32_t *slots; /* open hash of inputs, by source */
    size_t slot_count;
    uint32_t set; /* index of SETS */
};

struct bl_sought_plan {
    struct sought_set sets[BL_FACT_COUNT];
    struct fact_need *needs; /* of each rule */
};

/* The slot of what a need seeks: that of its input, or the empty one where it belongs. */
static uint32_t *sought_slot(const struct sought_set *set, const struct fact_need *need)
{
    uint64_t hash = bl_str_hash(need->text, bl_str_hash(need->flags, need->literal));
    for (size_t i = (size_t)hash & (set->slot_count - 1);;
         i = (i + 1) & (set->slot_count - 1)) {
        if (set->slots[i] == 0)
            return &set->slots[i];
        const struct bl_pattern_set_input *there = &set->inputs.items[set->slots[i] - 1];
        if (there->literal == need->literal && bl_str_equal(there->source, need->text) &&
            bl_str_equal(there->flags, need->flags))
            return &set->slots[i];
    }
}

/* Rules that seek the same share a pattern of the set. */
static void add_sought(struct bl_emitter *e, struct sought_set *set,
                       const struct fact_need *need)
{
    uint32_t *slot = sought_slot(set, need);
    struct bl_pattern_set_input *input = *slot == 0 ? BL_PUSH(e->arena, set->inputs) : NULL;
    if (input == NULL)
        return;
    *input = (struct bl_pattern_set_input){need->text, need->flags, need->literal};
    *slot = (uint32_t)set->inputs.count;
}

/* Plain texts come first. Returns their number. */
static size_t put_in_order(struct bl_emitter *e, const struct sought_set *set,
                           struct bl_pattern_set_input *inputs, bl_str *sources)
{
    size_t count = 0;
    size_t literals = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        literals = pass == 1 ? count : 0;
        for (size_t i = 0; i < set->inputs.count; i++) {
            if (set->inputs.items[i].literal != (pass == 0))
                continue;
            inputs[count] = set->inputs.items[i];
            sources[count] =
                inputs[count].literal
                    ? inputs[count].source
                    : bl_emit_pattern_source(e, inputs[count].source, inputs[count].flags);
            set->rows[i] = (uint32_t)count++;
        }
    }
    return literals;
}

static void make_set(struct bl_emitter *e, unsigned fact, struct sought_set *set)
{
    size_t count = set->inputs.count;
    if (count == 0)
        return;
    struct bl_pattern_set_input *inputs =
        BL_NEW_ARRAY(e->arena, count, struct bl_pattern_set_input);
    bl_str *sources = BL_NEW_ARRAY(e->arena, count, bl_str);
    bool *left_out = BL_NEW_ARRAY(e->arena, count, bool);
    struct bl_pattern automata;
    set->rows = BL_NEW_ARRAY(e->arena, count, uint32_t);
    if (e->arena->failed)
        return;
    size_t literals = put_in_order(e, set, inputs, sources);
    if (!bl_pattern_set_compile(e->arena, inputs, count, left_out, &automata)) {
        e->arena->failed = true; /* bl_emit sees it at its end */
        return;
    }
    uint32_t first = (uint32_t)e->b->SOUGHT.count;
    set->set = bl_builder_set(e->b, fact, automata, sources, literals);
    for (size_t i = 0; i < count; i++)
        set->rows[i] = left_out[set->rows[i]] ? BL_NONE : first + set->rows[i];
}

/* ---- all rules
 * --------------------------------------------------------------------------------------------
 */

static bool begin_sets(struct bl_emitter *e, struct sought_set *sets, size_t rule_count)
{
    size_t slots = 16;
    while (slots < 2 * rule_count)
        slots *= 2;
    for (unsigned fact = 0; fact < BL_FACT_COUNT; fact++) {
        sets[fact].slots = BL_NEW_ARRAY(e->arena, slots, uint32_t);
        sets[fact].slot_count = slots;
        if (sets[fact].slots == NULL)
            return false;
    }
    return true;
}

void bl_emit_plan_access(struct bl_emitter *e, struct bl_symbol **rules, size_t count)
{
    struct bl_sought_plan *plan = BL_NEW(e->arena, struct bl_sought_plan);
    if (plan == NULL || !begin_sets(e, plan->sets, count))
        return;
    plan->needs = BL_NEW_ARRAY(e->arena, count, struct fact_need);
    if (plan->needs == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        plan->needs[i] = rule_need(rules[i]->as.rule);
        if (plan->needs[i].rank != 0 && plan->needs[i].kind == BL_ACCESS_PATTERN)
            add_sought(e, &plan->sets[plan->needs[i].fact], &plan->needs[i]);
    }
    for (unsigned fact = 0; fact < BL_FACT_COUNT; fact++)
        make_set(e, fact, &plan->sets[fact]);
    if (!e->arena->failed)
        e->sought = plan;
}

uint32_t bl_emit_sought(const struct bl_emitter *e, const struct bl_node *node)
{
    struct fact_need need = search_need(node);
    if (e->sought == NULL || need.rank == 0)
        return BL_NONE;
    const struct sought_set *set = &e->sought->sets[need.fact];
    uint32_t slot = *sought_slot(set, &need);
    return slot != 0 ? set->rows[slot - 1] : BL_NONE;
}

static void add_pattern(struct bl_emitter *e, const struct fact_need *need, uint32_t entry)
{
    const struct sought_set *set = &e->sought->sets[need->fact];
    uint32_t row = set->rows[*sought_slot(set, need) - 1];
    if (row != BL_NONE && set->set < e->b->SETS.count)
        bl_builder_access_number(e->b, BL_ACCESS_PATTERN, set->set,
                                 row - e->b->SETS.items[set->set].first_sought, entry);
}

void bl_emit_access(struct bl_emitter *e, struct bl_symbol **rules, size_t count)
{
    for (size_t i = 0; i < count && e->sought != NULL; i++) {
        const struct fact_need *need = &e->sought->needs[i];
        uint32_t entry = rules[i]->emit[0] - 1;
        if (need->rank == 0)
            continue;
        if (need->kind == BL_ACCESS_PATTERN)
            add_pattern(e, need, entry);
        else if (need->kind == BL_ACCESS_ENUM)
            bl_builder_access_number(e->b, need->kind, need->fact, need->member, entry);
        else
            bl_builder_access_text(e->b, need->kind, need->fact, need->text, entry);
    }
}
