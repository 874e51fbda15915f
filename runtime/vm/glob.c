/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "vm/vm.h"

/* Two levels of the same thing: inside a part `*` stands for any characters, between parts `**`
 * stands for any parts. At both levels a later star takes over from an earlier one: what
 * matched before it needs no second look, since the star can take whatever the earlier one
 * would have left. So no path makes this slower than the product of the lengths. */

struct cursor {
    bl_str text;
    size_t at;
};

static size_t part_end(bl_str s, size_t from)
{
    while (from < s.len && s.ptr[from] != '/')
        from++;
    return from;
}

/* Part against part; neither has a slash. */
static bool part_matches(bl_str pattern, bl_str part)
{
    size_t p = 0;
    size_t t = 0;
    size_t star = SIZE_MAX; /* behind the newest star */
    size_t star_text = 0;   /* what it takes ends here */

    while (t < part.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = ++p;
            star_text = t;
        } else if (p < pattern.len && pattern.ptr[p] == '?') {
            p++;
            (void)bl_utf8_decode(part, &t);
        } else if (p < pattern.len && pattern.ptr[p] == part.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            /* A whole character more, so that `?` never begins inside one. */
            (void)bl_utf8_decode(part, &star_text);
            t = star_text;
            p = star;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}

static bool is_any_parts(bl_str part)
{
    return bl_str_equal(part, BL_STR("**"));
}

/* `at` beyond the length: there is no further part. */
static bl_str take_part(struct cursor *c)
{
    size_t end = part_end(c->text, c->at);
    bl_str part = bl_str_slice(c->text, c->at, end);

    c->at = end < c->text.len ? end + 1 : c->text.len + 1;
    return part;
}

static bool has_part(const struct cursor *c)
{
    return c->at <= c->text.len;
}

bool bl_glob_matches(bl_str pattern, bl_str path)
{
    struct cursor p = {pattern, 0};
    struct cursor t = {path, 0};
    struct cursor star = {pattern, SIZE_MAX}; /* behind the newest `**` */
    struct cursor star_path = {path, 0};

    while (has_part(&t)) {
        struct cursor ahead = p;
        bl_str part = has_part(&p) ? take_part(&ahead) : (bl_str){NULL, 0};

        if (has_part(&p) && is_any_parts(part)) {
            /* The last one names what is inside a folder, not the folder: it takes a part. */
            if (!has_part(&ahead))
                return true;
            star = p = ahead;
            star_path = t;
            continue;
        }
        struct cursor next = t;
        if (has_part(&p) && part_matches(part, take_part(&next))) {
            p = ahead;
            t = next;
        } else if (star.at != SIZE_MAX) {
            (void)take_part(&star_path);
            t = star_path;
            p = star;
        } else {
            return false;
        }
    }
    return !has_part(&p);
}
