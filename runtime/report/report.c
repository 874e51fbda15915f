/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/utf8.h"
#include "report/report_formats.h"
#include "spec/tables.h"

bool bl_report_format_find(bl_str name, enum bl_report_format *out)
{
    static const struct {
        const char *name;
        enum bl_report_format format;
    } formats[] = {
        {"text", BL_REPORT_TEXT},
        {"json", BL_REPORT_JSON},
        {"sarif", BL_REPORT_SARIF},
        {"github", BL_REPORT_GITHUB},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (bl_str_equal(bl_str_from(formats[i].name), name)) {
            *out = formats[i].format;
            return true;
        }
    }
    return false;
}

void bl_report_write(struct bl_sources *sources, const struct bl_diagnostics *sink,
                     const struct bl_report_options *options, struct bl_buf *out)
{
    switch (options->format) {
    case BL_REPORT_TEXT:
        bl_report_text(sources, sink, options, out);
        break;
    case BL_REPORT_JSON:
        bl_report_json(sources, sink, options, out);
        break;
    case BL_REPORT_SARIF:
        bl_report_sarif(sources, sink, options, out);
        break;
    case BL_REPORT_GITHUB:
        bl_report_github(sources, sink, options, out);
        break;
    }
}

static const struct bl_diagnostic_arg *argument(const struct bl_diagnostic *d, bl_str name)
{
    for (size_t i = 0; i < d->arg_count; i++)
        if (bl_str_equal(bl_str_from(d->args[i].name), name))
            return &d->args[i];
    return NULL;
}

/* Replaces {name} by the argument of that name; other braces are words of the message. */
static void expand(const struct bl_diagnostic *d, bl_str template, struct bl_buf *out)
{
    size_t from = 0;
    for (size_t i = 0; i < template.len; i++) {
        if (template.ptr[i] != '{')
            continue;
        size_t end = bl_str_find_char(bl_str_slice(template, i, template.len), '}');
        if (end == SIZE_MAX)
            break;
        const struct bl_diagnostic_arg *arg =
            argument(d, bl_str_slice(template, i + 1, i + end));
        if (arg == NULL)
            continue;
        bl_buf_put(out, bl_str_slice(template, from, i));
        bl_buf_put(out, arg->value);
        i += end;
        from = i + 1;
    }
    bl_buf_put(out, bl_str_slice(template, from, template.len));
}

void bl_report_message(const struct bl_diagnostic *d, struct bl_buf *out)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(d->code);
    expand(d, info != NULL ? info->message : BL_STR("Unknown diagnostic."), out);
}

void bl_report_help(const struct bl_diagnostic *d, struct bl_buf *out)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(d->code);
    if (d->help.len > 0)
        bl_buf_put(out, d->help);
    else if (info != NULL)
        expand(d, info->help, out);
}

void bl_report_code(unsigned code, struct bl_buf *out)
{
    bl_buf_printf(out, "PL%04u", code);
}

bl_str bl_report_severity(enum bl_severity severity)
{
    switch (severity) {
    case BL_SEVERITY_ERROR:
        return BL_STR("error");
    case BL_SEVERITY_WARNING:
        return BL_STR("warning");
    case BL_SEVERITY_NOTE:
        return BL_STR("note");
    case BL_SEVERITY_OFF:
        break;
    }
    return BL_STR("off");
}

bool bl_report_explain(bl_str code, struct bl_buf *out)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_find(code);
    if (info == NULL)
        return false;
    bl_report_code(info->number, out);
    if (info->lint.len > 0)
        bl_buf_printf(out, " (%.*s)", BL_STR_ARG(info->lint));
    bl_buf_printf(out, ", %.*s\n\n", BL_STR_ARG(bl_report_severity(info->severity)));
    bl_buf_put(out, info->message);
    BL_PUT(out, "\n");
    if (info->help.len > 0) {
        bl_buf_put(out, info->help);
        BL_PUT(out, "\n");
    }
    if (info->more.len > 0) {
        BL_PUT(out, "\n");
        bl_buf_put(out, info->more);
        BL_PUT(out, "\n");
    }
    return true;
}

/* Characters that show nothing, move the cursor or turn the reading direction. */
static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0xFEFF ||
           (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || (c >= 0xE0000 && c <= 0xE0FFF) ||
           (c & 0xFFFE) == 0xFFFE; /* no characters, and XML has no way to write two of them */
}

size_t bl_report_visible(bl_str text, struct bl_buf *out)
{
    size_t columns = 0;
    for (size_t i = 0; i < text.len;) {
        size_t from = i;
        uint32_t c = bl_utf8_decode(text, &i);
        if (c == '\t') {
            bl_buf_put_char(out, ' ');
            columns++;
        } else if (c == 0xFFFD && i - from == 1) {
            /* A byte that is no UTF-8: paths may hold any. */
            bl_buf_printf(out, "\\x%02X", (unsigned)(unsigned char)text.ptr[from]);
            columns += 4;
        } else if (is_hidden(c)) {
            size_t before = out->len;
            bl_buf_printf(out, "\\u{%X}", (unsigned)c);
            columns += out->len - before;
        } else if (c == '[' && from >= 2 && text.ptr[from - 1] == '#' &&
                   text.ptr[from - 2] == '#') {
            BL_PUT(out, "\\u{5B}");
            columns += 6;
        } else {
            bl_buf_put(out, bl_str_slice(text, from, i));
            columns++;
        }
    }
    return columns;
}

void bl_report_command_data(bl_str text, bool property, struct bl_buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '%')
            BL_PUT(out, "%25");
        else if (c == '\r')
            BL_PUT(out, "%0D");
        else if (c == '\n')
            BL_PUT(out, "%0A");
        else if (property && c == ':')
            BL_PUT(out, "%3A");
        else if (property && c == ',')
            BL_PUT(out, "%2C");
        else
            bl_buf_put_char(out, c);
    }
}

void bl_report_markup(bl_str text, struct bl_buf *out)
{
    struct bl_buf shown;
    bl_buf_init(&shown, out->arena, SIZE_MAX / 2);
    /* XML 1.0 has no way to write most control characters. */
    bl_report_visible(text, &shown);
    bl_str s = bl_buf_str(&shown);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '&')
            BL_PUT(out, "&amp;");
        else if (s.ptr[i] == '<')
            BL_PUT(out, "&lt;");
        else if (s.ptr[i] == '>')
            BL_PUT(out, "&gt;");
        else if (s.ptr[i] == '"')
            BL_PUT(out, "&quot;");
        else
            bl_buf_put_char(out, s.ptr[i]);
    }
}
