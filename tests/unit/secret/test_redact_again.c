/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/policy_module.h"
#include "secret/redact.h"
#include "support/check.h"

/* req: RED-18 */

/* The shipped redaction. A marker ends words and quotations, so what stands beside it may be a
 * secret that was none before: that has to be masked at once, not by whoever masks it next. */

#define KEY  "sk-ant-abcdefghij0123456789"
#define MARK "[REDACTED:github_token:medium:abc123def456]"

struct again {
    struct bl_arena arena;
    struct bl_redactor *redactor;
};

static void begin(struct again *a, bl_str literal, const char *pattern)
{
    const struct bl_module *m = fuzz_policy_module("use redaction\n");
    struct bl_redaction_input input = {.literals = &literal, .literal_count = literal.len > 0};
    struct bl_pattern compiled;
    struct bl_pattern_error error;
    bl_str problem;

    bl_arena_init(&a->arena, SIZE_MAX, NULL);
    struct bl_secret_host host = bl_machine_host(fuzz_policy_machine(&a->arena, m));
    if (pattern != NULL) {
        check(
            bl_pattern_compile(&a->arena, bl_str_from(pattern), BL_STR(""), &compiled, &error));
        input.patterns = &compiled;
        input.pattern_count = 1;
    }
    check_status(bl_redactor_create(&a->arena, m, 0, &host, &input, &a->redactor, &problem),
                 BL_OK);
}

static struct bl_redacted mask(struct again *a, bl_str text)
{
    struct bl_redacted out;
    bl_str problem;

    check_status(bl_redact(a->redactor, &a->arena, text, &out, &problem), BL_OK);
    return out;
}

static struct bl_redacted mask_twice(struct again *a, bl_str text)
{
    struct bl_redacted once = mask(a, text), twice = mask(a, once.text);

    check_slice(twice.text, once.text);
    check_size(twice.list.count, 0);
    return once;
}

/* What is left when the markers are taken out. */
static bl_str left_of(struct again *a, bl_str text, const struct bl_redacted *masked)
{
    struct bl_buf left;
    size_t at = 0;

    bl_buf_init(&left, &a->arena, text.len + 1);
    for (size_t i = 0; i < masked->list.count; i++) {
        bl_buf_put(&left, bl_str_slice(text, at, masked->list.items[i].lo));
        at = masked->list.items[i].hi;
    }
    bl_buf_put(&left, bl_str_slice(text, at, text.len));
    return bl_buf_str(&left);
}

TEST(what_a_marker_lays_open_is_masked_at_once)
{
    static const struct {
        const char *text, *left;
    } rows[] = {
        {"word " KEY " word", "word  word"},
        {"literal" KEY, ""},                 /* a word's beginning behind a marker */
        {"AKIAABCDEFGHIJKLMNOPliteral", ""}, /* and its end in front of one */
        {"TOKEN=ab\"cdliteral\"cd", "TOKEN="},
        {"a literal here", "a  here"},
        {"TOKEN=x" MARK "y", "TOKEN=" MARK},
        {"x" KEY " literally", "x" KEY " ly"},
        {"", ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct again a;
        bl_str text = bl_str_from(rows[i].text);

        check_case("'%s'", rows[i].text);
        begin(&a, BL_STR("literal"), NULL);
        struct bl_redacted masked = mask_twice(&a, text);
        check_str(left_of(&a, text, &masked), rows[i].left);
        bl_arena_reset(&a.arena);
    }
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return *seed >> 8;
}

TEST(masking_what_is_masked_changes_nothing)
{
    static const char *const parts[] = {
        "lit/er\"al",
        "lit%2Fer%22al",
        "lit/er\\\"al",
        "bGl0L2VyImFs",
        KEY,
        "AKIAABCDEFGHIJKLMNOP",
        "bearer ",
        "abcdefghijklmnop~",
        "TOKEN=",
        "API_KEY=\"",
        "\"",
        "'",
        " ",
        "\n",
        "\r\n",
        "#",
        "export ",
        MARK,
        "[REDACTED:",
        "x",
        "_",
        ".",
        "=",
        "/",
        "\xC3\xA9",
        "\xFF",
        "abc;",
        "ab12",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    };
    const uint32_t count = sizeof parts / sizeof parts[0];
    uint32_t seed = 18;

    for (unsigned i = 0; i < 1500; i++) {
        struct again a;
        struct bl_buf text;

        check_case("text %u", i);
        begin(&a, BL_STR("lit/er\"al"), i % 2 == 0 ? NULL : "\\bal\\w*|x\\b");
        bl_buf_init(&text, &a.arena, 1 << 16);
        for (uint32_t n = 2 + next(&seed) % 24; n > 0; n--) {
            bl_str part = bl_str_from(parts[next(&seed) % count]);
            size_t end = next(&seed) % 8 == 0 ? part.len / 2 : part.len;
            bl_buf_put(&text, bl_str_slice(part, 0, end));
        }
        mask_twice(&a, bl_buf_str(&text));
        bl_arena_reset(&a.arena);
    }
}

/* Each mask lays the next word open: a look for each word would be quadratic. */
TEST(a_chain_of_words_is_masked_in_a_few_looks)
{
    for (size_t words = 1000; words <= 64000; words *= 8) {
        struct again a;
        struct bl_buf text;

        check_case("%zu words", words);
        begin(&a, (bl_str){NULL, 0}, "\\b(?:foo|oof|ofo)");
        bl_buf_init(&text, &a.arena, 3 * words + 1);
        for (size_t i = 0; i < words; i++)
            bl_buf_put(&text, BL_STR("foo"));
        struct bl_redacted masked = mask_twice(&a, bl_buf_str(&text));
        check_str(left_of(&a, bl_buf_str(&text), &masked), "");
        check(masked.steps < 300 * text.len);
        bl_arena_reset(&a.arena);
    }
}

/* A number below such a name is no secret; what is left of one that holds a secret is. */
TEST(a_field_that_is_masked_stays)
{
    struct bl_redacted once, twice;
    struct again a;
    bl_str problem;

    begin(&a, BL_STR("1234"), NULL);
    uint32_t row = bl_redactor_field(a.redactor, BL_MASK_FIELD, BL_STR("max_tokens"));
    check(row != BL_NONE);
    check_status(bl_redact_whole(a.redactor, &a.arena, row, BL_STR("5678"), &once, &problem),
                 BL_OK);
    check_str(once.text, "5678");
    check_status(bl_redact_whole(a.redactor, &a.arena, row, BL_STR("12345"), &once, &problem),
                 BL_OK);
    check_status(bl_redact_whole(a.redactor, &a.arena, row, once.text, &twice, &problem),
                 BL_OK);
    check_slice(twice.text, once.text);
    bl_arena_reset(&a.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_marker_lays_open_is_masked_at_once),
        cmocka_unit_test(masking_what_is_masked_changes_nothing),
        cmocka_unit_test(a_chain_of_words_is_masked_in_a_few_looks),
        cmocka_unit_test(a_field_that_is_masked_stays),
    };

    return check_main(tests);
}
