/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"
#include "support/check_diagnostic.h"

#include <string.h>

/* The JSON of docs/world-file.md. */
static const char *example(void)
{
    bl_str page = read_file(&fixture.arena, "docs/world-file.md");
    size_t from = bl_str_find(page, BL_STR("```json\n")) + 8;
    bl_str rest = bl_str_slice(page, from, page.len);
    return bl_arena_copy(&fixture.arena,
                         bl_str_slice(rest, 0, bl_str_find(rest, BL_STR("\n```"))))
        .ptr;
}

TEST(the_example_of_the_page)
{
    load_world(example());
    static const struct {
        int64_t number;
        const char *path;
        const char *words;
    } facts[] = {
        {12, "number", "12"},
        {12, "title", "It crashes"},
        {12, "text", "### Version\n\n1.0"},
        {12, "state", "closed"},
        {12, "state_reason", "not_planned"},
        {12, "author.login", "alice"},
        {12, "author.association", "nobody"},
        {12, "author.permission", "read"},
        {12, "created_at", "2026-11-01T10:00:00Z"},
        {12, "closed_at", "2026-11-19T05:00:00Z"},
        {12, "labels", "[bug, needs-info]"},
        {12, "assignees", "[maria]"},
        {12, "locked", "true"},
        {12, "thumbs_up", "2"},
        {12, "comment_count", "1"},
        {12, "repository", "octo/demo"},
        {12, "is_pull_request", "false"},
        {12, "comments", "[3000000101 octo/demo]"},
        {12, "closed_by", "[40 octo/demo]"},
        {9, "state", "open"},
        {9, "state_reason", "none"},
        {9, "closed_at", "none"},
        {9, "text", ""},
        {9, "labels", "[]"},
        {9, "author.association", "owner"},
        {9, "author.permission", "admin"},
        {9, "author.id", "7001"},
        {9, "created_at", "2026-10-01T00:00:00Z"},
        {9, "comments", "[]"},
        {9, "timeline", "[]"},
        {9, "closed_by", "[]"},
        {40, "is_pull_request", "true"},
        {40, "state", "closed"},
    };
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        const char *words = issue_says(facts[i].number, facts[i].path);
        check_case("#%d %s", (int)facts[i].number, facts[i].path);
        check_str(bl_str_from(words), facts[i].words);
    }
    (void)issue_says(12, "comments");
    struct bl_object *comment = bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMENT,
                                                   3000000101, BL_STR("octo/demo"));
    check_str(bl_str_from(thing_says(comment, "thumbs_down")), "1");
    check_str(bl_str_from(thing_says(comment, "thumbs_up")), "0");
    static const struct {
        const char *path;
        const char *words;
    } pull[] = {
        {"author.login", "maria"},
        {"base", "main"},
        {"head_branch", "fix-crash"},
        {"head.sha", "0123456789012345678901234567890123456789"},
        {"head.message", "FAILED: The commit 0123456789012345678901234567890123456789 does "
                         "not exist"},
        {"head_repository", "octo/demo"},
        {"merged_at", "2026-11-10T09:00:00Z"},
        {"merge_commit.message", "Fix the crash"},
        {"merge_commit.author.login", "maria"},
        {"merge_commit.committer.login", "web-flow"},
        {"merge_commit.author_email", "maria@example.com"},
        {"merge_commit.made_at", "2026-11-10T08:30:00Z"},
        {"closes", "[12 octo/demo]"},
        {"commits", "[0123456789012345678901234567890123456789]"},
        {"title", "Fix the crash"},
        {"text", "Fixes #12"},
        {"state", "closed"},
        {"labels", "[]"},
        {"timeline", "[]"},
    };
    for (size_t i = 0; i < sizeof(pull) / sizeof(pull[0]); i++) {
        const char *words = pull_says(40, pull[i].path);
        check_case("%s", pull[i].path);
        /* A failure without a reason of the world says what failed. */
        check_str(bl_str_from(words), pull[i].words);
    }
    static const struct {
        const char *path;
        const char *words;
    } repository[] = {
        {"name", "octo/demo"},
        {"open_issues", "[9 octo/demo]"},
        {"closed_issues", "[12 octo/demo]"},
        {"discussions", "[41 octo/demo]"},
        {"releases", "[v1.0.0]"},
        {"latest_release.tag", "v1.0.0"},
        {"latest_release.published_at", "2026-11-11T12:00:00Z"},
        {"labels", "[needs-info, bug]"},
        {"tracked_files", "[README.md, src/index.js]"},
        {"open_alerts", "[1 octo/demo]"},
        {"default_branch", "main"},
        {"new_issue_link", "https://github.com/octo/demo/issues/new"},
        {"security_policy", "https://github.com/octo/demo/security/policy"},
    };
    for (size_t i = 0; i < sizeof(repository) / sizeof(repository[0]); i++) {
        const char *words = repository_says(repository[i].path);
        check_case("%s", repository[i].path);
        check_str(bl_str_from(words), repository[i].words);
    }
    check_int(bl_sim_now(fixture.sim), at("2026-11-20T05:00:00Z"));
}

TEST(the_example_has_every_key)
{
    /* A key that the page forgets is one that a reader never finds. */
    static const bl_str keys[] = {
#define BL_SIM_ROOT(key, name)  {"\"" key "\"", sizeof("\"" key "\"") - 1},
#define BL_SIM_PLAIN(key, name) {"\"" key "\"", sizeof("\"" key "\"") - 1},
#define BL_SIM_EXTRA(entity, key, kind, type, member)                                          \
    {"\"" key "\"", sizeof("\"" key "\"") - 1},
#define BL_SIM_FOLLOWS(entity, key, what)
#define BL_SIM_REQUIRED(entity, key) {"\"" key "\"", sizeof("\"" key "\"") - 1},
#include "world/sim/sim_keys.def"
    };
    const char *text = example();
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        check_case("%.*s", BL_STR_ARG(keys[i]));
        check(bl_str_find(bl_str_from(text), keys[i]) != SIZE_MAX);
    }
}

TEST(a_dump_loads_to_the_same)
{
    load_world(example());
    const char *first = dumped();
    fixture.sim =
        bl_sim_create(&fixture.arena, BL_STR("a/b"), BL_STR("github-actions[bot]"), 1);
    load_world(first);
    check_str(bl_str_from(dumped()), first);
    check_str(bl_str_from(issue_says(12, "comments")), "[3000000101 octo/demo]");
}

TEST(a_pull_request_has_what_an_issue_has)
{
    load_world("{\"pull_requests\": [{\"number\": 1, \"author\": \"a\", \"created_at\": "
               "\"2026-01-01\", \"milestone\": \"v1\", \"locked\": true, \"lock_reason\": "
               "\"spam\", \"updated_at\": \"2026-01-09\", \"labels\": [\"x\"]}]}");
    check_str(bl_str_from(pull_says(1, "labels")), "[x]");
    check_str(bl_str_from(issue_says(1, "locked")), "true");
    const char *text = dumped();
    check(strstr(text, "\"milestone\": \"v1\"") != NULL);
    check(strstr(text, "\"lock_reason\": \"spam\"") != NULL);
    check(strstr(text, "\"updated_at\": \"2026-01-09T00:00:00Z\"") != NULL);
}

struct mistake {
    const char *json;
    unsigned code;
    const char *path;
    const char *second; /* the second argument of the message, or the help */
};

TEST(mistakes)
{
    static const struct mistake cases[] = {
        {"{\"issue\": []}", BL_D_WORLD_UNKNOWN_KEY, "issue", "Did you mean 'issues'?"},
        {"{\"pulls\": []}", BL_D_WORLD_UNKNOWN_KEY, "pulls", ""},
        {"{\"now\": 12}", BL_D_JSON_WRONG_TYPE, "now", NULL},
        {"{\"now\": \"2026-13-01\"}", BL_D_JSON_WRONG_TYPE, "now", NULL},
        {"{\"repository\": \"demo\"}", BL_D_JSON_WRONG_TYPE, "repository", NULL},
        {"{\"public\": \"yes\"}", BL_D_JSON_WRONG_TYPE, "public", NULL},
        {"{\"account\": \"a b\"}", BL_D_JSON_WRONG_TYPE, "account", NULL},
        {"[]", BL_D_JSON_WRONG_TYPE, "$", NULL},
        {"{\"issues\": {}}", BL_D_JSON_WRONG_TYPE, "issues", NULL},
        {"{\"issues\": [12]}", BL_D_JSON_WRONG_TYPE, "issues[0]", NULL},
        {"{\"issues\": [{}]}", BL_D_JSON_MISSING, "issues[0].number", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\"}]}", BL_D_JSON_MISSING,
         "issues[0].created_at", NULL},
        {"{\"issues\": [{\"number\": 0}]}", BL_D_JSON_WRONG_TYPE, "issues[0].number", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"titel\": \"x\"}]}",
         BL_D_WORLD_UNKNOWN_KEY, "issues[0].titel", "Did you mean 'title'?"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"mile_stone\": \"x\"}]}",
         BL_D_WORLD_UNKNOWN_KEY, "issues[0].mile_stone", "Did you mean 'milestone'?"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"comment_count\": 3}]}",
         BL_D_WORLD_FOLLOWS, "issues[0].comment_count", "'comments'"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"state\": \"clsed\"}]}",
         BL_D_JSON_BAD_WORD, "issues[0].state", "clsed"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"state\": \"closed\"}]}",
         BL_D_JSON_WRONG_TYPE, "issues[0]", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"closed_at\": \"2026-01-02\"}]}",
         BL_D_JSON_WRONG_TYPE, "issues[0]", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"labels\": [\"a\\nb\"]}]}",
         BL_D_JSON_WRONG_TYPE, "issues[0].labels[0]", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a b\", \"created_at\": "
         "\"2026-01-01\"}]}",
         BL_D_JSON_WRONG_TYPE, "issues[0].author", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"comments\": [{\"author\": \"a\", \"text\": \"x\", \"created_at\": "
         "\"2026-01-01\", \"thumbs_up\": 1}]}]}",
         BL_D_WORLD_FOLLOWS, "issues[0].comments[0].thumbs_up", "'reactions'"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\", "
         "\"timeline\": [{\"kind\": \"labelled\", \"actor\": \"a\", \"at\": "
         "\"2026-01-01\"}]}]}",
         BL_D_JSON_BAD_WORD, "issues[0].timeline[0].kind", "labelled"},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\"}, "
         "{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\"}]}",
         BL_D_WORLD_TWICE, "issues[1]", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\"}], "
         "\"pull_requests\": [{\"number\": 1, \"author\": \"a\", \"created_at\": "
         "\"2026-01-01\"}]}",
         BL_D_WORLD_TWICE, "pull_requests[0]", NULL},
        {"{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": \"2026-01-01\"}], "
         "\"discussions\": [{\"number\": 1, \"title\": \"a\"}]}",
         BL_D_WORLD_TWICE, "discussions[0]", NULL},
        {"{\"pull_requests\": [{\"number\": 2, \"author\": \"a\", \"created_at\": "
         "\"2026-01-01\", \"closes\": [1]}]}",
         BL_D_JSON_WRONG_TYPE, "pull_requests[0].closes[0]", NULL},
        {"{\"pull_requests\": [{\"number\": 2, \"author\": \"a\", \"created_at\": "
         "\"2026-01-01\", \"bse\": \"main\"}]}",
         BL_D_WORLD_UNKNOWN_KEY, "pull_requests[0].bse", "Did you mean 'base'?"},
        {"{\"users\": [{\"login\": \"a\"}, {\"login\": \"A\"}]}", BL_D_WORLD_TWICE, "users[1]",
         NULL},
        {"{\"users\": [{\"login\": \"a\", \"association\": \"OWNER\"}]}", BL_D_JSON_BAD_WORD,
         "users[0].association", "OWNER"},
        {"{\"labels\": [{\"name\": \"a\"}, {\"name\": \"A\"}]}", BL_D_WORLD_TWICE, "labels[1]",
         NULL},
        {"{\"labels\": [{\"name\": \"a\", \"color\": \"red\"}]}", BL_D_JSON_WRONG_TYPE,
         "labels[0].color", NULL},
        {"{\"labels\": [{\"name\": \"a\", \"colour\": \"ff0000\"}]}", BL_D_WORLD_UNKNOWN_KEY,
         "labels[0].colour", "Did you mean 'color'?"},
        {"{\"releases\": [{\"tag\": \"v1\"}]}", BL_D_JSON_WRONG_TYPE, "releases[0]", NULL},
        {"{\"releases\": [{\"tag\": \"v1\", \"draft\": true, \"published_at\": "
         "\"2026-01-01\"}]}",
         BL_D_JSON_WRONG_TYPE, "releases[0]", NULL},
        {"{\"variables\": {\"A\": 1}}", BL_D_JSON_WRONG_TYPE, "variables.A", NULL},
        {"{\"secrets\": {\"A\": \"x\"}}", BL_D_JSON_WRONG_TYPE, "secrets", NULL},
        {"{\"now\": \"2026-01-01\", \"now\": \"2026-01-02\"}", BL_D_JSON_BROKEN, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check(sim_tear_down(NULL) == 0);
        check(sim_set_up(NULL) == 0);
        check_case("%s", cases[i].json);
        check_status(bl_sim_load(fixture.sim, bl_str_from(cases[i].json), 3, &fixture.sink),
                     BL_ERR_INVALID);
        check(fixture.sink.errors >= 1);
        const struct bl_diagnostic *d = fixture.sink.list.items[0];
        check_int(d->code, cases[i].code);
        check_int(d->span.source, 3);
        if (cases[i].path != NULL) {
            check_diag_arg(&fixture.sink, 0, "path", cases[i].path);
        }
        if (cases[i].second != NULL) {
            check_str(d->code == BL_D_WORLD_UNKNOWN_KEY ? d->help : d->args[1].value,
                      cases[i].second);
        }
    }
}

TEST(all_mistakes_are_reported)
{
    check_status(bl_sim_load(fixture.sim,
                             BL_STR("{\"issue\": 1, \"now\": 2, \"users\": [{}], \"issues\": "
                                    "[{\"number\": 1, \"titel\": 1, \"state\": 1}]}"),
                             3, &fixture.sink),
                 BL_ERR_INVALID);
    /* issue, now, login, titel, state, author, created_at */
    check_size(fixture.sink.errors, 7);
}

TEST(a_world_file_adds_to_what_is_there)
{
    check_status(bl_sim_open(fixture.sim, BL_STR("bob"), 1, BL_STR("t"), BL_STR(""),
                             at("2026-11-01T00:00:00Z"), NULL),
                 BL_OK);
    load_world("{\"issues\": [{\"number\": 2, \"author\": \"a\", \"created_at\": "
               "\"2026-01-01\"}]}");
    check_str(bl_str_from(repository_says("open_issues")), "[2 octo/demo, 1 octo/demo]");
}

TEST(labels_keep_the_spelling_of_the_repository)
{
    load_world("{\"labels\": [{\"name\": \"Needs Info\"}], \"issues\": [{\"number\": 1, "
               "\"author\": \"a\", \"created_at\": \"2026-01-01\", \"labels\": [\"needs "
               "info\"]}]}");
    check_str(bl_str_from(issue_says(1, "labels")), "[Needs Info]");
}

TEST(lists_come_sorted)
{
    load_world("{\"issues\": [{\"number\": 1, \"author\": \"a\", \"created_at\": "
               "\"2026-01-01\", \"comments\": ["
               "{\"id\": 3, \"author\": \"a\", \"text\": \"\", \"created_at\": "
               "\"2026-01-03\"},"
               "{\"id\": 1, \"author\": \"a\", \"text\": \"\", \"created_at\": "
               "\"2026-01-01\"},"
               "{\"id\": 2, \"author\": \"a\", \"text\": \"\", \"created_at\": "
               "\"2026-01-02\"}]}]}");
    check_str(bl_str_from(issue_says(1, "comments")),
              "[1 octo/demo, 2 octo/demo, 3 octo/demo]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_example_of_the_page, sim_set_up, sim_tear_down),
        cmocka_unit_test_setup_teardown(the_example_has_every_key, sim_set_up, sim_tear_down),
        cmocka_unit_test_setup_teardown(a_dump_loads_to_the_same, sim_set_up, sim_tear_down),
        cmocka_unit_test_setup_teardown(a_pull_request_has_what_an_issue_has, sim_set_up,
                                        sim_tear_down),
        cmocka_unit_test_setup_teardown(mistakes, sim_set_up, sim_tear_down),
        cmocka_unit_test_setup_teardown(all_mistakes_are_reported, sim_set_up, sim_tear_down),
        cmocka_unit_test_setup_teardown(a_world_file_adds_to_what_is_there, sim_set_up,
                                        sim_tear_down),
        cmocka_unit_test_setup_teardown(labels_keep_the_spelling_of_the_repository, sim_set_up,
                                        sim_tear_down),
        cmocka_unit_test_setup_teardown(lists_come_sorted, sim_set_up, sim_tear_down),
    };
    return check_main(tests);
}
