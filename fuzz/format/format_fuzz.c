/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "spec/tables.h"
#include "syntax/format.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* Whatever parses is formatted; formatting the result changes nothing; and the grammar is given
 * the same tokens, so that nothing behind it can tell the two apart, but for places. */

#define ERRORS_MAX 20
#define BYTES_MAX  ((size_t)1 << 30)

struct text {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    uint32_t source;
    struct bl_buf out;
};

static enum bl_status format(struct text *text, bl_str bytes, size_t limit)
{
    bl_arena_init(&text->arena, limit, NULL);
    bl_sources_init(&text->sources, &text->arena);
    bl_diagnostics_init(&text->sink, &text->arena, ERRORS_MAX);
    text->source = bl_sources_add(&text->sources, BL_STR("fuzz.policy"), bytes);
    bl_buf_init(&text->out, &text->arena, BYTES_MAX);
    if (text->source == BL_NO_SOURCE) {
        return BL_ERR_NOMEM;
    }
    return bl_format(&text->arena, &text->sources, text->source, &text->sink, &text->out);
}

/* In the words of tests alone: what the formatter checks itself is checked here once more. */
static void parse(struct text *text, struct bl_tokens *tokens)
{
    struct bl_ast ast;

    FUZZ_REQUIRE(bl_parse_tokens(&text->arena, &text->sources, text->source, &text->sink, &ast,
                                 tokens) == BL_OK);
}

/* But for the CR of line ends. */
static bool same(struct text *a, struct bl_span x, struct text *b, struct bl_span y)
{
    bl_str left = bl_sources_text(&a->sources, x);
    bl_str right = bl_sources_text(&b->sources, y);
    size_t k = 0;

    for (size_t i = 0; i < left.len; i++) {
        if (left.ptr[i] != '\r' && (k == right.len || left.ptr[i] != right.ptr[k++])) {
            return false;
        }
    }
    return k == right.len;
}

static void compare(struct text *before, struct text *after)
{
    struct bl_tokens left = {NULL, 0, 0};
    struct bl_tokens right = {NULL, 0, 0};

    parse(before, &left);
    parse(after, &right);
    FUZZ_REQUIRE(left.count == right.count);
    for (size_t i = 0; i < left.count; i++) {
        const struct bl_token *x = &left.items[i];
        const struct bl_token *y = &right.items[i];
        FUZZ_REQUIRE(x->kind == y->kind);
        FUZZ_REQUIRE(x->kind == BL_TK_NEWLINE || x->kind == BL_TK_DURATION ||
                     same(before, (struct bl_span){x->lo, x->hi, before->source}, after,
                          (struct bl_span){y->lo, y->hi, after->source}));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static struct text first, second;
    bl_str input = {(const char *)bytes, len};
    enum bl_status status = format(&first, input, BYTES_MAX);
    size_t used = first.arena.used;

    FUZZ_REQUIRE(status == BL_OK || status == BL_ERR_INVALID || status == BL_ERR_LIMIT);
    FUZZ_REQUIRE((status != BL_ERR_INVALID) == (first.sink.errors + first.sink.dropped == 0));
    if (status == BL_OK) {
        bl_str once = bl_buf_str(&first.out);
        FUZZ_REQUIRE(format(&second, once, BYTES_MAX) == BL_OK);
        FUZZ_REQUIRE(bl_str_equal(bl_buf_str(&second.out), once));
        compare(&first, &second);
        bl_arena_reset(&second.arena);
    }
    bl_arena_reset(&first.arena);

    /* The input says how much of what it needs it gets. */
    status = format(&first, input, used / 64 * (len > 0 ? bytes[len - 1] % 64U : 0));
    FUZZ_REQUIRE(status != BL_ERR_INTERNAL);
    bl_arena_reset(&first.arena);
    return 0;
}
