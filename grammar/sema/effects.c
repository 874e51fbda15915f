/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "sema/checker.h"

#include <limits.h>

/* ---- what an effect acts on
 * ---------------------------------------------------------------------- */

static bool is_there(struct bl_checker *c, enum bl_ambient ambient)
{
    return c->body->rebound[ambient] != NULL ||
           (c->body->events & ~bl_sema_bringers(ambient)) == 0;
}

/* The word that the statement begins with: where a missing issue is reported. */
static struct bl_node *word_of(const struct bl_statement *statement)
{
    return statement->clause->node->kids[0]->kids[0];
}

/* Effects act on the issue in scope and on no other (ANS-07); some also on a pull request. */
static void aim(struct bl_checker *c, struct bl_statement *statement)
{
    const struct bl_effect_info *info = bl_effect_info(statement->effect);
    bool issue = bl_str_starts_with(info->args, BL_STR("issue"));
    bool pull = bl_str_find(bl_str_slice(info->args, 0, bl_str_find_char(info->args, ',')),
                            BL_STR("pull_request")) != SIZE_MAX;
    uint32_t needed = BL_CAP(info->permission);

    if (statement->effect == BL_EFFECT_REACT)
        statement->target = BL_AMBIENT_COMMENT;
    else if (pull && is_there(c, BL_AMBIENT_PULL_REQUEST) &&
             (c->body->about == BL_AMBIENT_PULL_REQUEST || !is_there(c, BL_AMBIENT_ISSUE)))
        statement->target = BL_AMBIENT_PULL_REQUEST;
    else if (issue)
        statement->target = BL_AMBIENT_ISSUE;
    if (statement->target == BL_AMBIENT_PULL_REQUEST &&
        info->permission == BL_PERMISSION_ISSUES_WRITE)
        needed = BL_CAP(BL_PERMISSION_PULL_REQUESTS_WRITE);
    if (statement->target != BL_AMBIENT_COUNT)
        bl_sema_need_ambient(c, word_of(statement), statement->target);
    if (info->permission != BL_PERMISSION_NONE)
        c->body->capabilities |= needed;
    statement->needed = info->permission != BL_PERMISSION_NONE ? needed : 0;
}

static struct bl_statement *new_effect(struct bl_checker *c, struct bl_clause *clause,
                                       enum bl_effect effect)
{
    struct bl_statement *statement = bl_sema_statement_new(c, BL_STATEMENT_EFFECT, clause);

    if (statement == NULL)
        return NULL;
    statement->effect = effect;
    if (c->body->symbol != NULL && c->body->symbol->kind == BL_SYMBOL_ENTRY &&
        !bl_sema_entry_may(effect))
        bl_sema_arg(c, bl_sema_error(c, BL_D_ENTRY_EFFECT, clause->node->span), "effect",
                    bl_effect_info(effect)->words);
    aim(c, statement);
    return statement;
}

static struct bl_node *because(struct bl_checker *c, struct bl_node *node)
{
    if (node != NULL)
        bl_sema_put(c, node, BL_PLACE_TIMELINE);
    return node;
}

/* ---- labels
 * ---------------------------------------------------------------------------------------- */

static struct bl_statement *type_labels(struct bl_checker *c, struct bl_clause *clause,
                                        enum bl_effect effect)
{
    struct bl_statement *statement = new_effect(c, clause, effect);
    bool several = bl_str_equal(bl_slot_node(clause, 0)->text, BL_STR("labels"));

    if (statement == NULL)
        return NULL;
    for (uint32_t i = 0; i < clause->slots[1].count; i++) {
        struct bl_node *node = clause->slots[1].nodes[i];
        bl_type type = bl_sema_type(c, node, BL_TYPE_LABEL);
        struct bl_node **slot = BL_PUSH(c->arena, statement->items);

        if (slot != NULL)
            *slot = node;
        if (bl_is_error(type) || bl_sema_is_absent_here(c, node, type))
            continue;
        if (!bl_sema_fits(type, BL_TYPE_LABEL) &&
            !bl_sema_fits(type, BL_LIST_OF(BL_TYPE_LABEL))) {
            bl_sema_mismatch(c, node, BL_TYPE_LABEL);
        } else if (!several && (bl_type_is_list(type) || i > 0)) {
            bl_sema_error(c, BL_D_LABELS_OF_SEVERAL, node->span);
            break;
        }
        bl_sema_settle(node, BL_LIST_OF(BL_TYPE_LABEL));
    }
    statement->text = because(c, bl_slot_node(clause, 2));
    return statement;
}

/* ---- comments
 * -------------------------------------------------------------------------------------- */

struct bl_symbol *bl_sema_posted_document(struct bl_checker *c, struct bl_node *node,
                                          enum bl_symbol_kind kind)
{
    struct bl_symbol *symbol = bl_sema_find_kind(c, node, kind);

    if (symbol == NULL) {
        for (uint32_t i = 0; node->kind == BL_NODE_CALL && i < node->kid_count; i++)
            bl_sema_type(c, node->kids[i], BL_NO_TYPE);
        return NULL;
    }
    symbol = bl_sema_document(c, symbol, node->span);
    if (symbol->as.document->says_answer)
        bl_sema_has_answer(c, node, symbol);
    bl_sema_arguments(c, node, &symbol->as.document->params);
    bl_sema_resolved(node, BL_RESOLVED_DOCUMENT, symbol, symbol->number, BL_TYPE_ERROR);
    bl_sema_need_all(c, node, &symbol->as.document->needs);
    return symbol;
}

struct bl_statement *bl_sema_post(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_POST);

    if (statement == NULL)
        return NULL;
    bl_sema_need_account(c, word_of(statement)->span, BL_STR("post"));
    statement->value = bl_slot_node(clause, 0);
    statement->symbol = bl_sema_posted_document(c, statement->value, BL_SYMBOL_COMMENT);
    return statement;
}

static bool attribute_type(struct bl_checker *c, bl_type object, const struct bl_node *name,
                           bl_type *out)
{
    struct bl_node object_node = {.kind = BL_NODE_NAME};
    struct bl_node *kids[] = {&object_node};
    struct bl_node field = {.kind = BL_NODE_FIELD,
                            .text = name->text,
                            .span = name->span,
                            .name_span = name->span,
                            .kids = kids,
                            .kid_count = 1};

    *out = bl_sema_member_of(c, &field, object);
    if (field.resolution == BL_RESOLVED_FIELD) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NOT_AN_ATTRIBUTE, name->span);

        bl_sema_arg(c, d, "name", name->text);
        return false;
    }
    return !bl_is_error(*out);
}

struct bl_pair *bl_sema_pairs(struct bl_checker *c, struct bl_clause *clauses, bl_type object)
{
    struct bl_pair *first = NULL;
    struct bl_pair **tail = &first;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        struct bl_node *name = bl_slot_node(clause, 0);
        struct bl_node *value = bl_slot_node(clause, 1);
        struct bl_pair *pair = BL_NEW(c->arena, struct bl_pair);
        bl_type wanted;

        if (pair == NULL)
            return first;
        if (value == NULL || clause->slots[1].count != 1) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_PAIR_VALUE, clause->node->span);

            bl_sema_arg(c, d, "name", name->text);
            continue;
        }
        if (!attribute_type(c, object, name, &wanted)) {
            bl_sema_type(c, value, BL_NO_TYPE);
            continue;
        }
        /* A list takes another element; a whole list stands for itself. */
        if (bl_type_is_list(wanted)) {
            bl_type type = bl_sema_type(c, value, wanted);

            if (!bl_sema_fits(type, wanted) &&
                !bl_sema_fits(type, bl_type_element(bl_type_base(wanted))))
                bl_sema_mismatch(c, value, bl_type_element(bl_type_base(wanted)));
            bl_sema_settle(value, wanted);
        } else {
            bl_sema_expect(c, value, wanted);
        }
        *pair =
            (struct bl_pair){.name = name->text, .value = value, .span = clause->node->span};
        *tail = pair;
        tail = &pair->next;
    }
    return first;
}

static struct bl_statement *type_mark(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_MARK);
    struct bl_node *node = bl_slot_node(clause, 0);
    bl_type type;

    if (statement == NULL)
        return NULL;
    statement->value = node;
    type = bl_sema_type(c, node, BL_NO_TYPE);
    if (bl_is_error(type) || bl_sema_is_absent_here(c, node, type))
        return statement;
    if (!bl_type_is(type, BL_TYPE_POSTED)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_MARK_OWN, node->span);

        bl_sema_arg_type(c, d, "type", type);
        return statement;
    }
    statement->pairs = bl_sema_pairs(c, clause->block, type);
    return statement;
}

/* ---- members
 * ---------------------------------------------------------------------------------------- */

static void read_member(struct bl_checker *c, struct bl_statement *statement,
                        struct bl_node *word, enum bl_enum list)
{
    bl_type type = BL_TYPE_MAKE(BL_TYPE_ENUM, list);
    unsigned member = bl_sema_find_member(c, type, word->text);
    struct bl_likeness like = bl_likeness_begin(word->text);
    struct bl_diagnostic *d;

    if (member != UINT_MAX) {
        statement->member = member;
        return;
    }
    d = bl_sema_error(c, BL_D_UNKNOWN_WORD, word->span);
    bl_sema_arg(c, d, "name", word->text);
    bl_sema_arg_type(c, d, "wanted", type);
    for (unsigned i = 0; i < bl_enum_member_count(list); i++)
        bl_likeness_consider(&like, bl_enum_member(list, i));
    bl_likeness_help(c, &like, d, word->span);
}

static struct bl_statement *type_member(struct bl_checker *c, struct bl_clause *clause,
                                        enum bl_effect effect, enum bl_enum list)
{
    struct bl_statement *statement = new_effect(c, clause, effect);

    if (statement != NULL)
        read_member(c, statement, bl_slot_node(clause, 0), list);
    return statement;
}

static struct bl_statement *type_close(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement =
        type_member(c, clause, BL_EFFECT_CLOSE, BL_ENUM_STATE_REASON);
    struct bl_node *original = bl_slot_node(clause, 1);

    if (statement == NULL)
        return NULL;
    if ((original != NULL) != (statement->member == BL_STATE_REASON_DUPLICATE))
        bl_sema_error(c, BL_D_CLOSE_DUPLICATE,
                      original != NULL ? original->span : bl_slot_node(clause, 0)->span);
    statement->value = original;
    if (original != NULL)
        bl_sema_expect(c, original, BL_ENTITY_TYPE(ISSUE));
    statement->text = because(c, bl_slot_node(clause, 2));
    return statement;
}

static struct bl_statement *type_status(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_STATUS);
    struct bl_node **slot;

    if (statement == NULL)
        return NULL;
    slot = BL_PUSH(c->arena, statement->items);
    if (slot != NULL)
        *slot = bl_slot_node(clause, 0);
    bl_sema_put(c, bl_slot_node(clause, 0), BL_PLACE_LOG);
    read_member(c, statement, bl_slot_node(clause, 1), BL_ENUM_STATUS_STATE);
    statement->value = bl_slot_node(clause, 2);
    if (statement->value != NULL)
        bl_sema_expect(c, statement->value, BL_ENTITY_TYPE(COMMIT));
    else if (!c->body->in_test)
        bl_sema_error(c, BL_D_STATUS_COMMIT, clause->node->span);
    statement->text = because(c, bl_slot_node(clause, 3));
    return statement;
}

/* What is longer as it stands is refused by GitHub each time. */
static void measure(struct bl_checker *c, const struct bl_node *words)
{
    int64_t count = 0, most = (int64_t)bl_limit(BL_LIMIT_DISMISSAL_CHARS);

    for (uint32_t i = 0; words->kind == BL_NODE_STRING && i < words->kid_count; i++) {
        if (words->kids[i]->kind == BL_NODE_STRING_PART)
            count += (int64_t)bl_utf8_length(words->kids[i]->text);
    }
    if (count > most) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_DISMISSAL_TOO_LONG, words->span);

        bl_diagnostic_int(c->sink, d, "count", count);
        bl_diagnostic_int(c->sink, d, "most", most);
    }
}

static struct bl_statement *type_dismiss(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_DISMISS);
    struct bl_node **slot;

    if (statement == NULL)
        return NULL;
    statement->value = bl_slot_node(clause, 0);
    bl_sema_expect(c, statement->value, BL_ENTITY_TYPE(ALERT));
    slot = BL_PUSH(c->arena, statement->items);
    if (slot != NULL)
        *slot = bl_slot_node(clause, 1);
    bl_sema_expect(c, bl_slot_node(clause, 1), BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_DISMISSAL));
    statement->text = because(c, bl_slot_node(clause, 2));
    if (statement->text != NULL)
        measure(c, statement->text);
    return statement;
}

/* ---- others
 * ------------------------------------------------------------------------------------------ */

static struct bl_statement *type_value(struct bl_checker *c, struct bl_clause *clause,
                                       enum bl_effect effect, unsigned slot, bl_type want)
{
    struct bl_statement *statement = new_effect(c, clause, effect);

    if (statement == NULL)
        return NULL;
    statement->value = bl_slot_node(clause, slot);
    bl_sema_expect(c, statement->value, want);
    return statement;
}

static struct bl_statement *type_suggest(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement =
        type_value(c, clause, BL_EFFECT_SUGGEST_DUPLICATE, 0, BL_ENTITY_TYPE(ISSUE));

    if (statement != NULL)
        statement->text = because(c, bl_slot_node(clause, 1));
    return statement;
}

static struct bl_statement *type_log(struct bl_checker *c, struct bl_clause *clause,
                                     enum bl_effect effect)
{
    struct bl_statement *statement = new_effect(c, clause, effect);

    if (statement == NULL)
        return NULL;
    statement->text = bl_slot_node(clause, 0);
    bl_sema_put(c, statement->text, BL_PLACE_LOG);
    return statement;
}

static void check_output_name(struct bl_checker *c, const struct bl_node *name)
{
    static const char *const taken[] = {BL_OUTPUT_TASK, BL_OUTPUT_ANSWER, BL_OUTPUT_ALL};

    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (bl_str_equal(name->text, bl_str_from(taken[i])))
            bl_sema_arg(c, bl_sema_error(c, BL_D_OUTPUT_TAKEN, name->span), "name", name->text);
    }
}

/* Small values cross from job to job: no text that others wrote. */
static struct bl_statement *type_output(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_OUTPUT);
    bl_type type;

    if (statement == NULL)
        return NULL;
    check_output_name(c, bl_slot_node(clause, 0));
    statement->name = bl_slot_node(clause, 0)->text;
    statement->value = bl_slot_node(clause, 1);
    /* What a test says in quotes is the name that it expects. */
    if (c->body->in_test && statement->value->kind == BL_NODE_STRING) {
        bl_sema_expect(c, statement->value, BL_TYPE_NAME);
        return statement;
    }
    type = bl_type_base(bl_sema_type(c, statement->value, BL_NO_TYPE));
    if (bl_is_error(type))
        return statement;
    /* Of an issue or a pull request its number. */
    if (bl_type_is_list(type) || bl_is_error(bl_render_type(type, BL_PLACE_LOG)) ||
        type == BL_TYPE_TEXT || bl_type_kind(type) == BL_TYPE_CLEAN) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_OUTPUT_TYPE, statement->value->span);

        bl_sema_arg_type(c, d, "type", type);
    }
    return statement;
}

static struct bl_statement *type_keep(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement = new_effect(c, clause, BL_EFFECT_KEEP);
    struct bl_symbol *store = bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_STORE);

    if (statement == NULL || store == NULL)
        return NULL;
    store->used = true;
    statement->symbol = store;
    statement->value = bl_slot_node(clause, 1);
    statement->pairs = bl_sema_row(c, store, statement->value, clause->block);
    return statement;
}

static struct bl_statement *type_attempt(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *statement =
        clause->inner != NULL ? bl_sema_effect(c, clause->inner) : NULL;

    if (statement != NULL)
        statement->attempted = true;
    if (clause->inner != NULL && clause->inner->id != BL_CLAUSE_MILESTONE &&
        clause->inner->id != BL_CLAUSE_SUGGEST) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_ATTEMPT_EFFECT, clause->node->span);

        bl_sema_arg(c, d, "effect", bl_clause_info(clause->inner->id)->words);
    }
    return statement;
}

struct bl_statement *bl_sema_effect(struct bl_checker *c, struct bl_clause *clause)
{
    if (clause->id == BL_CLAUSE_ADD)
        return type_labels(c, clause, BL_EFFECT_ADD_LABEL);
    if (clause->id == BL_CLAUSE_REMOVE)
        return type_labels(c, clause, BL_EFFECT_REMOVE_LABEL);
    if (clause->id == BL_CLAUSE_ENSURE)
        return type_value(c, clause, BL_EFFECT_ENSURE_LABEL, 0, BL_TYPE_LABEL);
    if (clause->id == BL_CLAUSE_POST)
        return bl_sema_post(c, clause);
    if (clause->id == BL_CLAUSE_MARK)
        return type_mark(c, clause);
    if (clause->id == BL_CLAUSE_REACT)
        return type_member(c, clause, BL_EFFECT_REACT, BL_ENUM_REACTION_KIND);
    if (clause->id == BL_CLAUSE_CLOSE)
        return type_close(c, clause);
    if (clause->id == BL_CLAUSE_REOPEN)
        return new_effect(c, clause, BL_EFFECT_REOPEN);
    if (clause->id == BL_CLAUSE_LOCK)
        return type_member(c, clause, BL_EFFECT_LOCK, BL_ENUM_LOCK_REASON);
    if (clause->id == BL_CLAUSE_MILESTONE)
        return type_value(c, clause, BL_EFFECT_MILESTONE, 0, BL_TYPE_NAME);
    if (clause->id == BL_CLAUSE_STATUS)
        return type_status(c, clause);
    if (clause->id == BL_CLAUSE_SUGGEST)
        return type_suggest(c, clause);
    if (clause->id == BL_CLAUSE_DISMISS)
        return type_dismiss(c, clause);
    if (clause->id == BL_CLAUSE_KEEP)
        return type_keep(c, clause);
    if (clause->id == BL_CLAUSE_START)
        return type_value(c, clause, BL_EFFECT_START, 0, BL_TYPE_TASK);
    if (clause->id == BL_CLAUSE_OUTPUT)
        return type_output(c, clause);
    if (clause->id == BL_CLAUSE_NOTICE || clause->id == BL_CLAUSE_LOG_NOTICE)
        return type_log(c, clause, BL_EFFECT_NOTICE);
    if (clause->id == BL_CLAUSE_WARN || clause->id == BL_CLAUSE_LOG_WARN)
        return type_log(c, clause, BL_EFFECT_WARN);
    if (clause->id == BL_CLAUSE_ERROR || clause->id == BL_CLAUSE_LOG_ERROR)
        return type_log(c, clause, BL_EFFECT_ERROR);
    if (clause->id == BL_CLAUSE_FAIL)
        return type_log(c, clause, BL_EFFECT_FAIL);
    if (clause->id == BL_CLAUSE_ATTEMPT)
        return type_attempt(c, clause);
    bl_sema_defect(c, clause);
    return NULL;
}
