/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"
#include "text/entity.h"

#include <string.h>

/* The text as GitHub's filters see it: escapes and references to characters stand for what they
 * are, and links whose target goes are their words. */

struct decoder {
    struct bl_cleaning *c;
    size_t next_link;
    BL_VEC(uint32_t) open; /* links whose words are being read */
};

static void put(struct bl_cleaning *c, char byte, uint32_t lo, uint32_t hi)
{
    c->decoded[c->decoded_len] = byte;
    c->source[c->decoded_len++] = (struct bl_source_span){lo, hi};
}

/* May the target stand in parentheses again, as it is written? */
static bool can_be_kept(const struct bl_clean_part *link)
{
    bl_str s = link->written;

    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] <= ' ' || strchr("()<>\\`[]", s.ptr[i]) != NULL)
            return false;
    }
    return s.len > 0 && !link->image;
}

/* At the beginning of a link: where its words begin. */
static uint32_t begin_link(struct decoder *d)
{
    struct bl_cleaning *c = d->c;
    uint32_t number = (uint32_t)d->next_link++;
    struct bl_clean_part *link = &c->links.items[number];
    uint32_t *slot = BL_PUSH(c->arena, d->open);

    if (slot == NULL) {
        c->failed = true;
        return c->len;
    }
    *slot = number;
    if (link->image || (link->action == BL_ACTION_KEEP && !can_be_kept(link)) ||
        link->action == BL_ACTION_LINK)
        link->action = BL_ACTION_TEXT;
    if (link->action == BL_ACTION_CODE) {
        put(c, BL_DECODED_WHOLE, link->first, link->last);
        d->open.count--;
        while (d->next_link < c->links.count && c->links.items[d->next_link].first < link->last)
            d->next_link++;
        return link->last;
    }
    if (link->action == BL_ACTION_KEEP)
        put(c, BL_DECODED_OPEN, link->first, link->first + 1);
    return link->first + 1 + link->image;
}

static uint32_t end_link(struct decoder *d)
{
    struct bl_cleaning *c = d->c;
    const struct bl_clean_part *link = &c->links.items[d->open.items[--d->open.count]];

    if (link->action == BL_ACTION_KEEP)
        put(c, BL_DECODED_CLOSE, link->tail, link->last);
    return link->last;
}

static bool is_stripped(const struct bl_cleaning *c, bl_str characters)
{
    for (size_t i = 0; i < c->rules->strip_count; i++) {
        if (bl_pattern_matches(c->rules->strips[i], characters))
            return true;
    }
    return false;
}

/* An ampersand: behind the reference that it begins, or behind itself. */
static uint32_t ampersand(struct bl_cleaning *c, uint32_t at, uint32_t limit)
{
    char entity[BL_ENTITY_BYTES];
    size_t length = 0;
    uint32_t taken = (uint32_t)bl_entity_read((bl_str){c->text, limit}, at, entity, &length);

    c->steps += taken;
    if (taken == 0) {
        put(c, '&', at, at + 1);
        return at + 1;
    }
    if (is_stripped(c, (bl_str){entity, length})) {
        bl_clean_report(c, BL_STR("invisible"), BL_CLEAN_AMPERSAND, c->origin[at],
                        (size_t)c->origin[at + taken - 1] + 1);
        return at + taken;
    }
    for (uint32_t i = 0; i < length; i++)
        put(c, entity[i], i == 0 ? at : at + taken, at + taken);
    return at + taken;
}

/* Where something begins or ends that is not a byte for itself. */
static uint32_t next_stop(const struct decoder *d, uint32_t limit)
{
    const struct bl_cleaning *c = d->c;

    if (d->open.count > 0 && c->links.items[d->open.items[d->open.count - 1]].tail < limit)
        limit = c->links.items[d->open.items[d->open.count - 1]].tail;
    if (d->next_link < c->links.count && c->links.items[d->next_link].first < limit)
        limit = c->links.items[d->next_link].first;
    return limit;
}

static uint32_t put_plain(struct bl_cleaning *c, uint32_t at, uint32_t limit)
{
    static const bool acts[256] = {['\\'] = true, ['&'] = true};
    uint32_t behind = bl_clean_behind_plain(c->text, at, limit, acts);
    struct bl_source_span *source = c->source + c->decoded_len;

    memcpy(c->decoded + c->decoded_len, c->text + at, behind - at);
    for (uint32_t i = 0; i < behind - at; i++)
        source[i] = (struct bl_source_span){at + i, at + i + 1};
    c->decoded_len += behind - at;
    c->steps += behind - at;
    return behind;
}

void bl_clean_decode(struct bl_cleaning *c)
{
    struct decoder d = {.c = c};
    size_t next = 0;

    c->decoded = BL_NEW_ARRAY(c->arena, c->len + 1u, char);
    c->source = BL_NEW_ARRAY(c->arena, c->len + 1u, struct bl_source_span);
    if (c->arena->failed) {
        c->failed = true;
        return;
    }
    for (uint32_t at = 0; at < c->len && !c->failed;) {
        const struct bl_code_piece *code = bl_clean_next_code(c, &next, at);
        uint32_t limit = code != NULL ? code->lo : c->len;
        uint32_t plain = put_plain(c, at, next_stop(&d, limit));

        if (plain > at) {
            at = plain;
            continue;
        }
        char byte = c->text[at];
        c->steps++;
        if (code != NULL && at == code->lo) {
            put(c, BL_DECODED_CODE, code->lo, code->hi);
            at = code->hi;
        } else if (d.open.count > 0 &&
                   c->links.items[d.open.items[d.open.count - 1]].tail == at) {
            at = end_link(&d);
        } else if (d.next_link < c->links.count && c->links.items[d.next_link].first == at) {
            at = begin_link(&d);
        } else if (byte == '\\' && at + 1 < limit && bl_clean_punctuation(c->text[at + 1])) {
            put(c, c->text[at + 1], at, at + 2);
            at += 2;
        } else if (byte == '&') {
            at = ampersand(c, at, limit);
        } else {
            put(c, byte, at, at + 1);
            at++;
        }
    }
}
