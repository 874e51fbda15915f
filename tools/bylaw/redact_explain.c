/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "bylaw/redact_questions.h"
#include "bylaw/try_text.h"

/* redact-check --explain OFFSET: which row masks a byte, or what came near to it. */

#define NOTHING ((bl_str){NULL, 0})

struct why {
    struct bl_check_answer *a;
    size_t at;
    struct bl_match found;            /* what holds the byte; empty: nothing */
    uint32_t bits;                    /* of the measure of chance */
    bool first;                       /* nothing was said yet */
    const struct bl_redacted *masked; /* the sample */
};

/* ---- one reason -------------------------------------------------------------------------- */

static void say_reason(struct why *w, bl_str reason, bl_str place)
{
    struct bl_check_answer *a = w->a;

    w->first = false;
    if (a->json) {
        bl_json_begin_object(&a->w);
        bl_answer_text(a, "reason", reason);
        bl_answer_text(a, "rule", place);
        bl_json_end_object(&a->w);
        return;
    }
    bl_buf_printf(&a->out, "  %.*s\n", BL_STR_ARG(reason));
    if (place.len > 0)
        bl_buf_printf(&a->out, "      %.*s\n", BL_STR_ARG(place));
}

static bool holds(void *context, struct bl_match match)
{
    struct why *w = context;

    if (match.lo <= w->at && w->at < match.hi)
        w->found = match;
    return match.hi <= w->at;
}

static bool segment_holds(void *context, struct bl_chance_segment segment)
{
    struct why *w = context;

    if (segment.lo <= w->at && w->at < segment.hi) {
        w->found = (struct bl_match){segment.lo, segment.hi};
        w->bits = segment.bits;
    }
    return segment.hi <= w->at;
}

/* ---- what came near ---------------------------------------------------------------------- */

/* Something of what the pattern found is masked: its condition held. */
static bool took_part(const struct why *w)
{
    for (size_t i = 0; i < w->masked->list.count; i++) {
        const struct bl_redacted_span *span = &w->masked->list.items[i];
        if (span->lo < w->found.hi && w->found.lo < span->hi)
            return true;
    }
    return false;
}

/* The pattern finds the byte, and the row masks it all the same not. */
static void near_row(struct why *w, bl_str text, uint32_t index)
{
    const struct bl_check *c = w->a->c;
    const struct bl_module *m = &c->session.module;
    const struct bl_module_mask *row = &m->MASKS_rows[index];
    struct bl_buf out;

    if (row->part == BL_NONE || row->field != BL_MASK_TEXT)
        return;
    const struct bl_module_part *part = &m->PARTS_rows[row->part];
    w->found = (struct bl_match){0, 0};
    if (!bl_pattern_each(&w->a->c->work, bl_answer_pattern(w->a, part->pattern), text, holds,
                         w) ||
        w->found.hi == 0)
        return;
    bl_buf_init(&out, &w->a->c->arena, 1 << 16);
    bl_report_visible(bl_redactor_row(c->redactor, index).kind, &out);
    bl_buf_printf(&out, ": its pattern finds %zu-%zu, but %s", w->found.lo, w->found.hi,
                  row->when == BL_NONE || (part->front != BL_NONE && took_part(w))
                      ? "this byte is no part of its group."
                  : part->front == BL_NONE
                      ? "its condition spares that."
                      : "its condition spares that, or the byte is no part "
                        "of its group.");
    say_reason(w, bl_buf_str(&out), bl_answer_place(w->a, row->place, row->lo));
}

static void near_marker(struct why *w, bl_str text)
{
    const struct bl_module *m = &w->a->c->session.module;
    uint32_t keep = m->REDACTIONS_rows[w->a->c->redaction].keep;
    struct bl_buf out;

    w->found = (struct bl_match){0, 0};
    if (keep == BL_NONE ||
        !bl_pattern_each(&w->a->c->work, bl_answer_pattern(w->a, m->PARTS_rows[keep].pattern),
                         text, holds, w) ||
        w->found.hi == 0)
        return;
    bl_buf_init(&out, &w->a->c->arena, 1024);
    bl_buf_printf(&out, "It stands in a marker, %zu-%zu, which 'keep' leaves as it is.",
                  w->found.lo, w->found.hi);
    say_reason(w, bl_buf_str(&out), NOTHING);
}

/* Rows for the keys of JSON have nothing to look at where the sample is read as a text. */
static void near_fields(struct why *w, const struct bl_module_redaction *redaction)
{
    const struct bl_module *m = &w->a->c->session.module;

    for (uint32_t i = 0; i < redaction->mask_count && !w->a->c->is_trajectory; i++) {
        const struct bl_module_mask *row = &m->MASKS_rows[redaction->first_mask + i];
        if (row->list != BL_NONE || row->field == BL_MASK_TEXT)
            continue;
        say_reason(w,
                   BL_STR("The sample was read as a text; rows for the keys of JSON look where "
                          "it is a --trajectory."),
                   bl_answer_place(w->a, row->place, row->lo));
        break;
    }
}

/* How far from chance: what the random rows of the policy ask for, and what is there. */
static void near_chance(struct why *w, bl_str text)
{
    const struct bl_module *m = &w->a->c->session.module;
    struct bl_buf out;

    w->found = (struct bl_match){0, 0};
    if (!bl_chance_each(&w->a->c->work, text, 1, 1, segment_holds, w))
        return;
    bl_buf_init(&out, &w->a->c->arena, 1 << 14);
    if (w->found.hi == 0)
        BL_PUT(&out, "By chance: what stands here reads like words, code or a path.");
    else
        bl_buf_printf(&out,
                      "By chance: %zu-%zu has %zu characters and %u bits more than code "
                      "would have.",
                      w->found.lo, w->found.hi, w->found.hi - w->found.lo, w->bits);
    say_reason(w, bl_buf_str(&out), NOTHING);
    for (uint32_t i = 0; i < m->FINDERS_count; i++) {
        const struct bl_module_finder *row = &m->FINDERS_rows[i];
        if (row->part != BL_NONE)
            continue;
        bl_buf_init(&out, &w->a->c->arena, 1 << 14);
        bl_buf_printf(&out, "%.*s: asks for %u characters and %u bits.",
                      BL_STR_ARG(bl_module_string(m, row->kind)), row->least, row->bits);
        say_reason(w, bl_buf_str(&out), bl_answer_place(w->a, row->source, row->lo));
        break; /* sets that are `like` it have the same */
    }
}

static enum bl_exit near_secrets(struct why *w, bl_str text)
{
    struct bl_check *c = w->a->c;
    const struct bl_module *m = &c->session.module;

    for (uint32_t set = 0; set < m->SECRETS_count; set++) {
        struct bl_secret_findings found;
        struct bl_buf out;

        bl_text_run_renew(c->run);
        enum bl_status status =
            bl_machine_secrets(bl_text_run_machine(c->run), set, text, false, &found);
        if (status != BL_OK)
            return bl_check_failed(c, NOTHING, status, NOTHING);
        for (size_t i = 0; i < found.list.count; i++) {
            const struct bl_secret_finding *f = &found.list.items[i];
            const struct bl_module_finder *row = &m->FINDERS_rows[f->finder];
            if (w->at < f->lo || w->at >= f->hi)
                continue;
            bl_buf_init(&out, &c->arena, 1 << 14);
            bl_buf_printf(&out,
                          "The secrets '%.*s' find %.*s here, %zu-%zu; --residue looks "
                          "for them.",
                          BL_STR_ARG(bl_module_string(m, m->SECRETS_rows[set].name)),
                          BL_STR_ARG(bl_module_string(m, row->kind)), f->lo, f->hi);
            say_reason(w, bl_buf_str(&out), bl_answer_place(w->a, row->source, row->lo));
            break;
        }
    }
    return BL_EXIT_OK;
}

/* ---- the answer -------------------------------------------------------------------------- */

static void say_masked(struct why *w, const struct bl_redacted_span *span)
{
    struct bl_check_answer *a = w->a;
    const struct bl_module_mask *row = &a->c->session.module.MASKS_rows[span->mask];
    bl_str place = bl_answer_place(a, row->place, row->lo);

    if (a->json) {
        bl_answer_number(a, "start", span->lo);
        bl_answer_number(a, "end", span->hi);
        bl_answer_text(a, "kind", span->kind);
        bl_answer_text(a, "source", span->source);
        bl_answer_text(a, "rule", place);
        return;
    }
    bl_buf_printf(&a->out, "byte %zu: masked, with %zu-%zu, as %.*s from ", w->at, span->lo,
                  span->hi, BL_STR_ARG(span->kind));
    bl_report_visible(span->source, &a->out);
    bl_buf_printf(&a->out, "\n      %.*s\n", BL_STR_ARG(place));
}

static enum bl_exit say_spared(struct why *w)
{
    struct bl_check_answer *a = w->a;
    const struct bl_module_redaction *row =
        &a->c->session.module.REDACTIONS_rows[a->c->redaction];
    enum bl_exit exit = BL_EXIT_OK;

    if (a->json) {
        bl_json_key(&a->w, BL_STR("reasons"));
        bl_json_begin_array(&a->w);
    } else {
        bl_buf_printf(&a->out, "byte %zu: not masked\n", w->at);
    }
    /* The measure and patterns read valid UTF-8. */
    bl_str text = bl_text_read(&a->c->work, a->sample);
    if (text.len != a->sample.len) {
        say_reason(w, BL_STR("The sample is no UTF-8 throughout; ask about a part that is."),
                   NOTHING);
    } else if (!bl_redactor_is_on(a->c->redactor)) {
        say_reason(w, BL_STR("The redaction is off (its 'when')."), NOTHING);
    } else {
        near_marker(w, text);
        for (uint32_t i = 0; i < row->mask_count; i++)
            near_row(w, text, row->first_mask + i);
        if (w->first)
            say_reason(w,
                       BL_STR("No pattern of the redaction finds this byte, and no known "
                              "value stands here."),
                       NOTHING);
        near_fields(w, row);
        near_chance(w, text);
        exit = near_secrets(w, text);
    }
    if (a->json)
        bl_json_end_array(&a->w);
    return exit;
}

enum bl_exit bl_answer_explain(struct bl_check_answer *a)
{
    struct why w = {.a = a, .first = true};
    struct bl_redacted masked;
    const struct bl_redacted_span *span = NULL;
    int64_t at = 0;

    if (!bl_int_parse(bl_argument(a->c->arguments, "explain", NOTHING), &at) ||
        (uint64_t)at >= a->sample.len) {
        struct bl_buf why;
        bl_buf_init(&why, &a->c->arena, 1024);
        bl_buf_printf(&why,
                      "--explain takes the number of a byte of the sample, which has %zu; "
                      "the first is 0.",
                      a->sample.len);
        return bl_check_say(a->c, NOTHING, bl_buf_str(&why), BL_EXIT_USAGE);
    }
    w.at = (size_t)at;
    w.masked = &masked;
    enum bl_exit exit = bl_answer_mask(a, a->c->redactor, a->sample, &masked);
    for (size_t i = 0; exit == BL_EXIT_OK && i < masked.list.count; i++) {
        if (masked.list.items[i].lo <= w.at && w.at < masked.list.items[i].hi)
            span = &masked.list.items[i];
    }
    if (exit != BL_EXIT_OK)
        return exit;
    if (a->json) {
        bl_json_key(&a->w, BL_STR("explain"));
        bl_json_begin_object(&a->w);
        bl_answer_number(a, "offset", w.at);
        bl_answer_bool(a, "masked", span != NULL);
    }
    if (span != NULL)
        say_masked(&w, span);
    else
        exit = say_spared(&w);
    if (a->json)
        bl_json_end_object(&a->w);
    return exit;
}
