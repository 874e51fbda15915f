/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "text/clean.h"

#include <stdlib.h>
#include <string.h>

/* The cleaner alone: what it makes of single texts, and what that costs. Links and addresses of
 * the own repository acme/widgets are kept, commits too, and the number 7; everything else has
 * no row. */

#define ALL_WORDS ((1u << BL_CLEAN_WORD_COUNT) - 1)

static const struct bl_clean_rules rules = {.words = ALL_WORDS,
                                            .repository = {"acme/widgets", 12}};

static bool is_own(const struct bl_address *a)
{
    return a->whole && bl_str_equal(a->scheme, BL_STR("https")) &&
           bl_str_equal(a->host, BL_STR("github.com")) && a->in_repository && !a->climbs &&
           !a->has_user && !a->has_port && a->kind != BL_LINK_KIND_OTHER;
}

static bool clean(struct bl_arena *arena, bl_str text, struct bl_buf *out, uint64_t *steps)
{
    struct bl_cleaning *c = bl_clean_begin(arena, text, &rules);
    size_t count;

    if (c == NULL)
        return false;
    struct bl_clean_part *parts = bl_clean_links(c, &count);
    for (size_t i = 0; i < count; i++)
        parts[i].action = is_own(&parts[i].address) ? BL_ACTION_KEEP : BL_ACTION_TEXT;
    if (!bl_clean_read(c))
        return false;
    parts = bl_clean_found(c, &count);
    for (size_t i = 0; i < count; i++) {
        struct bl_clean_part *p = &parts[i];
        bool keep = (p->kind == BL_CLASS_ADDRESS && p->stands_alone && is_own(&p->address)) ||
                    (p->kind == BL_CLASS_COMMIT && !p->after_at) ||
                    (p->kind == BL_CLASS_NUMBER && p->number == 7);
        p->action = keep                                             ? BL_ACTION_KEEP
                    : p->kind == BL_CLASS_FOREIGN && p->number == 31 ? BL_ACTION_LINK
                                                                     : BL_ACTION_CODE;
    }
    bl_buf_init(out, arena, 8 * text.len + 4096);
    bool done = bl_clean_finish(c, out);
    if (steps != NULL)
        *steps = bl_clean_steps(c);
    return done;
}

struct text_case {
    const char *text, *clean;
};

static void check_texts(const struct text_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bl_arena arena;
        struct bl_buf out;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        check_case("'%s'", cases[i].text);
        check(clean(&arena, bl_str_from(cases[i].text), &out, NULL));
        check_str(bl_buf_str(&out), cases[i].clean);
        bl_arena_reset(&arena);
    }
}
#define CHECK_TEXTS(cases) check_texts(cases, sizeof(cases) / sizeof((cases)[0]))

/* req: SAN-02 SAN-07 SAN-08 SAN-09 SAN-10 */
TEST(code_stays_as_it_is)
{
    static const struct text_case cases[] = {
        {"`@dataclass` and `#include`", "`@dataclass` and `#include`"},
        {"```c\n#include <x>\n@a #1\n```\nb", "```c\n#include <x>\n@a #1\n```\nb"},
        {"~~~\n@a\n~~~~", "~~~\n@a\n~~~~"},
        /* Only from the first column, and only closed by one as long. */
        {" ```\n@a\n ```", "\\`\\`\\`\n`@a`\n \\`\\`\\`"},
        {"````\n@a\n```", "\\`\\`\\`\\`\n`@a`\n\\`\\`\\`"},
        {"```\n@a", "\\`\\`\\`\n`@a`"},
        {"~~~ x\n@a", "\\~\\~\\~ x\n`@a`"},
        {"``a`b`` `c", "``a`b`` \\`c"},
        {"`a\nb` @c", "\\`a\nb\\` `@c`"},
        {"\\`@a`", "\\``@a`\\`"},
        {"`a`@b", "`a` `@b`"},
    };

    CHECK_TEXTS(cases);
}

/* req: SAN-11 SAN-12 SAN-42 SAN-44 */
TEST(removals_go_on_until_nothing_changes)
{
    static const struct text_case cases[] = {
        {"a <b>c</b>", "a c"},
        {"<scr<script>ipt>x", "x"},
        {"a<!-- b\n<c> -->d", "ad"},
        {"a<!-<b>- c -->d", "ad"},
        {"<!-- open", "&lt;!-- open"},
        {"foo/bar<b></b>#12", "`foo/bar#12`"},
        {"@<i></i>octocat", "`@octocat`"},
        {"![alt](https://evil.example/x.png)", "alt"},
        {"[![a](b)](c)", "a"},
        {"[words](https://evil.example \"title\")", "words"},
        {"x [a]\n[a]: https://evil.example\ny", "x [a]\ny"},
        {"[^1]\n\n[^1]: hidden", "\\[^1]"},
        {"# Title\n## More", "Title\nMore"},
        {"a < b and c > d", "a < b and c > d"},
        {"java<b></b>script:", "javascript:"},
    };

    CHECK_TEXTS(cases);
}

/* req: SAN-03 SAN-15 SAN-16 SAN-17 SAN-18 SAN-19 SAN-20 SAN-21 SAN-22 SAN-23 SAN-24 SAN-43
 * SAN-45 */
TEST(what_github_links_becomes_code)
{
    static const struct text_case cases[] = {
        {"@octocat, @acme/core.", "`@octocat`, `@acme/core`."},
        {"\xC3\xA9@octocat _@octocat", "\xC3\xA9`@octocat` _`@octocat`"},
        {"a@octocat", "a@octocat"},
        {"\\@octocat &#64;octocat &commat;octocat", "`@octocat` `@octocat` `@octocat`"},
        {"&amp;#64;octocat", "&amp;`#64`;octocat"},
        {"mona@evil.example mailto:x@y.zz", "`mona@evil.example` `mailto:x@y.zz`"},
        {"www@.co", "`www@.co`"}, /* cmark-gfm takes a host that begins with a dot */
        {"#7 GH-7 #8 gh-8", "#7 GH-7 `#8` `gh-8`"},
        {"#7-#7", "#7`-#7`"},       /* of somebody with the login "7-" */
        {"acme/_#7", "`acme/_#7`"}, /* a repository's name needs no letter */
        {"see/#7 --#7", "see/#7 --#7"},
        {"#0@GH-7", "`#0` `@GH-7`"},
        {"other/repo#5 octocat#5", "`other/repo#5` `octocat#5`"},
        {"other/repo@deadbeef1 octocat@deadbeef1",
         "`other/repo@deadbeef1` `octocat@deadbeef1`"},
        {"see deadbeef1", "see deadbeef1"},
        /* What ends in front of code ends there, whatever the code begins with. */
        {"a/b@deadbeef1https://x.y", "`a/b@deadbeef1` `https://x.y`"},
        {"octocat@deadbeef1xmpp:a@evil.example/r",
         "`octocat@deadbeef1` `xmpp:a@evil.example/r`"},
        {"_see owner/app_#31_",
         "_see [owner/app\\_#31](https://github.com/owner/app_/issues/31)_"},
        {"!owner/app#31", "!`owner/app#31`"},
        {"CVE-2024-1234", "`CVE-2024-1234`"},
    };

    CHECK_TEXTS(cases);
}

/* req: SAN-14 SAN-25 SAN-26 SAN-27 SAN-28 SAN-29 SAN-30 */
TEST(only_addresses_of_the_own_repository_stay)
{
    static const struct text_case cases[] = {
        {"See https://github.com/acme/widgets/issues/7.",
         "See https://github.com/acme/widgets/issues/7."},
        {"(https://github.com/acme/widgets/pull/7)",
         "(https://github.com/acme/widgets/pull/7)"},
        {"[a](https://github.com/acme/widgets/blob/main/a.c)",
         "[a](https://github.com/acme/widgets/blob/main/a.c)"},
        {"https://github.com/acme/widgets-evil/issues/7",
         "`https://github.com/acme/widgets-evil/issues/7`"},
        {"https://github.com/acme/widgets/blob/../../../x",
         "`https://github.com/acme/widgets/blob/../../../x`"},
        {"https://github.com/acme/widgets/blob/%2e%2e/x",
         "`https://github.com/acme/widgets/blob/%2e%2e/x`"},
        {"[a](https://github.com/acme/widgets/blob/&#46;./x)", "a"},
        {"[a](https://github.com/acme/widgets/blob/%252e%252e/x)", "a"},
        {"[a](https://u@github.com/acme/widgets/pull/7)", "a"},
        {"[a](https://github.com:443/acme/widgets/pull/7)", "a"},
        {"[a](https://github.com/acme/widgets/pull/7?x=()) b", "a b"},
        {"[a](//github.com/acme/widgets/pull/7)", "a"},
        {"[a](http:github.com/acme/widgets/pull/7)", "a"},
        {"https://github.com/acme/widgets/pull/7#![x](https://evil.example/p.png)",
         "`https://github.com/acme/widgets/pull/7#x`"},
        {"https://github.com/acme/widgets/pull/[7](x) b #[7](x)",
         "`https://github.com/acme/widgets/pull/7` b #7"},
        {"https://github.com/acme/widgets/issues/7&NewLine;b",
         "`https://github.com/acme/widgets/issues/7`&NewLine;b"},
        {"https://github.com/acme/widgets/issues/7`@x`",
         "`https://github.com/acme/widgets/issues/7` `@x`"},
        {"https://github.com/acme/widgets/issues/7](https://evil.example)",
         "`https://github.com/acme/widgets/issues/7](https://evil.example)`"},
        {"www.evil.example ftp://x 1http://y", "`www.evil.example` `ftp://x` 1`http://y`"},
        {"<https://x.y>", "&lt;`https://x.y`>"},
    };

    CHECK_TEXTS(cases);
}

/* req: SAN-31 SAN-34 SAN-35 SAN-13 */
TEST(what_is_left_opens_nothing)
{
    static const struct text_case cases[] = {
        {"a [b] c[0] d", "a [b] c[0] d"},
        {"c[0]", "c[0\\]"}, /* what follows in its place is not known */
        {"[b][c] [d]: e f", "[b\\]\\[c] [d\\]: e f"},
        {"- [x] done", "- \\[x] done"},
        {"> [!NOTE] x", "> \\[!NOTE] x"},
        {"| a |\n|---|\n| b |", "| a |\n|\\-\\-\\-|\n| b |"},
        {"a\n:-", "a\n:\\-"},
        {"a | b\n- | -", "a | b\n\\- | \\-"},
        {"x - y -- z", "x - y -- z"},
        {"C:\\Users\\foo", "C:\\Users\\foo"},
        {"text\\", "text\\\\"},
        {"a & b &copy; &lt;b>", "a & b &copy; &lt;b>"},
        {"```mermaid\nx\n```", "```\nx\n```"},
    };

    CHECK_TEXTS(cases);
}

/* What GitHub draws between dollar signs. req: SAN-03 */
TEST(formulas_become_code)
{
    static const struct text_case cases[] = {
        {"a $x$ b", "a `$x$` b"},
        {"$$\nx^2\n$$", "`$$ x^2 $$`"},
        {"a $$$$$ b $$$$ c", "a `$$$$$` b $$$$ c"},
        {"$`x`$", "$`x` `$`"}, /* one sign alone begins nothing */
        {"\\$x$ &#36;y&dollar;", "`$x$` `$y$`"},
        {"$@octocat #8$", "`$@octocat #8$`"},
        {"$a $b$ c$", "$a `$b$` c`$`"},
        {"$a [b](c) d$", "`$a b d$`"},
        {"$a [b](https://github.com/acme/widgets/pull/7) d$",
         "$a [b](https://github.com/acme/widgets/pull/7) d`$`"},
        {"costs $5 and $10, or $ 5", "costs $5 and $10, or $ 5"},
        {"$HOME/bin:$PATH US$5", "$HOME/bin:$PATH US$5"},
        {"a $x\n \ny$ b", "a $x\n \ny$ b"},
        {"$$\na\n\nb\n$$", "$$\na\n\nb\n`$$`"},
        /* Behind code a letter does not keep a sign from ending one; code of ours counts. */
        {"$`x`$4", "$`x` `$`4"},
        {"$a@evil.example$4", "`$a@evil.example$`4"},
        /* A newline that a reference stands for ends no paragraph. */
        {"$a&NewLine;&NewLine;b$", "`$a  b$`"},
        {"$x$t@adbeef1ftp://", "$x`$` `t@adbeef1` `ftp://`"},
    };

    CHECK_TEXTS(cases);
}

/* req: SAN-31 SAN-12 */
TEST(no_line_becomes_a_heading)
{
    static const struct text_case cases[] = {
        {"Title\n===\ntext", "Title\ntext"},
        {"Title\n-\ntext\n  ------ ", "Title\ntext"},
        {"> Title\n> ---\nx", "> Title\nx"},
        {"- Title\n  ===", "- Title"},
        {"a\n===\n---\n===", "a"},
        {"text\n\n---\n\nmore", "text\n\n---\n\nmore"},
        {"- item\n---\nx", "- item\n---\nx"},
        {"1) a\n---", "1) a"}, /* the number may be text of the paragraph in front */
        {"```\nx\n```\n---", "```\nx\n```\n---"},
        {"```\nx\n```\n\n---", "```\nx\n```\n\n---"},
        {"`a`\n---", "`a`"},
        /* What stands above a text is not known. */
        {"===", "\\==="},
        {"---\nx", "\\---\nx"},
        /* Behind marks of lists and quotes, and out of a link. */
        {"- # Title", "- \\# Title"},
        {"> ## Title", "> \\## Title"},
        {"1. ###### Title", "1. \\###### Title"},
        {"[# x](y)", "\\# x"},
        {"a\n[===](y)", "a\n\\==="},
        {"#hash ####### x - # y", "#hash ####### x - # y"},
    };

    CHECK_TEXTS(cases);
}

/* ---- steps ------------------------------------------------------------------------------- */

static uint64_t steps_of(const char *unit, size_t len)
{
    struct bl_arena arena;
    struct bl_buf out;
    uint64_t steps = 0;
    size_t size = strlen(unit);
    char *text = malloc(len);

    check(text != NULL);
    for (size_t i = 0; i < len; i++)
        text[i] = unit[i % size];
    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(clean(&arena, (bl_str){text, len}, &out, &steps));
    bl_arena_reset(&arena);
    free(text);
    return steps;
}

/* req: SAN-40 PRF-01 PRF-02 PRF-07
 * 64 steps a byte are at most 4.2 million for the longest ASCII text that is read (65,536
 * characters): half a second leaves 119 ns for each. */
TEST(a_text_twice_as_long_takes_twice_the_steps)
{
    static const char *const units[] = {
        "[",        "]",         "![",        "[](",    "[a](b \"",    "[a](",
        "[![](a)",  "`",         "`a``b",     "``` \n", "~~~~\n~~~\n", "<",
        "<a ",      "<!--",      "<!-- -->",  "<b>",    "<<b>b>",      ">",
        "> ",       "|",         "|-",        "&",      "&amp;",       "&#1",
        "://",      "http://",   "http://a)", "www.",   "@",           "a@",
        "a.b@c.d",  "#",         "a#1",       "a/b#1",  "a",           "abcdef0",
        "abcdef0 ", "GH-1",      "- ",        "*a_",    "\\",          "\\`",
        "[a]: b\n", "[a]:\n",    "# ",        "\n",     "`\n",         "(",
        "](",       "[[a](b)](", "!",         "a:-|\n", "$`a`",        "\xE2\x80\x8B",
        "[a](<",    "]:",        "$",         "$a",     "$$\n",        "a$ ",
        "$a\n \n",  "===\n",     "a\n---\n",  "- # ",   "> ---\n"};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        uint64_t before = 0;
        size_t most = i % 4 == 0 ? (size_t)1 << 20 : (size_t)1 << 17;
        for (size_t len = 1024; len <= most; len *= 2) {
            uint64_t steps = steps_of(units[i], len);
            check_case("%zu bytes of '%s': %llu steps, before %llu", len, units[i],
                       (unsigned long long)steps, (unsigned long long)before);
            check(before == 0 || steps * 10 <= before * 22);
            check(steps <= 64 * len);
            before = steps;
        }
    }
}

TEST(memory_that_ends_is_said)
{
    static const char text[] =
        "# a\n[b](c) `d` @e #7 <f> <!-- g --> &amp; http://h\n```\ni\n```\n[j]: k\no/p#31";

    for (size_t n = 1;; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_buf out;

        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, SIZE_MAX, &failing.allocator);
        bool done = clean(&arena, bl_str_from(text), &out, NULL);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        if (done)
            break;
        check(n < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_stays_as_it_is),
        cmocka_unit_test(removals_go_on_until_nothing_changes),
        cmocka_unit_test(what_github_links_becomes_code),
        cmocka_unit_test(only_addresses_of_the_own_repository_stay),
        cmocka_unit_test(what_is_left_opens_nothing),
        cmocka_unit_test(formulas_become_code),
        cmocka_unit_test(no_line_becomes_a_heading),
        cmocka_unit_test(a_text_twice_as_long_takes_twice_the_steps),
        cmocka_unit_test(memory_that_ends_is_said),
    };
    return check_main(tests);
}
