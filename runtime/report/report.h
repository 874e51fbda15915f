/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_REPORT_REPORT_H
#define BL_REPORT_REPORT_H

#include "base/buf.h"
#include "base/diagnostic.h"
#include "base/source.h"

/* Diagnostics become words here and nowhere else: for people (excerpt, carets, colour), as
 * JSON, as SARIF 2.1.0 for code scanning, and as workflow commands for the log of a run. What a
 * stranger wrote may stand in an excerpt or an argument; no format lets it steer a terminal or
 * a runner. */

enum bl_report_format { BL_REPORT_TEXT, BL_REPORT_JSON, BL_REPORT_SARIF, BL_REPORT_GITHUB };

struct bl_report_options {
    enum bl_report_format format;
    bool colour;  /* TEXT: ANSI colours */
    size_t width; /* TEXT: columns of an excerpt; 0 is 100 */
    bl_str tool;  /* SARIF, JSON: "policyc" */
    bl_str version;
};

/* The format that a command line names ("text", "json", "sarif", "github"); false when none. */
bool bl_report_format_find(bl_str name, enum bl_report_format *out);

/* Writes all diagnostics of the sink in its order (sort it first). TEXT ends with a line that
 * counts them when there are any. */
void bl_report_write(struct bl_sources *sources, const struct bl_diagnostics *sink,
                     const struct bl_report_options *options, struct bl_buf *out);

/* The sentence of a diagnostic with its arguments in place, unescaped. */
void bl_report_message(const struct bl_diagnostic *d, struct bl_buf *out);
/* What to do: the diagnostic's own help, else that of the table; may write nothing. */
void bl_report_help(const struct bl_diagnostic *d, struct bl_buf *out);
/* The page of `policyc --explain CODE`; false when there is no such code or lint rule. */
bool bl_report_explain(bl_str code, struct bl_buf *out);

/* Text as a terminal may show it: control characters, direction marks and other invisible ones
 * are written as \u{…}; a tab becomes a blank. Returns how many columns that takes. */
size_t bl_report_visible(bl_str text, struct bl_buf *out);
/* The same as text of XML or HTML, also inside an attribute in double quotes. */
void bl_report_markup(bl_str text, struct bl_buf *out);
/* Data of a workflow command: %, CR and LF escaped; with `property` also : and ,. */
void bl_report_command_data(bl_str text, bool property, struct bl_buf *out);

#endif
