/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean.h"

#include "text/clean_parts.h"

/* The stages of cleaning, one after the other. */

void bl_clean_report(struct bl_cleaning *c, bl_str kind, enum bl_clean_word word, size_t lo,
                     size_t hi)
{
    struct bl_clean_finding *finding = BL_PUSH(c->arena, c->findings);

    if (finding == NULL)
        c->failed = true;
    else
        *finding = (struct bl_clean_finding){
            .kind = kind, .word = word, .rule = UINT32_MAX, .lo = lo, .hi = hi};
}

struct bl_cleaning *bl_clean_begin(struct bl_arena *arena, bl_str text,
                                   const struct bl_clean_rules *rules)
{
    struct bl_cleaning *c = BL_NEW(arena, struct bl_cleaning);

    if (c == NULL || text.len >= UINT32_MAX / 2)
        return NULL;
    c->arena = arena;
    c->rules = rules;
    c->input = text;
    bl_clean_code(c);
    if (!c->failed)
        bl_clean_remove(c);
    if (!c->failed)
        bl_clean_lines(c);
    if (!c->failed)
        bl_clean_find_links(c);
    return c->failed ? NULL : c;
}

bool bl_clean_read(struct bl_cleaning *c)
{
    if (!c->failed)
        bl_clean_decode(c);
    if (!c->failed)
        bl_clean_find(c);
    return !c->failed;
}

struct bl_clean_part *bl_clean_links(struct bl_cleaning *c, size_t *count)
{
    *count = c->links.count;
    return c->links.items;
}

struct bl_clean_part *bl_clean_found(struct bl_cleaning *c, size_t *count)
{
    *count = c->found.count;
    return c->found.items;
}

const struct bl_clean_finding *bl_clean_findings(const struct bl_cleaning *c, size_t *count)
{
    *count = c->findings.count;
    return c->findings.items;
}

const bl_str *bl_clean_allowed(const struct bl_cleaning *c, size_t *count)
{
    *count = c->allowed.count;
    return c->allowed.items;
}

uint64_t bl_clean_steps(const struct bl_cleaning *c)
{
    return c->steps;
}

void bl_clean_fenced(bl_str text, bool one_line, struct bl_buf *out)
{
    size_t longest = one_line ? 0 : 2;
    size_t run = 0;

    text = bl_str_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t i = 0; i <= longest; i++)
        bl_buf_put_char(out, '`');
    bl_buf_put_char(out, one_line ? ' ' : '\n');
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i] == '\r' ? '\n' : text.ptr[i];
        bl_buf_put_char(out, one_line && byte == '\n' ? ' ' : byte);
    }
    bl_buf_put_char(out, one_line ? ' ' : '\n');
    for (size_t i = 0; i <= longest; i++)
        bl_buf_put_char(out, '`');
}
