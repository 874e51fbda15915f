/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/formatter.h"
#include "syntax/policy_parser.h"

/* The formatter changes no meaning because nothing leaves it of which that was not seen. */

static bool is_ignored(char c, int kind)
{
    return kind == BL_TK_DURATION ? bl_is_ascii_space(c) : c == '\r';
}

/* But for the blanks inside of a length of time, and for the CR of line ends in texts. */
static bool same_words(bl_str left, bl_str right, int kind)
{
    size_t i = 0;
    size_t k = 0;

    while (i < left.len || k < right.len) {
        if (i < left.len && is_ignored(left.ptr[i], kind)) {
            i++;
        } else if (k < right.len && is_ignored(right.ptr[k], kind)) {
            k++;
        } else if (i == left.len || k == right.len || left.ptr[i++] != right.ptr[k++]) {
            return false;
        }
    }
    return true;
}

static bool same_tokens(bl_str before, const struct bl_tokens *old, bl_str after,
                        const struct bl_tokens *new)
{
    if (old->count != new->count) {
        return false;
    }
    for (size_t i = 0; i < old->count; i++) {
        const struct bl_token *x = &old->items[i];
        const struct bl_token *y = &new->items[i];
        if (x->kind != y->kind || (x->kind != BL_TK_NEWLINE &&
                                   !same_words(bl_str_slice(before, x->lo, x->hi),
                                               bl_str_slice(after, y->lo, y->hi), x->kind))) {
            return false;
        }
    }
    return true;
}

/* Comments in the order of the lines that they were put on. */
static bool same_comments(const struct bl_formatter *f, bl_str after, const struct bl_ast *ast)
{
    size_t comment = 0;
    size_t pieces = 0;

    for (size_t i = 0; i < f->pieces.count; i++) {
        pieces += f->pieces.items[i].kind == BL_PIECE_COMMENT;
    }
    for (size_t i = 0; i < f->items.count; i++) {
        const struct bl_format_piece *piece = bl_format_piece_of(f, &f->items.items[i]);
        if (piece->kind != BL_PIECE_COMMENT) {
            continue;
        }
        if (comment == ast->comments.count) {
            return false;
        }
        struct bl_span span = ast->comments.items[comment++].span;
        if (!bl_str_equal(bl_str_trim(bl_str_slice(f->text, piece->lo, piece->hi)),
                          bl_str_slice(after, span.lo, span.hi))) {
            return false;
        }
    }
    return comment == ast->comments.count && comment == pieces;
}

enum bl_status bl_format_check(struct bl_formatter *f, const struct bl_tokens *tokens,
                               bl_str result)
{
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_tokens again = {NULL, 0, 0};
    struct bl_ast ast;

    bl_sources_init(&sources, f->arena);
    bl_diagnostics_init(&sink, f->arena, 1);
    uint32_t source = bl_sources_add(&sources, BL_STR(""), result);
    if (source == BL_NO_SOURCE) {
        return BL_ERR_NOMEM;
    }
    enum bl_status status = bl_parse_tokens(f->arena, &sources, source, &sink, &ast, &again);
    if (status == BL_ERR_NOMEM) {
        return status;
    }
    if (status != BL_OK || !same_tokens(f->text, tokens, result, &again) ||
        !same_comments(f, result, &ast)) {
        return BL_ERR_INTERNAL;
    }
    return BL_OK;
}
