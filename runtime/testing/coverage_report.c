/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "testing/coverage.h"

#include <inttypes.h>

/* Coverage as text and for lcov. */

static bl_str path_of(struct bl_sources *sources, uint32_t source)
{
    const struct bl_source *file = sources != NULL ? bl_sources_get(sources, source) : NULL;

    return file != NULL ? file->path : BL_STR("policy");
}

/* The first item of another file, from `at` on. */
static size_t file_end(const struct bl_coverage_report *report, size_t at)
{
    uint32_t source = report->items.items[at].source;

    while (at < report->items.count && report->items.items[at].source == source)
        at++;
    return at;
}

/* ---- text --------------------------------------------------------------------------------
 */

static void put_sum(struct bl_buf *out, const struct bl_coverage_sum *sum)
{
    static const char *const kinds[] = {"rules", "rows", "effects", "conditions"};

    bl_buf_printf(out, "%3u%%", bl_coverage_percent(sum));
    for (unsigned i = 0; i < BL_COVERAGE_KIND_COUNT; i++)
        if (sum->goals[i] > 0)
            bl_buf_printf(out, "  %s %zu/%zu", kinds[i], sum->met[i], sum->goals[i]);
}

static void put_item(struct bl_buf *out, struct bl_sources *sources,
                     const struct bl_coverage_item *item)
{
    static const char *const kinds[] = {"rule", "row", "effect", "condition"};
    struct bl_span span = {item->lo, item->hi, item->source};
    bl_str text = sources != NULL ? bl_sources_text(sources, span) : item->name;
    size_t end = bl_str_find_char(text, '\n');

    if (sources != NULL) {
        struct bl_position at = bl_sources_position(sources, item->source, item->lo);
        BL_PUT(out, "  ");
        bl_report_visible(path_of(sources, item->source), out);
        bl_buf_printf(out, ":%" PRIu32 ":%" PRIu32 ": ", at.line, at.column_chars);
    }
    bl_buf_printf(out, "%s ", kinds[item->kind]);
    bl_buf_put(out, bl_coverage_lack(item));
    BL_PUT(out, ": ");
    bl_report_visible(bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end), out);
    BL_PUT(out, "\n");
}

void bl_coverage_text(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out)
{
    BL_PUT(out, "coverage: ");
    put_sum(out, &report->sum);
    BL_PUT(out, "\n");
    for (size_t at = 0; at < report->items.count; at = file_end(report, at)) {
        uint32_t source = report->items.items[at].source;
        struct bl_coverage_sum sum = bl_coverage_sum_of(report, source);
        BL_PUT(out, "  ");
        put_sum(out, &sum);
        BL_PUT(out, "  ");
        bl_report_visible(path_of(sources, source), out);
        BL_PUT(out, "\n");
    }
    bool first = true;
    for (size_t i = 0; i < report->items.count; i++) {
        if (bl_coverage_lack(&report->items.items[i]).len == 0)
            continue;
        if (first)
            BL_PUT(out, "not covered:\n");
        first = false;
        put_item(out, sources, &report->items.items[i]);
    }
}

/* ---- lcov --------------------------------------------------------------------------------
 */

/* A line of the format ends at its line end: no name may hold one. */
static void put_name(struct bl_buf *out, bl_str name)
{
    for (size_t i = 0; i < name.len; i++)
        bl_buf_put_char(out, (unsigned char)name.ptr[i] < 0x20 ? '_' : name.ptr[i]);
}

static void put_functions(struct bl_buf *out, struct bl_sources *sources,
                          const struct bl_coverage_item *items, size_t count)
{
    size_t found = 0, hit = 0;

    for (size_t i = 0; i < count; i++) {
        if (items[i].kind != BL_COVERAGE_RULE)
            continue;
        struct bl_position at = bl_sources_position(sources, items[i].source, items[i].lo);
        bl_buf_printf(out, "FN:%" PRIu32 ",", at.line);
        put_name(out, items[i].name);
        bl_buf_printf(out, "\nFNDA:%" PRIu64 ",", items[i].taken);
        put_name(out, items[i].name);
        BL_PUT(out, "\n");
        found++;
        hit += items[i].taken > 0;
    }
    bl_buf_printf(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

static void put_branch(struct bl_buf *out, uint32_t line, unsigned block, unsigned branch,
                       bool asked, uint64_t count)
{
    bl_buf_printf(out, "BRDA:%" PRIu32 ",%u,%u,", line, block, branch);
    if (asked)
        bl_buf_printf(out, "%" PRIu64 "\n", count);
    else
        BL_PUT(out, "-\n");
}

/* Conditions are blocks of two branches, rows of one; both numbered within their line. */
static void put_branches(struct bl_buf *out, struct bl_sources *sources,
                         const struct bl_coverage_item *items, size_t count)
{
    size_t found = 0, hit = 0;
    uint32_t line = 0;
    unsigned block = 0;

    for (size_t i = 0; i < count; i++) {
        const struct bl_coverage_item *item = &items[i];
        if (item->kind != BL_COVERAGE_CONDITION && item->kind != BL_COVERAGE_ROW)
            continue;
        struct bl_position at = bl_sources_position(sources, item->source, item->lo);
        block = at.line == line ? block + 1 : 0;
        line = at.line;
        if (item->kind == BL_COVERAGE_ROW) {
            put_branch(out, line, block, 0, true, item->taken);
            found++;
            hit += item->taken > 0;
            continue;
        }
        bool asked = item->yes > 0 || item->no > 0;
        put_branch(out, line, block, 0, asked, item->yes);
        put_branch(out, line, block, 1, asked, item->no);
        found += 2;
        hit += (size_t)(item->yes > 0) + (size_t)(item->no > 0);
    }
    bl_buf_printf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

static void put_lines(struct bl_buf *out, const struct bl_coverage_report *report,
                      uint32_t source)
{
    size_t found = 0, hit = 0;

    for (size_t i = 0; i < report->lines.count; i++) {
        const struct bl_coverage_line *line = &report->lines.items[i];
        if (line->source != source)
            continue;
        bl_buf_printf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line->line, line->count);
        found++;
        hit += line->count > 0;
    }
    bl_buf_printf(out, "LF:%zu\nLH:%zu\n", found, hit);
}

void bl_coverage_lcov(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out)
{
    BL_PUT(out, "TN:\n");
    for (size_t at = 0; at < report->items.count;) {
        const struct bl_coverage_item *items = &report->items.items[at];
        size_t end = file_end(report, at);
        BL_PUT(out, "SF:");
        put_name(out, path_of(sources, items->source));
        BL_PUT(out, "\n");
        put_functions(out, sources, items, end - at);
        put_branches(out, sources, items, end - at);
        put_lines(out, report, items->source);
        BL_PUT(out, "end_of_record\n");
        at = end;
    }
}
