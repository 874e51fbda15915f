/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "fuzz_target.h"
#include "pattern/pattern_brute.h"
#include "text/pattern_blob.h"
#include "text/pattern_compile.h"

#include <stdlib.h>
#include <string.h>

/* Input: flags, line feed, pattern, line feed, text. What must hold:
 *   - what the compiler makes passes the verifier;
 *   - automata and simulation find the same, and so does a matcher that tries everything;
 *   - matches are in order, without overlaps, between characters, in four steps a byte;
 *   - a set says of each of its patterns what the pattern says alone;
 *   - bytes that were changed are refused, or stay within themselves and the text. */

#define TEXT_MAX    2048u
#define PATTERN_MAX 400u
#define SET_SIZE    5
#define SLOW_NODES  100u
#define SET_NODES   40u

struct found {
    struct bl_match items[TEXT_MAX + 2];
    size_t count;
    size_t text_len;
};

static bool add_match(void *context, struct bl_match match)
{
    struct found *found = context;
    size_t last = found->count > 0 ? found->items[found->count - 1].hi : 0;
    FUZZ_REQUIRE(match.lo >= last && match.lo <= match.hi && match.hi <= found->text_len);
    FUZZ_REQUIRE(found->count < sizeof(found->items) / sizeof(found->items[0]));
    found->items[found->count++] = match;
    return true;
}

static void find_all(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                     struct found *found)
{
    uint64_t steps = 0;
    found->count = 0;
    found->text_len = text.len;
    FUZZ_REQUIRE(bl_pattern_each_counted(arena, pattern, text, add_match, found, &steps));
    if (bl_blob_field(pattern.bytes, BL_HEAD_KIND) == BL_BLOB_DFA) {
        FUZZ_REQUIRE(steps <= 4 * (text.len + 1));
    }
}

static bool same(const struct found *a, const struct found *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof(a->items[0])) == 0);
}

/* Everything that is not UTF-8 becomes a question mark, as a loader would refuse it. */
static bl_str valid_text(struct bl_arena *arena, bl_str text)
{
    char *bytes = bl_arena_alloc(arena, text.len + 1, 1);
    FUZZ_REQUIRE(bytes != NULL);
    if (text.len > 0) {
        memcpy(bytes, text.ptr, text.len);
    }
    bl_str copy = {bytes, text.len};
    for (size_t at = bl_utf8_invalid_at(copy); at < text.len; at = bl_utf8_invalid_at(copy)) {
        bytes[at] = '?';
    }
    return copy;
}

static void compare_with_brute_force(struct bl_arena *arena, bl_str source, bl_str flags,
                                     bl_str text, const struct found *found)
{
    uint32_t chars[BRUTE_MAX];
    size_t offsets[BRUTE_MAX + 1];
    size_t count = 0;
    struct bl_pattern_error error;
    for (size_t at = 0; at < text.len;) {
        if (count == BRUTE_MAX) {
            return;
        }
        offsets[count] = at;
        chars[count++] = bl_utf8_decode(text, &at);
    }
    offsets[count] = text.len;
    const struct bl_pattern_node *tree = bl_pattern_parse(arena, source, flags, &error);
    FUZZ_REQUIRE(tree != NULL);
    size_t seen = 0;
    for (size_t at = 0; at <= count;) {
        size_t end = brute_match(tree, chars, count, at);
        if (end != SIZE_MAX) {
            FUZZ_REQUIRE(seen < found->count && found->items[seen].lo == offsets[at] &&
                         found->items[seen].hi == offsets[end]);
            seen++;
        }
        at = end != SIZE_MAX && end > at ? end : at + 1;
    }
    FUZZ_REQUIRE(seen == found->count);
}

static void check_set(struct bl_arena *arena, bl_str source, bl_str flags, bl_str text)
{
    const struct bl_pattern_set_input inputs[SET_SIZE] = {
        {source, flags, false},
        {bl_utf8_prefix(source, 3), flags, true},
        {BL_STR("\\b[a-c]+.*_$"), BL_STR("m"), false},
        {source, BL_STR(""), false},
        {bl_utf8_prefix(text, 2), BL_STR("i"), true},
    };
    bool left_out[SET_SIZE];
    uint64_t bits = 0;
    struct bl_pattern set;
    FUZZ_REQUIRE(bl_pattern_set_compile(arena, inputs, SET_SIZE, left_out, &set));
    FUZZ_REQUIRE(bl_pattern_set_verify(set.bytes, set.size));
    bl_pattern_set_scan(set, text, &bits);
    for (size_t i = 0; i < SET_SIZE; i++) {
        struct bl_pattern pattern;
        struct bl_pattern_error error;
        bool expected = false;
        if (left_out[i]) {
            FUZZ_REQUIRE((bits >> i & 1) == 0);
            continue;
        }
        if (!inputs[i].literal) {
            FUZZ_REQUIRE(
                bl_pattern_compile(arena, inputs[i].source, inputs[i].flags, &pattern, &error));
            expected = bl_pattern_matches(pattern, text);
        } else if (bl_str_find_char(inputs[i].flags, 'i') == SIZE_MAX) {
            expected = bl_str_find(text, inputs[i].source) != SIZE_MAX;
        } else {
            for (size_t at = 0; at + inputs[i].source.len <= text.len && !expected; at++) {
                expected = bl_str_equal_nocase(
                    bl_str_slice(text, at, at + inputs[i].source.len), inputs[i].source);
            }
        }
        FUZZ_REQUIRE((bits >> i & 1) == expected);
    }
}

/* Changes some bytes, which and how depends on the input alone; the block has the exact size.
 */
static void check_changed(struct bl_arena *arena, struct bl_pattern pattern, bl_str text,
                          uint64_t seed, struct found *found)
{
    uint8_t *bytes = malloc(pattern.size);
    if (bytes == NULL) {
        return;
    }
    for (int round = 0; round < 8; round++) {
        memcpy(bytes, pattern.bytes, pattern.size);
        for (int i = 0; i <= round % 3; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            /* Half of the changes hit the header and the map, where most of the meaning is. */
            size_t range = (seed >> 20 & 1) != 0 && pattern.size > 320 ? 320 : pattern.size;
            bytes[(seed >> 32) % range] ^= (uint8_t)(1u << (seed >> 24) % 8);
        }
        if (bl_pattern_verify(bytes, pattern.size)) {
            struct bl_pattern changed = {bytes, pattern.size};
            bl_pattern_matches(changed, text);
            find_all(arena, changed, text, found);
        }
    }
    free(bytes);
}

static void check_pattern(struct bl_arena *arena, bl_str source, bl_str flags, bl_str text,
                          uint64_t seed)
{
    static struct found best;
    static struct found other;
    struct bl_pattern pattern;
    struct bl_pattern simulated;
    struct bl_pattern_error error;
    if (!bl_pattern_compile_as(arena, source, flags, BL_PATTERN_GRAPH, &simulated, &error)) {
        FUZZ_REQUIRE(error.message.len > 0 && error.offset <= source.len + 1 + flags.len);
        FUZZ_REQUIRE(!bl_pattern_compile(arena, source, flags, &pattern, &error));
        return;
    }
    FUZZ_REQUIRE(bl_pattern_verify(simulated.bytes, simulated.size));
    find_all(arena, simulated, text, &other);
    FUZZ_REQUIRE(bl_pattern_matches(simulated, text) == (other.count > 0));
    compare_with_brute_force(arena, source, flags, text, &other);
    /* Finding out that automata are too large takes long with sanitizers; do it seldom. */
    if (bl_blob_field(simulated.bytes, BL_GRAPH_NODES) > SLOW_NODES && seed % 32 != 0) {
        return;
    }
    FUZZ_REQUIRE(bl_pattern_compile(arena, source, flags, &pattern, &error));
    FUZZ_REQUIRE(bl_pattern_verify(pattern.bytes, pattern.size));
    find_all(arena, pattern, text, &best);
    FUZZ_REQUIRE(same(&best, &other));
    FUZZ_REQUIRE(bl_pattern_matches(pattern, text) == (best.count > 0));
    if (bl_blob_field(simulated.bytes, BL_GRAPH_NODES) <= SET_NODES || seed % 32 == 0) {
        check_set(arena, source, flags, text);
    }
    check_changed(arena, pattern, text, seed, &other);
    check_changed(arena, simulated, text, seed, &other);
}

/* The line in front, which goes from *rest. */
static bl_str line(bl_str *rest)
{
    size_t end = bl_str_find_char(*rest, '\n');
    end = end == SIZE_MAX ? rest->len : end;
    bl_str result = bl_str_slice(*rest, 0, end);
    *rest = bl_str_slice(*rest, end + 1, rest->len);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct bl_arena arena;
    bl_str rest = {(const char *)bytes, len};
    bl_str flags = line(&rest);
    bl_str source = line(&rest);
    if (rest.len > TEXT_MAX || source.len > PATTERN_MAX) {
        return 0;
    }
    bl_arena_init(&arena, (size_t)1 << 30, NULL);
    check_pattern(&arena, source, flags, valid_text(&arena, rest),
                  bl_str_hash((bl_str){(const char *)bytes, len}, 0));
    bl_arena_reset(&arena);
    return 0;
}
