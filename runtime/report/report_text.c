/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "report/report_formats.h"
#include "spec/tables.h"

#define EXCERPT_WIDTH 100
#define EXCERPT_LEAD  24 /* columns shown before a place that lies far to the right */

struct text_report {
    struct bl_sources *sources;
    const struct bl_report_options *options;
    struct bl_buf *out;
};

enum style { STYLE_BOLD, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE, STYLE_LINE, STYLE_HELP };

static void style_on(struct text_report *r, enum style style)
{
    static const char *const codes[] = {
        [STYLE_BOLD] = "\033[1m",  [STYLE_ERROR] = "\033[1;31m", [STYLE_WARNING] = "\033[1;33m",
        [STYLE_NOTE] = "\033[36m", [STYLE_LINE] = "\033[34m",    [STYLE_HELP] = "\033[32m",
    };
    if (r->options->colour)
        bl_buf_put(r->out, bl_str_from(codes[style]));
}

static void style_off(struct text_report *r)
{
    if (r->options->colour)
        BL_PUT(r->out, "\033[0m");
}

static enum style style_of(enum bl_severity severity)
{
    switch (severity) {
    case BL_SEVERITY_ERROR:
        return STYLE_ERROR;
    case BL_SEVERITY_WARNING:
        return STYLE_WARNING;
    case BL_SEVERITY_NOTE:
    case BL_SEVERITY_OFF:
        break;
    }
    return STYLE_NOTE;
}

/* Of a module whose sources are not at hand only their names are known. */
static bool is_there(struct text_report *r, struct bl_span span)
{
    bl_str text = bl_sources_text(r->sources, (struct bl_span){0, span.hi, span.source});

    return text.len >= span.lo;
}

static void place(struct text_report *r, struct bl_span span)
{
    const struct bl_source *source = bl_sources_get(r->sources, span.source);
    if (source == NULL)
        return;
    struct bl_position at = bl_sources_position(r->sources, span.source, span.lo);
    bl_report_visible(source->path, r->out);
    if (is_there(r, span))
        bl_buf_printf(r->out, ":%u:%u: ", (unsigned)at.line, (unsigned)at.column_chars);
    else
        BL_PUT(r->out, ": ");
}

static void spaces(struct bl_buf *out, size_t count)
{
    while (count-- > 0)
        bl_buf_put_char(out, ' ');
}

/* The part of a line that fits: [from, to) bytes, at code points, around [lo, hi). */
static bl_str window(bl_str line, size_t lo, size_t width, size_t *from)
{
    *from = 0;
    if (line.len > width && lo > width - EXCERPT_LEAD) {
        *from = lo - EXCERPT_LEAD;
        while (*from < lo && ((unsigned char)line.ptr[*from] & 0xC0) == 0x80)
            (*from)++;
    }
    bl_str rest = bl_str_slice(line, *from, line.len);
    return rest.len > width ? bl_utf8_prefix(rest, width) : rest;
}

static unsigned digits_of(unsigned number)
{
    unsigned digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

/* The line of a span, and below it `mark` under the span's bytes with a label behind. */
static void excerpt(struct text_report *r, struct bl_span span, char mark, bl_str label,
                    enum style style)
{
    const struct bl_source *source = bl_sources_get(r->sources, span.source);
    if (source == NULL || source->foreign || !is_there(r, span))
        return;
    struct bl_position at = bl_sources_position(r->sources, span.source, span.lo);
    bl_str line = bl_sources_line(r->sources, span.source, at.line);
    size_t lo = at.column - 1;
    size_t hi = lo + (span.hi > span.lo ? span.hi - span.lo : 0);
    if (lo > line.len)
        lo = line.len;
    if (hi > line.len)
        hi = line.len;
    size_t from;
    bl_str shown =
        window(line, lo, r->options->width != 0 ? r->options->width : EXCERPT_WIDTH, &from);
    unsigned margin = digits_of(at.line) < 5 ? 5 : digits_of(at.line);

    style_on(r, STYLE_LINE);
    bl_buf_printf(r->out, "%*u | ", (int)margin, (unsigned)at.line);
    style_off(r);
    if (from > 0)
        BL_PUT(r->out, "…");
    bl_report_visible(shown, r->out);
    if (from + shown.len < line.len)
        BL_PUT(r->out, "…");
    BL_PUT(r->out, "\n");

    /* Columns are those of the visible form, so the same function measures them. */
    struct bl_buf scratch;
    bl_buf_init(&scratch, r->out->arena, SIZE_MAX / 2);
    size_t before = bl_report_visible(bl_str_slice(line, from, lo), &scratch) + (from > 0);
    size_t end = hi > from + shown.len ? from + shown.len : hi;
    size_t under = bl_report_visible(bl_str_slice(line, lo, end), &scratch);
    style_on(r, STYLE_LINE);
    bl_buf_printf(r->out, "%*s | ", (int)margin, "");
    style_off(r);
    spaces(r->out, before);
    style_on(r, style);
    bl_buf_put_char(r->out, mark);
    for (size_t i = 1; i < under; i++)
        bl_buf_put_char(r->out, mark);
    if (label.len > 0) {
        BL_PUT(r->out, " ");
        bl_report_visible(label, r->out);
    }
    style_off(r);
    BL_PUT(r->out, "\n");
}

static bl_str rendered(struct text_report *r, const struct bl_diagnostic *d,
                       void (*write)(const struct bl_diagnostic *, struct bl_buf *))
{
    struct bl_buf scratch;
    bl_buf_init(&scratch, r->out->arena, SIZE_MAX / 2);
    write(d, &scratch);
    return bl_buf_str(&scratch);
}

static void fix_line(struct text_report *r, const struct bl_diagnostic *d)
{
    bl_str old = bl_sources_text(r->sources, d->fix_span);
    style_on(r, STYLE_HELP);
    BL_PUT(r->out, "  fix: ");
    style_off(r);
    if (bl_str_find_char(old, '\n') != SIZE_MAX) {
        BL_PUT(r->out, "'policyc --fix' writes these lines.\n");
        return;
    }
    if (old.len == 0) {
        BL_PUT(r->out, "insert '");
    } else {
        BL_PUT(r->out, "replace '");
        bl_report_visible(bl_utf8_prefix(old, 80), r->out);
        bl_buf_put(r->out, bl_str_from(d->fix_text.len == 0 ? "' by nothing" : "' by '"));
    }
    if (d->fix_text.len > 0) {
        bl_report_visible(bl_utf8_prefix(d->fix_text, 200), r->out);
        BL_PUT(r->out, "'");
    } else if (old.len == 0) {
        BL_PUT(r->out, "'");
    }
    BL_PUT(r->out, "\n");
}

/* What '# allow' and 'lint' in a policy take. */
static void rule_name(struct text_report *r, unsigned code)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(code);

    if (info == NULL || info->lint.len == 0)
        return;
    BL_PUT(r->out, " ");
    bl_buf_put(r->out, info->lint);
}

static void one(struct text_report *r, const struct bl_diagnostic *d)
{
    style_on(r, STYLE_BOLD);
    place(r, d->span);
    style_off(r);
    style_on(r, style_of(d->severity));
    bl_buf_put(r->out, bl_report_severity(d->severity));
    BL_PUT(r->out, "[");
    bl_report_code(d->code, r->out);
    rule_name(r, d->code);
    BL_PUT(r->out, "]");
    style_off(r);
    BL_PUT(r->out, ": ");
    style_on(r, STYLE_BOLD);
    bl_report_visible(rendered(r, d, bl_report_message), r->out);
    style_off(r);
    BL_PUT(r->out, "\n");
    excerpt(r, d->span, '^', (bl_str){NULL, 0}, style_of(d->severity));
    for (size_t i = 0; i < d->label_count; i++) {
        if (d->labels[i].span.source == BL_NO_SOURCE) {
            BL_PUT(r->out, "  note: ");
            bl_report_visible(d->labels[i].text, r->out);
            BL_PUT(r->out, "\n");
            continue;
        }
        BL_PUT(r->out, "  ");
        place(r, d->labels[i].span);
        BL_PUT(r->out, "note\n");
        excerpt(r, d->labels[i].span, '~', d->labels[i].text, STYLE_NOTE);
    }
    bl_str help = rendered(r, d, bl_report_help);
    if (help.len > 0) {
        style_on(r, STYLE_HELP);
        BL_PUT(r->out, "  help: ");
        style_off(r);
        bl_report_visible(help, r->out);
        BL_PUT(r->out, "\n");
    }
    if (d->has_fix)
        fix_line(r, d);
}

static void counted(struct bl_buf *out, size_t count, const char *word)
{
    bl_buf_printf(out, "%zu %s%s", count, word, count == 1 ? "" : "s");
}

void bl_report_text(struct bl_sources *sources, const struct bl_diagnostics *sink,
                    const struct bl_report_options *options, struct bl_buf *out)
{
    struct text_report r = {sources, options, out};
    for (size_t i = 0; i < sink->list.count; i++)
        one(&r, sink->list.items[i]);
    if (sink->errors + sink->warnings == 0)
        return;
    counted(out, sink->errors + sink->dropped, "error");
    if (sink->warnings > 0) {
        BL_PUT(out, ", ");
        counted(out, sink->warnings, "warning");
    }
    if (sink->dropped > 0)
        bl_buf_printf(out, "; the first %zu are shown", sink->errors);
    BL_PUT(out, ".");
    if (sink->errors > 0)
        BL_PUT(out, " 'policyc --explain CODE' says more about each.");
    BL_PUT(out, "\n");
}
