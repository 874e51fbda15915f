/* SPDX-License-Identifier: Apache-2.0 */
#include "event/event.h"
#include "lint/witness_parts.h"
#include "support/check.h"
#include "text/pattern.h"
#include "unit/sema/compile.h"
#include "world/sim/sim.h"

#include <stdio.h>

/* Witnesses as files that the runtime reads, for every event; samples of patterns. */

struct subject {
    struct compiled c;
    struct bl_meaning meaning;
    struct bl_solver solver;
    struct bl_diagnostics sink;
};

static void begin(struct subject *s, const char *text)
{
    compile_text(&s->c, text);
    check_status(s->c.status, BL_OK);
    check(bl_meaning_init(&s->meaning, &s->c.arena, s->c.program));
    bl_solver_init(&s->solver, &s->c.arena, &s->meaning.formulas);
    bl_diagnostics_init(&s->sink, &s->c.arena, 100);
}

static bl_str written(struct subject *s, const struct bl_witness *w,
                      void (*write)(const struct bl_witness *w, struct bl_buf *out))
{
    struct bl_buf buf;

    bl_buf_init(&buf, &s->c.arena, 1 << 20);
    write(w, &buf);
    return bl_buf_str(&buf);
}

static void read_back(struct subject *s, const struct bl_witness *w, struct bl_event *event)
{
    struct bl_event_source from = {.name = bl_event_info(w->event)->event, .started = w->clock};
    struct bl_sim *sim = bl_sim_create(&s->c.arena, w->repository, w->account, w->clock);
    bl_str reason;

    check_int(bl_event_read(&s->c.arena, written(s, w, bl_witness_payload), &from, event,
                            &s->sink, &reason),
              BL_EVENT_READ);
    check_int(event->id, w->event);
    check(sim != NULL);
    check_status(bl_sim_load(sim, written(s, w, bl_witness_world), BL_NO_SOURCE, &s->sink),
                 BL_OK);
    check_status(bl_sim_seed(sim, event), BL_OK);
    check_size(s->sink.list.count, 0);
}

TEST(every_event_can_be_written)
{
    struct subject s;

    begin(&s, "label bug \"bug\" { color \"d73a4a\" }\n");
    for (unsigned id = 0; id < BL_EVENT_COUNT; id++) {
        const struct bl_formula *is_it = bl_meaning_events(&s.meaning, UINT64_C(1) << id);
        struct bl_witness w;
        struct bl_event event;

        check_case("%.*s.%.*s", BL_STR_ARG(bl_event_info((enum bl_event_id)id)->event),
                   BL_STR_ARG(bl_event_info((enum bl_event_id)id)->action));
        check_int(bl_possible(&s.solver, &s.meaning, &is_it, 1, &w), BL_POSSIBLE_YES);
        check_int(w.event, id);
        read_back(&s, &w, &event);
    }
    release_compiled(&s.c);
}

/* What the facts say is what the payload says, in the runtime's own reading. */
TEST(facts_arrive)
{
    static const char text[] =
        "label bug \"Bug\" { color \"d73a4a\" }\n"
        "define c : bool = event is issue_comment.edited and issue has bug and issue.state == "
        "closed\n"
        "  and issue.state_reason == not_planned and issue.locked and issue.thumbs_up > 6\n"
        "  and issue.title matches /cra(sh|ck)s? [0-9]{3}$/ and comment.text contains "
        "\"a\\n\\\"b\\\"\"\n"
        "  and issue.author.association == member and event.actor == issue.author\n"
        "  and comment.author.login == \"zed\" and count(issue.assignees) == 2\n"
        "  and now - issue.created_at >= 90 days and issue.text == \"\"\n";
    struct subject s;
    struct bl_witness w;
    struct bl_event event;
    const struct bl_formula *condition;
    struct bl_object *author;

    begin(&s, text);
    condition = bl_meaning_condition(&s.meaning, find_symbol(&s.c, "c")->as.callable->value);
    check_int(bl_possible(&s.solver, &s.meaning, &condition, 1, &w), BL_POSSIBLE_YES);
    check_int(bl_witness_holds(&w, &s.solver, condition), 1);
    read_back(&s, &w, &event);
    check_int(bl_object_get(event.issue, BL_FIELD_ISSUE_STATE).as.i, BL_ISSUE_STATE_CLOSED);
    check_int(bl_object_get(event.issue, BL_FIELD_ISSUE_STATE_REASON).as.i,
              BL_STATE_REASON_NOT_PLANNED);
    check_int(bl_object_get(event.issue, BL_FIELD_ISSUE_LOCKED).as.i, 1);
    check(bl_object_get(event.issue, BL_FIELD_ISSUE_THUMBS_UP).as.i > 6);
    check_size(bl_object_get(event.issue, BL_FIELD_ISSUE_ASSIGNEES).as.list->count, 2);
    check_size(bl_text_of(bl_object_get(event.issue, BL_FIELD_ISSUE_TEXT)).len, 0);
    check(bl_str_find(bl_text_of(bl_object_get(event.comment, BL_FIELD_COMMENT_TEXT)),
                      BL_STR("a\n\"b\"")) != SIZE_MAX);
    author = bl_object_of(bl_object_get(event.comment, BL_FIELD_COMMENT_AUTHOR));
    check_str(bl_text_of(bl_object_get(author, BL_FIELD_USER_LOGIN)), "zed");
    author = bl_object_of(bl_object_get(event.event, BL_FIELD_EVENT_ACTOR));
    check_int(bl_object_get(author, BL_FIELD_USER_ASSOCIATION).as.i, BL_ASSOCIATION_MEMBER);
    release_compiled(&s.c);
}

/* A "yes" needs an event that GitHub can send; the rest is not known. */
TEST(impossible_events_are_no_witness)
{
    static const char *const conditions[] = {
        "event is issues.opened and issue is pull_request",
        "event is issues.opened and now - issue.created_at > 1 days",
        "issue.state == open and issue.state_reason == not_planned and event is issues.edited",
        "issue.state == closed and issue.closed_at is absent and event is issues.edited",
        ("event is issues.edited and event.actor.association == owner and event.actor != "
         "issue.author"),
    };
    char text[512];

    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        struct subject s;
        struct bl_witness w;
        const struct bl_formula *condition;

        (void)snprintf(text, sizeof(text), "define c : bool = %s\n", conditions[i]);
        check_case("%s", conditions[i]);
        begin(&s, text);
        condition =
            bl_meaning_condition(&s.meaning, find_symbol(&s.c, "c")->as.callable->value);
        check_int(bl_possible(&s.solver, &s.meaning, &condition, 1, &w), BL_POSSIBLE_UNKNOWN);
        release_compiled(&s.c);
    }
}

TEST(samples_are_found)
{
    static const struct {
        const char *source, *flags;
    } patterns[] = {
        {"crash", ""},
        {"^crash$", ""},
        {"(a|b)c+d*e?", ""},
        {"[a-z]{3,5}", ""},
        {"[^a-z ]x", ""},
        {"\\d\\w\\s\\.", ""},
        {"(?:one|two) (three)", ""},
        {"\\bword\\b", ""},
        {"a{2}b{0,1}", ""},
        {".x.", ""},
        {"[\\]a]", ""},
        {"\\u{1F600}", ""},
        {"\\x41b", ""},
        {"a|", ""},
        {"Buy (now|cheap)", "i"},
        {"\\/path\\/", ""},
        {"[-a]", ""},
        {"\\p{L}+", ""},
        {"((((x))))", ""},
        {"^$", ""},
        {"[^x~]", ""},
        {"(a|(b|c))d", ""},
    };
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 24, NULL);
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct bl_pattern pattern;
        struct bl_pattern_error error;
        bool found = false;

        check_case("/%s/%s", patterns[i].source, patterns[i].flags);
        check(bl_pattern_compile(&arena, bl_str_from(patterns[i].source),
                                 bl_str_from(patterns[i].flags), &pattern, &error));
        for (unsigned variant = 0; variant < 4 && !found; variant++)
            found = bl_pattern_matches(
                pattern, bl_pattern_sample(&arena, bl_str_from(patterns[i].source), variant));
        check(found);
    }
    bl_arena_reset(&arena);
}

/* What no parser takes must not keep the sampler busy either. */
TEST(samples_of_nonsense_end)
{
    static const char *const sources[] = {"(",    ")",    "))((",        "[",        "[^",
                                          "\\",   "a{",   "{3}",         "|||",      "(?",
                                          "\\u{", "\\p{", "a{99999999}", "((((((((("};
    struct bl_arena arena;

    bl_arena_init(&arena, 1 << 24, NULL);
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        check_case("%s", sources[i]);
        check(bl_pattern_sample(&arena, bl_str_from(sources[i]), 1).len < 2000);
    }
    bl_arena_reset(&arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_can_be_written),       cmocka_unit_test(facts_arrive),
        cmocka_unit_test(impossible_events_are_no_witness), cmocka_unit_test(samples_are_found),
        cmocka_unit_test(samples_of_nonsense_end),
    };

    return check_main(tests);
}
