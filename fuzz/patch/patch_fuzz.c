/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "fuzz_target.h"
#include "text/patch.h"

/* The reader of patches: what it takes adds up, points into the text, and is git's own form: as
 * many files as headers, as many lines as signs say. */

static bool starts(bl_str text, size_t at, bl_str words)
{
    return bl_str_starts_with(bl_str_slice(text, at, text.len), words);
}

/* Of a patch that was taken no header is more or less than a line that begins as one; content
 * has a sign in front. */
static size_t headers(bl_str text)
{
    size_t count = 0;

    for (size_t at = 0; at < text.len;) {
        count += starts(text, at, BL_STR("diff --git "));
        at += bl_str_find_char(bl_str_slice(text, at, text.len), '\n') + 1;
    }
    return count;
}

static void check(bl_str text, const struct bl_patch *patch)
{
    size_t added = 0, removed = 0, lines = 0;

    FUZZ_REQUIRE(bl_utf8_invalid_at(text) == text.len);
    FUZZ_REQUIRE(text.len == 0 || text.ptr[text.len - 1] == '\n');
    FUZZ_REQUIRE(headers(text) == patch->files.count);
    for (size_t i = 0; i < patch->files.count; i++) {
        const struct bl_patch_file *file = &patch->files.items[i];
        FUZZ_REQUIRE(file->path.len > 0 && bl_utf8_invalid_at(file->path) == file->path.len);
        FUZZ_REQUIRE(bl_str_find_char(file->path, '\n') == SIZE_MAX);
        FUZZ_REQUIRE(file->first_line == lines);
        FUZZ_REQUIRE(!file->binary || file->added + file->removed == 0);
        for (uint32_t n = 0; n < file->added; n++, lines++) {
            const struct bl_patch_line *line = &patch->lines.items[lines];
            FUZZ_REQUIRE(line->number > (n > 0 ? line[-1].number : 0));
            FUZZ_REQUIRE(line->text.ptr > text.ptr && line->text.ptr[-1] == '+' &&
                         line->text.ptr[line->text.len] == '\n');
        }
        added += file->added;
        removed += file->removed;
    }
    FUZZ_REQUIRE(lines == patch->lines.count);
    FUZZ_REQUIRE(added == patch->added && removed == patch->removed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bl_arena arena;
    struct bl_patch patch;
    bl_str text = {(const char *)data, size};
    bl_str reading;

    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    FUZZ_REQUIRE(bl_patch_read(&arena, text, &patch) == BL_OK);
    FUZZ_REQUIRE(patch.steps <= 40 * size + 64);
    if (patch.problem.len == 0)
        check(text, &patch);
    else
        FUZZ_REQUIRE(patch.problem_line <= size + 1);
    (void)bl_patch_numstat(&arena, text, &reading);
    /* What we write ourselves is read, whatever stands in it, or its path is none. */
    if (bl_utf8_invalid_at(text) == size && bl_str_find_char(text, '\0') == SIZE_MAX &&
        size < 1 << 16) {
        size_t half = bl_str_find_char(text, '\n');
        bl_str path = bl_str_slice(text, 0, half);
        bl_str made = bl_patch_of_new_file(&arena, path, bl_str_slice(text, half, size));
        FUZZ_REQUIRE(bl_patch_read(&arena, made, &patch) == BL_OK);
        FUZZ_REQUIRE(patch.problem.len > 0 ||
                     (patch.files.count == 1 && bl_str_equal(patch.files.items[0].path, path)));
    }
    bl_arena_reset(&arena);
    return 0;
}
