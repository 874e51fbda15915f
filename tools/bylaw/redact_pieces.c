/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "bylaw/redact_questions.h"

#include <string.h>

/* redact-check --idempotent and --chunk: that the sample comes out the same however often it is
 * masked, and in whatever pieces it came. */

#define NOTHING ((bl_str){NULL, 0})
/* Bytes that all pieces of one size may have together: they take a minute or so. */
#define LONGEST_RUN ((uint64_t)1 << 30)

/* The first byte in which they differ; the length of both when in none. */
static size_t first_difference(bl_str a, bl_str b)
{
    size_t at = 0;

    while (at < a.len && at < b.len && a.ptr[at] == b.ptr[at])
        at++;
    return at;
}

static bool is_whole(const struct bl_redacted *a, const struct bl_redacted *b)
{
    return bl_str_equal(a->text, b->text);
}

/* ---- once more --------------------------------------------------------------------------- */

enum bl_exit bl_answer_idempotent(struct bl_check_answer *a)
{
    struct bl_redacted once, twice;
    enum bl_exit exit = bl_answer_mask(a, a->c->redactor, a->sample, &once);

    if (exit == BL_EXIT_OK)
        exit = bl_answer_mask(a, a->c->redactor, once.text, &twice);
    if (exit != BL_EXIT_OK)
        return exit;
    bool same = is_whole(&once, &twice);
    size_t at = first_difference(once.text, twice.text);
    a->failed = a->failed || !same;
    if (a->json) {
        bl_json_key(&a->w, BL_STR("idempotent"));
        bl_json_begin_object(&a->w);
        bl_answer_bool(a, "holds", same);
        if (!same) {
            bl_answer_number(a, "differs_at", at);
            bl_answer_text(a, "source",
                           twice.list.count > 0 ? twice.list.items[0].source : BL_STR(""));
        }
        bl_json_end_object(&a->w);
        return BL_EXIT_OK;
    }
    if (same) {
        BL_PUT(&a->out, "idempotent: masking the masked sample changes nothing\n");
        return BL_EXIT_OK;
    }
    bl_buf_printf(&a->out,
                  "idempotent: masked once more, the masked sample changes at byte %zu", at);
    if (twice.list.count > 0) {
        BL_PUT(&a->out, ": ");
        bl_report_visible(twice.list.items[0].source, &a->out);
    }
    BL_PUT(&a->out, ". The redaction needs a 'keep' that finds whatever its 'marker' makes.\n");
    return BL_EXIT_OK;
}

/* ---- pieces ------------------------------------------------------------------------------ */

/* What waits behind the sample, so that pieces end in it however short it is. */
static bl_str with_padding(struct bl_check_answer *a)
{
    size_t size = bl_redactor_margin(a->c->redactor), len = a->sample.len + size;
    char *bytes = bl_arena_alloc(&a->c->arena, len + 1, 1);

    if (bytes == NULL)
        return NOTHING;
    if (a->sample.len > 0)
        memcpy(bytes, a->sample.ptr, a->sample.len);
    memset(bytes + a->sample.len, '\n', size);
    return (bl_str){bytes, len};
}

/* Of the sample itself; spans of the whole and of pieces alike. */
struct piecewise {
    struct bl_check_answer *a;
    bl_str text;
    size_t size;
    const struct bl_redacted *whole;
    size_t next; /* span of the whole */
    size_t at;   /* where they differ; SIZE_MAX */
};

static void compare_spans(struct piecewise *p, const struct bl_redacted *piece, size_t base)
{
    for (size_t i = 0; i < piece->list.count && p->at == SIZE_MAX; i++) {
        const struct bl_redacted_span *got = &piece->list.items[i];
        const struct bl_redacted_span *want =
            p->next < p->whole->list.count ? &p->whole->list.items[p->next] : NULL;
        p->next++;
        if (want == NULL || want->lo != base + got->lo || want->hi != base + got->hi ||
            !bl_str_equal(want->marker, got->marker))
            p->at = want != NULL && want->lo < base + got->lo ? want->lo : base + got->lo;
    }
}

/* Takes `size` further bytes each time, and twice as many while all of it may be one secret. */
static enum bl_exit mask_pieces(struct piecewise *p)
{
    struct bl_check *c = p->a->c;
    size_t at = 0, end = bl_redactor_margin(c->redactor), more = p->size;

    for (bool last = false; !last && p->at == SIZE_MAX;) {
        struct bl_redacted piece;
        bl_str problem = NOTHING;
        struct bl_arena_mark mark = bl_arena_mark(&c->work);
        size_t front = at;
        end = p->text.len - end > more ? end + more : p->text.len;
        last = end == p->text.len;
        while (front > 0 && at - front < 4 &&
               (front == at || ((unsigned char)p->text.ptr[front] & 0xC0) == 0x80))
            front--;
        bl_text_run_renew(c->run);
        enum bl_status status =
            bl_redact_piece(c->redactor, &c->work, bl_str_slice(p->text, front, end),
                            at - front, last, &piece, &problem);
        if (status != BL_OK)
            return bl_check_failed(c, NOTHING, status, problem);
        compare_spans(p, &piece, front);
        more = front + piece.settled > at ? p->size : more * 2;
        at = front + piece.settled > at ? front + piece.settled : at;
        bl_arena_release(&c->work, mark);
    }
    if (p->at == SIZE_MAX && p->next < p->whole->list.count)
        p->at = p->whole->list.items[p->next].lo;
    return BL_EXIT_OK;
}

static void say_pieces(struct bl_check_answer *a, const struct piecewise *p)
{
    bool same = p->at == SIZE_MAX;

    a->failed = a->failed || !same;
    if (a->json) {
        bl_json_begin_object(&a->w);
        bl_answer_number(a, "size", p->size);
        bl_answer_bool(a, "holds", same);
        if (!same)
            bl_answer_number(a, "differs_at", p->at);
        bl_json_end_object(&a->w);
    } else if (same) {
        bl_buf_printf(&a->out, "chunk: in pieces of %zu bytes the same comes out\n", p->size);
    } else {
        bl_buf_printf(&a->out,
                      "chunk: in pieces of %zu bytes other places are masked from byte %zu on. "
                      "What a pattern finds should not be longer than %zu bytes.\n",
                      p->size, p->at, bl_redactor_margin(a->c->redactor));
    }
}

static enum bl_exit wrong_sizes(struct bl_check_answer *a)
{
    return bl_check_say(a->c, NOTHING,
                        BL_STR("--chunk takes numbers of bytes with commas between them: "
                               "1,7,4096."),
                        BL_EXIT_USAGE);
}

static enum bl_exit one_size(struct bl_check_answer *a, bl_str text,
                             const struct bl_redacted *whole, size_t size)
{
    struct piecewise p = {.a = a, .text = text, .size = size, .whole = whole, .at = SIZE_MAX};
    uint64_t pieces = a->sample.len / size + 1;
    struct bl_buf why;

    if (pieces * (bl_redactor_margin(a->c->redactor) + size) > LONGEST_RUN) {
        bl_buf_init(&why, &a->c->arena, 1024);
        bl_buf_printf(&why,
                      "Pieces of %zu bytes would take too long for a sample of %zu bytes. Take "
                      "a part of it.",
                      size, a->sample.len);
        return bl_check_say(a->c, NOTHING, bl_buf_str(&why), BL_EXIT_USAGE);
    }
    enum bl_exit exit = mask_pieces(&p);
    if (exit == BL_EXIT_OK)
        say_pieces(a, &p);
    return exit;
}

enum bl_exit bl_answer_chunk(struct bl_check_answer *a)
{
    bl_str sizes = bl_argument(a->c->arguments, "chunk", NOTHING), text = with_padding(a);
    struct bl_redacted whole;

    if (a->c->is_trajectory)
        return bl_check_say(a->c, NOTHING,
                            BL_STR("A trajectory is masked value by value, never in pieces of "
                                   "so many bytes."),
                            BL_EXIT_USAGE);
    if (text.ptr == NULL)
        return bl_check_out_of_memory(a->c);
    enum bl_exit exit = bl_answer_mask(a, a->c->redactor, text, &whole);
    if (exit == BL_EXIT_OK && a->json) {
        bl_json_key(&a->w, BL_STR("chunks"));
        bl_json_begin_array(&a->w);
    }
    do {
        size_t end = bl_str_find_char(sizes, ',');
        int64_t size = 0;
        if (exit == BL_EXIT_OK &&
            (!bl_int_parse(bl_str_slice(sizes, 0, end), &size) || size < 1))
            return wrong_sizes(a);
        if (exit == BL_EXIT_OK)
            exit = one_size(a, text, &whole, (size_t)size);
        sizes = bl_str_slice(sizes, end == SIZE_MAX ? end : end + 1, SIZE_MAX);
    } while (sizes.len > 0 && exit == BL_EXIT_OK);
    if (exit == BL_EXIT_OK && a->json)
        bl_json_end_array(&a->w);
    return exit;
}
