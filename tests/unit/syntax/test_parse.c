/* SPDX-License-Identifier: Apache-2.0 */

/* Contract of bl_parse: results, places, comments, limits, and what happens without memory.
 * What it says and which trees it makes stands in tests/language/syntax and tests/golden/ast.
 */

#include "base/buf.h"
#include "spec/tables.h"
#include "support/allocator.h"
#include "support/check_diagnostic.h"
#include "syntax/parser.h"

#include <stdlib.h>
#include <string.h>

/* A bit of everything, with mistakes that take the ways of recovery. */
static const char sample[] = "## A doc comment.\n"
                             "rule needsInfo {   # a comment\n"
                             "  on   issues.opened, issues.edited\n"
                             "  when x && y or z ? a : b\n"
                             "  if c { say \"Hello {name}, {count(xs) + 1} \\{ \\u{e9}\" }\n"
                             "  else { say \"\"\"\n"
                             "    One {two}\n"
                             "      three\n"
                             "    \"\"\" }\n"
                             "  let d = 15days + xs[0] + f(a, [b, c,])\n"
                             "  when (e and f\n"
                             "  g => where h\n"
                             "}\n"
                             "rule broken { 'x' \xE2\x80\xAE // y\n"
                             "define i = count j in k where l and m /never closed\n";

struct parsed {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;
    enum bl_status status;
};

static void parse_with(struct parsed *parsed, bl_str text, size_t limit,
                       const struct bl_allocator *allocator)
{
    memset(parsed, 0, sizeof(*parsed));
    bl_arena_init(&parsed->arena, limit, allocator);
    bl_sources_init(&parsed->sources, &parsed->arena);
    bl_diagnostics_init(&parsed->sink, &parsed->arena, 20);
    uint32_t source = bl_sources_add(&parsed->sources, BL_STR("a.policy"), text);
    if (source == BL_NO_SOURCE) {
        parsed->status = BL_ERR_NOMEM;
        return;
    }
    parsed->status =
        bl_parse(&parsed->arena, &parsed->sources, source, &parsed->sink, &parsed->ast);
}

static void parse(struct parsed *parsed, bl_str text)
{
    parse_with(parsed, text, (size_t)1 << 30, NULL);
}

TEST(test_results)
{
    struct parsed parsed;

    parse(&parsed, BL_STR(""));
    check_status(parsed.status, BL_OK);
    check_int(parsed.ast.file->kind, BL_NODE_FILE);
    check_size(parsed.ast.file->kid_count, 0);
    bl_arena_reset(&parsed.arena);

    parse(&parsed, BL_STR("\n\n# nothing\n;\n"));
    check_status(parsed.status, BL_OK);
    check_size(parsed.ast.file->kid_count, 0);
    bl_arena_reset(&parsed.arena);

    parse(&parsed, BL_STR("rule a { b }"));
    check_status(parsed.status, BL_OK);
    check_size(parsed.ast.file->kid_count, 1);
    bl_arena_reset(&parsed.arena);

    parse(&parsed, BL_STR("rule a { where }\nrule b { c }"));
    check_status(parsed.status, BL_ERR_INVALID);
    check_size(parsed.ast.file->kid_count, 2);
    check_diag(&parsed.sink, &parsed.sources, 0, BL_D_UNEXPECTED, 1, 10);
    check_diag_arg(&parsed.sink, 0, "found", "'where'");
    check_diag_arg(&parsed.sink, 0, "expected", "an expression or '}'");
    bl_arena_reset(&parsed.arena);
}

/* A source that is not there is a defect of the caller, not of the policy. */
TEST(test_unknown_source)
{
    struct parsed parsed;

    parse(&parsed, BL_STR(""));
    check_status(bl_parse(&parsed.arena, &parsed.sources, 7, &parsed.sink, &parsed.ast),
                 BL_ERR_INTERNAL);
    bl_arena_reset(&parsed.arena);
}

TEST(test_comments)
{
    static const char text[] =
        "# own\n## doc\nrule a { # behind\n  b # again\r\n}\nx \"#\" /#/\n";
    static const struct {
        const char *text;
        bool is_doc;
        bool own_line;
    } rows[] = {
        {"# own", false, true},
        {"## doc", true, true},
        {"# behind", false, false},
        {"# again", false, false},
    };
    struct parsed parsed;

    parse(&parsed, bl_str_from(text));
    check_status(parsed.status, BL_OK);
    check_size(parsed.ast.comments.count, sizeof(rows) / sizeof(rows[0]));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct bl_comment *comment = &parsed.ast.comments.items[i];
        check_case("%s", rows[i].text);
        check_str(bl_sources_text(&parsed.sources, comment->span), rows[i].text);
        check_int(comment->is_doc, rows[i].is_doc);
        check_int(comment->own_line, rows[i].own_line);
    }
    bl_arena_reset(&parsed.arena);
}

TEST(test_names_are_mended)
{
    struct parsed parsed;

    parse(&parsed, BL_STR("rule needsInfo { b }"));
    check_status(parsed.status, BL_ERR_INVALID);
    const struct bl_node *phrase = parsed.ast.file->kids[0]->kids[0];
    check_str(phrase->kids[1]->text, "needs_info");
    check_str(bl_sources_text(&parsed.sources, phrase->kids[1]->span), "needsInfo");
    bl_arena_reset(&parsed.arena);
}

/* A message of an expectation names six things at most, and no more errors than asked for are
 * kept. */
TEST(test_errors_are_bounded)
{
    struct parsed parsed;
    struct bl_arena arena;
    struct bl_buf buf;

    bl_arena_init(&arena, (size_t)1 << 26, NULL);
    bl_buf_init(&buf, &arena, (size_t)1 << 20);
    for (unsigned i = 0; i < 1000; i++) {
        BL_PUT(&buf, "rule a { where }\n");
    }
    parse(&parsed, bl_buf_str(&buf));
    check_status(parsed.status, BL_ERR_INVALID);
    check_size(parsed.sink.list.count, 20);
    check_size(parsed.sink.dropped, 980);
    check_size(parsed.ast.file->kid_count, 1000);
    bl_arena_reset(&parsed.arena);
    bl_arena_reset(&arena);
}

TEST(test_size_limit)
{
    struct parsed parsed;
    size_t limit = (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES);
    char *text = malloc(limit + 1);

    check(text != NULL);
    memset(text, '\n', limit + 1);
    parse(&parsed, (bl_str){text, limit});
    check_status(parsed.status, BL_OK);
    bl_arena_reset(&parsed.arena);

    parse(&parsed, (bl_str){text, limit + 1});
    check_status(parsed.status, BL_ERR_INVALID);
    check_diag(&parsed.sink, &parsed.sources, 0, BL_D_SOURCE_TOO_LARGE, 1, 1);
    check(parsed.ast.file != NULL);
    bl_arena_reset(&parsed.arena);
    free(text);
}

static void check_heights(const struct bl_node *node, unsigned limit)
{
    check(node->height <= limit);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (node->kids[i] != NULL) {
            check(node->kids[i]->height < node->height);
            check_heights(node->kids[i], limit);
        }
    }
}

/* `before` as often as asked, x, `behind` as often. */
static bl_str nested(struct bl_arena *arena, const char *before, const char *behind,
                     unsigned times)
{
    struct bl_buf buf;

    bl_buf_init(&buf, arena, (size_t)1 << 20);
    BL_PUT(&buf, "a = ");
    for (unsigned i = 0; i < times; i++) {
        bl_buf_put(&buf, bl_str_from(before));
    }
    BL_PUT(&buf, "x");
    for (unsigned i = 0; i < times; i++) {
        bl_buf_put(&buf, bl_str_from(behind));
    }
    BL_PUT(&buf, "\nrule b { c }\n");
    return bl_buf_str(&buf);
}

/* Whatever makes the depth: the tree stays within the limit, one message says so, and what
 * stands behind is read. The parser's own stack has room for each of them at the limit. */
TEST(test_depth_limit)
{
    static const struct {
        const char *before;
        const char *behind;
    } rows[] = {
        {"(", ")"},
        {"[", "]"},
        {"f(", ")"},
        {"f(a, b, c : ", ")"},
        {"(a or b and c == d + e * ", ")"},
        {"f(a, b or c and not d == e + g * ", ")"},
        {"[a, b or c and not d == e + g * h(", ")]"},
        {"(if a or b and c == d + e * (", ") then y else z)"},
        {"not ", ""},
        {"if a then b else ", ""},
        {"if a or b and c == d + e * f then b or c and d == e else ", ""},
        {"any i in j where ", ""},
        {"(first i in j + k * l(m) where not (", ")) else z"},
        {"a else ", ""},
        {"", " and y"},
        {"", " or y"},
        {"", " + y"},
        {"", " * y"},
        {"", ".y"},
        {"", "?.y"},
        {"", "?"},
        {"-", ""},
        {"a ? b : ", ""},
        {"\"{", "}\""},
    };
    struct bl_arena arena;

    check_int(BL_NESTING_MAX, bl_limit(BL_LIMIT_NESTING));
    bl_arena_init(&arena, (size_t)1 << 28, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        static const unsigned depths[] = {30, 100, 199, 200, 201, 1000, 10000};
        for (size_t k = 0; k < sizeof(depths) / sizeof(depths[0]); k++) {
            struct parsed parsed;
            check_case("%s x %s, %u times", rows[i].before, rows[i].behind, depths[k]);
            parse(&parsed, nested(&arena, rows[i].before, rows[i].behind, depths[k]));
            check(parsed.status == BL_OK || parsed.status == BL_ERR_INVALID);
            check(parsed.ast.file->kid_count >= 2);
            check_heights(parsed.ast.file, (unsigned)bl_limit(BL_LIMIT_NESTING) + 1);
            size_t deep = 0;
            for (size_t m = 0; m < parsed.sink.list.count; m++) {
                deep += parsed.sink.list.items[m]->code == BL_D_TOO_DEEP;
            }
            check(deep <= 1);
            const struct bl_node *last = parsed.ast.file->kids[parsed.ast.file->kid_count - 1];
            check_str(last->kids[0]->kids[1]->text, "b");
            bl_arena_reset(&parsed.arena);
        }
    }
    bl_arena_reset(&arena);
}

/* ---- without memory
 * --------------------------------------------------------------------------- */

TEST(test_each_allocation_fails_once)
{
    struct parsed parsed;
    size_t failed_at = 0;

    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        failing_allocator_init(&failing, n);
        parse_with(&parsed, bl_str_from(sample), (size_t)1 << 30, &failing.allocator);
        bool done = parsed.status != BL_ERR_NOMEM;
        if (done) {
            check_status(parsed.status, BL_ERR_INVALID);
        } else {
            check(parsed.ast.file == NULL);
            failed_at = n;
        }
        bl_arena_reset(&parsed.arena);
        check_size(failing.live, 0);
        if (done) {
            break;
        }
    }
    check(failed_at > 0);
}

/* An arena takes little blocks; its limit ends between any two of the parser's own requests. */
TEST(test_memory_ends_anywhere)
{
    struct parsed parsed;

    parse(&parsed, bl_str_from(sample));
    check_status(parsed.status, BL_ERR_INVALID);
    size_t used = parsed.arena.used;
    size_t messages = parsed.sink.list.count;
    bl_arena_reset(&parsed.arena);

    for (size_t limit = 0; limit < used; limit += _Alignof(max_align_t)) {
        check_case("%zu bytes", limit);
        parse_with(&parsed, bl_str_from(sample), limit, NULL);
        check_status(parsed.status, BL_ERR_NOMEM);
        check(parsed.ast.file == NULL);
        bl_arena_reset(&parsed.arena);
    }
    parse_with(&parsed, bl_str_from(sample), used, NULL);
    check_status(parsed.status, BL_ERR_INVALID);
    check_size(parsed.sink.list.count, messages);
    bl_arena_reset(&parsed.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_unknown_source),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_names_are_mended),
        cmocka_unit_test(test_errors_are_bounded),
        cmocka_unit_test(test_size_limit),
        cmocka_unit_test(test_depth_limit),
        cmocka_unit_test(test_each_allocation_fails_once),
        cmocka_unit_test(test_memory_ends_anywhere),
    };
    return check_main(tests);
}
