/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "event/json.h"
#include "support/allocator.h"
#include "support/check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MEGABYTE ((size_t)1 << 20)

static struct bl_arena arena;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 256 * MEGABYTE, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static const struct bl_json *parse(bl_str text, size_t *notes, struct bl_json_error *error)
{
    return bl_json_parse(&arena, text, 64, notes, error);
}

static const struct bl_json *parse_good(bl_str text)
{
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *root = parse(text, &notes, &error);
    if (root == NULL) {
        check_str(error.message, "(nothing)");
    }
    check_size(notes, 0);
    return root;
}

/* What RFC 8259 does not allow, what cJSON 1.7 takes all the same, and what this reader refuses
 * on purpose. Offsets are counted by hand. */
TEST(refused)
{
    static const struct {
        const char *name;
        bl_str text;
        size_t offset;
    } cases[] = {
        {"empty", {"", 0}, 0},
        {"blanks", {" \n\t ", 4}, 0},
        {"byte order mark", {"\xEF\xBB\xBF{}", 5}, 0},
        {"UTF-16", {"\xFF\xFE{\0}\0", 6}, 0},
        {"invalid UTF-8 in a string", {"[\"a\xFF\"]", 6}, 3},
        {"overlong UTF-8", {"[\"\xC0\x80\"]", 6}, 2},
        {"surrogate as UTF-8", {"[\"\xED\xA0\x80\"]", 7}, 2},
        {"cut UTF-8", {"[\"\xE2\x82\"]", 6}, 2},
        {"NUL byte in a string", {"[\"a\0b\"]", 7}, 3},
        {"NUL byte behind the value", {"{}\0", 3}, 2},
        {"NUL byte alone", {"\0", 1}, 0},
        {"tab in a string", {"[\"a\tb\"]", 7}, 3},
        {"line end in a string", {"[\"a\nb\"]", 7}, 3},
        {"0x1f in a string", {"[\"\x1f\"]", 5}, 2},
        {"control character between tokens", {"[1,\x01 2]", 7}, 3},
        {"form feed between tokens", {"[1,\f2]", 6}, 3},
        {"no-break space between tokens", {"[1,\xC2\xA0 2]", 8}, 3},
        {"trailing bracket", {"{}}", 3}, 2},
        {"trailing value", {"{} {}", 5}, 3},
        {"trailing word", {"1 true", 6}, 2},
        {"trailing comma", {"[1,]", 4}, 3},
        {"trailing comma in an object", {"{\"a\":1,}", 8}, 7},
        {"missing comma", {"[1 2]", 5}, 3},
        {"missing colon", {"{\"a\" 1}", 7}, 5},
        {"missing value", {"{\"a\":}", 6}, 5},
        {"two colons", {"{\"a\"::1}", 8}, 5},
        {"colon in an array", {"[\"a\":1]", 7}, 4},
        {"key without quotes", {"{a:1}", 5}, 1},
        {"single quotes", {"{'a':1}", 7}, 1},
        {"number as a key", {"{1:1}", 5}, 2}, /* cJSON stands behind the missing quote */
        {"wrong bracket", {"[1}", 3}, 2},
        {"open array", {"[1", 2}, 2},
        {"open object", {"{\"a\":1", 6}, 6},
        {"open string", {"[\"abc", 5}, 1},
        {"string that ends in a backslash", {"[\"abc\\", 6}, 5},
        {"comment", {"[1] // x", 8}, 4},
        {"leading zero", {"[01]", 4}, 1},
        {"leading zeros", {"[-00]", 5}, 1},
        {"fraction without digits", {"[1.]", 4}, 1},
        {"fraction without an integer", {"[.5]", 4}, 1},
        {"exponent without digits", {"[1e]", 4}, 1},
        {"exponent with a sign alone", {"[1e+]", 5}, 1},
        {"minus alone", {"[-]", 3}, 1},
        {"plus", {"[+1]", 4}, 1},
        {"hexadecimal", {"[0x10]", 6}, 2},
        {"NaN", {"[NaN]", 5}, 1},
        {"Infinity", {"[-Infinity]", 11}, 1},
        {"1e999", {"[1e999]", 7}, 1},
        {"-1e999", {"[-1e999]", 8}, 1},
        {"a number of 64 digits",
         {"[1000000000000000000000000000000000000000000000000000000000000000]", 66},
         1},
        {"Null", {"[Null]", 6}, 1},
        {"nul", {"[nul]", 5}, 1},
        {"truefalse", {"[truefalse]", 11}, 5},
        {"unknown escape", {"[\"\\x41\"]", 8}, 2},
        {"short escape", {"[\"\\u12\"]", 8}, 2},
        {"escape with a sign", {"[\"\\u+123\"]", 10}, 2},
        {"high surrogate alone", {"[\"\\ud83d\"]", 10}, 2},
        {"high surrogate and a letter", {"[\"\\ud83dx\"]", 11}, 2},
        {"two high surrogates", {"[\"\\ud83d\\ud83d\"]", 16}, 2},
        {"low surrogate alone", {"[\"\\ude00\"]", 10}, 2},
        {"two low surrogates", {"[\"\\ude00\\ude00\"]", 16}, 2},
        {"surrogate in a key", {"{\"\\ud83d\":1}", 12}, 2},
        {"duplicate key", {"{\"a\":1,\"b\":2,\"a\":3}", 19}, 17},
        {"duplicate by an escape", {"{\"title\":1,\"\\u0074itle\":2}", 26}, 24},
        {"duplicate by two escapes", {"{\"\\/\":1,\"\\u002f\":2}", 19}, 17},
        {"duplicate by a NUL escape", {"{\"\\u0000\":1,\"\\ufffd\":2}", 23}, 21},
        {"duplicate empty key", {"{\"\":1,\"\":2}", 11}, 9},
        {"duplicate further down", {"[{\"x\":{\"a\":1,\"a\":1}}]", 21}, 17},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_json_error error;
        size_t notes = 0;
        check_case("%s", cases[i].name);
        check(parse(cases[i].text, &notes, &error) == NULL);
        check_size(error.offset, cases[i].offset);
        check(!error.no_memory);
        check(error.message.len > 10 && error.message.ptr[error.message.len - 1] == '.');
        check_size(notes, 0);
    }
}

TEST(numbers)
{
    static const struct {
        const char *text;
        bool exact;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"12", true, 12},
        {"-12", true, -12},
        {"2147483647", true, 2147483647},
        {"2147483648", true, INT64_C(2147483648)}, /* cJSON's valueint stops below */
        {"6805126730", true, INT64_C(6805126730)}, /* a real id */
        {"9007199254740991", true, INT64_C(9007199254740991)},
        {"-9007199254740991", true, INT64_C(-9007199254740991)},
        {"9007199254740992", false, 0}, /* 2^53 */
        {"9007199254740993", false, 0}, /* no double */
        {"-9007199254740992", false, 0},
        {"18446744073709551617", false, 0},
        {"9007199254740990.5", false, 0}, /* rounds to a whole double */
        {"1.0", false, 0},
        {"1e3", false, 0},
        {"1E+3", false, 0},
        {"0.1", false, 0},
        {"-1.5e-7", false, 0},
        {"1e308", false, 0},
        {"1e-999", false, 0}, /* zero for a double; no harm */
        {"100000000000000000000000000000000000000000000000000000000000000", false, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].text);
        const struct bl_json *value = parse_good(bl_str_from(cases[i].text));
        check_int(value->kind, cases[i].exact ? BL_JSON_INT : BL_JSON_NUMBER);
        check_int(value->integer, cases[i].value);
        check_str(value->string, cases[i].text);
    }
}

TEST(strings)
{
    static const struct {
        const char *text;
        bl_str value;
        size_t notes;
    } cases[] = {
        {"\"\"", {"", 0}, 0},
        {"\"plain\"", {"plain", 5}, 0},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", {"\"\\/\b\f\n\r\t", 8}, 0},
        {"\"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\"",
         {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", 11},
         0},
        {"\"\\u00e4\\u20AC\\ud83d\\ude00\"", {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", 9}, 0},
        {"\"\\u007f\"", {"\x7f", 1}, 0},
        {"\"\\u0001\"", {"\x01", 1}, 0},
        {"\"x\\u0000y\"", {"x\xEF\xBF\xBDy", 5}, 1},
        {"\"\\u0000\\u0000\"", {"\xEF\xBF\xBD\xEF\xBF\xBD", 6}, 2},
        {"\"\\\\u0000\"", {"\\u0000", 6}, 0}, /* an escaped backslash */
        {"\"\\\\\\u0000\"", {"\\\xEF\xBF\xBD", 4}, 1},
        {"\"\\uFFFE\"", {"\xEF\xBF\xBE", 3}, 0},
        {"\"ends with a colon:\"", {"ends with a colon:", 18}, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_json_error error;
        size_t notes = 0;
        check_case("%s", cases[i].text);
        const struct bl_json *value = parse(bl_str_from(cases[i].text), &notes, &error);
        check(value != NULL);
        check_int(value->kind, BL_JSON_STRING);
        check_slice(value->string, cases[i].value);
        check_size(notes, cases[i].notes);
    }
}

/* Strings are scanned by words of eight bytes: what ends one may stand at any place in a word.
 */
TEST(every_place_in_a_word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP";
    for (size_t len = 0; len < 40; len++) {
        for (size_t place = 0; place <= len; place++) {
            static const struct {
                const char *text;
                bool good;
            } inserts[] = {{"", true},      {"\\n", true},      {"\x1f", false},
                           {"\x01", false}, {"\xC3\xA4", true}, {"\"", false},
                           {"\x7f", true},  {"\\u0000", true},  {"!", true}};
            for (size_t i = 0; i < sizeof(inserts) / sizeof(inserts[0]); i++) {
                char text[80];
                struct bl_json_error error;
                size_t notes = 0;
                (void)snprintf(text, sizeof(text), "\"%.*s%s%.*s\"", (int)place, letters,
                               inserts[i].text, (int)(len - place), letters + place);
                check_case("%zu of %zu, insert %zu", place, len, i);
                const struct bl_json *value = parse(bl_str_from(text), &notes, &error);
                check((value != NULL) == inserts[i].good);
                check_size(notes, value != NULL && i == 7);
                if (value != NULL) {
                    check(bl_str_starts_with(value->string, (bl_str){letters, place}));
                    check_size(value->string.len, len + (i == 0   ? 0
                                                         : i == 4 ? 2
                                                         : i == 7 ? 3
                                                                  : 1));
                }
            }
        }
        struct bl_arena_mark nothing = {NULL, 0, 0};
        bl_arena_release(&arena, nothing);
    }
}

TEST(notes_add_up_and_keys_are_repaired_too)
{
    struct bl_json_error error;
    size_t notes = 5;
    const struct bl_json *root = parse(BL_STR("{\"a\\u0000b\":\"\\u0000\"}"), &notes, &error);
    check(root != NULL);
    check_size(notes, 7);
    check(bl_json_get(root, BL_STR("a")) == NULL);
    check(bl_json_get(root, BL_STR("a\xEF\xBF\xBD"
                                   "b")) != NULL);
}

TEST(structure)
{
    const struct bl_json *root = parse_good(
        BL_STR(" { \"a\" : [ 1 , \"two\", null, true, false, {}, [] ],\r\n\t\"b\":{} } "));
    check_int(root->kind, BL_JSON_OBJECT);
    check_size(root->count, 2);
    const struct bl_json *a = bl_json_get(root, BL_STR("a"));
    check_int(a->kind, BL_JSON_ARRAY);
    check_size(a->count, 7);
    static const enum bl_json_kind kinds[] = {BL_JSON_INT,  BL_JSON_STRING, BL_JSON_NULL,
                                              BL_JSON_TRUE, BL_JSON_FALSE,  BL_JSON_OBJECT,
                                              BL_JSON_ARRAY};
    for (size_t i = 0; i < 7; i++) {
        check_int(a->items[i].kind, kinds[i]);
        check(a->items[i].parent == a);
    }
    check_str(root->items[0].key, "a");
    check_str(root->items[1].key, "b");
    check_size(a->items[1].lo, 15);
    check_size(a->items[1].hi, 20);
    /* The case of a key counts, and so does its end. */
    check(bl_json_get(root, BL_STR("A")) == NULL);
    check(bl_json_get(root, BL_STR("")) == NULL);
    check(bl_json_get(a, BL_STR("a")) == NULL);
    check(bl_json_get(NULL, BL_STR("a")) == NULL);
}

static bl_str repeat(char open, char close, size_t depth)
{
    char *text = bl_arena_alloc(&arena, 2 * depth + 1, 1);
    memset(text, open, depth);
    memset(text + depth, close, depth);
    return (bl_str){text, 2 * depth};
}

TEST(depth)
{
    struct bl_json_error error;
    size_t notes = 0;
    check(parse(repeat('[', ']', 64), &notes, &error) != NULL);
    check(parse(repeat('[', ']', 65), &notes, &error) == NULL);
    check_size(error.offset, 64);
    check(bl_json_parse(&arena, BL_STR("1"), 0, &notes, &error) != NULL);
    check(bl_json_parse(&arena, BL_STR("[]"), 0, &notes, &error) == NULL);
    check(bl_json_parse(&arena, repeat('[', ']', 512), SIZE_MAX, &notes, &error) != NULL);
    check(bl_json_parse(&arena, repeat('[', ']', 513), SIZE_MAX, &notes, &error) == NULL);
    /* Deep enough to end a recursive reader without a bound. */
    check(bl_json_parse(&arena, repeat('[', ']', MEGABYTE), SIZE_MAX, &notes, &error) == NULL);
}

TEST(paths)
{
    struct bl_buf out;
    const struct bl_json *root = parse_good(BL_STR(
        "{\"issue\":{\"labels\":[{},{},{\"name\":1}]},\"odd key\\n\":[[0]],\"+1\":{\"x\":2}}"));
    const struct {
        const struct bl_json *node;
        const char *path;
    } cases[] = {
        {root, "$"},
        {&root->items[0], "issue"},
        {&root->items[0].items[0].items[2].items[0], "issue.labels[2].name"},
        {&root->items[1].items[0].items[0], "[\"odd key\\n\"][0][0]"},
        {&root->items[2].items[0], "[\"+1\"].x"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bl_buf_init(&out, &arena, 1000);
        bl_json_path(&out, cases[i].node);
        check_str(bl_buf_str(&out), cases[i].path);
    }
}

/* Keys of one length that share a long beginning: the worst case for a comparison. */
static bl_str wide_object(size_t members, size_t twice)
{
    struct bl_buf out;
    bl_buf_init(&out, &arena, 64 * MEGABYTE);
    bl_buf_put_char(&out, '{');
    for (size_t i = 0; i < members; i++) {
        bl_buf_printf(&out, "%s\"key-with-a-long-beginning-%08zu\":%zu", i > 0 ? "," : "",
                      i == twice ? (size_t)0 : i * 7919 % members, i);
    }
    bl_buf_put_char(&out, '}');
    return bl_buf_str(&out);
}

TEST(wide_objects)
{
    /* A quadratic reader would take minutes here; the test has no clock of its own, its time
     * limit is that of the runner. */
    size_t members = 100000;
    const struct bl_json *root = parse_good(wide_object(members, SIZE_MAX));
    check_size(root->count, members);
    for (size_t i = 0; i < members; i++) {
        check(bl_json_get(root, root->items[i].key) == &root->items[i]);
    }
    check(bl_json_get(root, BL_STR("key-with-a-long-beginning-99999999")) == NULL);

    struct bl_json_error error;
    size_t notes = 0;
    check(parse(wide_object(members, members - 1), &notes, &error) == NULL);
    check(error.offset > MEGABYTE);
    for (size_t count = 2; count < 40; count++) {
        check_case("%zu members", count);
        check(parse(wide_object(count, SIZE_MAX), &notes, &error) != NULL);
        check(parse(wide_object(count, count - 1), &notes, &error) == NULL);
    }
}

TEST(nothing_of_the_input_is_kept)
{
    char text[] = "{\"key\":\"value\",\"n\":12}";
    const struct bl_json *root = parse_good(bl_str_from(text));
    memset(text, 'x', sizeof(text));
    check_str(bl_json_get(root, BL_STR("key"))->string, "value");
    check_str(bl_json_get(root, BL_STR("n"))->string, "12");
}

static const char *const mixed =
    "{\"a\":[1,2,{\"b\":\"\\u00e4\",\"c\":null}],\"d\":\"text\",\"e\":1.5,\"k1\":1,\"k2\":1,"
    "\"k3\":1,\"k4\":1,\"k5\":1,\"k6\":1,\"k7\":1,\"k8\":1,\"k9\":1,\"k10\":1,\"k11\":1}";

TEST(every_allocation_may_fail)
{
    for (size_t fail_at = 1;; fail_at++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_json_error error;
        size_t notes = 0;
        check_case("allocation %zu fails", fail_at);
        failing_allocator_init(&failing, fail_at);
        bl_arena_init(&small, MEGABYTE, &failing.allocator);
        const struct bl_json *root =
            bl_json_parse(&small, bl_str_from(mixed), 64, &notes, &error);
        bool failed = failing.calls >= fail_at;
        check(root == NULL || !failed);
        if (root == NULL) {
            check(error.no_memory);
        }
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        if (!failed) {
            check(fail_at > 2); /* the tree took memory by the same allocator */
            break;
        }
    }
}

TEST(the_limit_holds_for_both_trees)
{
    size_t least = 0;
    for (size_t limit = 64; limit < MEGABYTE; limit += 64) {
        struct bl_arena small;
        struct bl_json_error error;
        size_t notes = 0;
        check_case("limit %zu", limit);
        bl_arena_init(&small, limit, NULL);
        const struct bl_json *root =
            bl_json_parse(&small, bl_str_from(mixed), 64, &notes, &error);
        check(root != NULL || error.no_memory);
        check_size(small.limit, limit);
        check(small.used <= limit);
        size_t used = small.used;
        bl_arena_reset(&small);
        if (root != NULL) {
            least = limit;
            /* The tree of cJSON: 24 nodes of 64 bytes, and their strings. */
            check(limit > used + (size_t)24 * 64);
            break;
        }
    }
    check(least > 0);
}

/* Each thread has its own arena; cJSON, which keeps its state in the process, is shared. */
static void *parse_often(void *context)
{
    const char *text = context;
    for (int i = 0; i < 300; i++) {
        struct bl_arena own;
        struct bl_json_error error;
        size_t notes = 0;
        bl_arena_init(&own, MEGABYTE, NULL);
        const struct bl_json *root = bl_json_parse(&own, bl_str_from(text), 64, &notes, &error);
        bool good = root != NULL ? bl_json_get(root, BL_STR("k11")) != NULL
                                 : error.offset == 1 && !error.no_memory;
        bl_arena_reset(&own);
        if (!good) {
            return NULL;
        }
    }
    return context;
}

TEST(threads)
{
    pthread_t threads[4];
    char good[400];
    char bad[] = "[x]";
    (void)snprintf(good, sizeof(good), "%s", mixed);
    for (size_t i = 0; i < 4; i++) {
        check_int(pthread_create(&threads[i], NULL, parse_often, i % 2 ? bad : good), 0);
    }
    for (size_t i = 0; i < 4; i++) {
        void *result;
        check_int(pthread_join(threads[i], &result), 0);
        check(result != NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_place_in_a_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(notes_add_up_and_keys_are_repaired_too, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depth, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_objects, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_of_the_input_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, set_up, tear_down),
        cmocka_unit_test(threads),
        cmocka_unit_test_setup_teardown(the_limit_holds_for_both_trees, set_up, tear_down),
    };
    return check_main(tests);
}
