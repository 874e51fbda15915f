/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/lexeme.h"

enum block {
#define BL_CLAUSE_BLOCK(id, name, included, inner) BLOCK_##id,
#define BL_CLAUSE(id, block, words, shape, often, state, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    BLOCK_COUNT
};

static const struct {
    enum block block;
    bl_str words;
} clauses[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner)
#define BL_CLAUSE(id, block, words, shape, often, state, doc)                                  \
    {BLOCK_##block, {words, sizeof(words) - 1}},
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_' || bl_is_ascii_digit(c);
}

bool bl_declaration_begins(bl_str text, size_t at)
{
    size_t end = at;

    while (end < text.len && is_name(text.ptr[end])) {
        end++;
    }
    size_t next = end;
    while (next < text.len && (text.ptr[next] == ' ' || text.ptr[next] == '\t')) {
        next++;
    }
    if (next == end || next == text.len ||
        (text.ptr[next] != '"' &&
         (!is_name(text.ptr[next]) || bl_is_ascii_digit(text.ptr[next])))) {
        return false;
    }
    bl_str word = bl_str_slice(text, at, end);
    for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
        if (clauses[i].block == BLOCK_TOP && bl_str_equal(clauses[i].words, word)) {
            return true;
        }
    }
    return false;
}
