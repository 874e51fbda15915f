/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact_parts.h"

#include <string.h>

/* Markers: made once for each value. */

#define SHOWN_BYTES 6 /* twelve digits (RED-10) */

/* HMAC-SHA-256 (RFC 2104); keys are shorter than a block. What the key alone makes is made
 * once.
 */
void bl_redactor_set_key(struct bl_redactor *r, const unsigned char *key)
{
    for (unsigned outer = 0; outer < 2; outer++) {
        char pad[64];
        for (size_t i = 0; i < sizeof pad; i++) {
            unsigned char own = i < BL_REDACTION_KEY_BYTES ? key[i] : 0;
            pad[i] = (char)(own ^ (outer ? 0x5c : 0x36));
        }
        bl_digest_begin(&r->keyed[outer]);
        bl_digest_add(&r->keyed[outer], (bl_str){pad, sizeof pad});
    }
}

static void keyed_digest(const struct bl_redactor *r, bl_str value,
                         unsigned char out[BL_DIGEST_BYTES])
{
    struct bl_digest_state state = r->keyed[0];

    bl_digest_add(&state, value);
    bl_digest_end(&state, out);
    state = r->keyed[1];
    bl_digest_add(&state, (bl_str){(const char *)out, BL_DIGEST_BYTES});
    bl_digest_end(&state, out);
}

static struct bl_marked *slot_of(struct bl_redactor *r, const unsigned char *digest)
{
    uint64_t hash;

    memcpy(&hash, digest, sizeof hash);
    for (size_t i = (size_t)hash & (r->marked_slots - 1);;
         i = (i + 1) & (r->marked_slots - 1)) {
        struct bl_marked *slot = &r->marked[i];
        if (!slot->used || memcmp(slot->digest, digest, BL_DIGEST_BYTES) == 0)
            return slot;
    }
}

static bool make_room(struct bl_redactor *r)
{
    struct bl_marked *old = r->marked;
    size_t slots = r->marked_slots;

    if (r->marked_count * 2 < slots)
        return true;
    r->marked_slots = slots == 0 ? 64 : slots * 2;
    r->marked = BL_NEW_ARRAY(r->arena, r->marked_slots, struct bl_marked);
    if (r->marked == NULL) {
        r->marked = old;
        r->marked_slots = slots;
        return false;
    }
    for (size_t i = 0; i < slots; i++) {
        if (old[i].used)
            *slot_of(r, old[i].digest) = old[i];
    }
    return true;
}

static bool is_word(bl_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
            return false;
    }
    return s.len > 0;
}

static bool keep_match(void *context, struct bl_match match)
{
    *(struct bl_match *)context = match;
    return false;
}

/* A marker that the redaction would not know again would be masked again. */
static enum bl_status check_marker(struct bl_redactor *r, bl_str marker, bl_str *problem)
{
    struct bl_match match = {1, 0};

    if (r->row->keep == BL_NONE)
        return BL_OK;
    struct bl_arena_mark mark = bl_arena_mark(r->arena);
    bool good = bl_pattern_each(r->arena,
                                bl_secret_pattern(r->m, r->m->PARTS_rows[r->row->keep].pattern),
                                marker, keep_match, &match);
    bl_arena_release(r->arena, mark);
    if (!good)
        return BL_ERR_NOMEM;
    if (match.lo == 0 && match.hi == marker.len)
        return BL_OK;
    *problem = BL_STR("The pattern of 'keep' does not find the redaction's own markers.");
    return BL_ERR_INVALID;
}

static enum bl_status make_marker(struct bl_redactor *r, bl_str kind, bl_str value,
                                  const unsigned char *digest, bl_str *marker, bl_str *problem)
{
    struct bl_value bytes = bl_int((int64_t)value.len);
    struct bl_value size = bl_text(BL_STR(""));
    struct bl_value out = bl_absent();
    char hex[BL_DIGEST_HEX];
    enum bl_status status = BL_OK;

    if (!is_word(kind)) {
        *problem = BL_STR("The kind of a mask has small letters, digits and '_' alone.");
        return BL_ERR_INVALID;
    }
    bl_digest_hex(digest, hex);
    bl_str digits = bl_arena_copy(r->arena, (bl_str){hex, 2 * (size_t)SHOWN_BYTES});
    if (r->row->size != BL_NONE)
        status = r->host.call(r->host.context, r->row->size, &bytes, 1, &size);
    const struct bl_value args[3] = {bl_text(kind), size, bl_text(digits)};
    if (status == BL_OK)
        status = r->host.call(r->host.context, r->row->marker, args, 3, &out);
    if (status != BL_OK)
        return status;
    *marker = bl_arena_copy(r->arena, bl_text_of(out));
    return r->arena->failed ? BL_ERR_NOMEM : check_marker(r, *marker, problem);
}

enum bl_status bl_redactor_marker(struct bl_redactor *r, bl_str kind, bl_str value,
                                  bl_str *marker, bl_str *problem)
{
    unsigned char digest[BL_DIGEST_BYTES];

    keyed_digest(r, value, digest);
    if (!make_room(r))
        return BL_ERR_NOMEM;
    struct bl_marked *slot = slot_of(r, digest);
    if (!slot->used) {
        enum bl_status status = make_marker(r, kind, value, digest, &slot->marker, problem);

        if (status != BL_OK)
            return status;
        memcpy(slot->digest, digest, sizeof digest);
        slot->used = true;
        r->marked_count++;
    }
    *marker = slot->marker;
    return BL_OK;
}

void bl_redactor_digest(const struct bl_redactor *r, bl_str value,
                        unsigned char out[BL_DIGEST_BYTES])
{
    keyed_digest(r, value, out);
}
