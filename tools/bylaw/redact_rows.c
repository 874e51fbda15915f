/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_questions.h"

/* redact-check --list-kinds: the rows of the redaction, and what each finds in the sample. */

#define MUCH_PERCENT 5u

/* ---- one row ----------------------------------------------------------------------------- */

struct row {
    const struct bl_module_mask *mask;
    struct bl_redactor_row found;
    size_t values, patterns; /* of a list */
    bool is_empty;           /* a pattern finds something in an empty text, too */
    bool is_much, is_shadowed;
};

static void count_list(const struct bl_check *c, uint32_t index, struct row *row)
{
    for (size_t i = 0; i < bl_redactor_known_count(c->redactor); i++) {
        struct bl_redactor_known known = bl_redactor_known(c->redactor, i);
        if (known.mask != index)
            continue;
        row->patterns += known.value.len == 0;
        row->values += known.value.len > 0;
    }
}

static struct row row_of(const struct bl_check_answer *a, uint32_t index)
{
    const struct bl_module *m = &a->c->session.module;
    struct row row = {.mask = &m->MASKS_rows[index],
                      .found = bl_redactor_row(a->c->redactor, index)};

    count_list(a->c, index, &row);
    if (row.mask->part != BL_NONE && row.mask->field == BL_MASK_TEXT)
        row.is_empty = bl_pattern_matches(
            bl_answer_pattern(a, m->PARTS_rows[row.mask->part].pattern), BL_STR(""));
    row.is_much = row.found.bytes > a->sample.len / 100 * MUCH_PERCENT;
    row.is_shadowed = row.found.matches > 0 && row.found.spans == 0;
    return row;
}

static const char *looks_at(const struct row *row)
{
    static const char *const fields[] = {"text", "values below a key of a --trajectory",
                                         "values beside a name in a --trajectory",
                                         "keys below a key of a --trajectory"};

    return row->mask->list != BL_NONE ? "list" : fields[row->mask->field];
}

/* ---- what is said ------------------------------------------------------------------------ */

static void text_row(struct bl_check_answer *a, const struct row *row)
{
    struct bl_buf *out = &a->out;

    BL_PUT(out, "  ");
    bl_report_visible(row->found.kind.len > 0 ? row->found.kind : BL_STR("(of its values)"),
                      out);
    if (row->found.source.len > 0) {
        BL_PUT(out, "  ");
        bl_report_visible(row->found.source, out);
    }
    bl_buf_printf(out, "  %s", looks_at(row));
    if (row->mask->list != BL_NONE)
        bl_buf_printf(out, " of %zu", row->values + row->patterns);
    if (a->has_sample)
        bl_buf_printf(out, "  %llu match%s, %llu bytes", (unsigned long long)row->found.matches,
                      row->found.matches == 1 ? "" : "es",
                      (unsigned long long)row->found.bytes);
    BL_PUT(out, "\n      ");
    bl_buf_put(out, bl_answer_place(a, row->mask->place, row->mask->lo));
    BL_PUT(out, "\n");
    if (row->is_empty)
        BL_PUT(out, "      note: its pattern finds something in an empty text; that is never "
                    "masked.\n");
    if (a->has_sample && row->is_much && row->found.matches > 0)
        bl_buf_printf(out, "      note: it masks more than %u %% of the sample.\n",
                      MUCH_PERCENT);
    if (row->is_shadowed)
        BL_PUT(out, "      note: each of its matches stands in one of another row.\n");
}

static void json_row(struct bl_check_answer *a, const struct row *row)
{
    bl_json_begin_object(&a->w);
    bl_answer_text(a, "kind", row->found.kind);
    bl_answer_text(a, "source", row->found.source);
    bl_answer_text(a, "looks_at", bl_str_from(looks_at(row)));
    bl_answer_text(a, "rule", bl_answer_place(a, row->mask->place, row->mask->lo));
    if (row->mask->list != BL_NONE)
        bl_answer_number(a, "values", row->values + row->patterns);
    bl_answer_bool(a, "finds_empty", row->is_empty);
    if (a->has_sample) {
        bl_answer_number(a, "matches", row->found.matches);
        bl_answer_number(a, "bytes", row->found.bytes);
        bl_answer_bool(a, "masks_much", row->is_much && row->found.matches > 0);
        bl_answer_bool(a, "shadowed", row->is_shadowed);
    }
    bl_json_end_object(&a->w);
}

enum bl_exit bl_answer_kinds(struct bl_check_answer *a)
{
    const struct bl_module *m = &a->c->session.module;
    const struct bl_module_redaction *redaction = &m->REDACTIONS_rows[a->c->redaction];
    enum bl_exit exit = BL_EXIT_OK;
    struct bl_redacted masked;

    /* A redactor of its own: others count, too. */
    if (a->has_sample)
        exit = bl_check_redactor(a->c, &a->c->redactor);
    if (a->has_sample && exit == BL_EXIT_OK)
        exit = bl_answer_mask(a, a->c->redactor, a->sample, &masked);
    if (exit != BL_EXIT_OK)
        return exit;
    if (a->json) {
        bl_json_key(&a->w, BL_STR("kinds"));
        bl_json_begin_array(&a->w);
    } else {
        bl_buf_printf(&a->out, "%.*s: %u rows%s\n",
                      BL_STR_ARG(bl_module_string(m, redaction->name)), redaction->mask_count,
                      bl_redactor_is_on(a->c->redactor) ? "" : ", and it is off");
    }
    for (uint32_t i = 0; i < redaction->mask_count; i++) {
        struct row row = row_of(a, redaction->first_mask + i);
        if (a->json)
            json_row(a, &row);
        else
            text_row(a, &row);
    }
    if (a->json)
        bl_json_end_array(&a->w);
    return BL_EXIT_OK;
}
