/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_DIAGNOSTIC_H
#define BL_BASE_DIAGNOSTIC_H

#include "base/source.h"

/* A diagnostic is data: a code of diagnostics.def, a place, labelled further places, the
 * arguments of its sentence and perhaps a fix. It becomes text, JSON, SARIF or a workflow
 * command in runtime/report alone. */

enum bl_severity { BL_SEVERITY_OFF, BL_SEVERITY_NOTE, BL_SEVERITY_WARNING, BL_SEVERITY_ERROR };

#define BL_DIAGNOSTIC_ARGS_MAX   6
#define BL_DIAGNOSTIC_LABELS_MAX 8

struct bl_diagnostic_arg {
    const char *name; /* the placeholder of the message, a string literal */
    bl_str value; /* lives in the sink's arena; may hold text of strangers: renderers escape */
};

struct bl_diagnostic_label {
    struct bl_span span;
    bl_str text; /* "first declared here" */
};

struct bl_diagnostic {
    unsigned code; /* enum bl_diagnostic_code of spec/diagnostics.h */
    enum bl_severity severity;
    struct bl_span span;
    struct bl_diagnostic_arg args[BL_DIAGNOSTIC_ARGS_MAX];
    size_t arg_count;
    struct bl_diagnostic_label labels[BL_DIAGNOSTIC_LABELS_MAX];
    size_t label_count;
    bl_str help; /* one more sentence: what to do; empty when the table's own help is enough */
    bool has_fix;
    struct bl_span fix_span;
    bl_str fix_text; /* what to put at fix_span */
};

struct bl_diagnostics {
    struct bl_arena *arena;
    BL_VEC(struct bl_diagnostic *) list;
    size_t errors; /* kept ones, and those that memory had no room for */
    size_t warnings;
    size_t max_errors; /* further errors are counted in `dropped` and not kept */
    size_t dropped;
    struct bl_diagnostic spare; /* what callers write into when there is no room */
};

void bl_diagnostics_init(struct bl_diagnostics *sink, struct bl_arena *arena,
                         size_t max_errors);
/* Adds one; never NULL, so calls chain: when there is no room it is a spare that nobody shows.
 * The caller passes the severity of the table (or the policy's own level for lint);
 * BL_SEVERITY_OFF records nothing. */
struct bl_diagnostic *bl_diagnostic_add(struct bl_diagnostics *sink, unsigned code,
                                        enum bl_severity severity, struct bl_span span);
/* Value is copied into the sink's arena, cut to 200 bytes at a code point. */
void bl_diagnostic_text(struct bl_diagnostics *sink, struct bl_diagnostic *d, const char *name,
                        bl_str value);
void bl_diagnostic_int(struct bl_diagnostics *sink, struct bl_diagnostic *d, const char *name,
                       int64_t value);
void bl_diagnostic_label(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                         struct bl_span span, bl_str text);
void bl_diagnostic_help(struct bl_diagnostics *sink, struct bl_diagnostic *d, bl_str text);
void bl_diagnostic_fix(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                       struct bl_span span, bl_str replacement);
/* Orders by source and place, stable; drops exact repetitions (same code, span and arguments)
 * among the nearest 64 messages of a place. */
void bl_diagnostics_sort(struct bl_diagnostics *sink);

#endif
