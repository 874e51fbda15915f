/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "testing/coverage.h"

#include <inttypes.h>

/* Coverage as a page: no script, no address of anything else. */

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<title>Coverage of policies</title>\n<style>\n"
    "body { font: 15px/1.5 sans-serif; margin: 2em; color: #1f2328; background: #fff }\n"
    "table { border-collapse: collapse } th, td { padding: 0 .8em; text-align: right }\n"
    "th:first-child, td:first-child { text-align: left }\n"
    "pre { font: 13px/1.45 monospace; margin: 0; white-space: pre-wrap }\n"
    ".file td { vertical-align: top } .file td.code { text-align: left }\n"
    ".hit .count { background: #dafbe1 } .miss .count { background: #ffebe9 }\n"
    "mark { background: #ffd8b5 } small { color: #9a3412 }\n"
    "</style>\n</head>\n<body>\n<h1>Coverage of policies</h1>\n";

static void put_sum(struct bl_buf *out, const struct bl_coverage_sum *sum)
{
    bl_buf_printf(out, "<td>%u%%</td>", bl_coverage_percent(sum));
    for (unsigned i = 0; i < BL_COVERAGE_KIND_COUNT; i++)
        bl_buf_printf(out, "<td>%zu/%zu</td>", sum->met[i], sum->goals[i]);
}

struct page {
    const struct bl_coverage_report *report;
    struct bl_sources *sources;
    struct bl_buf *out;
    size_t item, line; /* the next ones of the report */
};

static void put_summary(const struct page *p)
{
    uint32_t last = BL_NO_SOURCE;

    BL_PUT(p->out, "<table>\n<tr><th>File</th><th>All</th><th>Rules</th><th>Rows</th>"
                   "<th>Effects</th><th>Conditions</th></tr>\n");
    for (size_t i = 0; i < p->report->items.count; i++) {
        uint32_t source = p->report->items.items[i].source;
        if (source == last)
            continue;
        struct bl_coverage_sum sum = bl_coverage_sum_of(p->report, source);
        bl_buf_printf(p->out, "<tr><td><a href=\"#f%" PRIu32 "\">", source);
        bl_report_markup(bl_sources_get(p->sources, source)->path, p->out);
        BL_PUT(p->out, "</a></td>");
        put_sum(p->out, &sum);
        BL_PUT(p->out, "</tr>\n");
        last = source;
    }
    BL_PUT(p->out, "<tr><th>All</th>");
    put_sum(p->out, &p->report->sum);
    BL_PUT(p->out, "</tr>\n</table>\n");
}

/* What the items that begin on this line lack, each with its text. */
static void put_lacks(struct page *p, uint32_t source, uint32_t line)
{
    for (; p->item < p->report->items.count; p->item++) {
        const struct bl_coverage_item *item = &p->report->items.items[p->item];
        struct bl_span span = {item->lo, item->hi, item->source};
        bl_str lack = bl_coverage_lack(item);
        if (item->source != source ||
            bl_sources_position(p->sources, source, item->lo).line > line)
            return;
        if (lack.len == 0)
            continue;
        BL_PUT(p->out, "\n<small>");
        bl_buf_put(p->out, lack);
        BL_PUT(p->out, ": <mark>");
        bl_str text = bl_sources_text(p->sources, span);
        size_t end = bl_str_find_char(text, '\n');
        bl_report_markup(bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end), p->out);
        BL_PUT(p->out, "</mark></small>");
    }
}

static void put_line(struct page *p, uint32_t source, uint32_t line)
{
    const struct bl_coverage_line *counted =
        p->line < p->report->lines.count ? &p->report->lines.items[p->line] : NULL;

    if (counted != NULL && (counted->source != source || counted->line != line))
        counted = NULL;
    p->line += counted != NULL;
    bl_buf_printf(p->out, "<tr%s><td>%" PRIu32 "</td><td class=\"count\">",
                  counted == NULL       ? ""
                  : counted->count == 0 ? " class=\"miss\""
                                        : " class=\"hit\"",
                  line);
    if (counted != NULL)
        bl_buf_printf(p->out, "%" PRIu64, counted->count);
    BL_PUT(p->out, "</td><td class=\"code\"><pre>");
    bl_report_markup(bl_sources_line(p->sources, source, line), p->out);
    put_lacks(p, source, line);
    BL_PUT(p->out, "</pre></td></tr>\n");
}

static void put_file(struct page *p, uint32_t source)
{
    const struct bl_source *file = bl_sources_get(p->sources, source);
    uint32_t last = bl_sources_position(p->sources, source, (uint32_t)file->text.len).line;

    while (p->line < p->report->lines.count && p->report->lines.items[p->line].source < source)
        p->line++;
    bl_buf_printf(p->out, "<h2 id=\"f%" PRIu32 "\">", source);
    bl_report_markup(file->path, p->out);
    BL_PUT(p->out, "</h2>\n<table class=\"file\">\n");
    for (uint32_t line = 1; line <= last; line++)
        put_line(p, source, line);
    BL_PUT(p->out, "</table>\n");
}

void bl_coverage_html(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out)
{
    struct page p = {report, sources, out, 0, 0};

    bl_buf_put(out, bl_str_from(head));
    put_summary(&p);
    while (p.item < report->items.count)
        put_file(&p, report->items.items[p.item].source);
    BL_PUT(out, "</body>\n</html>\n");
}
