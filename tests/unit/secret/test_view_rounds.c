/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/policy_module.h"
#include "secret/view_rounds.h"
#include "support/check.h"

/* What a declared view shows, step by step and round by round. */

static const char policy[] =
    "view seen { without /\\(\\)/, /~\\n/\n decoded percent, base64\n folded width }\n"
    "secrets some { view seen\n find key /key[0-9]{4}/ }\n";

static struct bl_arena arena;

struct shown {
    struct bl_buf texts; /* each with its steps in front and a bar behind */
    const char *stop_at;
    struct bl_match back; /* of the last view, all of it */
};

static enum bl_status look(void *context, const struct bl_view *view, unsigned seen, bool *done)
{
    struct shown *shown = context;

    for (unsigned step = BL_VIEW_WITHOUT; step <= BL_VIEW_FOLDED; step++) {
        if ((seen >> step & 1) != 0)
            bl_buf_put_char(&shown->texts, "-%rf"[step]);
    }
    bl_buf_put_char(&shown->texts, ':');
    bl_buf_put(&shown->texts, view->text);
    bl_buf_put_char(&shown->texts, '|');
    shown->back = bl_view_back(view, (struct bl_match){0, view->text.len});
    *done = shown->stop_at != NULL && bl_str_equal(view->text, bl_str_from(shown->stop_at));
    return BL_OK;
}

static struct shown show(bl_str text, bool whole, const char *stop_at)
{
    const struct bl_module *m = fuzz_policy_module(policy);
    const struct bl_module_secrets *set = &m->SECRETS_rows[0];
    struct shown shown = {.stop_at = stop_at};
    uint64_t steps = 0;
    const struct bl_view_rounds rounds = {.arena = &arena,
                                          .m = m,
                                          .row = &set->view,
                                          .sieve = set->sieve,
                                          .whole = whole,
                                          .look = look,
                                          .context = &shown,
                                          .steps = &steps};
    struct bl_secret_sought sought;
    struct bl_view_places places;

    bl_buf_init(&shown.texts, &arena, SIZE_MAX);
    check(bl_secret_sought_begin(&arena, m, set->sieve, &sought));
    for (uint32_t i = 0; i < set->view.without_count; i++)
        bl_secret_ask(&sought, set->view.first_without + i);
    check(bl_secret_seek(&sought, text, 0, &steps));
    check(bl_view_find_left_out(&rounds, text, &sought, 0, &places.left_out));
    check(bl_view_find_lines(&rounds, text, &places.left_out, &places.lines));
    check_status(bl_view_rounds(&rounds, text, &places), BL_OK);
    return shown;
}

/* Steps: - left out, % signs, r runs, f folded. */
TEST(lines_that_a_step_changed_are_shown_and_no_others)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"", ""},
        {"plain\ntext\n", ""},
        {"a\nb()c\nd\n", "-:bc\n|"},
        {"a\nb%41\nd\n%42", "%:bA\nB|"},
        {"a~\nb\nc\n", "-:ab\n|"},
        {"x\n\xEF\xBC\xA1\n", "f:A\n|"},
        /* Each step shows its own lines, of all steps so far. */
        {"()%41\n%42\n", "-:%41\n|-%:A\nB\n|"},
        /* Base64 of "key1 key2 key3"; what signs hide of it is read behind them. */
        {"a2V5MSBrZXkyIGtleTM=\n", "r:key1 key2 key3\n|"},
        {"a2V5MSBrZXky%49GtleTM=\n", "%:a2V5MSBrZXkyIGtleTM=\n|%r:key1 key2 key3\n|"},
        /* Once more, and once more; a fourth time nobody looks. */
        {"%252541\n", "%:%2541\n|%:%41\n|%:A\n|"},
        {"%25252541\n", "%:%252541\n|%:%2541\n|%:%41\n|"},
        /* A line that only an early step changed comes to the next round, too. */
        {"k(())ey\nx%41y\n", "-:k()ey\n|-%:xAy\n|-%:key\n|"},
        /* A word that ends where two lines are put together: alone, and with the next one. */
        {"a2V5MSBrZXkyIGtleTM~\nx\n",
         "-:a2V5MSBrZXkyIGtleTMx\n|r:key1 key2 key3~\n|-r:key1 key2 key31\n|"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_arena_init(&arena, SIZE_MAX, NULL);
        struct shown shown = show(bl_str_from(rows[i].text), false, NULL);
        check_case("%s", rows[i].text);
        check_str(bl_buf_str(&shown.texts), rows[i].shown);
        bl_arena_reset(&arena);
    }
}

TEST(the_whole_text_is_shown_to_who_wants_it)
{
    bl_arena_init(&arena, SIZE_MAX, NULL);
    struct shown shown = show(BL_STR("a\nb()c\nd%41\n"), true, NULL);
    check_str(bl_buf_str(&shown.texts), "-:a\nbc\nd%41\n|-%:a\nbc\ndA\n|");
    bl_arena_reset(&arena);
}

TEST(who_has_seen_enough_is_shown_no_more)
{
    bl_arena_init(&arena, SIZE_MAX, NULL);
    struct shown shown = show(BL_STR("%252541\n"), false, "%41\n");
    check_str(bl_buf_str(&shown.texts), "%:%2541\n|%:%41\n|");
    bl_arena_reset(&arena);
}

/* Bytes 2 to 12 of the text are the line that the last view has. */
TEST(a_view_knows_where_it_comes_from)
{
    bl_arena_init(&arena, SIZE_MAX, NULL);
    struct shown shown = show(BL_STR("a\nk(%2528)ey\nb\n"), false, NULL);
    check_size(shown.back.lo, 2);
    check_size(shown.back.hi, 13);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_a_step_changed_are_shown_and_no_others),
        cmocka_unit_test(the_whole_text_is_shown_to_who_wants_it),
        cmocka_unit_test(who_has_seen_enough_is_shown_no_more),
        cmocka_unit_test(a_view_knows_where_it_comes_from),
    };
    return check_main(tests);
}
