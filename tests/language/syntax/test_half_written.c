/* SPDX-License-Identifier: Apache-2.0 */

/* Half-written text: every beginning of every shipped policy, and every one of them with one
 * token taken out. The parser must end, keep every declaration outside of the one that is
 * broken as it was, and add none that is not there. */

#include "base/utf8.h"
#include "language/syntax/corpus_files.h"
#include "spec/tables.h"
#include "support/check.h"
#include "syntax/ast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What declarations are, apart from where they stand. */
struct declarations {
    uint64_t *hashes;
    struct bl_span *spans;
    size_t count;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t mix_text(uint64_t hash, bl_str text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = mix(hash, (unsigned char)text.ptr[i]);
    return mix(hash, text.len);
}

static uint64_t hash_of(const struct bl_node *node)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (node == NULL)
        return hash;
    hash = mix(mix(hash, node->kind), node->op);
    hash = mix(mix_text(mix_text(hash, node->text), node->flags), (uint64_t)node->number);
    for (uint32_t i = 0; i < node->kid_count; i++)
        hash = mix(hash, hash_of(node->kids[i]));
    return mix(hash, node->kid_count);
}

static void parse(struct bl_arena *arena, bl_str text, struct declarations *out)
{
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_ast ast;

    bl_sources_init(&sources, arena);
    bl_diagnostics_init(&sink, arena, 100);
    uint32_t source = bl_sources_add(&sources, BL_STR("half.policy"), text);
    enum bl_status status = bl_parse(arena, &sources, source, &sink, &ast);
    check_status(status, sink.errors > 0 ? BL_ERR_INVALID : BL_OK);
    check(ast.file != NULL);
    out->count = ast.file->kid_count;
    out->hashes = BL_NEW_ARRAY(arena, out->count + 1, uint64_t);
    out->spans = BL_NEW_ARRAY(arena, out->count + 1, struct bl_span);
    check(out->hashes != NULL && out->spans != NULL);
    for (size_t i = 0; i < out->count; i++) {
        out->hashes[i] = hash_of(ast.file->kids[i]);
        out->spans[i] = ast.file->kids[i]->span;
    }
}

/* The declaration that holds the byte, or the first one behind it. */
static size_t declaration_at(const struct declarations *whole, size_t at)
{
    size_t k = 0;

    while (k < whole->count && whole->spans[k].hi <= at)
        k++;
    return k;
}

static void fail_at(bl_str path, bl_str text, size_t at, const char *what)
{
    size_t line = 1;

    for (size_t i = 0; i < at; i++)
        line += text.ptr[i] == '\n';
    fprintf(stderr, "%.*s, line %zu, byte %zu: %s\n", BL_STR_ARG(path), line, at, what);
}

static size_t runs, failures;

static void check_beginning(const struct policy_file *file, const struct declarations *whole,
                            size_t at)
{
    struct bl_arena arena;
    struct declarations part;
    size_t k = declaration_at(whole, at);
    size_t complete = k;

    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    parse(&arena, bl_str_slice(file->text, 0, at), &part);
    runs++;
    for (size_t i = 0; i < complete && i < part.count; i++) {
        if (part.hashes[i] != whole->hashes[i]) {
            fail_at(file->path, file->text, at,
                    "a declaration in front of the cut is another one");
            failures++;
            break;
        }
    }
    /* Half of a word that goes on with the line above begins a clause of its own. */
    if (part.count < complete || part.count > complete + 2) {
        fail_at(file->path, file->text, at,
                "declarations are lost or made up in front of the cut");
        failures++;
    }
    bl_arena_reset(&arena);
}

static void check_without(const struct policy_file *file, const struct declarations *whole,
                          size_t from, size_t to)
{
    struct bl_arena arena;
    struct declarations part;
    size_t k = declaration_at(whole, from);
    struct bl_buf text;
    bool same = true;

    bl_arena_init(&arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), NULL);
    bl_buf_init(&text, &arena, file->text.len + 1);
    bl_buf_put(&text, bl_str_slice(file->text, 0, from));
    bl_buf_put(&text, bl_str_slice(file->text, to, file->text.len));
    parse(&arena, bl_buf_str(&text), &part);
    runs++;
    size_t behind = whole->count > k ? whole->count - k - 1 : 0;
    if (part.count < k + behind) {
        fail_at(file->path, file->text, from, "declarations are lost");
        failures++;
    } else {
        for (size_t i = 0; i < k; i++)
            same = same && part.hashes[i] == whole->hashes[i];
        for (size_t i = 1; i <= behind; i++)
            same = same && part.hashes[part.count - i] == whole->hashes[whole->count - i];
        if (!same) {
            fail_at(file->path, file->text, from,
                    "a declaration outside of the broken one is another one");
            failures++;
        }
    }
    bl_arena_reset(&arena);
}

static bool is_word(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Words are taken out whole, of everything else each character: quotes and slashes, too. */
static size_t token_end(bl_str text, size_t at)
{
    size_t end = at + 1;

    while (is_word(text.ptr[at]) && end < text.len && is_word(text.ptr[end]))
        end++;
    return end;
}

/* All of them take minutes. Unless BL_HALF_WRITTEN is "all", each of a number that is prime is
 * taken. */
static size_t share(void)
{
    const char *wish = getenv("BL_HALF_WRITTEN");

    return wish != NULL && strcmp(wish, "all") == 0 ? 1 : 47;
}

static void add_all(struct policy_files *files, struct bl_arena *arena)
{
    policy_files_add(files, arena, "policies", ".policy");
    policy_files_add(files, arena, "stdlib", ".policy");
    policy_files_add(files, arena, "locales", ".policy");
}

/* Cut in front of each token, and one byte inside of each longer one. */
static void every_beginning(void **state)
{
    struct bl_arena arena;
    struct policy_files files = {NULL, 0, 0};
    size_t step = share(), turn = 0;

    (void)state;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    add_all(&files, &arena);
    for (size_t i = 0; i < files.count; i++) {
        struct declarations whole;
        bl_str text = files.items[i].text;

        parse(&arena, text, &whole);
        for (size_t at = 0; at < text.len;) {
            size_t end = token_end(text, at);

            if (turn++ % step == 0)
                check_beginning(&files.items[i], &whole, at);
            if (end > at + 2 && turn++ % step == 0)
                check_beginning(&files.items[i], &whole, at + 1);
            at = end;
            while (at < text.len && text.ptr[at] == ' ')
                at++;
        }
    }
    printf("%zu files, %zu beginnings\n", files.count, runs);
    check_size(failures, 0);
    bl_arena_reset(&arena);
}

static void every_token_out(void **state)
{
    struct bl_arena arena;
    struct policy_files files = {NULL, 0, 0};
    size_t step = share(), turn = 0;

    (void)state;
    runs = failures = 0;
    bl_arena_init(&arena, SIZE_MAX, NULL);
    add_all(&files, &arena);
    for (size_t i = 0; i < files.count; i++) {
        struct declarations whole;
        bl_str text = files.items[i].text;

        parse(&arena, text, &whole);
        for (size_t at = 0; at < text.len;) {
            size_t end = token_end(text, at);

            if (text.ptr[at] == '#') { /* a comment goes to the end of its line */
                while (at < text.len && text.ptr[at] != '\n')
                    at++;
                continue;
            }
            if ((text.ptr[at] > ' ' || text.ptr[at] < 0) && turn++ % step == 0)
                check_without(&files.items[i], &whole, at, end);
            at = end;
        }
    }
    printf("%zu files, %zu tokens\n", files.count, runs);
    check_size(failures, 0);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_token_out),
    };

    return check_main(tests);
}
