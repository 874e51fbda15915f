/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/known.h"

#include <string.h>

/* Finding many known values at once: a table of what they begin with. */

#define KEY_BYTES  4u
#define TABLE_BITS 16u

static uint32_t place_of(const char *bytes)
{
    uint32_t key;

    memcpy(&key, bytes, KEY_BYTES);
    return key * UINT32_C(0x9E3779B1) >> (32 - TABLE_BITS);
}

bool bl_known_ready(struct bl_arena *arena, struct bl_known_forms *forms)
{
    forms->bits = BL_NEW_ARRAY(arena, (1u << TABLE_BITS) / 64, uint64_t);
    forms->heads = BL_NEW_ARRAY(arena, 1u << TABLE_BITS, uint32_t);
    if (forms->bits == NULL || forms->heads == NULL)
        return false;
    for (uint32_t i = 0; i < forms->list.count; i++) {
        struct bl_known_form *form = &forms->list.items[i];
        if (form->bytes.len > forms->longest)
            forms->longest = form->bytes.len;
        if (form->bytes.len < KEY_BYTES) {
            uint32_t *slot = BL_PUSH(arena, forms->tiny);
            if (slot == NULL)
                return false;
            *slot = i;
            continue;
        }
        uint32_t place = place_of(form->bytes.ptr);
        forms->bits[place / 64] |= UINT64_C(1) << place % 64;
        form->next = forms->heads[place];
        forms->heads[place] = i + 1;
    }
    return true;
}

static bool is_base64(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '+' || c == '/' || c == '-' || c == '_';
}

struct searching {
    bl_str text;
    bool (*each)(void *context, uint32_t value, size_t lo, size_t hi);
    void *context;
    size_t *behind; /* of each form: the end of its last occurrence */
};

/* A character of Base64 that holds a part of the value goes with it, and so does the padding.
 */
static bool found(struct searching *s, const struct bl_known_form *form, size_t lo)
{
    size_t hi = lo + form->bytes.len;

    if (form->front && lo > 0 && is_base64(s->text.ptr[lo - 1]))
        lo--;
    if (form->back && hi < s->text.len && is_base64(s->text.ptr[hi]))
        hi++;
    for (unsigned i = 0; form->base64 && i < 2 && hi < s->text.len && s->text.ptr[hi] == '=';
         i++)
        hi++;
    return s->each(s->context, form->value, lo, hi);
}

static bool look(struct searching *s, const struct bl_known_forms *forms, uint32_t place,
                 size_t at)
{
    for (uint32_t i = forms->heads[place]; i != 0; i = forms->list.items[i - 1].next) {
        const struct bl_known_form *form = &forms->list.items[i - 1];
        if (at < s->behind[i - 1] || s->text.len - at < form->bytes.len ||
            memcmp(s->text.ptr + at, form->bytes.ptr, form->bytes.len) != 0)
            continue;
        s->behind[i - 1] = at + form->bytes.len;
        if (!found(s, form, at))
            return false;
    }
    return true;
}

static bool look_for_tiny(struct searching *s, const struct bl_known_form *form)
{
    for (size_t at = 0; at < s->text.len;) {
        size_t hit = bl_str_find(bl_str_slice(s->text, at, s->text.len), form->bytes);
        if (hit == SIZE_MAX)
            break;
        at += hit;
        if (!found(s, form, at))
            return false;
        at += form->bytes.len;
    }
    return true;
}

bool bl_known_each(struct bl_arena *scratch, const struct bl_known_forms *forms, bl_str text,
                   bool (*each)(void *context, uint32_t value, size_t lo, size_t hi),
                   void *context)
{
    struct searching s = {text, each, context,
                          BL_NEW_ARRAY(scratch, forms->list.count + 1, size_t)};

    if (s.behind == NULL)
        return false;
    for (size_t i = 0; i < forms->tiny.count; i++) {
        if (!look_for_tiny(&s, &forms->list.items[forms->tiny.items[i]]))
            return true;
    }
    if (forms->tiny.count == forms->list.count)
        return true;
    for (size_t at = 0; at + KEY_BYTES <= text.len; at++) {
        uint32_t place = place_of(text.ptr + at);
        if ((forms->bits[place / 64] >> place % 64 & 1) != 0 && !look(&s, forms, place, at))
            return true;
    }
    return true;
}
