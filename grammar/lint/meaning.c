/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/meaning.h"

#include "lint/meaning_parts.h"

static size_t label_slot(const struct bl_meaning *m, bl_str shown)
{
    const struct bl_symbol_list *labels = &m->program->symbols[BL_SYMBOL_LABEL];
    size_t at = (size_t)bl_str_hash_nocase(shown, 0) & (m->label_slot_count - 1);

    while (m->label_slots[at] != 0 &&
           !bl_str_equal_nocase(labels->items[m->label_slots[at] - 1]->as.label->shown, shown))
        at = (at + 1) & (m->label_slot_count - 1);
    return at;
}

const struct bl_symbol *bl_meaning_label(const struct bl_meaning *m, bl_str shown)
{
    size_t at = label_slot(m, shown);

    return m->label_slots[at] != 0
               ? m->program->symbols[BL_SYMBOL_LABEL].items[m->label_slots[at] - 1]
               : NULL;
}

static bool index_labels(struct bl_meaning *m)
{
    const struct bl_symbol_list *labels = &m->program->symbols[BL_SYMBOL_LABEL];

    m->label_slot_count = 16;
    while (m->label_slot_count < 2 * labels->count)
        m->label_slot_count *= 2;
    m->label_slots = BL_NEW_ARRAY(m->arena, m->label_slot_count, uint32_t);
    for (size_t i = 0; m->label_slots != NULL && i < labels->count; i++)
        m->label_slots[label_slot(m, labels->items[i]->as.label->shown)] = (uint32_t)i + 1;
    return m->label_slots != NULL;
}

bool bl_meaning_init(struct bl_meaning *m, struct bl_arena *arena, struct bl_program *program)
{
    *m = (struct bl_meaning){.arena = arena,
                             .program = program,
                             .max_work = 20000,
                             .remembered_slot_count = 256,
                             .known_slots = 512};
    /* A rule asks about four things. */
    while (m->known_slots < 6 * program->symbols[BL_SYMBOL_RULE].count)
        m->known_slots *= 2;
    m->remembered_slots = BL_NEW_ARRAY(arena, m->remembered_slot_count, uint32_t);
    m->known = BL_NEW_ARRAY(arena, m->known_slots, struct bl_known_condition);
    return m->remembered_slots != NULL && m->known != NULL && index_labels(m) &&
           bl_terms_init(&m->terms, arena, program) &&
           bl_formulas_init(&m->formulas, arena, &m->terms);
}

/* Counts the work of a question; false when it is too much. */
static bool works(struct bl_meaning *m)
{
    return ++m->work <= m->max_work;
}

const struct bl_term *bl_meaning_unknown(struct bl_meaning *m, const struct bl_node *node)
{
    return bl_term_get(&m->terms,
                       &(struct bl_term){.kind = BL_TERM_NODE,
                                         .type = bl_type_base(node->declared),
                                         .optional = bl_type_is_optional(node->declared),
                                         .value = (int64_t)m->terms.list.count,
                                         .node = node});
}

/* ---- names ----------------------------------------------------------------------------- */

struct bl_meaning_mark bl_meaning_enter(const struct bl_meaning *m)
{
    struct bl_meaning_mark mark = {.bindings = m->bindings.count, .names = m->names};

    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        mark.ambients[i] = m->ambients[i];
    return mark;
}

void bl_meaning_leave(struct bl_meaning *m, const struct bl_meaning_mark *mark)
{
    m->bindings.count = mark->bindings;
    m->names = mark->names;
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        m->ambients[i] = mark->ambients[i];
}

/* `node` is where the value comes from, when it may have more cases than one. */
static void bind_cases(struct bl_meaning *m, const struct bl_symbol *symbol,
                       const struct bl_cases *value, const struct bl_node *node)
{
    struct bl_binding *binding = BL_PUSH(m->arena, m->bindings);
    enum bl_ambient rebinds =
        symbol->as.local != NULL ? symbol->as.local->rebinds : BL_AMBIENT_COUNT;

    m->names = ++m->newest_names;
    if (binding != NULL)
        *binding = (struct bl_binding){symbol, *value};
    if (rebinds == BL_AMBIENT_COUNT)
        return;
    m->ambients[rebinds] = value->count == 1 && value->items[0].when == m->formulas.always
                               ? value->items[0].value
                               : bl_meaning_unknown(m, node);
}

void bl_meaning_bind(struct bl_meaning *m, const struct bl_symbol *symbol,
                     const struct bl_term *value)
{
    struct bl_cases cases = bl_cases_of(m, value);

    bind_cases(m, symbol, &cases, NULL);
}

void bl_meaning_let(struct bl_meaning *m, const struct bl_statement *let)
{
    struct bl_cases cases = bl_meaning_cases(m, let->value);

    bind_cases(m, let->symbol, &cases, let->value);
}

void bl_meaning_stands_alone(struct bl_meaning *m, const struct bl_symbol *symbol)
{
    bl_meaning_bind(m, symbol, bl_term_symbol(&m->terms, symbol));
}

const struct bl_term *bl_meaning_ambient(struct bl_meaning *m, enum bl_ambient ambient)
{
    if (m->ambients[ambient] == NULL)
        m->ambients[ambient] = bl_term_ambient(&m->terms, ambient);
    return m->ambients[ambient];
}

static struct bl_cases local_value(struct bl_meaning *m, const struct bl_symbol *symbol)
{
    for (size_t i = m->bindings.count; i-- > 0;) {
        if (m->bindings.items[i].symbol == symbol)
            return m->bindings.items[i].value;
    }
    return bl_cases_of(m, bl_term_symbol(&m->terms, symbol));
}

/* ---- cases ----------------------------------------------------------------------------- */

struct bl_cases bl_cases_of(struct bl_meaning *m, const struct bl_term *term)
{
    struct bl_cases cases = {BL_NEW(m->arena, struct bl_case), 0, 1};

    if (cases.items != NULL)
        cases.items[cases.count++] = (struct bl_case){m->formulas.always, term};
    return cases;
}

/* Room of its own for one more case. */
static bool open_cases(struct bl_meaning *m, struct bl_cases *cases)
{
    struct bl_case *own;

    if (cases->count < cases->room)
        return true;
    own = BL_NEW_ARRAY(m->arena, cases->count + 4, struct bl_case);
    if (own == NULL)
        return false;
    for (uint32_t i = 0; i < cases->count; i++)
        own[i] = cases->items[i];
    *cases = (struct bl_cases){own, cases->count, cases->count + 4};
    return true;
}

bool bl_cases_add(struct bl_meaning *m, struct bl_cases *cases, const struct bl_formula *when,
                  const struct bl_cases *value)
{
    if (cases->count == 0 && when == m->formulas.always) {
        *cases = (struct bl_cases){value->items, value->count, 0};
        return value->items != NULL;
    }
    for (uint32_t i = 0; i < value->count; i++) {
        const struct bl_formula *both =
            bl_formula_and(&m->formulas, when, value->items[i].when);
        uint32_t at = 0;

        if (both == m->formulas.never)
            continue;
        if (!open_cases(m, cases))
            return false;
        while (at < cases->count && cases->items[at].value != value->items[i].value)
            at++;
        if (at < cases->count) {
            cases->items[at].when = bl_formula_or(&m->formulas, cases->items[at].when, both);
        } else if (cases->count < BL_CASES_MAX) {
            cases->items[cases->count++] = (struct bl_case){both, value->items[i].value};
        } else {
            return false;
        }
        if (cases->items[at].when->size > BL_FORMULA_SIZE_MAX)
            return false;
    }
    return true;
}

static struct bl_cases cases_condition(struct bl_meaning *m, const struct bl_formula *condition)
{
    struct bl_cases yes = bl_cases_of(m, bl_term_bool(&m->terms, true));
    struct bl_cases no = bl_cases_of(m, bl_term_bool(&m->terms, false));
    struct bl_cases both = {NULL, 0, 0};

    (void)bl_cases_add(m, &both, condition, &yes);
    (void)bl_cases_add(m, &both, bl_formula_not(&m->formulas, condition), &no);
    return both;
}

const struct bl_formula *bl_cases_some(
    struct bl_meaning *m, const struct bl_cases *cases,
    const struct bl_formula *(*test)(struct bl_meaning *m, const struct bl_term *value,
                                     const void *context),
    const void *context)
{
    const struct bl_formula *some = m->formulas.never;

    for (uint32_t i = 0; i < cases->count; i++)
        some = bl_formula_or(&m->formulas, some,
                             bl_formula_and(&m->formulas, cases->items[i].when,
                                            test(m, cases->items[i].value, context)));
    return some;
}

static const struct bl_formula *is_true(struct bl_meaning *m, const struct bl_term *value,
                                        const void *context)
{
    (void)context;
    return bl_formula_true(&m->formulas, value);
}

const struct bl_formula *bl_cases_true(struct bl_meaning *m, const struct bl_cases *cases)
{
    return bl_cases_some(m, cases, is_true, NULL);
}

const struct bl_formula *bl_meaning_is_set(struct bl_meaning *m, const struct bl_term *term)
{
    uint32_t construct = term->index;
    bool loop = term->kind == BL_TERM_NODE && term->kid_count > 0 &&
                (construct == BL_TERM_CONSTRUCT(BL_NODE_FIRST, 0, BL_RESOLVED_LOOP) ||
                 construct == BL_TERM_CONSTRUCT(BL_NODE_LAST, 0, BL_RESOLVED_LOOP));
    bool builtin = term->kind == BL_TERM_NODE && construct >> 16 == BL_RESOLVED_BUILTIN &&
                   term->kid_count == 1;

    if (term->kind == BL_TERM_ABSENT)
        return m->formulas.never;
    if (loop ||
        (builtin && (term->value == BL_BUILTIN_FIRST || term->value == BL_BUILTIN_LAST)))
        return bl_meaning_at_least_one(m, bl_meaning_how_many(m, term->kids[0], term->body));
    if (builtin && term->value == BL_BUILTIN_ONLY)
        return bl_meaning_equal(m, bl_meaning_how_many(m, term->kids[0], NULL),
                                bl_term_number(&m->terms, BL_TYPE_INT, 1));
    return bl_formula_set(&m->formulas, term);
}

static const struct bl_formula *is_set(struct bl_meaning *m, const struct bl_term *value,
                                       const void *context)
{
    (void)context;
    return bl_meaning_is_set(m, value);
}

const struct bl_formula *bl_cases_set(struct bl_meaning *m, const struct bl_cases *cases)
{
    return bl_cases_some(m, cases, is_set, NULL);
}

/* ---- constructs ------------------------------------------------------------------------ */

/* What the value of a call depends on besides its arguments. */
static uint32_t ambients_of(const struct bl_node *node)
{
    if (node->symbol == NULL)
        return 0;
    if (node->resolution == BL_RESOLVED_CALL || node->resolution == BL_RESOLVED_IS_ACTOR)
        return node->symbol->as.callable->ambients;
    if (node->resolution == BL_RESOLVED_DOCUMENT)
        return node->symbol->as.document->ambients;
    /* Messages speak of ambient names only in places where those are not rebound. */
    return 0;
}

static bool is_loop(const struct bl_node *node)
{
    return node->resolution == BL_RESOLVED_LOOP;
}

const struct bl_term *bl_meaning_construct(struct bl_meaning *m, const struct bl_node *node)
{
    uint32_t ambients = ambients_of(node);
    uint32_t count = node->kid_count;
    const struct bl_term **kids =
        BL_NEW_ARRAY(m->arena, (size_t)count + (ambients != 0 ? BL_AMBIENT_COUNT : 1),
                     const struct bl_term *);
    struct bl_term like = {.kind = BL_TERM_NODE,
                           .type = bl_type_base(node->declared),
                           .optional = bl_type_is_optional(node->declared),
                           .index = BL_TERM_CONSTRUCT(node->kind, node->op, node->resolution),
                           .symbol = node->symbol,
                           .value = (int64_t)node->index,
                           .text = node->text,
                           .flags = node->flags,
                           .node = node};

    if (kids == NULL || is_loop(node) || !works(m))
        return bl_meaning_unknown(m, node);
    for (uint32_t i = 0; i < count; i++)
        kids[i] = node->kids[i] != NULL ? bl_meaning_term(m, node->kids[i])
                                        : bl_term_absent(&m->terms);
    for (unsigned a = 0; a < BL_AMBIENT_COUNT; a++) {
        if ((ambients & BL_AMBIENT_BIT(a)) != 0)
            kids[count++] = bl_meaning_ambient(m, (enum bl_ambient)a);
    }
    like.kids = kids;
    like.kid_count = count;
    if (node->resolution == BL_RESOLVED_ATTRIBUTE)
        like.value = (int64_t)bl_type_ref(node->kids[0]->type);
    if ((node->resolution == BL_RESOLVED_ATTRIBUTE ||
         node->resolution == BL_RESOLVED_RECORD_FIELD) &&
        kids[0]->optional) {
        like.optional = true;
        like.parent = kids[0];
    }
    const struct bl_term *term = bl_term_get(&m->terms, &like);
    return term->size > BL_TERM_SIZE_MAX ? bl_meaning_unknown(m, node) : term;
}

static const struct bl_term *field_of(struct bl_meaning *m, const struct bl_node *node,
                                      const struct bl_term *object)
{
    if (object->kind == BL_TERM_ABSENT)
        return object;
    if (node->resolution == BL_RESOLVED_FIELD && object->kind == BL_TERM_VERDICT) {
        if (node->index == (uint32_t)BL_FIELD_VERDICT_PASSES)
            return bl_term_bool(&m->terms, object->value != 0);
        if (node->index == (uint32_t)BL_FIELD_VERDICT_RULE)
            return bl_term_text(&m->terms, BL_TYPE_NAME, object->text);
    }
    if (node->resolution == BL_RESOLVED_FIELD)
        return bl_term_field(&m->terms, object, (enum bl_field)node->index);
    if (node->resolution == BL_RESOLVED_RECORD_FIELD && object->kind == BL_TERM_NODE &&
        object->index >> 16 == BL_RESOLVED_RECORD && node->index < object->kid_count)
        return object->kids[node->index];
    return NULL;
}

static struct bl_cases field_cases(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_cases objects = bl_meaning_cases(m, node->kids[0]);
    struct bl_cases fields = {NULL, 0, 0};

    for (uint32_t i = 0; i < objects.count; i++) {
        const struct bl_term *field = field_of(m, node, objects.items[i].value);
        struct bl_cases one;

        if (field == NULL) /* an attribute of a comment, or what no run knows yet */
            return bl_cases_of(m, bl_meaning_construct(m, node));
        one = bl_cases_of(m, field);
        if (!bl_cases_add(m, &fields, objects.items[i].when, &one))
            return bl_cases_of(m, bl_meaning_construct(m, node));
    }
    return fields;
}

/* ---- choices --------------------------------------------------------------------------- */

static struct bl_cases if_cases(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_formula *condition = bl_meaning_condition(m, node->kids[0]);
    struct bl_cases then = bl_meaning_cases(m, node->kids[1]);
    struct bl_cases other = bl_meaning_cases(m, node->kids[2]);
    struct bl_cases both = {NULL, 0, 0};

    if (bl_cases_add(m, &both, condition, &then) &&
        bl_cases_add(m, &both, bl_formula_not(&m->formulas, condition), &other))
        return both;
    return bl_cases_of(m, bl_meaning_unknown(m, node));
}

static struct bl_cases else_cases(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_cases first = bl_meaning_cases(m, node->kids[0]);
    struct bl_cases other = bl_meaning_cases(m, node->kids[1]);
    struct bl_cases both = {NULL, 0, 0};
    const struct bl_formula *absent = bl_formula_not(&m->formulas, bl_cases_set(m, &first));

    for (uint32_t i = 0; i < first.count; i++) {
        struct bl_cases one = bl_cases_of(m, first.items[i].value);
        const struct bl_formula *set = bl_formula_and(
            &m->formulas, first.items[i].when, bl_meaning_is_set(m, first.items[i].value));

        if (!bl_cases_add(m, &both, set, &one))
            return bl_cases_of(m, bl_meaning_unknown(m, node));
    }
    if (!bl_cases_add(m, &both, absent, &other))
        return bl_cases_of(m, bl_meaning_unknown(m, node));
    return both;
}

static const struct bl_term *list_term(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_term **kids =
        BL_NEW_ARRAY(m->arena, (size_t)node->kid_count + 1, const struct bl_term *);

    if (kids == NULL)
        return bl_meaning_unknown(m, node);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        kids[i] = bl_meaning_term(m, node->kids[i]);
        if (!bl_term_is_constant(kids[i]))
            return bl_meaning_construct(m, node);
    }
    return bl_term_get(&m->terms, &(struct bl_term){.kind = BL_TERM_LIST,
                                                    .type = bl_type_base(node->declared),
                                                    .kids = kids,
                                                    .kid_count = node->kid_count,
                                                    .node = node});
}

static const struct bl_term *group_term(struct bl_meaning *m, const struct bl_symbol *symbol)
{
    const struct bl_symbol_list *labels = &symbol->as.group->labels;
    const struct bl_term **kids =
        BL_NEW_ARRAY(m->arena, labels->count + 1, const struct bl_term *);

    if (kids == NULL)
        return bl_term_absent(&m->terms);
    for (size_t i = 0; i < labels->count; i++)
        kids[i] = bl_term_text(&m->terms, BL_TYPE_LABEL, labels->items[i]->as.label->shown);
    return bl_term_get(&m->terms, &(struct bl_term){.kind = BL_TERM_LIST,
                                                    .type = BL_LIST_OF(BL_TYPE_LABEL),
                                                    .kids = kids,
                                                    .kid_count = (uint32_t)labels->count});
}

/* ---- names and values ------------------------------------------------------------------ */

static struct bl_cases setting_value(struct bl_meaning *m, const struct bl_symbol *symbol)
{
    m->settings_read++;
    if (m->settings == BL_SETTINGS_OPEN || symbol->as.setting->value == NULL)
        return bl_cases_of(m, bl_term_symbol(&m->terms, symbol));
    return bl_meaning_cases(m, symbol->as.setting->value);
}

static struct bl_cases name_cases(struct bl_meaning *m, const struct bl_node *node)
{
    const struct bl_symbol *symbol = node->symbol;
    bl_type type = bl_type_base(node->declared);

    switch (node->resolution) {
    case BL_RESOLVED_LOCAL:
        return local_value(m, symbol);
    case BL_RESOLVED_AMBIENT:
        return bl_cases_of(m, bl_meaning_ambient(m, (enum bl_ambient)node->index));
    case BL_RESOLVED_SETTING:
        return setting_value(m, symbol);
    case BL_RESOLVED_LABEL:
        return bl_cases_of(m, bl_term_text(&m->terms, BL_TYPE_LABEL, symbol->as.label->shown));
    case BL_RESOLVED_GROUP:
        return bl_cases_of(m, group_term(m, symbol));
    case BL_RESOLVED_TASK:
    case BL_RESOLVED_LOCALE:
    case BL_RESOLVED_COMMAND:
        return bl_cases_of(m, bl_term_number(&m->terms, type, symbol->number));
    case BL_RESOLVED_ENUM:
        return bl_cases_of(m, bl_term_number(&m->terms, type, node->index));
    case BL_RESOLVED_WORD:
        return bl_cases_of(m, bl_term_text(&m->terms, BL_TYPE_NAME, node->text));
    case BL_RESOLVED_VARIABLE:
    case BL_RESOLVED_SECRET:
        return bl_cases_of(m, bl_term_symbol(&m->terms, symbol));
    case BL_RESOLVED_CALL:
        return bl_meaning_call(m, node, node->kids, node->kid_count);
    case BL_RESOLVED_BUILTIN:
        return bl_meaning_builtin(m, node);
    default: /* what stands for itself */
        return bl_cases_of(m, bl_meaning_construct(m, node));
    }
}

struct bl_cases bl_meaning_cases(struct bl_meaning *m, const struct bl_node *node)
{
    bl_type type = bl_type_base(node->declared);

    if (!works(m))
        return bl_cases_of(m, bl_meaning_unknown(m, node));
    switch (node->kind) {
    case BL_NODE_NAME:
    case BL_NODE_CALL:
        return name_cases(m, node);
    case BL_NODE_FIELD:
    case BL_NODE_OPTIONAL_FIELD:
        return field_cases(m, node);
    case BL_NODE_STRING:
        if (node->kid_count > 1 ||
            (node->kid_count == 1 && node->kids[0]->kind != BL_NODE_STRING_PART))
            break;
        return bl_cases_of(m, bl_term_text(&m->terms, type, node->text));
    case BL_NODE_INT:
    case BL_NODE_DURATION:
    case BL_NODE_PERCENT:
    case BL_NODE_MONEY:
    case BL_NODE_DATE:
    case BL_NODE_TIME:
    case BL_NODE_BOOL:
        return bl_cases_of(m, bl_term_number(&m->terms, type, node->number));
    case BL_NODE_NONE:
        return bl_cases_of(m, bl_term_absent(&m->terms));
    case BL_NODE_IF:
        return if_cases(m, node);
    case BL_NODE_ELSE:
        return else_cases(m, node);
    case BL_NODE_LIST:
        return bl_cases_of(m, list_term(m, node));
    case BL_NODE_ARITHMETIC:
        return bl_meaning_arithmetic(m, node);
    case BL_NODE_AND:
    case BL_NODE_OR:
    case BL_NODE_NOT:
    case BL_NODE_COMPARE:
    case BL_NODE_IS:
    case BL_NODE_IS_NOT:
    case BL_NODE_ANY:
    case BL_NODE_ALL:
    case BL_NODE_NO:
        return cases_condition(m, bl_meaning_condition(m, node));
    case BL_NODE_FIRST:
    case BL_NODE_LAST:
    case BL_NODE_COUNT:
    case BL_NODE_EACH:
        return bl_meaning_loop(m, node);
    case BL_NODE_FILE:
    case BL_NODE_CLAUSE:
    case BL_NODE_ROW:
    case BL_NODE_BLOCK:
    case BL_NODE_PHRASE:
    case BL_NODE_COLON:
    case BL_NODE_COMMA:
    case BL_NODE_OPTIONAL_TYPE:
    case BL_NODE_PARAMETER:
    case BL_NODE_STRING_PART:
    case BL_NODE_PATTERN:
    case BL_NODE_BROKEN:
    case BL_NODE_KIND_COUNT:
        break;
    }
    return bl_cases_of(m, bl_meaning_construct(m, node));
}

const struct bl_term *bl_meaning_term(struct bl_meaning *m, const struct bl_node *node)
{
    struct bl_cases cases = bl_meaning_cases(m, node);
    const struct bl_term *term;

    if (cases.count != 1 || cases.items[0].when != m->formulas.always)
        return node->resolution == BL_RESOLVED_LOCAL ? bl_meaning_unknown(m, node)
                                                     : bl_meaning_construct(m, node);
    term = cases.items[0].value;
    if (term->node == NULL && !bl_term_is_constant(term) && m->terms.list.count > term->number)
        m->terms.list.items[term->number]->node = node;
    return term;
}
