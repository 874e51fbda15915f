/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/secrets.h"

#include "sema/checker.h"

/* Sets of secrets and redactions: which patterns look for what, and the conditions of their
 * rows, which become functions of what was found. */

enum state { STATE_NEW, STATE_TYPING, STATE_DONE };

/* ---- parts of patterns ---------------------------------------------------------------------
 */

/* The byte behind the class that begins at `at`. */
static size_t behind_class(bl_str s, size_t at)
{
    at++;
    if (at < s.len && s.ptr[at] == '^')
        at++;
    for (bool first = true; at < s.len && (first || s.ptr[at] != ']'); first = false)
        at += s.ptr[at] == '\\' ? 2 : 1;
    return at + 1;
}

unsigned bl_pattern_groups(bl_str source, bl_str *front, bl_str *part)
{
    unsigned groups = 0, depth = 0;
    size_t open = SIZE_MAX;
    bool split = false; /* alternatives at the top: no part is one of all of them */

    *front = *part = (bl_str){NULL, 0};
    for (size_t i = 0; i < source.len;) {
        char c = source.ptr[i];

        if (c == '[') {
            i = behind_class(source, i);
            continue;
        }
        if (c == '(') {
            if (i + 1 >= source.len || source.ptr[i + 1] != '?') {
                groups++;
                open = depth == 0 ? i : open;
            }
            depth++;
        } else if (c == ')' && depth > 0) {
            depth--;
            if (depth == 0 && open != SIZE_MAX && part->ptr == NULL) {
                *front = bl_str_slice(source, 0, open);
                *part = bl_str_slice(source, open + 1, i);
            }
        } else if (c == '|' && depth == 0) {
            split = true;
        }
        i += c == '\\' ? 2 : 1;
    }
    return groups == 1 && (split || part->ptr == NULL) ? 2 : groups;
}

/* The literal that a name of a define stands for, when it is one. */
static struct bl_node *literal_of(struct bl_node *node)
{
    while (node != NULL && node->resolution == BL_RESOLVED_CALL && node->kid_count == 0 &&
           node->symbol != NULL && node->symbol->kind == BL_SYMBOL_DEFINE)
        node = node->symbol->as.callable->value;
    return node;
}

static void add_pattern(struct bl_checker *c, struct bl_node *node, struct bl_node *use,
                        struct bl_node_list *out)
{
    struct bl_node **slot;
    bl_str front, part;

    node = literal_of(node);
    if (node != NULL && node->kind == BL_NODE_LIST) {
        for (uint32_t i = 0; i < node->kid_count; i++)
            add_pattern(c, node->kids[i], use, out);
        return;
    }
    if (node == NULL || node->kind != BL_NODE_PATTERN) {
        bl_sema_error(c, BL_D_PATTERN_UNKNOWN, use->span);
        return;
    }
    if (bl_pattern_groups(node->text, &front, &part) > 1)
        bl_sema_error(c, BL_D_PATTERN_PARTS, node->span);
    slot = BL_PUSH(c->arena, *out);
    if (slot != NULL)
        *slot = node;
}

void bl_sema_patterns(struct bl_checker *c, struct bl_node *node, bool lists,
                      struct bl_node_list *out)
{
    bl_type type = bl_sema_type(c, node, BL_NO_TYPE);

    if (bl_is_error(type))
        return;
    if (type != BL_TYPE_PATTERN && !(lists && type == BL_LIST_OF(BL_TYPE_PATTERN))) {
        bl_sema_mismatch(c, node, BL_TYPE_PATTERN);
        return;
    }
    add_pattern(c, node, node, out);
}

/* ---- sets of secrets -----------------------------------------------------------------------
 */

static int64_t read_amount(struct bl_checker *c, struct bl_node *node)
{
    struct bl_node *literal;

    bl_sema_expect(c, node, BL_TYPE_INT);
    literal = literal_of(node);
    if (literal != NULL && literal->kind == BL_NODE_INT && literal->number > 0 &&
        literal->number <= UINT16_MAX)
        return literal->number;
    bl_sema_error(c, BL_D_MEASURE_UNKNOWN, node->span);
    return 1;
}

static struct bl_symbol *type_match(struct bl_checker *c, struct bl_node *condition)
{
    struct bl_scope_mark scope = bl_scope_enter(c);
    struct bl_symbol *match =
        bl_scope_local(c, BL_LOCAL_PARAMETER, NULL, BL_STR("match"), BL_TYPE_UNTRUSTED, NULL);

    bl_sema_condition(c, condition);
    bl_scope_leave(c, scope);
    return match;
}

static void read_finder(struct bl_checker *c, struct bl_clause *clause,
                        struct bl_finder_declared *finder)
{
    bool random = clause->id == BL_CLAUSE_SECRETS_RANDOM;
    unsigned behind = random ? 3 : 2;

    finder->kind = bl_slot_node(clause, 0)->text;
    finder->span = clause->node->span;
    if (random) {
        finder->least = read_amount(c, bl_slot_node(clause, 1));
        finder->bits = read_amount(c, bl_slot_node(clause, 2));
    } else {
        struct bl_node_list one = {NULL, 0, 0};

        bl_sema_patterns(c, bl_slot_node(clause, 1), false, &one);
        finder->pattern = one.count > 0 ? one.items[0] : NULL;
    }
    for (uint32_t i = 0; i < clause->slots[behind].count; i++)
        bl_sema_patterns(c, clause->slots[behind].nodes[i], true, &finder->outside);
    finder->condition = bl_slot_node(clause, behind + 1);
    if (finder->condition != NULL)
        finder->match = type_match(c, finder->condition);
}

static void take_rows(struct bl_checker *c, struct bl_node *word, struct bl_secret_set *set)
{
    struct bl_symbol *other = bl_sema_find_kind(c, word, BL_SYMBOL_SECRETS);

    if (other == NULL)
        return;
    bl_sema_secrets(c, other, word->span);
    for (size_t i = 0; i < other->as.secrets->finders.count; i++) {
        struct bl_finder_declared **row = BL_PUSH(c->arena, set->finders);

        if (row != NULL)
            *row = other->as.secrets->finders.items[i];
    }
    c->body->reads = c->body->reads || other->as.secrets->reads;
}

static void read_rows(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_secret_set *set = symbol->as.secrets;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        struct bl_finder_declared **row;

        if (clause->id == BL_CLAUSE_SECRETS_LIKE) {
            take_rows(c, bl_slot_node(clause, 0), set);
            continue;
        }
        if (clause->id == BL_CLAUSE_SECRETS_VIEW) {
            set->view = bl_sema_view_named(c, bl_slot_node(clause, 0));
            continue;
        }
        row = BL_PUSH(c->arena, set->finders);
        if (row == NULL)
            return;
        *row = BL_NEW(c->arena, struct bl_finder_declared);
        if (*row == NULL) {
            set->finders.count--;
            return;
        }
        read_finder(c, clause, *row);
    }
}

static void report_cycle(struct bl_checker *c, const struct bl_symbol *symbol,
                         struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, use);

    bl_sema_arg(c, d, "name", symbol->name);
}

void bl_sema_secrets(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_secret_set *set = symbol->as.secrets;
    struct bl_body body;

    if (set->state == STATE_TYPING)
        report_cycle(c, symbol, use);
    if (set->state == STATE_NEW) {
        if (!bl_sema_nest(c, symbol)) {
            report_cycle(c, symbol, use);
            return;
        }
        set->state = STATE_TYPING;
        bl_sema_body_begin(c, &body, symbol);
        body.needs = &set->needs;
        read_rows(c, symbol);
        set->reads = body.reads;
        set->calls = body.calls;
        bl_sema_body_end(c);
        bl_sema_unnest(c, symbol);
        bl_sema_settle_needs(c, &set->needs, BL_ALL_EVENTS, false);
        set->state = STATE_DONE;
    }
    if (c->body == NULL)
        return;
    c->body->reads = c->body->reads || set->reads;
    if (c->body->calls <= set->calls)
        c->body->calls = set->calls + 1;
}

/* ---- redactions ----------------------------------------------------------------------------
 */

/* What a list row may hold: known values, or further patterns. */
static bool is_masked(bl_type element)
{
    return element == BL_TYPE_SECRET || element == BL_TYPE_PATTERN ||
           element == BL_ENTITY_TYPE(ENVIRONMENT_VARIABLE);
}

static void read_list(struct bl_checker *c, struct bl_node *node, struct bl_mask_declared *mask)
{
    bl_type type = bl_sema_type(c, node, BL_NO_TYPE);
    bl_type element = bl_type_is_list(type) ? bl_type_element(type) : (bl_type)BL_TYPE_ERROR;

    if (bl_is_error(type))
        return;
    if (bl_type_is_optional(type) || !is_masked(element)) {
        bl_sema_mismatch(c, node, BL_TYPE_PATTERN);
        return;
    }
    mask->list = node;
    mask->element = element;
}

/* `each v in environment where …`: its variable may be named by kind and source. */
static struct bl_symbol *bring_element(struct bl_checker *c, const struct bl_node *node,
                                       bl_type element)
{
    if (bl_is_error(element) || node->kind != BL_NODE_EACH)
        return NULL;
    return bl_scope_local(c, BL_LOCAL_PARAMETER, NULL, node->text, element, NULL);
}

/* A span has no part: all of it counts. */
static struct bl_node *read_until(struct bl_checker *c, struct bl_node *node,
                                  const struct bl_mask_declared *mask)
{
    struct bl_node_list one = {NULL, 0, 0};
    bl_str front, part;

    if (node == NULL)
        return NULL;
    bl_sema_patterns(c, node, false, &one);
    if (one.count == 0)
        return NULL;
    if (bl_pattern_groups(one.items[0]->text, &front, &part) > 0 ||
        (mask->pattern != NULL && bl_pattern_groups(mask->pattern->text, &front, &part) > 0))
        bl_sema_error(c, BL_D_PATTERN_PARTS, node->span);
    return one.items[0];
}

static enum bl_mask_field field_of(enum bl_clause_id id)
{
    return id == BL_CLAUSE_REDACTION_FIELD   ? BL_MASK_FIELD
           : id == BL_CLAUSE_REDACTION_NAMED ? BL_MASK_NAMED
           : id == BL_CLAUSE_REDACTION_KEYS  ? BL_MASK_KEYS
                                             : BL_MASK_TEXT;
}

static void read_mask(struct bl_checker *c, struct bl_clause *clause,
                      struct bl_mask_declared *mask)
{
    struct bl_node *source = bl_slot_node(clause, 2);
    struct bl_scope_mark scope = bl_scope_enter(c);

    mask->span = clause->node->span;
    mask->kind = bl_slot_node(clause, 0);
    mask->source = bl_slot_node(clause, 1);
    mask->field = field_of(clause->id);
    bool is_field = mask->field != BL_MASK_TEXT;
    mask->condition = bl_slot_node(clause, is_field ? 3 : 4);
    if (is_field || literal_of(source)->kind == BL_NODE_PATTERN ||
        bl_sema_type(c, source, BL_NO_TYPE) == BL_TYPE_PATTERN) {
        struct bl_node_list one = {NULL, 0, 0};

        bl_sema_patterns(c, source, false, &one);
        mask->pattern = one.count > 0 ? one.items[0] : NULL;
        mask->until = is_field ? NULL : read_until(c, bl_slot_node(clause, 3), mask);
        if (mask->condition != NULL)
            mask->match = type_match(c, mask->condition);
    } else {
        read_list(c, source, mask);
        if (mask->condition != NULL)
            bl_sema_error(c, BL_D_MASK_CONDITION, mask->condition->span);
        mask->variable = bring_element(c, source, mask->element);
        mask->index =
            bl_scope_local(c, BL_LOCAL_PARAMETER, NULL, BL_STR("index"), BL_TYPE_INT, NULL);
    }
    if (mask->kind->kind == BL_NODE_NAME && bl_scope_find_local(c, mask->kind->text) == NULL)
        bl_sema_resolved(mask->kind, BL_RESOLVED_WORD, NULL, 0, BL_TYPE_NAME);
    else
        bl_sema_expect(c, mask->kind, BL_TYPE_NAME);
    bl_sema_put(c, mask->source, BL_PLACE_LOG);
    bl_scope_leave(c, scope);
}

static void read_marker(struct bl_checker *c, struct bl_node *node, struct bl_redaction *out)
{
    static const char *const names[BL_MARKER_PARTS] = {"kind", "size", "digest"};
    struct bl_scope_mark scope = bl_scope_enter(c);

    for (unsigned i = 0; i < BL_MARKER_PARTS; i++)
        out->parts[i] = bl_scope_local(c, BL_LOCAL_PARAMETER, NULL, bl_str_from(names[i]),
                                       BL_TYPE_TEXT, NULL);
    out->marker = node;
    bl_sema_put(c, node, BL_PLACE_LOG);
    bl_scope_leave(c, scope);
}

static void read_size(struct bl_checker *c, struct bl_node *node, struct bl_redaction *out)
{
    struct bl_scope_mark scope = bl_scope_enter(c);

    out->bytes =
        bl_scope_local(c, BL_LOCAL_PARAMETER, NULL, BL_STR("bytes"), BL_TYPE_INT, NULL);
    out->size = node;
    bl_sema_expect(c, node, BL_TYPE_TEXT);
    bl_scope_leave(c, scope);
}

static void read_redaction_row(struct bl_checker *c, struct bl_clause *clause,
                               struct bl_redaction *out)
{
    struct bl_node_list one = {NULL, 0, 0};
    struct bl_mask_declared *mask;

    if (clause->id == BL_CLAUSE_REDACTION_WHEN) {
        out->condition = bl_slot_node(clause, 0);
        bl_sema_condition(c, out->condition);
    } else if (clause->id == BL_CLAUSE_REDACTION_MARKER) {
        read_marker(c, bl_slot_node(clause, 0), out);
    } else if (clause->id == BL_CLAUSE_REDACTION_SIZE) {
        read_size(c, bl_slot_node(clause, 0), out);
    } else if (clause->id == BL_CLAUSE_REDACTION_KEEP) {
        bl_sema_patterns(c, bl_slot_node(clause, 0), false, &one);
        out->keep = one.count > 0 ? one.items[0] : NULL;
    } else if (clause->id == BL_CLAUSE_REDACTION_VIEW) {
        out->view = bl_sema_view_named(c, bl_slot_node(clause, 0));
    } else if (clause->id == BL_CLAUSE_REDACTION_MASK || field_of(clause->id) != BL_MASK_TEXT) {
        mask = BL_PUSH(c->arena, out->masks);
        if (mask != NULL)
            read_mask(c, clause, mask);
    }
}

static void check_redaction(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_redaction *redaction = symbol->as.redaction;
    struct bl_body body;

    redaction->state = STATE_TYPING;
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &redaction->needs;
    body.brings = BL_AMBIENT_BIT(BL_AMBIENT_ENVIRONMENT);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next)
        read_redaction_row(c, clause, redaction);
    redaction->reads = body.reads;
    redaction->calls = body.calls;
    bl_sema_body_end(c);
    bl_sema_unnest(c, symbol);
    bl_sema_settle_needs(c, &redaction->needs, BL_ALL_EVENTS, false);
    redaction->state = STATE_DONE;
}

void bl_sema_redaction(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_redaction *redaction = symbol->as.redaction;

    if (redaction->state == STATE_TYPING ||
        (redaction->state == STATE_NEW && !bl_sema_nest(c, symbol))) {
        report_cycle(c, symbol, use);
        return;
    }
    if (redaction->state == STATE_NEW)
        check_redaction(c, symbol);
    if (c->body == NULL)
        return;
    c->body->reads = c->body->reads || redaction->reads;
    if (c->body->calls <= redaction->calls)
        c->body->calls = redaction->calls + 1;
}

void bl_sema_redactions(struct bl_checker *c)
{
    const struct bl_symbol_list *views = &c->program->symbols[BL_SYMBOL_VIEW];
    const struct bl_symbol_list *sets = &c->program->symbols[BL_SYMBOL_SECRETS];
    const struct bl_symbol_list *list = &c->program->symbols[BL_SYMBOL_REDACTION];

    for (size_t i = 0; i < views->count; i++)
        bl_sema_view(c, views->items[i]);
    for (size_t i = 0; i < sets->count; i++)
        bl_sema_secrets(c, sets->items[i], sets->items[i]->span);
    for (size_t i = 0; i < list->count; i++)
        bl_sema_redaction(c, list->items[i], list->items[i]->span);
}
