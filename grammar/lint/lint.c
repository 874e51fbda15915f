/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/lint.h"

#include "base/utf8.h"
#include "lint/linter.h"

/* The driver: runs what lint.def names, decides how loud each finding is, and hands it on. */

#define BL_LINT(id, diagnostic, function, doc)                                                 \
    {BL_D_##diagnostic, {"" doc, sizeof("" doc) - 1}},
static const struct bl_lint_rule rules[] = {
#include "lint/lint.def"
};
#undef BL_LINT
#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

#define bl_lint_NULL                           NULL
#define BL_LINT(id, diagnostic, function, doc) bl_lint_##function,
static void (*const functions[])(struct bl_linter *l) = {
#include "lint/lint.def"
};
#undef BL_LINT

size_t bl_lint_rule_count(void)
{
    return RULE_COUNT;
}

const struct bl_lint_rule *bl_lint_rule_at(size_t index)
{
    return index < RULE_COUNT ? &rules[index] : NULL;
}

/* ---- findings -------------------------------------------------------------------------- */

struct bl_diagnostic *bl_lint_report(struct bl_linter *l, enum bl_diagnostic_code code,
                                     struct bl_span span)
{
    /* Kept whatever its level is: that is decided at the end, by the file that it stands in. */
    return bl_diagnostic_add(&l->found, code, BL_SEVERITY_NOTE, span);
}

void bl_lint_text(struct bl_linter *l, struct bl_diagnostic *d, const char *name, bl_str value)
{
    bl_diagnostic_text(&l->found, d, name, value);
}

bl_str bl_lint_source(struct bl_linter *l, struct bl_span span)
{
    bl_str source = bl_sources_text(l->program->sources, span);
    struct bl_buf buf;
    bool blank = false;

    bl_buf_init(&buf, l->arena, 256);
    for (size_t i = 0; i < source.len && buf.len < 64; i++) {
        bool space = bl_is_ascii_space(source.ptr[i]);

        if (space && !blank)
            bl_buf_put_char(&buf, ' ');
        else if (!space)
            bl_buf_put_char(&buf, source.ptr[i]);
        blank = space;
    }
    if (buf.len <= 60)
        return bl_buf_str(&buf);
    return bl_lint_words(l, "%.*s…", BL_STR_ARG(bl_utf8_prefix(bl_buf_str(&buf), 57)));
}

bl_str bl_lint_words(struct bl_linter *l, const char *format, ...)
{
    struct bl_buf buf;
    char text[600];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    bl_buf_init(&buf, l->arena, sizeof(text));
    if (length > 0)
        bl_buf_put(&buf, bl_utf8_prefix(bl_str_from(text), sizeof(text) - 8));
    return bl_buf_str(&buf);
}

bl_str bl_event_words(struct bl_linter *l, enum bl_event_id event)
{
    const struct bl_event_info *info = bl_event_info(event);

    return info->action.len > 0 ? bl_lint_words(l, "'%.*s.%.*s'", BL_STR_ARG(info->event),
                                                BL_STR_ARG(info->action))
                                : bl_lint_words(l, "'%.*s'", BL_STR_ARG(info->event));
}

const struct bl_rule *bl_lint_rule_of(const struct bl_symbol *symbol)
{
    if (symbol == NULL)
        return NULL;
    if (symbol->kind == BL_SYMBOL_COMMAND)
        return symbol->as.commands->rule;
    return symbol->kind == BL_SYMBOL_RULE || symbol->kind == BL_SYMBOL_STEP ||
                   symbol->kind == BL_SYMBOL_LIFECYCLE || symbol->kind == BL_SYMBOL_ENTRY
               ? symbol->as.rule
               : NULL;
}

const struct bl_symbol *bl_lint_whole(const struct bl_symbol *symbol)
{
    bool is_callable = symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
                       symbol->kind == BL_SYMBOL_CHECK;

    if (!is_callable || !symbol->as.callable->says_answer || symbol->original != NULL)
        return symbol;
    return symbol->instances != NULL ? symbol->instances->symbol : NULL;
}

bool bl_lint_is_own(const struct bl_symbol *symbol)
{
    return symbol->package != NULL && symbol->package->is_root;
}

static bool is_own_source(const struct bl_linter *l, uint32_t source)
{
    for (size_t i = 0; i < l->program->files.count; i++) {
        const struct bl_file *file = l->program->files.items[i];

        if (file->ast.source == source)
            return file->package != NULL && file->package->is_root;
    }
    return false;
}

void bl_lint_mark_reported(struct bl_linter *l, const struct bl_node *node)
{
    const struct bl_node **place = BL_PUSH(l->arena, l->reported);

    if (place != NULL)
        *place = node;
}

bool bl_lint_was_reported(const struct bl_linter *l, const struct bl_node *node)
{
    for (size_t i = 0; i < l->reported.count; i++) {
        if (l->reported.items[i] == node)
            return true;
    }
    return false;
}

/* ---- levels ---------------------------------------------------------------------------- */

/* What the policy says counts for the files of the package that says it. */
static bool counts_for(const struct bl_linter *l, const struct bl_lint_level *level,
                       uint32_t source)
{
    const struct bl_package *of_level = NULL, *of_finding = NULL;

    for (size_t i = 0; i < l->program->files.count; i++) {
        const struct bl_file *file = l->program->files.items[i];

        if (file->ast.source == level->span.source)
            of_level = file->package;
        if (file->ast.source == source)
            of_finding = file->package;
    }
    return of_level == of_finding;
}

static enum bl_severity level_of(const struct bl_linter *l, unsigned code, uint32_t source)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(code);
    enum bl_severity severity = info->severity;

    for (size_t i = 0; i < l->program->lints.count; i++) {
        const struct bl_lint_level *level = &l->program->lints.items[i];

        if (bl_str_equal(level->name, info->lint) && counts_for(l, level, source))
            severity = level->severity;
    }
    for (size_t i = 0; i < l->options->level_count; i++) {
        if (bl_str_equal(l->options->levels[i].name, info->lint))
            severity = l->options->levels[i].severity;
    }
    return severity;
}

/* May a finding of the code be shown anywhere? */
static bool may_be_on(const struct bl_linter *l, unsigned code)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(code);

    if (info->severity != BL_SEVERITY_OFF)
        return true;
    for (size_t i = 0; i < l->program->lints.count; i++) {
        if (bl_str_equal(l->program->lints.items[i].name, info->lint))
            return true;
    }
    for (size_t i = 0; i < l->options->level_count; i++) {
        if (bl_str_equal(l->options->levels[i].name, info->lint))
            return true;
    }
    return false;
}

static void hand_on(struct bl_linter *l, struct bl_diagnostics *sink)
{
    size_t shown = 0; /* witnesses stand in the order of their findings */

    for (size_t i = 0; i < l->found.list.count; i++) {
        const struct bl_diagnostic *finding = l->found.list.items[i];
        enum bl_severity severity = level_of(l, finding->code, finding->span.source);
        struct bl_diagnostic *d;

        if (severity == BL_SEVERITY_OFF || !is_own_source(l, finding->span.source))
            continue;
        d = bl_diagnostic_add(sink, finding->code, severity, finding->span);
        if (d == &sink->spare)
            continue; /* too many */
        *d = *finding;
        d->severity = severity;
        for (size_t k = shown; k < l->shown.count; k++) {
            if (l->shown.items[k].finding != finding)
                continue;
            l->options->witness(l->options->context, d, l->shown.items[k].witness);
            shown = k + 1;
            break;
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------- */

static void run_all(struct bl_linter *l)
{
    for (size_t i = 0; i < RULE_COUNT; i++) {
        bool done = functions[i] == NULL, wanted = false;

        for (size_t k = 0; k < RULE_COUNT; k++) {
            if (functions[k] != functions[i])
                continue;
            done = done || k < i;
            wanted = wanted || may_be_on(l, rules[k].code);
        }
        if (!done && wanted)
            functions[i](l);
    }
    if (l->incomplete && l->program->files.count > 0)
        bl_lint_report(l, BL_D_LINT_INCOMPLETE, l->rules.items[0].symbol->span);
}

enum bl_status bl_lint(struct bl_arena *arena, struct bl_program *program,
                       const struct bl_lint_options *options, struct bl_diagnostics *sink)
{
    static const struct bl_lint_options none = {NULL, 0, NULL, NULL};
    struct bl_linter *l = BL_NEW(arena, struct bl_linter);
    size_t errors = sink->errors;

    if (l == NULL)
        return BL_ERR_NOMEM;
    l->arena = arena;
    l->program = program;
    l->options = options != NULL ? options : &none;
    bl_diagnostics_init(&l->found, arena, SIZE_MAX);
    if (!bl_meaning_init(&l->meaning, arena, program))
        return BL_ERR_NOMEM;
    bl_solver_init(&l->solver, arena, &l->meaning.formulas);
    bl_lint_collect_deeds(l);
    run_all(l);
    bl_lint_suppress(l);
    if (arena->failed)
        return BL_ERR_NOMEM;
    hand_on(l, sink);
    if (arena->failed)
        return BL_ERR_NOMEM;
    return sink->errors > errors ? BL_ERR_INVALID : BL_OK;
}
