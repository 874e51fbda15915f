/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "vm/vm.h"

#include <string.h>

/* Path patterns (PAT-03, PAT-10 to PAT-15): `*` and `?` stay within a part, `**` as a part
 * stands for any number of parts, everything else stands for itself. */
static const struct {
    const char *pattern, *path;
    bool matches;
} rows[] = {
    {"README.md", "README.md", true},
    {"README.md", "readme.md", false},
    {"README.md", "docs/README.md", false},
    {"*.md", "README.md", true},
    {"*.md", "docs/a.md", false},
    {"*.md", ".md", true},
    {"*", "a", true},
    {"*", "a/b", false},
    {"*", "", true},
    {"?.c", "a.c", true},
    {"?.c", "ab.c", false},
    {"?.c", ".c", false},
    {"?", "/", false},
    {"?.c", "\xC3\xA4.c", true}, /* ä is one character */
    {"??.c", "\xC3\xA4.c", false},
    {"a*c*e", "abcde", true},
    {"a*c*e", "abcd", false},
    {"a*c*e", "ace", true},
    {"*a*a*b", "aaaaaaaaaa", false},
    {"packages/web/src/**/*.ts", "packages/web/src/a.ts", true},
    {"packages/web/src/**/*.ts", "packages/web/src/x/y/a.ts", true},
    {"packages/web/src/**/*.ts", "packages/web/src/x/a.tsx", false},
    {"packages/web/src/**/*.ts", "packages/webby/src/a.ts", false},
    {"**/*.test.*", "a.test.ts", true},
    {"**/*.test.*", "x/y/a.test.ts", true},
    {"**/__tests__/**", "x/__tests__/a.ts", true},
    {"**/__tests__/**", "__tests__/a/b", true},
    {"**/__tests__/**", "x/__tests__", false},
    {"**/.*", ".env", true},
    {"**/.*", "a/b/.env", true},
    {"**/.*", "a.b", false},
    {"**/.*/**", "a/.github/x", true},
    {"**/.*/**", "a/github/x", false},
    {"docs/**", "docs/a", true},
    {"docs/**", "docs/a/b", true},
    {"docs/**", "docs", false},
    {"docs/**", "docsx/a", false},
    {"**", "a", true},
    {"**", "a/b/c", true},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "a/x/b/y", false},
    {"a/**/b/**/c", "a/b/x/b/c", true},
    {"a/**/b/**/c", "a/x/c/b", false},
    {"a/**b", "a/xxb", true}, /* not a part of its own: like `*` */
    {"a/**b", "a/x/b", false},
    {"{a,b}.c", "a.c", false}, /* no alternation: braces stand for themselves */
    {"{a,b}.c", "{a,b}.c", true},
    {"[ab].c", "a.c", false},
    {"[ab].c", "[ab].c", true},
    {"", "", true},
    {"", "a", false},
    {"a", "", false},
    {"a/", "a/", true},
    {"a/", "a", false},
};

TEST(patterns_name_paths)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_case("'%s' and '%s'", rows[i].pattern, rows[i].path);
        check(bl_glob_matches(bl_str_from(rows[i].pattern), bl_str_from(rows[i].path)) ==
              rows[i].matches);
    }
}

/* What the words say, without any cleverness, for short inputs. */
static bool slow_part(const char *p, const char *t)
{
    if (*p == '\0')
        return *t == '\0';
    if (*p == '*')
        return slow_part(p + 1, t) || (*t != '\0' && slow_part(p, t + 1));
    return *t != '\0' && (*p == '?' || *p == *t) && slow_part(p + 1, t + 1);
}

struct parts {
    char text[8][8];
    size_t count;
};

static struct parts split(const char *s)
{
    struct parts parts = {.count = 1};
    size_t length = 0;

    for (; *s != '\0'; s++) {
        if (*s == '/') {
            parts.count++;
            length = 0;
        } else {
            parts.text[parts.count - 1][length++] = *s;
        }
    }
    return parts;
}

static bool slow_parts(const struct parts *p, size_t pi, const struct parts *t, size_t ti)
{
    if (pi == p->count)
        return ti == t->count;
    if (strcmp(p->text[pi], "**") == 0) {
        if (pi + 1 == p->count)
            return ti < t->count;
        return slow_parts(p, pi + 1, t, ti) || (ti < t->count && slow_parts(p, pi, t, ti + 1));
    }
    return ti < t->count && slow_part(p->text[pi], t->text[ti]) &&
           slow_parts(p, pi + 1, t, ti + 1);
}

/* All patterns of up to 6 of "a*?/" against all paths of up to 6 of "ab/". */
static bool next_word(char *word, const char *letters, size_t max)
{
    size_t length = strlen(word);

    for (size_t i = length; i-- > 0;) {
        const char *at = strchr(letters, word[i]);
        if (at[1] != '\0') {
            word[i] = at[1];
            return true;
        }
        word[i] = letters[0];
    }
    if (length == max)
        return false;
    word[length] = letters[0];
    word[length + 1] = '\0';
    return true;
}

TEST(all_short_patterns_mean_what_the_words_say)
{
    char pattern[8] = "";

    do {
        struct parts p = split(pattern);
        char path[8] = "";

        do {
            struct parts t = split(path);
            bool expected = slow_parts(&p, 0, &t, 0);
            if (bl_glob_matches(bl_str_from(pattern), bl_str_from(path)) != expected)
                fail_msg("'%s' and '%s': %d is expected", pattern, path, expected);
        } while (next_word(path, "ab/", 5));
    } while (next_word(pattern, "a*?/", 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_name_paths),
        cmocka_unit_test(all_short_patterns_mean_what_the_words_say),
    };
    return check_main(tests);
}
