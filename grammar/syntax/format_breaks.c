/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/formatter.h"
#include "syntax/policy_parser.h"

bool bl_kind_opens(int kind)
{
    return kind == BL_TK_LPAREN || kind == BL_TK_CALL || kind == BL_TK_LBRACKET ||
           kind == BL_TK_INDEX;
}

bool bl_kind_closes(int kind)
{
    return kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET;
}

static bool is_dot(int kind)
{
    return kind == BL_TK_DOT || kind == BL_TK_OPTIONAL_DOT;
}

uint8_t bl_format_gap(const struct bl_format_piece *before, const struct bl_format_piece *piece)
{
    int left = before->kind;
    int right = piece->kind;

    if (right == BL_PIECE_COMMENT) {
        return 2;
    }
    /* Together these would be other tokens: `x? .y`, `$1 .y`. */
    if (is_dot(right) && (left == BL_TK_OPTIONAL || bl_kind_is_literal(left))) {
        return piece->is_apart;
    }
    return !(piece->is_tight || is_dot(left) || is_dot(right) || bl_kind_opens(left) ||
             bl_kind_closes(right) || right == BL_TK_COMMA || right == BL_TK_OPTIONAL ||
             right == BL_TK_CALL || right == BL_TK_INDEX);
}

/* How loosely the parts hang together between which a line may be broken. */
enum hold {
    HOLD_PARTS, /* of a clause: behind =, in front of => or a text of its own */
    HOLD_COMMA,
    HOLD_ELSE,
    HOLD_WHERE,
    HOLD_OR,
    HOLD_AND,
    HOLD_RELATION,
    HOLD_SUM,
    HOLD_PRODUCT,
    HOLD_BRACKET,
    HOLD_FAST,
};

static bool is_text(int kind)
{
    return kind == BL_TK_STRING || kind == BL_TK_TEXT_OPEN;
}

static enum hold hold_of_operator(int kind)
{
    switch (kind) {
    case BL_TK_ARROW:
        return HOLD_PARTS;
    case BL_TK_THEN:
    case BL_TK_ELSE:
        return HOLD_ELSE;
    case BL_TK_WHERE:
    case BL_TK_GIVING:
        return HOLD_WHERE;
    case BL_TK_OR:
        return HOLD_OR;
    case BL_TK_AND:
        return HOLD_AND;
    case BL_TK_PLUS:
    case BL_TK_MINUS:
        return HOLD_SUM;
    case BL_TK_TIMES:
        return HOLD_PRODUCT;
    case BL_TK_IS:
    case BL_TK_IN: /* of a quantifier, mostly */
        return HOLD_FAST;
    case BL_TK_EQ:
    case BL_TK_NE:
    case BL_TK_LT:
    case BL_TK_LE:
    case BL_TK_GT:
    case BL_TK_GE:
        return HOLD_RELATION;
    }
    return bl_kind_relation(kind) != BL_OPERATOR_NONE ? HOLD_RELATION : HOLD_FAST;
}

/* Would a line that begins with this piece be a clause of its own, although the one before it
 * lacks something? The same question as in token_filter.c, without its knowledge of the =. */
static bool looks_like_clause(const struct bl_format_piece *piece, int next)
{
    return piece->kind == BL_TK_NAME && (next == BL_TK_NAME || next == BL_TK_COLON ||
                                         next == BL_TK_ASSIGN || bl_kind_is_literal(next));
}

bool bl_format_is_hopeless(const struct bl_format_line *line,
                           const struct bl_format_piece *piece)
{
    return line->clause_indent + 2 + piece->width > BL_FORMAT_WIDTH;
}

static enum hold hold_of(const struct bl_formatter *f, const struct bl_format_line *line,
                         uint32_t index, uint32_t brackets)
{
    const struct bl_format_item *item = &f->items.items[line->first + index];
    const struct bl_format_piece *piece = bl_format_piece_of(f, item);
    int before = bl_format_piece_of(f, item - 1)->kind;
    int next =
        index + 1 < line->count ? bl_format_piece_of(f, item + 1)->kind : BL_PIECE_COMMENT;

    if (piece->is_tight || piece->kind == BL_PIECE_COMMENT) {
        return HOLD_FAST;
    }
    if (hold_of_operator(piece->kind) != HOLD_FAST) {
        return hold_of_operator(piece->kind);
    }
    if (brackets == 0 && looks_like_clause(piece, next)) {
        return HOLD_FAST;
    }
    if (before == BL_TK_ASSIGN) {
        return bl_format_is_hopeless(line, piece) ? HOLD_FAST : HOLD_PARTS;
    }
    if (before == BL_TK_COMMA) {
        return HOLD_COMMA;
    }
    if (bl_kind_opens(before) && !bl_kind_closes(piece->kind)) {
        return HOLD_BRACKET;
    }
    if (is_text(piece->kind) && !bl_kind_needs_more(before) && brackets == 0 &&
        !bl_format_is_hopeless(line, piece)) {
        return HOLD_PARTS;
    }
    return HOLD_FAST;
}

uint32_t bl_format_break(const struct bl_formatter *f, const struct bl_format_line *line,
                         uint32_t *brackets)
{
    uint32_t open = line->brackets;
    uint32_t width = line->indent;
    uint32_t best = 0;
    uint32_t best_open = UINT32_MAX;
    enum hold best_hold = HOLD_FAST;

    for (uint32_t i = 0; i < line->count; i++) {
        const struct bl_format_item *item = &f->items.items[line->first + i];
        const struct bl_format_piece *piece = bl_format_piece_of(f, item);

        if (piece->kind == BL_TK_LBRACE || (width > BL_FORMAT_WIDTH && best > 0)) {
            break;
        }
        enum hold hold = i > 0 ? hold_of(f, line, i, open) : HOLD_FAST;
        bool better = open < best_open || (open == best_open && hold <= best_hold);
        if (hold != HOLD_FAST && better) {
            best = i;
            best_open = open;
            best_hold = hold;
        }
        if (bl_kind_opens(piece->kind)) {
            open++;
        } else if (bl_kind_closes(piece->kind) && open > 0) {
            open--;
        }
        width +=
            (i > 0 ? item->gap : 0U) + (bl_format_is_hopeless(line, piece) ? 0 : piece->width);
    }
    *brackets = best_open;
    return best;
}
