/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "run/index.h"
#include "running.h"
#include "support/check.h"

#include <stdio.h>

/* The index finds what evaluating every rule finds (architecture.md, Speed; language-review
 * §5.1): random modules of rules that each need one fact, or none, against random issues. */

static struct bl_arena arena;
static struct running r;

static uint64_t seed;

static uint32_t next_number(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static const char *const labels[] = {"bug", "Bug", "stale", "needs info", "x", "p1", "P1"};
static const char *const words[] = {"crash", "Crash", "title", "a", "tit", "zzz", "\xC3\xA4"};
static const char *const titles[] = {"A title", "It crashes", "Crash \xC3\xA4",
                                     "",        "zz",         "bug"};
static const char *const logins[] = {"alice", "Alice", "bob", "bot[bot]"};
#define PICK(list) (list)[next_number(sizeof(list) / sizeof(list)[0])]

/* ---- rules --------------------------------------------------------------------------------
 */

enum need {
    NEEDS_NOTHING,
    NEEDS_LABEL,
    NEEDS_TITLE,
    NEEDS_LOGIN,
    NEEDS_STATE,
    NEEDS_WORD,
    NEEDS
};

struct rule {
    enum need need;
    const char *key;
    uint32_t number;
    uint32_t entry;
};
#define RULES 40
static struct rule rules[RULES];

static void put_condition(struct bl_buf *code, const struct rule *rule)
{
    switch (rule->need) {
    case NEEDS_NOTHING:
    case NEEDS:
        BL_PUT(code, " const r7, true\n");
        return;
    case NEEDS_LABEL:
        bl_buf_printf(code,
                      " field r1, r0, issue.labels\n const r2, label \"%s\"\n in r7, r2, r1\n",
                      rule->key);
        return;
    case NEEDS_TITLE:
        bl_buf_printf(code, " field r3, r0, issue.title\n const r4, \"%s\"\n eq r7, r3, r4\n",
                      rule->key);
        return;
    case NEEDS_LOGIN:
        bl_buf_printf(code,
                      " field r5, r0, issue.author\n field r6, r5, user.login\n"
                      " const r4, \"%s\"\n eq r7, r6, r4\n",
                      rule->key);
        return;
    case NEEDS_STATE:
        bl_buf_printf(code,
                      " field r8, r0, issue.state\n const r9, issue_state %s\n eq r7, r8, r9\n",
                      rule->key);
        return;
    case NEEDS_WORD:
        bl_buf_printf(code,
                      " field r3, r0, issue.title\n const r4, \"%s\"\n contains r7, r3, r4\n",
                      rule->key);
        return;
    }
}

static void add_rule(unsigned index)
{
    struct rule *rule = &rules[index];
    struct bl_buf body;
    char name[20];
    enum bl_event_id event =
        next_number(4) == 0 ? BL_EVENT_ISSUES_CLOSED : BL_EVENT_ISSUES_OPENED;

    rule->need = (enum need)next_number(NEEDS);
    rule->key = rule->need == NEEDS_LABEL   ? PICK(labels)
                : rule->need == NEEDS_TITLE ? PICK(titles)
                : rule->need == NEEDS_LOGIN ? PICK(logins)
                : rule->need == NEEDS_WORD  ? PICK(words)
                                            : (next_number(2) == 0 ? "open" : "closed");
    bl_buf_init(&body, &arena, 2000);
    BL_PUT(&body, "regs issue, list of label, label, untrusted, text, user, name, bool,"
                  " issue_state, issue_state, bool, text\n ambient r0, issue\n");
    put_condition(&body, rule);
    /* A second condition that the index knows nothing of. */
    bl_buf_printf(&body,
                  " jump-unless r7, no\n const r4, \"%s\"\n field r3, r0, issue.text\n"
                  " starts r10, r3, r4\n jump-unless r10, no\n fired\n"
                  " const r11, \"rule %u\"\n effect r11, 1, notice\n const r7, true\n"
                  " return r7\nno:\n const r7, false\n return r7\n",
                  next_number(3) == 0 ? "nothing" : "A", index);
    snprintf(name, sizeof name, "rule_%u", index);
    rule->entry = running_rule(&r, name, event, body.ptr);
    if (next_number(5) == 0)
        bl_builder_event_rule(r.stage.builder, BL_EVENT_ISSUES_REOPENED, rule->entry);
}

/* The fact that a rule needs, as policyc would find it; some are left out, as it may. */
static void add_access(const struct rule *rule)
{
    struct bl_builder *b = r.stage.builder;
    bl_str key = bl_str_from(rule->key);

    if (next_number(6) == 0)
        return;
    if (rule->need == NEEDS_LABEL)
        bl_builder_access_text(b, BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS, key, rule->entry);
    else if (rule->need == NEEDS_TITLE)
        bl_builder_access_text(b, BL_ACCESS_TEXT, BL_FACT_ISSUE_TITLE, key, rule->entry);
    else if (rule->need == NEEDS_LOGIN)
        bl_builder_access_text(b, BL_ACCESS_TEXT, BL_FACT_ISSUE_AUTHOR, key, rule->entry);
    else if (rule->need == NEEDS_STATE)
        bl_builder_access_number(b, BL_ACCESS_ENUM, BL_FACT_ISSUE_STATE,
                                 bl_enum_member_find(BL_ENUM_ISSUE_STATE, key), rule->entry);
}

static void add_patterns(void)
{
    struct bl_pattern_set_input inputs[RULES];
    uint32_t entries[RULES];
    bl_str sources[RULES];
    bool left_out[RULES];
    struct bl_pattern set;
    size_t count = 0;

    for (unsigned i = 0; i < RULES; i++) {
        if (rules[i].need != NEEDS_WORD || next_number(6) == 0)
            continue;
        entries[count] = rules[i].entry;
        sources[count] = bl_str_from(rules[i].key);
        inputs[count++] =
            (struct bl_pattern_set_input){bl_str_from(rules[i].key), {NULL, 0}, true};
    }
    if (count == 0)
        return;
    check(bl_pattern_set_compile(&arena, inputs, count, left_out, &set));
    uint32_t index = bl_builder_set(r.stage.builder, BL_FACT_ISSUE_TITLE, set, sources, count);
    for (size_t i = 0; i < count; i++) {
        if (!left_out[i])
            bl_builder_access_number(r.stage.builder, BL_ACCESS_PATTERN, index, (uint32_t)i,
                                     entries[i]);
    }
}

static void random_module(void)
{
    check(running_open(&r, &arena));
    for (unsigned i = 0; i < RULES; i++)
        add_rule(i);
    for (unsigned i = 0; i < RULES; i++)
        add_access(&rules[i]);
    add_patterns();
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
}

static void random_issue(void)
{
    struct scripted_issue *issue = &r.world.issues[0];

    issue->title = PICK(titles);
    issue->author = PICK(logins);
    issue->closed = next_number(2) == 0;
    issue->label_count = 0;
    for (uint32_t i = next_number(4); i > 0; i--)
        issue->labels[issue->label_count++] = bl_str_from(PICK(labels));
    static const enum bl_event_id events[] = {BL_EVENT_ISSUES_OPENED, BL_EVENT_ISSUES_CLOSED,
                                              BL_EVENT_ISSUES_REOPENED, BL_EVENT_ISSUES_EDITED};
    r.event.id = PICK(events);
}

/* ---- the two ways -------------------------------------------------------------------------
 */

static bl_str outcome(bool use_index)
{
    r.options.use_index = use_index;
    check_status(running_go(&r), BL_OK);
    return running_log(&r);
}

TEST(random_modules_decide_the_same_with_and_without_index)
{
    size_t evaluated = 0;
    size_t all = 0;

    for (unsigned module = 0; module < 60; module++) {
        bl_arena_init(&arena, 256 << 20, NULL);
        seed = module * 7919 + 1;
        random_module();
        const struct bl_index *index = bl_index_create(&arena, &r.stage.module);
        for (unsigned event = 0; event < 20; event++) {
            random_issue();
            r.options.index = event % 2 == 0 ? index : NULL;
            check_case("module %u, event %u", module, event);
            bl_str with = outcome(true);
            evaluated += r.result.rules_evaluated;
            bl_str without = outcome(false);
            all += r.result.rules_evaluated;
            check_slice(with, without);
        }
        bl_arena_reset(&arena);
    }
    /* And it is an index: most rules are not looked at. */
    check(evaluated * 2 < all);
}

/* A fact that nobody knows leaves every rule that needs it. */
TEST(unknown_facts_leave_all_candidates)
{
    struct bl_candidates with;
    struct bl_candidates all;

    bl_arena_init(&arena, 256 << 20, NULL);
    seed = 5;
    random_module();
    struct bl_index *index = bl_index_create(&arena, &r.stage.module);
    struct bl_machine machine;
    bl_machine_init(&machine, &r.stage.module, &arena, NULL, BL_EVENT_ISSUES_OPENED, NULL);
    check_status(bl_index_candidates(index, &machine, 0, &with), BL_OK);
    check_status(bl_index_all(&machine, 0, &all), BL_OK);
    check_size(with.entries.count, all.entries.count);
    check(all.entries.count > 10);
    for (size_t i = 0; i < all.entries.count; i++)
        check_int(with.entries.items[i], all.entries.items[i]);
    /* Rules of another job are none of this one's. */
    check_status(bl_index_candidates(index, &machine, 1, &with), BL_OK);
    check_size(with.entries.count, 0);
    machine.event = BL_EVENT_COUNT;
    check_status(bl_index_candidates(index, &machine, 0, &with), BL_OK);
    check_size(with.entries.count, 0);
    bl_arena_reset(&arena);
}

/* Each rule once, though the issue names a label twice. */
TEST(a_rule_is_a_candidate_once)
{
    bl_arena_init(&arena, 256 << 20, NULL);
    check(running_open(&r, &arena));
    uint32_t entry = running_rule(&r, "one", BL_EVENT_ISSUES_OPENED,
                                  "regs bool, text\n fired\n const r1, \"once\"\n"
                                  " effect r1, 1, notice\n const r0, true\n return r0\n");
    bl_builder_access_text(r.stage.builder, BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS,
                           BL_STR("bug"), entry);
    check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
    scripted_label(&r.world, 12, "bug");
    scripted_label(&r.world, 12, "BUG");
    check_status(running_go(&r), BL_OK);
    check_size(r.result.rules_evaluated, 1);
    check_str(running_log(&r), "note: once\n");
    bl_arena_reset(&arena);
}

/* Labels are found without case, logins and titles with it, as the machine compares them. */
TEST(only_equal_facts_make_candidates)
{
    static const char body[] = "regs bool\n const r0, true\n return r0\n";
    static const struct {
        enum bl_access_kind kind;
        enum bl_fact fact;
        const char *key;
        bool candidate;
    } needs[] = {
        {BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS, "BUG", true},
        {BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS, "bu", false},
        {BL_ACCESS_LABEL, BL_FACT_ISSUE_LABELS, "bugs", false},
        {BL_ACCESS_TEXT, BL_FACT_ISSUE_TITLE, "A title", true},
        {BL_ACCESS_TEXT, BL_FACT_ISSUE_TITLE, "A Title", false},
        {BL_ACCESS_TEXT, BL_FACT_ISSUE_TITLE, "", false},
        {BL_ACCESS_TEXT, BL_FACT_ISSUE_AUTHOR, "alice", true},
        {BL_ACCESS_TEXT, BL_FACT_ISSUE_AUTHOR, "ALICE", false},
    };

    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        bl_arena_init(&arena, 64 << 20, NULL);
        check(running_open(&r, &arena));
        uint32_t entry = running_rule(&r, "one", BL_EVENT_ISSUES_OPENED, body);
        running_rule(&r, "two", BL_EVENT_ISSUES_OPENED, body);
        bl_builder_access_text(r.stage.builder, needs[i].kind, needs[i].fact,
                               bl_str_from(needs[i].key), entry);
        check(running_ready(&r, BL_EVENT_ISSUES_OPENED));
        scripted_label(&r.world, 12, "bug");
        check_case("%s", needs[i].key);
        check_status(running_go(&r), BL_OK);
        check_size(r.result.rules_evaluated, needs[i].candidate ? 2 : 1);
        bl_arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_modules_decide_the_same_with_and_without_index),
        cmocka_unit_test(unknown_facts_leave_all_candidates),
        cmocka_unit_test(a_rule_is_a_candidate_once),
        cmocka_unit_test(only_equal_facts_make_candidates),
    };
    return check_main(tests);
}
