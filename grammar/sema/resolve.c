/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/foreign.h"

#include <limits.h>

/* What a bare name means: a local, else a constant of the type that is asked for, else an
 * ambient name, else what the program declares (language-review §5.8). */

/* ---- constants by the wanted type
 * -------------------------------------------------------------- */

static bl_type scalar_of(bl_type want)
{
    want = bl_type_base(want);
    while (bl_type_is_list(want))
        want = bl_type_element(want);
    return want;
}

static bl_type constant(struct bl_node *node, struct bl_symbol *symbol,
                        enum bl_resolution resolution, bl_type type)
{
    symbol->used = true;
    return bl_sema_resolved(node, resolution, symbol, symbol->number, type);
}

static bl_type constant_of(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    bl_type scalar = scalar_of(want);
    struct bl_symbol *symbol;
    unsigned member;

    if (bl_type_kind(scalar) == BL_TYPE_ENUM) {
        member = bl_sema_find_member(c, scalar, node->text);
        return member == UINT_MAX
                   ? (bl_type)BL_TYPE_ERROR
                   : bl_sema_resolved(node, BL_RESOLVED_ENUM, NULL, member, scalar);
    }
    symbol = bl_scope_find(c, BL_SPACE_VALUES, node->text);
    if (symbol == NULL)
        return BL_TYPE_ERROR;
    if (bl_type_kind(scalar) == BL_TYPE_LABEL && symbol->kind == BL_SYMBOL_LABEL)
        return constant(node, symbol, BL_RESOLVED_LABEL, BL_TYPE_LABEL);
    if (bl_type_kind(scalar) == BL_TYPE_TASK && symbol->kind == BL_SYMBOL_TASK)
        return constant(node, symbol, BL_RESOLVED_TASK, BL_TYPE_TASK);
    if (bl_type_kind(scalar) == BL_TYPE_LOCALE && symbol->kind == BL_SYMBOL_LOCALE)
        return constant(node, symbol, BL_RESOLVED_LOCALE, BL_TYPE_LOCALE);
    if (bl_type_kind(scalar) == BL_TYPE_COMMAND && symbol->kind == BL_SYMBOL_COMMAND)
        return constant(node, symbol, BL_RESOLVED_COMMAND, BL_TYPE_COMMAND);
    return BL_TYPE_ERROR;
}

/* ---- ambient names
 * -------------------------------------------------------------------------------- */

/* A check that tasks name may say `answer`: it is asked for the answer of each. */
static bool may_be_any_answer(const struct bl_checker *c)
{
    return c->body != NULL && c->body->symbol != NULL && bl_is_generic(c->body->symbol->kind);
}

static bl_type ambient_name(struct bl_checker *c, struct bl_node *node)
{
    enum bl_ambient ambient = bl_ambient_find(node->text);
    bl_type type;

    if (ambient != BL_AMBIENT_COUNT) {
        type = bl_ambient_info(ambient)->type;
        bl_sema_need_ambient(c, node, ambient);
        return bl_sema_resolved(node, BL_RESOLVED_AMBIENT, NULL, ambient, type);
    }
    if (bl_str_equal(node->text, BL_STR("answer")) && c->body != NULL &&
        !bl_is_error(c->body->answer)) {
        bl_sema_says_answer(c);
        return bl_sema_resolved(node, BL_RESOLVED_ANSWER, NULL, 0, c->body->answer);
    }
    return BL_TYPE_ERROR;
}

/* ---- declared names
 * ------------------------------------------------------------------------------- */

static bl_type wrong_kind(struct bl_checker *c, struct bl_node *node,
                          const struct bl_symbol *symbol)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_A_VALUE_KIND, node->span);

    bl_sema_arg(c, d, "name", node->text);
    bl_sema_arg(c, d, "kind", bl_symbol_kind_name(symbol->kind));
    if (symbol->kind == BL_SYMBOL_SANITIZER || symbol->kind == BL_SYMBOL_REDACTION)
        bl_sema_help(c, d, "It cleans a text: %.*s(…).", BL_STR_ARG(node->text));
    else if (symbol->kind == BL_SYMBOL_VIEW)
        bl_sema_help(c, d, "It reads a text: %.*s(…).", BL_STR_ARG(node->text));
    else if (symbol->kind == BL_SYMBOL_COMMANDS)
        bl_sema_help(c, d, "Ask 'comment is %.*s'.", BL_STR_ARG(node->text));
    return BL_TYPE_ERROR;
}

static bl_type declared_name(struct bl_checker *c, struct bl_node *node,
                             struct bl_symbol *symbol)
{
    symbol->used = true;
    switch (symbol->kind) {
    case BL_SYMBOL_SETTING:
        bl_sema_count_calls(c, symbol, symbol->as.setting->calls, node->span);
        return bl_sema_resolved(node, BL_RESOLVED_SETTING, symbol, symbol->number,
                                symbol->type);
    case BL_SYMBOL_LABEL:
        return constant(node, symbol, BL_RESOLVED_LABEL, BL_TYPE_LABEL);
    case BL_SYMBOL_GROUP:
        return constant(node, symbol, BL_RESOLVED_GROUP, BL_LIST_OF(BL_TYPE_LABEL));
    case BL_SYMBOL_TASK:
        return constant(node, symbol, BL_RESOLVED_TASK, BL_TYPE_TASK);
    case BL_SYMBOL_LOCALE:
        return constant(node, symbol, BL_RESOLVED_LOCALE, BL_TYPE_LOCALE);
    case BL_SYMBOL_COMMAND:
        return constant(node, symbol, BL_RESOLVED_COMMAND, BL_TYPE_COMMAND);
    case BL_SYMBOL_VARIABLE:
        return constant(node, symbol, BL_RESOLVED_VARIABLE, BL_ENTITY_TYPE(VARIABLE));
    case BL_SYMBOL_SECRET:
        return constant(node, symbol, BL_RESOLVED_SECRET, BL_ENTITY_TYPE(SECRET_SETTING));
    case BL_SYMBOL_DEFINE:
    case BL_SYMBOL_DECISION:
    case BL_SYMBOL_CHECK:
    case BL_SYMBOL_ACTOR:
    case BL_SYMBOL_MESSAGE:
        return bl_sema_call_symbol(c, node, symbol);
    case BL_SYMBOL_SECRETS:
        bl_sema_secrets(c, symbol, node->span);
        return constant(node, symbol, BL_RESOLVED_SECRETS, BL_TYPE_PATTERN);
    case BL_SYMBOL_STORE:
        c->body->reads = true;
        if (c->body->first_read == NULL)
            c->body->first_read = node;
        return constant(node, symbol, BL_RESOLVED_STORE, symbol->type);
    case BL_SYMBOL_SANITIZER:
    case BL_SYMBOL_VIEW:
    case BL_SYMBOL_REDACTION:
    case BL_SYMBOL_COMMANDS:
    case BL_SYMBOL_LOCAL:
    case BL_SYMBOL_COMMENT:
    case BL_SYMBOL_PART:
    case BL_SYMBOL_FILE:
    case BL_SYMBOL_JOB:
    case BL_SYMBOL_RULE:
    case BL_SYMBOL_STEP:
    case BL_SYMBOL_SWEEP:
    case BL_SYMBOL_LIFECYCLE:
    case BL_SYMBOL_REPORT:
    case BL_SYMBOL_WORKFLOW:
    case BL_SYMBOL_ENGINE:
    case BL_SYMBOL_ENTRY:
    case BL_SYMBOL_STEPS:
    case BL_SYMBOL_ACTION:
    case BL_SYMBOL_RUNNER:
    case BL_SYMBOL_ENUM:
    case BL_SYMBOL_RECORD:
    case BL_SYMBOL_KIND_COUNT:
        break;
    }
    return wrong_kind(c, node, symbol);
}

/* ---- unknown names
 * -------------------------------------------------------------------------------- */

/* Does a declared value look as if it could stand where `want` is asked for? */
static bool could_be(const struct bl_symbol *symbol, bl_type want)
{
    if (bl_is_error(want) || bl_is_error(symbol->type))
        return true;
    return bl_sema_fits(symbol->type, want) || bl_sema_fits(bl_type_base(symbol->type), want);
}

static void consider_values(struct bl_checker *c, struct bl_likeness *like, bl_type want)
{
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++) {
        const struct bl_symbol_list *list = &c->program->symbols[kind];

        if (bl_symbol_space((enum bl_symbol_kind)kind) != BL_SPACE_VALUES ||
            kind == BL_SYMBOL_SANITIZER || kind == BL_SYMBOL_REDACTION ||
            kind == BL_SYMBOL_VIEW)
            continue;
        for (size_t i = 0; i < list->count; i++) {
            if (could_be(list->items[i], want))
                bl_likeness_consider(like, list->items[i]->name);
        }
    }
}

static void list_labels(struct bl_checker *c, const struct bl_node *node,
                        struct bl_diagnostic *d)
{
    struct bl_likeness like = bl_likeness_begin(node->text);

    bl_likeness_symbols(c, &like, BL_SYMBOL_LABEL);
    if (like.count > 0)
        bl_likeness_help(c, &like, d, node->span);
    else
        bl_sema_help(c, d, "Declare it: label %.*s \"%.*s\" { color \"ededed\" }.",
                     BL_STR_ARG(node->text), BL_STR_ARG(node->text));
}

/* Whatever might have been meant: of what is asked for first. */
static struct bl_likeness likeness_of(struct bl_checker *c, const struct bl_node *node,
                                      bl_type want)
{
    struct bl_likeness like = bl_likeness_begin(node->text);
    bl_type scalar = scalar_of(want);

    /* Nobody sees a help above the cap; a search for each such name would be quadratic. */
    if (c->sink->errors >= c->sink->max_errors)
        return like;
    if (bl_type_kind(scalar) == BL_TYPE_ENUM) {
        unsigned count = bl_program_member_count(c->program, bl_type_ref(scalar));

        for (unsigned i = 0; i < count; i++)
            bl_likeness_consider(&like, bl_program_member(c->program, bl_type_ref(scalar), i));
    }
    for (struct bl_scoped *s = c->body != NULL ? c->body->locals : NULL; s != NULL;
         s = s->next) {
        if (could_be(s->symbol, want))
            bl_likeness_consider(&like, s->symbol->name);
    }
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        bl_likeness_consider(&like, bl_ambient_info((enum bl_ambient)i)->name);
    consider_values(c, &like, want);
    if (like.best.len == 0)
        consider_values(c, &like, BL_NO_TYPE);
    return like;
}

static bl_type unknown_name(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    struct bl_likeness like;
    struct bl_diagnostic *d;
    bl_type scalar = scalar_of(want);

    if (bl_str_equal(node->text, BL_STR("answer"))) {
        bl_sema_error(c, BL_D_NO_ANSWER, node->span);
        return BL_TYPE_ERROR;
    }
    like = likeness_of(c, node, want);
    d = bl_sema_error(c, BL_D_UNKNOWN_NAME, node->span);
    bl_sema_arg(c, d, "name", node->text);
    if (like.best.len > 0)
        bl_likeness_help(c, &like, d, node->span);
    else if (bl_sema_library_help(c, d, node->text))
        return BL_TYPE_ERROR;
    else if (bl_foreign_name(node->text) != NULL && !bl_type_is(scalar, BL_TYPE_LABEL))
        bl_foreign_help(c->sink, d, bl_foreign_name(node->text), node->span);
    else if (bl_type_is(scalar, BL_TYPE_LABEL))
        list_labels(c, node, d);
    else if (bl_type_kind(scalar) == BL_TYPE_ENUM)
        bl_sema_help(c, d, "%.*s is asked for here.", BL_STR_ARG(bl_sema_type_text(c, scalar)));
    return BL_TYPE_ERROR;
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

bool bl_sema_name_stands_alone(struct bl_checker *c, const struct bl_node *node)
{
    return bl_scope_find_local(c, node->text) != NULL ||
           bl_ambient_find(node->text) != BL_AMBIENT_COUNT ||
           bl_scope_find(c, BL_SPACE_VALUES, node->text) != NULL ||
           bl_str_equal(node->text, BL_STR("answer"));
}

bl_type bl_sema_name(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    struct bl_symbol *symbol = bl_scope_find_local(c, node->text);
    bl_type type;

    if (symbol != NULL) {
        symbol->used = true;
        return bl_sema_resolved(node, BL_RESOLVED_LOCAL, symbol, 0, symbol->type);
    }
    type = constant_of(c, node, want);
    if (!bl_is_error(type))
        return type;
    if (c->body != NULL && c->body->words && bl_type_kind(scalar_of(want)) == BL_TYPE_NAME)
        return bl_sema_resolved(node, BL_RESOLVED_WORD, NULL, 0, BL_TYPE_NAME);
    type = ambient_name(c, node);
    if (!bl_is_error(type))
        return type;
    symbol = bl_scope_find(c, BL_SPACE_VALUES, node->text);
    if (symbol != NULL)
        return declared_name(c, node, symbol);
    if (bl_str_equal(node->text, BL_STR("answer")) && may_be_any_answer(c)) {
        bl_sema_says_answer(c);
        return bl_sema_resolved(node, BL_RESOLVED_ANSWER, NULL, 0, BL_TYPE_ERROR);
    }
    bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
    return unknown_name(c, node, want);
}
