/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "text/clean_parts.h"
#include "text/entity.h"

/* Links and images of the form [words](target "title"). References by label need a definition;
 * those are removed, and brackets that are left are escaped. */

#define PARENTHESES  32u   /* nested in a target, as CommonMark allows at least */
#define TARGET_BYTES 2048u /* longer ones are no links here: their brackets are escaped */
#define TITLE_BYTES  1024u

struct opener {
    uint32_t at;
    bool image;
    bool active; /* no link has ended behind it */
};

struct tail {
    uint32_t lo, hi; /* of the target, as it is written */
    uint32_t end;    /* behind the ")" */
    bool angle;
};

/* White space with at most one line end. */
static uint32_t behind_space(const struct bl_cleaning *c, uint32_t at, uint32_t limit)
{
    bool newline = false;

    while (at < limit &&
           (c->text[at] == ' ' || c->text[at] == '\t' || (c->text[at] == '\n' && !newline))) {
        newline = newline || c->text[at] == '\n';
        at++;
    }
    return at;
}

static bool read_angle(const struct bl_cleaning *c, uint32_t at, uint32_t limit,
                       struct tail *tail)
{
    tail->angle = true;
    tail->lo = at + 1;
    for (uint32_t i = tail->lo; i < limit; i++) {
        if (c->text[i] == '\n' || c->text[i] == '<')
            return false;
        if (c->text[i] == '\\')
            i++;
        else if (c->text[i] == '>') {
            tail->hi = i;
            return true;
        }
    }
    return false;
}

static bool read_target(const struct bl_cleaning *c, uint32_t at, uint32_t limit,
                        struct tail *tail)
{
    unsigned depth = 0;

    if (at < limit && c->text[at] == '<')
        return read_angle(c, at, limit, tail);
    tail->lo = at;
    for (; at < limit; at++) {
        char byte = c->text[at];
        if (bl_clean_space(byte) || (unsigned char)byte < 0x20)
            break;
        if (byte == '\\' && at + 1 < limit && bl_clean_punctuation(c->text[at + 1]))
            at++;
        else if (byte == '(' && ++depth > PARENTHESES)
            return false;
        else if (byte == ')' && depth-- == 0)
            break;
    }
    tail->hi = at < limit ? at : limit;
    return true;
}

static uint32_t read_title(const struct bl_cleaning *c, uint32_t at, uint32_t limit)
{
    char open = at < limit ? c->text[at] : '\0';
    char close = open == '(' ? ')' : open;

    if (open != '"' && open != '\'' && open != '(')
        return at;
    if (limit > at + TITLE_BYTES)
        limit = at + TITLE_BYTES;
    for (uint32_t i = at + 1; i < limit; i++) {
        if (c->text[i] == '\\')
            i++;
        else if (c->text[i] == close)
            return i + 1;
        else if (c->text[i] == '\n' && i + 1 < limit && c->text[i + 1] == '\n')
            return at;
    }
    return at;
}

/* Behind "](": the target and what follows it, up to the ")". Stops before code. */
static bool read_tail(struct bl_cleaning *c, uint32_t at, uint32_t limit, struct tail *tail)
{
    uint32_t from = at;

    if (limit > at + TARGET_BYTES + TITLE_BYTES)
        limit = at + TARGET_BYTES + TITLE_BYTES;
    at = behind_space(c, at, limit);
    bool read = read_target(c, at, limit, tail);
    c->steps += read ? tail->hi - from : 1;
    if (!read)
        return false;
    at = tail->hi + tail->angle;
    uint32_t behind = behind_space(c, at, limit);
    if (behind > at) {
        uint32_t title = read_title(c, behind, limit);
        c->steps += title - behind;
        behind = behind_space(c, title, limit);
    }
    tail->end = behind + 1;
    return behind < limit && c->text[behind] == ')';
}

/* As Markdown reads a target: escapes and references to characters stand for what they are. */
static bl_str decoded(struct bl_cleaning *c, uint32_t lo, uint32_t hi)
{
    bl_str s = {c->text + lo, hi - lo};
    struct bl_buf out;
    char entity[BL_ENTITY_BYTES];
    size_t length = 0;

    bl_buf_init(&out, c->arena, 2 * s.len + 8);
    for (size_t at = 0; at < s.len;) {
        size_t taken = s.ptr[at] == '&' ? bl_entity_read(s, at, entity, &length) : 0;
        if (taken > 0) {
            bl_buf_put(&out, (bl_str){entity, length});
            at += taken;
            continue;
        }
        at += s.ptr[at] == '\\' && at + 1 < s.len && bl_clean_punctuation(s.ptr[at + 1]);
        bl_buf_put_char(&out, s.ptr[at++]);
    }
    c->failed = c->failed || out.failed;
    return bl_buf_str(&out);
}

static void add(struct bl_cleaning *c, struct opener open, uint32_t close, struct tail tail)
{
    struct bl_clean_part *part = BL_PUSH(c->arena, c->links);

    if (part == NULL) {
        c->failed = true;
        return;
    }
    bl_str target = decoded(c, tail.lo, tail.hi);
    *part = (struct bl_clean_part){
        .kind = BL_CLASS_LINK,
        .action = BL_ACTION_TEXT,
        .rule = UINT32_MAX,
        .words = bl_str_slice(bl_clean_text(c), open.at + 1u + open.image, close),
        .lo = c->origin[open.at],
        .hi = (size_t)c->origin[tail.end - 1] + 1,
        .address = bl_address_read(target, c->rules->repository),
        .first = open.at,
        .tail = close,
        .last = tail.end,
    };
    part->stands_alone = true;
    part->image = open.image;
    part->written = (bl_str){c->text + tail.lo, tail.hi - tail.lo};
}

struct finder {
    struct bl_cleaning *c;
    BL_VEC(struct opener) open;
    size_t settled; /* so many at the bottom were told that a link ended behind them */
};

static uint32_t end_link(struct finder *f, uint32_t at, uint32_t limit)
{
    struct bl_cleaning *c = f->c;
    struct tail tail = {0};

    if (f->open.count == 0)
        return at + 1;
    struct opener open = f->open.items[--f->open.count];
    if (f->settled > f->open.count)
        f->settled = f->open.count;
    if (!open.active || at + 1 >= limit || c->text[at + 1] != '(' ||
        !read_tail(c, at + 2, limit, &tail))
        return at + 1;
    if (open.image) {
        if (!bl_clean_has(c->rules, BL_CLEAN_IMAGE))
            return at + 1;
    } else {
        /* No link stands in another. */
        for (size_t i = f->settled; i < f->open.count; i++)
            f->open.items[i].active = f->open.items[i].image;
        f->settled = f->open.count;
    }
    add(c, open, at, tail);
    return tail.end;
}

static void open_link(struct finder *f, uint32_t at, bool image)
{
    struct opener *slot = BL_PUSH(f->c->arena, f->open);

    if (slot == NULL)
        f->c->failed = true;
    else
        *slot = (struct opener){at, image, true};
}

/* Tails were read in the order of their ends; decisions are asked in the order of beginnings.
 */
static int compare_begins(const void *a, const void *b, const void *context)
{
    const struct bl_clean_part *x = a, *y = b;

    (void)context;
    return (x->first > y->first) - (x->first < y->first);
}

/* Behind bytes that mean nothing to a link. */
static uint32_t behind_plain(struct bl_cleaning *c, uint32_t at, uint32_t limit)
{
    static const bool acts[256] = {
        ['['] = true, [']'] = true, ['!'] = true, ['\\'] = true, ['\n'] = true};
    uint32_t behind = bl_clean_behind_plain(c->text, at, limit, acts);

    c->steps += behind - at;
    return behind;
}

void bl_clean_find_links(struct bl_cleaning *c)
{
    struct finder f = {.c = c};
    size_t next = 0;

    for (uint32_t at = 0; at < c->len && !c->failed;) {
        const struct bl_code_piece *code = bl_clean_next_code(c, &next, at);
        uint32_t limit = code != NULL ? code->lo : c->len;

        at = behind_plain(c, at, limit);
        if (at == c->len)
            break;
        char byte = c->text[at];
        c->steps++;
        if (code != NULL && at == code->lo) {
            at = code->hi;
            if (code->fenced)
                f.open.count = f.settled = 0;
        } else if (byte == '\\' && at + 1 < limit && bl_clean_punctuation(c->text[at + 1])) {
            at += 2;
        } else if (byte == '!' && at + 1 < limit && c->text[at + 1] == '[') {
            open_link(&f, at, true);
            at += 2;
        } else if (byte == '[') {
            open_link(&f, at, false);
            at++;
        } else if (byte == ']') {
            at = end_link(&f, at, limit);
        } else {
            if (byte == '\n' && at + 1 < c->len && c->text[at + 1] == '\n')
                f.open.count = f.settled = 0;
            at++;
        }
    }
    if (!c->failed)
        c->failed = !bl_sort(c->arena, c->links.items, c->links.count, sizeof *c->links.items,
                             compare_begins, NULL);
}
