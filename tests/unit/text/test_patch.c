/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "text/patch.h"

#include <stdlib.h>
#include <string.h>

/* The reader of patches by itself: what git wrote is read, what git would not write is refused.
 * That git reads what is read as we do is tests/patch. */

#define ARENA_BYTES ((size_t)1 << 30)

#define HEAD "diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts\n+++ b/x.ts\n"
#define BODY "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"

static struct bl_patch read(struct bl_arena *arena, bl_str text)
{
    struct bl_patch patch;

    check_status(bl_patch_read(arena, text, &patch), BL_OK);
    return patch;
}

/* ---- what git writes --------------------------------------------------------------------- */

/* What `git diff` printed of a tree with a file of each kind (git 2.39). */
static const char written[] =
    "diff --git a/bin b/bin\n"
    "index bdc955b..8835708 100644\n"
    "Binary files a/bin and b/bin differ\n"
    "diff --git a/blob b/blob\n"
    "index bdc955b7a2b610dc3baaf27d3acdcb9bf8aeef1f..8835708590a4ae3b8e4b4a2f0a5c3a4c5d3f2b7e "
    "100644\n"
    "GIT binary patch\n"
    "literal 2\n"
    "JcmZQ#0001A4gdfE\n"
    "\n"
    "literal 2\n"
    "JcmZQz0000#0ssI2\n"
    "\n"
    "diff --git a/gone b/gone\n"
    "deleted file mode 100644\n"
    "index 422c2b7..0000000\n"
    "--- a/gone\n"
    "+++ /dev/null\n"
    "@@ -1,2 +0,0 @@\n"
    "-a\n"
    "-b\n"
    "diff --git a/link b/link\n"
    "index ef073cc..c5e82d7 120000\n"
    "--- a/link\n"
    "+++ b/link\n"
    "@@ -1 +1 @@\n"
    "-n\n"
    "\\ No newline at end of file\n"
    "+bin\n"
    "\\ No newline at end of file\n"
    "diff --git a/n b/n\n"
    "old mode 100644\n"
    "new mode 100755\n"
    "index c1b0730..e25f181\n"
    "--- a/n\n"
    "+++ b/n\n"
    "@@ -1 +1 @@\n"
    "-x\n"
    "\\ No newline at end of file\n"
    "+y\n"
    "diff --git a/new b/new\n"
    "new file mode 100755\n"
    "index 0000000..fa2a325\n"
    "--- /dev/null\n"
    "+++ b/new\n"
    "@@ -0,0 +1,2 @@\n"
    "+l1\r\n"
    "+l2\n"
    "\\ No newline at end of file\n"
    "diff --git a/newempty b/newempty\n"
    "new file mode 100644\n"
    "index 0000000..e69de29\n"
    "diff --git \"a/q\\\"t\" \"b/q\\\"t\"\n"
    "index ea0c8a8..fa7af8b 100644\n"
    "--- \"a/q\\\"t\"\n"
    "+++ \"b/q\\\"t\"\n"
    "@@ -3,0 +4 @@ function () {\n"
    "+z\n"
    "diff --git a/old name b/new name\n"
    "similarity index 100%\n"
    "rename from old name\n"
    "rename to new name\n"
    "diff --git a/sp ace.txt b/sp ace.txt\n"
    "index 422c2b7..0f7bc76 100644\n"
    "--- a/sp ace.txt\t\n"
    "+++ b/sp ace.txt\t\n"
    "@@ -1,2 +1,3 @@\n"
    " a\n"
    "-b\n"
    "+c\n"
    "+d\n"
    "@@ -10 +10,0 @@ x\n"
    "-e\n"
    "diff --git \"a/\\303\\274\" \"b/\\303\\244\"\n"
    "similarity index 50%\n"
    "copy from \"\\303\\274\"\n"
    "copy to \"\\303\\244\"\n"
    "index d905d9d..6a69f92 100644\n"
    "--- \"a/\\303\\274\"\n"
    "+++ \"b/\\303\\244\"\n"
    "@@ -1 +1 @@\n"
    "-e\n"
    "+f\n";

static const struct {
    const char *path, *from;
    unsigned change;
    bool binary, mode_changed, ordinary;
    unsigned added, removed;
} expected[] = {
    {"bin", "", BL_FILE_CHANGE_EDITED, true, false, true, 0, 0},
    {"blob", "", BL_FILE_CHANGE_EDITED, true, false, true, 0, 0},
    {"gone", "", BL_FILE_CHANGE_DELETED, false, false, true, 0, 2},
    {"link", "", BL_FILE_CHANGE_EDITED, false, false, false, 1, 1},
    {"n", "", BL_FILE_CHANGE_EDITED, false, true, true, 1, 1},
    {"new", "", BL_FILE_CHANGE_CREATED, false, true, true, 2, 0},
    {"newempty", "", BL_FILE_CHANGE_CREATED, false, false, true, 0, 0},
    {"q\"t", "", BL_FILE_CHANGE_EDITED, false, false, true, 1, 0},
    {"new name", "old name", BL_FILE_CHANGE_RENAMED, false, false, false, 0, 0},
    {"sp ace.txt", "", BL_FILE_CHANGE_EDITED, false, false, true, 2, 2},
    {"\303\244", "\303\274", BL_FILE_CHANGE_COPIED, false, false, true, 1, 1},
};

/* req: PAT-17 */
TEST(what_git_writes_is_read)
{
    struct bl_arena arena;

    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_patch patch = read(&arena, bl_str_from(written));
    check_str(patch.problem, "");
    check_size(patch.files.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < patch.files.count; i++) {
        const struct bl_patch_file *file = &patch.files.items[i];
        check_case("%s", expected[i].path);
        check_str(file->path, expected[i].path);
        check_str(file->from, expected[i].from);
        check_int(file->change, expected[i].change);
        check_int(file->binary, expected[i].binary);
        check_int(file->mode_changed, expected[i].mode_changed);
        check_int(file->ordinary, expected[i].ordinary);
        check_int(file->added, expected[i].added);
        check_int(file->removed, expected[i].removed);
    }
    check_int(patch.added, 8);
    check_int(patch.removed, 7);
    check_size(patch.lines.count, 8);
    check_str(patch.lines.items[2].text, "l1\r");
    check_int(patch.lines.items[2].number, 1);
    check_int(patch.lines.items[4].number, 4); /* of q"t */
    check_str(patch.lines.items[6].text, "d");
    check_int(patch.lines.items[6].number, 3); /* of sp ace.txt */
    check_str(patch.reading, "- - bin\n- - blob\n0 2 gone\n1 1 link\n1 1 n\n2 0 new\n"
                             "0 0 newempty\n1 0 q\"t\n0 0 new name\n2 2 sp ace.txt\n"
                             "1 1 \303\244\n");
    bl_arena_reset(&arena);
}

TEST(nothing_is_a_patch_of_nothing)
{
    struct bl_arena arena;

    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_patch patch = read(&arena, BL_STR(""));
    check_str(patch.problem, "");
    check_size(patch.files.count, 0);
    bl_arena_reset(&arena);
}

/* ---- what git would not write ------------------------------------------------------------ */

#define NEW(mode) "diff --git a/x b/x\nnew file mode " mode "\nindex 0000000..1111111\n"
#define MOVED     "diff --git a/x b/y\nsimilarity index 100%\n"

static const struct {
    const char *text;
    size_t line;
} refused[] = {
    /* before, between and behind files */
    {"From 1234\n" HEAD BODY, 1},
    {"\n" HEAD BODY, 1},
    {HEAD BODY "\n", 9},
    {HEAD BODY "-- \n2.39.5\n", 9},
    {HEAD BODY "x\n" HEAD BODY, 9},
    {"--- a/x.ts\n+++ b/x.ts\n" BODY, 1},
    {"Index: x.ts\n--- a/x.ts\n+++ b/x.ts\n" BODY, 1},
    {"diff --cc x.ts\nindex 1,2..3\n--- a/x.ts\n+++ b/x.ts\n@@@ -1 -1 +1 @@@\n", 1},
    {"diff --git a/x.ts b/x.ts\r\nindex 422c2b7..0f7bc76 100644\r\n", 2},
    /* the last line has no end */
    {HEAD "@@ -1,2 +1,2 @@\n a\n-b\n+c", 8},
    {"diff --git a/x.ts b/x.ts", 1},
    /* names */
    {"diff --git a/x.ts b/y.ts\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts\n+++ b/y.ts\n" BODY,
     3},
    {"diff --git x.ts x.ts\nindex 422c2b7..0f7bc76 100644\n--- x.ts\n+++ x.ts\n" BODY, 3},
    {"diff --git c/x.ts w/x.ts\nindex 422c2b7..0f7bc76 100644\n--- c/x.ts\n+++ w/x.ts\n" BODY,
     3},
    {"diff --git a/ b/\nindex 422c2b7..0f7bc76 100644\n--- a/\n+++ b/\n" BODY, 3},
    {"diff --git \"a/x.ts\" \"b/x.ts\"\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts\n+++ "
     "b/x.ts\n" BODY,
     3},
    {"diff --git \"a/x\\ny\" \"b/x\\ny\"\nindex 0000000..1111111\n", 2},
    {"diff --git \"a/\\377\" \"b/\\377\"\nold mode 100644\nnew mode 100755\n", 4},
    {"diff --git \"a/\\57\" \"b/\\57\"\nold mode 100644\nnew mode 100755\n", 4},
    {"diff --git \"a/\\x\" \"b/\\x\"\nold mode 100644\nnew mode 100755\n", 4},
    {"diff --git \"a/\\"
     "000\" \"b/\\"
     "000\"\nold mode 100644\nnew mode 100755\n",
     4},
    {"diff --git a/x\\y b/x\\y\nold mode 100644\nnew mode 100755\n", 4},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts\n+++ b/y.ts\n" BODY,
     4},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- b/x.ts\n+++ b/x.ts\n" BODY,
     3},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts\t\n+++ b/x.ts\n" BODY,
     3},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- a/x.ts 2026\n+++ "
     "b/x.ts\n" BODY,
     3},
    {"diff --git a/x y b/x y\nindex 422c2b7..0f7bc76 100644\n--- a/x y\n+++ b/x y\n" BODY, 3},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100644\n--- /dev/null\n+++ "
     "b/x.ts\n" BODY,
     3},
    /* headers: missing, twice, in another order, of another kind */
    {"diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n" BODY, 8},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76\n--- a/x.ts\n+++ b/x.ts\n" BODY, 2},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7..0f7bc76 100664\n--- a/x.ts\n+++ b/x.ts\n" BODY,
     2},
    {"diff --git a/x.ts b/x.ts\nindex 422c2b7...0f7bc76 100644\n--- a/x.ts\n+++ b/x.ts\n" BODY,
     2},
    {"diff --git a/x.ts b/x.ts\nindex 422C2b7..0f7bc76 100644\n--- a/x.ts\n+++ b/x.ts\n" BODY,
     2},
    {"diff --git a/x.ts b/x.ts\nindex 0000000..0f7bc76 100644\n--- a/x.ts\n+++ b/x.ts\n" BODY,
     2},
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\n", 3},
    {"diff --git a/x b/x\n", 2},
    {"diff --git a/x b/x\nold mode 100644\n", 3},
    {"diff --git a/x b/x\nold mode 100644\nnew mode 100644\n", 3},
    {"diff --git a/x b/x\nold mode 100644\nnew mode 120000\n", 3},
    {"diff --git a/x b/x\nold mode 0100644\nnew mode 0100755\n", 2},
    {"diff --git a/x b/x\nnew mode 100755\nold mode 100644\n", 2},
    {NEW("100600"), 2},
    {NEW("100644") "new file mode 100644\n", 4},
    {"diff --git a/x b/x\nnew file mode 100644\n", 3},
    {NEW("100644") "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", 4},
    {NEW("100644") "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", 9},
    {NEW("100644") "--- /dev/null\n+++ b/x\n@@ -1,1 +1,2 @@\n a\n+b\n", 9},
    {NEW("100644") "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n@@ -0,0 +2 @@\n+b\n", 8},
    {"diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..0000000\n--- a/x\n+++ b/x\n"
     "@@ -1 +0,0 @@\n-a\n",
     5},
    {"diff --git a/x b/x\ndeleted file mode 100644\nindex 1111111..2222222\n", 3},
    {MOVED "rename from x\n", 4},
    {MOVED "rename from x\ncopy to y\n", 4},
    {MOVED "rename from x\nrename to z\n", 5},
    {MOVED "rename from a/x\nrename to b/y\n", 5},
    {MOVED, 3},
    {"diff --git a/x b/y\nrename from x\nrename to y\n", 2},
    {"diff --git a/x b/x\nsimilarity index 100%\nrename from x\nrename to x\n", 5},
    {"diff --git a/x b/y\nsimilarity index 101%\nrename from x\nrename to y\n", 2},
    {"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n", 5},
    /* hunks */
    {HEAD, 5},
    {HEAD "@@ -1,2 +1,2 @@\n a\n-b\n", 8},
    {HEAD "@@ -1,2 +1,2 @@\n a\n-b\n+c\n+d\n", 9},
    {HEAD "@@ -1,3 +1,2 @@\n a\n-b\n+c\n", 9},
    {HEAD "@@ -1,2 +1,3 @@\n a\n-b\n+c\n" HEAD BODY, 9},
    {HEAD "@@ -1,2 +1,2 @@\n a\n b\n", 8},
    {HEAD "@@ -1,2 +1,2 @@\n\n-b\n+c\n", 6},
    {HEAD "@@ -1,2 +1,2 @@\n\ta\n-b\n+c\n", 6},
    {HEAD "@@ -1,2 +1,2 @@x\n a\n-b\n+c\n", 5},
    {HEAD "@@ -1,2 +1,2 @\n a\n-b\n+c\n", 5},
    {HEAD "@@  -1,2 +1,2 @@\n a\n-b\n+c\n", 5},
    {HEAD "@@ -01,2 +1,2 @@\n a\n-b\n+c\n", 5},
    {HEAD "@@ -0,2 +1,2 @@\n a\n-b\n+c\n", 5},
    {HEAD "@@ -1,2 +2,2 @@\n a\n-b\n+c\n", 5},
    {HEAD "@@ -1,-2 +1,2 @@\n a\n-b\n+c\n", 5},
    {HEAD "@@ -1,4294967298 +1,2 @@\n a\n-b\n+c\n", 5},
    {HEAD BODY "@@ -2,2 +2,2 @@\n a\n-b\n+c\n", 9},
    {HEAD BODY "@@ -3,2 +3,2 @@\n a\n-b\n+c\n", 9},
    {HEAD BODY "@@ -10,2 +11,2 @@\n a\n-b\n+c\n", 9},
    {HEAD "@@ -1,2 +1,2 @@\n a\n\\ No newline at end of file\n-b\n+c\n", 7},
    {HEAD
     "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n+c\n",
     9},
    {HEAD BODY "\\ No newline at end of file\n@@ -10 +10 @@\n-x\n+y\n", 10},
    {HEAD BODY "\\ no newline\n", 9},
    {HEAD BODY "\\ No newline at end of file\n\\ No newline at end of file\n", 10},
    /* twice */
    {HEAD BODY HEAD BODY, 17},
    {NEW("100644") NEW("100644"), 7},
    /* binary */
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nBinary files a/x and b/y differ\n", 3},
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nBinary files a/x and b/x differ.\n",
     3},
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nGIT binary patch\nliteral 2\n"
     "JcmZQ#0001A4gdfE\n\n",
     7},
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nGIT binary patch\nliteral 2\n"
     "BcmZQ#0001A4gdfE\n\nliteral 2\nJcmZQz0000#0ssI2\n\n",
     5},
    {"diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nGIT binary patch\nliteral 2\n"
     "JcmZQ#0001A4gdfE\n+evil\n\nliteral 2\nJcmZQz0000#0ssI2\n\n",
     6},
    /* no text */
    {HEAD "@@ -1,2 +1,2 @@\n a\n-b\n+\xFF\n", 0},
};

/* req: PAT-27 PAT-30 */
TEST(what_git_would_not_write_is_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, ARENA_BYTES, NULL);
        check_case("%zu: %s", i, refused[i].text);
        struct bl_patch patch = read(&arena, bl_str_from(refused[i].text));
        check(patch.problem.len > 0);
        check_size(patch.problem_line, refused[i].line);
        bl_arena_reset(&arena);
    }
}

/* req: PAT-27 */
TEST(a_nul_is_refused)
{
    struct bl_arena arena;

    bl_arena_init(&arena, ARENA_BYTES, NULL);
    check(read(&arena, BL_STR(HEAD "@@ -1,2 +1,2 @@\n a\n-b\n+\0\n")).problem.len > 0);
    bl_arena_reset(&arena);
}

/* Each line of what git wrote taken away, or there twice. req: PAT-27 */
TEST(a_line_more_or_less_is_refused)
{
    bl_str text = bl_str_from(written);
    size_t kept = 0;

    for (size_t at = 0; at < text.len;) {
        size_t end = at + bl_str_find_char(bl_str_slice(text, at, text.len), '\n') + 1;
        for (unsigned twice = 0; twice < 2; twice++) {
            struct bl_arena arena;
            struct bl_buf buf;

            bl_arena_init(&arena, ARENA_BYTES, NULL);
            bl_buf_init(&buf, &arena, ARENA_BYTES);
            bl_buf_put(&buf, bl_str_slice(text, 0, twice ? end : at));
            bl_buf_put(&buf, bl_str_slice(text, twice ? at : end, text.len));
            kept += read(&arena, bl_buf_str(&buf)).problem.len == 0;
            bl_arena_reset(&arena);
        }
        at = end;
    }
    /* That a line has no end may be true or not, whatever the rest says: four times. What a
     * binary file holds is packed, and nobody unpacks it here: two lines, twice. */
    check_size(kept, 6);
}

/* ---- readings ---------------------------------------------------------------------------- */

/* req: PAT-28 */
TEST(what_git_prints_becomes_a_reading)
{
    const struct {
        bl_str printed;
        const char *reading; /* NULL: none */
    } rows[] = {
        {BL_STR("1\t2\ta b\0-\t-\tc\0"), "1 2 a b\n- - c\n"},
        {BL_STR(""), ""},
        {BL_STR("1\t2\ta"), NULL},
        {BL_STR("1\t2\t\0"), NULL},
        {BL_STR("1\t2\ta\nb\0"), NULL},
        {BL_STR("1\t2\t\xFF\0"), NULL},
        {BL_STR("1\t\ta\0"), NULL},
        {BL_STR("1 2 a\0"), NULL},
        {BL_STR("x\t2\ta\0"), NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena;
        bl_str reading;

        bl_arena_init(&arena, ARENA_BYTES, NULL);
        check_case("%zu", i);
        check_int(bl_patch_numstat(&arena, rows[i].printed, &reading), rows[i].reading != NULL);
        check_str(reading, rows[i].reading != NULL ? rows[i].reading : "");
        bl_arena_reset(&arena);
    }
}

TEST(a_new_file_reads_back)
{
    static const struct {
        const char *path, *text, *reading;
    } rows[] = {
        {"a.ts", "x", "1 0 a.ts\n"},
        {"a.ts", "x\n", "1 0 a.ts\n"},
        {"a.ts", "x\n\ny", "3 0 a.ts\n"},
        {"a.ts", "", "0 0 a.ts\n"},
        {"a b.ts", "x", "1 0 a b.ts\n"},
        {"a\"\\b.ts", "x", "1 0 a\"\\b.ts\n"},
        {"../\303\244", "+x\n-y", "2 0 ../\303\244\n"},
        {"a\nb", "x", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, ARENA_BYTES, NULL);
        check_case("%s", rows[i].path);
        bl_str text =
            bl_patch_of_new_file(&arena, bl_str_from(rows[i].path), bl_str_from(rows[i].text));
        struct bl_patch patch = read(&arena, text);
        check_int(patch.problem.len > 0, rows[i].reading[0] == '\0');
        check_str(patch.reading, rows[i].reading);
        bl_arena_reset(&arena);
    }
}

/* ---- time and memory --------------------------------------------------------------------- */

struct family {
    const char *name;
    const char *before, *unit, *after;
    bool numbered; /* each unit has its number in place of a # */
};

static const struct family families[] = {
    {"files", "", "diff --git a/# b/#\nnew file mode 100644\nindex 0000000..e69de29\n", "",
     true},
    {"files below one path", "",
     "diff --git a/aaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaa/# "
     "b/aaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaa/#\nnew file mode 100644\nindex "
     "0000000..e69de29\n",
     "", true},
    {"modes", "", "diff --git a/# b/#\nold mode 100644\nnew mode 100755\n", "", true},
    {"renames", "", "diff --git a/# b/x#\nsimilarity index 100%\nrename from #\nrename to x#\n",
     "", true},
    {"a name", "diff --git a/", "a", "", false},
    {"a quoted name", "diff --git \"a/", "\\303\\244", "", false},
    {"backslashes", "diff --git \"a/", "\\\\", "\"\n", false},
    {"blanks in a name", "diff --git ", "a/ b/ ", "\n", false},
    {"added lines", HEAD "@@ -1,100000000 +1,100000000 @@\n", "+\n", "", false},
    {"removed lines", HEAD "@@ -1,100000000 +1,100000000 @@\n", "-\n", "", false},
    {"context", HEAD "@@ -1,100000000 +1,100000000 @@\n", " \n", "", false},
    {"lines without an end", HEAD "@@ -1,100000000 +1,100000000 @@\n",
     "+a\n\\ No newline at end of file\n", "", false},
    {"a long line", HEAD "@@ -1 +1 @@\n-a\n+", "x", "\n", false},
    {"digits", HEAD "@@ -", "1", "\n", false},
    {"a hash", "diff --git a/x b/x\nindex ", "0", "\n", false},
    {"base85",
     "diff --git a/x b/x\nindex 422c2b7..0f7bc76 100644\nGIT binary patch\nliteral 100000\n",
     "JcmZQ#0001A4gdfE\n", "", false},
    {"line ends", "", "\n", "", false},
};

static bl_str member(struct bl_arena *arena, const struct family *family, size_t len)
{
    struct bl_buf buf;
    bl_str unit = bl_str_from(family->unit);

    bl_buf_init(&buf, arena, 2 * len + 4096);
    bl_buf_put(&buf, bl_str_from(family->before));
    for (unsigned n = 0; buf.len < len; n++) {
        for (size_t i = 0; i < unit.len; i++) {
            if (family->numbered && unit.ptr[i] == '#')
                bl_buf_printf(&buf, "%06u", n);
            else
                bl_buf_put_char(&buf, unit.ptr[i]);
        }
    }
    bl_buf_put(&buf, bl_str_from(family->after));
    return bl_str_slice(bl_buf_str(&buf), 0, (size_t)1 << 20);
}

/* req: PRF-01 PAT-27 */
TEST(twice_the_text_takes_at_most_2_2_times_the_steps)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        uint64_t before = 0;

        for (size_t len = 1024; len <= (size_t)1 << 20; len *= 2) {
            struct bl_arena arena;

            bl_arena_init(&arena, ARENA_BYTES, NULL);
            check_case("%s, %zu bytes", families[i].name, len);
            bl_str text = member(&arena, &families[i], len);
            size_t used = arena.used;
            struct bl_patch patch = read(&arena, text);
            check(patch.steps >= text.len);
            check(before == 0 || patch.steps * 10 <= before * 22 + 10000);
            check(arena.used - used <= 64 * text.len + 65536);
            before = patch.steps;
            bl_arena_reset(&arena);
        }
    }
}

TEST(more_lines_than_a_list_holds_are_refused)
{
    struct bl_arena arena;

    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct bl_patch patch = read(&arena, member(&arena, &families[8], 300000));
    check_str(patch.problem, "It has more lines than a list holds.");
    struct bl_buf big;
    bl_buf_init(&big, &arena, 4 << 20);
    bl_buf_put(&big, BL_STR(HEAD "@@ -1 +1 @@\n-a\n+"));
    while (big.len <= 1 << 20)
        BL_PUT(&big, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    BL_PUT(&big, "\n");
    check_str(read(&arena, bl_buf_str(&big)).problem, "It is longer than a text may be.");
    bl_arena_reset(&arena);
}

TEST(memory_that_runs_out_is_said)
{
    enum bl_status status = BL_ERR_NOMEM;
    size_t n = 1;

    for (; status != BL_OK; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_patch patch;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, ARENA_BYTES, &failing.allocator);
        status = bl_patch_read(&arena, bl_str_from(written), &patch);
        check(status == BL_OK || status == BL_ERR_NOMEM);
        check(status != BL_OK || patch.files.count == sizeof expected / sizeof expected[0]);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
    }
    check(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_git_writes_is_read),
        cmocka_unit_test(nothing_is_a_patch_of_nothing),
        cmocka_unit_test(what_git_would_not_write_is_refused),
        cmocka_unit_test(a_nul_is_refused),
        cmocka_unit_test(a_line_more_or_less_is_refused),
        cmocka_unit_test(what_git_prints_becomes_a_reading),
        cmocka_unit_test(a_new_file_reads_back),
        cmocka_unit_test(twice_the_text_takes_at_most_2_2_times_the_steps),
        cmocka_unit_test(more_lines_than_a_list_holds_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return check_main(tests);
}
