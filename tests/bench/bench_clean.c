/* SPDX-License-Identifier: Apache-2.0 */

/* Cleaning beside parsing and rendering the same files with cmark-gfm, in one run: MB/s of CPU
 * time, the best of some rounds; and the worst of the texts that parsers fear, 64 KiB each. Not
 * a test: it asserts nothing.
 *
 *     bench_clean FILE... */

#include "text/clean.h"
#include "text/reread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#define ROUNDS 5

static const struct bl_clean_rules rules = {.words = (1u << BL_CLEAN_WORD_COUNT) - 1,
                                            .repository = {"acme/widgets", 12}};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The memory that it took. */
static size_t clean(bl_str text, bool reread)
{
    struct bl_arena arena;
    struct bl_buf out;

    bl_arena_init(&arena, (size_t)1 << 31, NULL);
    struct bl_cleaning *c = bl_clean_begin(&arena, text, &rules);
    bl_buf_init(&out, &arena, 8 * text.len + 64);
    if (c == NULL || !bl_clean_read(c) || !bl_clean_finish(c, &out))
        exit(1);
    if (reread)
        (void)bl_reread(&arena, bl_buf_str(&out),
                        &(struct bl_reread_rules){.words = rules.words});
    size_t used = arena.used;
    bl_arena_reset(&arena);
    return used;
}

static void render(bl_str text)
{
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);

    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("autolink"));
    cmark_parser_feed(parser, text.ptr, text.len);
    cmark_node *document = cmark_parser_finish(parser);
    char *html = cmark_render_html(document, CMARK_OPT_DEFAULT, NULL);
    free(html);
    cmark_node_free(document);
    cmark_parser_free(parser);
}

static bl_str read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = malloc((size_t)1 << 24);

    if (file == NULL || bytes == NULL)
        exit(2);
    size_t len = fread(bytes, 1, (size_t)1 << 24, file);
    fclose(file);
    return (bl_str){bytes, len};
}

static double best(const bl_str *texts, int count, int what)
{
    double least = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        double begin = seconds();
        for (int i = 0; i < count; i++) {
            if (what == 2)
                render(texts[i]);
            else
                (void)clean(texts[i], what == 1);
        }
        double took = seconds() - begin;
        least = took < least ? took : least;
    }
    return least;
}

static void worst(void)
{
    static const char *const units[] = {"[",     "![",       "[](",       "`",       "`a``b",
                                        "<",     "<!--",     ">",         "> ",      "|-",
                                        "&amp;", "://",      "http://a)", "a@b.c ",  "a/b#1 ",
                                        "*a_",   "abcdef0 ", "- ",        "[a](b \""};
    double slowest[2] = {0, 0};
    const char *which[2] = {"", ""};
    size_t memory = 0;
    char *bytes = malloc(65536);

    for (size_t u = 0; u < sizeof units / sizeof units[0] && bytes != NULL; u++) {
        for (size_t i = 0; i < 65536; i++)
            bytes[i] = units[u][i % strlen(units[u])];
        for (int reread = 0; reread < 2; reread++) {
            double begin = seconds();
            size_t used = clean((bl_str){bytes, 65536}, reread == 1);
            double took = seconds() - begin;
            memory = used > memory ? used : memory;
            if (took > slowest[reread]) {
                slowest[reread] = took;
                which[reread] = units[u];
            }
        }
    }
    free(bytes);
    printf("64 KiB of anything: cleaning at most %.1f ms ('%s'), with the second reading %.1f "
           "ms ('%s'), "
           "%.1f MiB at most\n",
           slowest[0] * 1e3, which[0], slowest[1] * 1e3, which[1], (double)memory / 1048576);
}

int main(int argc, char **argv)
{
    bl_str *texts = calloc((size_t)argc, sizeof *texts);
    size_t bytes = 0;

    cmark_gfm_core_extensions_ensure_registered();
    for (int i = 1; i < argc && texts != NULL; i++) {
        texts[i - 1] = read_file(argv[i]);
        bytes += texts[i - 1].len;
    }
    static const char *const names[] = {"cleaning", "cleaning and second reading",
                                        "cmark-gfm, parse and render"};
    for (int what = 0; what < 3 && bytes > 0; what++)
        printf("%-28s %6.1f MB/s\n", names[what],
               (double)bytes / 1e6 / best(texts, argc - 1, what));
    worst();
    free(texts);
    return 0;
}
