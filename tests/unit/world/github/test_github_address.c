/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

TEST(addresses)
{
    static const struct {
        const char *text;
        const char *host; /* NULL: none */
        uint32_t port;
        const char *path;
    } rows[] = {
        {"https://api.github.com", "api.github.com", 443, ""},
        {"https://api.github.com/repos/o/r?page=2", "api.github.com", 443, "/repos/o/r?page=2"},
        {"http://127.0.0.1:8080/x", "127.0.0.1", 8080, "/x"},
        {"https://[::1]:9/x", "[::1]", 9, "/x"},
        {"https://ghe.example/api/v3", "ghe.example", 443, "/api/v3"},
        {"ftp://api.github.com", NULL, 0, ""},
        {"api.github.com", NULL, 0, ""},
        {"//api.github.com/x", NULL, 0, ""},
        {"/repos/o/r", NULL, 0, ""},
        {"https://", NULL, 0, ""},
        {"https:///x", NULL, 0, ""},
        {"https://user@api.github.com/", NULL, 0, ""},
        {"https://user:pass@api.github.com/", NULL, 0, ""},
        {"https://api.github.com:443@evil.example/", NULL, 0, ""},
        {"https://api.github.com\\@evil.example/", NULL, 0, ""},
        {"https://api.github.com/#x", NULL, 0, ""},
        {"https://api.github.com/a b", NULL, 0, ""},
        {"https://api.github.com/\n", NULL, 0, ""},
        {"https://api.github.com?x", NULL, 0, ""},
        {"https://api.github.com:", NULL, 0, ""},
        {"https://api.github.com:0/", NULL, 0, ""},
        {"https://api.github.com:65536/", NULL, 0, ""},
        {"https://api.github.com:99999999999999999999/", NULL, 0, ""},
        {"https://api_github.com/", NULL, 0, ""},
        {"https://\xC3\xA4pi.github.com/", NULL, 0, ""},
        {"", NULL, 0, ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct bl_address address;
        check_case("%s", rows[i].text);
        bool good = bl_address_parse(bl_str_from(rows[i].text), &address);
        check(good == (rows[i].host != NULL));
        if (good) {
            check_str(address.host, rows[i].host);
            check_int(address.port, rows[i].port);
            check_str(address.path, rows[i].path);
        }
    }
}

static bool same(const char *a, const char *b)
{
    struct bl_address x;
    struct bl_address y;
    check(bl_address_parse(bl_str_from(a), &x) && bl_address_parse(bl_str_from(b), &y));
    return bl_address_same_origin(&x, &y);
}

TEST(origins)
{
    check(same("https://api.github.com", "https://API.github.com:443/x"));
    check(!same("https://api.github.com", "http://api.github.com"));
    check(!same("https://api.github.com", "https://api.github.com:444"));
    check(!same("https://api.github.com", "https://github.com"));
    check(!same("https://api.github.com", "https://api.github.com.evil.example"));
}

TEST(loopback)
{
    static const struct {
        const char *text;
        bool loopback;
    } rows[] = {
        {"http://127.0.0.1:1", true},
        {"http://127.9.8.7", true},
        {"http://[::1]/", true},
        {"http://localhost", false},
        {"http://127.0.0.1.evil.example", false},
        {"http://127.1", false},
        {"http://10.0.0.1", false},
        {"http://[::2]", false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct bl_address address;
        check_case("%s", rows[i].text);
        check(bl_address_parse(bl_str_from(rows[i].text), &address));
        check(bl_address_is_loopback(&address) == rows[i].loopback);
    }
}

TEST(steps)
{
    static const struct {
        const char *step;
        const char *written; /* NULL: refused */
    } rows[] = {
        {"bug", "bug"},
        {"needs info", "needs%20info"},
        {"a/b?c#d%", "a%2Fb%3Fc%23d%25"},
        {"\xC3\xBC", "%C3%BC"},
        {"v1.0-rc_2~", "v1.0-rc_2~"},
        {"...", "..."},
        {".", NULL},
        {"..", NULL},
        {"", NULL},
    };
    struct bl_arena arena;
    bl_arena_init(&arena, 10000, NULL);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct bl_buf out;
        check_case("%s", rows[i].step);
        bl_buf_init(&out, &arena, 100);
        bl_address_put_step(&out, bl_str_from(rows[i].step));
        check(out.failed == (rows[i].written == NULL));
        if (!out.failed) {
            check_str(bl_buf_str(&out), rows[i].written);
        }
    }
    bl_arena_reset(&arena);
}

/* ---- options ----------------------------------------------------------------------------- */

static const char *api;
static const char *graphql;
static const char *repository;
static const char *token;
static bool loopback_http;

static void change(struct bl_github_options *options)
{
    options->api_url = bl_str_from(api);
    options->graphql_url = bl_str_from(graphql);
    options->repository = bl_str_from(repository);
    options->token = bl_str_from(token);
    options->loopback_http = loopback_http;
}

TEST(options)
{
    static const struct {
        const char *api;
        const char *graphql;
        const char *repository;
        const char *token;
        bool loopback;
        const char *word; /* in the problem; NULL: none */
    } rows[] = {
        {"", "", "octo/demo", "t", false, NULL},
        {"https://ghe.example/api/v3/", "https://ghe.example/api/graphql", "o/r", "t", false,
         NULL},
        {"http://api.github.com", "", "o/r", "t", false, "https://"},
        {"http://api.github.com", "", "o/r", "t", true, "https://"},
        {"http://127.0.0.1:9", "", "o/r", "t", false, "https://"},
        {"http://127.0.0.1:9", "", "o/r", "t", true, NULL},
        {"http://localhost:9", "", "o/r", "t", true, "https://"},
        {"https://a.example", "https://b.example/graphql", "o/r", "t", false, "one host"},
        {"https://a.example?x", "https://a.example/graphql", "o/r", "t", false, "https://"},
        {"", "", "octo", "t", false, "owner/name"},
        {"", "", "../demo", "t", false, "owner/name"},
        {"", "", "octo/..", "t", false, "owner/name"},
        {"", "", "octo/demo/x", "t", false, "owner/name"},
        {"", "", "o/r", "", false, "token"},
        {"", "", "o/r", "secret-\r\nX: y", false, "token"},
        {"", "", "o/r", "secret token", false, "token"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fixture f;
        check_case("%s %s %s", rows[i].api, rows[i].repository, rows[i].graphql);
        api = rows[i].api;
        graphql = rows[i].graphql;
        repository = rows[i].repository;
        token = rows[i].token;
        loopback_http = rows[i].loopback;
        begin_client(&f, NULL, change);
        check((f.github != NULL) == (rows[i].word == NULL));
        if (rows[i].word != NULL) {
            check(bl_str_find(f.problem, bl_str_from(rows[i].word)) != SIZE_MAX);
            check(bl_str_find(f.problem, BL_STR("secret")) == SIZE_MAX);
        }
        end_client(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses), cmocka_unit_test(origins), cmocka_unit_test(loopback),
        cmocka_unit_test(steps),     cmocka_unit_test(options),
    };
    return check_main(tests);
}
