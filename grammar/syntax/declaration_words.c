/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/declaration.h"

enum block {
#define BL_CLAUSE_BLOCK(id, name, included, inner) BLOCK_##id,
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    BLOCK_COUNT
};

static const struct {
    enum block block;
    bl_str words, shape;
} clauses[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, doc)                                         \
    {BLOCK_##block, {words, sizeof(words) - 1}, {shape, sizeof(shape) - 1}},
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_' || bl_is_ascii_digit(c);
}

static size_t word_end(bl_str text, size_t at)
{
    while (at < text.len && is_name(text.ptr[at])) {
        at++;
    }
    return at;
}

static size_t behind_blanks(bl_str text, size_t at)
{
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    return at;
}

/* The shape of the row; NULL when none begins there. */
static const bl_str *shape_at(bl_str text, size_t at)
{
    size_t end = word_end(text, at);
    size_t next = behind_blanks(text, end);

    if (next == end || next == text.len ||
        (text.ptr[next] != '"' &&
         (!is_name(text.ptr[next]) || bl_is_ascii_digit(text.ptr[next])))) {
        return NULL;
    }
    bl_str word = bl_str_slice(text, at, end);
    for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
        if (clauses[i].block == BLOCK_TOP && bl_str_equal(clauses[i].words, word)) {
            return &clauses[i].shape;
        }
    }
    return NULL;
}

bool bl_declaration_begins(bl_str text, size_t at)
{
    return shape_at(text, at) != NULL;
}

bl_str bl_declaration_name(bl_str text, size_t at)
{
    if (shape_at(text, at) == NULL) {
        return (bl_str){NULL, 0};
    }
    size_t from = behind_blanks(text, word_end(text, at));
    return bl_str_slice(text, from, word_end(text, from));
}

bl_str bl_declaration_head(bl_str text, size_t at)
{
    const bl_str *shape = shape_at(text, at);
    size_t brace = shape != NULL ? bl_str_find_char(*shape, '{') : SIZE_MAX;

    if (brace == SIZE_MAX) {
        return (bl_str){NULL, 0};
    }
    while (brace > 0 && (shape->ptr[brace - 1] == '[' || shape->ptr[brace - 1] == ' ')) {
        brace--;
    }
    return bl_str_slice(*shape, 0, brace);
}
