/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_check.h"
#include "vm/machine.h"

#include <string.h>

/* Samples of redact-check, piece by piece: memory does not grow with them. */

#define NOTHING       ((bl_str){NULL, 0})
#define SHOWN_DIGITS  24u /* of a digest */
#define PIECE_BYTES   ((size_t)1 << 20)
#define LONGEST_PIECE ((size_t)64 << 20)

static bl_str shown_name(bl_str path)
{
    return bl_str_equal(path, BL_STR("-")) ? NOTHING : path;
}

/* ---- what is left -------------------------------------------------------------------------
 */

/* The digest of what is left; whether the baseline has it. */
static bool is_in_baseline(struct bl_check *c, bl_str value, char shown[BL_DIGEST_HEX])
{
    unsigned char digest[BL_DIGEST_BYTES];
    bool known = false;

    bl_redactor_digest(c->redactor, value, digest);
    bl_digest_hex(digest, shown);
    for (size_t i = 0; i < c->baseline.count; i++) {
        struct bl_known_left *row = &c->baseline.items[i];
        bool same = bl_str_equal(row->digest, (bl_str){shown, SHOWN_DIGITS});
        row->is_there = row->is_there || same;
        known = known || same;
    }
    return known;
}

static void say_left(struct bl_check *c, bl_str name, bl_str text,
                     const struct bl_secret_finding *found)
{
    const struct bl_module *m = &c->session.module;
    char digest[BL_DIGEST_HEX];
    struct bl_buf out;

    if (is_in_baseline(c, bl_str_slice(text, found->lo, found->hi), digest))
        return;
    bl_buf_init(&out, &c->work, 1 << 17);
    bl_report_visible(name, &out);
    bl_buf_printf(&out, "%sleft: %llu-%llu %.*s", name.len > 0 ? ": " : "",
                  (unsigned long long)(c->rest_base + found->lo),
                  (unsigned long long)(c->rest_base + found->hi),
                  BL_STR_ARG(bl_module_string(m, m->FINDERS_rows[found->finder].kind)));
    if (found->bits > 0)
        bl_buf_printf(&out, ", %u bits", found->bits);
    /* By chance it would be another one next time. */
    if (bl_check_given(c, "key") > 0)
        bl_buf_printf(&out, ", digest %.*s", (int)SHOWN_DIGITS, digest);
    BL_PUT(&out, "\n");
    bl_print_error_quoted(&c->work, bl_buf_str(&out));
    c->left++;
}

/* Up to where nothing that was found goes on. */
static size_t settled_at(const struct bl_secret_findings *found, size_t len, size_t margin)
{
    size_t at = len > margin ? len - margin : 0;

    for (size_t i = found->list.count; i-- > 0;) {
        const struct bl_secret_finding *f = &found->list.items[i];
        if (f->lo < at && at < f->hi)
            at = f->lo;
    }
    return at;
}

/* The masked text is looked at as it grows; what is not settled waits for the next piece. */
static enum bl_exit look_for_rest(struct bl_check *c, bl_str name, bl_str masked, bool last)
{
    struct bl_secret_findings found;
    struct bl_arena next;

    if (c->residue == BL_NONE)
        return BL_EXIT_OK;
    char *bytes = bl_arena_alloc(&c->work, c->rest.len + masked.len + 1, 1);
    if (bytes == NULL)
        return bl_check_out_of_memory(c);
    if (c->rest.len > 0)
        memcpy(bytes, c->rest.ptr, c->rest.len);
    memcpy(bytes + c->rest.len, masked.ptr, masked.len);
    bl_str text = {bytes, c->rest.len + masked.len};
    bl_text_run_renew(c->run);
    enum bl_status status =
        bl_machine_secrets(bl_text_run_machine(c->run), c->residue, text, false, &found);
    if (status != BL_OK)
        return bl_check_failed(c, name, status, NOTHING);
    size_t at = last ? text.len : settled_at(&found, text.len, bl_redactor_margin(c->redactor));
    for (size_t i = 0; i < found.list.count; i++) {
        const struct bl_secret_finding *f = &found.list.items[i];
        if (f->lo >= c->rest_from && f->lo < at)
            say_left(c, name, text, f);
    }
    size_t keep = at > c->rest_from + 4 ? at - 4 : c->rest_from;
    bl_arena_init(&next, SIZE_MAX, NULL);
    c->rest = bl_arena_copy(&next, bl_str_slice(text, keep, text.len));
    if (next.failed)
        return bl_check_out_of_memory(c);
    bl_arena_reset(&c->rest_arena);
    c->rest_arena = next;
    c->rest_base += keep;
    c->rest_from = at > keep ? at - keep : 0;
    return BL_EXIT_OK;
}

/* ---- one piece ----------------------------------------------------------------------------
 */

static enum bl_exit mask_piece(struct bl_check *c, bl_str name, struct bl_pieces *pieces,
                               bool *moved)
{
    struct bl_redacted redacted;
    bl_str problem = NOTHING;

    bl_text_run_renew(c->run);
    enum bl_status status = bl_redact_piece(c->redactor, &c->work, bl_pieces_text(pieces),
                                            pieces->from, pieces->ended, &redacted, &problem);
    if (status != BL_OK)
        return bl_check_failed(c, name, status, problem);
    *moved = redacted.settled > pieces->from;
    if (!*moved && !pieces->ended)
        return BL_EXIT_OK;
    bl_check_sample_piece(c, name, bl_pieces_text(pieces), &redacted, pieces->base);
    enum bl_exit exit = look_for_rest(c, name, redacted.text, pieces->ended);
    bl_pieces_take(pieces, redacted.settled);
    return exit;
}

/* Lines of a trajectory are whole; else it has to be there as a whole. */
static enum bl_exit mask_lines(struct bl_check *c, bl_str name, struct bl_pieces *pieces,
                               bool *lines, bool *moved)
{
    bl_str text = bl_str_slice(bl_pieces_text(pieces), pieces->from, pieces->len);
    struct bl_redacted redacted;
    bl_str problem = NOTHING;
    size_t first = bl_str_find_char(text, '\n'), end = text.len;

    *moved = false;
    if (!*lines && first != SIZE_MAX)
        *lines = bl_check_is_json(&c->work, bl_str_trim(bl_str_slice(text, 0, first)));
    while (*lines && !pieces->ended && end > 0 && text.ptr[end - 1] != '\n')
        end--;
    if ((!*lines && !pieces->ended) || end == 0)
        return BL_EXIT_OK;
    bl_text_run_renew(c->run);
    enum bl_status status = bl_check_trajectory(
        c->redactor, &c->work, bl_str_slice(text, 0, end), &redacted, &problem);
    if (status != BL_OK)
        return bl_check_failed(c, name, status, problem);
    bl_check_sample_piece(c, name, text, &redacted, pieces->base + pieces->from);
    *moved = true;
    enum bl_exit exit = look_for_rest(c, name, redacted.text, pieces->ended);
    bl_pieces_take(pieces, pieces->from + end);
    return exit;
}

/* ---- one sample ---------------------------------------------------------------------------
 */

static enum bl_exit longer_piece(struct bl_check *c, bl_str name, struct bl_pieces *pieces,
                                 size_t limit)
{
    bl_str why = NOTHING;
    struct bl_buf out;

    if (bl_pieces_grow(pieces, limit, &why))
        return BL_EXIT_OK;
    if (why.len > 0)
        return bl_check_say(c, name, why, BL_EXIT_UNREADABLE);
    bl_buf_init(&out, &c->arena, 4096);
    bl_buf_printf(&out, "What begins at byte %llu ",
                  (unsigned long long)(pieces->base + pieces->from));
    bl_buf_printf(&out, "and %s is longer than %zu MiB; it cannot be masked as a whole.",
                  c->is_trajectory ? "is one line or one value" : "may be one secret",
                  limit >> 20);
    return bl_check_say(c, name, bl_buf_str(&out), BL_EXIT_UNREADABLE);
}

static enum bl_exit mask_sample(struct bl_check *c, bl_str name, struct bl_pieces *pieces)
{
    enum bl_exit exit = BL_EXIT_OK;
    bl_str why = NOTHING;
    bool lines = false, done = false;
    size_t limit = c->is_trajectory ? (size_t)bl_limit(BL_LIMIT_WORLD_BYTES) : LONGEST_PIECE;

    while (exit == BL_EXIT_OK && !done) {
        bool moved = false;
        if (!bl_pieces_fill(pieces, &why))
            return bl_check_say(c, name, why, BL_EXIT_UNREADABLE);
        done = pieces->ended;
        exit = c->is_trajectory ? mask_lines(c, name, pieces, &lines, &moved)
                                : mask_piece(c, name, pieces, &moved);
        bl_arena_reset(&c->work);
        if (exit == BL_EXIT_OK && !moved && !done)
            exit = longer_piece(c, name, pieces, limit);
    }
    return exit;
}

static enum bl_exit one_sample(struct bl_check *c, bl_str name, struct bl_pieces *pieces)
{
    c->rest = NOTHING;
    c->rest_from = 0;
    c->rest_base = 0;
    bl_check_sample_begin(c);
    enum bl_exit exit = mask_sample(c, name, pieces);
    bl_pieces_close(pieces);
    bl_arena_reset(&c->rest_arena);
    if (exit == BL_EXIT_OK)
        bl_check_sample_end(c, name);
    return exit;
}

enum bl_exit bl_check_samples(struct bl_check *c)
{
    size_t size = 4 * bl_redactor_margin(c->redactor);
    enum bl_exit exit = BL_EXIT_OK;
    struct bl_pieces pieces;
    bl_str why = NOTHING;

    if (c->sources.count == 0 && c->arguments->operands.count == 0) {
        return bl_pieces_of(&pieces, c->text, &why)
                   ? one_sample(c, NOTHING, &pieces)
                   : bl_check_say(c, NOTHING, why, BL_EXIT_INTERNAL);
    }
    for (size_t i = 0; i < c->sources.count && exit == BL_EXIT_OK; i++) {
        bl_str path = c->sources.items[i].path;
        if (!bl_pieces_open(&pieces, path, size > PIECE_BYTES ? size : PIECE_BYTES, &why))
            return bl_check_say(c, shown_name(path), why, BL_EXIT_UNREADABLE);
        exit = one_sample(c, shown_name(path), &pieces);
    }
    return exit;
}
