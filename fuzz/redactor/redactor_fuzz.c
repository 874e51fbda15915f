/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "secret/known.h"
#include "secret/policy_module.h"
#include "secret/redact.h"

#include <string.h>

/* The shipped redaction over any bytes: spans are in order, no known value is left in any of
 * its forms, pieces make what the whole makes, what is taken over from one look to the next is
 * what every look finds anew, and markers stay when a text is masked again.
 * (More of it may be masked then: a marker ends words and quotations that kept what is beside
 * it from being a secret.) */

#define VALUE "hunter2/hunter2+\"x\""

static const char policy[] = "use redaction\n";

static struct bl_redactor *create(struct bl_arena *arena, const struct bl_module *m,
                                  size_t margin, bool anew)
{
    static const bl_str literals[] = {{VALUE, sizeof VALUE - 1}};
    struct bl_secret_host host = bl_machine_host(fuzz_policy_machine(arena, m));
    struct bl_redaction_input input = {.literals = literals, .literal_count = 1};
    struct bl_redactor *redactor = NULL;
    bl_str problem = {NULL, 0};

    input.margin = margin;
    input.anew = anew;
    FUZZ_REQUIRE(bl_redactor_create(arena, m, 0, &host, &input, &redactor, &problem) == BL_OK);
    return redactor;
}

static struct bl_redacted redact(struct bl_redactor *redactor, struct bl_arena *arena,
                                 bl_str text)
{
    struct bl_redacted out;
    bl_str problem = {NULL, 0};

    FUZZ_REQUIRE(bl_redact(redactor, arena, text, &out, &problem) == BL_OK);
    for (size_t i = 0; i < out.list.count; i++) {
        const struct bl_redacted_span *span = &out.list.items[i];
        FUZZ_REQUIRE(span->lo < span->hi && span->hi <= text.len);
        FUZZ_REQUIRE(i == 0 || out.list.items[i - 1].hi <= span->lo);
    }
    return out;
}

static size_t longest_of(const struct bl_redacted *redacted)
{
    size_t longest = 0;

    for (size_t i = 0; i < redacted->list.count; i++) {
        const struct bl_redacted_span *span = &redacted->list.items[i];
        longest = span->hi - span->lo > longest ? span->hi - span->lo : longest;
    }
    return longest;
}

/* Between blanks: what other readers decode as one. */
static size_t longest_word(bl_str text)
{
    size_t longest = 0, from = 0;

    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && !bl_is_ascii_space(text.ptr[i]))
            continue;
        longest = i - from > longest ? i - from : longest;
        from = i + 1;
    }
    return longest;
}

/* As a reader of a file does it: a piece that settles nothing grows. */
static bl_str in_pieces(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                        size_t size)
{
    size_t at = 0, end = size;
    struct bl_buf out;
    bl_str problem = {NULL, 0};

    bl_buf_init(&out, arena, arena->limit);
    for (;;) {
        struct bl_redacted piece;
        size_t front = at;
        while (front > 0 && at - front < 4 && ((unsigned char)text.ptr[front] & 0xC0) == 0x80)
            front--;
        front -= front == at && at > 0;
        while (front > 0 && at - front < 4 && ((unsigned char)text.ptr[front] & 0xC0) == 0x80)
            front--;
        if (end > text.len)
            end = text.len;
        FUZZ_REQUIRE(bl_redact_piece(redactor, arena, bl_str_slice(text, front, end),
                                     at - front, end == text.len, &piece, &problem) == BL_OK);
        bl_buf_put(&out, piece.text);
        FUZZ_REQUIRE(end < text.len || front + piece.settled == text.len);
        if (end == text.len)
            break;
        size_t settled = front + piece.settled;
        end = settled > at ? settled + size : end + size;
        at = settled;
    }
    FUZZ_REQUIRE(!out.failed);
    return bl_buf_str(&out);
}

static bool note(void *context, uint32_t value, size_t lo, size_t hi)
{
    (void)value, (void)lo, (void)hi;
    *(bool *)context = true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct bl_module *m = fuzz_policy_module(policy);
    struct bl_known_forms forms = {.longest = 0};
    struct bl_arena arena;
    size_t margin = 256;
    bool left = false;

    if (size == 0 || size > 1 << 15)
        return 0;
    bl_str text = {(const char *)data, size};
    bl_arena_init(&arena, (size_t)1 << 29, NULL);
    struct bl_redactor *redactor = create(&arena, m, margin, false);
    struct bl_redacted once = redact(redactor, &arena, text);
    struct bl_redacted slow = redact(create(&arena, m, margin, true), &arena, text);
    FUZZ_REQUIRE(bl_str_equal(once.text, slow.text) && once.list.count == slow.list.count);
    struct bl_redacted twice = redact(redactor, &arena, once.text);
    FUZZ_REQUIRE(bl_str_equal(once.text, twice.text));
    FUZZ_REQUIRE(bl_known_add(&arena, &forms, 0, BL_STR(VALUE)) &&
                 bl_known_ready(&arena, &forms) &&
                 bl_known_each(&arena, &forms, once.text, note, &left) && !left);
    /* Of longer matches, and of longer words, nothing is promised. */
    if (longest_of(&once) < margin / 2 && longest_word(text) < margin / 4)
        FUZZ_REQUIRE(bl_str_equal(in_pieces(redactor, &arena, text, 400 + data[0]), once.text));
    bl_arena_reset(&arena);
    return 0;
}
