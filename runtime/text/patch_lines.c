/* SPDX-License-Identifier: Apache-2.0 */
#include "text/patch_parts.h"

#include <string.h>

/* What becomes of the lines of a file: hunks, or the frame of a binary patch. */

#define NUMBER_DIGITS 9

/* A hunk as it goes on, and what the hunks before it left. */
struct hunks {
    struct bl_patch_reader *r;
    struct bl_patch_file *file;
    int64_t old_next, new_next; /* the first line that a hunk may still begin with */
    int64_t old_left, new_left; /* lines that the hunk still has */
    int64_t new_number;         /* of the next line of the file as it becomes */
    bool old_ended, new_ended;  /* a line without an end was the last one */
    bool changes;
};

/* ---- the header of a hunk ---------------------------------------------------------------- */

static bool number(bl_str *s, int64_t *out)
{
    size_t digits = 0;

    *out = 0;
    while (digits < s->len && bl_is_ascii_digit(s->ptr[digits]) && digits <= NUMBER_DIGITS)
        *out = *out * 10 + (s->ptr[digits++] - '0');
    if (digits == 0 || digits > NUMBER_DIGITS || (digits > 1 && s->ptr[0] == '0'))
        return false;
    *s = bl_str_slice(*s, digits, s->len);
    return true;
}

static bool skip(bl_str *s, bl_str word)
{
    if (!bl_str_starts_with(*s, word))
        return false;
    *s = bl_str_slice(*s, word.len, s->len);
    return true;
}

/* "12,3", or "12" for one line. */
static bool range(bl_str *s, int64_t *first, int64_t *count)
{
    *count = 1;
    return number(s, first) && (!skip(s, BL_STR(",")) || number(s, count)) &&
           (*first > 0 || *count == 0);
}

/* Of no lines git names the one in front of them. The two sides have gone apart by what was
 * added and removed before, and by nothing else. */
static bool begin(struct hunks *h)
{
    bl_str s = h->r->line;
    int64_t old_first, new_first;
    bool reads = skip(&s, BL_STR("@@ -")) && range(&s, &old_first, &h->old_left) &&
                 skip(&s, BL_STR(" +")) && range(&s, &new_first, &h->new_left) &&
                 skip(&s, BL_STR(" @@")) && (s.len == 0 || s.ptr[0] == ' ');

    if (!reads)
        return bl_patch_refuse(h->r, BL_STR("This is not how a hunk begins."));
    old_first += h->old_left == 0;
    new_first += h->new_left == 0;
    if (h->old_ended || h->new_ended)
        return bl_patch_refuse(h->r, BL_STR("A hunk stands behind the end of the file."));
    /* Git joins hunks that touch. */
    if (old_first < h->old_next + (h->changes ? 1 : 0) ||
        old_first - h->old_next != new_first - h->new_next)
        return bl_patch_refuse(h->r, BL_STR("A hunk begins where it cannot."));
    h->old_next = old_first + h->old_left;
    h->new_next = new_first + h->new_left;
    h->new_number = new_first;
    h->changes = false;
    return true;
}

/* ---- its lines --------------------------------------------------------------------------- */

static bool add(struct hunks *h)
{
    struct bl_patch *out = h->r->out;
    struct bl_patch_line *line = out->lines.count < (size_t)bl_limit(BL_LIMIT_LIST_ITEMS)
                                     ? BL_PUSH(h->r->arena, out->lines)
                                     : NULL;

    if (line == NULL) {
        h->r->is_full = true;
        return false;
    }
    *line = (struct bl_patch_line){(uint32_t)h->new_number,
                                   bl_str_slice(h->r->line, 1, h->r->line.len)};
    h->file->added++;
    return true;
}

static bool take(struct hunks *h, char sign)
{
    bool of_old = sign == ' ' || sign == '-';
    bool of_new = sign == ' ' || sign == '+';

    if (!of_old && !of_new)
        return bl_patch_refuse(h->r, BL_STR("A hunk has fewer lines than it says."));
    if ((of_old && (h->old_left == 0 || h->old_ended)) ||
        (of_new && (h->new_left == 0 || h->new_ended)))
        return bl_patch_refuse(h->r, BL_STR("A hunk has other lines than it says."));
    if (sign == '+' && !add(h))
        return false;
    h->old_left -= of_old;
    h->new_left -= of_new;
    h->new_number += of_new;
    h->file->removed += sign == '-';
    h->changes = h->changes || sign != ' ';
    return true;
}

/* The line before, which is the last one of its side, has no end. */
static bool no_end(struct hunks *h, char sign)
{
    bool of_old = sign == ' ' || sign == '-';
    bool of_new = sign == ' ' || sign == '+';

    if ((of_old && h->old_left > 0) || (of_new && h->new_left > 0))
        return bl_patch_refuse(h->r, BL_STR("A line without an end is not the last one."));
    h->old_ended = h->old_ended || of_old;
    h->new_ended = h->new_ended || of_new;
    return bl_patch_next(h->r);
}

static bool hunk(struct hunks *h)
{
    if (!begin(h) || !bl_patch_next(h->r))
        return false;
    while (h->old_left > 0 || h->new_left > 0) {
        char sign = h->r->line.len > 0 ? h->r->line.ptr[0] : '\0';

        if (h->r->is_end)
            return bl_patch_refuse(h->r, BL_STR("A hunk has fewer lines than it says."));
        if (!take(h, sign) || !bl_patch_next(h->r))
            return false;
        if (bl_str_equal(h->r->line, BL_STR("\\ No newline at end of file")) &&
            !no_end(h, sign))
            return false;
    }
    return h->changes || bl_patch_refuse(h->r, BL_STR("A hunk changes nothing."));
}

bool bl_patch_hunks(struct bl_patch_reader *r, struct bl_patch_file *file)
{
    struct hunks h = {.r = r, .file = file, .old_next = 1, .new_next = 1};

    do {
        if (!hunk(&h))
            return false;
    } while (!r->is_end && bl_str_starts_with(r->line, BL_STR("@@ ")));
    /* A file that is created or deleted has one side alone, and all of it. */
    if ((file->change == BL_FILE_CHANGE_CREATED && (file->removed > 0 || h.old_next != 1)) ||
        (file->change == BL_FILE_CHANGE_DELETED && (file->added > 0 || h.new_next != 1)))
        return bl_patch_refuse(r, BL_STR("A new or deleted file has another side."));
    return true;
}

/* ---- binary files ------------------------------------------------------------------------ */

static bool is_base85(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) ||
           (c != '\0' && strchr("!#$%&()*+-;<=>?@^_`{|}~", c) != NULL);
}

/* A letter for how many bytes, 1 to 52, and five characters for four of them. */
static bool is_packed(bl_str line)
{
    if (line.len == 0 || !bl_is_ascii_alpha(line.ptr[0]))
        return false;
    size_t bytes =
        line.ptr[0] <= 'Z' ? (size_t)(line.ptr[0] - 'A' + 1) : (size_t)(line.ptr[0] - 'a' + 27);
    bool good = line.len == 1 + (bytes + 3) / 4 * 5;
    for (size_t i = 1; good && i < line.len; i++)
        good = is_base85(line.ptr[i]);
    return good;
}

static bool packed(struct bl_patch_reader *r)
{
    bl_str s = r->line;
    int64_t size;
    size_t lines = 0;

    if (r->is_end || (!skip(&s, BL_STR("literal ")) && !skip(&s, BL_STR("delta "))) ||
        !number(&s, &size) || s.len > 0)
        return bl_patch_refuse(r, BL_STR("This is not how a binary patch begins."));
    for (; bl_patch_next(r) && !r->is_end && r->line.len > 0; lines++) {
        r->out->steps += r->line.len;
        if (!is_packed(r->line))
            return bl_patch_refuse(r, BL_STR("This is no line of a binary patch."));
    }
    if (lines == 0 || r->is_end)
        return bl_patch_refuse(r, BL_STR("A binary patch has no end."));
    return bl_patch_next(r);
}

/* There and back again. */
bool bl_patch_binary(struct bl_patch_reader *r)
{
    return bl_patch_next(r) && packed(r) && packed(r);
}
