/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/ast.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

static void report_size(struct bl_parser *parser, size_t size)
{
    struct bl_diagnostic *d =
        bl_report(parser->sink, BL_D_SOURCE_TOO_LARGE, bl_parser_span(parser, 0, 0));

    bl_diagnostic_int(parser->sink, d, "bytes", (int64_t)size);
    bl_diagnostic_int(parser->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_SOURCE_BYTES));
}

static void parse(struct bl_parser *parser, bl_str text)
{
    if (text.len > bl_limit(BL_LIMIT_SOURCE_BYTES)) {
        report_size(parser, text.len);
        return;
    }
    parser->text = bl_source_check(parser, text);
    parser->ast->file->span.hi = (uint32_t)text.len;
    bl_tokens_read(parser);
    if (parser->arena->failed) {
        return;
    }
    bl_brackets_repair(parser);
    bl_filter_start(parser);
    /* Its result says no more than the messages do: it has a way on behind every mistake. */
    (void)bl_policy_parse(parser);
}

static enum bl_status run(struct bl_arena *arena, struct bl_sources *sources, uint32_t source,
                          struct bl_diagnostics *sink, struct bl_ast *out, uint32_t *reductions,
                          struct bl_tokens *given)
{
    const struct bl_source *file = bl_sources_get(sources, source);
    size_t mistakes = sink->errors + sink->dropped;

    *out = (struct bl_ast){.source = source};
    if (file == NULL) {
        return BL_ERR_INTERNAL;
    }
    struct bl_parser *parser = BL_NEW(arena, struct bl_parser);
    if (parser == NULL) {
        return BL_ERR_NOMEM;
    }
    parser->arena = arena;
    parser->sink = sink;
    parser->ast = out;
    parser->source = source;
    parser->reductions = reductions;
    parser->given = given;
    out->file = bl_node_make(parser, BL_NODE_FILE, bl_parser_span(parser, 0, 0));
    parse(parser, file->text);
    if (arena->failed || sink->arena->failed) {
        out->file = NULL;
        return BL_ERR_NOMEM;
    }
    return sink->errors + sink->dropped > mistakes ? BL_ERR_INVALID : BL_OK;
}

enum bl_status bl_parse(struct bl_arena *arena, struct bl_sources *sources, uint32_t source,
                        struct bl_diagnostics *sink, struct bl_ast *out)
{
    return run(arena, sources, source, sink, out, NULL, NULL);
}

enum bl_status bl_parse_counted(struct bl_arena *arena, struct bl_sources *sources,
                                uint32_t source, struct bl_diagnostics *sink,
                                struct bl_ast *out, uint32_t *reductions)
{
    return run(arena, sources, source, sink, out, reductions, NULL);
}

enum bl_status bl_parse_tokens(struct bl_arena *arena, struct bl_sources *sources,
                               uint32_t source, struct bl_diagnostics *sink, struct bl_ast *out,
                               struct bl_tokens *given)
{
    return run(arena, sources, source, sink, out, NULL, given);
}
