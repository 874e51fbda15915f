/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/foreign.h"

#include "base/buf.h"

enum foreign_kind { FUNCTION, TYPE, NAME, FIELD, CLAUSE };

struct row {
    enum foreign_kind kind;
    bl_str of;
    struct bl_foreign said;
};

#define TEXT_OF(words)                                                                         \
    {                                                                                          \
        words, sizeof(words) - 1                                                               \
    }

static const struct row rows[] = {
#define BL_FOREIGN(kind, of, elsewhere, here, help)                                            \
    {kind, TEXT_OF(#of), {TEXT_OF(elsewhere), TEXT_OF(here), TEXT_OF(help)}},
#include "sema/foreign.def"
#undef BL_FOREIGN
};

/* The names of the table's blocks, as clauses.def has them. */
static const bl_str blocks[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner) TEXT_OF(#id),
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};

static const struct bl_foreign *find(enum foreign_kind kind, bl_str of, bl_str word)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].kind == kind && bl_str_equal(rows[i].said.elsewhere, word) &&
            bl_str_equal_nocase(rows[i].of, of))
            return &rows[i].said;
    }
    return NULL;
}

const struct bl_foreign *bl_foreign_function(bl_str word)
{
    return find(FUNCTION, BL_STR("NONE"), word);
}

const struct bl_foreign *bl_foreign_type(bl_str word)
{
    return find(TYPE, BL_STR("NONE"), word);
}

const struct bl_foreign *bl_foreign_near_type(bl_str word)
{
    struct bl_likeness like = bl_likeness_begin(word);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].kind == TYPE)
            bl_likeness_consider(&like, rows[i].said.elsewhere);
    }
    return like.best.len > 0 ? bl_foreign_type(like.best) : NULL;
}

const struct bl_foreign *bl_foreign_name(bl_str word)
{
    return find(NAME, BL_STR("NONE"), word);
}

const struct bl_foreign *bl_foreign_field(enum bl_entity entity, bool text, bool list,
                                          bl_str word)
{
    if (text || list)
        return find(FIELD, text ? BL_STR("TEXT") : BL_STR("LIST"), word);
    return entity != BL_ENTITY_COUNT ? find(FIELD, bl_entity_info(entity)->name, word) : NULL;
}

const struct bl_foreign *bl_foreign_clause(enum bl_clause_block block, bl_str word)
{
    for (unsigned i = 0; i < BL_BLOCK_COUNT; i++) {
        const struct bl_foreign *row = bl_clause_block_takes(block, (enum bl_clause_block)i)
                                           ? find(CLAUSE, blocks[i], word)
                                           : NULL;

        if (row != NULL)
            return row;
    }
    return NULL;
}

void bl_foreign_help(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                     const struct bl_foreign *row, struct bl_span span)
{
    struct bl_buf help;

    bl_buf_init(&help, sink->arena, 512);
    bl_buf_put(&help, row->help);
    if (row->help.len == 0)
        bl_buf_printf(&help, "Did you mean '%.*s'?", BL_STR_ARG(row->here));
    bl_diagnostic_help(sink, d, bl_buf_str(&help));
    if (row->here.len > 0)
        bl_diagnostic_fix(sink, d, span, row->here);
}
