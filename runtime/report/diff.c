/* SPDX-License-Identifier: Apache-2.0 */
#include "report/diff.h"

#include "report/report.h"

#include <string.h>

/* The shortest way by E. Myers: "An O(ND) Difference Algorithm and Its Variations", 1986. */

#define CONTEXT 3

/* Changed lines up to which the shortest way is looked for; its square is the memory. */
#define CHANGES_MAX 1500

struct lines {
    bl_str *items; /* line ends included */
    size_t count;
    size_t capacity;
};

struct edit {
    char sign; /* ' ', '-' or '+' */
    bl_str line;
};

struct diff {
    struct bl_arena *arena;
    struct lines before;
    struct lines after;
    bool *removed;
    bool *added;
    BL_VEC(struct edit) edits;
};

static void split(struct bl_arena *arena, bl_str text, struct lines *out)
{
    while (text.len > 0) {
        size_t end = bl_str_find_char(text, '\n');
        size_t length = end == SIZE_MAX ? text.len : end + 1;
        bl_str *line = BL_PUSH(arena, *out);
        if (line == NULL)
            return;
        *line = bl_str_slice(text, 0, length);
        text = bl_str_slice(text, length, text.len);
    }
}

/* The part that differs: lines [from, from + count) on both sides. */
struct middle {
    size_t from;
    size_t before;
    size_t after;
};

static struct middle find_middle(const struct diff *d)
{
    struct middle m = {0, d->before.count, d->after.count};
    while (m.from < m.before && m.from < m.after &&
           bl_str_equal(d->before.items[m.from], d->after.items[m.from]))
        m.from++;
    m.before -= m.from;
    m.after -= m.from;
    while (m.before > 0 && m.after > 0 &&
           bl_str_equal(d->before.items[m.from + m.before - 1],
                        d->after.items[m.from + m.after - 1])) {
        m.before--;
        m.after--;
    }
    return m;
}

/* furthest[k + changes] is the line of `before` that is reached on diagonal k; one array for
 * each number of changes, to find the way back. */
static ptrdiff_t step(const ptrdiff_t *last, ptrdiff_t changes, ptrdiff_t k)
{
    ptrdiff_t at = changes - 1; /* middle of the last array */
    if (changes == 0)
        return 0;
    if (k == -changes || (k != changes && last[k - 1 + at] < last[k + 1 + at]))
        return last[k + 1 + at];
    return last[k - 1 + at] + 1;
}

static void mark_way(struct diff *d, const struct middle *m, ptrdiff_t **furthest,
                     ptrdiff_t changes)
{
    ptrdiff_t x = (ptrdiff_t)m->before;
    ptrdiff_t y = (ptrdiff_t)m->after;
    for (; changes > 0; changes--) {
        const ptrdiff_t *last = furthest[changes - 1];
        ptrdiff_t at = changes - 1;
        ptrdiff_t k = x - y;
        bool down = k == -changes || (k != changes && last[k - 1 + at] < last[k + 1 + at]);
        ptrdiff_t k_before = down ? k + 1 : k - 1;
        x = last[k_before + at];
        y = x - k_before;
        if (down)
            d->added[m->from + (size_t)y] = true;
        else
            d->removed[m->from + (size_t)x] = true;
    }
}

static bool find_way(struct diff *d, const struct middle *m)
{
    ptrdiff_t **furthest = BL_NEW_ARRAY(d->arena, CHANGES_MAX + 1, ptrdiff_t *);
    ptrdiff_t before = (ptrdiff_t)m->before, after = (ptrdiff_t)m->after;
    for (ptrdiff_t changes = 0; furthest != NULL && changes <= CHANGES_MAX; changes++) {
        const ptrdiff_t *last = changes > 0 ? furthest[changes - 1] : NULL;
        ptrdiff_t *now = BL_NEW_ARRAY(d->arena, (size_t)(2 * changes + 1), ptrdiff_t);
        if (now == NULL)
            return false;
        furthest[changes] = now;
        for (ptrdiff_t k = -changes; k <= changes; k += 2) {
            ptrdiff_t x = step(last, changes, k);
            while (x < before && x - k < after && x - k >= 0 &&
                   bl_str_equal(d->before.items[m->from + (size_t)x],
                                d->after.items[m->from + (size_t)(x - k)]))
                x++;
            now[k + changes] = x;
            if (x >= before && x - k >= after) {
                mark_way(d, m, furthest, changes);
                return true;
            }
        }
    }
    return false;
}

static void add_edit(struct diff *d, char sign, bl_str line)
{
    struct edit *edit = BL_PUSH(d->arena, d->edits);
    if (edit != NULL)
        *edit = (struct edit){sign, line};
}

static void list_edits(struct diff *d)
{
    size_t i = 0, k = 0;
    while (i < d->before.count || k < d->after.count) {
        if (i < d->before.count && d->removed[i]) {
            add_edit(d, '-', d->before.items[i++]);
        } else if (k < d->after.count && d->added[k]) {
            add_edit(d, '+', d->after.items[k++]);
        } else if (i < d->before.count && k < d->after.count) {
            add_edit(d, ' ', d->before.items[i++]);
            k++;
        } else {
            return;
        }
    }
}

static void put_range(struct bl_buf *out, char sign, size_t from, size_t count)
{
    /* Lines count from 1; an empty range stands behind the line that it names. */
    bl_buf_put_char(out, sign);
    bl_buf_put_int(out, (int64_t)(count > 0 ? from + 1 : from));
    if (count != 1)
        bl_buf_printf(out, ",%zu", count);
}

static void put_hunk(const struct diff *d, size_t from, size_t to, size_t before, size_t after,
                     struct bl_buf *out)
{
    size_t old_count = 0, new_count = 0;
    for (size_t i = from; i < to; i++) {
        old_count += d->edits.items[i].sign != '+';
        new_count += d->edits.items[i].sign != '-';
    }
    BL_PUT(out, "@@ ");
    put_range(out, '-', before, old_count);
    BL_PUT(out, " ");
    put_range(out, '+', after, new_count);
    BL_PUT(out, " @@\n");
    for (size_t i = from; i < to; i++) {
        const struct edit *edit = &d->edits.items[i];
        bl_buf_put_char(out, edit->sign);
        bl_buf_put(out, edit->line);
        if (!bl_str_ends_with(edit->line, BL_STR("\n")))
            BL_PUT(out, "\n\\ No newline at end of file\n");
    }
}

static void put_hunks(const struct diff *d, struct bl_buf *out)
{
    size_t count = d->edits.count;
    size_t before = 0, after = 0; /* lines in front of edit `counted` */
    size_t counted = 0;
    for (size_t i = 0; i < count;) {
        if (d->edits.items[i].sign == ' ') {
            i++;
            continue;
        }
        size_t from = i > CONTEXT && i - CONTEXT > counted ? i - CONTEXT : counted;
        size_t last = i;
        for (size_t k = i; k < count && k <= last + 2 * CONTEXT; k++)
            if (d->edits.items[k].sign != ' ')
                last = k;
        size_t to = last + 1 + CONTEXT < count ? last + 1 + CONTEXT : count;
        for (; counted < from; counted++) {
            before++;
            after++;
        }
        put_hunk(d, from, to, before, after, out);
        for (; counted < to; counted++) {
            before += d->edits.items[counted].sign != '+';
            after += d->edits.items[counted].sign != '-';
        }
        i = to;
    }
}

void bl_diff_write(struct bl_arena *arena, bl_str path, bl_str before, bl_str after,
                   struct bl_buf *out)
{
    struct diff d = {.arena = arena};
    if (bl_str_equal(before, after))
        return;
    split(arena, before, &d.before);
    split(arena, after, &d.after);
    d.removed = BL_NEW_ARRAY(arena, d.before.count + 1, bool);
    d.added = BL_NEW_ARRAY(arena, d.after.count + 1, bool);
    if (arena->failed || d.removed == NULL || d.added == NULL) {
        out->failed = true;
        return;
    }
    struct middle m = find_middle(&d);
    if (!find_way(&d, &m)) {
        memset(d.removed + m.from, true, m.before);
        memset(d.added + m.from, true, m.after);
    }
    list_edits(&d);
    BL_PUT(out, "--- ");
    bl_report_visible(path, out);
    BL_PUT(out, "\n+++ ");
    bl_report_visible(path, out);
    BL_PUT(out, "\n");
    put_hunks(&d, out);
    out->failed |= arena->failed;
}
