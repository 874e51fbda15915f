/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

TEST(links)
{
    static const struct {
        const char *link;
        const char *next; /* NULL: none */
    } rows[] = {
        /* As recorded in the scenario paginate-issues of @octokit/fixtures. */
        {"<https://api.github.com/repositories/1000/issues?per_page=3&page=2>; rel=\"next\", "
         "<https://api.github.com/repositories/1000/issues?per_page=3&page=5>; rel=\"last\"",
         "https://api.github.com/repositories/1000/issues?per_page=3&page=2"},
        {"<https://api.github.com/repositories/1000/issues?per_page=3&page=1>; rel=\"prev\", "
         "<https://api.github.com/repositories/1000/issues?per_page=3&page=3>; rel=\"next\", "
         "<https://api.github.com/repositories/1000/issues?per_page=3&page=5>; rel=\"last\", "
         "<https://api.github.com/repositories/1000/issues?per_page=3&page=1>; rel=\"first\"",
         "https://api.github.com/repositories/1000/issues?per_page=3&page=3"},
        {"<https://api.github.com/repositories/1000/issues?per_page=3&page=4>; rel=\"prev\", "
         "<https://api.github.com/repositories/1000/issues?per_page=3&page=1>; rel=\"first\"",
         NULL},
        {"<a>; rel=next", "a"},
        {"<a,b>; title=\"x, y; rel=z\"; rel=\"next\"", "a,b"},
        {"<a>; rel=\"last\",<b>;rel=\"NEXT\"", "b"},
        {"<a>; rel=\"next", NULL},
        {"<a>", NULL},
        {"a; rel=\"next\"", NULL},
        {">a<; rel=\"next\"", NULL},
        {"<<>>; rel=\"next\"", NULL},
        {"", NULL},
        {",,,,", NULL},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bl_str url = BL_STR("");
        check_case("%s", rows[i].link);
        bool found = bl_github_link_next(bl_str_from(rows[i].link), &url);
        check(found == (rows[i].next != NULL));
        if (found) {
            check_str(url, rows[i].next);
        }
    }
}

TEST(lines)
{
    struct bl_arena arena;
    struct bl_github_headers h;
    bl_arena_init(&arena, 100000, NULL);
    bl_github_headers_init(&h);
    static const char *const lines[] = {
        "HTTP/1.1 100 Continue\r\n",
        "Retry-After: 7\r\n",
        "HTTP/1.1 403 Forbidden\r\n",
        "content-type: application/json; charset=utf-8\r\n",
        "ETag: W/\"abc\"\r\n",
        "X-RateLimit-Remaining: 0\r\n",
        "X-RateLimit-Reset: 1507651200\r\n",
        "Location: https://api.github.com/repositories/1\r\n",
        "X-Accepted-GitHub-Permissions: issues=write; pull_requests=write\r\n",
        "no colon",
        "\r\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        bl_github_headers_line(&h, &arena, bl_str_from(lines[i]));
    }
    check(h.json);
    check_str(h.etag, "W/\"abc\"");
    check_int(h.retry_after, -1); /* of the interim answer */
    check_int(h.remaining, 0);
    check_int(h.reset, 1507651200);
    check_str(h.location, "https://api.github.com/repositories/1");
    check_str(h.accepted, "issues=write; pull_requests=write");
    bl_arena_reset(&arena);
}

TEST(values)
{
    static const struct {
        const char *line;
        int64_t retry_after;
        bool json;
    } rows[] = {
        {"Retry-After: 0", 0, false},
        {"retry-after:60", 60, false},
        {"Retry-After: -1", -1, false},
        {"Retry-After: 1.5", -1, false},
        {"Retry-After: Wed, 21 Oct 2015 07:28:00 GMT", -1, false},
        {"Retry-After: 99999999999999999999", -1, false},
        {"Retry-After: 1_0", -1, false},
        {"Retry-After:", -1, false},
        {"Content-Type: application/json", -1, true},
        {"Content-Type: application/vnd.github+json", -1, true},
        {"Content-Type: application/vnd.github.v3+json; charset=utf-8", -1, true},
        {"Content-Type: text/html", -1, false},
        {"Content-Type: application/json2", -1, false},
        {"Content-Type: text/html; application/json", -1, false},
    };
    struct bl_arena arena;
    bl_arena_init(&arena, 100000, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct bl_github_headers h;
        check_case("%s", rows[i].line);
        bl_github_headers_init(&h);
        bl_github_headers_line(&h, &arena, bl_str_from(rows[i].line));
        check_int(h.retry_after, rows[i].retry_after);
        check(h.json == rows[i].json);
    }
    /* Names of permissions go into messages; other text does not. */
    struct bl_github_headers h;
    bl_github_headers_init(&h);
    bl_github_headers_line(&h, &arena,
                           BL_STR("X-Accepted-GitHub-Permissions: ::error::<b>issues</b>"));
    check_str(h.accepted, "");
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links), cmocka_unit_test(lines),
                                       cmocka_unit_test(values)};
    return check_main(tests);
}
