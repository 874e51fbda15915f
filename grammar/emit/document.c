/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/document_parts.h"

/* A comment or part is a function that gives its text. The text is a list of pieces, to which
 * each row adds its own, joined at the end: so a document is as long to make as it is long.
 * Blocks of Markdown are kept apart by an empty line, lines that follow lines and items that
 * follow items by a line end: a line right behind a quotation or a list would become a part of
 * it. What stood before may hang on conditions, so it is kept in a register, too. */

static void append(struct bl_body *body, struct bl_writing *d, unsigned piece)
{
    bl_put(body, BL_OP_PUSH, d->pieces, piece, 0, body->span);
}

static void append_words(struct bl_body *body, struct bl_writing *d, bl_str words)
{
    append(body, d, bl_const_text(body, BL_TYPE_TEXT, words, body->span));
}

static void jump_if_nothing(struct bl_body *body, struct bl_writing *d, unsigned target)
{
    size_t mark = bl_code_mark(body->code);
    unsigned is_empty = bl_code_register(body->code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_EQ, is_empty, d->last,
           bl_const_number(body, BL_TYPE_INT, (int64_t)BL_ROW_NOTHING, body->span), body->span);
    bl_code_jump(body->code, BL_OP_JUMP_IF, is_empty, target, body->span);
    bl_code_release(body->code, mark);
}

/* Before a block: an empty line, unless nothing was written yet. */
static void open_block(struct bl_body *body, struct bl_writing *d)
{
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    if (d->is_alert) {
        append(body, d, d->joint);
        bl_put(body, BL_OP_MOVE, d->joint,
               bl_const_text(body, BL_TYPE_TEXT, BL_STR("\n>\n> "), body->span), 0, body->span);
        bl_code_release(code, mark);
        return;
    }
    unsigned behind = bl_code_target(code);
    jump_if_nothing(body, d, behind);
    append_words(body, d, BL_STR("\n\n"));
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

static void note(struct bl_body *body, struct bl_writing *d, enum bl_row_kind kind)
{
    bl_put(body, BL_OP_CONST, d->last, 0,
           bl_builder_number(body->e->b, BL_TYPE_INT, (int64_t)kind), body->span);
}

/* No line or item goes on with what stands here. */
static void break_off(struct bl_body *body, struct bl_writing *d)
{
    unsigned behind = bl_code_target(body->code);
    jump_if_nothing(body, d, behind);
    note(body, d, BL_ROW_BLOCK);
    bl_code_place(body->code, behind);
}

/* Before a line or an item: a line end behind another one, else as before a block. */
static void open_row(struct bl_body *body, struct bl_writing *d, enum bl_row_kind kind)
{
    struct bl_code *code = body->code;
    if (kind == BL_ROW_BLOCK) {
        open_block(body, d);
        return;
    }
    size_t mark = bl_code_mark(code);
    unsigned goes_on = bl_code_register(code, BL_TYPE_BOOL);
    unsigned apart = bl_code_target(code), behind = bl_code_target(code);
    bl_put(body, BL_OP_EQ, goes_on, d->last,
           bl_const_number(body, BL_TYPE_INT, (int64_t)kind, body->span), body->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, goes_on, apart, body->span);
    append_words(body, d, d->is_alert ? BL_STR("\n> ") : BL_STR("\n"));
    bl_code_jump(code, BL_OP_JUMP, 0, behind, body->span);
    bl_code_place(code, apart);
    open_block(body, d);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

/* Each line of a quotation begins with its sign, or it would end there. */
static unsigned quoted(struct bl_body *body, unsigned text)
{
    bl_type type = bl_code_type(body->code, text);
    return bl_lower_builtin(body, BL_BUILTIN_QUOTED, type, &text, 1, body->span);
}

static void append_placed(struct bl_body *body, struct bl_writing *d, unsigned text)
{
    append(body, d, d->is_alert ? quoted(body, text) : text);
}

void bl_write_row(struct bl_body *body, struct bl_writing *d, struct bl_node *value,
                  bl_str before, enum bl_row_kind kind)
{
    size_t mark = bl_code_mark(body->code);
    open_row(body, d, kind);
    if (before.len > 0)
        append_words(body, d, before);
    unsigned text = bl_lower_rendered(body, value, d->place);
    /* Each line of an item stands under its bullet, or the item would end there. */
    if (kind == BL_ROW_ITEM)
        text = bl_lower_builtin(body, BL_BUILTIN_ITEM_LINES, bl_code_type(body->code, text),
                                &text, 1, body->span);
    append_placed(body, d, text);
    note(body, d, kind);
    bl_code_release(body->code, mark);
}

/* A part inside tags: opened, its statements, closed. */
static void framed(struct bl_body *body, struct bl_statement *s, struct bl_writing *d,
                   bl_str open, bl_str close)
{
    open_block(body, d);
    append_words(body, d, open);
    note(body, d, BL_ROW_BLOCK);
    bl_lower_list(body, s->body, bl_lower_document_row, d);
    append_words(body, d, close);
    note(body, d, BL_ROW_BLOCK);
}

static void fold(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    struct bl_code *code = body->code;
    unsigned folded = bl_code_register(code, BL_TYPE_BOOL);
    unsigned open = bl_code_target(code), behind = bl_code_target(code);
    bl_lower_into(body, s->condition, folded);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, folded, open, s->span);
    bl_write_row(body, d, s->value, BL_STR("<details><summary>"), BL_ROW_BLOCK);
    append_words(body, d, BL_STR("</summary>"));
    bl_code_place(code, open);
    bl_lower_list(body, s->body, bl_lower_document_row, d);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, folded, behind, s->span);
    append_words(body, d, d->is_alert ? BL_STR("\n>\n> </details>") : BL_STR("\n\n</details>"));
    note(body, d, BL_ROW_BLOCK);
    bl_code_place(code, behind);
}

static bl_str alert_of(uint32_t member)
{
    static const char *const openings[] = {"> [!NOTE]\n> ", "> [!TIP]\n> ",
                                           "> [!IMPORTANT]\n> ", "> [!WARNING]\n> ",
                                           "> [!CAUTION]\n> "};
    return bl_str_from(openings[member < 5 ? member : 0]);
}

/* An alert is a quotation whose first line is its mark. The mark waits in the joint until
 * something is said, so that an alert whose conditions all fail is none. */
static void alert(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    struct bl_code *code = body->code;
    struct bl_span span = s->span;
    if (d->is_alert) { /* Markdown has none within another */
        bl_lower_list(body, s->body, bl_lower_document_row, d);
        return;
    }
    struct bl_writing inner = *d;
    size_t mark = bl_code_mark(code);
    inner.is_alert = true;
    inner.joint = bl_code_register(code, BL_TYPE_TEXT);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_MOVE, inner.joint,
           bl_const_text(body, BL_TYPE_TEXT, alert_of(s->member), span), 0, span);
    jump_if_nothing(body, d, behind);
    bl_type types[2] = {BL_TYPE_TEXT, BL_TYPE_TEXT};
    unsigned first = bl_code_range(code, types, 2);
    bl_put(body, BL_OP_MOVE, first, bl_const_text(body, BL_TYPE_TEXT, BL_STR("\n\n"), span), 0,
           span);
    bl_put(body, BL_OP_MOVE, first + 1, inner.joint, 0, span);
    bl_put(body, BL_OP_BUILD, inner.joint, first, 2, span);
    bl_code_place(code, behind);
    break_off(body, d);
    bl_lower_list(body, s->body, bl_lower_document_row, &inner);
    break_off(body, d);
    bl_code_release(code, mark);
}

static void part(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    struct bl_symbol *symbol = s->value->symbol;
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    unsigned text = bl_code_register(code, d->type);
    unsigned first = bl_lower_arguments(body, s->value->kids, s->value->kid_count,
                                        &symbol->as.document->params);
    bl_put(body, BL_OP_CALL, text, first, bl_emit_document(body->e, symbol), s->span);
    unsigned is_empty = bl_code_register(code, BL_TYPE_BOOL);
    unsigned nothing = bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, s->span);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_EQ, is_empty, text, nothing, s->span);
    bl_code_jump(code, BL_OP_JUMP_IF, is_empty, behind, s->span);
    open_block(body, d);
    append_placed(body, d, text);
    note(body, d, BL_ROW_BLOCK);
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

/* The text stands between fences that are longer than any run of back-ticks in it. */
static void fence(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    unsigned text = bl_lower_rendered(body, s->value, d->place);
    bl_type type = bl_code_type(body->code, text);
    open_block(body, d);
    append_placed(body, d, bl_lower_builtin(body, BL_BUILTIN_FENCED, type, &text, 1, s->span));
    note(body, d, BL_ROW_BLOCK);
}

/* ---- lines of JSON
 * ----------------------------------------------------------------------------------- */

static void json_words(struct bl_body *body, struct bl_writing *d, bl_str words)
{
    size_t mark = bl_code_mark(body->code);
    append_words(body, d, words);
    bl_code_release(body->code, mark);
}

static void json_value(struct bl_body *body, struct bl_writing *d, struct bl_node *node)
{
    size_t mark = bl_code_mark(body->code);
    unsigned value = bl_lower(body, node);
    bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_PROMPT);
    append(body, d, bl_lower_builtin(body, BL_BUILTIN_JSON_VALUE, type, &value, 1, node->span));
    bl_code_release(body->code, mark);
}

/* Names are words of the policy: letters, digits and underscores. */
static void json_object(struct bl_body *body, struct bl_writing *d, const struct bl_pair *pair)
{
    json_words(body, d, BL_STR("{"));
    for (bool first = true; pair != NULL; pair = pair->next, first = false) {
        json_words(body, d, first ? BL_STR("\"") : BL_STR(",\""));
        json_words(body, d, pair->name);
        json_words(body, d, pair->value_count > 1 ? BL_STR("\":[") : BL_STR("\":"));
        for (uint32_t i = 0; i < pair->value_count; i++) {
            if (i > 0)
                json_words(body, d, BL_STR(","));
            json_value(body, d, pair->values[i]);
        }
        if (pair->value_count > 1)
            json_words(body, d, BL_STR("]"));
        else if (pair->value_count == 0)
            json_object(body, d, pair->inner);
    }
    json_words(body, d, BL_STR("}"));
}

static void json(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    open_row(body, d, BL_ROW_LINE);
    json_object(body, d, s->pairs);
    note(body, d, BL_ROW_LINE);
}

static void include(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    open_block(body, d);
    append_words(body, d, s->name);
    note(body, d, BL_ROW_BLOCK);
}

/* Nothing when git tracks no such file. */
static void include_checkout(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    struct bl_code *code = body->code;
    unsigned path = bl_const_text(body, BL_TYPE_TEXT, s->name, s->span);
    bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_PROMPT);
    unsigned there =
        bl_lower_builtin(body, BL_BUILTIN_CHECKOUT_TEXT, BL_OPTIONAL(type), &path, 1, s->span);
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned text = bl_code_register(code, type);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_IS_SET, is_set, there, 0, s->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, s->span);
    bl_put(body, BL_OP_REQUIRE, text, there, 0, s->span);
    open_block(body, d);
    append_placed(body, d, text);
    note(body, d, BL_ROW_BLOCK);
    bl_code_place(code, behind);
}

static void quote(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    open_block(body, d);
    append_words(body, d, BL_STR("> "));
    append_placed(body, d, quoted(body, bl_lower_rendered(body, s->value, d->place)));
    note(body, d, BL_ROW_BLOCK);
}

static void section(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    bl_write_row(body, d, s->value, BL_STR("### "), BL_ROW_BLOCK);
    bl_lower_list(body, s->body, bl_lower_document_row, d);
}

void bl_lower_document_row(struct bl_body *body, struct bl_statement *s, void *context)
{
    struct bl_writing *d = context;
    if (s->kind == BL_STATEMENT_FOR && s->counted != NULL) {
        bl_lower_document_loop(body, s, d);
        return;
    }
    if (bl_lower_flow(body, s, bl_lower_document_row, context))
        return;
    size_t mark = bl_code_mark(body->code);
    bl_str none = {NULL, 0};
    if (s->kind == BL_STATEMENT_SAY || s->kind == BL_STATEMENT_SHOW)
        bl_write_row(body, d, s->value, none, BL_ROW_BLOCK);
    else if (s->kind == BL_STATEMENT_LINE)
        bl_write_row(body, d, s->value, none, BL_ROW_LINE);
    else if (s->kind == BL_STATEMENT_ITEM || s->kind == BL_STATEMENT_SAY_ITEM)
        bl_write_row(body, d, s->value, BL_STR("- "), BL_ROW_ITEM);
    else if (s->kind == BL_STATEMENT_HEADING)
        bl_write_row(body, d, s->value, BL_STR("### "), BL_ROW_BLOCK);
    else if (s->kind == BL_STATEMENT_FENCE)
        fence(body, s, d);
    else if (s->kind == BL_STATEMENT_JSON)
        json(body, s, d);
    else if (s->kind == BL_STATEMENT_INCLUDE)
        include(body, s, d);
    else if (s->kind == BL_STATEMENT_INCLUDE_CHECKOUT)
        include_checkout(body, s, d);
    else if (s->kind == BL_STATEMENT_EFFECT)
        bl_lower_effect(body, s); /* a line of the log, in a report */
    else if (s->kind == BL_STATEMENT_QUOTE)
        quote(body, s, d);
    else if (s->kind == BL_STATEMENT_SECTION)
        section(body, s, d);
    else if (s->kind == BL_STATEMENT_FOLD)
        fold(body, s, d);
    else if (s->kind == BL_STATEMENT_ALERT)
        alert(body, s, d);
    else if (s->kind == BL_STATEMENT_SMALL)
        framed(body, s, d, BL_STR("<sub>"), BL_STR("</sub>"));
    else if (s->kind == BL_STATEMENT_PART)
        part(body, s, d);
    else
        bl_emit_defect(body->e, s->span, BL_STR("a row of a document"));
    bl_code_release(body->code, mark);
}

/* The registers of a new document, nothing written. */
static struct bl_writing begin(struct bl_body *body, enum bl_place place, struct bl_span span)
{
    struct bl_writing d = {.place = place, .type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << place)};
    d.pieces = bl_code_register(body->code, BL_LIST_OF(d.type));
    bl_put(body, BL_OP_LIST, d.pieces, 0, 0, span);
    d.last = bl_code_register(body->code, BL_TYPE_INT);
    note(body, &d, BL_ROW_NOTHING);
    return d;
}

static unsigned joined(struct bl_body *body, const struct bl_writing *d)
{
    return bl_lower_builtin(body, BL_BUILTIN_JOINED, d->type, &d->pieces, 1, body->span);
}

static void bring_params(struct bl_body *body, const struct bl_symbol_list *params)
{
    bl_body_params(body, params);
    for (size_t i = 0; i < params->count; i++)
        bl_rebind(body, params->items[i], bl_body_local_register(body, params->items[i]));
}

uint32_t bl_emit_document(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_document *document = symbol->as.document;
    bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << document->place);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    body.span = symbol->span;
    bring_params(&body, &document->params);
    if (document->language != NULL) {
        unsigned language = bl_lower_as(&body, document->language, BL_TYPE_LOCALE);
        bl_put(&body, BL_OP_BIND, 0, language, BL_AMBIENT_LANGUAGE, document->language->span);
    }
    struct bl_writing d = begin(&body, document->place, symbol->span);
    bl_lower_list(&body, document->body, bl_lower_document_row, &d);
    unsigned text = joined(&body, &d);
    /* What is posted is read once more as a whole; a part is by the comment that it stands in.
     */
    if (symbol->kind == BL_SYMBOL_COMMENT)
        bl_put(&body, BL_OP_SETTLE, text, text, 0, symbol->span);
    bl_put(&body, BL_OP_RETURN, 0, text, 0, symbol->span);
    uint32_t index = bl_body_end(&body);
    symbol->emit[0] = index + 1;
    return index;
}

uint32_t bl_emit_report(struct bl_emitter *e, const struct bl_symbol *symbol, uint32_t job)
{
    struct bl_document *document = symbol->as.document;
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_ENTRY, BL_TYPE_NONE, job);
    body.span = symbol->span;
    struct bl_writing d = begin(&body, document->place, symbol->span);
    bl_lower_list(&body, document->body, bl_lower_document_row, &d);
    unsigned behind = bl_code_target(body.code);
    jump_if_nothing(&body, &d, behind);
    unsigned text = joined(&body, &d);
    bl_put(&body, BL_OP_SETTLE, text, text, 0, symbol->span);
    bl_put(&body, BL_OP_EFFECT, text, 1, bl_emit_site(e, BL_EFFECT_SUMMARY, 0, symbol->span),
           symbol->span);
    bl_code_place(body.code, behind);
    bl_put(&body, BL_OP_END, 0, 0, 0, symbol->span);
    return bl_body_end(&body);
}

/* ---- files
 * -------------------------------------------------------------------------------------------
 */

/* Longer than a text may be, so it stays in pieces. */
static uint32_t file_text(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;
    bl_type type = BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << document->place));
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    body.span = symbol->span;
    bring_params(&body, &document->params);
    struct bl_writing d = begin(&body, document->place, symbol->span);
    bl_lower_list(&body, document->body, bl_lower_document_row, &d);
    bl_put(&body, BL_OP_RETURN, 0, d.pieces, 0, symbol->span);
    return bl_body_end(&body);
}

static uint32_t file_path(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    struct bl_document *document = symbol->as.document;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, BL_TYPE_TEXT, BL_NONE);
    body.span = symbol->span;
    bring_params(&body, &document->params);
    unsigned path = bl_lower_text(&body, document->path, BL_PLACE_COUNT);
    bl_put(&body, BL_OP_RETURN, 0, path, 0, symbol->span);
    return bl_body_end(&body);
}

static uint32_t file_list(struct bl_emitter *e, const struct bl_symbol *symbol)
{
    struct bl_node *each = symbol->as.document->each;
    bl_type type = bl_emit_type(e, bl_type_base(each->type));
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    bl_put(&body, BL_OP_RETURN, 0, bl_lower_as(&body, each, type), 0, each->span);
    return bl_body_end(&body);
}

void bl_emit_files(struct bl_emitter *e)
{
    const struct bl_symbol_list *files = &e->program->symbols[BL_SYMBOL_FILE];
    for (size_t i = 0; i < files->count; i++) {
        struct bl_symbol *symbol = files->items[i];
        struct bl_module_file row = {
            .name = bl_builder_string(e->b, symbol->name),
            .list = symbol->as.document->each != NULL ? file_list(e, symbol) : BL_NONE,
            .path = file_path(e, symbol),
            .text = file_text(e, symbol)};
        symbol->emit[0] = bl_add_FILES(e->b, row) + 1;
    }
}
