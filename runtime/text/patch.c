/* SPDX-License-Identifier: Apache-2.0 */
#include "text/patch.h"

#include "base/sort.h"
#include "base/utf8.h"
#include "text/patch_parts.h"

/* The headers of files, in the order in which git writes them, and what holds of the whole. */

#define MODE_DIGITS  6
#define MODE_KIND    0170000u
#define MODE_REGULAR 0100000u
#define MODE_PLAIN   0100644u
#define HASH_MIN     4u
#define HASH_MAX     64u

/* What the headers of one file say. */
struct section {
    bl_str names;                             /* behind "diff --git " */
    bl_str from, to;                          /* as written */
    unsigned old_mode, new_mode;              /* 0: not said */
    bool has_index, from_nothing, to_nothing; /* the index, and a side of zeros */
    bool is_rename, is_copy, is_whole;        /* similarity of 100% */
    struct bl_patch_file file;
};

/* ---- lines ------------------------------------------------------------------------------- */

bool bl_patch_refuse(struct bl_patch_reader *r, bl_str sentence)
{
    if (r->out->problem.len == 0) {
        r->out->problem = sentence;
        r->out->problem_line = r->number;
    }
    return false;
}

bool bl_patch_next(struct bl_patch_reader *r)
{
    bl_str rest = bl_str_slice(r->text, r->at, r->text.len);
    size_t end = bl_str_find_char(rest, '\n');

    r->number++;
    r->line = (bl_str){NULL, 0};
    r->is_end = rest.len == 0;
    if (r->is_end)
        return true;
    if (end == SIZE_MAX)
        return bl_patch_refuse(r, BL_STR("The last line has no end."));
    r->out->steps += end + 1;
    r->line = bl_str_slice(rest, 0, end);
    r->at += end + 1;
    return true;
}

/* Is it this line? Then `*rest` is what stands behind the words. */
static bool is_line(const struct bl_patch_reader *r, bl_str words, bl_str *rest)
{
    if (r->is_end || !bl_str_starts_with(r->line, words))
        return false;
    *rest = bl_str_slice(r->line, words.len, r->line.len);
    return true;
}

/* ---- headers ----------------------------------------------------------------------------- */

static bool mode(struct bl_patch_reader *r, bl_str s, unsigned *out)
{
    *out = 0;
    for (size_t i = 0; i < s.len && s.len == MODE_DIGITS; i++) {
        if (s.ptr[i] < '0' || s.ptr[i] > '7')
            return bl_patch_refuse(r, BL_STR("This is no mode of a file."));
        *out = *out * 8 + (unsigned)(s.ptr[i] - '0');
    }
    /* Those that git knows: files, executables, links, submodules. */
    if (*out != 0100644u && *out != 0100755u && *out != 0120000u && *out != 0160000u)
        return bl_patch_refuse(r, BL_STR("This is no mode of a file."));
    return true;
}

static bool modes(struct bl_patch_reader *r, struct section *s)
{
    bl_str rest;

    if (is_line(r, BL_STR("new file mode "), &rest)) {
        s->file.change = BL_FILE_CHANGE_CREATED;
        return mode(r, rest, &s->new_mode) && bl_patch_next(r);
    }
    if (is_line(r, BL_STR("deleted file mode "), &rest)) {
        s->file.change = BL_FILE_CHANGE_DELETED;
        return mode(r, rest, &s->old_mode) && bl_patch_next(r);
    }
    if (!is_line(r, BL_STR("old mode "), &rest))
        return true;
    if (!mode(r, rest, &s->old_mode) || !bl_patch_next(r))
        return false;
    if (!is_line(r, BL_STR("new mode "), &rest))
        return bl_patch_refuse(r, BL_STR("A mode has no other one beside it."));
    if (!mode(r, rest, &s->new_mode))
        return false;
    if (s->old_mode == s->new_mode || ((s->old_mode ^ s->new_mode) & MODE_KIND) != 0)
        return bl_patch_refuse(r, BL_STR("Git does not change a mode so."));
    return bl_patch_next(r);
}

static bool share(bl_str s, int64_t *percent)
{
    *percent = 0;
    if (s.len < 2 || s.len > 4 || s.ptr[s.len - 1] != '%' || (s.len > 2 && s.ptr[0] == '0'))
        return false;
    for (size_t i = 0; i + 1 < s.len; i++) {
        if (!bl_is_ascii_digit(s.ptr[i]))
            return false;
        *percent = *percent * 10 + (s.ptr[i] - '0');
    }
    return *percent <= 100;
}

static bool similarity(struct bl_patch_reader *r, struct section *s)
{
    bl_str rest;
    int64_t percent;

    if (is_line(r, BL_STR("dissimilarity index "), &rest)) {
        if (s->file.change != BL_FILE_CHANGE_EDITED || !share(rest, &percent))
            return bl_patch_refuse(r, BL_STR("This is no share of a file."));
        return bl_patch_next(r);
    }
    if (!is_line(r, BL_STR("similarity index "), &rest))
        return true;
    if (s->file.change != BL_FILE_CHANGE_EDITED || !share(rest, &percent))
        return bl_patch_refuse(r, BL_STR("This is no share of a file."));
    s->is_whole = percent == 100;
    if (!bl_patch_next(r))
        return false;
    s->is_rename = is_line(r, BL_STR("rename from "), &s->from);
    s->is_copy = is_line(r, BL_STR("copy from "), &s->from);
    if (!s->is_rename && !s->is_copy)
        return bl_patch_refuse(r, BL_STR("A file is like another one that is not named."));
    if (!bl_patch_next(r))
        return false;
    if (!is_line(r, s->is_rename ? BL_STR("rename to ") : BL_STR("copy to "), &s->to))
        return bl_patch_refuse(r, BL_STR("A renamed file has no new name."));
    s->file.change = s->is_rename ? BL_FILE_CHANGE_RENAMED : BL_FILE_CHANGE_COPIED;
    return bl_patch_next(r);
}

/* Reads "0123abcd" off *s; *zeros: of nothing else. */
static bool hash(bl_str *s, bool *zeros)
{
    size_t digits = 0;

    *zeros = true;
    for (; digits < s->len; digits++) {
        char c = s->ptr[digits];
        if (!bl_is_ascii_digit(c) && !(c >= 'a' && c <= 'f'))
            break;
        *zeros = *zeros && c == '0';
    }
    *s = bl_str_slice(*s, digits, s->len);
    return digits >= HASH_MIN && digits <= HASH_MAX;
}

/* "index 0123456..89abcde 100644"; the mode where it is the same on both sides. */
static bool indexed(struct bl_patch_reader *r, struct section *s)
{
    bl_str rest;
    bool says_mode = s->old_mode == 0 && s->new_mode == 0;

    s->has_index = is_line(r, BL_STR("index "), &rest);
    if (!s->has_index)
        return true;
    r->out->steps += rest.len;
    if (!hash(&rest, &s->from_nothing) || !bl_str_starts_with(rest, BL_STR("..")))
        return bl_patch_refuse(r, BL_STR("This is not how git names two states of a file."));
    rest = bl_str_slice(rest, 2, rest.len);
    if (!hash(&rest, &s->to_nothing) || (rest.len > 0) != says_mode ||
        (says_mode && rest.ptr[0] != ' '))
        return bl_patch_refuse(r, BL_STR("This is not how git names two states of a file."));
    if (says_mode && !mode(r, bl_str_slice(rest, 1, rest.len), &s->new_mode))
        return false;
    if (says_mode)
        s->old_mode = s->new_mode;
    if (s->from_nothing != (s->file.change == BL_FILE_CHANGE_CREATED) ||
        s->to_nothing != (s->file.change == BL_FILE_CHANGE_DELETED))
        return bl_patch_refuse(r, BL_STR("A side is of nothing and should not be, or the "
                                         "other way round."));
    return bl_patch_next(r);
}

/* ---- names ------------------------------------------------------------------------------- */

static bool named(struct bl_patch_reader *r, struct section *s)
{
    bl_str from, to;

    if (!s->is_rename && !s->is_copy)
        return bl_patch_same_names(r, s->names, &s->file.path);
    if (!bl_patch_two_names(r, s->names, s->from, &s->file.from, &s->file.path) ||
        !bl_patch_name(r, s->from, BL_STR(""), &from) ||
        !bl_patch_name(r, s->to, BL_STR(""), &to))
        return false;
    return (bl_str_equal(from, s->file.from) && bl_str_equal(to, s->file.path) &&
            !bl_str_equal(from, to)) ||
           bl_patch_refuse(r, BL_STR("The names of a renamed file differ."));
}

/* "--- a/PATH", or /dev/null; behind a name with a blank stands a tab. */
static bool side(struct bl_patch_reader *r, bl_str sign, bl_str prefix, bool is_nothing,
                 bl_str path)
{
    bl_str rest, found;

    if (!is_line(r, sign, &rest))
        return bl_patch_refuse(r, BL_STR("The two names in front of the lines are missing."));
    if (is_nothing)
        return bl_str_equal(rest, BL_STR("/dev/null"))
                   ? bl_patch_next(r)
                   : bl_patch_refuse(r, BL_STR("A side that is not there has a name."));
    if (bl_str_find_char(rest, ' ') != SIZE_MAX) {
        if (rest.ptr[rest.len - 1] != '\t')
            return bl_patch_refuse(r, BL_STR("A name is not written as git writes it."));
        rest.len--;
    }
    if (!bl_patch_name(r, rest, prefix, &found))
        return false;
    return bl_str_equal(found, path)
               ? bl_patch_next(r)
               : bl_patch_refuse(r, BL_STR("The names of a file differ."));
}

/* ---- one file ---------------------------------------------------------------------------- */

/* "Binary files a/x and b/x differ": the sides as the lines would have them. */
static bool differs(struct bl_patch_reader *r, const struct section *s, bl_str rest)
{
    bool created = s->file.change == BL_FILE_CHANGE_CREATED;
    bool deleted = s->file.change == BL_FILE_CHANGE_DELETED;
    bl_str none = BL_STR("/dev/null");
    bl_str from = s->from.len > 0 ? s->from : (bl_str){NULL, 0};
    bl_str found = {NULL, 0};

    if (!bl_str_ends_with(rest, BL_STR(" differ")))
        return bl_patch_refuse(r, BL_STR("This is not how git says that files differ."));
    rest.len -= BL_STR(" differ").len;
    /* As long as in the first line. */
    size_t end = created ? none.len : from.len > 0 ? from.len + 2 : s->names.len / 2;
    if (!bl_str_starts_with(bl_str_slice(rest, end, rest.len), BL_STR(" and ")))
        return bl_patch_refuse(r, BL_STR("This is not how git says that files differ."));
    bl_str left = bl_str_slice(rest, 0, end);
    bl_str right = bl_str_slice(rest, end + BL_STR(" and ").len, rest.len);
    bl_str path = from.len > 0 ? s->file.from : s->file.path;
    bool good = created
                    ? bl_str_equal(left, none)
                    : bl_patch_name(r, left, BL_STR("a/"), &found) && bl_str_equal(found, path);
    good = good && (deleted ? bl_str_equal(right, none)
                            : bl_patch_name(r, right, BL_STR("b/"), &found) &&
                                  bl_str_equal(found, s->file.path));
    return good ? bl_patch_next(r) : bl_patch_refuse(r, BL_STR("The names of a file differ."));
}

static bool content(struct bl_patch_reader *r, struct section *s, bool *has_content)
{
    bl_str rest;

    *has_content = true;
    if (is_line(r, BL_STR("Binary files "), &rest)) {
        s->file.binary = true;
        return differs(r, s, rest);
    }
    if (!r->is_end && bl_str_equal(r->line, BL_STR("GIT binary patch"))) {
        s->file.binary = true;
        return bl_patch_binary(r);
    }
    if (!is_line(r, BL_STR("--- "), &rest)) {
        *has_content = false;
        return true;
    }
    bl_str from = s->file.from.len > 0 ? s->file.from : s->file.path;
    return side(r, BL_STR("--- "), BL_STR("a/"), s->file.change == BL_FILE_CHANGE_CREATED,
                from) &&
           side(r, BL_STR("+++ "), BL_STR("b/"), s->file.change == BL_FILE_CHANGE_DELETED,
                s->file.path) &&
           bl_patch_hunks(r, &s->file);
}

/* A change of content has its index, and a file that is the same has none. */
static bool fits(struct bl_patch_reader *r, const struct section *s, bool has_content)
{
    bool one_side =
        s->file.change == BL_FILE_CHANGE_CREATED || s->file.change == BL_FILE_CHANGE_DELETED;
    bool is_moved = s->is_rename || s->is_copy;
    bool good = has_content ? s->has_index && !(is_moved && s->is_whole)
                : one_side  ? s->has_index
                : is_moved  ? !s->has_index && s->is_whole
                            : !s->has_index && s->old_mode != s->new_mode;

    return good || bl_patch_refuse(r, BL_STR("The headers of a file don't say what changes."));
}

static bool is_regular(unsigned of)
{
    return (of & MODE_KIND) == MODE_REGULAR;
}

static bool section(struct bl_patch_reader *r)
{
    struct section s = {
        .file = {.change = BL_FILE_CHANGE_EDITED, .first_line = r->out->lines.count}};
    bool has_content = false;

    s.file.lo = r->at - r->line.len - 1;
    if (!is_line(r, BL_STR("diff --git "), &s.names))
        return bl_patch_refuse(r, BL_STR("A file begins with 'diff --git'."));
    if (!bl_patch_next(r) || !modes(r, &s) || !similarity(r, &s) || !indexed(r, &s) ||
        !named(r, &s) || !content(r, &s, &has_content) || !fits(r, &s, has_content))
        return false;
    s.file.mode_changed = s.file.change == BL_FILE_CHANGE_CREATED
                              ? s.new_mode != MODE_PLAIN
                              : s.new_mode != 0 && s.old_mode != s.new_mode;
    s.file.ordinary =
        is_regular(s.file.change == BL_FILE_CHANGE_DELETED ? s.old_mode : s.new_mode);
    struct bl_patch_file *slot = r->out->files.count < (size_t)bl_limit(BL_LIMIT_LIST_ITEMS)
                                     ? BL_PUSH(r->arena, r->out->files)
                                     : NULL;
    if (slot == NULL) {
        r->is_full = true;
        return false;
    }
    s.file.hi = r->at - (r->is_end ? 0 : r->line.len + 1);
    *slot = s.file;
    r->out->added += s.file.added;
    r->out->removed += s.file.removed;
    return true;
}

/* ---- the whole --------------------------------------------------------------------------- */

static int compare_paths(const void *a, const void *b, const void *context)
{
    struct bl_patch *patch = *(struct bl_patch *const *)context;
    const bl_str *x = a, *y = b;
    size_t same = 0;

    while (same < x->len && same < y->len && x->ptr[same] == y->ptr[same])
        same++;
    patch->steps += same + 1;
    return bl_str_compare(bl_str_slice(*x, same, x->len), bl_str_slice(*y, same, y->len));
}

/* What a file becomes is said once. */
static bool all_differ(struct bl_patch_reader *r)
{
    size_t count = r->out->files.count;
    bl_str *paths = BL_NEW_ARRAY(r->arena, count + 1, bl_str);

    for (size_t i = 0; paths != NULL && i < count; i++)
        paths[i] = r->out->files.items[i].path;
    if (paths == NULL ||
        !bl_sort(r->arena, paths, count, sizeof *paths, compare_paths, &r->out)) {
        r->is_full = true;
        return false;
    }
    for (size_t i = 1; i < count; i++) {
        if (compare_paths(&paths[i - 1], &paths[i], &r->out) == 0)
            return bl_patch_refuse(r, BL_STR("A file stands in the patch twice."));
    }
    return true;
}

static void put_reading(const struct bl_patch_file *file, struct bl_buf *out)
{
    if (file->binary)
        BL_PUT(out, "- -");
    else
        bl_buf_printf(out, "%u %u", file->added, file->removed);
    BL_PUT(out, " ");
    bl_buf_put(out, file->path);
    BL_PUT(out, "\n");
}

static bool read_all(struct bl_patch_reader *r)
{
    struct bl_buf reading;
    size_t bad = bl_utf8_invalid_at(r->text);
    size_t nul = bl_str_find_char(r->text, '\0');

    r->out->steps += 2 * r->text.len;
    if (r->text.len > (size_t)bl_limit(BL_LIMIT_TEXT_BYTES))
        return bl_patch_refuse(r, BL_STR("It is longer than a text may be."));
    if (bad < r->text.len || nul != SIZE_MAX)
        return bl_patch_refuse(r, BL_STR("It is not text in UTF-8."));
    if (!bl_patch_next(r))
        return false;
    while (!r->is_end) {
        if (!section(r))
            return false;
    }
    if (!all_differ(r))
        return false;
    bl_buf_init(&reading, r->arena, 4 * r->text.len + 64);
    for (size_t i = 0; i < r->out->files.count; i++)
        put_reading(&r->out->files.items[i], &reading);
    r->out->reading = bl_buf_str(&reading);
    r->is_full = reading.failed;
    return true;
}

enum bl_status bl_patch_read(struct bl_arena *arena, bl_str text, struct bl_patch *out)
{
    struct bl_patch_reader r = {.arena = arena, .out = out, .text = text};

    *out = (struct bl_patch){.steps = 0};
    (void)read_all(&r);
    if (arena->failed)
        return BL_ERR_NOMEM;
    if (r.is_full)
        (void)bl_patch_refuse(&r, BL_STR("It has more lines than a list holds."));
    return BL_OK;
}
