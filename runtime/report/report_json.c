/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "report/report_formats.h"
#include "spec/tables.h"

static void text(struct bl_json_writer *w, const char *key, bl_str value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_string(w, value);
}

static void number(struct bl_json_writer *w, const char *key, int64_t value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_integer(w, value);
}

static bl_str rendered(struct bl_buf *out, const struct bl_diagnostic *d,
                       void (*write)(const struct bl_diagnostic *, struct bl_buf *))
{
    struct bl_buf scratch;
    bl_buf_init(&scratch, out->arena, SIZE_MAX / 2);
    write(d, &scratch);
    return bl_buf_str(&scratch);
}

static bl_str code_of(struct bl_buf *out, unsigned code)
{
    struct bl_buf scratch;
    bl_buf_init(&scratch, out->arena, 16);
    bl_report_code(code, &scratch);
    return bl_buf_str(&scratch);
}

/* ---- JSON
 * ------------------------------------------------------------------------------------ */

static void json_place(struct bl_json_writer *w, struct bl_sources *sources,
                       struct bl_span span)
{
    const struct bl_source *source = bl_sources_get(sources, span.source);
    if (source == NULL) {
        bl_json_null(w);
        return;
    }
    struct bl_position from = bl_sources_position(sources, span.source, span.lo);
    struct bl_position to = bl_sources_position(sources, span.source, span.hi);
    bl_json_begin_object(w);
    text(w, "file", source->path);
    number(w, "line", from.line);
    number(w, "column", from.column_chars);
    number(w, "end_line", to.line);
    number(w, "end_column", to.column_chars);
    number(w, "offset", span.lo);
    number(w, "length", span.hi - span.lo);
    bl_json_end_object(w);
}

static void json_one(struct bl_json_writer *w, struct bl_sources *sources,
                     const struct bl_diagnostic *d)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(d->code);
    bl_json_begin_object(w);
    text(w, "code", code_of(w->out, d->code));
    if (info != NULL && info->lint.len > 0)
        text(w, "rule", info->lint);
    text(w, "severity", bl_report_severity(d->severity));
    text(w, "message", rendered(w->out, d, bl_report_message));
    bl_json_key(w, BL_STR("place"));
    json_place(w, sources, d->span);
    if (d->label_count > 0) {
        bl_json_key(w, BL_STR("notes"));
        bl_json_begin_array(w);
        for (size_t i = 0; i < d->label_count; i++) {
            bl_json_begin_object(w);
            text(w, "text", d->labels[i].text);
            bl_json_key(w, BL_STR("place"));
            json_place(w, sources, d->labels[i].span);
            bl_json_end_object(w);
        }
        bl_json_end_array(w);
    }
    bl_str help = rendered(w->out, d, bl_report_help);
    if (help.len > 0)
        text(w, "help", help);
    if (d->has_fix) {
        bl_json_key(w, BL_STR("fix"));
        bl_json_begin_object(w);
        bl_json_key(w, BL_STR("place"));
        json_place(w, sources, d->fix_span);
        text(w, "text", d->fix_text);
        bl_json_end_object(w);
    }
    bl_json_end_object(w);
}

void bl_report_json(struct bl_sources *sources, const struct bl_diagnostics *sink,
                    const struct bl_report_options *options, struct bl_buf *out)
{
    struct bl_json_writer w;
    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    text(&w, "tool", options->tool);
    text(&w, "version", options->version);
    number(&w, "errors", (int64_t)sink->errors);
    number(&w, "warnings", (int64_t)sink->warnings);
    number(&w, "dropped", (int64_t)sink->dropped);
    bl_json_key(&w, BL_STR("diagnostics"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < sink->list.count; i++)
        json_one(&w, sources, sink->list.items[i]);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}

/* ---- SARIF 2.1.0
 * ------------------------------------------------------------------------------ */

static void sarif_message(struct bl_json_writer *w, const char *key, bl_str value)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_begin_object(w);
    text(w, "text", value);
    bl_json_end_object(w);
}

/* Paths as URI references: what a URI would read as something else is percent-encoded. */
static void sarif_uri(struct bl_json_writer *w, bl_str path)
{
    struct bl_buf uri;
    bl_buf_init(&uri, w->out->arena, SIZE_MAX / 2);
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        bool plain = bl_is_ascii_alpha((char)c) || bl_is_ascii_digit((char)c) || c == '/' ||
                     c == '.' || c == '-' || c == '_' || c == '~';
        if (plain)
            bl_buf_put_char(&uri, (char)c);
        else
            bl_buf_printf(&uri, "%%%02X", (unsigned)c);
    }
    text(w, "uri", bl_buf_str(&uri));
}

static void sarif_artifact(struct bl_json_writer *w, bl_str path)
{
    bl_json_key(w, BL_STR("artifactLocation"));
    bl_json_begin_object(w);
    sarif_uri(w, path);
    bl_json_end_object(w);
}

static void sarif_region(struct bl_json_writer *w, const char *key, struct bl_sources *sources,
                         struct bl_span span)
{
    struct bl_position from = bl_sources_position(sources, span.source, span.lo);
    struct bl_position to = bl_sources_position(sources, span.source, span.hi);
    bl_json_key(w, bl_str_from(key));
    bl_json_begin_object(w);
    number(w, "startLine", from.line);
    number(w, "startColumn", from.column_utf16);
    number(w, "endLine", to.line);
    number(w, "endColumn", to.column_utf16);
    bl_json_end_object(w);
}

static void sarif_location(struct bl_json_writer *w, struct bl_sources *sources,
                           struct bl_span span, bl_str message)
{
    const struct bl_source *source = bl_sources_get(sources, span.source);
    bl_json_begin_object(w);
    if (source != NULL) {
        bl_json_key(w, BL_STR("physicalLocation"));
        bl_json_begin_object(w);
        sarif_artifact(w, source->path);
        sarif_region(w, "region", sources, span);
        bl_json_end_object(w);
    }
    if (message.len > 0)
        sarif_message(w, "message", message);
    bl_json_end_object(w);
}

static void sarif_fix(struct bl_json_writer *w, struct bl_sources *sources,
                      const struct bl_diagnostic *d)
{
    const struct bl_source *source = bl_sources_get(sources, d->fix_span.source);
    if (source == NULL)
        return;
    bl_json_key(w, BL_STR("fixes"));
    bl_json_begin_array(w);
    bl_json_begin_object(w);
    bl_json_key(w, BL_STR("artifactChanges"));
    bl_json_begin_array(w);
    bl_json_begin_object(w);
    sarif_artifact(w, source->path);
    bl_json_key(w, BL_STR("replacements"));
    bl_json_begin_array(w);
    bl_json_begin_object(w);
    sarif_region(w, "deletedRegion", sources, d->fix_span);
    sarif_message(w, "insertedContent", d->fix_text);
    bl_json_end_object(w);
    bl_json_end_array(w);
    bl_json_end_object(w);
    bl_json_end_array(w);
    bl_json_end_object(w);
    bl_json_end_array(w);
}

static void sarif_result(struct bl_json_writer *w, struct bl_sources *sources,
                         const struct bl_diagnostic *d)
{
    bl_json_begin_object(w);
    text(w, "ruleId", code_of(w->out, d->code));
    text(w, "level", bl_report_severity(d->severity));
    struct bl_buf words;
    bl_buf_init(&words, w->out->arena, SIZE_MAX / 2);
    bl_report_message(d, &words);
    bl_str help = rendered(w->out, d, bl_report_help);
    if (help.len > 0) {
        BL_PUT(&words, " ");
        bl_buf_put(&words, help);
    }
    sarif_message(w, "message", bl_buf_str(&words));
    bl_json_key(w, BL_STR("locations"));
    bl_json_begin_array(w);
    if (bl_sources_get(sources, d->span.source) != NULL)
        sarif_location(w, sources, d->span, (bl_str){NULL, 0});
    bl_json_end_array(w);
    if (d->label_count > 0) {
        bl_json_key(w, BL_STR("relatedLocations"));
        bl_json_begin_array(w);
        for (size_t i = 0; i < d->label_count; i++)
            sarif_location(w, sources, d->labels[i].span, d->labels[i].text);
        bl_json_end_array(w);
    }
    if (d->has_fix)
        sarif_fix(w, sources, d);
    bl_json_end_object(w);
}

/* Rules that occur in this report, each once, in the order of the table. */
static void sarif_rules(struct bl_json_writer *w, const struct bl_diagnostics *sink)
{
    bl_json_key(w, BL_STR("rules"));
    bl_json_begin_array(w);
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        bool used = false;
        for (size_t k = 0; k < sink->list.count && !used; k++)
            used = sink->list.items[k]->code == info->number;
        if (!used)
            continue;
        bl_json_begin_object(w);
        text(w, "id", code_of(w->out, info->number));
        if (info->lint.len > 0)
            text(w, "name", info->lint);
        sarif_message(w, "shortDescription", info->message);
        if (info->more.len > 0)
            sarif_message(w, "fullDescription", info->more);
        bl_json_key(w, BL_STR("defaultConfiguration"));
        bl_json_begin_object(w);
        text(w, "level", bl_report_severity(info->severity));
        bl_json_end_object(w);
        bl_json_end_object(w);
    }
    bl_json_end_array(w);
}

void bl_report_sarif(struct bl_sources *sources, const struct bl_diagnostics *sink,
                     const struct bl_report_options *options, struct bl_buf *out)
{
    struct bl_json_writer w;
    bl_json_writer_init(&w, out, true);
    bl_json_begin_object(&w);
    text(&w, "$schema", BL_STR("https://json.schemastore.org/sarif-2.1.0.json"));
    text(&w, "version", BL_STR("2.1.0"));
    bl_json_key(&w, BL_STR("runs"));
    bl_json_begin_array(&w);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("tool"));
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("driver"));
    bl_json_begin_object(&w);
    text(&w, "name", options->tool);
    text(&w, "version", options->version);
    sarif_rules(&w, sink);
    bl_json_end_object(&w);
    bl_json_end_object(&w);
    text(&w, "columnKind", BL_STR("utf16CodeUnits"));
    bl_json_key(&w, BL_STR("results"));
    bl_json_begin_array(&w);
    for (size_t i = 0; i < sink->list.count; i++)
        sarif_result(&w, sources, sink->list.items[i]);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    bl_json_end_array(&w);
    bl_json_end_object(&w);
    BL_PUT(out, "\n");
}
