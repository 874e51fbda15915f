/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/lint.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/check_diagnostic.h"
#include "unit/sema/compile.h"

#include <stdio.h>
#include <stdlib.h>

/* What no fixture can show: levels, places, fixes, memory and bounds. The findings themselves
 * stand beside their lines in tests/language/lint. */

static enum bl_status lint(struct compiled *c, const struct bl_lint_options *options)
{
    enum bl_status status;

    check_status(c->status, BL_OK);
    bl_diagnostics_init(&c->sink, &c->arena, 1000);
    status = bl_lint(&c->arena, c->program, options, &c->sink);
    bl_diagnostics_sort(&c->sink);
    return status;
}

static const char two_rules[] =
    "label bug \"bug\" { color \"d73a4a\" }\n"
    "job event { may write issues; runs rules }\n"
    "rule one { on issues.edited; when issue.locked; add label bug }\n"
    "rule two { on issues.edited; when issue.title contains \"x\"; remove label bug }\n";

struct kept {
    size_t count;
    const struct bl_diagnostic *finding;
    struct bl_witness witness;
};

static void keep(void *context, const struct bl_diagnostic *finding,
                 const struct bl_witness *witness)
{
    struct kept *kept = context;

    kept->count++;
    kept->finding = finding;
    kept->witness = *witness;
}

TEST(a_conflict_names_both_places_and_shows_an_event)
{
    struct compiled c;
    struct kept kept = {0};
    struct bl_lint_options options = {.witness = keep, .context = &kept};

    compile_text(&c, two_rules);
    check_status(lint(&c, &options), BL_ERR_INVALID);
    check_size(c.sink.list.count, 1);
    check_diag(&c.sink, &c.sources, 0, BL_D_CONFLICTING_RULES, 4, 61);
    check_diag_arg(&c.sink, 0, "name", "two");
    check_diag_arg(&c.sink, 0, "other", "one");
    check_diag_arg(&c.sink, 0, "one", "remove the label bug");
    check_diag_arg(&c.sink, 0, "event", "'issues.edited'");
    check_size(c.sink.list.items[0]->label_count, 2);
    check_str(c.sink.list.items[0]->labels[1].text,
              "for instance with issue.locked, issue.title contains \"x\"");
    check_size(kept.count, 1);
    check(kept.finding == c.sink.list.items[0]);
    check_int(kept.witness.event, BL_EVENT_ISSUES_EDITED);
    check_int(kept.witness.facts[BL_WITNESS_ISSUE_LOCKED].number, 1);
    release_compiled(&c);
}

TEST(levels_of_the_policy_and_of_the_command_line)
{
    static const struct {
        const char *policy;
        enum bl_severity option; /* NOTE: none */
        size_t findings, errors;
    } cases[] = {
        {"", BL_SEVERITY_NOTE, 1, 1},
        {"lint conflicting-rules off\n", BL_SEVERITY_NOTE, 0, 0},
        {"lint conflicting-rules warn\n", BL_SEVERITY_NOTE, 1, 0},
        {"lint conflicting-rules off\n", BL_SEVERITY_ERROR, 1, 1},
        {"lint conflicting-rules error\n", BL_SEVERITY_OFF, 0, 0},
        {"", BL_SEVERITY_WARNING, 1, 0},
        {"lint never-holds off\n", BL_SEVERITY_NOTE, 1, 1},
    };
    char text[1024];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bl_lint_level level = {BL_STR("conflicting-rules"), cases[i].option, BL_NO_SPAN};
        struct bl_lint_options options = {.levels = &level,
                                          .level_count = cases[i].option != BL_SEVERITY_NOTE};
        struct compiled c;

        check_case("case %zu", i);
        (void)snprintf(text, sizeof(text), "%s%s", cases[i].policy, two_rules);
        compile_text(&c, text);
        check_status(lint(&c, &options), cases[i].errors > 0 ? BL_ERR_INVALID : BL_OK);
        check_size(c.sink.list.count, cases[i].findings);
        check_size(c.sink.errors, cases[i].errors);
        release_compiled(&c);
    }
}

/* Findings are about the root; what it uses is looked into, and its own level is its own. */
TEST(packages_that_are_used_are_not_linted)
{
    static const struct memory_file files[] = {
        {"a.policy",
         "use b\njob event { may write issues; runs rules }\n"
         "rule mine { on issues.edited; when issue.locked; remove label bug }\n",
         BL_OK},
        {"b.policy",
         "lint conflicting-rules off\nlabel bug \"bug\" { color \"d73a4a\" }\n"
         "label unused \"unused\" { color \"d73a4a\" }\n"
         "rule theirs { on issues.edited; when issue.locked and issue.locked; add label bug }\n"
         "rule theirs_too { on issues.edited; when issue.locked; remove label bug }\n",
         BL_OK},
        {NULL, NULL, BL_OK}};
    struct compiled c;

    compile_files(&c, files, "a.policy", NULL, NULL);
    check_status(lint(&c, NULL), BL_ERR_INVALID);
    /* The conflict with 'theirs', and that 'theirs_too' does the same; nothing about b alone.
     */
    check_size(c.sink.list.count, 2);
    check_diag(&c.sink, &c.sources, 0, BL_D_DUPLICATE_RULE, 3, 6);
    check_diag_arg(&c.sink, 0, "other", "theirs_too");
    check_diag(&c.sink, &c.sources, 1, BL_D_CONFLICTING_RULES, 3, 50);
    check_diag_arg(&c.sink, 1, "other", "theirs");
    release_compiled(&c);
}

/* Put in the place of its span, a fix leaves a policy without the finding and with nothing
 * else. */
TEST(fixes_mend)
{
    static const char *const policies[] = {
        "rule a { on issues.edited; when not (not issue.locked); notice \"x\" }\n",
        "rule a { on issues.edited; when not (not (issue.locked or issue has bug)) and "
        "issue.state == open; notice \"x\" }\n",
        "rule a { on issues.edited; when not (issue lacks bug); notice \"x\" }\n",
        "rule a { on issues.edited; when not (issue is not pull_request); notice \"x\" }\n",
        "rule a { on issues.edited; when issue.locked and not (issue.state != open); notice "
        "\"x\" "
        "}\n",
        "# allow never-holds: no reason\nrule a { on issues.edited; notice \"x\" }\n",
    };
    static const char before[] =
        "label bug \"bug\" { color \"d73a4a\" }\njob event { runs rules }\n"
        "rule b { on issues.closed; when issue has bug; notice \"y\" }\n";
    char text[1024], mended[1024];

    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        struct compiled c;
        const struct bl_diagnostic *d;

        check_case("%s", policies[i]);
        (void)snprintf(text, sizeof(text), "%s%s", before, policies[i]);
        compile_text(&c, text);
        check_status(lint(&c, NULL), BL_OK);
        check_size(c.sink.list.count, 1);
        d = c.sink.list.items[0];
        check(d->has_fix);
        (void)snprintf(mended, sizeof(mended), "%.*s%.*s%s", (int)d->fix_span.lo, text,
                       BL_STR_ARG(d->fix_text), text + d->fix_span.hi);
        release_compiled(&c);
        compile_text(&c, mended);
        check_status(lint(&c, NULL), BL_OK);
        check_size(c.sink.list.count, 0);
        release_compiled(&c);
    }
}

static char *many_rules(size_t count, const char *one, const char *other)
{
    size_t room = count * 200 + 1000, length;
    char *text = malloc(room);

    check(text != NULL);
    length = (size_t)snprintf(text, room,
                              "label bug \"bug\" { color \"d73a4a\" }\n"
                              "job event { may write issues; runs rules }\n");
    for (size_t i = 0; i < count; i++)
        length +=
            (size_t)snprintf(text + length, room - length,
                             "rule r%zu { on issues.edited; when %s %zu; %s label bug }\n", i,
                             i % 2 == 0 ? one : other, i, i % 2 == 0 ? "add" : "remove");
    return text;
}

static bool says_incomplete(const struct compiled *c)
{
    return count_code(c, BL_D_LINT_INCOMPLETE) > 0;
}

/* All meet all: lint stops comparing after a while, and says so. */
TEST(a_flood_of_pairs_is_left_out_and_said)
{
    char *text = many_rules(420, "issue.thumbs_up !=", "issue.comment_count !=");
    struct compiled c;

    compile_text(&c, text);
    (void)lint(&c, NULL);
    check(says_incomplete(&c));
    check(count_code(&c, BL_D_CONFLICTING_RULES) + c.sink.dropped > 500);
    release_compiled(&c);
    free(text);
}

/* As many rules that are told apart by a fact are no flood. */
TEST(rules_about_different_things_are_never_paired)
{
    char *text = many_rules(2000, "issue.comment_count > 1000000 and issue.thumbs_up ==",
                            "issue.comment_count < 1000000 and issue.thumbs_up ==");
    struct compiled c;

    compile_text(&c, text);
    (void)lint(&c, NULL);
    check(!says_incomplete(&c));
    check_size(count_code(&c, BL_D_CONFLICTING_RULES), 0);
    release_compiled(&c);
    free(text);
}

static const char of_everything[] =
    "label bug \"bug\" { color \"d73a4a\" }\nlabel wish \"wish\" { color \"d73a4a\" }\n"
    "setting limit : int = 3 { min 1 }\n"
    "job event { may write issues; runs rules }\n"
    "actor robot(user) = user.kind == bot or user.login ends_with \"[bot]\"\n"
    "decision ground : text? { issue has bug => \"bug\"; issue.locked => \"l\"; otherwise "
    "=> "
    "none }\n"
    "# allow unused-label: kept\n"
    "rule one { on issues.edited; when issue.author is not robot and ground is set; add "
    "label "
    "bug }\n"
    "rule two { on issues.edited; when issue.title matches /x[0-9]/ and issue.thumbs_up > "
    "limit; remove label bug }\n"
    "rule three { on issues.edited; when issue.locked and not issue.locked; notice \"x\" "
    "}\n";

/* Everything that is allocated fails once. */
TEST(memory_runs_out_everywhere)
{
    static const struct memory_file files[] = {{"a.policy", of_everything, BL_OK},
                                               {NULL, NULL, BL_OK}};
    struct failing_allocator failing;
    struct compiled c;
    size_t compiled_at, n;

    failing_allocator_init(&failing, 0);
    compile_files(&c, files, "a.policy", NULL, &failing.allocator);
    check_status(c.status, BL_OK);
    compiled_at = failing.calls;
    bl_diagnostics_init(&c.sink, &c.arena, 1000);
    check(bl_lint(&c.arena, c.program, NULL, &c.sink) != BL_ERR_NOMEM);
    n = failing.calls;
    release_compiled(&c);
    for (size_t at = compiled_at + 1; at <= n; at++) {
        struct failing_allocator one;

        failing_allocator_init(&one, at);
        compile_files(&c, files, "a.policy", NULL, &one.allocator);
        check_case("allocation %zu of %zu", at, n);
        check_status(c.status, BL_OK);
        bl_diagnostics_init(&c.sink, &c.arena, 1000);
        check_status(bl_lint(&c.arena, c.program, NULL, &c.sink), BL_ERR_NOMEM);
        release_compiled(&c);
        check_size(one.live, 0);
    }
}

/* The arena grows in blocks, so that its limit is the way to fail at every allocation. */
TEST(a_limit_of_memory_is_kept_everywhere)
{
    struct compiled c;
    size_t used, taken;

    compile_text(&c, of_everything);
    used = c.arena.used;
    bl_diagnostics_init(&c.sink, &c.arena, 1000);
    check_status(bl_lint(&c.arena, c.program, NULL, &c.sink), BL_ERR_INVALID);
    taken = c.arena.used - used;
    release_compiled(&c);
    for (size_t room = 0; room < taken; room += 1 + taken / 400) {
        check_case("%zu of %zu bytes", room, taken);
        compile_text(&c, of_everything);
        bl_diagnostics_init(&c.sink, &c.arena, 1000);
        c.arena.limit = c.arena.used + room;
        check_status(bl_lint(&c.arena, c.program, NULL, &c.sink), BL_ERR_NOMEM);
        release_compiled(&c);
    }
}

TEST(rules_of_lint_are_rows_with_names)
{
    check(bl_lint_rule_count() > 30);
    check(bl_lint_rule_at(bl_lint_rule_count()) == NULL);
    for (size_t i = 0; i < bl_lint_rule_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_info(bl_lint_rule_at(i)->code);

        check_case("PL%04u", bl_lint_rule_at(i)->code);
        check(info != NULL && info->lint.len > 0);
        check(bl_lint_rule_at(i)->doc.len > 0);
        for (size_t k = 0; k < i; k++)
            check(bl_lint_rule_at(k)->code != bl_lint_rule_at(i)->code);
    }
    /* And every row of the range 06 is one of them. */
    for (size_t i = 0; i < bl_diagnostic_count(); i++) {
        const struct bl_diagnostic_info *info = bl_diagnostic_at(i);
        bool found = info->number / 100 != 6;

        check_case("%s", info->id);
        for (size_t k = 0; k < bl_lint_rule_count(); k++)
            found = found || bl_lint_rule_at(k)->code == info->number;
        check(found);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conflict_names_both_places_and_shows_an_event),
        cmocka_unit_test(levels_of_the_policy_and_of_the_command_line),
        cmocka_unit_test(packages_that_are_used_are_not_linted),
        cmocka_unit_test(fixes_mend),
        cmocka_unit_test(a_flood_of_pairs_is_left_out_and_said),
        cmocka_unit_test(rules_about_different_things_are_never_paired),
        cmocka_unit_test(memory_runs_out_everywhere),
        cmocka_unit_test(a_limit_of_memory_is_kept_everywhere),
        cmocka_unit_test(rules_of_lint_are_rows_with_names),
    };

    return check_main(tests);
}
