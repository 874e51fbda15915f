/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Comments, parts, files, reports: what stands in them, and the place that it is made for. */

enum state { STATE_NEW, STATE_SIGNED, STATE_TYPING, STATE_DONE };

/* ---- signatures
 * ------------------------------------------------------------------------------------ */

static bool may_be_attribute(bl_type type)
{
    bl_type scalar = bl_type_base(type);

    if (bl_type_is_list(scalar))
        scalar = bl_type_element(scalar);
    return !bl_type_is_list(scalar) && (bl_type_flags(bl_type_kind(scalar)) & BL_TYPE_V) != 0;
}

static void add_attribute(struct bl_checker *c, struct bl_document *document,
                          struct bl_clause *clause)
{
    struct bl_node *name = bl_slot_node(clause, 0);
    struct bl_attribute attribute = {
        .name = name->text, .value = bl_slot_node(clause, 2), .span = name->span};
    struct bl_attribute *slot;

    attribute.type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count, NULL,
                                       name->text, NULL);
    if (!bl_is_error(attribute.type) && !may_be_attribute(attribute.type)) {
        struct bl_diagnostic *d = bl_sema_error(
            c,
            bl_type_kind(attribute.type) == BL_TYPE_UNTRUSTED ? BL_D_MARKER_UNTRUSTED
                                                              : BL_D_MARKER_TYPE,
            clause->slots[1].nodes[0]->span);

        bl_sema_arg_type(c, d, "type", attribute.type);
        attribute.type = BL_TYPE_ERROR;
    }
    if (bl_field_find(BL_ENTITY_COMMENT, attribute.name) != BL_FIELD_COUNT) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_NAME_RESERVED, name->span);

        bl_sema_arg(c, d, "name", attribute.name);
        bl_sema_help(c, d, "Every comment has a field of that name.");
        return;
    }
    for (size_t i = 0; i < document->attribute_count; i++) {
        if (bl_str_equal(document->attributes[i].name, attribute.name)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, name->span);

            bl_sema_arg(c, d, "name", attribute.name);
            bl_diagnostic_label(c->sink, d, document->attributes[i].span,
                                BL_STR("It stands here first."));
            return;
        }
    }
    slot = bl_arena_push(c->arena, (void **)&document->attributes, &document->attribute_count,
                         &document->attribute_capacity, sizeof *document->attributes);
    if (slot != NULL)
        *slot = attribute;
}

static void read_once_by(struct bl_checker *c, struct bl_document *document,
                         struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *name = clause->slots[0].nodes[i];
        struct bl_likeness like = bl_likeness_begin(name->text);
        struct bl_attribute *found = NULL;

        for (size_t j = 0; j < document->attribute_count; j++) {
            bl_likeness_consider(&like, document->attributes[j].name);
            if (bl_str_equal(document->attributes[j].name, name->text))
                found = &document->attributes[j];
        }
        if (found != NULL) {
            found->once = true;
        } else {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, name->span);

            bl_sema_arg(c, d, "kind", BL_STR("attribute of the marker"));
            bl_sema_arg(c, d, "name", name->text);
            bl_likeness_help(c, &like, d, name->span);
        }
    }
}

void bl_sema_document_signature(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;
    struct bl_body body;

    if (document->state != STATE_NEW)
        return;
    document->state = STATE_SIGNED;
    document->place = symbol->kind == BL_SYMBOL_FILE     ? BL_PLACE_PROMPT
                      : symbol->kind == BL_SYMBOL_REPORT ? BL_PLACE_SUMMARY
                                                         : BL_PLACE_COMMENT;
    bl_sema_body_begin(c, &body, symbol);
    if (symbol->kind == BL_SYMBOL_COMMENT || symbol->kind == BL_SYMBOL_PART)
        bl_sema_read_params(c, bl_slot_node(symbol->clause, 0), &document->params);
    bl_sema_body_end(c);
    if (symbol->kind != BL_SYMBOL_COMMENT)
        return;
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        for (struct bl_clause *row = clause->id == BL_CLAUSE_COMMENT_MARKER ? clause->block
                                                                            : NULL;
             row != NULL; row = row->next)
            add_attribute(c, document, row);
    }
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_COMMENT_ONCE_BY)
            read_once_by(c, document, clause);
    }
}

/* ---- rows
 * ------------------------------------------------------------------------------------------ */

static bool is_letter(uint32_t point)
{
    return (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z') ||
           (point >= 0xC0 && point < 0x2000) || (point >= 0x3040 && point < 0xD800);
}

/* Words of a comment stand in the catalogs, so that each language has them (CMT-24). */
void bl_sema_words(struct bl_checker *c, struct bl_node *node)
{
    if (node->kind != BL_NODE_STRING || c->body->place != BL_PLACE_COMMENT)
        return;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        bl_str text = node->kids[i]->text;

        for (size_t at = 0; node->kids[i]->kind == BL_NODE_STRING_PART && at < text.len;) {
            uint32_t point = (unsigned char)text.ptr[at++];
            unsigned more = point >= 0xF0 ? 3 : point >= 0xE0 ? 2 : point >= 0xC0 ? 1 : 0;

            point &= more == 3 ? 0x07u : more == 2 ? 0x0Fu : more == 1 ? 0x1Fu : 0x7Fu;
            for (; more > 0 && at < text.len; more--)
                point = point << 6 | ((unsigned char)text.ptr[at++] & 0x3Fu);
            if (is_letter(point)) {
                bl_sema_error(c, BL_D_WORDS_IN_COMMENT, node->span);
                return;
            }
        }
    }
}

static struct bl_node *say(struct bl_checker *c, struct bl_node *node)
{
    struct bl_symbol *message = bl_sema_find_kind(c, node, BL_SYMBOL_MESSAGE);

    if (message == NULL) {
        for (uint32_t i = 0; node->kind == BL_NODE_CALL && i < node->kid_count; i++)
            bl_sema_type(c, node->kids[i], BL_NO_TYPE);
        return node;
    }
    bl_sema_call_symbol(c, node, message);
    bl_sema_render(c, node, node->type, c->body->place);
    return node;
}

static bool is_message(struct bl_checker *c, const struct bl_node *node)
{
    struct bl_symbol *symbol;

    if (node->kind != BL_NODE_NAME && node->kind != BL_NODE_CALL)
        return false;
    symbol = bl_scope_find_local(c, node->text);
    if (symbol != NULL && node->kind == BL_NODE_NAME)
        return false;
    symbol = bl_scope_find(c, BL_SPACE_VALUES, node->text);
    return symbol != NULL && symbol->kind == BL_SYMBOL_MESSAGE;
}

static void type_row(struct bl_checker *c, struct bl_statement *row,
                     enum bl_statement_kind kind)
{
    row->kind = kind;
    row->value = bl_slot_node(row->clause, 0);
    if (is_message(c, row->value)) {
        if (kind == BL_STATEMENT_ITEM)
            row->kind = BL_STATEMENT_SAY_ITEM;
        say(c, row->value);
        return;
    }
    bl_sema_words(c, row->value);
    bl_sema_put(c, row->value, c->body->place);
}

static struct bl_pair *type_json(struct bl_checker *c, struct bl_clause *rows)
{
    struct bl_pair *first = NULL, **tail = &first;

    for (; rows != NULL; rows = rows->next) {
        struct bl_pair *pair = BL_NEW(c->arena, struct bl_pair);

        if (pair == NULL)
            return first;
        pair->name = bl_slot_node(rows, 0)->text;
        pair->span = rows->node->span;
        pair->values = rows->slots[1].nodes;
        pair->value_count = rows->slots[1].count;
        for (uint32_t i = 0; i < pair->value_count; i++)
            bl_sema_put(c, pair->values[i], c->body->place);
        if (pair->value_count == 0)
            pair->inner = type_json(c, rows->block);
        *tail = pair;
        tail = &pair->next;
    }
    return first;
}

static void type_json_row(struct bl_checker *c, struct bl_statement *row)
{
    row->kind = BL_STATEMENT_JSON;
    row->pairs = type_json(c, row->clause->block);
    if (c->body->place != BL_PLACE_PROMPT)
        bl_sema_error(c, BL_D_JSON_PLACE, row->clause->node->span);
}

static void type_include(struct bl_checker *c, struct bl_statement *row)
{
    struct bl_node *path = bl_slot_node(row->clause, 0);
    bl_str name = bl_sema_plain_text(c, path);

    row->kind = BL_STATEMENT_INCLUDE;
    if (name.len > 0)
        (void)bl_sema_read_beside(c, path->span, name, &row->name);
}

static void type_include_checkout(struct bl_checker *c, struct bl_statement *row)
{
    row->kind = BL_STATEMENT_INCLUDE_CHECKOUT;
    row->name = bl_sema_plain_text(c, bl_slot_node(row->clause, 0));
    c->body->reads = true;
    if (c->body->place != BL_PLACE_PROMPT)
        bl_sema_error(c, BL_D_INCLUDE_PLACE, row->clause->node->span);
}

static void type_fold(struct bl_checker *c, struct bl_statement *row)
{
    row->kind = BL_STATEMENT_FOLD;
    row->condition = bl_slot_node(row->clause, 0);
    bl_sema_condition(c, row->condition);
    row->value = say(c, bl_slot_node(row->clause, 1));
    row->body = bl_sema_block(c, row->clause->block);
}

static void type_alert(struct bl_checker *c, struct bl_statement *row)
{
    static const char *const kinds[] = {"note", "tip", "important", "warning", "caution"};
    bl_str word = bl_slot_node(row->clause, 0)->text;

    row->kind = BL_STATEMENT_ALERT;
    for (uint32_t i = 0; i < 5; i++) {
        if (bl_str_equal(bl_str_from(kinds[i]), word))
            row->member = i;
    }
    row->body = bl_sema_block(c, row->clause->block);
}

struct bl_statement *bl_sema_document_row(struct bl_checker *c, struct bl_clause *clause)
{
    struct bl_statement *row = bl_sema_statement_new(c, BL_STATEMENT_SHOW, clause);

    if (row == NULL)
        return NULL;
    row->place = c->body->place;
    if (bl_sema_is_of_list(clause->id)) {
        bl_sema_arg(c, bl_sema_error(c, BL_D_LIST_ROW, clause->node->span), "word",
                    bl_clause_info(clause->id)->words);
        return NULL;
    }
    if (clause->id == BL_CLAUSE_SAY) {
        row->kind = BL_STATEMENT_SAY;
        row->value = say(c, bl_slot_node(clause, 0));
    } else if (clause->id == BL_CLAUSE_SHOW) {
        type_row(c, row, BL_STATEMENT_SHOW);
    } else if (clause->id == BL_CLAUSE_QUOTE) {
        type_row(c, row, BL_STATEMENT_QUOTE);
    } else if (clause->id == BL_CLAUSE_HEADING) {
        type_row(c, row, BL_STATEMENT_HEADING);
    } else if (clause->id == BL_CLAUSE_LINE) {
        type_row(c, row, BL_STATEMENT_LINE);
    } else if (clause->id == BL_CLAUSE_ITEM) {
        type_row(c, row, BL_STATEMENT_ITEM);
    } else if (clause->id == BL_CLAUSE_FENCE) {
        type_row(c, row, BL_STATEMENT_FENCE);
    } else if (clause->id == BL_CLAUSE_JSON) {
        type_json_row(c, row);
    } else if (clause->id == BL_CLAUSE_INCLUDE) {
        type_include(c, row);
    } else if (clause->id == BL_CLAUSE_INCLUDE_CHECKOUT) {
        type_include_checkout(c, row);
    } else if (clause->id == BL_CLAUSE_SECTION) {
        row->kind = BL_STATEMENT_SECTION;
        row->value = say(c, bl_slot_node(clause, 0));
        row->body = bl_sema_block(c, clause->block);
    } else if (clause->id == BL_CLAUSE_FOLD) {
        type_fold(c, row);
    } else if (clause->id == BL_CLAUSE_ALERT) {
        type_alert(c, row);
    } else if (clause->id == BL_CLAUSE_SMALL) {
        row->kind = BL_STATEMENT_SMALL;
        row->body = bl_sema_block(c, clause->block);
    } else if (clause->id == BL_CLAUSE_PART_CALL) {
        row->kind = BL_STATEMENT_PART;
        row->value = bl_slot_node(clause, 0);
        row->symbol = bl_sema_posted_document(c, row->value, BL_SYMBOL_PART);
    } else {
        bl_sema_defect(c, clause);
        return NULL;
    }
    return row;
}

/* ---- bodies
 * ---------------------------------------------------------------------------------------- */

static void type_marker(struct bl_checker *c, struct bl_document *document)
{
    c->body->place = BL_PLACE_COUNT; /* own words, or words fit for no place */
    for (size_t i = 0; i < document->attribute_count; i++)
        bl_sema_expect(c, document->attributes[i].value, document->attributes[i].type);
    c->body->place = document->place;
}

static void type_head(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_COMMENT_LANGUAGE) {
            document->language = bl_slot_node(clause, 0);
            bl_sema_expect(c, document->language, BL_TYPE_LOCALE);
        } else if (clause->id == BL_CLAUSE_COMMENT_SCREENED) {
            struct bl_symbol *secrets =
                bl_sema_find_kind(c, bl_slot_node(clause, 0), BL_SYMBOL_SECRETS);

            if (secrets != NULL) {
                bl_sema_secrets(c, secrets, clause->node->span);
                document->screen = secrets;
            }
        }
    }
    type_marker(c, document);
}

static void report_cycle(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, use);

    bl_sema_arg(c, d, "name", symbol->name);
}

static void type_body(struct bl_checker *c, struct bl_symbol *symbol, bl_type answer,
                      enum bl_place place)
{
    struct bl_document *document = symbol->as.document;
    struct bl_body body;

    document->state = STATE_TYPING;
    document->answer = answer;
    bl_sema_body_begin(c, &body, symbol);
    body.needs = &document->needs;
    body.answer = answer;
    body.place = document->place = place;
    uint64_t events = BL_ALL_EVENTS;
    if (symbol->kind == BL_SYMBOL_FILE)
        events = bl_sema_file_events(c, symbol, &body.brings);
    if (symbol->kind == BL_SYMBOL_REPORT)
        bl_sema_report_head(c, symbol, &body);
    for (size_t i = 0; i < document->params.count; i++)
        bl_scope_bring(c, document->params.items[i]);
    if (symbol->kind == BL_SYMBOL_COMMENT)
        type_head(c, symbol);
    else if (symbol->kind == BL_SYMBOL_FILE)
        bl_sema_file_head(c, symbol);
    document->body = bl_sema_block(c, symbol->clause->block);
    document->ambients = 0;
    for (size_t i = 0; i < document->needs.count; i++) {
        if (!document->needs.items[i].is_field)
            document->ambients |= BL_AMBIENT_BIT(document->needs.items[i].what);
    }
    bl_sema_body_end(c);
    document->state = STATE_DONE;
    if (symbol->kind == BL_SYMBOL_FILE)
        bl_sema_settle_needs(c, &document->needs, events, false);
}

/* The one for the answer at hand: whoever was typed first stands for its own answer. */
static struct bl_symbol *document_here(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;

    if (c->body == NULL || document->state != STATE_DONE || !document->says_answer ||
        bl_is_error(c->body->answer) || c->body->answer == document->answer)
        return symbol;
    return bl_sema_instance(c, symbol, c->body->answer);
}

/* A comment that says `answer` is typed for every task whose rule posts it. */
struct bl_symbol *bl_sema_document(struct bl_checker *c, struct bl_symbol *symbol,
                                   struct bl_span use)
{
    struct bl_document *document;
    enum bl_place place;

    bl_sema_document_signature(c, symbol);
    symbol = document_here(c, symbol);
    document = symbol->as.document;
    place = document->place;
    if (symbol->kind == BL_SYMBOL_PART && c->body != NULL && c->body->place != BL_PLACE_COUNT)
        place = c->body->place;
    if (document->state == STATE_TYPING) {
        report_cycle(c, symbol, use);
        return symbol;
    }
    if (document->state == STATE_DONE && place != document->place) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_PART_OF_TWO_PLACES, use);

        bl_sema_arg(c, d, "name", symbol->name);
        return symbol;
    }
    if (document->state == STATE_SIGNED) {
        if (!bl_sema_nest(c, symbol))
            return symbol;
        type_body(c, symbol, c->body != NULL ? c->body->answer : BL_NO_TYPE, place);
        bl_sema_unnest(c, symbol);
    }
    return symbol;
}

/* ---- messages
 * -------------------------------------------------------------------------------------- */

static void type_text(struct bl_checker *c, struct bl_symbol *symbol,
                      struct bl_message_text *text, bl_type *type)
{
    struct bl_message *message = symbol->as.message;
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    body.package = text->package;
    body.needs = &message->needs;
    body.place = BL_PLACE_COMMENT;
    for (size_t i = 0; i < text->params.count; i++)
        bl_scope_bring(c, text->params.items[i]);
    if (text->clause->has_block == (text->text != NULL))
        bl_sema_error(c, BL_D_MESSAGE_SHAPE, text->span);
    if (text->text != NULL)
        *type = bl_text_join(*type, bl_sema_type(c, text->text, BL_NO_TYPE));
    if (text->clause->has_block)
        text->rows = bl_sema_rows(c, text->clause->block, BL_TYPE_TEXT, true, text->span);
    for (const struct bl_statement *row = text->rows; row != NULL; row = row->next)
        *type = bl_text_join(*type, row->text->type);
    if (bl_is_error(*type))
        *type = BL_TYPE_TEXT; /* it was reported */
    bl_sema_body_end(c);
}

/* Every language says the same thing, and so do the words of a repository. */
static void compare_params(struct bl_checker *c, struct bl_symbol *symbol,
                           const struct bl_symbol_list *wanted, struct bl_span at,
                           const struct bl_message_text *text)
{
    bool same = wanted->count == text->params.count;

    for (size_t i = 0; same && i < wanted->count; i++)
        same = bl_str_equal(wanted->items[i]->name, text->params.items[i]->name) &&
               wanted->items[i]->type == text->params.items[i]->type;
    if (!same) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_MESSAGE_PARAMETERS, text->span);

        bl_sema_arg(c, d, "name", symbol->name);
        bl_diagnostic_label(c->sink, d, at, BL_STR("These are its parameters."));
    }
}

static struct bl_symbol_list params_of(struct bl_checker *c, struct bl_symbol *symbol,
                                       struct bl_clause *clause)
{
    struct bl_symbol_list params = {NULL, 0, 0};
    struct bl_body body;

    bl_sema_body_begin(c, &body, symbol);
    bl_sema_read_params(c, bl_slot_node(clause, 0), &params);
    bl_sema_body_end(c);
    return params;
}

void bl_sema_message_signature(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_message *message = symbol->as.message;
    struct bl_span first = BL_NO_SPAN;

    for (size_t i = 0; i < message->count; i++) {
        struct bl_message_text *text = &message->texts[i];
        struct bl_clause *original = text->overridden;

        text->params = params_of(c, symbol, text->clause);
        if (i == 0) {
            message->params = original != NULL ? params_of(c, symbol, original) : text->params;
            first = original != NULL ? bl_slot_node(original, 0)->span : text->span;
        }
        if (i > 0 || original != NULL)
            compare_params(c, symbol, &message->params, first, text);
    }
    message->state = STATE_SIGNED;
}

void bl_sema_message(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_message *message = symbol->as.message;
    bl_type type = BL_TYPE_TEXT;

    if (message->state == STATE_TYPING)
        report_cycle(c, symbol, use);
    if (message->state != STATE_SIGNED || !bl_sema_nest(c, symbol))
        return;
    message->state = STATE_TYPING;
    for (size_t i = 0; i < message->count; i++)
        type_text(c, symbol, &message->texts[i], &type);
    bl_sema_unnest(c, symbol);
    symbol->type = type;
    message->state = STATE_DONE;
}
