/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/policy_module.h"
#include "secret/redact.h"
#include "support/check.h"

#include <string.h>

/* What is known of a text is not looked for again: neither in its masked form, nor where other
 * readers have what stands there. Masked is what is masked when every look reads everything,
 * however the text comes in pieces, and the time stays linear whatever the text is. */

#define MARGIN  256
#define LITERAL "hunter2/hunter2+\"x\""

static struct bl_redactor *create(struct bl_arena *arena, bool anew)
{
    static const bl_str literals[] = {{LITERAL, sizeof LITERAL - 1}};
    const struct bl_module *m = fuzz_policy_module("use redaction\n");
    struct bl_redaction_input input = {
        .literals = literals, .literal_count = 1, .margin = MARGIN, .anew = anew};
    struct bl_secret_host host = bl_machine_host(fuzz_policy_machine(arena, m));
    struct bl_redactor *redactor = NULL;
    bl_str problem;

    check_status(bl_redactor_create(arena, m, 0, &host, &input, &redactor, &problem), BL_OK);
    return redactor;
}

static struct bl_redacted mask(struct bl_redactor *redactor, struct bl_arena *arena,
                               bl_str text)
{
    struct bl_redacted out;
    bl_str problem;

    check_status(bl_redact(redactor, arena, text, &out, &problem), BL_OK);
    return out;
}

/* A piece that settles nothing grows. */
static bl_str in_pieces(struct bl_redactor *redactor, struct bl_arena *arena, bl_str text,
                        size_t size)
{
    struct bl_buf out;

    bl_buf_init(&out, arena, SIZE_MAX);
    for (size_t at = 0, end = size;;) {
        struct bl_redacted piece;
        bl_str problem;
        size_t front = at > 0 ? at - 1 : 0;

        while (front > 0 && ((unsigned char)text.ptr[front] & 0xC0) == 0x80)
            front--;
        end = end < text.len ? end : text.len;
        check_status(bl_redact_piece(redactor, arena, bl_str_slice(text, front, end),
                                     at - front, end == text.len, &piece, &problem),
                     BL_OK);
        bl_buf_put(&out, piece.text);
        if (end == text.len)
            return bl_buf_str(&out);
        size_t settled = front + piece.settled;
        end = settled > at ? settled + size : end + size;
        at = settled;
    }
}

/* ---- the same -------------------------------------------------------------------------- */

static const char *const parts[] = {
    "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    "sk-ant-abcdefghij0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "Bearer abcdefghijklmnop1234",
    "API_KEY=abcd1234",
    "\"token\": \"abcd'1234\"",
    "client_secret: 'x1y2z3",
    "PASS=",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    LITERAL,
    "aHVudGVyMi9odW50ZXIyKyJ4Ig",           /* the literal */
    "Z2hwXzAxMjM0NTY3ODlhYmNkZWZnaGlqa2xt", /* ghp_… */
    "%67%68%70_0123456789abcdefghij",
    "\\u0067hp_0123456789abcdefghij",
    "&#103;hp_0123456789abcdefghij",
    ("ghp_\xE2\x80\x8B"
     "0123456789\x1B[0mabcdefghij"),
    "6768705f30313233343536373839616263646566676869",
    "[REDACTED:api_key:short:0123456789ab]",
    "words of prose",
    "bl_secret_sought_begin(&x);",
    "\n",
    "\n",
    " ",
    " ",
    "\"",
    "'",
    "=",
    "%",
    "\\",
    "&amp;",
    "%41",
    "\xFF",
    "\xC3\xA9",
    "_",
    "0",
};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

static bl_str random_text(struct bl_arena *arena, uint32_t *seed, uint32_t most)
{
    struct bl_buf text;

    bl_buf_init(&text, arena, SIZE_MAX);
    for (uint32_t n = 1 + next(seed) % most; n > 0; n--) {
        bl_str part = bl_str_from(parts[next(seed) % (sizeof parts / sizeof parts[0])]);
        size_t end = next(seed) % 10 == 0 ? part.len / 2 : part.len;
        bl_buf_put(&text, bl_str_slice(part, 0, end));
    }
    return bl_buf_str(&text);
}

/* Of longer matches and longer words pieces promise nothing. */
static bool is_within_margin(bl_str text, const struct bl_redacted *masked)
{
    size_t word = 0;

    for (size_t i = 0; i < masked->list.count; i++) {
        if (masked->list.items[i].hi - masked->list.items[i].lo >= MARGIN / 2)
            return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        word = bl_is_ascii_space(text.ptr[i]) ? 0 : word + 1;
        if (word >= MARGIN / 4)
            return false;
    }
    return true;
}

/* req: RED-01 RED-18 */
TEST(whatever_is_taken_over_the_same_is_masked)
{
    uint32_t seed = 20261201;
    size_t masked = 0, pieced = 0;

    for (size_t round = 0; round < 700; round++) {
        struct bl_arena arena;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        bl_str text = random_text(&arena, &seed, round % 10 == 0 ? 150 : 14);
        struct bl_redactor *fast = create(&arena, false);
        struct bl_redacted slow = mask(create(&arena, true), &arena, text);
        struct bl_redacted once = mask(fast, &arena, text);
        check_case("round %zu", round);
        check_slice(once.text, slow.text);
        check_size(once.list.count, slow.list.count);
        masked += once.list.count;
        for (size_t size = 1; size <= 4096 && is_within_margin(text, &slow);
             size = size == 1   ? 7
                    : size == 7 ? 4096
                                : SIZE_MAX) {
            check_slice(in_pieces(fast, &arena, text, size), slow.text);
            pieced++;
        }
        bl_arena_reset(&arena);
    }
    check(masked > 1000 && pieced > 300);
}

/* What begins in front of a piece may not be settled in it. */
TEST(nothing_of_a_piece_is_masked_that_is_not_settled)
{
    struct bl_arena arena;
    struct bl_redacted piece;
    bl_str problem;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    check_status(bl_redact_piece(create(&arena, false), &arena,
                                 BL_STR("%67hp_0123456789abcdefghijabcdefghij"), 1, false,
                                 &piece, &problem),
                 BL_OK);
    check_size(piece.settled, 1);
    check_size(piece.list.count, 0);
    check_size(piece.text.len, 0);
    bl_arena_reset(&arena);
}

/* A byte that is no character hides nothing, neither as it is nor where it is decoded. */
TEST(a_byte_that_is_no_character_hides_nothing)
{
    static const char *const texts[] = {
        "ghp_a\x91"
        "bcdefghijklmnopqrstuvwxyz0123456789",
        "%67hp_a%91bcdefghijklmnopqrstuvwxyz0123456789",
    };

    for (size_t i = 0; i < 2; i++) {
        struct bl_arena arena;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        struct bl_redacted masked = mask(create(&arena, false), &arena, bl_str_from(texts[i]));
        check_size(masked.list.count, 1);
        check_size(masked.list.items[0].hi, strlen(texts[i]));
        bl_arena_reset(&arena);
    }
}

/* ---- linear ---------------------------------------------------------------------------- */

static bl_str repeated(struct bl_arena *arena, const char *unit, size_t len)
{
    struct bl_buf text;

    bl_buf_init(&text, arena, SIZE_MAX);
    while (text.len < len)
        bl_buf_put(&text, bl_str_from(unit));
    return bl_buf_str(&text);
}

/* req: PRF-01 PRF-08 */
TEST(texts_that_are_made_to_be_read_again_take_linear_time)
{
    static const char *const units[] = {
        "%",
        "\\",
        "&",
        "&amp",
        "A",
        "QUJD",
        "%25",
        "&amp;",
        "\\u0041",
        "\x1B[0m",
        "\xE2\x80\x8B",
        "ghp_",
        "ghp_0123456789abcdefghij ",
        "KEY=abcd\n",
        "%41\n",
        "token:\"abcd1",
        "[REDACTED:api_key:short:0123456789ab]",
        "-----BEGIN PRIVATE KEY-----\n",
        "A\n%",
        "bearer sk-",
    };

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint64_t before = 0;

        for (size_t len = 8192; len <= 65536; len *= 2) {
            struct bl_arena arena;

            bl_arena_init(&arena, SIZE_MAX, NULL);
            bl_str text = repeated(&arena, units[i], len);
            struct bl_redacted masked = mask(create(&arena, false), &arena, text);
            check_case("%zu bytes of '%s'", len, units[i]);
            check(masked.steps < 400 * (uint64_t)len);
            check(before == 0 || 10 * masked.steps <= 22 * before);
            before = masked.steps;
            bl_arena_reset(&arena);
        }
    }
}

/* One secret in a text that has nothing else does not make it be read once more. */
TEST(a_marker_is_looked_at_where_it_stands)
{
    struct bl_arena arena;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    struct bl_redactor *redactor = create(&arena, false);
    bl_str plain = repeated(&arena, "    return frob(x, 12); // what it is\n", 1 << 18);
    struct bl_buf text;
    bl_buf_init(&text, &arena, SIZE_MAX);
    bl_buf_put(&text, bl_str_slice(plain, 0, plain.len / 2));
    bl_buf_put(&text, BL_STR("ghp_0123456789abcdefghijklmnopqrstuvwxyz"));
    bl_buf_put(&text, bl_str_slice(plain, plain.len / 2, plain.len));
    struct bl_redacted none = mask(redactor, &arena, plain);
    struct bl_redacted one = mask(redactor, &arena, bl_buf_str(&text));
    check_size(none.list.count, 0);
    check_size(one.list.count, 1);
    /* The literals are looked for again, a step for each byte. */
    check(one.steps < none.steps + plain.len + 20000);
    check(none.steps < 5 * plain.len);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_taken_over_the_same_is_masked),
        cmocka_unit_test(nothing_of_a_piece_is_masked_that_is_not_settled),
        cmocka_unit_test(a_byte_that_is_no_character_hides_nothing),
        cmocka_unit_test(texts_that_are_made_to_be_read_again_take_linear_time),
        cmocka_unit_test(a_marker_is_looked_at_where_it_stands),
    };
    return check_main(tests);
}
