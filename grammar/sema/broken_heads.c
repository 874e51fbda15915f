/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "syntax/declaration.h"

/* Names whose declarations could not be read. A slip in the head of a declaration is told
 * there; that each use does not know the name would say it again and again. */

static bool is_word(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '_';
}

/* `enum "mood" { good; bad }`, `enum mood = good, bad`: its words are known nowhere either. */
static void note_enum(struct bl_checker *c, bl_str text)
{
    size_t end = bl_str_find_char(text, '\n');
    size_t at = 0;

    if (bl_str_find_char(bl_str_slice(text, 0, end), '{') != SIZE_MAX)
        end = bl_str_find_char(text, '}');
    text = bl_str_slice(text, 0, end);
    while (at < text.len) {
        size_t from = at;

        while (at < text.len && is_word(text.ptr[at]))
            at++;
        if (at > from)
            (void)bl_name_set_add(c, &c->broken, bl_str_slice(text, from, at));
        at += at == from;
    }
}

static void note_heads(struct bl_checker *c, bl_str text)
{
    size_t at = 0;

    while (at < text.len) {
        bl_str name = bl_declaration_name(text, at);
        size_t line = bl_str_find_char(bl_str_slice(text, at, text.len), '\n');
        bool known = name.len == 0 || !bl_sema_declares(bl_str_slice(text, at, text.len));

        for (unsigned space = 0; space < BL_SPACE_LOCALS && !known; space++)
            known = bl_scope_find(c, (enum bl_space)space, name) != NULL;
        if (bl_str_starts_with(bl_str_slice(text, at, text.len), BL_STR("enum ")) &&
            (name.len == 0 || !known))
            note_enum(c, bl_str_slice(text, at, text.len));
        if (!known) {
            (void)bl_name_set_add(c, &c->broken, name);
            c->broken_job |= bl_str_starts_with(bl_str_slice(text, at, text.len),
                                                bl_clause_info(BL_CLAUSE_JOB)->words);
        }
        if (line == SIZE_MAX)
            return;
        at += line + 1;
    }
}

void bl_sema_note_broken(struct bl_checker *c)
{
    for (size_t i = 0; i < c->program->files.count; i++) {
        uint32_t source = c->program->files.items[i]->ast.source;

        note_heads(c, bl_sources_get(c->sources, source)->text);
    }
}

bool bl_sema_is_broken(struct bl_checker *c, struct bl_span span)
{
    const struct bl_source *source;

    if (c->broken.count == 0)
        return false;
    source = bl_sources_get(c->sources, span.source);
    return source != NULL &&
           bl_name_set_has(&c->broken, bl_str_slice(source->text, span.lo, span.hi));
}
