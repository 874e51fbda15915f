/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_check.h"
#include "event/json.h"

/* What redact-check prints: for people, as the stable document of RCK-07, as SARIF. None holds
 * a value (RCK-06, RCK-16). */

typedef bool (*was_matched)(const struct bl_redactor *redactor, size_t index);

static size_t count_unmatched(const struct bl_redactor *redactor, size_t count,
                              was_matched matched)
{
    size_t unmatched = 0;
    for (size_t i = 0; i < count; i++)
        unmatched += !matched(redactor, i);
    return unmatched;
}

/* ---- people -------------------------------------------------------------------------------
 */

static void put_unmatched(const struct bl_check_report *report, const char *what, size_t count,
                          was_matched matched, struct bl_buf *out)
{
    size_t unmatched = count_unmatched(report->redactor, count, matched);
    const char *between = " ";

    if (unmatched == 0)
        return;
    bl_buf_printf(out, "warning: %zu of %zu %s matched nothing:", unmatched, count, what);
    for (size_t i = 0; i < count; i++) {
        if (matched(report->redactor, i))
            continue;
        bl_buf_printf(out, "%s%zu", between, i);
        between = ", ";
    }
    BL_PUT(out, "\n");
}

void bl_check_text(const struct bl_check_report *report, struct bl_buf *out)
{
    for (size_t i = 0; i < report->sample_count; i++) {
        const struct bl_checked *sample = &report->samples[i];
        size_t count = sample->redacted.list.count;

        if (sample->name.len > 0) {
            bl_report_visible(sample->name, out);
            BL_PUT(out, ": ");
        }
        if (count == 0)
            BL_PUT(out, "no matches\n");
        else
            bl_buf_printf(out, "%zu match%s\n", count, count == 1 ? "" : "es");
        for (size_t j = 0; j < count; j++) {
            const struct bl_redacted_span *span = &sample->redacted.list.items[j];
            bl_buf_printf(out, "  %zu-%zu  ", span->lo, span->hi);
            bl_report_visible(span->source, out);
            bl_buf_printf(out, "  %.*s\n", BL_STR_ARG(span->marker));
        }
        if (report->suppressed)
            continue;
        BL_PUT(out, "\n");
        bl_buf_put(out, sample->redacted.text);
        if (sample->redacted.text.len > 0 &&
            sample->redacted.text.ptr[sample->redacted.text.len - 1] != '\n')
            BL_PUT(out, "\n");
    }
    put_unmatched(report, "literals", bl_redactor_literals(report->redactor),
                  bl_redactor_literal_matched, out);
    put_unmatched(report, "patterns", bl_redactor_patterns(report->redactor),
                  bl_redactor_pattern_matched, out);
}

/* ---- JSON ---------------------------------------------------------------------------------
 */

static void put_indices(struct bl_json_writer *w, const struct bl_redactor *redactor,
                        size_t count, was_matched matched)
{
    bl_json_begin_array(w);
    for (size_t i = 0; i < count; i++)
        if (!matched(redactor, i))
            bl_json_integer(w, (int64_t)i);
    bl_json_end_array(w);
}

static void put_matches(struct bl_json_writer *w, const struct bl_checked *sample)
{
    bl_json_key(w, BL_STR("matches"));
    bl_json_begin_array(w);
    for (size_t i = 0; i < sample->redacted.list.count; i++) {
        const struct bl_redacted_span *span = &sample->redacted.list.items[i];
        bl_json_begin_object(w);
        bl_json_key(w, BL_STR("start"));
        bl_json_integer(w, (int64_t)span->lo);
        bl_json_key(w, BL_STR("end"));
        bl_json_integer(w, (int64_t)span->hi);
        bl_json_key(w, BL_STR("marker"));
        bl_json_string(w, span->marker);
        bl_json_key(w, BL_STR("source"));
        bl_json_string(w, span->source);
        bl_json_end_object(w);
    }
    bl_json_end_array(w);
}

static void put_body(struct bl_json_writer *w, const struct bl_check_report *report,
                     const struct bl_checked *sample)
{
    bl_json_key(w, BL_STR("redacted"));
    if (report->suppressed)
        bl_json_null(w);
    else
        bl_json_string(w, sample->redacted.text);
}

/* One sample stands at the top, as the contract has it; several in `samples`. */
void bl_check_json(const struct bl_check_report *report, struct bl_buf *out)
{
    const struct bl_redactor *r = report->redactor;
    bool one = report->sample_count == 1;
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("artifact_kind"));
    bl_json_string(&w, BL_STR("redact_check"));
    bl_json_key(&w, BL_STR("schema_version"));
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("major"));
    bl_json_integer(&w, 1);
    bl_json_key(&w, BL_STR("minor"));
    bl_json_integer(&w, 0);
    bl_json_end_object(&w);
    if (one)
        put_matches(&w, &report->samples[0]);
    bl_json_key(&w, BL_STR("unmatched_literal_indices"));
    put_indices(&w, r, bl_redactor_literals(r), bl_redactor_literal_matched);
    bl_json_key(&w, BL_STR("unmatched_pattern_indices"));
    put_indices(&w, r, bl_redactor_patterns(r), bl_redactor_pattern_matched);
    if (one) {
        put_body(&w, report, &report->samples[0]);
    } else {
        bl_json_key(&w, BL_STR("samples"));
        bl_json_begin_array(&w);
        for (size_t i = 0; i < report->sample_count; i++) {
            bl_json_begin_object(&w);
            bl_json_key(&w, BL_STR("file"));
            bl_json_string(&w, report->samples[i].name);
            put_matches(&w, &report->samples[i]);
            put_body(&w, report, &report->samples[i]);
            bl_json_end_object(&w);
        }
        bl_json_end_array(&w);
    }
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

/* ---- SARIF --------------------------------------------------------------------------------
 */

static void put_result(struct bl_json_writer *w, const struct bl_check_report *report,
                       const struct bl_checked *sample, const struct bl_redacted_span *span)
{
    struct bl_buf text;

    bl_buf_init(&text, report->arena, 4096);
    bl_buf_printf(&text, "%.*s stands here.", BL_STR_ARG(span->marker));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("ruleId"));
    bl_json_string(w, span->kind);
    bl_json_key(w, BL_STR("level"));
    bl_json_string(w, BL_STR("warning"));
    bl_json_key(w, BL_STR("message"));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("text"));
    bl_json_string(w, bl_buf_str(&text));
    bl_json_end_object(w);
    bl_json_key(w, BL_STR("locations"));
    bl_json_begin_array(w);
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("physicalLocation"));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("artifactLocation"));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("uri"));
    bl_json_string(w, sample->name.len > 0 ? sample->name : BL_STR("stdin"));
    bl_json_end_object(w);
    bl_json_key(w, BL_STR("region"));
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("byteOffset"));
    bl_json_integer(w, (int64_t)span->lo);
    bl_json_key(w, BL_STR("byteLength"));
    bl_json_integer(w, (int64_t)(span->hi - span->lo));
    bl_json_end_object(w);
    bl_json_end_object(w);
    bl_json_end_object(w);
    bl_json_end_array(w);
    bl_json_end_object(w);
}

void bl_check_sarif(const struct bl_check_report *report, struct bl_buf *out)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("$schema"));
    bl_json_string(&w, BL_STR("https://json.schemastore.org/sarif-2.1.0.json"));
    bl_json_key(&w, BL_STR("version"));
    bl_json_string(&w, BL_STR("2.1.0"));
    bl_json_key(&w, BL_STR("runs"));
    bl_json_begin_array(&w);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("tool"));
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("driver"));
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("name"));
    bl_json_string(&w, BL_STR("bylaw redact-check"));
    bl_json_end_object(&w);
    bl_json_end_object(&w);
    bl_json_key(&w, BL_STR("results"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < report->sample_count; i++)
        for (size_t j = 0; j < report->samples[i].redacted.list.count; j++)
            put_result(&w, report, &report->samples[i],
                       &report->samples[i].redacted.list.items[j]);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}
