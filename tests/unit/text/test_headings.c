/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "text/headings.h"

#include <stdio.h>
#include <string.h>

/* tests/unit/data/headings.txt is what mdast-util-from-markdown reads of headings.md, with
 * GitHub's rule for anchors (html-pipeline's table of contents) over it in JavaScript: the two
 * have nothing in common with what is tested. */

#define FILE_BYTES 8192

static bl_str read_data(const char *path, char *bytes)
{
    FILE *file = fopen(path, "rb");

    check(file != NULL);
    size_t length = fread(bytes, 1, FILE_BYTES, file);
    check_int(fclose(file), 0);
    check(length > 0 && length < FILE_BYTES);
    return (bl_str){bytes, length};
}

TEST(anchors_are_those_of_github)
{
    char text[FILE_BYTES], wanted[FILE_BYTES];
    bl_str file = read_data(BL_CHECKOUT "/tests/unit/data/headings.md", text);
    bl_str rest = read_data(BL_CHECKOUT "/tests/unit/data/headings.txt", wanted);
    struct bl_headings headings;
    struct bl_arena arena;
    size_t count = 0;

    bl_arena_init(&arena, 1 << 20, NULL);
    check_int(bl_headings_read(&arena, file, &headings), BL_OK);
    for (; rest.len > 0; count++) {
        size_t end = bl_str_find_char(rest, '\n');
        bl_str anchor = bl_str_slice(rest, 0, end);
        char name[200];

        check(count < headings.list.count && anchor.len < sizeof name);
        memcpy(name, anchor.ptr, anchor.len);
        name[anchor.len] = '\0';
        check_str(headings.list.items[count].anchor, name);
        rest = bl_str_slice(rest, end + 1, rest.len);
    }
    check_int((int64_t)headings.list.count, (int64_t)count);
    bl_arena_reset(&arena);
}

static size_t count_of(const char *text)
{
    struct bl_headings headings;
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 24, NULL);
    check_int(bl_headings_read(&arena, bl_str_from(text), &headings), BL_OK);
    size_t count = headings.list.count;
    bl_arena_reset(&arena);
    return count;
}

TEST(odd_files)
{
    check_int((int64_t)count_of(""), 0);
    check_int((int64_t)count_of("\n\n"), 0);
    check_int((int64_t)count_of("#"), 1);
    check_int((int64_t)count_of("# a\r\n## b\r\n"), 2);
    check_int((int64_t)count_of("---\ntitle: a\n---\n# b\n"), 1);
    check_int((int64_t)count_of("---\n# b\n"), 1);
    check_int((int64_t)count_of("```\n# b\n"), 0);
    check_int((int64_t)count_of("<!-- never closed\n# b\n"), 0);
    check_int((int64_t)count_of("# [[[[](((\\"), 1);
    check_int((int64_t)count_of("# ``` <a <b & &# &#x ![ ![]("), 1);
}

TEST(memory_that_runs_out_is_said)
{
    enum bl_status status = BL_ERR_NOMEM;
    size_t n = 1;

    for (; status != BL_OK; n++) {
        struct failing_allocator failing;
        struct bl_headings headings;
        struct bl_arena arena;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, 1 << 20, &failing.allocator);
        status = bl_headings_read(&arena, BL_STR("# A *b*\n# A b\n"), &headings);
        check(status == BL_OK || status == BL_ERR_NOMEM);
        check(status != BL_OK || headings.list.count == 2);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
    }
    check(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anchors_are_those_of_github),
                                       cmocka_unit_test(odd_files),
                                       cmocka_unit_test(memory_that_runs_out_is_said)};
    return check_main(tests);
}
