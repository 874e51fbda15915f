/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "spec/tables.h"
#include "syntax/ast.h"

/* Any bytes are a policy or are answered. What must hold whatever they are: the parse ends; its
 * result and its messages agree; every span lies in the text; children lie within their parents
 * and are no deeper than the limit; and with less memory than it needs it says so. */

#define ERRORS_MAX 20

struct parsed {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;
    enum bl_status status;
};

static void parse(struct parsed *parsed, bl_str text, size_t limit)
{
    bl_arena_init(&parsed->arena, limit, NULL);
    bl_sources_init(&parsed->sources, &parsed->arena);
    bl_diagnostics_init(&parsed->sink, &parsed->arena, ERRORS_MAX);
    uint32_t source = bl_sources_add(&parsed->sources, BL_STR("fuzz.policy"), text);
    if (source == BL_NO_SOURCE) {
        parsed->status = BL_ERR_NOMEM;
        parsed->ast.file = NULL;
        return;
    }
    parsed->status =
        bl_parse(&parsed->arena, &parsed->sources, source, &parsed->sink, &parsed->ast);
}

static void check_span(struct bl_span span, size_t len)
{
    FUZZ_REQUIRE(span.lo <= span.hi && span.hi <= len);
}

static void check_node(const struct bl_node *node, size_t len, unsigned height)
{
    FUZZ_REQUIRE(node->height <= height);
    check_span(node->span, len);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        const struct bl_node *kid = node->kids[i];
        if (kid != NULL) {
            FUZZ_REQUIRE(kid->height < node->height);
            FUZZ_REQUIRE(kid->span.lo >= node->span.lo && kid->span.hi <= node->span.hi);
            check_node(kid, len, height - 1);
        }
    }
}

static bool holds_broken(const struct bl_node *node)
{
    bool broken = node->kind == BL_NODE_BROKEN;

    for (uint32_t i = 0; i < node->kid_count && !broken; i++) {
        broken = node->kids[i] != NULL && holds_broken(node->kids[i]);
    }
    return broken;
}

static void check_messages(const struct bl_diagnostics *sink, size_t len)
{
    FUZZ_REQUIRE(sink->list.count <= ERRORS_MAX);
    for (size_t i = 0; i < sink->list.count; i++) {
        const struct bl_diagnostic *d = sink->list.items[i];
        FUZZ_REQUIRE(bl_diagnostic_info(d->code) != NULL);
        check_span(d->span, len);
        if (d->has_fix) {
            check_span(d->fix_span, len);
        }
        for (size_t k = 0; k < d->label_count; k++) {
            check_span(d->labels[k].span, len);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct parsed parsed;
    bl_str text = {(const char *)bytes, len};

    parse(&parsed, text, (size_t)1 << 30);
    FUZZ_REQUIRE(parsed.status == BL_OK || parsed.status == BL_ERR_INVALID);
    FUZZ_REQUIRE((parsed.status == BL_OK) == (parsed.sink.errors + parsed.sink.dropped == 0));
    FUZZ_REQUIRE(parsed.ast.file != NULL);
    check_messages(&parsed.sink, len);
    check_node(parsed.ast.file, len, (unsigned)bl_limit(BL_LIMIT_NESTING) + 1);
    FUZZ_REQUIRE(parsed.status != BL_OK || !holds_broken(parsed.ast.file));
    struct bl_buf dump;
    bl_buf_init(&dump, &parsed.arena, (size_t)1 << 16);
    bl_ast_dump(parsed.ast.file, &dump);
    size_t used = parsed.arena.used;
    bl_arena_reset(&parsed.arena);

    /* The input says how much of what it needs it gets. */
    parse(&parsed, text, used / 64 * (len > 0 ? bytes[len - 1] % 64U : 0));
    FUZZ_REQUIRE(parsed.status == BL_OK || parsed.status == BL_ERR_INVALID ||
                 (parsed.status == BL_ERR_NOMEM && parsed.ast.file == NULL));
    bl_arena_reset(&parsed.arena);
    return 0;
}
