/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "report/report_formats.h"

static bl_str command_of(enum bl_severity severity)
{
    switch (severity) {
    case BL_SEVERITY_ERROR:
        return BL_STR("error");
    case BL_SEVERITY_WARNING:
        return BL_STR("warning");
    case BL_SEVERITY_NOTE:
    case BL_SEVERITY_OFF:
        break;
    }
    return BL_STR("notice");
}

static void property(struct bl_buf *out, const char *name, bl_str value, bool first)
{
    bl_buf_put_char(out, first ? ' ' : ',');
    bl_buf_put(out, bl_str_from(name));
    BL_PUT(out, "=");
    /* Controls of a path would reach the terminal that shows the log. */
    struct bl_buf shown;
    bl_buf_init(&shown, out->arena, SIZE_MAX / 2);
    bl_report_visible(value, &shown);
    bl_report_command_data(bl_buf_str(&shown), true, out);
}

static void property_number(struct bl_buf *out, const char *name, uint32_t value)
{
    bl_buf_printf(out, ",%s=%u", name, (unsigned)value);
}

static void one(struct bl_sources *sources, const struct bl_diagnostic *d, struct bl_buf *out)
{
    struct bl_buf words;
    bl_buf_init(&words, out->arena, SIZE_MAX / 2);
    bl_report_code(d->code, &words);
    bl_str code = bl_buf_str(&words);

    BL_PUT(out, "::");
    bl_buf_put(out, command_of(d->severity));
    const struct bl_source *source = bl_sources_get(sources, d->span.source);
    if (source != NULL) {
        struct bl_position from = bl_sources_position(sources, d->span.source, d->span.lo);
        struct bl_position to = bl_sources_position(sources, d->span.source, d->span.hi);
        property(out, "file", source->path, true);
        property_number(out, "line", from.line);
        property_number(out, "col", from.column_chars);
        property_number(out, "endLine", to.line);
        property_number(out, "endColumn", to.column_chars);
    }
    property(out, "title", code, source == NULL);
    BL_PUT(out, "::");

    /* Invisible characters become visible before the runner's own escapes, so that an argument
     * can neither end the line nor hide in it. */
    struct bl_buf sentence, shown;
    bl_buf_init(&sentence, out->arena, SIZE_MAX / 2);
    bl_buf_init(&shown, out->arena, SIZE_MAX / 2);
    bl_report_message(d, &sentence);
    size_t message_end = sentence.len;
    bl_report_help(d, &sentence);
    bl_str all = bl_buf_str(&sentence);
    bl_report_visible(bl_str_slice(all, 0, message_end), &shown);
    if (all.len > message_end)
        BL_PUT(&shown, " ");
    bl_report_visible(bl_str_slice(all, message_end, all.len), &shown);
    bl_report_command_data(bl_buf_str(&shown), false, out);
    BL_PUT(out, "\n");
}

void bl_report_github(struct bl_sources *sources, const struct bl_diagnostics *sink,
                      const struct bl_report_options *options, struct bl_buf *out)
{
    (void)options;
    for (size_t i = 0; i < sink->list.count; i++)
        one(sources, sink->list.items[i], out);
}
