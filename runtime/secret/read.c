/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/secret.h"
#include "secret/view_rounds.h"

/* A view called by its name: the texts that its readers have. */

struct reading {
    enum bl_status (*each)(void *context, bl_str text);
    void *context;
};

static enum bl_status show(void *context, const struct bl_view *view, unsigned seen, bool *done)
{
    const struct reading *r = context;

    (void)seen;
    (void)done;
    return r->each(r->context, view->text);
}

enum bl_status bl_secret_read(struct bl_arena *arena, const struct bl_module *m, uint32_t set,
                              bl_str text, enum bl_status (*each)(void *context, bl_str text),
                              void *context, uint64_t *steps)
{
    const struct bl_module_secrets *row = &m->SECRETS_rows[set];
    struct bl_arena scratch;
    struct reading r = {each, context};
    struct bl_secret_sought sought;
    struct bl_view_places places;
    const struct bl_view_rounds rounds = {.arena = &scratch,
                                          .m = m,
                                          .row = &row->view,
                                          .sieve = row->sieve,
                                          .whole = true,
                                          .look = show,
                                          .context = &r,
                                          .steps = steps};

    bl_arena_init(&scratch, arena->limit, arena->allocator);
    enum bl_status status = bl_secret_sought_begin(&scratch, m, row->sieve, &sought)
                                ? each(context, text)
                                : BL_ERR_NOMEM;
    for (uint32_t i = 0; status == BL_OK && i < row->view.without_count; i++)
        bl_secret_ask(&sought, row->view.first_without + i);
    if (status == BL_OK && row->view.without_count > 0 &&
        !bl_secret_seek(&sought, text, 0, steps))
        status = BL_ERR_NOMEM;
    if (status == BL_OK)
        status = bl_view_find_left_out(&rounds, text, &sought, 0, &places.left_out) &&
                         bl_view_find_lines(&rounds, text, &places.left_out, &places.lines)
                     ? bl_view_rounds(&rounds, text, &places)
                     : BL_ERR_NOMEM;
    bl_arena_reset(&scratch);
    return status;
}
