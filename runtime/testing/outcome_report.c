/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"
#include "testing/testing.h"

static void coloured(struct bl_buf *out, bool colour, const char *code, const char *text)
{
    if (colour)
        bl_buf_printf(out, "\033[%sm%s\033[0m", code, text);
    else
        bl_buf_put(out, bl_str_from(text));
}

static void place(struct bl_buf *out, struct bl_sources *sources, uint32_t source, uint32_t lo)
{
    const struct bl_source *file = sources != NULL ? bl_sources_get(sources, source) : NULL;
    if (file == NULL)
        return;
    struct bl_position at = bl_sources_position(sources, source, lo);
    bl_report_visible(file->path, out);
    bl_buf_printf(out, ":%u: ", (unsigned)at.line);
}

static void failure_text(struct bl_buf *out, struct bl_sources *sources,
                         const struct bl_test_failure *failure)
{
    BL_PUT(out, "  ");
    place(out, sources, failure->source, failure->lo);
    bl_report_visible(failure->text, out);
    BL_PUT(out, "\n");
    if (sources != NULL) {
        struct bl_span span = {failure->lo, failure->hi, failure->source};
        BL_PUT(out, "    expected: ");
        bl_report_visible(bl_sources_text(sources, span), out);
        BL_PUT(out, "\n");
    }
    bl_str rest = failure->detail;
    while (rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        size_t length = end == SIZE_MAX ? rest.len : end;
        bl_report_visible(bl_str_slice(rest, 0, length), out);
        BL_PUT(out, "\n");
        rest = bl_str_slice(rest, length + 1, rest.len);
    }
}

void bl_tests_print(const struct bl_test_summary *summary, struct bl_sources *sources,
                    bool colour, bool verbose, struct bl_buf *out)
{
    for (size_t i = 0; i < summary->results.count; i++) {
        const struct bl_test_result *r = &summary->results.items[i];
        if (r->outcome == BL_TEST_PASSED && !verbose)
            continue;
        if (r->outcome == BL_TEST_PASSED)
            coloured(out, colour, "32", "ok   ");
        else
            coloured(out, colour, "1;31", r->outcome == BL_TEST_FAILED ? "FAIL " : "BROKEN ");
        bl_report_visible(r->name, out);
        BL_PUT(out, "\n");
        for (size_t k = 0; k < r->failures.count; k++)
            failure_text(out, sources, &r->failures.items[k]);
    }
    bl_buf_printf(out, "%zu passed, %zu failed", summary->passed, summary->failed);
    if (summary->skipped > 0)
        bl_buf_printf(out, ", %zu skipped", summary->skipped);
    BL_PUT(out, "\n");
}

/* ---- JUnit
 * ------------------------------------------------------------------------------------------ */

static void junit_case(struct bl_buf *out, struct bl_sources *sources,
                       const struct bl_test_result *r)
{
    const struct bl_source *file = sources != NULL ? bl_sources_get(sources, r->source) : NULL;
    BL_PUT(out, "  <testcase name=\"");
    bl_report_markup(r->name, out);
    BL_PUT(out, "\" classname=\"");
    bl_report_markup(file != NULL ? file->path : BL_STR("policy"), out);
    bl_buf_printf(out, "\" assertions=\"%zu\"", r->expectations);
    if (r->failures.count == 0) {
        BL_PUT(out, "/>\n");
        return;
    }
    BL_PUT(out, ">\n");
    for (size_t i = 0; i < r->failures.count; i++) {
        const char *tag = r->outcome == BL_TEST_BROKEN ? "error" : "failure";
        bl_buf_printf(out, "    <%s message=\"", tag);
        bl_report_markup(r->failures.items[i].text, out);
        BL_PUT(out, "\">");
        struct bl_buf text;
        bl_buf_init(&text, out->arena, SIZE_MAX / 2);
        failure_text(&text, sources, &r->failures.items[i]);
        bl_str rest = bl_buf_str(&text);
        while (rest.len > 0) {
            size_t end = bl_str_find_char(rest, '\n');
            size_t length = end == SIZE_MAX ? rest.len : end;
            bl_report_markup(bl_str_slice(rest, 0, length), out);
            BL_PUT(out, "\n");
            rest = bl_str_slice(rest, length + 1, rest.len);
        }
        bl_buf_printf(out, "</%s>\n", tag);
    }
    BL_PUT(out, "  </testcase>\n");
}

void bl_tests_junit(const struct bl_test_summary *summary, struct bl_sources *sources,
                    struct bl_buf *out)
{
    size_t broken = 0;
    /* What another shard runs is no test of this one: the files of all shards add up. */
    for (size_t i = 0; i < summary->results.count; i++)
        broken += summary->results.items[i].outcome == BL_TEST_BROKEN;
    bl_buf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuite name=\"policy\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                  "skipped=\"0\">\n",
                  summary->results.count, summary->failed - broken, broken);
    for (size_t i = 0; i < summary->results.count; i++)
        junit_case(out, sources, &summary->results.items[i]);
    BL_PUT(out, "</testsuite>\n");
}
