/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/document_parts.h"

/* A comment or part is a function that gives its text. The text grows in one register: each
 * statement joins what it says. Blocks of Markdown are kept apart by an empty line, lines that
 * follow lines and items that follow items by a line end: a line right behind a quotation or a
 * list would become a part of it. What stood before may hang on conditions, so it is kept in a
 * register, too. */

static void append(struct bl_body *body, struct bl_writing *d, unsigned piece)
{
    bl_type types[2] = {d->type, bl_code_type(body->code, piece)};
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_code_range(body->code, types, 2);
    bl_put(body, BL_OP_MOVE, first, d->text, 0, body->span);
    bl_put(body, BL_OP_MOVE, first + 1, piece, 0, body->span);
    bl_put(body, BL_OP_BUILD, d->text, first, 2, body->span);
    bl_code_release(body->code, mark);
}

static void append_words(struct bl_body *body, struct bl_writing *d, bl_str words)
{
    append(body, d, bl_const_text(body, BL_TYPE_TEXT, words, body->span));
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
    unsigned is_empty = bl_code_register(code, BL_TYPE_BOOL);
    unsigned nothing = bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, body->span);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_EQ, is_empty, d->text, nothing, body->span);
    bl_code_jump(code, BL_OP_JUMP_IF, is_empty, behind, body->span);
    append_words(body, d, BL_STR("\n\n"));
    bl_code_place(code, behind);
    bl_code_release(code, mark);
}

static void note(struct bl_body *body, struct bl_writing *d, enum bl_row_kind kind)
{
    bl_put(body, BL_OP_CONST, d->last, 0,
           bl_builder_number(body->e->b, BL_TYPE_INT, (int64_t)kind), body->span);
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
    unsigned is_empty = bl_code_register(code, BL_TYPE_BOOL);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_MOVE, inner.joint,
           bl_const_text(body, BL_TYPE_TEXT, alert_of(s->member), span), 0, span);
    bl_put(body, BL_OP_EQ, is_empty, d->text,
           bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, span), span);
    bl_code_jump(code, BL_OP_JUMP_IF, is_empty, behind, span);
    bl_type types[2] = {BL_TYPE_TEXT, BL_TYPE_TEXT};
    unsigned first = bl_code_range(code, types, 2);
    bl_put(body, BL_OP_MOVE, first, bl_const_text(body, BL_TYPE_TEXT, BL_STR("\n\n"), span), 0,
           span);
    bl_put(body, BL_OP_MOVE, first + 1, inner.joint, 0, span);
    bl_put(body, BL_OP_BUILD, inner.joint, first, 2, span);
    bl_code_place(code, behind);
    note(body, d, BL_ROW_BLOCK);
    bl_lower_list(body, s->body, bl_lower_document_row, &inner);
    note(body, d, BL_ROW_BLOCK);
    bl_code_release(code, mark);
}

static void part(struct bl_body *body, struct bl_statement *s, struct bl_writing *d)
{
    struct bl_symbol *symbol = s->value->symbol;
    if (symbol->later != NULL) {
        bl_emit_later(body->e, s->value->span, symbol->later);
        return;
    }
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
        bl_emit_later(body->e, s->span, s->later);
    bl_code_release(body->code, mark);
}

/* The registers of a new document, nothing written. */
static struct bl_writing begin(struct bl_body *body, enum bl_place place, struct bl_span span)
{
    struct bl_writing d = {.place = place, .type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << place)};
    d.text = bl_code_register(body->code, d.type);
    unsigned nothing = bl_const_text(body, BL_TYPE_TEXT, (bl_str){NULL, 0}, span);
    bl_put(body, BL_OP_MOVE, d.text, nothing, 0, span);
    d.last = bl_code_register(body->code, BL_TYPE_INT);
    note(body, &d, BL_ROW_BLOCK);
    return d;
}

uint32_t bl_emit_document(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_document *document = symbol->as.document;
    bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << document->place);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    bl_body_params(&body, &document->params);
    body.span = symbol->span;
    for (size_t i = 0; i < document->params.count; i++)
        bl_rebind(&body, document->params.items[i],
                  bl_body_local_register(&body, document->params.items[i]));
    if (document->language != NULL) {
        unsigned language = bl_lower_as(&body, document->language, BL_TYPE_LOCALE);
        bl_put(&body, BL_OP_BIND, 0, language, BL_AMBIENT_LANGUAGE, document->language->span);
    }
    struct bl_writing d = begin(&body, document->place, symbol->span);
    bl_lower_list(&body, document->body, bl_lower_document_row, &d);
    /* What is posted is read once more as a whole; a part is by the comment that it stands in.
     */
    if (symbol->kind == BL_SYMBOL_COMMENT)
        bl_put(&body, BL_OP_SETTLE, d.text, d.text, 0, symbol->span);
    bl_put(&body, BL_OP_RETURN, 0, d.text, 0, symbol->span);
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
    bl_put(&body, BL_OP_SETTLE, d.text, d.text, 0, symbol->span);
    unsigned is_empty = bl_code_register(body.code, BL_TYPE_BOOL);
    unsigned nothing = bl_const_text(&body, BL_TYPE_TEXT, (bl_str){NULL, 0}, symbol->span);
    unsigned behind = bl_code_target(body.code);
    bl_put(&body, BL_OP_EQ, is_empty, d.text, nothing, symbol->span);
    bl_code_jump(body.code, BL_OP_JUMP_IF, is_empty, behind, symbol->span);
    bl_put(&body, BL_OP_EFFECT, d.text, 1, bl_emit_site(e, BL_EFFECT_SUMMARY, 0, symbol->span),
           symbol->span);
    bl_code_place(body.code, behind);
    bl_put(&body, BL_OP_END, 0, 0, 0, symbol->span);
    return bl_body_end(&body);
}
