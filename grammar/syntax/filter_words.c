/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/filter_words.h"

#include "base/buf.h"
#include "syntax/policy_parser.h"

struct bl_token *bl_filter_token(struct bl_parser *parser, size_t index)
{
    return index < parser->tokens.count ? &parser->tokens.items[index] : NULL;
}

int bl_filter_kind(struct bl_parser *parser, size_t index)
{
    return index < parser->tokens.count ? parser->tokens.items[index].kind : BL_TK_END;
}

bl_str bl_filter_word(struct bl_parser *parser, size_t index)
{
    const struct bl_token *token = bl_filter_token(parser, index);

    return token != NULL && token->kind == BL_TK_NAME ? bl_token_name(parser, token)
                                                      : BL_STR("");
}

struct bl_span bl_filter_span(struct bl_parser *parser, size_t index)
{
    const struct bl_token *token = bl_filter_token(parser, index);

    return bl_parser_span(parser, token->lo, token->hi);
}

bool bl_filter_in_parentheses(const struct bl_filter *filter)
{
    return filter->brackets > 0 && !filter->open[filter->brackets - 1].is_block;
}

void bl_filter_answer(struct bl_parser *parser, enum bl_diagnostic_code code,
                      struct bl_span span, bl_str instead)
{
    if (parser->filter.suspect) {
        return; /* one mistake, one message */
    }
    struct bl_diagnostic *d = bl_report(parser->sink, code, span);
    bl_diagnostic_text(parser->sink, d, "text", bl_parser_slice(parser, span));
    if (instead.len > 0) {
        bl_diagnostic_text(parser->sink, d, "instead", instead);
        bl_diagnostic_fix(parser->sink, d, span, instead);
    }
}

/* ---- the clause ------------------------------------------------------------------------- */

/* What the clause that goes on at `index` has in front of its end. Nothing is looked at twice:
 * another 'if' ends it, too. */
struct rest {
    bool block;
    bool then;
    size_t end; /* index of what ended it */
};

static struct rest rest_of(struct bl_parser *parser, size_t index)
{
    struct rest rest = {false, false, index};
    unsigned depth = 0;

    for (; rest.end < parser->tokens.count; rest.end++) {
        int kind = parser->tokens.items[rest.end].kind;
        rest.then = kind == BL_TK_THEN || kind == BL_TK_IF;
        rest.block = kind == BL_TK_LBRACE;
        if (rest.then || rest.block || (kind == BL_TK_NEWLINE && depth == 0) ||
            kind == BL_TK_RBRACE) {
            break;
        }
        depth += kind == BL_TK_LPAREN;
        depth -= kind == BL_TK_RPAREN && depth > 0;
    }
    return rest;
}

int bl_filter_first_word(struct bl_parser *parser, size_t index, bl_str word)
{
    struct bl_filter *filter = &parser->filter;
    struct bl_span span = bl_filter_span(parser, index);
    int next = bl_filter_kind(parser, index + 1);

    filter->is_binding = bl_word_is(word, BL_WORD_BINDING);
    filter->is_hyphenated = bl_word_is(word, BL_WORD_HYPHENATED);
    if (next == BL_TK_COLON || next == BL_TK_ASSIGN) {
        return BL_TK_NAME;
    }
    filter->has_condition = bl_word_is(word, BL_WORD_CONDITION);
    if (bl_word_is(word, BL_WORD_EACH_LOOP) && next != BL_TK_EACH) {
        if (next == BL_TK_NAME && bl_filter_kind(parser, index + 2) == BL_TK_IN) {
            bl_filter_answer(parser, BL_D_FOR_EACH, span, BL_STR("for each"));
            filter->each_due = true;
            filter->instead = BL_STR("for");
            return BL_TK_NAME;
        }
        if (rest_of(parser, index).block) {
            bl_filter_answer(parser, BL_D_NO_LOOP, span, BL_STR(""));
            return BL_TK_BAD;
        }
    }
    if (bl_word_is(word, BL_WORD_LOOP) && rest_of(parser, index).block) {
        bl_filter_answer(parser, BL_D_NO_LOOP, span, BL_STR(""));
        return BL_TK_BAD;
    }
    return BL_TK_NAME;
}

/* ---- if and then ------------------------------------------------------------------------ */

/* `if: C`, `if C` on its own, `otherwise if C { … }`. An `if` at the beginning with a block is
 * the grammar's, which knows its `else`. */
bool bl_filter_if_for_when(struct bl_parser *parser, size_t index, bool at_clause)
{
    struct bl_filter *filter = &parser->filter;
    struct bl_span span = bl_filter_span(parser, index);
    bool colon = bl_filter_kind(parser, index + 1) == BL_TK_COLON;

    if (bl_filter_in_parentheses(filter) || (!at_clause && filter->previous != BL_TK_NAME)) {
        return false;
    }
    struct rest rest = rest_of(parser, index + 1);
    bool meant = at_clause ? colon || (!rest.block && !rest.then) : rest.block;
    if (!meant) {
        return false;
    }
    if (colon) {
        span = bl_span_join(span, bl_filter_span(parser, index + 1));
        filter->next = index + 2;
    }
    bl_filter_answer(parser, BL_D_IF_BLOCK, span, BL_STR("when"));
    filter->has_condition = true;
    return true;
}

/* `when C then` at the end of its line is the habit of other languages and no more; with
 * effects behind it these belong into a block. */
bool bl_filter_then_alone(struct bl_parser *parser, size_t index)
{
    struct bl_filter *filter = &parser->filter;
    struct bl_span span = bl_filter_span(parser, index);
    struct bl_diagnostics *sink = parser->sink;
    struct bl_buf fix;

    if (filter->ifs > 0) {
        filter->ifs -= 1;
        return false;
    }
    if (filter->suspect || bl_filter_in_parentheses(filter)) {
        return false;
    }
    struct rest rest = rest_of(parser, index + 1);
    struct bl_diagnostic *d = bl_report(sink, BL_D_THEN_ALONE, span);
    bl_buf_init(&fix, sink->arena, 1024);
    if (rest.end == index + 1 || rest.block) {
        if (filter->previous_span.hi < span.lo && !rest.block) {
            span.lo = filter->previous_span.hi;
        }
        bl_diagnostic_fix(sink, d, span, BL_STR(""));
        return true;
    }
    struct bl_span behind =
        bl_span_join(bl_filter_span(parser, index + 1), bl_filter_span(parser, rest.end - 1));
    bl_buf_printf(&fix, "{ %.*s }", BL_STR_ARG(bl_parser_slice(parser, behind)));
    if (!fix.failed) {
        bl_diagnostic_fix(sink, d, bl_span_join(span, behind), bl_buf_str(&fix));
    }
    return true;
}

/* ---- operators as functions ------------------------------------------------------------- */

/* `contains(title, "x")`: two arguments in parentheses directly behind the word. */
bool bl_filter_operator_called(struct bl_parser *parser, size_t index)
{
    const struct bl_token *open = bl_filter_token(parser, index + 1);
    unsigned depth = 0;

    if (open == NULL || open->kind != BL_TK_LPAREN || (open->flags & BL_TOKEN_APART) != 0) {
        return false;
    }
    for (size_t i = index + 1; i < parser->tokens.count; i++) {
        int kind = parser->tokens.items[i].kind;
        depth += kind == BL_TK_LPAREN || kind == BL_TK_LBRACKET;
        depth -= kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET;
        if (depth == 0 || kind == BL_TK_NEWLINE) {
            return false;
        }
        if (kind == BL_TK_COMMA && depth == 1) {
            return true;
        }
    }
    return false;
}
