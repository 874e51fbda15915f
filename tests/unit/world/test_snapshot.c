/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "support/things.h"
#include "world/world.h"

/* A world that counts what it is asked. Issue 404 is missing, 500 fails, 206 is known in part.
 */
struct fake {
    struct bl_world world;
    size_t loads;
    size_t queries;
    const char *title;
};

static enum bl_answer fake_load(void *self, struct bl_snapshot *snapshot,
                                struct bl_object *object, enum bl_read read,
                                struct bl_failure *failure)
{
    struct fake *fake = self;
    fake->loads++;
    if (object->key == 404) {
        return BL_MISSING;
    }
    if (object->key == 500) {
        failure->why = BL_STR("the server answered 500");
        failure->again = true;
        return BL_FAILED;
    }
    if (read == BL_READ_PERMISSION) {
        bl_object_set(object, BL_FIELD_USER_PERMISSION,
                      bl_member_value(BL_ENUM_PERMISSION, BL_PERMISSION_WRITE));
        return BL_FOUND;
    }
    if (read == BL_READ_ISSUE) {
        struct bl_object *author = bl_snapshot_object(
            snapshot, BL_ENTITY_USER, bl_user_key(BL_ASSOCIATION_NOBODY), BL_STR("Alice"));
        bl_object_set(object, BL_FIELD_ISSUE_TITLE, bl_text(bl_str_from(fake->title)));
        bl_object_set(object, BL_FIELD_ISSUE_AUTHOR, bl_object_value(author));
        if (object->key == 206) {
            failure->what = BL_STR("Half of it could not be read");
            return BL_FAILED;
        }
    }
    return BL_FOUND;
}

static enum bl_answer fake_query(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                                 const struct bl_value *args, size_t count,
                                 struct bl_value *out, struct bl_failure *failure)
{
    struct fake *fake = self;
    fake->queries++;
    (void)failure;
    if (read == BL_READ_ISSUE && count == 1) {
        if (args[0].as.i == 404) {
            *out = bl_int(1); /* what a careless world leaves behind */
            return BL_MISSING;
        }
        *out = bl_object_value(
            bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, args[0].as.i, BL_STR("o/r")));
        return BL_FOUND;
    }
    if (read == BL_READ_COMMENTS_CHANGED || read == BL_READ_SEARCH ||
        read == BL_READ_PULLS_WITH_HEAD) {
        return BL_MISSING;
    }
    if (read == BL_READ_VARIABLE) {
        *out = bl_text(BL_STR("value"));
        return BL_FOUND;
    }
    return BL_FAILED;
}

static struct bl_arena arena;
static struct fake fake;
static struct bl_snapshot *snapshot;
static struct bl_failure failure;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, (size_t)16 << 20, NULL);
    fake = (struct fake){.title = "first"};
    fake.world = (struct bl_world){.self = &fake, .load = fake_load, .query = fake_query};
    snapshot = bl_snapshot_create(&arena, &fake.world);
    failure = (struct bl_failure){.again = false};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_object *issue(int64_t number)
{
    return bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, number, BL_STR("o/r"));
}

TEST(things_are_unified)
{
    struct bl_object *a = issue(1);
    check(a == issue(1));
    check(a != issue(2));
    check(a == bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 1, BL_STR("O/R")));
    check(a != bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 1, BL_STR("o/other")));
    check(a != bl_snapshot_object(snapshot, BL_ENTITY_PULL_REQUEST, 1, BL_STR("o/r")));
    /* A person is one object for each association. */
    struct bl_object *nobody = bl_snapshot_object(
        snapshot, BL_ENTITY_USER, bl_user_key(BL_ASSOCIATION_NOBODY), BL_STR("alice"));
    check(nobody == bl_snapshot_object(snapshot, BL_ENTITY_USER,
                                       bl_user_key(BL_ASSOCIATION_NOBODY), BL_STR("ALICE")));
    check(nobody != bl_snapshot_object(snapshot, BL_ENTITY_USER,
                                       bl_user_key(BL_ASSOCIATION_OWNER), BL_STR("alice")));
    check_str(nobody->name, "alice");
    /* Git tells tags apart by case. */
    check(bl_snapshot_object(snapshot, BL_ENTITY_RELEASE, 0, BL_STR("v1")) !=
          bl_snapshot_object(snapshot, BL_ENTITY_RELEASE, 0, BL_STR("V1")));
    check_size(bl_snapshot_reads(snapshot), 0);
}

TEST(identity_is_known)
{
    static const struct {
        enum bl_entity entity;
        int64_t key;
        const char *name;
        const char *path;
        const char *words;
    } cases[] = {
        {BL_ENTITY_ISSUE, 12, "o/r", "number", "12"},
        {BL_ENTITY_ISSUE, 12, "o/r", "repository", "o/r"},
        {BL_ENTITY_ISSUE, 12, "o/r", "title", "?"},
        {BL_ENTITY_PULL_REQUEST, 12, "o/r", "number", "12"},
        {BL_ENTITY_PULL_REQUEST, 12, "o/r", "repository", "o/r"},
        {BL_ENTITY_COMMENT, 3000000001, "o/r", "id", "3000000001"},
        {BL_ENTITY_COMMENT, 3000000001, "o/r", "author", "?"},
        {BL_ENTITY_DISCUSSION, 4, "o/r", "number", "4"},
        {BL_ENTITY_NUMBERED, 4, "o/r", "number", "4"},
        {BL_ENTITY_ALERT, 4, "o/r", "number", "4"},
        {BL_ENTITY_USER, 0, "alice", "login", "alice"},
        {BL_ENTITY_USER, 0, "alice", "association", "?"},
        {BL_ENTITY_USER, 0, "alice", "id", "?"},
        {BL_ENTITY_USER, 1, "alice", "association", "owner"},
        {BL_ENTITY_USER, 6, "alice", "association", "nobody"},
        {BL_ENTITY_RELEASE, 0, "v1", "tag", "v1"},
        {BL_ENTITY_COMMIT, 0, "abc", "sha", "abc"},
        {BL_ENTITY_REPOSITORY, 0, "o/r", "name", "o/r"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check_str(field_words(&arena,
                              bl_snapshot_object(snapshot, cases[i].entity, cases[i].key,
                                                 bl_str_from(cases[i].name)),
                              cases[i].path),
                  cases[i].words);
    }
    check_size(bl_snapshot_reads(snapshot), 0);
}

TEST(many_things)
{
    struct bl_object *things[3000];
    for (size_t i = 0; i < 3000; i++) {
        things[i] = issue((int64_t)i + 1);
    }
    for (size_t i = 0; i < 3000; i++) {
        check(issue((int64_t)i + 1) == things[i]);
    }
}

TEST(the_name_is_copied)
{
    char name[] = "o/r";
    struct bl_object *a =
        bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 9, (bl_str){name, sizeof(name) - 1});
    name[0] = 'x';
    check_str(a->name, "o/r");
    check(a == issue(9));
}

TEST(a_read_is_made_once)
{
    struct bl_value v;
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_str(value_words(&arena, v), "first");
    fake.title = "second";
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_str(value_words(&arena, v), "first");
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_AUTHOR, &v, &failure),
                 BL_OK);
    check_size(fake.loads, 1);
    check_size(bl_snapshot_reads(snapshot), 1);
    check_status(bl_snapshot_field(snapshot, issue(2), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_size(fake.loads, 2);
}

TEST(a_failed_read_stays_failed)
{
    struct bl_value v;
    for (int i = 0; i < 2; i++) {
        failure = (struct bl_failure){.again = false};
        check_status(
            bl_snapshot_field(snapshot, issue(500), BL_FIELD_ISSUE_TITLE, &v, &failure),
            BL_ERR_READ);
        check_str(failure.what, "The issue 500 could not be read");
        check_str(failure.why, "the server answered 500");
        check(failure.again);
        check(bl_is_absent(v));
    }
    check_size(fake.loads, 1);
}

TEST(missing_is_no_value_of_a_field)
{
    struct bl_value v;
    check_status(bl_snapshot_field(snapshot, issue(404), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_ERR_READ);
    check_str(failure.what, "The issue 404 does not exist");
    check_int(bl_snapshot_load(snapshot, issue(404), BL_READ_ISSUE, &failure), BL_MISSING);
    check_size(fake.loads, 1);
}

TEST(what_a_failed_read_set_holds)
{
    struct bl_value v;
    check_status(bl_snapshot_field(snapshot, issue(206), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_str(value_words(&arena, v), "first");
    check_status(bl_snapshot_field(snapshot, issue(206), BL_FIELD_ISSUE_STATE, &v, &failure),
                 BL_ERR_READ);
    check_str(failure.what, "Half of it could not be read");
    check_size(fake.loads, 1);
}

TEST(what_nobody_says)
{
    struct bl_value v;
    struct bl_object *event = bl_object_create(&arena, BL_ENTITY_EVENT, 0, BL_STR(""));
    check_status(bl_snapshot_field(snapshot, event, BL_FIELD_EVENT_RUN_BRANCH, &v, &failure),
                 BL_ERR_READ);
    check_str(failure.what, "Nothing is known of the run branch of event");
    check_str(failure.why, "the payload does not hold it");
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_STATE, &v, &failure),
                 BL_ERR_READ); /* the world answered found without it */
    check_str(failure.why, "nobody said it");
    check_size(fake.loads, 1);
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_COMMENT_TEXT, &v, &failure),
                 BL_ERR_INTERNAL);
}

TEST(a_permission_is_read_once_for_a_person)
{
    struct bl_value v;
    for (unsigned a = 0; a < bl_enum_member_count(BL_ENUM_ASSOCIATION); a++) {
        struct bl_object *user = bl_snapshot_object(snapshot, BL_ENTITY_USER, bl_user_key(a),
                                                    a % 2 ? BL_STR("Bob") : BL_STR("bob"));
        check_status(bl_snapshot_field(snapshot, user, BL_FIELD_USER_PERMISSION, &v, &failure),
                     BL_OK);
        check_str(value_words(&arena, v), "write");
    }
    check_size(fake.loads, 1);
}

TEST(queries_are_made_once)
{
    struct bl_value v;
    struct bl_value number = bl_int(7);
    for (int i = 0; i < 2; i++) {
        check_status(bl_snapshot_query(snapshot, BL_READ_ISSUE, &number, 1, &v, &failure),
                     BL_OK);
        check(bl_object_of(v) == issue(7));
    }
    check_size(fake.queries, 1);
    number = bl_int(404);
    for (int i = 0; i < 2; i++) {
        check_status(bl_snapshot_query(snapshot, BL_READ_ISSUE, &number, 1, &v, &failure),
                     BL_OK);
        check(bl_is_absent(v));
    }
    check_size(fake.queries, 2);
    /* The text of an argument may die; another text is another question. */
    char name[] = "ONE";
    for (int i = 0; i < 2; i++) {
        struct bl_value arg = bl_text((bl_str){name, 3});
        check_status(bl_snapshot_query(snapshot, BL_READ_VARIABLE, &arg, 1, &v, &failure),
                     BL_OK);
        name[0] = 'X';
    }
    check_size(fake.queries, 4);
    struct bl_value arg = bl_text(BL_STR("ONE"));
    check_status(bl_snapshot_query(snapshot, BL_READ_VARIABLE, &arg, 1, &v, &failure), BL_OK);
    check_size(fake.queries, 4);
    /* The same number for another read, and another kind of value. */
    for (int i = 0; i < 2; i++) {
        check_status(bl_snapshot_query(snapshot, BL_READ_PULL, &number, 1, &v, &failure),
                     BL_ERR_READ);
        check_str(failure.what, "The read of pull failed");
        check(bl_is_absent(v));
    }
    check_size(fake.queries, 5);
    check_size(bl_snapshot_reads(snapshot), 5);
}

/* req: FLT-01, FLT-02: lists of the repository are there; 404 says nothing about their
 * elements. */
TEST(a_list_of_the_repository_is_never_missing)
{
    struct bl_value v;
    struct bl_value since = bl_number(BL_V_TIME, 1);
    for (int i = 0; i < 2; i++) {
        check_status(
            bl_snapshot_query(snapshot, BL_READ_COMMENTS_CHANGED, &since, 1, &v, &failure),
            BL_ERR_READ);
        check_str(failure.why, "it was not found");
        check(bl_is_absent(v));
    }
}

TEST(adopted_things_are_read_fresh)
{
    struct bl_object *author =
        bl_object_create(&arena, BL_ENTITY_USER, bl_user_key(0), BL_STR("alice"));
    struct bl_object *thing = bl_object_create(&arena, BL_ENTITY_ISSUE, 3, BL_STR("o/r"));
    struct bl_object *comment = bl_object_create(&arena, BL_ENTITY_COMMENT, 5, BL_STR("o/r"));
    bl_object_set(author, BL_FIELD_USER_LOGIN, bl_text(BL_STR("alice")));
    bl_object_set(thing, BL_FIELD_ISSUE_NUMBER, bl_int(3));
    bl_object_set(thing, BL_FIELD_ISSUE_TITLE, bl_text(BL_STR("of the payload")));
    bl_object_set(comment, BL_FIELD_COMMENT_AUTHOR, bl_object_value(author));
    bl_object_set(comment, BL_FIELD_COMMENT_ISSUE, bl_object_value(thing));
    bl_object_set(comment, BL_FIELD_COMMENT_TEXT, bl_text(BL_STR("hello")));

    struct bl_object *own = bl_snapshot_adopt(snapshot, comment);
    check(own != comment);
    check_str(field_words(&arena, own, "text"), "hello");
    check(bl_object_of(bl_object_get(own, BL_FIELD_COMMENT_ISSUE)) == issue(3));
    check_str(field_words(&arena, own, "author.login"), "alice");
    check_str(field_words(&arena, own, "issue.number"), "3");
    check_str(field_words(&arena, own, "issue.title"), "?");
    check(bl_snapshot_adopt(snapshot, thing) == issue(3));
    check(bl_snapshot_adopt(snapshot, own) == own);
    check(bl_snapshot_adopt(snapshot, NULL) == NULL);
    struct bl_value v;
    check_status(bl_snapshot_field(snapshot, issue(3), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_str(value_words(&arena, v), "first");
}

TEST(what_is_forgotten_is_read_again)
{
    struct bl_value v;
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    fake.title = "second";
    bl_snapshot_forget(snapshot, issue(1));
    check(bl_object_knows(issue(1), BL_FIELD_ISSUE_NUMBER));
    check_status(bl_snapshot_field(snapshot, issue(1), BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_OK);
    check_str(value_words(&arena, v), "second");
    check_size(fake.loads, 2);
}

/* Which issues have a label is a fact of the repository: a write to any of them may change it.
 */
TEST(lists_by_label_are_forgotten_with_the_repository)
{
    struct bl_object *repository =
        bl_snapshot_object(snapshot, BL_ENTITY_REPOSITORY, 0, BL_STR("o/r"));
    struct bl_value label = bl_text(BL_STR("waits"));
    struct bl_value name = bl_text(BL_STR("SWITCH"));
    struct bl_value v;
    for (size_t round = 1; round <= 2; round++) {
        for (size_t again = 0; again < 2; again++) {
            check_status(
                bl_snapshot_query(snapshot, BL_READ_LABELLED_ISSUES, &label, 1, &v, &failure),
                BL_ERR_READ);
            check_status(bl_snapshot_query(snapshot, BL_READ_VARIABLE, &name, 1, &v, &failure),
                         BL_OK);
        }
        check_size(fake.queries, 1 + round);
        bl_snapshot_forget(snapshot, issue(1));
        bl_snapshot_forget(snapshot, repository);
    }
}

/* req: FLT-01: whatever a list is of, a page that was not found is no empty list. */
TEST(lists_are_always_there)
{
    static const enum bl_read reads[] = {BL_READ_COMMENTS_CHANGED, BL_READ_SEARCH,
                                         BL_READ_PULLS_WITH_HEAD};
    struct bl_value argument = bl_int(1);
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        struct bl_value v;
        check_case("%zu", i);
        check_status(bl_snapshot_query(snapshot, reads[i], &argument, 1, &v, &failure),
                     BL_ERR_READ);
        check_str(failure.why, "it was not found");
    }
}

TEST(without_a_world_every_read_fails)
{
    struct bl_snapshot *alone = bl_snapshot_create(&arena, NULL);
    struct bl_object *object = bl_snapshot_object(alone, BL_ENTITY_ISSUE, 1, BL_STR("o/r"));
    struct bl_value v;
    struct bl_value one = bl_int(1);
    check_status(bl_snapshot_field(alone, object, BL_FIELD_ISSUE_TITLE, &v, &failure),
                 BL_ERR_READ);
    check_str(failure.why, "this run has no world");
    check_status(bl_snapshot_query(alone, BL_READ_ISSUE, &one, 1, &v, &failure), BL_ERR_READ);
    check_size(bl_snapshot_reads(alone), 0);
}

TEST(every_allocation_may_fail)
{
    for (size_t fail_at = 1;; fail_at++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_value v;
        struct bl_value number = bl_int(7);
        check_case("allocation %zu fails", fail_at);
        failing_allocator_init(&failing, fail_at);
        bl_arena_init(&small, (size_t)1 << 20, &failing.allocator);
        struct bl_snapshot *own = bl_snapshot_create(&small, &fake.world);
        bool good = own != NULL;
        for (int64_t i = 1; good && i < 200; i++) {
            struct bl_object *object =
                bl_snapshot_object(own, BL_ENTITY_ISSUE, i, BL_STR("o/r"));
            good =
                object != NULL &&
                bl_snapshot_field(own, object, BL_FIELD_ISSUE_TITLE, &v, &failure) == BL_OK &&
                bl_snapshot_query(own, BL_READ_ISSUE, &number, 1, &v, &failure) == BL_OK;
        }
        bool failed = failing.calls >= fail_at;
        check(good == !failed);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        if (!failed) {
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(things_are_unified, set_up, tear_down),
        cmocka_unit_test_setup_teardown(identity_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_things, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_name_is_copied, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_read_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failed_read_stays_failed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_is_no_value_of_a_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_failed_read_set_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_nobody_says, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_permission_is_read_once_for_a_person, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(queries_are_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_list_of_the_repository_is_never_missing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(adopted_things_are_read_fresh, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_forgotten_is_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_by_label_are_forgotten_with_the_repository,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_are_always_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_world_every_read_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, set_up, tear_down),
    };
    return check_main(tests);
}
