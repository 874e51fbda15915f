/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact.h"

#include "secret/redact_parts.h"

#include <string.h>

/* Masking one text: all that is found. redact_settle.c makes the text anew. */

#define IN_MARKER '^' /* visible, so that nobody leaves it out; in no token */
#define NO_VALUE  ((bl_str){NULL, 0})

static bool add_hit(struct bl_redacting *g, struct bl_redact_hit hit)
{
    struct bl_redact_hit *slot = BL_PUSH(&g->scratch, g->hits);

    if (slot == NULL)
        return false;
    *slot = hit;
    return true;
}

/* ---- what is found ------------------------------------------------------------------------
 */

static bool keep_value(void *context, uint32_t value, size_t lo, size_t hi)
{
    struct bl_redacting *g = context;
    struct bl_known_value *known = &g->r->known.items[value];
    struct bl_redact_hit hit = {lo,    hi,          {lo, hi},      known->mask,
                                known, known->kind, known->source, NO_VALUE};

    return add_hit(g, hit);
}

struct collecting {
    struct bl_redacting *g;
    struct bl_known_value *known;
    bool failed;
};

static bool collect(void *context, struct bl_match match)
{
    struct collecting *c = context;

    if (match.lo == match.hi)
        return true;
    struct bl_redact_hit hit = {match.lo,         match.hi, match,
                                c->known->mask,   c->known, c->known->kind,
                                c->known->source, NO_VALUE};
    c->failed = !add_hit(c->g, hit);
    return !c->failed;
}

static bool find_known(struct bl_redacting *g)
{
    struct bl_redactor *r = g->r;

    g->out->steps += g->text.len;
    if (!bl_known_each(&g->scratch, &r->forms, g->text, keep_value, g) || g->scratch.failed)
        return false;
    for (size_t i = 0; i < r->known.count; i++) {
        struct bl_known_value *known = &r->known.items[i];
        struct collecting c = {g, known, false};

        if (known->what != BL_KNOWN_PATTERN)
            continue;
        if (!bl_pattern_each_from(&g->scratch, known->pattern, g->shadow, g->from, collect, &c,
                                  &g->out->steps) ||
            c.failed)
            return false;
    }
    return true;
}

static enum bl_status judge(struct bl_redacting *g, const struct bl_module_mask *row,
                            struct bl_match match, bool *holds)
{
    struct bl_value answer = bl_bool(true);
    struct bl_value arg = bl_text(bl_str_slice(g->shadow, match.lo, match.hi));
    enum bl_status status = BL_OK;

    if (row->when != BL_NONE)
        status = g->r->host.call(g->r->host.context, row->when, &arg, 1, &answer);
    *holds = answer.tag == BL_V_BOOL && answer.as.i != 0;
    return status;
}

static enum bl_status find_pattern(struct bl_redacting *g, uint32_t mask)
{
    const struct bl_module_mask *row = &g->r->m->MASKS_rows[mask];
    const struct bl_mask_words *words = &g->r->words[mask - g->r->row->first_mask];
    struct bl_secret_spans spans = {.failed = false};
    enum bl_status status = BL_OK;

    if (!bl_secret_part_each(&g->scratch, &g->sought, row->part, g->shadow, g->from, &spans,
                             &g->out->steps))
        return BL_ERR_NOMEM;
    for (size_t i = 0; i < spans.list.count && status == BL_OK; i++) {
        bool holds;

        status = judge(g, row, spans.list.items[i], &holds);
        if (status == BL_OK && holds &&
            !add_hit(g, (struct bl_redact_hit){spans.list.items[i].lo, spans.list.items[i].hi,
                                               spans.wholes.items[i], mask, NULL, words->kind,
                                               words->source, NO_VALUE}))
            status = BL_ERR_NOMEM;
    }
    return status;
}

static enum bl_status find_patterns(struct bl_redacting *g)
{
    const struct bl_module_redaction *row = g->r->row;
    enum bl_status status = BL_OK;

    for (uint32_t i = 0; i < row->mask_count && status == BL_OK; i++) {
        const struct bl_module_mask *mask = &g->r->m->MASKS_rows[row->first_mask + i];

        if (mask->part != BL_NONE && mask->field == BL_MASK_TEXT &&
            bl_secret_may_find(&g->sought, mask->part))
            status = find_pattern(g, row->first_mask + i);
    }
    return status;
}

static bool keep_span(void *context, struct bl_match match)
{
    struct bl_redacting *g = context;
    struct bl_match *slot =
        match.lo < match.hi ? BL_PUSH(&g->scratch, g->kept.list) : &(struct bl_match){0, 0};

    if (slot == NULL)
        return false;
    *slot = match;
    return true;
}

static bool find_markers(struct bl_redacting *g)
{
    const struct bl_module_part *keep = &g->r->m->PARTS_rows[g->r->row->keep];

    if (keep->sought == BL_NONE)
        return bl_pattern_each_from(&g->scratch, bl_secret_pattern(g->r->m, keep->pattern),
                                    g->shadow, g->from, keep_span, g, &g->out->steps);
    const struct bl_matches *found = &g->sought.matches[keep->sought];
    for (size_t i = 0; i < found->list.count; i++) {
        if (!keep_span(g, found->list.items[i]))
            return false;
    }
    return true;
}

/* What the rows are looked for by, and markers with `keep`, in one pass. */
static bool ask(struct bl_redacting *g, bool keep, struct bl_secret_sought *sought)
{
    const struct bl_module_redaction *row = g->r->row;

    if (!bl_secret_sought_begin(&g->scratch, g->r->m, row->sieve, sought))
        return false;
    for (uint32_t i = 0; i < row->mask_count; i++) {
        const struct bl_module_mask *mask = &g->r->m->MASKS_rows[row->first_mask + i];

        if (mask->part != BL_NONE && mask->field == BL_MASK_TEXT)
            bl_secret_ask(sought, mask->part);
    }
    for (uint32_t i = 0; i < row->view.without_count; i++)
        bl_secret_ask(sought, row->view.first_without + i);
    if (keep)
        bl_secret_ask(sought, row->keep);
    return true;
}

/* Is all but the changes what it was? Masking a part of a character makes another byte of the
 * rest of it. */
static bool is_same_elsewhere(const struct bl_redacting *g)
{
    bl_str then = g->before->plain, now = g->plain;
    size_t at = 0, at_now = 0;

    for (size_t i = 0; i <= g->change_count; i++) {
        size_t end = i < g->change_count ? g->changes[i].lo : then.len;
        if (end - at > now.len - at_now ||
            memcmp(then.ptr + at, now.ptr + at_now, end - at) != 0)
            return false;
        at_now += end - at;
        if (i < g->change_count) {
            at = g->changes[i].hi;
            at_now += g->changes[i].size;
        }
    }
    return true;
}

static bool seek_first(struct bl_redacting *g)
{
    uint64_t *steps = &g->out->steps;

    if (!bl_secret_shadow(&g->scratch, g->text, &g->plain) ||
        !ask(g, g->r->row->keep != BL_NONE, &g->first))
        return false;
    g->taken_over = g->before != NULL && !g->r->anew && is_same_elsewhere(g);
    if (!g->taken_over)
        return bl_secret_seek(&g->first, g->plain, g->from, steps);
    return bl_secret_seek_again(&g->first, &g->before->first, g->before->plain.len, g->changes,
                                g->change_count, g->plain, g->from, steps);
}

/* Patterns see nothing of a marker: its words would make names and values of their own, and
 * hide what stands behind. So where there are any, the rows are looked for once more. */
static bool blank_markers(struct bl_redacting *g)
{
    size_t count = g->kept.list.count;
    char *bytes = bl_arena_alloc(&g->scratch, g->plain.len, 1);
    struct bl_text_change *changes = BL_NEW_ARRAY(&g->scratch, count, struct bl_text_change);

    if (bytes == NULL || changes == NULL)
        return false;
    memcpy(bytes, g->plain.ptr, g->plain.len);
    for (size_t i = 0; i < count; i++) {
        struct bl_match marker = g->kept.list.items[i];
        memset(bytes + marker.lo, IN_MARKER, marker.hi - marker.lo);
        changes[i] = (struct bl_text_change){marker.lo, marker.hi, marker.hi - marker.lo};
    }
    g->shadow.ptr = bytes;
    if (!ask(g, false, &g->sought))
        return false;
    if (g->r->anew)
        return bl_secret_seek(&g->sought, g->shadow, g->from, &g->out->steps);
    return bl_secret_seek_again(&g->sought, &g->first, g->plain.len, changes, count, g->shadow,
                                g->from, &g->out->steps);
}

static bool look(struct bl_redacting *g)
{
    if (!seek_first(g))
        return false;
    g->shadow = g->plain;
    g->sought = g->first;
    if ((g->r->row->keep != BL_NONE && !find_markers(g)) || g->scratch.failed)
        return false;
    return g->kept.list.count == 0 || blank_markers(g);
}

enum bl_status bl_redact_find_in(struct bl_redacting *g)
{
    return bl_secret_shadow(&g->scratch, g->text, &g->shadow) && ask(g, false, &g->sought) &&
                   bl_secret_seek(&g->sought, g->shadow, g->from, &g->out->steps) &&
                   find_known(g)
               ? find_patterns(g)
               : BL_ERR_NOMEM;
}

enum bl_status bl_redact_find(struct bl_redacting *g)
{
    if (!look(g) || !find_known(g))
        return BL_ERR_NOMEM;
    enum bl_status status = find_patterns(g);
    if (status == BL_OK)
        status = bl_redact_views(g);
    return status == BL_OK && g->scratch.failed ? BL_ERR_NOMEM : status;
}

enum bl_status bl_redact_piece(struct bl_redactor *redactor, struct bl_arena *arena,
                               bl_str text, size_t from, bool last, struct bl_redacted *out,
                               bl_str *problem)
{
    struct bl_redacting g = {.r = redactor,
                             .arena = arena,
                             .text = text,
                             .from = from,
                             .last = last,
                             .out = out,
                             .problem = problem};

    *out = (struct bl_redacted){
        .text = bl_str_slice(text, from, text.len), .settled = text.len, .steps = text.len};
    if (!redactor->is_on)
        return BL_OK;
    bl_arena_init(&g.scratch, arena->limit, arena->allocator);
    enum bl_status status = bl_redact_find(&g);
    if (status == BL_OK)
        status = bl_redact_again(&g);
    if (status == BL_OK)
        status = bl_redact_settle(&g);
    bl_arena_reset(&g.scratch);
    return status;
}

enum bl_status bl_redact(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                         struct bl_redacted *out, bl_str *problem)
{
    return bl_redact_piece(redactor, arena, text, 0, true, out, problem);
}

/* ---- fields -------------------------------------------------------------------------------
 */

uint32_t bl_redactor_field(const struct bl_redactor *r, enum bl_mask_field field, bl_str key)
{
    for (uint32_t i = 0; r->is_on && i < r->row->mask_count; i++) {
        const struct bl_module_mask *mask = &r->m->MASKS_rows[r->row->first_mask + i];

        if (mask->field == (uint32_t)field &&
            bl_pattern_matches(bl_secret_pattern(r->m, r->m->PARTS_rows[mask->part].pattern),
                               key))
            return r->row->first_mask + i;
    }
    return BL_NONE;
}

static enum bl_status mask_whole(struct bl_redacting *g, uint32_t mask)
{
    const struct bl_mask_words *words = &g->r->words[mask - g->r->row->first_mask];
    struct bl_redact_hit hit = {0,    g->text.len, {0, g->text.len}, mask,
                                NULL, words->kind, words->source,    NO_VALUE};

    if (!add_hit(g, hit) || !look(g))
        return BL_ERR_NOMEM;
    return bl_redact_settle(g);
}

static enum bl_status is_secret(struct bl_redacting *g, uint32_t mask, bl_str value,
                                bool *holds)
{
    const struct bl_match whole = {0, value.len};

    *holds = false;
    if (value.len == 0)
        return BL_OK;
    if (!bl_secret_shadow(&g->scratch, value, &g->shadow))
        return BL_ERR_NOMEM;
    return judge(g, &g->r->m->MASKS_rows[mask], whole, holds);
}

/* What the condition spares is masked as any text; not when the condition would not spare what
 * that makes of it, which would then not stay the same when it is masked again. */
enum bl_status bl_redact_whole(struct bl_redactor *redactor, struct bl_arena *arena,
                               uint32_t mask, bl_str value, struct bl_redacted *out,
                               bl_str *problem)
{
    struct bl_redacting g = {.r = redactor,
                             .arena = arena,
                             .text = value,
                             .last = true,
                             .out = out,
                             .problem = problem};
    bool holds;

    bl_arena_init(&g.scratch, arena->limit, arena->allocator);
    enum bl_status status = is_secret(&g, mask, value, &holds);
    if (status == BL_OK && !holds) {
        status = bl_redact(redactor, arena, value, out, problem);
        if (status == BL_OK && out->list.count > 0)
            status = is_secret(&g, mask, out->text, &holds);
    }
    if (status == BL_OK && holds) {
        *out = (struct bl_redacted){.text = value, .settled = value.len, .steps = value.len};
        status = mask_whole(&g, mask);
    }
    bl_arena_reset(&g.scratch);
    return status;
}
