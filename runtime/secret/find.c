/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "secret/part.h"
#include "secret/secret.h"
#include "secret/view_rounds.h"

#include <string.h>

/* The rows of a set of secrets over one text. */

struct finding {
    struct bl_arena *arena;  /* of what stays */
    struct bl_arena scratch; /* of one row */
    struct bl_arena views;   /* of texts without what is left out */
    struct bl_arena texts;   /* of what lasts as long as the text */
    struct bl_arena rounds;  /* of what lasts as long as all views of it */
    const struct bl_module *m;
    const struct bl_module_secrets *set;
    bl_str text;
    const struct bl_secret_host *host;
    bool first;
    struct bl_secret_findings *out;
    enum bl_status status;
    struct bl_secret_sought sought;         /* in the text */
    const struct bl_module_finder *view_of; /* whose view `view` is; NULL: none yet */
    bl_str view;
    /* Where the text is a view of another: */
    struct finding *plain;     /* that one; or NULL */
    const struct bl_view *way; /* back to it */
    unsigned seen;
    bool *taken; /* of the plain one: bytes of findings */
};

static bool is_done(const struct finding *f)
{
    return f->status != BL_OK || (f->first && f->out->list.count > 0);
}

/* ---- what is left out ---------------------------------------------------------------------
 */

/* Rows of equal sets share their view. */
static bool leaves_out_the_same(const struct bl_module *m, const struct bl_module_finder *x,
                                const struct bl_module_finder *y)
{
    if (x->outside_count != y->outside_count)
        return false;
    return memcmp(&m->PARTS_rows[x->first_outside], &m->PARTS_rows[y->first_outside],
                  x->outside_count * sizeof(struct bl_module_part)) == 0;
}

/* The text with blanks for what the row leaves out: a run ends there, and neighbours stay apart
 * (A-18). */
static bl_str view_for(struct finding *f, const struct bl_module_finder *row)
{
    struct bl_secret_spans spans = {.failed = false};

    if (row->outside_count == 0)
        return f->text;
    if (f->view_of != NULL && leaves_out_the_same(f->m, f->view_of, row))
        return f->view;
    for (uint32_t i = 0; i < row->outside_count; i++) {
        if (!bl_secret_part_each(&f->scratch, &f->sought, row->first_outside + i, f->text, 0,
                                 &spans, &f->out->steps)) {
            f->status = BL_ERR_NOMEM;
            return f->text;
        }
    }
    bl_arena_reset(&f->views);
    f->view = f->text;
    if (spans.list.count > 0) {
        char *bytes = bl_arena_alloc(&f->views, f->text.len, 1);

        if (bytes == NULL) {
            f->status = BL_ERR_NOMEM;
            return f->text;
        }
        memcpy(bytes, f->text.ptr, f->text.len);
        for (size_t i = 0; i < spans.list.count; i++)
            memset(bytes + spans.list.items[i].lo, ' ',
                   spans.list.items[i].hi - spans.list.items[i].lo);
        f->view = (bl_str){bytes, f->text.len};
    }
    f->view_of = row;
    return f->view;
}

/* ---- conditions ---------------------------------------------------------------------------
 */

/* What a row finds in a view has been judged when it was found in the plain text, by this row
 * or another, and is left out when the row leaves it out there: a view may lack the line that
 * says so. */
static bool is_judged(struct finding *f, const struct bl_module_finder *row,
                      struct bl_match match)
{
    bl_str plain = view_for(f->plain, row);
    size_t at = match.lo;

    for (size_t i = match.lo; i < match.hi; i++) {
        if (f->plain->taken[i])
            return true;
    }
    while (row->outside_count > 0 && at < match.hi &&
           (plain.ptr[at] == ' ' || plain.ptr[at] == '\n'))
        at++;
    return at == match.hi;
}

static void judge(struct finding *f, const struct bl_module_finder *row, struct bl_match match,
                  uint32_t bits)
{
    struct bl_value holds = bl_bool(true);
    struct bl_match place = f->plain == NULL ? match : bl_view_back(f->way, match);

    if (f->plain != NULL && is_judged(f, row, place))
        return;
    if (row->when != BL_NONE) {
        struct bl_value arg = bl_text(bl_str_slice(f->text, match.lo, match.hi));

        f->status = f->host->call(f->host->context, row->when, &arg, 1, &holds);
        if (f->status != BL_OK || holds.tag != BL_V_BOOL || holds.as.i == 0)
            return;
    }
    struct bl_secret_finding *slot = BL_PUSH(f->arena, f->out->list);
    if (slot == NULL) {
        f->status = BL_ERR_NOMEM;
        return;
    }
    *slot = (struct bl_secret_finding){(uint32_t)(row - f->m->FINDERS_rows), place.lo, place.hi,
                                       bits, f->seen};
    if (f->plain != NULL)
        memset(f->plain->taken + place.lo, true, place.hi - place.lo);
}

/* ---- rows ---------------------------------------------------------------------------------
 */

/* In a view the row's pattern is looked for anew. */
static bool find_in(struct finding *f, const struct bl_module_finder *row, bl_str view,
                    struct bl_secret_spans *spans)
{
    struct bl_secret_sought again;
    const struct bl_secret_sought *sought = &f->sought;

    if (view.ptr != f->text.ptr) {
        sought = &again;
        if (!bl_secret_sought_begin(&f->scratch, f->m, f->set->sieve, &again))
            return false;
        bl_secret_ask(&again, row->part);
        if (!bl_secret_seek(&again, view, 0, &f->out->steps))
            return false;
    }
    return bl_secret_part_each(&f->scratch, sought, row->part, view, 0, spans, &f->out->steps);
}

static void ask_pattern(struct finding *f, const struct bl_module_finder *row)
{
    struct bl_secret_spans spans = {.failed = false};

    if (!bl_secret_may_find(&f->sought, row->part))
        return;
    bl_str view = view_for(f, row);
    if (f->status == BL_OK && !find_in(f, row, view, &spans))
        f->status = BL_ERR_NOMEM;
    for (size_t i = 0; i < spans.list.count && !is_done(f); i++)
        judge(f, row, spans.list.items[i], 0);
}

struct measuring {
    struct finding *f;
    struct bl_chance_segment *items;
    size_t count, capacity;
};

static bool keep_segment(void *context, struct bl_chance_segment segment)
{
    struct measuring *c = context;
    struct bl_chance_segment *slot = BL_PUSH(&c->f->scratch, *c);

    if (slot == NULL)
        return false;
    *slot = segment;
    return true;
}

/* The whole text first: most texts have nothing that looks like a key. */
static void ask_chance(struct finding *f, const struct bl_module_finder *row)
{
    struct measuring c = {f, NULL, 0, 0};
    bl_str view = f->text;

    f->out->steps += view.len;
    if (!bl_chance_each(&f->scratch, view, row->least, row->bits, keep_segment, &c))
        f->status = BL_ERR_NOMEM;
    if (c.count == 0)
        return;
    if (row->outside_count > 0 && f->status == BL_OK) {
        view = view_for(f, row);
        c.count = 0;
        f->out->steps += view.len;
        if (f->status == BL_OK &&
            !bl_chance_each(&f->scratch, view, row->least, row->bits, keep_segment, &c))
            f->status = BL_ERR_NOMEM;
    }
    for (size_t i = 0; i < c.count && !is_done(f); i++)
        judge(f, row, (struct bl_match){c.items[i].lo, c.items[i].hi}, c.items[i].bits);
}

/* Rows find in their order; readers want the order of the text. */
static int compare_begins(const void *a, const void *b, const void *context)
{
    const struct bl_secret_finding *x = a, *y = b;

    (void)context;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* ---- texts --------------------------------------------------------------------------------
 */

/* The patterns of all rows and of what is left out, in one pass. */
static bool seek(struct finding *f)
{
    const struct bl_module_view *view = &f->set->view;

    if (!bl_secret_shadow(&f->texts, f->text, &f->text) ||
        !bl_secret_sought_begin(&f->texts, f->m, f->set->sieve, &f->sought))
        return false;
    for (uint32_t i = 0; i < f->set->finder_count; i++) {
        const struct bl_module_finder *row = &f->m->FINDERS_rows[f->set->first_finder + i];

        if (row->part != BL_NONE)
            bl_secret_ask(&f->sought, row->part);
        for (uint32_t j = 0; j < row->outside_count; j++)
            bl_secret_ask(&f->sought, row->first_outside + j);
    }
    for (uint32_t i = 0; i < view->without_count && f->plain == NULL; i++)
        bl_secret_ask(&f->sought, view->first_without + i);
    return bl_secret_seek(&f->sought, f->text, 0, &f->out->steps);
}

static void look(struct finding *f)
{
    if (!seek(f))
        f->status = BL_ERR_NOMEM;
    for (uint32_t i = 0; i < f->set->finder_count && !is_done(f); i++) {
        const struct bl_module_finder *row = &f->m->FINDERS_rows[f->set->first_finder + i];

        if (row->part != BL_NONE)
            ask_pattern(f, row);
        else
            ask_chance(f, row);
        bl_arena_reset(&f->scratch);
    }
}

static void begin(struct finding *f)
{
    bl_arena_init(&f->scratch, f->arena->limit, f->arena->allocator);
    bl_arena_init(&f->views, f->arena->limit, f->arena->allocator);
    bl_arena_init(&f->texts, f->arena->limit, f->arena->allocator);
    bl_arena_init(&f->rounds, f->arena->limit, f->arena->allocator);
}

static void end(struct finding *f)
{
    bl_arena_reset(&f->scratch);
    bl_arena_reset(&f->views);
    bl_arena_reset(&f->texts);
    bl_arena_reset(&f->rounds);
}

static enum bl_status look_at_view(void *context, const struct bl_view *view, unsigned seen,
                                   bool *done)
{
    struct finding *plain = context;
    struct finding f = {.arena = plain->arena,
                        .m = plain->m,
                        .set = plain->set,
                        .text = view->text,
                        .host = plain->host,
                        .first = plain->first,
                        .out = plain->out,
                        .plain = plain,
                        .way = view,
                        .seen = seen};

    begin(&f);
    look(&f);
    *done = is_done(&f);
    end(&f);
    return plain->status != BL_OK ? plain->status : f.status;
}

static void look_at_views(struct finding *f)
{
    const struct bl_view_rounds rounds = {.arena = &f->rounds,
                                          .m = f->m,
                                          .row = &f->set->view,
                                          .sieve = f->set->sieve,
                                          .look = look_at_view,
                                          .context = f,
                                          .steps = &f->out->steps};

    struct bl_view_places places;

    if (!bl_view_shows(&f->set->view))
        return;
    if (!bl_view_find_left_out(&rounds, f->text, &f->sought, 0, &places.left_out) ||
        !bl_view_find_lines(&rounds, f->text, &places.left_out, &places.lines)) {
        f->status = BL_ERR_NOMEM;
        return;
    }
    if (places.lines.list.count == 0)
        return;
    f->taken = BL_NEW_ARRAY(&f->rounds, f->text.len + 1, bool);
    for (size_t i = 0; i < f->out->list.count && f->taken != NULL; i++) {
        const struct bl_secret_finding *found = &f->out->list.items[i];
        memset(f->taken + found->lo, true, found->hi - found->lo);
    }
    f->status = f->taken != NULL ? bl_view_rounds(&rounds, f->text, &places) : BL_ERR_NOMEM;
}

enum bl_status bl_secret_find(struct bl_arena *arena, const struct bl_module *m, uint32_t set,
                              bl_str text, const struct bl_secret_host *host, bool first,
                              struct bl_secret_findings *out)
{
    struct finding f = {.arena = arena,
                        .m = m,
                        .set = &m->SECRETS_rows[set],
                        .text = text,
                        .host = host,
                        .first = first,
                        .out = out};

    *out = (struct bl_secret_findings){.steps = text.len};
    begin(&f);
    look(&f);
    if (!is_done(&f))
        look_at_views(&f);
    if (f.status == BL_OK && !bl_sort(&f.scratch, out->list.items, out->list.count,
                                      sizeof *out->list.items, compare_begins, NULL))
        f.status = BL_ERR_NOMEM;
    end(&f);
    return f.status;
}
