/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/formatter.h"
#include "syntax/policy_parser.h"

/* Pieces become lines. Line breaks of the author stay inside a clause; a block stays on one
 * line when it stood on one and fits. The recursion follows the blocks of a text that was
 * parsed, so limits.def bounds it. */

#define INDENT 2U

static struct bl_format_line *last_line(struct bl_formatter *f)
{
    return &f->lines.items[f->lines.count - 1];
}

static struct bl_format_piece *piece_at(const struct bl_formatter *f, uint32_t index)
{
    return &f->pieces.items[index];
}

static bool is_comment(const struct bl_formatter *f, uint32_t index)
{
    return index < f->pieces.count && piece_at(f, index)->kind == BL_PIECE_COMMENT;
}

/* A comment behind something on its line. */
static bool is_remark(const struct bl_formatter *f, uint32_t index)
{
    return is_comment(f, index) && !piece_at(f, index)->line_before &&
           !piece_at(f, index)->placed;
}

static void measure(const struct bl_formatter *f, struct bl_format_line *line,
                    const struct bl_format_item *item)
{
    const struct bl_format_piece *piece = bl_format_piece_of(f, item);

    line->has_long |= piece->is_long;
    if (piece->kind != BL_PIECE_COMMENT) {
        line->width += item->gap + piece->width + item->semicolon;
        line->hopeless += bl_format_is_hopeless(line, piece) ? piece->width : 0;
    }
}

/* Moves the items from `at` on to a line of their own. Looks at the others alone, so that a
 * line that falls into many takes no longer than its length. */
static void break_line(struct bl_formatter *f, uint32_t at, uint32_t brackets)
{
    struct bl_format_line *rest = BL_PUSH(f->arena, f->lines);

    if (rest == NULL) {
        return;
    }
    struct bl_format_line *line = rest - 1;
    struct bl_format_item *items = &f->items.items[line->first];
    *rest = *line;
    line->count = at;
    line->width = line->indent;
    line->hopeless = 0;
    for (uint32_t i = 0; i < at; i++) {
        measure(f, line, &items[i]);
    }
    for (uint32_t i = at; i < rest->count && rest->is_own; i++) {
        items[i].column = BL_NO_COLUMN;
    }
    rest->first += at;
    rest->count -= at;
    rest->brackets = brackets;
    rest->indent = line->clause_indent + INDENT + INDENT * brackets;
    rest->blank_before = rest->is_own = false;
    rest->width = rest->indent + (rest->width - line->width - items[at].gap);
    rest->hopeless -= line->hopeless;
    items[at].gap = 0;
}

/* Breaks the last line until it fits or cannot be broken. */
static void finish_line(struct bl_formatter *f)
{
    while (f->lines.count > 0 && !f->arena->failed) {
        const struct bl_format_line *line = last_line(f);
        uint32_t brackets = 0;
        uint32_t at = 0;
        if (line->width - line->hopeless > BL_FORMAT_WIDTH && !line->has_long) {
            at = bl_format_break(f, line, &brackets);
        }
        if (at == 0) {
            return;
        }
        break_line(f, at, brackets);
    }
}

static void begin_line(struct bl_formatter *f, uint32_t piece, uint32_t indent,
                       bool blank_before)
{
    finish_line(f);
    struct bl_format_line *line = BL_PUSH(f->arena, f->lines);
    if (line == NULL) {
        return;
    }
    *line = (struct bl_format_line){
        .first = (uint32_t)f->items.count,
        .clause = (uint32_t)f->lines.count - 1,
        .clause_indent = indent,
        .indent = indent,
        .width = indent,
        .blank_before = blank_before,
        .is_own = piece_at(f, piece)->line_before,
    };
}

/* A line that goes on with the clause of the last one. */
static void continue_line(struct bl_formatter *f, uint32_t piece, uint32_t clause,
                          uint32_t clause_indent, uint32_t brackets)
{
    uint32_t indent = clause_indent + INDENT + INDENT * brackets;

    if (piece_at(f, piece)->kind == BL_TK_LBRACE) {
        indent = clause_indent;
    } else if (bl_kind_closes(piece_at(f, piece)->kind) && brackets > 0) {
        indent -= INDENT;
    }
    begin_line(f, piece, indent, piece_at(f, piece)->blank_before);
    if (!f->arena->failed) {
        last_line(f)->clause = clause;
        last_line(f)->clause_indent = clause_indent;
        last_line(f)->brackets = brackets;
    }
}

static void add(struct bl_formatter *f, uint32_t index, bool semicolon)
{
    struct bl_format_item *item = BL_PUSH(f->arena, f->items);
    const struct bl_format_piece *piece = piece_at(f, index);

    if (item == NULL || f->lines.count == 0) {
        return;
    }
    struct bl_format_line *line = last_line(f);
    const struct bl_format_piece *before =
        line->count > 0 ? bl_format_piece_of(f, item - 1) : NULL;
    const struct bl_format_piece *first =
        before != NULL ? bl_format_piece_of(f, &f->items.items[line->first]) : piece;
    bool in_place = line->is_own && piece->line == first->line && !line->has_long;
    *item = (struct bl_format_item){
        .piece = index,
        .column = in_place ? piece->column : BL_NO_COLUMN,
        .gap = before != NULL ? bl_format_gap(before, piece) : 0,
        .semicolon = semicolon,
    };
    line->count++;
    measure(f, line, item);
}

static bool needs_semicolon(const struct bl_formatter *f, uint32_t index)
{
    return piece_at(f, index)->ends_clause && piece_at(f, index + 1)->kind != BL_TK_RBRACE;
}

/* May the block whose brace is `open` stand on the last line? */
static bool fits(struct bl_formatter *f, uint32_t open)
{
    uint32_t close = piece_at(f, open)->partner;
    uint32_t width = last_line(f)->width + 1;

    if (close == open + 1) {
        return true;
    }
    for (uint32_t i = open; i <= close && width <= BL_FORMAT_WIDTH; i++) {
        const struct bl_format_piece *piece = piece_at(f, i);
        if (i > open) {
            if (piece->line_before || piece->is_long || piece->kind == BL_PIECE_COMMENT) {
                return false;
            }
            width += bl_format_gap(piece_at(f, i - 1), piece);
        }
        width += piece->width;
        width += i > open && i < close && needs_semicolon(f, i);
    }
    return width <= BL_FORMAT_WIDTH;
}

static uint32_t lay_clauses(struct bl_formatter *f, uint32_t i, uint32_t indent);

/* Gives the index behind the brace that closes the block. */
static uint32_t lay_block(struct bl_formatter *f, uint32_t open, uint32_t indent)
{
    uint32_t close = piece_at(f, open)->partner;

    if (f->arena->failed) {
        return close + 1;
    }
    if (fits(f, open)) {
        for (uint32_t i = open; i <= close; i++) {
            add(f, i, i > open && i < close && needs_semicolon(f, i));
        }
        return close + 1;
    }
    add(f, open, false);
    uint32_t i = open + 1;
    if (is_remark(f, i)) {
        add(f, i++, false);
    } else if (piece_at(f, open)->line == piece_at(f, close)->line && is_remark(f, close + 1)) {
        /* It was said of the whole line, which is the line of the brace now; also a finding
         * that it silences is found there. */
        add(f, close + 1, false);
        piece_at(f, close + 1)->placed = true;
        if (!f->arena->failed) {
            f->items.items[f->items.count - 1].column = BL_NO_COLUMN;
        }
    }
    i = lay_clauses(f, i, indent + INDENT);
    begin_line(f, i, indent, false);
    add(f, i, false);
    return i + 1;
}

/* Gives the index of the piece behind the clause and its comment. */
static uint32_t lay_clause(struct bl_formatter *f, uint32_t i, uint32_t indent,
                           bool blank_before)
{
    uint32_t brackets = 0;
    uint32_t start = i;
    bool after_comment = false;

    begin_line(f, i, indent, blank_before);
    uint32_t clause = (uint32_t)f->lines.count - 1;
    for (bool ended = false; !ended && i < f->pieces.count && !f->arena->failed;) {
        const struct bl_format_piece *piece = piece_at(f, i);
        bool breaks = piece->line_before && piece->kind != BL_TK_LBRACE;
        if (i > start && (breaks || after_comment)) {
            continue_line(f, i, clause, indent, brackets);
        }
        after_comment = piece->kind == BL_PIECE_COMMENT;
        if (piece->kind == BL_TK_LBRACE) {
            i = lay_block(f, i, indent);
        } else {
            add(f, i++, false);
            brackets += bl_kind_opens(piece->kind);
            brackets -= bl_kind_closes(piece->kind) && brackets > 0;
        }
        ended = piece_at(f, i - 1)->ends_clause;
    }
    if (is_remark(f, i)) {
        add(f, i++, false);
    }
    return i;
}

/* Gives the index of the brace that ends them, or of the end. */
static uint32_t lay_clauses(struct bl_formatter *f, uint32_t i, uint32_t indent)
{
    bool first = true;

    while (i < f->pieces.count && !f->arena->failed) {
        const struct bl_format_piece *piece = piece_at(f, i);
        bool blank_before = piece->blank_before && !first;

        if (piece->kind == BL_TK_RBRACE) {
            break;
        }
        if (piece->placed) {
            i++;
            continue;
        }
        if (piece->kind == BL_PIECE_COMMENT) {
            begin_line(f, i, indent, blank_before);
            add(f, i++, false);
        } else {
            i = lay_clause(f, i, indent, blank_before);
        }
        first = false;
    }
    return i;
}

void bl_format_lines(struct bl_formatter *f)
{
    (void)lay_clauses(f, 0, 0);
    finish_line(f);
}
