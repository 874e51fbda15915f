/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_REPORT_REPORT_FORMATS_H
#define BL_REPORT_REPORT_FORMATS_H

#include "report/report.h"

/* One writer a format; report.c chooses. */
void bl_report_text(struct bl_sources *sources, const struct bl_diagnostics *sink,
                    const struct bl_report_options *options, struct bl_buf *out);
void bl_report_json(struct bl_sources *sources, const struct bl_diagnostics *sink,
                    const struct bl_report_options *options, struct bl_buf *out);
void bl_report_sarif(struct bl_sources *sources, const struct bl_diagnostics *sink,
                     const struct bl_report_options *options, struct bl_buf *out);
void bl_report_github(struct bl_sources *sources, const struct bl_diagnostics *sink,
                      const struct bl_report_options *options, struct bl_buf *out);

/* "PL0203" */
void bl_report_code(unsigned code, struct bl_buf *out);
bl_str bl_report_severity(enum bl_severity severity);

#endif
