/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"
#include "sema/secrets.h"
#include "text/pattern.h"

/* Sets of secrets and redactions: rows of tables, conditions as functions of what was found,
 * and one sieve for all patterns of a set, so that a text is read once to know where each of
 * them may begin. */

/* ---- patterns ------------------------------------------------------------------------------
 */

/* A pattern of the policy, or a part of one: the checker took it whole, so this one is right.
 */
static uint32_t compiled(struct bl_emitter *e, struct bl_node *node, bl_str source)
{
    struct bl_pattern pattern;
    struct bl_pattern_error error;

    if (bl_pattern_compile(e->arena, source, node->flags, &pattern, &error))
        return bl_builder_pattern(e->b, bl_emit_pattern_source(e, source, node->flags),
                                  pattern);
    if (error.no_memory) {
        e->arena->failed = true; /* bl_emit sees it at its end */
        return BL_NONE;
    }
    struct bl_diagnostic *d = bl_report(e->sink, BL_D_BAD_PATTERN, node->span);
    bl_diagnostic_text(e->sink, d, "why", error.message);
    return BL_NONE;
}

/* A part that is all of what the pattern finds. */
static uint32_t whole(struct bl_emitter *e, struct bl_node *node)
{
    return bl_add_PARTS(e->b, (struct bl_module_part){compiled(e, node, node->text), BL_NONE,
                                                      BL_NONE, BL_NONE, BL_NONE});
}

/* `until` may be NULL. */
static uint32_t part(struct bl_emitter *e, struct bl_node *node, struct bl_node *until)
{
    bl_str front, inner;
    struct bl_module_part row = {BL_NONE, BL_NONE, BL_NONE, BL_NONE, BL_NONE};

    row.pattern = compiled(e, node, node->text);
    if (bl_pattern_groups(node->text, &front, &inner) == 1) {
        row.front = compiled(e, node, front);
        row.part = compiled(e, node, inner);
    }
    if (until != NULL)
        row.until = compiled(e, until, until->text);
    return bl_add_PARTS(e->b, row);
}

/* What a sieve is made of. */
struct seeker {
    uint32_t part, number;
};
struct sieve {
    BL_VEC(struct bl_pattern_set_input) inputs;
    BL_VEC(uint32_t) patterns; /* of each input: in PATTERNS */
    BL_VEC(struct seeker) seekers;
};

/* The pattern's number; a new one when no part has it. BL_NONE when out of memory. */
static uint32_t place_of(struct bl_emitter *e, struct sieve *sieve, const struct bl_node *node,
                         uint32_t pattern)
{
    for (uint32_t i = 0; i < sieve->patterns.count; i++) {
        if (sieve->patterns.items[i] == pattern)
            return i;
    }
    struct bl_pattern_set_input *input = BL_PUSH(e->arena, sieve->inputs);
    uint32_t *slot = BL_PUSH(e->arena, sieve->patterns);
    if (input == NULL || slot == NULL)
        return BL_NONE;
    *input = (struct bl_pattern_set_input){node->text, node->flags, false};
    *slot = pattern;
    return (uint32_t)sieve->patterns.count - 1;
}

/* The pattern of the part is looked for in each text. Gives the part. */
static uint32_t seek(struct bl_emitter *e, struct sieve *sieve, const struct bl_node *node,
                     uint32_t row)
{
    struct seeker *slot = BL_PUSH(e->arena, sieve->seekers);

    if (slot != NULL && row < e->b->PARTS.count)
        *slot = (struct seeker){row, place_of(e, sieve, node, e->b->PARTS.items[row].pattern)};
    return row;
}

/* Index of SIEVES. Each part learns the number of its pattern, where it has one. */
static uint32_t make_sieve(struct bl_emitter *e, const struct sieve *sieve)
{
    size_t count = sieve->inputs.count;
    bool *left_out = BL_NEW_ARRAY(e->arena, count + 1, bool);
    struct bl_pattern starts;

    if (left_out == NULL ||
        !bl_pattern_starts_compile(e->arena, sieve->inputs.items, count, left_out, &starts)) {
        e->arena->failed = true;
        return BL_NONE;
    }
    for (size_t i = 0; i < sieve->seekers.count; i++) {
        const struct seeker *seeker = &sieve->seekers.items[i];

        if (seeker->number < count && seeker->part < e->b->PARTS.count &&
            !left_out[seeker->number])
            e->b->PARTS.items[seeker->part].sought = seeker->number;
    }
    return bl_builder_sieve(e->b, starts);
}

/* ---- functions -----------------------------------------------------------------------------
 */

/* function(untrusted) : bool; BL_NONE without a condition. */
static uint32_t condition_of(struct bl_emitter *e, bl_str name, struct bl_node *condition,
                             struct bl_symbol *match)
{
    if (condition == NULL)
        return BL_NONE;
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_PURE, BL_TYPE_BOOL, BL_NONE);
    unsigned given = bl_code_param(body.code, BL_TYPE_UNTRUSTED);
    if (match != NULL)
        bl_body_local(&body, match, given);
    unsigned holds = bl_lower_as(&body, condition, BL_TYPE_BOOL);
    bl_put(&body, BL_OP_RETURN, 0, holds, 0, condition->span);
    return bl_body_end(&body);
}

struct param {
    struct bl_symbol *local; /* or NULL: nothing names it */
    bl_type type;
};

/* A function of these parameters that gives the value of the node; a text for the log when it
 * is one. */
static uint32_t value_of(struct bl_emitter *e, bl_str name, struct bl_node *node, bl_type type,
                         const struct param *params, unsigned count)
{
    bool is_text = bl_type_is(type, BL_TYPE_CLEAN);
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_PURE, type, BL_NONE);

    for (unsigned i = 0; i < count; i++) {
        unsigned given = bl_code_param(body.code, params[i].type);
        if (params[i].local != NULL)
            bl_body_local(&body, params[i].local, given);
    }
    unsigned value =
        is_text ? bl_lower_text(&body, node, BL_PLACE_LOG) : bl_lower_as(&body, node, type);
    bl_put(&body, BL_OP_RETURN, 0, value, 0, node->span);
    return bl_body_end(&body);
}

static const bl_type log_text = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_LOG);

/* ---- views --------------------------------------------------------------------------------
 */

/* Whoever reads a text this way looks for what is left out of it beside his own patterns. */
static struct bl_module_view view_of(struct bl_emitter *e, struct sieve *sieve,
                                     const struct bl_symbol *symbol)
{
    struct bl_module_view row = {.first_without = (uint32_t)e->b->PARTS.count};

    if (symbol == NULL)
        return row;
    const struct bl_view_declared *view = symbol->as.view;
    row.without_count = (uint32_t)view->without.count;
    row.decoded = view->decoded;
    row.folded = view->folded;
    for (size_t i = 0; i < view->without.count; i++) {
        struct bl_node *node = view->without.items[i];
        (void)seek(e, sieve, node, part(e, node, NULL));
    }
    return row;
}

unsigned bl_lower_view(struct bl_body *body, struct bl_node *node)
{
    unsigned args[2];

    args[0] = bl_lower(body, node->kids[0]);
    args[1] =
        bl_const_number(body, BL_TYPE_INT, bl_emit_secrets(body->e, node->symbol), node->span);
    return bl_lower_builtin(body, BL_BUILTIN_READINGS, BL_LIST_OF(BL_TYPE_UNTRUSTED), args, 2,
                            node->span);
}

/* ---- sets of secrets -----------------------------------------------------------------------
 */

static void finder(struct bl_emitter *e, struct sieve *sieve,
                   const struct bl_finder_declared *row, struct bl_module_finder *out)
{
    out->kind = bl_builder_string(e->b, row->kind);
    out->part = row->pattern != NULL ? seek(e, sieve, row->pattern, part(e, row->pattern, NULL))
                                     : BL_NONE;
    out->least = (uint32_t)row->least;
    out->bits = (uint32_t)row->bits;
    out->first_outside = (uint32_t)e->b->PARTS.count;
    out->outside_count = (uint32_t)row->outside.count;
    for (size_t i = 0; i < row->outside.count; i++)
        (void)seek(e, sieve, row->outside.items[i], part(e, row->outside.items[i], NULL));
    out->when = condition_of(e, row->kind, row->condition, row->match);
    out->source = row->span.source;
    out->lo = row->span.lo;
    out->hi = row->span.hi;
}

uint32_t bl_emit_secrets(struct bl_emitter *e, struct bl_symbol *symbol)
{
    bool is_view = symbol->kind == BL_SYMBOL_VIEW;
    const struct bl_secret_set *set = is_view ? NULL : symbol->as.secrets;
    size_t count = is_view ? 0 : set->finders.count;

    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_module_finder *rows = BL_NEW_ARRAY(e->arena, count + 1, struct bl_module_finder);
    struct sieve sieve = {.inputs = {NULL, 0, 0}};
    if (rows == NULL)
        return BL_NONE;
    for (size_t i = 0; i < count; i++) {
        /* A condition may ask another set, whose rows then come first. */
        finder(e, &sieve, set->finders.items[i], &rows[i]);
    }
    struct bl_module_view view = view_of(e, &sieve, is_view ? symbol : set->view);
    struct bl_module_secrets row = {.name = bl_builder_string(e->b, symbol->name),
                                    .first_finder = (uint32_t)e->b->FINDERS.count,
                                    .finder_count = (uint32_t)count,
                                    .sieve = make_sieve(e, &sieve),
                                    .view = view};
    for (size_t i = 0; i < count; i++)
        bl_add_FINDERS(e->b, rows[i]);
    uint32_t index = bl_add_SECRETS(e->b, row);
    symbol->emit[0] = index + 1;
    return index;
}

/* ---- redactions ----------------------------------------------------------------------------
 */

static void mask(struct bl_emitter *e, struct sieve *sieve, bl_str name,
                 const struct bl_mask_declared *row, struct bl_module_mask *out)
{
    bl_type element = bl_emit_type(e, row->element);
    struct param params[2] = {{row->variable, element}, {row->index, BL_TYPE_INT}};
    unsigned count = row->list != NULL ? 2 : 0;

    out->part = row->pattern != NULL ? part(e, row->pattern, row->until) : BL_NONE;
    if (row->pattern != NULL && row->field == BL_MASK_TEXT)
        (void)seek(e, sieve, row->pattern, out->part);
    out->field = row->field;
    out->list = row->list != NULL ? value_of(e, name, row->list, BL_LIST_OF(element), NULL, 0)
                                  : BL_NONE;
    out->kind = value_of(e, name, row->kind, BL_TYPE_NAME, params, count);
    out->source = value_of(e, name, row->source, log_text, params, count);
    out->when = condition_of(e, name, row->condition, row->match);
    out->place = row->span.source;
    out->lo = row->span.lo;
    out->hi = row->span.hi;
}

static void redaction(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    const struct bl_redaction *declared = symbol->as.redaction;
    size_t count = declared->masks.count;
    struct param parts[BL_MARKER_PARTS];
    struct param bytes = {declared->bytes, BL_TYPE_INT};
    struct sieve sieve = {.inputs = {NULL, 0, 0}};

    for (unsigned i = 0; i < BL_MARKER_PARTS; i++)
        parts[i] = (struct param){declared->parts[i], BL_TYPE_TEXT};
    struct bl_module_redaction row = {.name = bl_builder_string(e->b, symbol->name),
                                      .first_mask = (uint32_t)e->b->MASKS.count,
                                      .mask_count = (uint32_t)count,
                                      .when = BL_NONE,
                                      .size = BL_NONE,
                                      .keep = BL_NONE};
    if (declared->condition != NULL)
        row.when = value_of(e, symbol->name, declared->condition, BL_TYPE_BOOL, NULL, 0);
    row.marker = value_of(e, symbol->name, declared->marker, log_text, parts, BL_MARKER_PARTS);
    if (declared->size != NULL)
        row.size = value_of(e, symbol->name, declared->size, BL_TYPE_TEXT, &bytes, 1);
    if (declared->keep != NULL)
        row.keep = seek(e, &sieve, declared->keep, whole(e, declared->keep));
    for (size_t i = 0; i < count; i++) {
        struct bl_module_mask out;

        mask(e, &sieve, symbol->name, &declared->masks.items[i], &out);
        bl_add_MASKS(e->b, out);
    }
    row.view = view_of(e, &sieve, declared->view);
    row.sieve = make_sieve(e, &sieve);
    bl_add_REDACTIONS(e->b, row);
}

/* What comments may not hold: their rows are older than the sets. */
static void screens(struct bl_emitter *e)
{
    const struct bl_symbol_list *comments = &e->program->symbols[BL_SYMBOL_COMMENT];
    for (size_t i = 0; i < comments->count && i < e->b->COMMENTS.count; i++) {
        struct bl_symbol *set = comments->items[i]->as.document->screen;
        if (set != NULL)
            e->b->COMMENTS.items[i].screen = bl_emit_secrets(e, set);
    }
}

unsigned bl_lower_redaction(struct bl_body *body, enum bl_builtin builtin, struct bl_node *node,
                            const struct bl_symbol *redaction)
{
    bl_type result = builtin == BL_BUILTIN_MASKS
                         ? BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_MASK))
                         : (bl_type)BL_TYPE_MASKED;
    unsigned args[2];

    args[0] = bl_lower(body, node->kids[0]);
    args[1] = bl_const_number(body, BL_TYPE_INT, redaction->number, node->span);
    return bl_lower_builtin(body, builtin, result, args, 2, node->span);
}

void bl_emit_redactions(struct bl_emitter *e)
{
    screens(e);
    const struct bl_symbol_list *sets = &e->program->symbols[BL_SYMBOL_SECRETS];
    const struct bl_symbol_list *list = &e->program->symbols[BL_SYMBOL_REDACTION];

    for (size_t i = 0; i < sets->count; i++)
        (void)bl_emit_secrets(e, sets->items[i]);
    for (size_t i = 0; i < list->count; i++)
        redaction(e, list->items[i]); /* its row has the number of the symbol */
}
