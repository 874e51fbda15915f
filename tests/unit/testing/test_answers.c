/* SPDX-License-Identifier: Apache-2.0 */
#include "compiling.h"
#include "report/report.h"
#include "run/answer.h"
#include "support/allocator.h"
#include "support/check.h"

#include <string.h>

/* The record of a task, its JSON and its schema. What fits and what does not stands here by
 * hand, from RFC 8259 and JSON Schema 2020-12. */

#define MINE                                                                                   \
    "package mine { account \"github-actions[bot]\"; marker \"mine\" }\n"                      \
    "locale en \"English\" { day \"{year}\" }\n"                                               \
    "locale other like en\n"                                                                   \
    "group kinds\n"                                                                            \
    "label bug \"bug\" { color \"b60205\"; group kinds }\n"                                    \
    "label wish \"a wish\" { color \"b60205\"; group kinds }\n"                                \
    "label stale \"stale\" { color \"b60205\" }\n"                                             \
    "record place { path : untrusted max 5; line : int? min 1 max 9 }\n"                       \
    "task triage { answer {\n"                                                                 \
    "  language : locale\n"                                                                    \
    "  kind : label of kinds\n"                                                                \
    "  extra : label?\n"                                                                       \
    "  spam : bool\n"                                                                          \
    "  sure : high, medium\n"                                                                  \
    "  text : untrusted max 3\n"                                                               \
    "  notes : list max 2 of untrusted max 2\n"                                                \
    "  places : list of place max 1\n"                                                         \
    "  more : list max 2 { number : int }\n"                                                   \
    "} }\n"                                                                                    \
    "task touch\n"

#define HEAD                                                                                   \
    "\"language\": \"other\", \"kind\": \"a wish\", \"spam\": false, \"sure\": \"medium\", "
#define GOOD                                                                                   \
    "{" HEAD "\"text\": \"\\u00e9\\ud83d\\ude00x\", \"notes\": [\"ab\", \"\"], "               \
    "\"places\": [{\"path\": \"a.c\", \"line\": 9}], \"more\": []}"

struct reading {
    struct compiling c;
    struct bl_task_answer answer;
    enum bl_status status;
    bl_str message; /* of the first diagnostic */
};

static void read_of(struct reading *r, uint32_t task, bl_str json)
{
    struct bl_buf words;
    compiling_begin(&r->c, MINE, NULL);
    check_status(r->c.status, BL_OK);
    r->status = bl_answer_read(&r->c.arena, &r->c.module, task, json, BL_NO_SOURCE, &r->answer,
                               &r->c.sink);
    bl_buf_init(&words, &r->c.arena, 1000);
    if (r->c.sink.list.count > 0)
        bl_report_message(r->c.sink.list.items[0], &words);
    r->message = bl_buf_str(&words);
}

/* req: ANS-01 */
TEST(an_answer_that_fits_is_a_record)
{
    struct reading r;
    read_of(&r, 0, BL_STR(GOOD));
    check_str(r.message, "");
    check_status(r.status, BL_OK);
    check_int(r.answer.value.tag, BL_V_RECORD);
    check_size(r.answer.value.len, 9);
    const struct bl_value *fields = r.answer.value.as.fields;
    check_int(fields[0].as.i, 1);
    check_str(bl_text_of(fields[1]), "a wish");
    check(bl_is_absent(fields[2]));
    check_int(fields[3].as.i, 0);
    check_int(fields[4].as.i, 1);
    check_str(bl_text_of(fields[5]), "é😀x");
    check_size(fields[6].as.list->count, 2);
    check_int(fields[7].as.list->items[0].as.fields[1].as.i, 9);
    bl_arena_reset(&r.c.arena);
}

#define REFUSED(what) "The answer of 'triage' is refused: " what "."

/* req: ANS-01 */
TEST(an_answer_that_does_not_fit_is_refused_whole)
{
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"[]", REFUSED("'$' must be an object")},
        {"{}", REFUSED("'$' lacks 'language'")},
        {"{" HEAD "\"text\": \"\", \"notes\": [], \"places\": []}",
         REFUSED("'$' lacks 'more'")},
        {"{" HEAD "\"text\": \"\", \"notes\": [], \"places\": [], \"more\": [], \"x\": 1}",
         REFUSED("'$' has a part that was not asked for")},
        {"{" HEAD "\"text\": \"abcd\", \"notes\": [], \"places\": [], \"more\": []}",
         REFUSED("'text' has more than 3 characters")},
        {"{" HEAD "\"text\": 3, \"notes\": [], \"places\": [], \"more\": []}",
         REFUSED("'text' must be a text")},
        {"{" HEAD "\"text\": null, \"notes\": [], \"places\": [], \"more\": []}",
         REFUSED("'text' must be a text")},
        {"{" HEAD "\"text\": \"\", \"notes\": [\"ab\", \"abc\"], \"places\": [], \"more\": []}",
         REFUSED("'notes[1]' has more than 2 characters")},
        {"{" HEAD
         "\"text\": \"\", \"notes\": [\"\", \"\", \"\"], \"places\": [], \"more\": []}",
         REFUSED("'notes' has more than 2 elements")},
        {"{" HEAD "\"text\": \"\", \"notes\": \"\", \"places\": [], \"more\": []}",
         REFUSED("'notes' must be a list")},
        {"{" HEAD "\"text\": \"\", \"notes\": [], \"places\": [{}], \"more\": []}",
         REFUSED("'places[0]' lacks 'path'")},
        {"{" HEAD
         "\"text\": \"\", \"notes\": [], \"places\": [{\"path\": \"a.c\", \"line\": 0}], "
         "\"more\": []}",
         REFUSED("'places[0].line' is less than 1")},
        {"{" HEAD
         "\"text\": \"\", \"notes\": [], \"places\": [{\"path\": \"a.c\", \"line\": 10}], "
         "\"more\": []}",
         REFUSED("'places[0].line' is more than 9")},
        {"{" HEAD
         "\"text\": \"\", \"notes\": [], \"places\": [{\"path\": \"a.c\", \"line\": 1.5}], "
         "\"more\": []}",
         REFUSED("'places[0].line' must be a whole number")},
        {"{" HEAD "\"text\": \"\", \"notes\": [], \"places\": [{\"path\": \"long.c\"}], "
         "\"more\": []}",
         REFUSED("'places[0].path' has more than 5 characters")},
        {"{" HEAD "\"text\": \"\", \"notes\": [], \"places\": [], "
         "\"more\": [{\"number\": 1}, {\"number\": true}]}",
         REFUSED("'more[1].number' must be a whole number")},
        {"{\"language\": \"de\", \"kind\": \"bug\"}",
         REFUSED("'language' is the code of no declared language")},
        {"{\"language\": \"en\", \"kind\": \"bug\", \"spam\": \"no\"}",
         REFUSED("'spam' must be true or false")},
        {"{\"language\": \"en\", \"kind\": \"bug\", \"spam\": true, \"sure\": \"low\"}",
         REFUSED("'sure' is none of the words that it may be: 'high', 'medium'")},
        {"{\"language\": \"en\", \"kind\": \"stale\", \"spam\": true, \"sure\": \"high\", "
         "\"text\": \"\", \"notes\": [], \"places\": [], \"more\": []}",
         REFUSED("'kind' is no label that it may name")},
        {"{\"language\": \"en\", \"kind\": \"bug\", \"extra\": \"Bug\", \"spam\": true, "
         "\"sure\": \"high\", \"text\": \"\", \"notes\": [], \"places\": [], \"more\": []}",
         REFUSED("'extra' is no label that it may name")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reading r;
        check_case("%s", cases[i].json);
        read_of(&r, 0, bl_str_from(cases[i].json));
        check_str(r.message, cases[i].message);
        check_status(r.status, BL_ERR_INVALID);
        bl_arena_reset(&r.c.arena);
    }
}

TEST(what_is_not_json_is_refused)
{
    static const char *const cases[] = {"", "{", "{\"spam\": true, \"spam\": true}", "{} {}",
                                        "{\"text\": \"\\ud800\"}"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reading r;
        check_case("%s", cases[i]);
        read_of(&r, 0, bl_str_from(cases[i]));
        check_status(r.status, BL_ERR_INVALID);
        check_int(r.c.sink.list.items[0]->code, BL_D_JSON_BROKEN);
        bl_arena_reset(&r.c.arena);
    }
}

TEST(a_task_without_an_answer_takes_an_empty_object)
{
    struct reading r;
    read_of(&r, 1, BL_STR("{}"));
    check_status(r.status, BL_OK);
    check(bl_is_absent(r.answer.value));
    bl_arena_reset(&r.c.arena);
    read_of(&r, 1, BL_STR("{\"a\": 1}"));
    check_status(r.status, BL_ERR_INVALID);
    bl_arena_reset(&r.c.arena);
}

/* Without blanks and line ends, which JSON does not count. */
static bl_str squeezed(struct bl_arena *arena, bl_str json)
{
    char *out = bl_arena_alloc(arena, 1, json.len);
    size_t len = 0;
    for (size_t i = 0; i < json.len; i++)
        if (json.ptr[i] != ' ' && json.ptr[i] != '\n')
            out[len++] = json.ptr[i];
    return (bl_str){out, len};
}

/* req: ANS-10 ANS-11 ANS-26 */
TEST(the_schema_says_the_same)
{
    static const char wanted[] =
        "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":\"triage\","
        "\"type\":\"object\",\"properties\":{"
        "\"language\":{\"type\":\"string\",\"enum\":[\"en\",\"other\"]},"
        "\"kind\":{\"type\":\"string\",\"enum\":[\"bug\",\"awish\"]},"
        "\"extra\":{\"type\":[\"string\",\"null\"],\"enum\":[\"bug\",\"awish\",\"stale\",null]}"
        ","
        "\"spam\":{\"type\":\"boolean\"},"
        "\"sure\":{\"type\":\"string\",\"enum\":[\"high\",\"medium\"]},"
        "\"text\":{\"type\":\"string\",\"maxLength\":3},"
        "\"notes\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":2},"
        "\"maxItems\":2},"
        "\"places\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
        "\"path\":{\"type\":\"string\",\"maxLength\":5},"
        "\"line\":{\"type\":[\"integer\",\"null\"],\"minimum\":1,\"maximum\":9}},"
        "\"required\":[\"path\"],\"additionalProperties\":false},\"maxItems\":1},"
        "\"more\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
        "\"number\":{\"type\":\"integer\",\"minimum\":-9007199254740991,"
        "\"maximum\":9007199254740991}},"
        "\"required\":[\"number\"],\"additionalProperties\":false},\"maxItems\":2}},"
        "\"required\":[\"language\",\"kind\",\"spam\",\"sure\",\"text\",\"notes\",\"places\","
        "\"more\"],\"additionalProperties\":false}";
    struct compiling c;
    struct bl_buf out;
    compiling_begin(&c, MINE, NULL);
    check_status(c.status, BL_OK);
    bl_buf_init(&out, &c.arena, 100000);
    bl_answer_schema(&c.module, 0, &out);
    check_str(squeezed(&c.arena, bl_buf_str(&out)), wanted);
    bl_arena_reset(&c.arena);
}

TEST(every_allocation_may_fail)
{
    struct compiling c;
    bool finished = false;
    compiling_begin(&c, MINE, NULL);
    check_status(c.status, BL_OK);
    for (size_t n = 1; !finished; n++) {
        struct failing_allocator failing;
        struct bl_arena arena;
        struct bl_diagnostics sink;
        struct bl_task_answer answer;
        failing_allocator_init(&failing, n);
        bl_arena_init(&arena, 1 << 24, &failing.allocator);
        bl_diagnostics_init(&sink, &c.arena, 5);
        enum bl_status status =
            bl_answer_read(&arena, &c.module, 0, BL_STR(GOOD), BL_NO_SOURCE, &answer, &sink);
        check_case("allocation %zu", n);
        finished = failing.calls < n;
        check_status(status, finished ? BL_OK : BL_ERR_NOMEM);
        bl_arena_reset(&arena);
        check_size(failing.live, 0);
        check(n < 10000);
    }
    bl_arena_reset(&c.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_fits_is_a_record),
        cmocka_unit_test(an_answer_that_does_not_fit_is_refused_whole),
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(a_task_without_an_answer_takes_an_empty_object),
        cmocka_unit_test(the_schema_says_the_same),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return check_main(tests);
}
