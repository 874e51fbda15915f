/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"
#include "vm/builtins.h"

/* The builtins over lists, numbers and texts: the last column of builtins.def, language-review
 * §4 and table 1.23. */

static struct bl_arena arena;
static struct stage stage;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 64 << 20, NULL);
    stage_of(&stage, &arena, "pure nothing()\n  end\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static enum bl_status status_of(enum bl_builtin builtin, const struct bl_value *args,
                                const bl_type *types, struct bl_value *out)
{
    struct bl_builtin_call call = {&stage.machine, args, types, out};

    *out = bl_absent();
    return bl_builtin_run(builtin, &call);
}

static struct bl_value run(enum bl_builtin builtin, const struct bl_value *args,
                           const bl_type *types)
{
    struct bl_value out;

    check_status(status_of(builtin, args, types, &out), BL_OK);
    return out;
}

static const bl_type ints = BL_TYPE_INT | BL_TYPE_LIST_STEP;

static struct bl_value int_list(const int64_t *items, size_t count, enum bl_value_tag tag)
{
    struct bl_list *list = bl_list_create(&arena);

    for (size_t i = 0; i < count; i++)
        check_status(bl_list_push(&arena, list, bl_number(tag, items[i])), BL_OK);
    return bl_list_value(list);
}

static struct bl_value of_ints(enum bl_builtin builtin, const int64_t *items, size_t count)
{
    struct bl_value list = int_list(items, count, BL_V_INT);

    return run(builtin, &list, &ints);
}

/* Two pages: the second one comes when it is asked for, or fails. */
struct paged {
    struct bl_list list;
    unsigned asked;
    bool fails;
};

static enum bl_status more(struct bl_list *list, void *context)
{
    struct paged *paged = context;

    paged->asked++;
    if (paged->fails)
        return BL_ERR_READ;
    list->complete = true;
    return bl_list_push(&arena, list, bl_int(30));
}

static struct bl_value pages(struct paged *paged, bool fails)
{
    *paged = (struct paged){.fails = fails};
    paged->list.more = more;
    paged->list.context = paged;
    check_status(bl_list_push(&arena, &paged->list, bl_int(10)), BL_OK);
    check_status(bl_list_push(&arena, &paged->list, bl_int(20)), BL_OK);
    return bl_list_value(&paged->list);
}

TEST(elements_of_lists)
{
    static const int64_t three[] = {7, 8, 9};

    check_int(of_ints(BL_BUILTIN_COUNT_OF, three, 3).as.i, 3);
    check_int(of_ints(BL_BUILTIN_COUNT_OF, three, 0).as.i, 0);
    check_int(of_ints(BL_BUILTIN_FIRST, three, 3).as.i, 7);
    check(bl_is_absent(of_ints(BL_BUILTIN_FIRST, three, 0)));
    check_int(of_ints(BL_BUILTIN_LAST, three, 3).as.i, 9);
    check(bl_is_absent(of_ints(BL_BUILTIN_LAST, three, 0)));
    check_int(of_ints(BL_BUILTIN_ONLY, three, 1).as.i, 7);
    check(bl_is_absent(of_ints(BL_BUILTIN_ONLY, three, 0)));
    check(bl_is_absent(of_ints(BL_BUILTIN_ONLY, three, 2)));
}

static size_t taken(struct bl_value list, int64_t count)
{
    struct bl_value args[] = {list, bl_int(count)};
    const bl_type types[] = {ints, BL_TYPE_INT};

    return run(BL_BUILTIN_TAKE, args, types).as.list->count;
}

/* §5.1: first, take and at_most stop paging. */
TEST(pages_come_when_they_are_needed)
{
    struct paged paged;
    struct bl_value list = pages(&paged, true);
    struct bl_value out;

    check_int(run(BL_BUILTIN_FIRST, &list, &ints).as.i, 10);
    check_size(taken(list, 2), 2);
    check_size(taken(list, 0), 0);
    check_size(taken(list, -1), 0);
    check_int(paged.asked, 0);
    check_status(status_of(BL_BUILTIN_COUNT_OF, &list, &ints, &out), BL_ERR_READ);
    check_status(status_of(BL_BUILTIN_LAST, &list, &ints, &out), BL_ERR_READ);
    struct bl_value args[] = {list, bl_int(3)};
    check_status(status_of(BL_BUILTIN_TAKE, args, (const bl_type[]){ints, BL_TYPE_INT}, &out),
                 BL_ERR_READ);
    list = pages(&paged, false);
    check_size(taken(list, 10), 3);
    check_int(run(BL_BUILTIN_LAST, &list, &ints).as.i, 30);
    check_int(paged.asked, 1);
}

TEST(each_value_once)
{
    static const int64_t numbers[] = {3, 1, 3, 2, 1};
    struct bl_value out = of_ints(BL_BUILTIN_DISTINCT, numbers, 5);
    static const int64_t expected[] = {3, 1, 2};

    check_size(out.as.list->count, 3);
    for (uint32_t i = 0; i < 3; i++)
        check_int(out.as.list->items[i].as.i, expected[i]);
    /* Labels compare without case, names with it. */
    struct bl_value names[] = {text_value("Bug"), text_value("bug"), text_value("Bug")};
    struct bl_value list = list_value(&arena, names, 3);
    const bl_type labels = BL_LIST_OF(BL_TYPE_LABEL);
    const bl_type plain = BL_LIST_OF(BL_TYPE_NAME);
    check_size(run(BL_BUILTIN_DISTINCT, &list, &labels).as.list->count, 1);
    check_size(run(BL_BUILTIN_DISTINCT, &list, &plain).as.list->count, 2);
    /* One person through two things is one. */
    struct bl_value people[] = {
        bl_object_value(bl_object_create(&arena, BL_ENTITY_USER, 1, BL_STR("Alice"))),
        bl_object_value(bl_object_create(&arena, BL_ENTITY_USER, 3, BL_STR("alice"))),
        bl_object_value(bl_object_create(&arena, BL_ENTITY_USER, 1, BL_STR("bob"))),
    };
    list = list_value(&arena, people, 3);
    const bl_type users = BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_USER));
    check_size(run(BL_BUILTIN_DISTINCT, &list, &users).as.list->count, 2);
    /* Many, in a time that grows with their number. */
    struct bl_list *many = bl_list_create(&arena);
    for (int64_t i = 0; i < 50000; i++)
        check_status(bl_list_push(&arena, many, bl_int(i % 40000)), BL_OK);
    list = bl_list_value(many);
    uint64_t used = stage.machine.used;
    check_size(run(BL_BUILTIN_DISTINCT, &list, &ints).as.list->count, 40000);
    check(stage.machine.used - used < 300000);
}

TEST(lists_of_lists)
{
    static const int64_t numbers[] = {1, 2, 3};
    struct bl_value parts[] = {int_list(numbers, 2, BL_V_INT), int_list(numbers, 0, BL_V_INT),
                               int_list(numbers + 2, 1, BL_V_INT)};
    struct bl_value list = list_value(&arena, parts, 3);
    const bl_type type = BL_LIST_OF(ints);
    struct bl_value out = run(BL_BUILTIN_FLAT, &list, &type);

    check_size(out.as.list->count, 3);
    for (uint32_t i = 0; i < 3; i++)
        check_int(out.as.list->items[i].as.i, numbers[i]);
}

TEST(sums_saturate)
{
    static const int64_t some[] = {5, -7, 4};
    static const int64_t large[] = {INT64_MAX, 1};

    check_int(of_ints(BL_BUILTIN_SUM, some, 3).as.i, 2);
    check_int(of_ints(BL_BUILTIN_SUM, some, 0).as.i, 0);
    check(of_ints(BL_BUILTIN_SUM, large, 2).as.i == INT64_MAX);
}

static struct bl_value median(const int64_t *items, size_t count)
{
    struct bl_value list = int_list(items, count, BL_V_DURATION);
    const bl_type type = BL_LIST_OF(BL_TYPE_DURATION);

    return run(BL_BUILTIN_MEDIAN, &list, &type);
}

/* Of an even number: the mean, in whole minutes (table 1.23). */
TEST(the_median_is_in_the_middle)
{
    static const int64_t odd[] = {300, 60, 120};
    static const int64_t even[] = {60, 301, 120, 90};
    static const int64_t large[] = {INT64_MAX, INT64_MAX - 1};
    int64_t many[101];

    check(bl_is_absent(median(odd, 0)));
    check_int(median(odd, 1).as.i, 300);
    check_int(median(odd, 3).as.i, 120);
    check_int(median(odd, 3).tag, BL_V_DURATION);
    check_int(median(even, 4).as.i, 60); /* (90 + 120) / 2 is 105 seconds */
    check_int(median(even, 2).as.i, 180);
    check(median(large, 2).as.i > INT64_MAX - 100);
    for (int64_t i = 0; i < 101; i++)
        many[i] = (i * 37) % 101 * 60;
    check_int(median(many, 101).as.i, 50 * 60);
}

TEST(the_newest_and_the_larger)
{
    static const int64_t times[] = {30, 50, 40};
    struct bl_value list = int_list(times, 3, BL_V_TIME);
    const bl_type type = BL_LIST_OF(BL_TYPE_TIME);
    struct bl_value none = int_list(times, 0, BL_V_TIME);

    check_int(run(BL_BUILTIN_LATEST, &list, &type).as.i, 50);
    check_int(run(BL_BUILTIN_LATEST, &list, &type).tag, BL_V_TIME);
    check(bl_is_absent(run(BL_BUILTIN_LATEST, &none, &type)));
    struct bl_value two[] = {bl_number(BL_V_DURATION, 5), bl_number(BL_V_DURATION, 6)};
    const bl_type durations[] = {BL_TYPE_DURATION, BL_TYPE_DURATION};
    check_int(run(BL_BUILTIN_LARGER, two, durations).as.i, 6);
    struct bl_value turned[] = {two[1], two[0]};
    check_int(run(BL_BUILTIN_LARGER, turned, durations).as.i, 6);
}

TEST(days_between_dates)
{
    struct bl_value dates[] = {date_value("2026-02-27"), date_value("2026-03-02")};
    const bl_type types[] = {BL_TYPE_DATE, BL_TYPE_DATE};

    check_int(run(BL_BUILTIN_DAYS, dates, types).as.i, 3);
    struct bl_value turned[] = {dates[1], dates[0]};
    check_int(run(BL_BUILTIN_DAYS, turned, types).as.i, -3);
}

static bl_str text_of(enum bl_builtin builtin, const char *text, struct bl_value second)
{
    struct bl_value args[] = {text_value(text), second};
    const bl_type types[] = {BL_TYPE_UNTRUSTED, BL_TYPE_INT};

    return bl_text_of(run(builtin, args, types));
}

TEST(texts_as_characters)
{
    struct bl_value text = text_value("\xC3\xA4"
                                      "b\xF0\x9F\x99\x82");
    const bl_type type = BL_TYPE_UNTRUSTED;

    check_int(run(BL_BUILTIN_LENGTH, &text, &type).as.i, 3);
    check_int(run(BL_BUILTIN_BYTES_OF, &text, &type).as.i, 7);
    check_str(text_of(BL_BUILTIN_LOWER, "ABC \xC3\x84", bl_absent()), "abc \xC3\xA4");
    check_str(text_of(BL_BUILTIN_TRIM, " \t\r\na b\n", bl_absent()), "a b");
    check_str(text_of(BL_BUILTIN_CUT,
                      "\xC3\xA4"
                      "bc",
                      bl_int(2)),
              "\xC3\xA4"
              "b");
    check_str(text_of(BL_BUILTIN_CUT, "abc", bl_int(0)), "");
    check_str(text_of(BL_BUILTIN_CUT, "abc", bl_int(-5)), "");
    check_str(text_of(BL_BUILTIN_CUT, "abc", bl_int(INT64_MAX)), "abc");
}

TEST(patterns_strip_blank_and_find)
{
    struct bl_value digits = bl_number(BL_V_PATTERN, 1);
    struct bl_value crash = bl_number(BL_V_PATTERN, 0);
    struct bl_value args[] = {text_value("a12 b3"), digits};
    const bl_type types[] = {BL_TYPE_UNTRUSTED, BL_TYPE_PATTERN};

    check_str(text_of(BL_BUILTIN_STRIP, "a12 b3", digits), "a b");
    check_str(text_of(BL_BUILTIN_STRIP, "abc", digits), "abc");
    check_str(text_of(BL_BUILTIN_STRIP, "123", digits), "");
    check_str(text_of(BL_BUILTIN_BLANK, "a12 b3", digits), "a   b ");
    check_str(text_of(BL_BUILTIN_STRIP, "It CRASHES, crash!", crash), "It , !");
    struct bl_value found = run(BL_BUILTIN_FINDS, args, types);
    check_size(found.as.list->count, 2);
    check_str(bl_text_of(found.as.list->items[0]), "12");
    check_str(bl_text_of(found.as.list->items[1]), "3");
}

static bl_str money(int64_t amount, int64_t decimals)
{
    struct bl_value args[] = {bl_number(BL_V_MONEY, amount), bl_int(decimals)};
    const bl_type types[] = {BL_TYPE_MONEY, BL_TYPE_INT};

    return bl_text_of(run(BL_BUILTIN_MONEY, args, types));
}

/* ENG-12: cost with three decimals and budget with two. */
TEST(amounts_have_their_decimals)
{
    check_str(money(12345, 3), "$1.235");
    check_str(money(12344, 3), "$1.234");
    check_str(money(10000, 2), "$1.00");
    check_str(money(10000, 0), "$1");
    check_str(money(14999, 0), "$1");
    check_str(money(15000, 0), "$2");
    check_str(money(9999, 2), "$1.00");
    check_str(money(1, 4), "$0.0001");
    check_str(money(1, 9), "$0.0001");
    check_str(money(-12345, 2), "-$1.23");
    check_str(money(-1, 2), "$0.00");
    check_str(money(INT64_MIN, 4), "-$922337203685477.5808");
}

/* Without a snapshot nothing can be read; what needs no read still answers. */
TEST(reads_fail_without_a_world)
{
    struct bl_value out;
    struct bl_value number = bl_int(12);
    const bl_type type = BL_TYPE_INT;
    struct bl_value zero = bl_int(0);
    struct bl_value none = bl_absent();

    check_status(status_of(BL_BUILTIN_ISSUE_NUMBER, &number, &type, &out), BL_ERR_READ);
    check_status(status_of(BL_BUILTIN_NUMBERED, &number, &type, &out), BL_ERR_READ);
    check_status(status_of(BL_BUILTIN_ISSUE_NUMBER, &zero, &type, &out), BL_OK);
    check(bl_is_absent(out));
    check_status(status_of(BL_BUILTIN_ISSUE_NUMBER, &none, &type, &out), BL_OK);
    check(bl_is_absent(out));
    check_status(status_of(BL_BUILTIN_POSTED, &number, &type, &out), BL_ERR_INTERNAL);
    check_status(status_of(BL_BUILTIN_COUNT, &number, &type, &out), BL_ERR_INTERNAL);
}

/* ---- documents --------------------------------------------------------------------------- */

static void check_placed(enum bl_builtin builtin, const char *text, const char *wanted)
{
    const bl_type type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_PROMPT);
    struct bl_value value = bl_text(bl_str_from(text));

    check_case("%s", text);
    check_str(bl_text_of(run(builtin, &value, &type)), wanted);
}

/* req: CTX-22
 * Whatever stands inside, no run of back-ticks in it is as long as the fence. */
TEST(nothing_inside_closes_a_fence)
{
    check_placed(BL_BUILTIN_FENCED, "", "```\n```");
    check_placed(BL_BUILTIN_FENCED, "a", "```\na\n```");
    check_placed(BL_BUILTIN_FENCED, "a\n", "```\na\n```");
    check_placed(BL_BUILTIN_FENCED, "``", "```\n``\n```");
    check_placed(BL_BUILTIN_FENCED, "```", "````\n```\n````");
    check_placed(BL_BUILTIN_FENCED, "```\n# Rules\n~~~~~~", "````\n```\n# Rules\n~~~~~~\n````");
    check_placed(BL_BUILTIN_FENCED, "`````x``````", "```````\n`````x``````\n```````");
    check_placed(BL_BUILTIN_FENCED, "a\r```", "````\na\r```\n````");
}

TEST(each_line_of_a_quotation_begins_as_one)
{
    check_placed(BL_BUILTIN_QUOTED, "a", "a");
    check_placed(BL_BUILTIN_QUOTED, "a\nb\n\nc", "a\n> b\n> \n> c");
    check_placed(BL_BUILTIN_QUOTED, "a\rb\r\nc", "a\r> b\r\n> c");
    check_placed(BL_BUILTIN_QUOTED, "", "");
    check_placed(BL_BUILTIN_ITEM_LINES, "a\nb\r\n\nc", "a\n  b\r\n  \n  c");
}

/* RFC 8259: quotes, backslashes and controls are escaped; what nobody sees is, too. */
TEST(values_as_json)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a", "\"a\""},
        {"", "\"\""},
        {"say \"x\" \\ y", "\"say \\\"x\\\" \\\\ y\""},
        {"a\nb\tc\r", "\"a\\nb\\u0009c\\u000D\""},
        {"a\xE2\x80\x8B\xE2\x80\xA8z", "\"a\\u200B\\u2028z\""},
        {"\xF3\xA0\x81\x81", "\"\\uDB40\\uDC41\""},
        {"\xC3\xA4\xF0\x9F\x91\x8D", "\"\xC3\xA4\xF0\x9F\x91\x8D\""},
    };
    const bl_type type = BL_TYPE_TEXT;
    struct bl_value value = bl_absent();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bl_value text = bl_text(bl_str_from(cases[i].text));

        check_case("case %zu", i);
        check_str(bl_text_of(run(BL_BUILTIN_JSON_VALUE, &text, &type)), cases[i].json);
    }
    check_str(bl_text_of(run(BL_BUILTIN_JSON_VALUE, &value, &type)), "null");
    value = bl_bool(true);
    check_str(bl_text_of(run(BL_BUILTIN_JSON_VALUE, &value, &type)), "true");
    value = bl_int(-12);
    check_str(bl_text_of(run(BL_BUILTIN_JSON_VALUE, &value, &type)), "-12");
    value = int_list((const int64_t[]){1, 2}, 2, BL_V_DATE);
    check_str(bl_text_of(run(BL_BUILTIN_JSON_VALUE, &value, &type)),
              "[\"1970-01-02\",\"1970-01-03\"]");
}

static void check_order(enum bl_builtin builtin, enum bl_value_tag tag, const int64_t *keys,
                        const int64_t *wanted, size_t count)
{
    const bl_type types[2] = {
        ints, BL_LIST_OF(tag == BL_V_TIME ? (bl_type)BL_TYPE_TIME : (bl_type)BL_TYPE_INT)};
    int64_t places[8];

    for (size_t i = 0; i < count; i++)
        places[i] = (int64_t)i;
    struct bl_value args[2] = {int_list(places, count, BL_V_INT), int_list(keys, count, tag)};
    struct bl_list *sorted = run(builtin, args, types).as.list;
    check_size(sorted->count, count);
    for (size_t i = 0; i < count; i++)
        check_int(sorted->items[i].as.i, wanted[i]);
}

/* req: DIG-04 */
TEST(an_order_is_stable_and_knows_the_ends_of_numbers)
{
    static const int64_t keys[] = {3, INT64_MIN, 3, INT64_MAX, 1, 3};
    static const int64_t oldest[] = {1, 4, 0, 2, 5, 3};
    static const int64_t most[] = {3, 0, 2, 5, 4, 1};

    check_order(BL_BUILTIN_OLDEST_FIRST, BL_V_TIME, keys, oldest, 6);
    check_order(BL_BUILTIN_MOST_FIRST, BL_V_INT, keys, most, 6);
    check_order(BL_BUILTIN_MOST_FIRST, BL_V_INT, keys, most, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elements_of_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pages_come_when_they_are_needed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_value_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_of_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sums_saturate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_median_is_in_the_middle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_newest_and_the_larger, set_up, tear_down),
        cmocka_unit_test_setup_teardown(days_between_dates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_inside_closes_a_fence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_as_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_line_of_a_quotation_begins_as_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_order_is_stable_and_knows_the_ends_of_numbers,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_as_characters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(patterns_strip_blank_and_find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(amounts_have_their_decimals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_fail_without_a_world, set_up, tear_down),
    };
    return check_main(tests);
}
