/* SPDX-License-Identifier: Apache-2.0 */
#include "event/names.h"
#include "support/check.h"

#include <string.h>

TEST(logins)
{
    static const struct {
        bl_str text;
        bool good;
    } cases[] = {
        {{"octocat", 7}, true},
        {{"a-b-1", 5}, true},
        {{"octo_acme", 9}, true}, /* a managed user */
        {{"github-actions[bot]", 19}, true},
        {{"Copilot", 7}, true},
        {{"", 0}, false},
        {{"[bot]", 5}, false},
        {{"a[bot]b", 7}, false},
        {{"a b", 3}, false},
        {{"a/b", 3}, false},
        {{"a.b", 3}, false},
        {{"a\nb", 3}, false},
        {{"a\0b", 3}, false},
        {{"\xC3\xA4", 2}, false},
        {{"@octocat", 8}, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check(bl_is_login(cases[i].text) == cases[i].good);
    }
    char large[101];
    memset(large, 'a', sizeof(large));
    check(bl_is_login((bl_str){large, 100}));
    check(!bl_is_login((bl_str){large, 101}));
}

TEST(repositories)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"owner/name", true}, {"o/.github", true}, {"o/a.b_c-1", true}, {"", false},
        {"owner", false},     {"owner/", false},   {"/name", false},    {"a/b/c", false},
        {"a/..", false},      {"a/.", false},      {"../..", false},    {"a /b", false},
        {"a/b\n", false},     {"a/b?x", false},    {"a/%2e", false},    {"\xC3\xA4/b", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].text);
        check(bl_is_repository_name(bl_str_from(cases[i].text)) == cases[i].good);
    }
}

TEST(names)
{
    char large[1025];
    for (size_t i = 0; i < sizeof(large); i++) {
        large[i] = 'a';
    }
    check(bl_is_name(BL_STR("v1.2 (final)")));
    check(bl_is_name(BL_STR("\xF0\x9F\x90\x9B bug")));
    check(!bl_is_name(BL_STR("")));
    check(!bl_is_name(BL_STR("a\tb")));
    check(!bl_is_name(BL_STR("a\x7f")));
    check(!bl_is_name(BL_STR("a\0b")));
    check(bl_is_name((bl_str){large, 1024}));
    check(!bl_is_name((bl_str){large, 1025}));
    check(bl_is_bot_login(BL_STR("x[bot]")));
    check(!bl_is_bot_login(BL_STR("robot")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logins),
        cmocka_unit_test(repositories),
        cmocka_unit_test(names),
    };
    return check_main(tests);
}
