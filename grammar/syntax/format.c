/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/format.h"

#include "base/utf8.h"
#include "syntax/formatter.h"
#include "syntax/policy_parser.h"

/* Columns that a tab goes on to, where authors use them. */
#define TAB 8U

/* ---- pieces ------------------------------------------------------------------------- */

/* Where the reading of the text stands. */
struct place {
    uint32_t at;
    uint32_t line;
    uint32_t column;
};

/* `blank`: over what stands between tokens, where a tab is as many blanks as it shows. */
static void go_to(const struct bl_formatter *f, struct place *place, uint32_t at, bool blank)
{
    for (; place->at < at; place->at++) {
        unsigned char c = (unsigned char)f->text.ptr[place->at];
        if (c == '\n') {
            place->line++;
            place->column = 0;
        } else if (c == '\t' && blank) {
            place->column += TAB - place->column % TAB;
        } else {
            place->column += (c & 0xC0) != 0x80;
        }
    }
}

static void put_piece(const struct bl_formatter *f, const struct bl_format_piece *piece,
                      struct bl_buf *out)
{
    bl_str words = bl_str_slice(f->text, piece->lo, piece->hi);

    if (piece->kind == BL_PIECE_COMMENT) {
        words = bl_str_trim(words);
    }
    if (piece->kind != BL_TK_DURATION) {
        /* A line ends with LF; in a text CR LF means the same. */
        for (size_t cr = bl_str_find_char(words, '\r'); cr != SIZE_MAX;
             cr = bl_str_find_char(words, '\r')) {
            bl_buf_put(out, bl_str_slice(words, 0, cr));
            words = bl_str_slice(words, cr + 1, words.len);
        }
        bl_buf_put(out, words);
        return;
    }
    /* A number, blanks, a unit. */
    size_t digits = 0;
    while (digits < words.len && words.ptr[digits] != ' ' && words.ptr[digits] != '\t') {
        digits++;
    }
    bl_buf_put(out, bl_str_slice(words, 0, digits));
    BL_PUT(out, " ");
    bl_buf_put(out, bl_str_trim(bl_str_slice(words, digits, words.len)));
}

static uint32_t width_of(const struct bl_formatter *f, const struct bl_format_piece *piece)
{
    bl_str words = bl_str_slice(f->text, piece->lo, piece->hi);
    uint32_t blanks = 0;

    if (piece->kind == BL_TK_DURATION) {
        for (size_t i = 0; i < words.len; i++) {
            blanks += words.ptr[i] == ' ' || words.ptr[i] == '\t';
        }
        return piece->hi - piece->lo - blanks + 1;
    }
    return (uint32_t)bl_utf8_length(bl_str_slice(words, 0, bl_str_find_char(words, '\n')));
}

static void add_piece(struct bl_formatter *f, struct place *place, struct bl_format_piece piece)
{
    struct bl_format_piece *slot = BL_PUSH(f->arena, f->pieces);
    uint32_t line = place->line;

    if (slot == NULL) {
        return;
    }
    uint32_t blanks_from = place->column;
    go_to(f, place, piece.lo, true);
    piece.line_before = f->pieces.count == 1 || place->line > line;
    piece.blank_before = place->line > line + 1;
    piece.line = place->line;
    piece.column = place->column;
    piece.blanks = piece.line_before ? 0 : place->column - blanks_from;
    piece.width = width_of(f, &piece);
    go_to(f, place, piece.hi, false);
    piece.is_long = place->line > piece.line;
    *slot = piece;
}

/* Of the token at *index, behind which it goes: a text with placeholders is one piece. */
static struct bl_format_piece read_token(const struct bl_tokens *tokens, size_t *index)
{
    const struct bl_token *token = &tokens->items[(*index)++];
    struct bl_format_piece piece = {
        .kind = token->kind,
        .lo = token->lo,
        .hi = token->hi,
        .is_apart = (token->flags & BL_TOKEN_APART) != 0,
    };

    if (token->kind == BL_TK_TEXT_OPEN) {
        while (token->kind != BL_TK_TEXT_CLOSE && *index < tokens->count) {
            token = &tokens->items[(*index)++];
        }
        piece.hi = token->hi;
    }
    return piece;
}

static void read_pieces(struct bl_formatter *f, const struct bl_tokens *tokens,
                        const struct bl_ast *ast)
{
    struct place place = {0};
    size_t comment = 0;
    uint32_t last = UINT32_MAX; /* piece that is no comment */
    bool at_clause = true;
    bool is_hyphenated = false;

    for (size_t i = 0; i < tokens->count && !f->arena->failed;) {
        if (tokens->items[i].kind == BL_TK_NEWLINE && last != UINT32_MAX) {
            f->pieces.items[last].ends_clause = true;
            at_clause = true;
            i++;
            continue;
        }
        struct bl_format_piece piece = read_token(tokens, &i);
        for (; comment < ast->comments.count &&
               (ast->comments.items[comment].span.lo < piece.lo || piece.kind == BL_TK_END);
             comment++) {
            struct bl_span span = ast->comments.items[comment].span;
            struct bl_format_piece remark = {BL_PIECE_COMMENT, .lo = span.lo, .hi = span.hi};
            add_piece(f, &place, remark);
        }
        if (piece.kind == BL_TK_END) {
            break;
        }
        if (at_clause) {
            is_hyphenated =
                piece.kind == BL_TK_NAME &&
                bl_word_is(bl_str_slice(f->text, piece.lo, piece.hi), BL_WORD_HYPHENATED);
        }
        piece.is_tight = is_hyphenated && !piece.is_apart &&
                         (piece.kind == BL_TK_MINUS ||
                          (last != UINT32_MAX && f->pieces.items[last].kind == BL_TK_MINUS));
        at_clause = piece.kind == BL_TK_LBRACE;
        last = (uint32_t)f->pieces.count;
        add_piece(f, &place, piece);
    }
}

static void find_partners(struct bl_formatter *f)
{
    uint32_t open[BL_NESTING_MAX + 1];
    size_t depth = 0;

    for (uint32_t i = 0; i < f->pieces.count; i++) {
        struct bl_format_piece *piece = &f->pieces.items[i];
        if (piece->kind == BL_TK_LBRACE && depth <= BL_NESTING_MAX) {
            open[depth++] = i;
        } else if (piece->kind == BL_TK_RBRACE && depth > 0) {
            piece->partner = open[--depth];
            f->pieces.items[piece->partner].partner = i;
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------- */

static void put_blanks(struct bl_buf *out, uint32_t count)
{
    while (count-- > 0) {
        bl_buf_put_char(out, ' ');
    }
}

static void put_line(const struct bl_formatter *f, const struct bl_format_line *line,
                     struct bl_buf *out)
{
    uint32_t at = 0;

    if (line->blank_before) {
        BL_PUT(out, "\n");
    }
    for (uint32_t i = 0; i < line->count; i++) {
        const struct bl_format_item *item = &f->items.items[line->first + i];
        const struct bl_format_piece *piece = bl_format_piece_of(f, item);
        put_blanks(out, item->at > at ? item->at - at : 0);
        put_piece(f, piece, out);
        if (item->semicolon) {
            BL_PUT(out, ";");
        }
        at = item->at + piece->width + item->semicolon;
    }
    BL_PUT(out, "\n");
}

enum bl_status bl_format(struct bl_arena *arena, struct bl_sources *sources, uint32_t source,
                         struct bl_diagnostics *sink, struct bl_buf *out)
{
    struct bl_formatter f = {.arena = arena};
    struct bl_tokens tokens = {NULL, 0, 0};
    struct bl_ast ast;
    enum bl_status status = bl_parse_tokens(arena, sources, source, sink, &ast, &tokens);

    if (status != BL_OK) {
        return status;
    }
    f.text = bl_sources_get(sources, source)->text;
    read_pieces(&f, &tokens, &ast);
    if (!arena->failed) {
        find_partners(&f);
        bl_format_lines(&f);
    }
    if (!arena->failed) {
        bl_format_align(&f);
    }
    for (size_t i = 0; i < f.lines.count && !arena->failed; i++) {
        put_line(&f, &f.lines.items[i], out);
    }
    if (arena->failed || out->failed) {
        return BL_ERR_NOMEM;
    }
    if (out->len > bl_limit(BL_LIMIT_SOURCE_BYTES)) {
        return BL_ERR_LIMIT;
    }
    return bl_format_check(&f, &tokens, bl_buf_str(out));
}
