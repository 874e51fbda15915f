/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "value/value.h"

static struct bl_arena arena;

static int setup(void **state)
{
    (void)state;
    bl_arena_init(&arena, 1 << 22, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_value text(const char *s)
{
    return bl_text(bl_str_from(s));
}

static struct bl_value user(int64_t key, const char *login)
{
    return bl_object_value(bl_object_create(&arena, BL_ENTITY_USER, key, bl_str_from(login)));
}

static struct bl_value thing(enum bl_entity entity, int64_t key, const char *name)
{
    return bl_object_value(bl_object_create(&arena, entity, key, bl_str_from(name)));
}

static struct bl_value list_of(const struct bl_value *items, size_t count)
{
    struct bl_list *list = bl_list_create(&arena);

    for (size_t i = 0; i < count; i++)
        check_status(bl_list_push(&arena, list, items[i]), BL_OK);
    return bl_list_value(list);
}

TEST(values_are_small)
{
    check_size(sizeof(struct bl_value), 16);
}

/* ---- types ------------------------------------------------------------------------------ */

#define LABELS        BL_LIST_OF((bl_type)BL_TYPE_LABEL)
#define STATE         BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_ISSUE_STATE)
#define THING(entity) BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_##entity)

TEST(values_have_the_form_of_their_type)
{
    struct bl_posted posted = {.comment = thing(BL_ENTITY_COMMENT, 7, "a/b").as.object};
    struct bl_value own = {.tag = BL_V_POSTED, .as.posted = &posted};
    struct bl_value record = {.tag = BL_V_RECORD, .aux = 3};
    struct bl_value labels = list_of((struct bl_value[]){text("bug"), text("stale")}, 2);
    struct bl_value mixed = list_of((struct bl_value[]){text("bug"), bl_int(2)}, 2);
    struct bl_value holes = list_of((struct bl_value[]){text("bug"), bl_absent()}, 2);
    const struct {
        struct bl_value value;
        bl_type type;
        bool fits;
    } cases[] = {
        {bl_int(1), BL_TYPE_INT, true},
        {bl_int(1), BL_OPTIONAL(BL_TYPE_INT), true},
        {bl_int(1), BL_TYPE_DURATION, false},
        {bl_number(BL_V_DURATION, 60), BL_TYPE_DURATION, true},
        {bl_number(BL_V_DURATION, 60), BL_TYPE_INT, false},
        {bl_number(BL_V_DATE, 1), BL_TYPE_TIME, false},
        {bl_number(BL_V_TIME, 1), BL_TYPE_TIME, true},
        {bl_number(BL_V_DATE, 1), BL_TYPE_DATE, true},
        {bl_number(BL_V_MONEY, 1), BL_TYPE_MONEY, true},
        {bl_number(BL_V_PERCENT, 1), BL_TYPE_PERCENT, true},
        {bl_number(BL_V_PERCENT, 1), BL_TYPE_MONEY, false},
        {bl_bool(true), BL_TYPE_BOOL, true},
        {bl_number(BL_V_BOOL, 2), BL_TYPE_BOOL, false},
        {bl_number(BL_V_TASK, 0), BL_TYPE_TASK, true},
        {bl_number(BL_V_TASK, -1), BL_TYPE_TASK, false},
        {bl_number(BL_V_TASK, 0), BL_TYPE_COMMAND, false},
        {bl_number(BL_V_LOCALE, 2), BL_TYPE_LOCALE, true},
        {bl_number(BL_V_COMMAND, 2), BL_TYPE_COMMAND, true},
        {bl_number(BL_V_PATTERN, 2), BL_TYPE_PATTERN, true},
        {text("a"), BL_TYPE_TEXT, true},
        {text("a"), BL_TYPE_UNTRUSTED, true},
        {text("a"), BL_TYPE_LABEL, true},
        {text("a"), BL_TYPE_SECRET, true},
        {text(""), BL_TYPE_NAME, true},
        {text("a"), BL_TYPE_PATTERN, false},
        {{.tag = BL_V_TEXT, .len = 3}, BL_TYPE_TEXT, false},
        {bl_absent(), BL_TYPE_INT, false},
        {bl_absent(), BL_OPTIONAL(BL_TYPE_INT), true},
        {bl_absent(), BL_TYPE_NONE, true},
        {bl_absent(), BL_OPTIONAL(LABELS), true},
        {bl_int(1), BL_TYPE_NONE, false},
        {bl_int(1), BL_TYPE_ERROR, true},
        {bl_member_value(BL_ENUM_ISSUE_STATE, BL_ISSUE_STATE_CLOSED), STATE, true},
        {bl_member_value(BL_ENUM_ISSUE_STATE, 2), STATE, false},
        {bl_member_value(BL_ENUM_USER_KIND, 0), STATE, false},
        {bl_member_value(BL_ENUM_COUNT + 1, 9), BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + 1),
         true},
        {labels, LABELS, true},
        {labels, BL_LIST_OF((bl_type)BL_TYPE_INT), false},
        {labels, BL_TYPE_LABEL, false},
        {labels, BL_LIST_OF(LABELS), false},
        {mixed, LABELS, false},
        {holes, LABELS, false},
        {list_of(&labels, 1), BL_LIST_OF(LABELS), true},
        {list_of(NULL, 0), LABELS, true},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), THING(ISSUE), true},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), THING(PULL_REQUEST), false},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), BL_OPTIONAL(THING(ISSUE)), true},
        {{.tag = BL_V_OBJECT}, THING(ISSUE), false},
        {own, BL_TYPE_MAKE(BL_TYPE_POSTED, 5), true},
        {own, THING(COMMENT), true},
        {own, THING(ISSUE), false},
        {thing(BL_ENTITY_COMMENT, 7, "a/b"), BL_TYPE_MAKE(BL_TYPE_POSTED, 5), false},
        {record, BL_TYPE_MAKE(BL_TYPE_RECORD, 3), true},
        {record, BL_TYPE_MAKE(BL_TYPE_RECORD, 4), false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check_int(bl_value_has_type(cases[i].value, cases[i].type), cases[i].fits);
    }
}

/* Whatever the type, the tag of its values is one that has this type. */
TEST(every_type_has_a_tag)
{
    for (unsigned kind = 0; kind < BL_TYPE_KIND_COUNT; kind++) {
        bool without = kind == BL_TYPE_ERROR || kind == BL_TYPE_NONE;

        check_case("kind %u", kind);
        check_int(bl_tag_of_type((bl_type)kind) == BL_V_ABSENT, without);
        check_int(bl_tag_of_type(BL_OPTIONAL((bl_type)kind)), bl_tag_of_type((bl_type)kind));
        check_int(bl_tag_of_type(BL_LIST_OF((bl_type)kind)), BL_V_LIST);
        if ((bl_type_flags((enum bl_type_kind)kind) & BL_TYPE_T) != 0)
            check_int(bl_tag_of_type((bl_type)kind), BL_V_TEXT);
    }
}

/* ---- equality and order ----------------------------------------------------------------- */

/* Design, kernel: labels compare without case; review §5.9: `==` with absent is false. */
TEST(equality_is_that_of_policies)
{
    struct bl_value comment = thing(BL_ENTITY_COMMENT, 7, "a/b");
    struct bl_posted first = {.comment = comment.as.object, .kind = 1};
    struct bl_posted second = {.comment = thing(BL_ENTITY_COMMENT, 7, "A/b").as.object,
                               .kind = 2};
    struct bl_posted other = {.comment = thing(BL_ENTITY_COMMENT, 8, "a/b").as.object};
    struct bl_value fields[] = {text("Bug"), bl_absent(), bl_int(3)};
    struct bl_value same_fields[] = {text("Bug"), bl_absent(), bl_int(3)};
    struct bl_value other_fields[] = {text("bug"), bl_absent(), bl_int(3)};
    struct bl_value fewer[] = {text("Bug"), text(""), bl_int(3)};
    struct bl_value verdict = thing(BL_ENTITY_VERDICT, 0, "");
    const struct {
        struct bl_value a, b;
        bl_type type;
        bool equal;
    } cases[] = {
        {bl_int(1), bl_int(1), BL_TYPE_INT, true},
        {bl_int(1), bl_int(2), BL_TYPE_INT, false},
        {bl_int(60), bl_number(BL_V_DURATION, 60), BL_TYPE_INT, false},
        {bl_bool(false), bl_bool(false), BL_TYPE_BOOL, true},
        {bl_bool(false), bl_bool(true), BL_TYPE_BOOL, false},
        {bl_number(BL_V_DATE, 5), bl_number(BL_V_DATE, 5), BL_TYPE_DATE, true},
        {bl_number(BL_V_TASK, 0), bl_number(BL_V_TASK, 1), BL_TYPE_TASK, false},
        {bl_absent(), bl_absent(), BL_OPTIONAL(BL_TYPE_INT), false},
        {bl_absent(), bl_int(0), BL_OPTIONAL(BL_TYPE_INT), false},
        {bl_int(0), bl_absent(), BL_OPTIONAL(BL_TYPE_INT), false},
        {bl_member_value(1, 2), bl_member_value(1, 2), BL_TYPE_MAKE(BL_TYPE_ENUM, 1), true},
        {bl_member_value(1, 2), bl_member_value(2, 2), BL_TYPE_MAKE(BL_TYPE_ENUM, 1), false},
        {bl_member_value(1, 2), bl_member_value(1, 1), BL_TYPE_MAKE(BL_TYPE_ENUM, 1), false},
        {text("a"), text("a"), BL_TYPE_TEXT, true},
        {text("a"), text("A"), BL_TYPE_TEXT, false},
        {text("v1"), text("V1"), BL_TYPE_NAME, false},
        {text("a"), text("ab"), BL_TYPE_TEXT, false},
        {text(""), text(""), BL_TYPE_TEXT, true},
        {text("Needs Info"), text("needs info"), BL_TYPE_LABEL, true},
        {text("needs info"), text("needs-info"), BL_TYPE_LABEL, false},
        {text("Needs Info"), text("needs info"), BL_OPTIONAL(BL_TYPE_LABEL), true},
        {text("Owner/Name"), text("owner/name"), BL_TYPE_REPOSITORY_NAME, true},
        {text("Src/A"), text("src/a"), BL_TYPE_PATH, false},
        {user(1, "Alice"), user(1, "alice"), THING(USER), true},
        {user(1, "alice"), user(4, "alice"), THING(USER), true},
        {user(1, "alice"), user(1, "alicia"), THING(USER), false},
        {user(1, ""), user(1, ""), THING(USER), false},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), thing(BL_ENTITY_ISSUE, 1, "A/B"), THING(ISSUE),
         true},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), thing(BL_ENTITY_ISSUE, 2, "a/b"), THING(ISSUE),
         false},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), thing(BL_ENTITY_ISSUE, 1, "a/c"), THING(ISSUE),
         false},
        {thing(BL_ENTITY_ISSUE, 1, "a/b"), thing(BL_ENTITY_PULL_REQUEST, 1, "a/b"),
         THING(ISSUE), false},
        {thing(BL_ENTITY_RELEASE, 0, "v1"), thing(BL_ENTITY_RELEASE, 0, "v1"), THING(RELEASE),
         true},
        {thing(BL_ENTITY_RELEASE, 0, "v1"), thing(BL_ENTITY_RELEASE, 0, "V1"), THING(RELEASE),
         false},
        {thing(BL_ENTITY_REACTION, 5, ""), thing(BL_ENTITY_REACTION, 5, ""), THING(REACTION),
         true},
        {verdict, verdict, THING(VERDICT), true},
        {verdict, thing(BL_ENTITY_VERDICT, 0, ""), THING(VERDICT), false},
        {{.tag = BL_V_POSTED, .as.posted = &first}, comment, THING(COMMENT), true},
        {comment, {.tag = BL_V_POSTED, .as.posted = &first}, THING(COMMENT), true},
        {{.tag = BL_V_POSTED, .as.posted = &first},
         {.tag = BL_V_POSTED, .as.posted = &second},
         THING(COMMENT),
         true},
        {{.tag = BL_V_POSTED, .as.posted = &first},
         {.tag = BL_V_POSTED, .as.posted = &other},
         THING(COMMENT),
         false},
        {{.tag = BL_V_POSTED, .as.posted = &first}, bl_int(7), THING(COMMENT), false},
        {list_of((struct bl_value[]){text("A"), text("b")}, 2),
         list_of((struct bl_value[]){text("a"), text("B")}, 2), LABELS, true},
        {list_of((struct bl_value[]){text("A"), text("b")}, 2),
         list_of((struct bl_value[]){text("a"), text("B")}, 2),
         BL_LIST_OF((bl_type)BL_TYPE_TEXT), false},
        {list_of((struct bl_value[]){text("a"), text("b")}, 2),
         list_of((struct bl_value[]){text("b"), text("a")}, 2), LABELS, false},
        {list_of((struct bl_value[]){text("a"), text("b")}, 2),
         list_of((struct bl_value[]){text("a")}, 1), LABELS, false},
        {list_of(NULL, 0), list_of(NULL, 0), LABELS, true},
        {{.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = fields},
         {.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = same_fields},
         BL_TYPE_MAKE(BL_TYPE_RECORD, 1),
         true},
        {{.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = fields},
         {.tag = BL_V_RECORD, .aux = 2, .len = 3, .as.fields = same_fields},
         BL_TYPE_MAKE(BL_TYPE_RECORD, 1),
         false},
        {{.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = fields},
         {.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = other_fields},
         BL_TYPE_MAKE(BL_TYPE_RECORD, 1),
         false},
        {{.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = fields},
         {.tag = BL_V_RECORD, .aux = 1, .len = 3, .as.fields = fewer},
         BL_TYPE_MAKE(BL_TYPE_RECORD, 1),
         false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("row %zu", i);
        check_int(bl_value_equal(cases[i].a, cases[i].b, cases[i].type), cases[i].equal);
        check_int(bl_value_equal(cases[i].b, cases[i].a, cases[i].type), cases[i].equal);
    }
}

TEST(a_list_with_pages_to_come_equals_nothing)
{
    struct bl_value a = list_of((struct bl_value[]){bl_int(1)}, 1);
    struct bl_value b = list_of((struct bl_value[]){bl_int(1)}, 1);

    check(bl_value_equal(a, b, BL_LIST_OF((bl_type)BL_TYPE_INT)));
    b.as.list->complete = false;
    check(!bl_value_equal(a, b, BL_LIST_OF((bl_type)BL_TYPE_INT)));
    check(!bl_value_equal(b, a, BL_LIST_OF((bl_type)BL_TYPE_INT)));
}

/* A list that holds itself cannot come from a policy; a host's mistake must not end the
 * process. */
TEST(a_value_without_end_equals_nothing)
{
    struct bl_value a = list_of((struct bl_value[]){bl_int(1)}, 1);

    a.as.list->items[0] = a;
    check(!bl_value_equal(a, a, BL_LIST_OF((bl_type)BL_TYPE_INT)));
}

TEST(order_is_that_of_numbers)
{
    static const struct {
        int64_t a, b;
        int order;
    } cases[] = {
        {1, 2, -1},
        {2, 1, 1},
        {7, 7, 0},
        {INT64_MIN, INT64_MAX, -1},
        {INT64_MAX, INT64_MIN, 1},
        {-1, 0, -1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int order =
            bl_value_order(bl_number(BL_V_TIME, cases[i].a), bl_number(BL_V_TIME, cases[i].b));

        check_case("row %zu", i);
        check_int((order > 0) - (order < 0), cases[i].order);
    }
}

/* ---- things ----------------------------------------------------------------------------- */

TEST(things_know_what_was_set)
{
    struct bl_object *issue = bl_object_create(&arena, BL_ENTITY_ISSUE, 12, BL_STR("a/b"));

    check(!bl_object_knows(issue, BL_FIELD_ISSUE_CLOSED_AT));
    check(bl_is_absent(bl_object_get(issue, BL_FIELD_ISSUE_CLOSED_AT)));
    bl_object_set(issue, BL_FIELD_ISSUE_CLOSED_AT, bl_absent());
    check(bl_object_knows(issue, BL_FIELD_ISSUE_CLOSED_AT));
    check(bl_is_absent(bl_object_get(issue, BL_FIELD_ISSUE_CLOSED_AT)));
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(12));
    check_int(bl_object_get(issue, BL_FIELD_ISSUE_NUMBER).as.i, 12);
    check(!bl_object_knows(issue, BL_FIELD_ISSUE_TITLE));
    bl_object_set(issue, BL_FIELD_ISSUE_NUMBER, bl_int(13));
    check_int(bl_object_get(issue, BL_FIELD_ISSUE_NUMBER).as.i, 13);
}

TEST(fields_of_other_things_change_nothing)
{
    struct bl_object *issue = bl_object_create(&arena, BL_ENTITY_ISSUE, 12, BL_STR("a/b"));

    bl_object_set(issue, BL_FIELD_COMMENT_ID, bl_int(1));
    bl_object_set(issue, BL_FIELD_COUNT, bl_int(1));
    bl_object_set(issue, (enum bl_field)(BL_FIELD_ISSUE_NUMBER + 31), bl_int(1));
    check_int(issue->known, 0);
    check(!bl_object_knows(issue, BL_FIELD_COMMENT_ID));
    check(bl_is_absent(bl_object_get(issue, BL_FIELD_COMMENT_ID)));
}

TEST(every_field_of_a_thing_has_room)
{
    for (unsigned e = 0; e < BL_ENTITY_COUNT; e++) {
        const struct bl_entity_info *info = bl_entity_info((enum bl_entity)e);
        struct bl_object *object = bl_object_create(&arena, (enum bl_entity)e, 1, BL_STR("x"));

        check_case("%.*s", BL_STR_ARG(info->name));
        check_int(object != NULL, info->is_object);
        for (unsigned i = 0; object != NULL && i < info->field_count; i++)
            bl_object_set(object, (enum bl_field)(info->first_field + i), bl_int(i));
        for (unsigned i = 0; object != NULL && i < info->field_count; i++) {
            enum bl_field field = (enum bl_field)(info->first_field + i);

            check(bl_object_knows(object, field));
            check_int(bl_object_get(object, field).as.i, i);
        }
    }
    check(bl_object_create(&arena, BL_ENTITY_COUNT, 1, BL_STR("x")) == NULL);
}

TEST(a_posted_comment_stands_for_its_comment)
{
    struct bl_value comment = thing(BL_ENTITY_COMMENT, 7, "a/b");
    struct bl_posted posted = {.comment = comment.as.object};
    struct bl_value own = {.tag = BL_V_POSTED, .as.posted = &posted};

    check(bl_object_of(comment) == comment.as.object);
    check(bl_object_of(own) == comment.as.object);
    check(bl_object_of(bl_int(7)) == NULL);
    check(bl_object_of(bl_absent()) == NULL);
}

TEST(out_of_memory_gives_no_thing)
{
    struct bl_arena small;

    bl_arena_init(&small, 64, NULL);
    check(bl_object_create(&small, BL_ENTITY_ISSUE, 1, BL_STR("x")) == NULL);
    bl_arena_reset(&small);
}

int main(void)
{
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_small),
        WITH_ARENA(values_have_the_form_of_their_type),
        cmocka_unit_test(every_type_has_a_tag),
        WITH_ARENA(equality_is_that_of_policies),
        WITH_ARENA(a_list_with_pages_to_come_equals_nothing),
        WITH_ARENA(a_value_without_end_equals_nothing),
        cmocka_unit_test(order_is_that_of_numbers),
        WITH_ARENA(things_know_what_was_set),
        WITH_ARENA(fields_of_other_things_change_nothing),
        WITH_ARENA(every_field_of_a_thing_has_room),
        WITH_ARENA(a_posted_comment_stands_for_its_comment),
        cmocka_unit_test(out_of_memory_gives_no_thing),
    };

    return check_main(tests);
}
