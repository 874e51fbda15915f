/* SPDX-License-Identifier: Apache-2.0 */

/* What the parser says of policies and makes of them:
 *   language/syntax/      every message stands in a comment of its line, `# expect PL0101`, or
 *                         of the line above (`# expect-below`) or below (`# expect-above`),
 * with the text that it is about: `# expect PL0101 at "then"; PL0109` language/syntax/fixes
 * with all fixes carried out a file is the .fixed beside it language/trial, stdlib, locales,
 * policies   parse without a message golden/ast/           the tree is the .ast beside it and
 * what these together must show: each message, each rule of the grammar. With --bless as
 * argument .fixed and .ast are written anew. */

#include "base/buf.h"
#include "language/syntax/corpus_files.h"
#include "support/check.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the messages that are this room's: characters and tokens below 100, syntax from
 * 101. What clauses.def says of clauses begins at 150. */
#define OWN_FIRST 2
#define OWN_LAST  149
/* Of what a file of a test may be; the rest has tests of its own in unit/syntax. */
static const unsigned without_fixture[] = {BL_D_SOURCE_TOO_LARGE};

static bool bless;
static uint32_t reductions[1024];
static bool seen[OWN_LAST + 1];

struct parsed {
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;
    uint32_t source;
};

static void parse(struct parsed *parsed, struct bl_arena *arena, bl_str path, bl_str text)
{
    bl_sources_init(&parsed->sources, arena);
    bl_diagnostics_init(&parsed->sink, arena, 1000);
    parsed->source = bl_sources_add(&parsed->sources, path, text);
    enum bl_status status = bl_parse_counted(arena, &parsed->sources, parsed->source,
                                             &parsed->sink, &parsed->ast, reductions);
    check_status(status, parsed->sink.errors > 0 ? BL_ERR_INVALID : BL_OK);
    check(parsed->ast.file != NULL);
    bl_diagnostics_sort(&parsed->sink);
}

static void show_message(struct parsed *parsed, const struct bl_diagnostic *d)
{
    struct bl_position at = bl_sources_position(&parsed->sources, d->span.source, d->span.lo);

    fprintf(stderr, "  line %u, column %u: PL%04u at \"%.*s\"\n", at.line, at.column, d->code,
            BL_STR_ARG(bl_sources_text(&parsed->sources, d->span)));
}

/* ---- expectations ---------------------------------------------------------------------------
 */

struct expectation {
    uint32_t line;
    unsigned code;
    bool has_text;
    bl_str text; /* of the span */
    bool met;
};
struct expectations {
    struct expectation *items;
    size_t count;
    size_t capacity;
};

/* PL0101 at "text"; more behind a semicolon. */
static void read_items(struct expectations *all, struct bl_arena *arena, uint32_t line,
                       bl_str rest)
{
    for (;;) {
        struct expectation *one = BL_PUSH(arena, *all);
        check(one != NULL);
        check(rest.len >= 6 && bl_str_starts_with(rest, BL_STR("PL")));
        one->line = line;
        for (size_t i = 2; i < 6; i++) {
            check(bl_is_ascii_digit(rest.ptr[i]));
            one->code = one->code * 10 + (unsigned)(rest.ptr[i] - '0');
        }
        rest = bl_str_slice(rest, 6, rest.len);
        size_t end = bl_str_find(rest, BL_STR("; PL"));
        bl_str own = bl_str_trim(bl_str_slice(rest, 0, end));
        if (bl_str_starts_with(own, BL_STR("at \"")) && bl_str_ends_with(own, BL_STR("\""))) {
            one->has_text = true;
            one->text = bl_str_slice(own, 4, own.len - 1);
        } else {
            check(own.len == 0);
        }
        if (end == SIZE_MAX) {
            return;
        }
        rest = bl_str_slice(rest, end + 2, rest.len);
    }
}

static void read_expectations(struct expectations *all, struct bl_arena *arena, bl_str text)
{
    uint32_t line = 1;

    for (size_t at = 0; at < text.len; line++) {
        bl_str rest = bl_str_slice(text, at, text.len);
        size_t end = bl_str_find_char(rest, '\n');
        bl_str own = bl_str_slice(rest, 0, end);
        size_t mark = bl_str_find(own, BL_STR("# expect"));
        if (mark != SIZE_MAX) {
            bl_str items = bl_str_slice(own, mark + 8, own.len);
            uint32_t about = line;
            if (bl_str_starts_with(items, BL_STR("-below"))) {
                about++;
                items = bl_str_slice(items, 6, items.len);
            } else if (bl_str_starts_with(items, BL_STR("-above"))) {
                about--;
                items = bl_str_slice(items, 6, items.len);
            }
            items = bl_str_trim(items);
            read_items(all, arena, about, items);
        }
        at += own.len + 1;
    }
}

static bool meets(struct parsed *parsed, const struct bl_diagnostic *d,
                  const struct expectation *one)
{
    struct bl_position at = bl_sources_position(&parsed->sources, d->span.source, d->span.lo);

    return !one->met && at.line == one->line && d->code == one->code &&
           (!one->has_text ||
            bl_str_equal(bl_sources_text(&parsed->sources, d->span), one->text));
}

/* Every {name} of a sentence of the table has its value. */
static bool has_arguments(const struct bl_diagnostic *d, bl_str sentence)
{
    for (size_t i = 0; i < sentence.len; i++) {
        if (sentence.ptr[i] != '{') {
            continue;
        }
        size_t end = bl_str_find_char(bl_str_slice(sentence, i, sentence.len), '}');
        bl_str name = bl_str_slice(sentence, i + 1, i + end);
        bool found = false;
        for (size_t k = 0; k < d->arg_count; k++) {
            found |= bl_str_equal(bl_str_from(d->args[k].name), name);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool is_complete(const struct bl_diagnostic *d)
{
    const struct bl_diagnostic_info *info = bl_diagnostic_info(d->code);

    return has_arguments(d, info->message) && (d->help.len > 0 || has_arguments(d, info->help));
}

/* Every message is expected and every expectation met; says all that differs. */
static bool check_fixture(struct bl_arena *arena, const struct policy_file *file)
{
    struct parsed parsed;
    struct expectations all = {0};
    bool good = true;

    parse(&parsed, arena, file->path, file->text);
    read_expectations(&all, arena, file->text);
    for (size_t i = 0; i < parsed.sink.list.count; i++) {
        const struct bl_diagnostic *d = parsed.sink.list.items[i];
        size_t k = 0;
        while (k < all.count && !meets(&parsed, d, &all.items[k])) {
            k++;
        }
        if (k < all.count) {
            all.items[k].met = true;
        } else {
            fprintf(stderr, "%s: not expected:\n", file->path.ptr);
            show_message(&parsed, d);
            good = false;
        }
        if (d->code <= OWN_LAST) {
            seen[d->code] = true;
        }
        if (!is_complete(d)) {
            fprintf(stderr, "%s: an argument is missing:\n", file->path.ptr);
            show_message(&parsed, d);
            good = false;
        }
    }
    for (size_t k = 0; k < all.count; k++) {
        if (!all.items[k].met) {
            fprintf(stderr, "%s:%u: expected and not said: PL%04u at \"%.*s\"\n",
                    file->path.ptr, all.items[k].line, all.items[k].code,
                    BL_STR_ARG(all.items[k].text));
            good = false;
        }
    }
    return good;
}

TEST(test_each_line_gets_its_messages)
{
    struct bl_arena arena;
    struct policy_files files = {0};
    bool good = true;

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    policy_files_add(&files, &arena, "tests/language/syntax", ".policy");
    for (size_t i = 0; i < files.count; i++) {
        if (bl_str_find(files.items[i].path, BL_STR("/fixes/")) == SIZE_MAX) {
            check_case("%s", files.items[i].path.ptr);
            good &= check_fixture(&arena, &files.items[i]);
        }
    }
    bl_arena_reset(&arena);
    check(good);
}

/* ---- fixes ----------------------------------------------------------------------------------
 */

/* The text with the fixes carried out that do not touch one before them. */
static bl_str apply_fixes(struct parsed *parsed, struct bl_arena *arena, bl_str text)
{
    struct bl_buf out;
    size_t at = 0;

    bl_buf_init(&out, arena, (size_t)1 << 20);
    for (size_t i = 0; i < parsed->sink.list.count; i++) {
        const struct bl_diagnostic *d = parsed->sink.list.items[i];
        if (d->has_fix && d->fix_span.lo >= at) {
            bl_buf_put(&out, bl_str_slice(text, at, d->fix_span.lo));
            bl_buf_put(&out, d->fix_text);
            at = d->fix_span.hi;
        }
    }
    bl_buf_put(&out, bl_str_slice(text, at, text.len));
    check(!out.failed);
    return bl_buf_str(&out);
}

static bool check_fixes(struct bl_arena *arena, const struct policy_file *file)
{
    bl_str text = file->text;
    struct parsed parsed;

    parse(&parsed, arena, file->path, text);
    check(parsed.sink.errors > 0);
    for (unsigned round = 0; round < 5 && parsed.sink.errors > 0; round++) {
        text = apply_fixes(&parsed, arena, text);
        parse(&parsed, arena, file->path, text);
    }
    if (bless) {
        policy_file_write(arena, file->path, ".fixed", text);
    }
    for (size_t i = 0; i < parsed.sink.list.count; i++) {
        fprintf(stderr, "%s: still there with all fixes:\n%.*s", file->path.ptr,
                BL_STR_ARG(text));
        show_message(&parsed, parsed.sink.list.items[i]);
    }
    bl_str wanted = policy_file_beside(arena, file->path, ".fixed");
    if (!bl_str_equal(text, wanted)) {
        fprintf(stderr, "%s: fixed, it is not the file beside it:\n%.*s", file->path.ptr,
                BL_STR_ARG(text));
    }
    return parsed.sink.errors == 0 && bl_str_equal(text, wanted);
}

TEST(test_fixes_mend)
{
    struct bl_arena arena;
    struct policy_files files = {0};
    bool good = true;

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    policy_files_add(&files, &arena, "tests/language/syntax/fixes", ".policy");
    for (size_t i = 0; i < files.count; i++) {
        check_case("%s", files.items[i].path.ptr);
        good &= check_fixes(&arena, &files.items[i]);
    }
    bl_arena_reset(&arena);
    check(good);
}

/* ---- policies that are right, and their trees -----------------------------------------------
 */

TEST(test_policies_parse)
{
    static const char *const folders[] = {"tests/language/trial", "stdlib", "locales",
                                          "policies"};
    struct bl_arena arena;
    struct policy_files files = {0};

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        policy_files_add(&files, &arena, folders[i], ".policy");
    }
    for (size_t i = 0; i < files.count; i++) {
        struct parsed parsed;
        check_case("%s", files.items[i].path.ptr);
        parse(&parsed, &arena, files.items[i].path, files.items[i].text);
        for (size_t k = 0; k < parsed.sink.list.count; k++) {
            show_message(&parsed, parsed.sink.list.items[k]);
        }
        check_size(parsed.sink.list.count, 0);
    }
    bl_arena_reset(&arena);
}

TEST(test_trees)
{
    struct bl_arena arena;
    struct policy_files files = {0};
    bool good = true;

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    policy_files_add(&files, &arena, "tests/golden/ast", ".policy");
    for (size_t i = 0; i < files.count; i++) {
        struct parsed parsed;
        struct bl_buf dump;
        check_case("%s", files.items[i].path.ptr);
        parse(&parsed, &arena, files.items[i].path, files.items[i].text);
        bl_buf_init(&dump, &arena, (size_t)1 << 24);
        bl_ast_dump(parsed.ast.file, &dump);
        if (bless) {
            policy_file_write(&arena, files.items[i].path, ".ast", bl_buf_str(&dump));
        }
        bl_str wanted = policy_file_beside(&arena, files.items[i].path, ".ast");
        if (!bl_str_equal(bl_buf_str(&dump), wanted)) {
            fprintf(stderr, "%s: the tree is another now:\n%.*s", files.items[i].path.ptr,
                    BL_STR_ARG(bl_buf_str(&dump)));
            good = false;
        }
    }
    bl_arena_reset(&arena);
    check(good);
}

/* ---- nothing is left out --------------------------------------------------------------------
 */

TEST(test_each_message_has_a_fixture)
{
    bool good = true;

    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        bool excused = false;
        for (size_t k = 0; k < sizeof(without_fixture) / sizeof(without_fixture[0]); k++) {
            excused |= without_fixture[k] == info->number;
        }
        if (info->number < OWN_FIRST || info->number > OWN_LAST || excused) {
            continue;
        }
        if (!seen[info->number]) {
            fprintf(stderr, "  PL%04u (%s) has no fixture.\n", info->number, info->id);
            good = false;
        }
        check_case("PL%04u", info->number);
        check(info->more.len > 0);
    }
    check(good);
}

/* Rule n of the .output that Bison writes is number n + 1 here; 1 is the start itself. */
TEST(test_each_rule_is_used)
{
    size_t count = bl_grammar_rule_count();
    bool good = true;

    check(count < sizeof(reductions) / sizeof(reductions[0]));
    for (size_t i = 2; i <= count; i++) {
        if (reductions[i] == 0) {
            fprintf(stderr, "  Rule %zu of policy_parser.output is used by no file.\n", i - 1);
            good = false;
        }
    }
    check(good);
}

TEST(test_keywords_are_the_reserved_tokens)
{
    size_t words = 0;
    size_t tokens = 0;

#define BL_KEYWORD(token, word)                                                                \
    check_case("%s", word);                                                                    \
    check_str(bl_str_from(bl_token_alias(BL_TK_##token)), word);                               \
    check_int(bl_keyword_kind(BL_STR(word)), BL_TK_##token);                                   \
    words++;
#include "syntax/keywords.def"

    /* And the other way: what is written as one word is reserved. */
    for (int kind = BL_TK_NEWLINE; kind <= BL_TK_BAD; kind++) {
        bl_str alias = bl_str_from(bl_token_alias(kind));
        size_t i = 0;
        while (i < alias.len && (bl_is_ascii_alpha(alias.ptr[i]) || alias.ptr[i] == '_')) {
            i++;
        }
        if (i == alias.len) {
            check_case("%s", alias.ptr);
            check_int(bl_keyword_kind(alias), kind);
            tokens++;
        }
    }
    check_size(words, 26);
    check_size(tokens, words);
}

int main(int argc, char **argv)
{
    /* In this order: the last ones ask what the others have met. */
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_line_gets_its_messages),
        cmocka_unit_test(test_fixes_mend),
        cmocka_unit_test(test_policies_parse),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_each_message_has_a_fixture),
        cmocka_unit_test(test_each_rule_is_used),
        cmocka_unit_test(test_keywords_are_the_reserved_tokens),
    };

    bless = argc > 1 && strcmp(argv[1], "--bless") == 0;
    return check_main(tests);
}
