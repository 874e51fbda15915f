/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "fuzz_target.h"
#include "text/clean.h"
#include "text/reread.h"

/* The cleaner with every step and no row: everything that GitHub would link becomes code or
 * words. What it makes must show nothing to cmark-gfm, cleaned once or twice, and its steps
 * stay below a line in the text. */

static const struct bl_clean_rules rules = {.words = (1u << BL_CLEAN_WORD_COUNT) - 1,
                                            .repository = {"acme/widgets", 12}};

static bl_str clean(struct bl_arena *arena, bl_str text)
{
    struct bl_cleaning *c = bl_clean_begin(arena, text, &rules);
    struct bl_buf out;

    bl_buf_init(&out, arena, 8 * text.len + 64);
    FUZZ_REQUIRE(c != NULL && bl_clean_read(c) && bl_clean_finish(c, &out));
    FUZZ_REQUIRE(bl_clean_steps(c) <= 64 * text.len + 64);
    FUZZ_REQUIRE(bl_utf8_invalid_at(bl_buf_str(&out)) == out.len);
    return bl_buf_str(&out);
}

static void check(struct bl_arena *arena, bl_str text)
{
    bl_str shows = bl_reread(arena, text, &(struct bl_reread_rules){0});

    FUZZ_REQUIRE(shows.len == 0 || bl_str_equal(shows, BL_STR("budget")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_arena arena;
    bl_str text = {(const char *)data, size};

    if (size > 1 << 16 || bl_utf8_invalid_at(text) != size ||
        bl_str_find_char(text, '\0') != SIZE_MAX)
        return 0;
    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    bl_str once = clean(&arena, text);
    check(&arena, once);
    check(&arena, clean(&arena, once));
    struct bl_buf fenced;
    bl_buf_init(&fenced, &arena, 8 * size + 64);
    bl_clean_fenced(text, size % 2 == 0 && bl_str_find_char(text, '\n') == SIZE_MAX, &fenced);
    check(&arena, bl_buf_str(&fenced));
    bl_arena_reset(&arena);
    return 0;
}
