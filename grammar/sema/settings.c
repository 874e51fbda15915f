/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Settings with what a repository sets. */

/* ---- constants
 * --------------------------------------------------------------------------------------- */

/* What may not stand in a constant; NULL when it is one. */
static const struct bl_node *changeable_part(const struct bl_node *node, bool settings)
{
    const struct bl_node *part = NULL;

    if (node == NULL)
        return NULL;
    switch ((enum bl_resolution)node->resolution) {
    case BL_RESOLVED_NOT:
    case BL_RESOLVED_LABEL:
    case BL_RESOLVED_GROUP:
    case BL_RESOLVED_TASK:
    case BL_RESOLVED_LOCALE:
    case BL_RESOLVED_COMMAND:
    case BL_RESOLVED_ENUM:
    case BL_RESOLVED_WORD:
    case BL_RESOLVED_TEXT:
        break;
    case BL_RESOLVED_SETTING:
        return settings ? NULL : node;
    case BL_RESOLVED_LOCAL:
    case BL_RESOLVED_AMBIENT:
    case BL_RESOLVED_VARIABLE:
    case BL_RESOLVED_SECRET:
    case BL_RESOLVED_KIND:
    case BL_RESOLVED_STORE:
    case BL_RESOLVED_SECRETS:
    case BL_RESOLVED_ANSWER:
    case BL_RESOLVED_CALL:
    case BL_RESOLVED_BUILTIN:
    case BL_RESOLVED_RECORD:
    case BL_RESOLVED_MESSAGE:
    case BL_RESOLVED_DOCUMENT:
    case BL_RESOLVED_CLEANER:
    case BL_RESOLVED_FIELD:
    case BL_RESOLVED_ATTRIBUTE:
    case BL_RESOLVED_RECORD_FIELD:
    case BL_RESOLVED_IS_SET:
    case BL_RESOLVED_IS_ABSENT:
    case BL_RESOLVED_IS_EVENT:
    case BL_RESOLVED_IS_ACTOR:
    case BL_RESOLVED_IS_KIND:
    case BL_RESOLVED_IS_PULL:
    case BL_RESOLVED_IS_COMMAND:
    case BL_RESOLVED_HAS:
    case BL_RESOLVED_PATTERN:
    case BL_RESOLVED_GLOB:
    case BL_RESOLVED_SAME:
    case BL_RESOLVED_LOOP:
        return node;
    }
    for (uint32_t i = 0; part == NULL && i < node->kid_count; i++)
        part = changeable_part(node->kids[i], settings);
    return part;
}

static void hold_constant(struct bl_checker *c, struct bl_node *node, bl_type want,
                          bool settings)
{
    const struct bl_node *part;
    struct bl_body body;

    bl_sema_body_begin(c, &body, NULL);
    bl_sema_expect(c, node, want);
    bl_sema_body_end(c);
    part = changeable_part(node, settings);
    if (part != NULL && !bl_is_error(part->declared))
        bl_sema_error(c, BL_D_NOT_CONSTANT, part->span);
}

/* A value that is the same in every run. */
void bl_sema_constant(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    hold_constant(c, node, want, false);
}

/* Of a setting: it may rest on other settings. */
static void type_value(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    hold_constant(c, node, want, true);
}

/* ---- what a repository sets
 * ----------------------------------------------------------------------------------- */

struct given_value {
    struct bl_clause *clause;
    struct bl_package *package;
};

/* The last `set` on the way from the product to the repository holds: that of a package that
 * uses the packages of all others. Two of one package, or of two that know nothing of each
 * other, are a mistake. */
static void weigh_set(struct bl_checker *c, struct bl_symbol *setting, struct given_value *held,
                      struct given_value given)
{
    struct bl_diagnostic *d;

    setting->used = true;
    if (held->clause == NULL || bl_package_uses(given.package, held->package)) {
        *held = given;
        return;
    }
    if (bl_package_uses(held->package, given.package))
        return;
    d = bl_sema_error(c, BL_D_SET_TWICE, given.clause->node->span);
    bl_sema_arg(c, d, "name", setting->name);
    bl_diagnostic_label(c->sink, d, held->clause->node->span, BL_STR("It is set here, too."));
}

static void apply_sets(struct bl_checker *c)
{
    struct given_value *held = BL_NEW_ARRAY(
        c->arena, c->program->symbols[BL_SYMBOL_SETTING].count + 1, struct given_value);

    if (held == NULL)
        return;
    for (size_t i = 0; i < c->program->files.count; i++) {
        struct bl_file *file = c->program->files.items[i];

        for (struct bl_clause *clause = file->clauses; clause != NULL; clause = clause->next) {
            struct bl_symbol *setting;

            if (clause->id != BL_CLAUSE_SET)
                continue;
            setting = bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_SETTING);
            if (setting != NULL) {
                struct given_value given = {clause, file->package};

                type_value(c, bl_slot_node(clause, 1), setting->type);
                weigh_set(c, setting, &held[setting->number], given);
                setting->as.setting->value = bl_slot_node(held[setting->number].clause, 1);
            }
        }
    }
}

static void add_requirement(struct bl_checker *c, struct bl_symbol *symbol,
                            struct bl_clause *clause, struct bl_requirement ***tail)
{
    struct bl_requirement *requirement = BL_NEW(c->arena, struct bl_requirement);
    struct bl_node self = {.kind = BL_NODE_NAME,
                           .text = symbol->name,
                           .resolution = BL_RESOLVED_SETTING,
                           .symbol = symbol,
                           .index = symbol->number};
    struct bl_known_mark mark = bl_sema_mark(c);

    if (requirement == NULL)
        return;
    requirement->condition = bl_slot_node(clause, 0);
    requirement->text = bl_slot_node(clause, 1);
    /* It is asked of a value that is set. */
    if (bl_type_is_optional(symbol->type))
        bl_sema_know(c, &self, bl_type_base(symbol->type));
    bl_sema_condition(c, requirement->condition);
    bl_sema_forget(c, mark);
    bl_sema_expect(c, requirement->text, BL_TYPE_TEXT);
    **tail = requirement;
    *tail = &requirement->next;
}

static void type_bounds(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_setting *setting = symbol->as.setting;
    bl_type base = bl_type_base(symbol->type);

    type_value(c, setting->preset, symbol->type);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_SETTING_REQUIRE)
            continue;
        if (!bl_types_ordered(base, base)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_NO_ORDER, clause->node->span);

            bl_sema_arg_type(c, d, "type", base);
            continue;
        }
        type_value(c, bl_slot_node(clause, 0), base);
        if (clause->id == BL_CLAUSE_SETTING_MIN)
            setting->least = bl_slot_node(clause, 0);
        else
            setting->greatest = bl_slot_node(clause, 0);
    }
}

static void type_requirements(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_requirement **tail = &symbol->as.setting->requires;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_SETTING_REQUIRE)
            add_requirement(c, symbol, clause, &tail);
    }
    if (body.reads && body.first_read != NULL)
        bl_sema_error(c, BL_D_NOT_CONSTANT, body.first_read->span);
    bl_sema_body_end(c);
}

/* ---- settings that rest on settings
 * ------------------------------------------------------------------------------ */

enum state { STATE_NEW, STATE_ASKING, STATE_KNOWN };

/* The way round: where each setting of the circle names the next one. */
struct way {
    struct bl_symbol *setting;
    const struct bl_node *use;
    const struct way *before;
};

static void ask(struct bl_checker *c, const struct way *way, unsigned depth);

static void report_circle(struct bl_checker *c, const struct way *way)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, way->use->span);

    bl_sema_arg(c, d, "name", way->setting->name);
    for (const struct way *at = way->before; at != NULL && at->setting != way->setting;
         at = at->before)
        bl_diagnostic_label(
            c->sink, d, at->use->span,
            bl_sema_text(c, "'%.*s' is needed here.", BL_STR_ARG(at->setting->name)));
}

static void report_chain(struct bl_checker *c, const struct way *way)
{
    struct bl_diagnostic *d = bl_sema_error(
        c, BL_D_SETTINGS_CHAIN,
        way->use == NULL ? way->setting->as.setting->value->span : way->use->span);

    bl_sema_arg(c, d, "name", way->setting->name);
    bl_diagnostic_int(c->sink, d, "count", (int64_t)bl_limit(BL_LIMIT_SETTING_CHAIN));
}

static void ask_parts(struct bl_checker *c, const struct way *way, const struct bl_node *node,
                      unsigned depth)
{
    struct bl_setting *setting = way->setting->as.setting;

    if (node == NULL)
        return;
    if (node->resolution == BL_RESOLVED_SETTING) {
        struct way next = {node->symbol, node, way};

        ask(c, &next, depth + 1);
        if (setting->calls <= node->symbol->as.setting->calls)
            setting->calls = node->symbol->as.setting->calls + 1;
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        ask_parts(c, way, node->kids[i], depth);
}

/* How deep the settings below one go. The value that holds counts, wherever it was set. */
static void ask(struct bl_checker *c, const struct way *way, unsigned depth)
{
    struct bl_setting *setting = way->setting->as.setting;

    if (setting->state == STATE_ASKING)
        report_circle(c, way);
    if (setting->state != STATE_NEW)
        return;
    setting->state = STATE_ASKING;
    /* Nobody looks further down than a chain may go: who named this one is told. */
    if (depth <= bl_limit(BL_LIMIT_SETTING_CHAIN))
        ask_parts(c, way, setting->value, depth);
    else
        setting->calls = (unsigned)bl_limit(BL_LIMIT_SETTING_CHAIN);
    setting->state = STATE_KNOWN;
    if (setting->calls <= bl_limit(BL_LIMIT_SETTING_CHAIN))
        return;
    report_chain(c, way);
    setting->calls = 0;
}

void bl_sema_settings(struct bl_checker *c)
{
    const struct bl_symbol_list *settings = &c->program->symbols[BL_SYMBOL_SETTING];

    apply_sets(c);
    for (size_t i = 0; i < settings->count; i++)
        type_bounds(c, settings->items[i]);
    for (size_t i = 0; i < settings->count; i++) {
        struct way way = {settings->items[i], NULL, NULL};

        if (settings->items[i]->as.setting->state == STATE_NEW)
            ask(c, &way, 0);
    }
    for (size_t i = 0; i < settings->count; i++)
        type_requirements(c, settings->items[i]);
}
