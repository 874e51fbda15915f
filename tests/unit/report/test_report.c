/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "report/report.h"
#include "spec/tables.h"
#include "support/check.h"

struct page {
    struct bl_arena arena;
    struct bl_sources sources;
    struct bl_diagnostics sink;
    struct bl_buf out;
    struct bl_report_options options;
};

static void begin(struct page *p, const char *path, const char *text,
                  enum bl_report_format format)
{
    bl_arena_init(&p->arena, 1 << 24, NULL);
    bl_sources_init(&p->sources, &p->arena);
    bl_diagnostics_init(&p->sink, &p->arena, 2);
    bl_buf_init(&p->out, &p->arena, 1 << 22);
    check_int(bl_sources_add(&p->sources, bl_str_from(path), bl_str_from(text)), 0);
    p->options = (struct bl_report_options){
        .format = format, .tool = BL_STR("policyc"), .version = BL_STR("1")};
}

static struct bl_diagnostic *unknown(struct page *p, uint32_t lo, uint32_t hi, const char *name)
{
    struct bl_diagnostic *d =
        bl_report(&p->sink, BL_D_UNKNOWN_NAME, (struct bl_span){lo, hi, 0});
    bl_diagnostic_text(&p->sink, d, "name", bl_str_from(name));
    return d;
}

static bl_str written(struct page *p)
{
    bl_report_write(&p->sources, &p->sink, &p->options, &p->out);
    return bl_buf_str(&p->out);
}

static bool has(bl_str text, const char *words)
{
    return bl_str_find(text, bl_str_from(words)) != SIZE_MAX;
}

TEST(people_see_the_line_and_the_place)
{
    struct page p;
    begin(&p, "a.policy", "first\n  add label bugg\n", BL_REPORT_TEXT);
    bl_diagnostic_fix(&p.sink, unknown(&p, 18, 22, "bugg"), (struct bl_span){18, 22, 0},
                      BL_STR("bug"));
    bl_str text = written(&p);
    check(has(text, "a.policy:2:13: error[PL0201]"));
    check(has(text, "    2 |   add label bugg\n      |             ^^^^\n"));
    check(has(text, "fix: replace 'bugg' by 'bug'"));
    check(has(text, "1 error."));
    check(!has(text, "\033"));
    bl_arena_reset(&p.arena);
}

TEST(a_wide_line_shows_the_part_in_hand)
{
    char line[4000];
    struct page p;
    for (size_t i = 0; i < sizeof line - 1; i++)
        line[i] = 'a';
    line[sizeof line - 1] = '\0';
    begin(&p, "a.policy", line, BL_REPORT_TEXT);
    unknown(&p, 3000, 3004, "x");
    bl_str text = written(&p);
    check(has(text, "^^^^\n"));
    check(text.len < 1000);
    bl_arena_reset(&p.arena);
}

TEST(nothing_steers_a_terminal)
{
    struct page p;
    begin(&p, "a\033[2J.policy", "x \033[31m \xE2\x80\xAE y\n", BL_REPORT_TEXT);
    unknown(&p, 0, 1, "\033]0;title\007");
    bl_str text = written(&p);
    check(!has(text, "\033"));
    check(!has(text, "\xE2\x80\xAE"));
    check(has(text, "\\u{1B}"));
    check(has(text, "\\u{202E}"));
    bl_arena_reset(&p.arena);
}

TEST(bytes_that_are_no_text_hide_nothing)
{
    static const char *const hostile[] = {"\xff\n::error::x",     "\xc3\033[31m",
                                          "\xe2\033[31m",         "\xe2\x80\r::error::x",
                                          "\xf0\x9f\x98\n::x::y", "\23331m"};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        struct bl_arena arena;
        struct bl_buf out;
        bl_arena_init(&arena, 1 << 16, NULL);
        bl_buf_init(&out, &arena, 1 << 15);
        bl_report_visible(bl_str_from(hostile[i]), &out);
        check_case("text %zu", i);
        for (size_t k = 0; k < out.len; k++)
            check((unsigned char)out.ptr[k] >= 0x20 && (unsigned char)out.ptr[k] < 0x7F);
        bl_arena_reset(&arena);
    }
}

TEST(nothing_steers_a_runner)
{
    struct page p;
    begin(&p, "a,b:c.policy", "x\n", BL_REPORT_GITHUB);
    unknown(&p, 0, 1, "a\r\n::error::b%0A ##[add-mask]c");
    bl_str text = written(&p);
    check(bl_str_starts_with(text, BL_STR("::error file=a%2Cb%3Ac.policy,line=1,col=1,")));
    check(!has(text, "##["));
    check(has(text, "%250A"));
    /* One line, so one command. */
    check_size(bl_str_find_char(text, '\n'), text.len - 1);
    check(bl_str_find_char(text, '\r') == SIZE_MAX);
    bl_arena_reset(&p.arena);
}

TEST(programs_get_json)
{
    struct page p;
    struct bl_json_error error;
    size_t notes = 0;
    begin(&p, "a.policy", "x\ty\n", BL_REPORT_JSON);
    unknown(&p, 2, 3, "\"\\\n\xC3\xBC");
    const struct bl_json *json = bl_json_parse(&p.arena, written(&p), 64, &notes, &error);
    check(json != NULL);
    const struct bl_json *list = bl_json_get(json, BL_STR("diagnostics"));
    check(list != NULL);
    check_size(list->count, 1);
    const struct bl_json *place = bl_json_get(&list->items[0], BL_STR("place"));
    check_int(bl_json_get(place, BL_STR("line"))->integer, 1);
    check_int(bl_json_get(place, BL_STR("column"))->integer, 3);
    check_str(bl_json_get(&list->items[0], BL_STR("code"))->string, "PL0201");
    bl_arena_reset(&p.arena);
}

TEST(code_scanning_gets_sarif)
{
    struct page p;
    struct bl_json_error error;
    size_t notes = 0;
    begin(&p, "dir/a b.policy", "\xF0\x9F\x98\x80x\n", BL_REPORT_SARIF);
    unknown(&p, 4, 5, "x");
    const struct bl_json *json = bl_json_parse(&p.arena, written(&p), 64, &notes, &error);
    check(json != NULL);
    check_str(bl_json_get(json, BL_STR("version"))->string, "2.1.0");
    const struct bl_json *run = &bl_json_get(json, BL_STR("runs"))->items[0];
    const struct bl_json *result = &bl_json_get(run, BL_STR("results"))->items[0];
    check_str(bl_json_get(result, BL_STR("level"))->string, "error");
    const struct bl_json *physical = bl_json_get(
        &bl_json_get(result, BL_STR("locations"))->items[0], BL_STR("physicalLocation"));
    check_str(
        bl_json_get(bl_json_get(physical, BL_STR("artifactLocation")), BL_STR("uri"))->string,
        "dir/a%20b.policy");
    /* Columns are UTF-16 units: the smiling face takes two. */
    check_int(
        bl_json_get(bl_json_get(physical, BL_STR("region")), BL_STR("startColumn"))->integer,
        3);
    const struct bl_json *driver =
        bl_json_get(bl_json_get(run, BL_STR("tool")), BL_STR("driver"));
    check_size(bl_json_get(driver, BL_STR("rules"))->count, 1);
    bl_arena_reset(&p.arena);
}

TEST(errors_above_the_cap_are_counted)
{
    struct page p;
    begin(&p, "a.policy", "abcdefgh\n", BL_REPORT_TEXT);
    for (uint32_t i = 0; i < 5; i++)
        unknown(&p, i, i + 1, "x");
    check(has(written(&p), "5 errors; the first 2 are shown."));
    bl_arena_reset(&p.arena);
}

TEST(braces_that_name_no_argument_are_words)
{
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        struct bl_diagnostic d = {.code = info->number};
        struct bl_arena arena;
        struct bl_buf out;
        bl_arena_init(&arena, 1 << 20, NULL);
        bl_buf_init(&out, &arena, 1 << 16);
        check_case("PL%04u", info->number);
        /* Without arguments the sentence is the template, letter for letter. */
        bl_report_message(&d, &out);
        check_slice(bl_buf_str(&out), info->message);
        bl_arena_reset(&arena);
    }
}

TEST(codes_are_explained)
{
    struct bl_arena arena;
    struct bl_buf out;
    bl_arena_init(&arena, 1 << 20, NULL);
    bl_buf_init(&out, &arena, 1 << 16);
    check(bl_report_explain(BL_STR("PL0201"), &out));
    check(has(bl_buf_str(&out), "PL0201"));
    check(bl_report_explain(BL_STR("unused-label"), &out));
    check(!bl_report_explain(BL_STR("PL9999"), &out));
    check(!bl_report_explain(BL_STR(""), &out));
    bl_arena_reset(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_see_the_line_and_the_place),
        cmocka_unit_test(a_wide_line_shows_the_part_in_hand),
        cmocka_unit_test(nothing_steers_a_terminal),
        cmocka_unit_test(bytes_that_are_no_text_hide_nothing),
        cmocka_unit_test(nothing_steers_a_runner),
        cmocka_unit_test(programs_get_json),
        cmocka_unit_test(code_scanning_gets_sarif),
        cmocka_unit_test(errors_above_the_cap_are_counted),
        cmocka_unit_test(braces_that_name_no_argument_are_words),
        cmocka_unit_test(codes_are_explained),
    };
    return check_main(tests);
}
