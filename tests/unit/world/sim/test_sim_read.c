/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_fixture.h"

#include <string.h>

static const char *const world =
    "{\"now\": \"2026-11-02T08:00:00Z\", \"public\": false, \"default_branch\": \"trunk\","
    " \"users\": [{\"login\": \"maria\", \"association\": \"owner\"},"
    "  {\"login\": \"mona\", \"association\": \"contributor\", \"permission\": \"maintain\"},"
    "  {\"login\": \"meg\", \"association\": \"member\"}],"
    " \"issues\": ["
    "  {\"number\": 1, \"author\": \"alice\", \"created_at\": \"2026-11-01\", \"labels\":"
    "   [\"a\", \"b\", \"c\"], \"comments\": ["
    "   {\"id\": 11, \"author\": \"alice\", \"text\": \"x\", \"created_at\": \"2026-11-01\"},"
    "   {\"id\": 12, \"author\": \"maria\", \"text\": \"y\", \"created_at\": \"2026-11-01\"},"
    "   {\"id\": 13, \"author\": \"maria\", \"text\": \"z\", \"created_at\": \"2026-11-01\","
    "    \"updated_at\": \"2026-11-09\"}]},"
    "  {\"number\": 3, \"author\": \"maria\", \"created_at\": \"2026-10-01\"},"
    "  {\"number\": 2, \"author\": \"maria\", \"created_at\": \"2026-10-15\"}],"
    " \"pull_requests\": [{\"number\": 40, \"author\": \"maria\", \"created_at\": "
    "\"2026-10-20\", \"closes\": [1, 2]}],"
    " \"discussions\": [{\"number\": 41, \"title\": \"t\"}],"
    " \"releases\": [{\"tag\": \"v2-rc1\", \"prerelease\": true, \"published_at\": "
    "\"2026-10-03\"}, {\"tag\": \"v1\", \"published_at\": \"2026-10-02\"}, {\"tag\": \"v3\", "
    "\"draft\": true}, {\"tag\": \"v0\", \"published_at\": \"2026-10-01\"}],"
    " \"public_repositories\": [\"octo/other\"],"
    " \"variables\": {\"AI\": \"off\"}, \"secrets\": [\"KEY\"]}";

static int set_up(void **state)
{
    int result = sim_set_up(state);
    load_world(world);
    return result;
}

static const char *query(enum bl_read read, const struct bl_value *args, size_t count)
{
    struct bl_value v;
    if (bl_snapshot_query(fixture.snapshot, read, args, count, &v, &fixture.failure) != BL_OK) {
        return "FAILED";
    }
    if (v.tag == BL_V_LIST && bl_list_complete(v.as.list) != BL_OK) {
        return "FAILED page";
    }
    return bl_arena_copy(&fixture.arena, value_words(&fixture.arena, v)).ptr;
}

static struct bl_value word(const char *text)
{
    return bl_text(bl_str_from(text));
}

TEST(queries)
{
    struct bl_value day = bl_number(BL_V_TIME, at("2026-10-01T00:00:00Z"));
    struct bl_value until = bl_number(BL_V_TIME, at("2026-10-15T00:00:00Z"));
    const struct {
        enum bl_read read;
        struct bl_value args[2];
        size_t count;
        const char *words;
    } cases[] = {
        {BL_READ_ISSUE, {bl_int(1)}, 1, "1 octo/demo"},
        {BL_READ_ISSUE, {bl_int(99)}, 1, "none"},
        {BL_READ_ISSUE, {bl_int(40)}, 1, "none"}, /* a pull request is no issue */
        {BL_READ_ISSUE, {bl_int(41)}, 1, "none"},
        {BL_READ_LABELLED_ISSUES, {bl_text(BL_STR("no such label"))}, 1, "[]"},
        {BL_READ_NUMBERED, {bl_int(1)}, 1, "1 octo/demo"},
        {BL_READ_NUMBERED, {bl_int(40)}, 1, "40 octo/demo"},
        {BL_READ_NUMBERED, {bl_int(41)}, 1, "41 octo/demo"},
        {BL_READ_NUMBERED, {bl_int(42)}, 1, "none"},
        {BL_READ_PULL, {bl_int(40)}, 1, "40 octo/demo"},
        {BL_READ_PULL, {bl_int(1)}, 1, "none"},
        {BL_READ_ISSUES_CREATED, {day, until}, 2, "[3 octo/demo, 2 octo/demo]"},
        {BL_READ_ISSUES_CREATED, {until, until}, 2, "[2 octo/demo]"},
        {BL_READ_COMMENTS_CHANGED,
         {bl_number(BL_V_TIME, at("2026-11-02T00:00:00Z"))},
         1,
         "[13 octo/demo]"},
        {BL_READ_COMMENTS_CHANGED, {day}, 1, "[11 octo/demo, 12 octo/demo, 13 octo/demo]"},
        {BL_READ_VARIABLE, {word("AI")}, 1, "off"},
        {BL_READ_VARIABLE, {word("NONE")}, 1, "none"},
        {BL_READ_SECRET, {word("KEY")}, 1, "true"},
        {BL_READ_SECRET, {word("OTHER")}, 1, "false"},
        {BL_READ_REPOSITORY, {bl_absent()}, 0, "octo/demo"},
        {BL_READ_REPOSITORY, {word("Octo/Demo")}, 1, "false"},
        {BL_READ_REPOSITORY, {word("octo/other")}, 1, "true"},
        {BL_READ_REPOSITORY, {word("octo/unknown")}, 1, "none"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *words = query(cases[i].read, cases[i].args, cases[i].count);
        check_case("row %zu", i);
        check_str(bl_str_from(words), cases[i].words);
    }
}

/* Every read of reads.def is answered, or known not to be asked of a world. */
TEST(every_read_is_known)
{
    for (unsigned read = 0; read < BL_READ_COUNT; read++) {
        const struct bl_value args[] = {bl_int(1), bl_int(1)};
        bool asked = false;
        for (unsigned f = 0; f < BL_FIELD_COUNT && !asked; f++) {
            const struct bl_field_info *info = bl_field_info((enum bl_field)f);
            asked = info != NULL && (unsigned)info->read == read;
        }
        for (size_t count = 0; count <= 2 && !asked; count++) {
            struct bl_value v;
            look_again();
            struct bl_value text = word("x");
            bool of_text = read == BL_READ_VARIABLE || read == BL_READ_SECRET ||
                           read == BL_READ_GIT_READING || read == BL_READ_JOB_FILE;
            const struct bl_value *a = of_text ? &text : args;
            check_status(bl_sim_git_reading(fixture.sim, BL_STR("1 0 x")), BL_OK);
            asked = bl_snapshot_query(fixture.snapshot, (enum bl_read)read, a, count, &v,
                                      &fixture.failure) == BL_OK;
        }
        check_case("%.*s", BL_STR_ARG(bl_read_info((enum bl_read)read)->name));
        check(asked);
    }
}

static enum bl_answer git_says(void *context, struct bl_arena *arena, bl_str patch,
                               bl_str *reading)
{
    (void)arena;
    check_str(patch, "x");
    *reading = BL_STR("2 1 a b\n");
    return *(const enum bl_answer *)context;
}

/* req: PAT-28 */
TEST(git_is_asked_unless_the_world_says_it)
{
    struct bl_value text = word("x");
    enum bl_answer answers[] = {BL_FOUND, BL_MISSING, BL_FAILED};
    const char *says[] = {"2 1 a b\n", "none", NULL};
    for (size_t i = 0; i < 3; i++) {
        struct bl_value v;
        look_again();
        bl_sim_set_git(fixture.sim, (struct bl_sim_git){git_says, &answers[i]});
        enum bl_status status = bl_snapshot_query(fixture.snapshot, BL_READ_GIT_READING, &text,
                                                  1, &v, &fixture.failure);
        check_status(status, says[i] != NULL ? BL_OK : BL_ERR_READ);
        if (says[i] != NULL && answers[i] == BL_FOUND)
            check_str(bl_text_of(v), says[i]);
        else if (says[i] != NULL)
            check(bl_is_absent(v));
    }
    check_status(bl_sim_git_reading(fixture.sim, BL_STR("1 0 x")), BL_OK);
    look_again();
    check_str(bl_str_from(query(BL_READ_GIT_READING, &text, 1)), "1 0 x\n");
}

TEST(files_of_the_job)
{
    struct bl_value name = word("a.diff");
    check_str(bl_str_from(query(BL_READ_JOB_FILE, &name, 1)), "none");
    check_status(bl_sim_job_file(fixture.sim, BL_STR("a.diff"), BL_STR("old")), BL_OK);
    check_status(bl_sim_job_file(fixture.sim, BL_STR("a.diff"), BL_STR("new")), BL_OK);
    look_again();
    check_str(bl_str_from(query(BL_READ_JOB_FILE, &name, 1)), "new");
}

TEST(lists_of_the_repository)
{
    check_str(bl_str_from(repository_says("open_issues")),
              "[3 octo/demo, 2 octo/demo, 1 octo/demo]"); /* longest without change first */
    check_str(bl_str_from(repository_says("closed_issues")), "[]");
    check_str(bl_str_from(repository_says("releases")), "[v0, v1, v2-rc1, v3]");
    check_str(bl_str_from(repository_says("latest_release")), "v1");
    check_str(bl_str_from(repository_says("default_branch")), "trunk");
    check_str(bl_str_from(issue_says(1, "closed_by")), "[40 octo/demo]");
    check_str(bl_str_from(issue_says(3, "closed_by")), "[]");
}

TEST(permissions)
{
    static const struct {
        const char *login;
        const char *permission;
    } cases[] = {
        {"maria", "admin"},     {"MARIA", "admin"},         {"meg", "write"},
        {"mona", "maintain"}, /* given: review, a member who hides the membership */
        {"alice", "no_access"}, {"never-met", "no_access"}, {"robot[bot]", "no_access"},
        {"ghost", "no_access"}, /* "… is not a user" */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_object *user = bl_snapshot_object(fixture.snapshot, BL_ENTITY_USER, 0,
                                                    bl_str_from(cases[i].login));
        check_case("%s", cases[i].login);
        check_str(bl_str_from(thing_says(user, "permission")), cases[i].permission);
    }
}

/* What is stored with a thing comes with its own read, when only its identity was named. */
TEST(things_that_are_only_named)
{
    static const struct {
        enum bl_entity entity;
        int64_t key;
        const char *name;
        const char *path;
        const char *words;
    } cases[] = {
        {BL_ENTITY_REPOSITORY, 0, "octo/demo", "new_issue_link",
         "https://github.com/octo/demo/issues/new"},
        {BL_ENTITY_REPOSITORY, 0, "octo/other", "new_issue_link",
         "FAILED: The repository octo/other does not exist"},
        {BL_ENTITY_USER, 0, "github-actions[bot]", "kind", "bot"},
        {BL_ENTITY_USER, 0, "github-actions[bot]", "id", "41898282"},
        {BL_ENTITY_USER, 0, "maria", "association",
         "FAILED: Nothing is known of the association of user maria"},
        {BL_ENTITY_COMMENT, 12, "octo/demo", "author.login", "maria"},
        {BL_ENTITY_COMMENT, 12, "octo/demo", "issue.number", "1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *words =
            thing_says(bl_snapshot_object(fixture.snapshot, cases[i].entity, cases[i].key,
                                          bl_str_from(cases[i].name)),
                       cases[i].path);
        check_case("row %zu", i);
        if (bl_str_starts_with(bl_str_from(cases[i].words), BL_STR("FAILED"))) {
            check_str(fixture.failure.what, cases[i].words + strlen("FAILED: "));
        } else {
            check_str(bl_str_from(words), cases[i].words);
        }
    }
}

TEST(a_list_of_issues_brings_their_fields)
{
    struct bl_value v;
    (void)repository_says("open_issues");
    size_t reads = bl_snapshot_reads(fixture.snapshot);
    struct bl_object *issue =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, 1, BL_STR("octo/demo"));
    check_status(
        bl_snapshot_field(fixture.snapshot, issue, BL_FIELD_ISSUE_LABELS, &v, &fixture.failure),
        BL_OK);
    check_size(bl_snapshot_reads(fixture.snapshot), reads);
    check_str(value_words(&fixture.arena, v), "[a, b, c]");
}

TEST(lists_come_in_pages)
{
    struct bl_value v;
    struct bl_value item;
    bool end;
    bl_sim_set_page(fixture.sim, 2);
    check_str(bl_str_from(issue_says(1, "comments")),
              "[11 octo/demo, 12 octo/demo, 13 octo/demo]");
    look_again();
    struct bl_object *issue =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_ISSUE, 1, BL_STR("octo/demo"));
    check_status(bl_snapshot_field(fixture.snapshot, issue, BL_FIELD_ISSUE_COMMENTS, &v,
                                   &fixture.failure),
                 BL_OK);
    check_size(v.as.list->count, 2);
    check(!v.as.list->complete);
    /* A comment that comes now is not part of what was asked for. */
    check_status(bl_sim_comment(fixture.sim, BL_STR("bob"), 1, BL_STR("late"),
                                at("2026-11-03T00:00:00Z"), NULL),
                 BL_OK);
    check_status(bl_list_at(v.as.list, 2, &item, &end), BL_OK);
    check(!end && item.as.object->key == 13);
    check_status(bl_list_at(v.as.list, 3, &item, &end), BL_OK);
    check(end);
    /* What comes with an issue is no list of its own. */
    check_status(
        bl_snapshot_field(fixture.snapshot, issue, BL_FIELD_ISSUE_LABELS, &v, &fixture.failure),
        BL_OK);
    check(v.as.list->complete);
    check_size(v.as.list->count, 3);
}

TEST(reads_fail_as_they_are_told)
{
    bl_sim_fail_reads(fixture.sim, BL_READ_COMMENTS, BL_FAULT_SERVER_ERROR, 0, 2);
    check_str(bl_str_from(issue_says(1, "comments")), "FAILED: GitHub answered 502");
    check(fixture.failure.again);
    check_str(bl_str_from(issue_says(1, "title")), ""); /* another read */
    check_str(bl_str_from(issue_says(1, "comments")), "FAILED: GitHub answered 502");
    check_str(bl_str_from(issue_says(3, "comments")), "[]");

    bl_sim_fail_reads(fixture.sim, BL_READ_ISSUE, BL_FAULT_MISSING, 0, 1);
    check_str(bl_str_from(issue_says(1, "title")), "FAILED: GitHub answered 404");
    struct bl_value number = bl_int(1);
    bl_sim_fail_reads(fixture.sim, BL_READ_ISSUE, BL_FAULT_MISSING, 0, 1);
    look_again();
    check_str(bl_str_from(query(BL_READ_ISSUE, &number, 1)), "none");
    bl_sim_fail_reads(fixture.sim, BL_READ_ISSUE, BL_FAULT_REFUSED, 0, 1);
    look_again();
    check_str(bl_str_from(query(BL_READ_ISSUE, &number, 1)), "FAILED");
    check(!fixture.failure.again);

    /* The second page alone. */
    bl_sim_set_page(fixture.sim, 2);
    bl_sim_fail_reads(fixture.sim, BL_READ_COMMENTS, BL_FAULT_RATE_LIMIT, 1, 1);
    check_str(bl_str_from(issue_says(1, "comments")), "FAILED: page");
    check_str(bl_str_from(issue_says(1, "comments")),
              "[11 octo/demo, 12 octo/demo, 13 octo/demo]");
    static const char *const names[] = {"missing", "server_error", "rate_limit", "refused",
                                        "lost_answer"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        check_int(bl_sim_fault_find(bl_str_from(names[i])), (int)i + 1);
    }
    check_int(bl_sim_fault_find(BL_STR("sometimes")), BL_FAULT_NONE);
}

/* req: review §4: 250 or more commits fail, since GitHub stops there without a word */
TEST(someone_pushes_a_commit_to_a_pull_request)
{
    struct bl_sim_delivery out = {.sent = false};
    const struct bl_sim_pull pull = {.number = 50, .title = BL_STR("A change")};
    struct bl_sim_commit commit = {
        .sha = BL_STR("c1"), .author = BL_STR("alice"), .message = BL_STR("One")};
    check_status(
        bl_sim_open_pull(fixture.sim, BL_STR("alice"), &pull, at("2026-11-04T08:00:00Z"), NULL),
        BL_OK);
    check_status(bl_sim_commit_to(fixture.sim, BL_STR("alice"), 50, &commit,
                                  at("2026-11-04T09:00:00Z"), &out),
                 BL_OK);
    check_int(out.event.id, BL_EVENT_PULL_REQUEST_SYNCHRONIZE);
    check_str(bl_str_from(pull_says(50, "head.sha")), "c1");
    /* What GitHub would not let happen changes nothing. */
    check_status(bl_sim_commit_to(fixture.sim, BL_STR("alice"), 50, &commit,
                                  at("2026-11-04T10:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'c1' is a commit of it already.");
    commit.sha = BL_STR("c2");
    check_status(bl_sim_commit_to(fixture.sim, BL_STR("alice"), 51, &commit,
                                  at("2026-11-04T10:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'#51' is no pull request.");
    check_status(bl_sim_close(fixture.sim, BL_STR("alice"), 50, BL_STATE_REASON_COMPLETED,
                              at("2026-11-04T11:00:00Z"), NULL),
                 BL_OK);
    check_status(bl_sim_commit_to(fixture.sim, BL_STR("alice"), 50, &commit,
                                  at("2026-11-04T12:00:00Z"), &out),
                 BL_ERR_INVALID);
    check_str(bl_sim_problem(fixture.sim), "'#50' is closed already.");
}

TEST(a_pull_request_of_250_commits_fails)
{
    struct bl_buf text;
    for (int count = 249; count <= 250; count++) {
        check(sim_tear_down(NULL) == 0);
        check(sim_set_up(NULL) == 0);
        bl_buf_init(&text, &fixture.arena, 100000);
        BL_PUT(&text, "{\"pull_requests\": [{\"number\": 1, \"author\": \"a\", \"created_at\": "
                      "\"2026-01-01\", \"commits\": [");
        for (int i = 0; i < count; i++) {
            bl_buf_printf(&text, "%s\"%040d\"", i > 0 ? "," : "", i);
        }
        BL_PUT(&text, "]}]}");
        load_world(text.ptr);
        const char *words = pull_says(1, "commits");
        check_case("%d", count);
        check((strncmp(words, "FAILED: GitHub lists no more than 250", 37) == 0) ==
              (count == 250));
    }
}

TEST(one_comment_may_be_read_again)
{
    (void)issue_says(1, "comments");
    struct bl_object *comment =
        bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMENT, 11, BL_STR("octo/demo"));
    check_status(bl_sim_edit_comment(fixture.sim, BL_STR("alice"), 11, BL_STR("edited"),
                                     at("2026-11-03T00:00:00Z"), NULL),
                 BL_OK);
    check_str(field_words(&fixture.arena, comment, "text"), "x");
    check_int(bl_snapshot_load(fixture.snapshot, comment, BL_READ_COMMENTS, &fixture.failure),
              BL_FOUND);
    check_str(field_words(&fixture.arena, comment, "text"), "edited");
    check_status(bl_sim_delete_comment(fixture.sim, BL_STR("alice"), 12,
                                       at("2026-11-03T01:00:00Z"), NULL),
                 BL_OK);
    comment = bl_snapshot_object(fixture.snapshot, BL_ENTITY_COMMENT, 12, BL_STR("octo/demo"));
    check_int(bl_snapshot_load(fixture.snapshot, comment, BL_READ_COMMENTS, &fixture.failure),
              BL_MISSING);
}

#define SIM_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, sim_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SIM_TEST(queries),
        SIM_TEST(every_read_is_known),
        SIM_TEST(git_is_asked_unless_the_world_says_it),
        SIM_TEST(files_of_the_job),
        SIM_TEST(lists_of_the_repository),
        SIM_TEST(permissions),
        SIM_TEST(things_that_are_only_named),
        SIM_TEST(a_list_of_issues_brings_their_fields),
        SIM_TEST(lists_come_in_pages),
        SIM_TEST(reads_fail_as_they_are_told),
        SIM_TEST(someone_pushes_a_commit_to_a_pull_request),
        SIM_TEST(a_pull_request_of_250_commits_fails),
        SIM_TEST(one_comment_may_be_read_again),
    };
    return check_main(tests);
}
