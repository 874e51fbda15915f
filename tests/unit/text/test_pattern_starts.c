/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_support.h"

#include <string.h>

/* Several patterns in one pass find what each finds alone in all of the text: wherever the
 * sieve and the islands look, at both ends of a text, next to characters of several bytes, and
 * when a text is made so that trying takes too long. */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MANY         160

struct random {
    uint64_t state;
};

static size_t below(struct random *random, size_t bound)
{
    random->state = random->state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (size_t)(random->state >> 33) % bound;
}

/* ---- running both -------------------------------------------------------------------------
 */

struct made {
    struct bl_pattern starts;
    struct bl_pattern patterns[MANY];
    bool left_out[MANY];
    size_t count;
};

static struct made make(struct bl_arena *arena, const char *const *sources, const char *flags,
                        size_t count)
{
    struct made made = {.count = count};
    struct bl_pattern_set_input inputs[MANY];
    for (size_t i = 0; i < count; i++) {
        inputs[i] =
            (struct bl_pattern_set_input){bl_str_from(sources[i]), bl_str_from(flags), false};
        made.patterns[i] = compiled(arena, inputs[i].source, inputs[i].flags, BL_PATTERN_BEST);
    }
    check(bl_pattern_starts_compile(arena, inputs, count, made.left_out, &made.starts));
    check(bl_pattern_starts_verify(made.starts.bytes, made.starts.size));
    check_size(bl_pattern_starts_count(made.starts), count);
    return made;
}

struct listing {
    struct bl_buf *of; /* each pattern */
    size_t count;
};

static bool list(void *context, size_t pattern, struct bl_match match)
{
    struct bl_buf *buf = &((struct listing *)context)->of[pattern];
    bl_buf_printf(buf, "%s%zu-%zu", buf->len > 0 ? " " : "", match.lo, match.hi);
    ((struct listing *)context)->count++;
    return true;
}

static bool list_one(void *context, struct bl_match match)
{
    bl_buf_printf(context, "%s%zu-%zu", ((struct bl_buf *)context)->len > 0 ? " " : "",
                  match.lo, match.hi);
    return true;
}

/* What begins at or behind a place; in front of it is what \b and ^ look at. Returns how many
 * matches there were. */
static size_t check_from(const struct made *made, const char *const *sources, bl_str text,
                         size_t from, uint64_t steps_a_byte)
{
    struct bl_arena arena;
    struct listing found = {.count = 0};
    uint64_t steps = 0;
    uint64_t alone_steps = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    found.of = BL_NEW_ARRAY(&arena, made->count, struct bl_buf);
    for (size_t i = 0; i < made->count; i++) {
        bl_buf_init(&found.of[i], &arena, (size_t)1 << 24);
    }
    check(bl_pattern_starts_each(&arena, made->starts, made->patterns, text, from, list, &found,
                                 NULL, &steps));
    for (size_t i = 0; i < made->count; i++) {
        struct bl_buf alone;
        bl_buf_init(&alone, &arena, (size_t)1 << 24);
        check(bl_pattern_each_from(&arena, made->patterns[i], text, from, list_one, &alone,
                                   &alone_steps));
        check_case("/%s/ from %zu in %zu bytes '%.*s'", sources[i], from, text.len,
                   (int)(text.len < 300 ? text.len : 300), text.ptr);
        if (from == 0) {
            check_slice(bl_buf_str(&alone), all_matches(&arena, made->patterns[i], text));
        }
        if (!made->left_out[i]) {
            check_slice(bl_buf_str(&found.of[i]), bl_buf_str(&alone));
        }
    }
    check(steps <= steps_a_byte * (made->count + 1) * (text.len + 64));
    bl_arena_reset(&arena);
    return found.count;
}

static size_t check_text(const struct made *made, const char *const *sources, bl_str text,
                         uint64_t steps_a_byte)
{
    size_t from = text.len / 3;
    while (from > 0 && from < text.len && ((uint8_t)text.ptr[from] & 0xC0) == 0x80) {
        from--;
    }
    check_from(made, sources, text, from, steps_a_byte);
    return check_from(made, sources, text, 0, steps_a_byte);
}

/* ---- texts of what matters ------------------------------------------------------------------
 */

static const char *const patterns[] = {
    "gh[opur]_[A-Za-z0-9]{5,}",
    "\\bnpm_[A-Za-z0-9]{4}\\b",
    "sk-(?:proj-|admin-)?[A-Za-z0-9_-]{4,}",
    "(?:AKIA|ASIA)[A-Z0-9]{4}",
    "-----BEGIN [A-Z0-9 ]*KEY",
    "\\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\\b",
    "^[A-Z]{2,8}=\"[^\"\\n]{4,}\"[ \\t]*$",
    ":\\/\\/[^\\s:\\/@]{1,100}:[^\\s@]{3,}@",
    "[A-Za-z0-9+\\/=_-]{11,}",
    "[A-Za-z0-9.]{9}\\.x",
    "(?:\\xE9|\\u{20AC}|a){4,}",
    "\\p{L}{4,}\\d",
    "[^\\s]{9,}:[^\\s]{2}",
    "\\B[a-f0-9]{8,}",
    "(?:abcd|a9)+",
    "ab",
    "a*",
    "^[a-f0-9]{5,9}",
    "\\b[gn][A-Za-z0-9_-]{47,}",
    "\\$2[aby]?\\$[0-9]{2}",
    "\"m\":\\s{0,4}\"([A-Za-z;,]*)\"",
};
static const char *const parts[] = {
    "a",
    "b",
    "9",
    "_",
    "-",
    "/",
    " ",
    "\n",
    ".x",
    ":",
    "=",
    "\xC3\xA9",
    "\xE2\x82\xAC",
    "ghp_",
    "abcd",
    "a9",
    "0a",
    "aaaaaaa",
    "-----BEGIN",
    " KEY",
    "gho_12345",
    "\t",
    "AKIA",
    "npm_ab12",
    "sk-",
    "proj-",
    "\xF0\x9F\x98\x80",
    "ABIA=\"",
    "\"",
    "://",
    "@",
    "$2a$10",
    "12345678:AA",
    "\"m\": \"a;\"",
    "-----",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
};

static bl_str text_of(struct bl_arena *arena, struct random *random, size_t size)
{
    struct bl_buf buf;
    const char *few[5];
    size_t variety = 1 + below(random, 6);
    bl_buf_init(&buf, arena, size + 256);
    for (size_t i = 0; i < COUNT(few); i++) {
        few[i] = parts[below(random, COUNT(parts))];
    }
    while (buf.len < size) {
        bool any = below(random, variety) == 0;
        bl_buf_put(&buf, bl_str_from(any ? parts[below(random, COUNT(parts))]
                                         : few[below(random, COUNT(few))]));
    }
    return bl_buf_str(&buf);
}

/* req: PRF-01 PRF-08 */
TEST(all_patterns_find_what_each_finds_alone)
{
    struct random random = {20261130};
    struct bl_arena arena;
    size_t found = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t flags = 0; flags < 3; flags++) {
        struct made made =
            make(&arena, patterns, (const char *const[]){"", "i", "m"}[flags], COUNT(patterns));
        size_t left_out = 0;
        for (size_t i = 0; i < made.count; i++) {
            left_out += made.left_out[i];
        }
        /* Those of the beginning of a text, and what begins and goes on like any text. */
        check_size(left_out, flags == 2 ? 3 : 5);
        for (size_t round = 0; round < 500; round++) {
            found += check_text(&made, patterns, text_of(&arena, &random, below(&random, 400)),
                                8 * 16);
        }
        for (size_t round = 0; round < 10; round++) {
            found += check_text(&made, patterns,
                                text_of(&arena, &random, 4000 + below(&random, 9000)), 8);
        }
    }
    check(found > 5000);
    bl_arena_reset(&arena);
}

/* Some are asked for, the others stay silent. */
TEST(what_nobody_asks_for_is_not_found)
{
    struct bl_arena arena;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct made made = make(&arena, patterns, "", COUNT(patterns));
    bl_str text = BL_STR("ghp_12345678901234567890 AKIAABCD abcdabcd");
    check(check_text(&made, patterns, text, 64) > 3);
    struct bl_pattern asked[COUNT(patterns)] = {{NULL, 0}};
    struct bl_buf bufs[COUNT(patterns)];
    struct listing found = {bufs, 0};
    uint64_t steps = 0;
    asked[3] = made.patterns[3];
    for (size_t i = 0; i < COUNT(patterns); i++) {
        bl_buf_init(&bufs[i], &arena, 1 << 16);
    }
    check(bl_pattern_starts_each(&arena, made.starts, asked, text, 0, list, &found, NULL,
                                 &steps));
    check_size(found.count, 1);
    check_slice(bl_buf_str(&bufs[3]), BL_STR("25-33"));
    bl_arena_reset(&arena);
}

/* ---- linear ---------------------------------------------------------------------------------
 */

/* Each is quadratic where every beginning is followed as far as it goes. */
static const struct {
    const char *pattern;
    const char *unit;
} worst[] = {
    {"abcde|abcde.*z", "abcde"},
    {"abcdef.*z", "abcdef"},
    {"12345[0-9a-z]*!", "12345"},
    {"eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}", "eyJ"},
    {"(?:qxqxqx)+[^!]*!", "qx"},
    {"[A-Za-z0-9]{9,}!", "ab1"},
    {"[A-Za-z]{40,}[0-9]", "ab"},
    {"qz[ab]{300}(?:b[ab]{300})+!", "qzabab"},
    {"Q{8}[A-Z]{1,200}[a-z]", "Q"},
};

/* req: PRF-01 PRF-08 */
TEST(texts_made_to_be_tried_in_vain_take_linear_time)
{
    for (size_t i = 0; i < COUNT(worst); i++) {
        struct bl_arena arena;
        uint64_t before = 0;
        bl_arena_init(&arena, ARENA_BYTES, NULL);
        struct made made = make(&arena, &worst[i].pattern, "", 1);
        bool is_graph = bl_blob_field(made.patterns[0].bytes, BL_HEAD_KIND) == BL_BLOB_GRAPH;
        check_case("/%s/ in '%s'", worst[i].pattern, worst[i].unit);
        check(!made.left_out[0]);
        for (size_t len = 4096; len <= 65536; len *= 2) {
            struct bl_buf bufs[1];
            struct listing found = {bufs, 0};
            uint64_t steps = 0;
            bl_str text = repeated(&arena, worst[i].unit, len);
            bl_buf_init(&bufs[0], &arena, (size_t)1 << 20);
            check(bl_pattern_starts_each(&arena, made.starts, made.patterns, text, 0, list,
                                         &found, NULL, &steps));
            check_slice(bl_buf_str(&bufs[0]), all_matches(&arena, made.patterns[0], text));
            check(steps <= (is_graph ? 100 : 6) * (uint64_t)len + 256);
            check(before == 0 || steps <= before * 2 + before / 16 + 256);
            before = steps;
        }
        bl_arena_reset(&arena);
    }
}

/* ---- a text that changed --------------------------------------------------------------------
 */

struct found {
    struct bl_arena *arena;
    struct bl_matches of[MANY];
};

static bool keep(void *context, size_t pattern, struct bl_match match)
{
    struct found *found = context;
    struct bl_match *slot = BL_PUSH(found->arena, found->of[pattern].list);
    check(slot != NULL);
    *slot = match;
    return true;
}

/* Puts other parts in places of the text. */
static bl_str change(struct bl_arena *arena, struct random *random, bl_str text,
                     struct bl_text_change *changes, size_t count, size_t *made)
{
    struct bl_buf buf;
    size_t at = 0;
    bl_buf_init(&buf, arena, text.len + count * 64);
    *made = 0;
    for (size_t i = 0; i < count && at < text.len; i++) {
        size_t lo = at + below(random, (text.len - at) / (count - i) + 1);
        size_t hi = lo + 1 + below(random, i % 3 == 0 ? 40 : 4);
        bl_str part = bl_str_from(parts[below(random, COUNT(parts))]);
        while (lo < text.len && ((uint8_t)text.ptr[lo] & 0xC0) == 0x80) {
            lo++;
        }
        hi = hi > lo ? hi : lo + 1;
        hi = hi < text.len ? hi : text.len;
        while (hi < text.len && ((uint8_t)text.ptr[hi] & 0xC0) == 0x80) {
            hi++;
        }
        if (lo >= text.len) {
            break;
        }
        bl_buf_put(&buf, bl_str_slice(text, at, lo));
        bl_buf_put(&buf, part);
        changes[(*made)++] = (struct bl_text_change){lo, hi, part.len};
        at = hi;
    }
    bl_buf_put(&buf, bl_str_slice(text, at, text.len));
    return bl_buf_str(&buf);
}

static size_t check_same(const struct found *once_more, const struct found *anew, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        check_case("pattern %zu", i);
        check_size(once_more->of[i].list.count, anew->of[i].list.count);
        for (size_t k = 0; k < anew->of[i].list.count; k++, sum++) {
            check_size(once_more->of[i].list.items[k].lo, anew->of[i].list.items[k].lo);
            check_size(once_more->of[i].list.items[k].hi, anew->of[i].list.items[k].hi);
        }
    }
    return sum;
}

/* A text that changes and changes again is known each time from what it was before. */
static size_t check_changes(const struct made *made, struct random *random, bl_str text)
{
    struct bl_arena arena;
    size_t sum = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct found before = {.arena = &arena};
    struct bl_starts_log log = {.given_up = false};
    uint64_t steps = 0;
    check(bl_pattern_starts_each(&arena, made->starts, made->patterns, text, 0, keep, &before,
                                 &log, &steps));
    for (size_t round = 0; round < 3; round++) {
        struct bl_text_change changes[8];
        struct found once_more = {.arena = &arena};
        struct found anew = {.arena = &arena};
        struct bl_starts_log next = {.given_up = false};
        size_t count;
        bl_str now = change(&arena, random, text, changes, 1 + below(random, 8), &count);
        const struct bl_starts_before known = {before.of, &log, text.len, changes, count};
        check(bl_pattern_starts_again(&arena, made->starts, made->patterns, &known, now, 0,
                                      keep, &once_more, &next, &steps));
        check(bl_pattern_starts_each(&arena, made->starts, made->patterns, now, 0, keep, &anew,
                                     NULL, &steps));
        sum += check_same(&once_more, &anew, made->count);
        text = now;
        before = once_more;
        log = next;
    }
    bl_arena_reset(&arena);
    return sum;
}

/* req: PRF-01 PRF-08 */
TEST(a_changed_text_is_known_from_what_it_was)
{
    struct random random = {7};
    struct bl_arena arena;
    size_t found = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    for (size_t flags = 0; flags < 3; flags++) {
        struct made made =
            make(&arena, patterns, (const char *const[]){"", "i", "m"}[flags], COUNT(patterns));
        for (size_t round = 0; round < 400; round++) {
            size_t size = below(&random, round % 8 == 0 ? 6000 : 500);
            found += check_changes(&made, &random, text_of(&arena, &random, size));
        }
    }
    check(found > 5000);
    bl_arena_reset(&arena);
}

/* One change of a long text costs as much as one of a short one; changes all over a text that
 * was made to be tried in vain, no more than reading it a few times. */
TEST(a_change_costs_no_more_than_what_is_near)
{
    for (size_t i = 0; i <= COUNT(worst); i++) {
        struct bl_arena arena;
        bl_arena_init(&arena, ARENA_BYTES, NULL);
        struct made made = i < COUNT(worst) ? make(&arena, &worst[i].pattern, "", 1)
                                            : make(&arena, patterns, "m", COUNT(patterns));
        bool is_graph = bl_blob_field(made.patterns[0].bytes, BL_HEAD_KIND) == BL_BLOB_GRAPH;
        for (size_t len = 4096; len <= 65536; len *= 2) {
            bl_str text =
                repeated(&arena, i < COUNT(worst) ? worst[i].unit : "foo(1, x);\n", len);
            struct bl_text_change *changes =
                BL_NEW_ARRAY(&arena, len / 64, struct bl_text_change);
            size_t count = i < COUNT(worst) ? len / 64 : 1;
            struct found before = {.arena = &arena};
            struct found once_more = {.arena = &arena};
            struct bl_starts_log log = {.given_up = false};
            uint64_t steps = 0;
            check(bl_pattern_starts_each(&arena, made.starts, made.patterns, text, 0, keep,
                                         &before, &log, &steps));
            for (size_t k = 0; k < count; k++) {
                changes[k] = (struct bl_text_change){64 * k + 9, 64 * k + 10, 1};
            }
            const struct bl_starts_before known = {before.of, &log, text.len, changes, count};
            steps = 0;
            check_case("%zu of %zu changes in %zu bytes", i, count, len);
            check(bl_pattern_starts_again(&arena, made.starts, made.patterns, &known, text, 0,
                                          keep, &once_more, NULL, &steps));
            check_same(&once_more, &before, made.count);
            check(count == 1 ? steps < 4096 : steps <= (is_graph ? 100 : 12) * (uint64_t)len);
        }
        bl_arena_reset(&arena);
    }
}

/* ---- blobs that nobody compiled
 * --------------------------------------------------------------- */

static bool is_inside(void *context, size_t pattern, struct bl_match match)
{
    check(pattern < COUNT(patterns) && match.lo < match.hi &&
          match.hi <= *(const size_t *)context);
    return true;
}

/* Numbers that the verifier takes are no reason to read or write beyond anything. */
TEST(any_blob_that_passes_finds_matches_alone)
{
    struct random random = {4};
    struct bl_arena arena;
    size_t passed = 0;
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    struct made made = make(&arena, patterns, "", COUNT(patterns));
    bl_str text = text_of(&arena, &random, 3000);
    uint8_t *bytes = bl_arena_alloc(&arena, made.starts.size, 8);
    for (size_t round = 0; round < 4000; round++) {
        memcpy(bytes, made.starts.bytes, made.starts.size);
        for (size_t n = 1 + below(&random, 3); n > 0; n--) {
            size_t at = below(&random, round % 2 == 0 ? 64 : made.starts.size);
            bytes[at] = (uint8_t)below(&random, 256);
        }
        if (bl_pattern_starts_verify(bytes, made.starts.size) &&
            bl_pattern_starts_count((struct bl_pattern){bytes, made.starts.size}) ==
                made.count) {
            uint64_t steps = 0;
            struct bl_arena scratch;
            bl_arena_init(&scratch, ARENA_BYTES, NULL);
            check(bl_pattern_starts_each(&scratch, (struct bl_pattern){bytes, made.starts.size},
                                         made.patterns, text, 0, is_inside, &text.len, NULL,
                                         &steps));
            bl_arena_reset(&scratch);
            passed++;
        }
    }
    check(passed > 500);
    check(!bl_pattern_starts_verify(made.starts.bytes, made.starts.size - 8));
    check(!bl_pattern_starts_verify(NULL, 0));
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_patterns_find_what_each_finds_alone),
        cmocka_unit_test(what_nobody_asks_for_is_not_found),
        cmocka_unit_test(texts_made_to_be_tried_in_vain_take_linear_time),
        cmocka_unit_test(a_changed_text_is_known_from_what_it_was),
        cmocka_unit_test(a_change_costs_no_more_than_what_is_near),
        cmocka_unit_test(any_blob_that_passes_finds_matches_alone),
    };
    return check_main(tests);
}
