/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diagnostic.h"

#include "base/buf.h"
#include "base/sort.h"
#include "base/utf8.h"

#define ARG_TEXT_MAX 200
/* How far bl_diagnostics_sort looks back for a repetition among messages of one place. */
#define REPETITION_REACH 64

void bl_diagnostics_init(struct bl_diagnostics *sink, struct bl_arena *arena, size_t max_errors)
{
    *sink = (struct bl_diagnostics){.arena = arena, .max_errors = max_errors};
}

static void tally(struct bl_diagnostics *sink, enum bl_severity severity, bool more)
{
    size_t step = more ? 1 : SIZE_MAX; /* the latter takes one away */
    switch (severity) {
    case BL_SEVERITY_ERROR:
        sink->errors += step;
        break;
    case BL_SEVERITY_WARNING:
        sink->warnings += step;
        break;
    case BL_SEVERITY_NOTE:
    case BL_SEVERITY_OFF:
        break;
    }
}

static struct bl_diagnostic *spare(struct bl_diagnostics *sink)
{
    sink->spare = (struct bl_diagnostic){.span = BL_NO_SPAN};
    return &sink->spare;
}

struct bl_diagnostic *bl_diagnostic_add(struct bl_diagnostics *sink, unsigned code,
                                        enum bl_severity severity, struct bl_span span)
{
    if (severity == BL_SEVERITY_OFF) {
        return spare(sink);
    }
    if (severity == BL_SEVERITY_ERROR && sink->errors >= sink->max_errors) {
        sink->dropped += 1;
        return spare(sink);
    }
    /* Counted before it is kept: an error that memory has no room for is still an error. */
    tally(sink, severity, true);
    struct bl_diagnostic *d = BL_NEW(sink->arena, struct bl_diagnostic);
    /* A slot of the list may still be there when memory for a message is not. */
    struct bl_diagnostic **slot = d != NULL ? BL_PUSH(sink->arena, sink->list) : NULL;
    if (slot == NULL) {
        sink->dropped += 1;
        return spare(sink);
    }
    *slot = d;
    d->code = code;
    d->severity = severity;
    d->span = span;
    return d;
}

void bl_diagnostic_text(struct bl_diagnostics *sink, struct bl_diagnostic *d, const char *name,
                        bl_str value)
{
    if (d == &sink->spare || d->arg_count == BL_DIAGNOSTIC_ARGS_MAX) {
        return;
    }
    d->args[d->arg_count++] = (struct bl_diagnostic_arg){
        .name = name,
        .value = bl_arena_copy(sink->arena, bl_utf8_prefix(value, ARG_TEXT_MAX)),
    };
}

void bl_diagnostic_int(struct bl_diagnostics *sink, struct bl_diagnostic *d, const char *name,
                       int64_t value)
{
    if (d == &sink->spare || d->arg_count == BL_DIAGNOSTIC_ARGS_MAX) {
        return;
    }
    struct bl_buf buf;
    bl_buf_init(&buf, sink->arena, ARG_TEXT_MAX);
    bl_buf_put_int(&buf, value);
    d->args[d->arg_count++] = (struct bl_diagnostic_arg){name, bl_buf_str(&buf)};
}

void bl_diagnostic_label(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                         struct bl_span span, bl_str text)
{
    if (d == &sink->spare || d->label_count == BL_DIAGNOSTIC_LABELS_MAX) {
        return;
    }
    d->labels[d->label_count++] = (struct bl_diagnostic_label){
        .span = span,
        .text = bl_arena_copy(sink->arena, text),
    };
}

void bl_diagnostic_help(struct bl_diagnostics *sink, struct bl_diagnostic *d, bl_str text)
{
    if (d != &sink->spare) {
        d->help = bl_arena_copy(sink->arena, text);
    }
}

void bl_diagnostic_fix(struct bl_diagnostics *sink, struct bl_diagnostic *d,
                       struct bl_span span, bl_str replacement)
{
    if (d == &sink->spare) {
        return;
    }
    d->has_fix = true;
    d->fix_span = span;
    d->fix_text = bl_arena_copy(sink->arena, replacement);
}

static bool same_span(struct bl_span a, struct bl_span b)
{
    return a.source == b.source && a.lo == b.lo && a.hi == b.hi;
}

static bool repeats(const struct bl_diagnostic *a, const struct bl_diagnostic *b)
{
    if (a->code != b->code || a->severity != b->severity || a->arg_count != b->arg_count) {
        return false;
    }
    for (size_t i = 0; i < a->arg_count; i++) {
        if (!bl_str_equal(a->args[i].value, b->args[i].value)) {
            return false;
        }
    }
    return true;
}

static int compare_places(const void *a, const void *b, const void *context)
{
    const struct bl_diagnostic *const *first = a, *const *second = b;
    const struct bl_span x = (*first)->span, y = (*second)->span;

    (void)context;
    if (x.source != y.source) {
        return x.source < y.source ? -1 : 1;
    }
    if (x.lo != y.lo) {
        return x.lo < y.lo ? -1 : 1;
    }
    return (x.hi > y.hi) - (x.hi < y.hi);
}

void bl_diagnostics_sort(struct bl_diagnostics *sink)
{
    struct bl_diagnostic **items = sink->list.items;
    size_t count = sink->list.count;
    if (!bl_sort(sink->arena, items, count, sizeof(struct bl_diagnostic *), compare_places,
                 NULL)) {
        return; /* the order they were found in is an order too */
    }

    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool repeated = false;
        for (size_t back = 1; back <= kept && back <= REPETITION_REACH && !repeated; back++) {
            if (!same_span(items[kept - back]->span, items[i]->span)) {
                break;
            }
            repeated = repeats(items[kept - back], items[i]);
        }
        if (repeated) {
            tally(sink, items[i]->severity, false);
        } else {
            items[kept++] = items[i];
        }
    }
    sink->list.count = kept;
}
