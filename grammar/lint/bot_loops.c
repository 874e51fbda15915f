/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Rules that start each other for ever: the effect of one brings the event of the next, and the
 * last one's that of the first. That a rule starts itself is told apart (reruns.c). */

#define LOOP_RULES 4u     /* a longer one has a shorter part, or nobody would follow it */
#define LOOP_STEPS 20000u /* pairs of a deed and a rule whose conditions are looked at */
#define LOOP_PAIRS 5000000u

struct chasing {
    struct bl_linter *l;
    const struct bl_linted_rule *rules[LOOP_RULES]; /* each brings the next */
    const struct bl_deed *deeds[LOOP_RULES];
    size_t length;
    size_t steps, pairs;
    bool *told; /* by number of the rule: it is in a loop that was reported */
};

static bool is_state(const struct bl_deed *deed)
{
    return deed->slot == BL_SLOT_LABEL || deed->slot == BL_SLOT_STATE ||
           deed->slot == BL_SLOT_LOCK || deed->slot == BL_SLOT_MILESTONE;
}

static bool undoes(const struct bl_deed *one, const struct bl_deed *other)
{
    return one->slot == other->slot && one->effect != other->effect &&
           (one->slot != BL_SLOT_LABEL || one->what == other->what);
}

/* GitHub says nothing of a label that is there already: what only adds comes to an end, unless
 * another one of the round takes it away. */
static bool goes_on(const struct chasing *c)
{
    for (size_t i = 0; i < c->length; i++) {
        bool undone = !is_state(c->deeds[i]);

        for (size_t k = 0; k < c->length; k++)
            undone = undone || undoes(c->deeds[k], c->deeds[i]);
        if (!undone)
            return false;
    }
    return true;
}

static void report(const struct chasing *c)
{
    struct bl_linter *l = c->l;
    struct bl_diagnostic *d = bl_lint_report(l, BL_D_BOT_LOOP, c->deeds[0]->span);
    struct bl_buf others;

    bl_buf_init(&others, l->arena, 4096);
    for (size_t i = 1; i < c->length; i++) {
        bl_buf_printf(&others, "%s'%.*s'", i > 1 ? " and " : "",
                      BL_STR_ARG(c->rules[i]->symbol->name));
        bl_diagnostic_label(&l->found, d, c->deeds[i]->span,
                            i + 1 < c->length ? BL_STR("that brings this")
                                              : BL_STR("and this brings the first again"));
    }
    bl_lint_text(l, d, "name", c->rules[0]->symbol->name);
    bl_lint_text(l, d, "others", bl_buf_str(&others));
    for (size_t i = 0; i < c->length; i++)
        c->told[c->rules[i] - l->rules.items] = true;
}

/* Does the deed bring an event on which the rule does something? */
static const struct bl_deed *brings(struct chasing *c, const struct bl_deed *deed,
                                    const struct bl_linted_rule *rule)
{
    uint64_t events = bl_lint_brought_events(deed) & rule->rule->events;

    for (; events != 0; events &= events - 1) {
        const struct bl_deed *next;

        if (++c->steps > LOOP_STEPS) {
            c->l->incomplete = true;
            return NULL;
        }
        next = bl_lint_started_by(c->l, rule, deed, (enum bl_event_id)__builtin_ctzll(events));
        if (next != NULL)
            return next;
    }
    return NULL;
}

static bool is_on_the_way(const struct chasing *c, const struct bl_linted_rule *rule)
{
    for (size_t i = 0; i < c->length; i++) {
        if (c->rules[i] == rule)
            return true;
    }
    return false;
}

/* Tries all ways on from the last deed; true when one came back and was reported. */
static bool chase(struct chasing *c)
{
    struct bl_linter *l = c->l;
    const struct bl_deed *last = c->deeds[c->length - 1];

    if (c->length > 1 && brings(c, last, c->rules[0]) != NULL && goes_on(c)) {
        report(c);
        return true;
    }
    if (c->length == LOOP_RULES)
        return false;
    /* Each loop is told at its first rule. */
    for (size_t i = (size_t)(c->rules[0] - l->rules.items) + 1; i < l->rules.count; i++) {
        const struct bl_linted_rule *next = &l->rules.items[i];

        if (next->symbol->kind != BL_SYMBOL_RULE || is_on_the_way(c, next) || c->told[i] ||
            c->steps > LOOP_STEPS || brings(c, last, next) == NULL)
            continue;
        c->rules[c->length++] = next;
        for (size_t k = 0; k < next->deed_count; k++) {
            c->deeds[c->length - 1] = &l->deeds.items[next->first_deed + k];
            if (bl_lint_brought_events(c->deeds[c->length - 1]) != 0 && chase(c))
                return true;
        }
        c->length--;
    }
    return false;
}

/* Only what is about an event that some effect brings can be in a loop. */
static uint64_t all_brought(const struct bl_linter *l)
{
    uint64_t events = 0;

    for (size_t i = 0; i < l->deeds.count; i++)
        events |= bl_lint_brought_events(&l->deeds.items[i]);
    return events;
}

/* Two rules, told by what their effects undo before the conditions are looked at: of many rules
 * few are such. */
static bool chase_pair(struct chasing *c, size_t first)
{
    struct bl_linter *l = c->l;

    for (size_t i = first + 1; i < l->rules.count; i++) {
        const struct bl_linted_rule *next = &l->rules.items[i];

        if (next->symbol->kind != BL_SYMBOL_RULE)
            continue;
        c->rules[1] = next;
        c->length = 2;
        for (size_t k = 0; k < next->deed_count; k++) {
            c->deeds[1] = &l->deeds.items[next->first_deed + k];
            if (++c->pairs > LOOP_PAIRS) {
                l->incomplete = true;
                return false;
            }
            if (goes_on(c) && brings(c, c->deeds[0], next) != NULL &&
                brings(c, c->deeds[1], c->rules[0]) != NULL) {
                report(c);
                return true;
            }
        }
    }
    c->length = 1;
    return false;
}

/* Tries each deed of each rule that some effect could start. */
static void chase_all(struct chasing *c, uint64_t brought,
                      bool (*try)(struct chasing *c, size_t first))
{
    struct bl_linter *l = c->l;

    for (size_t i = 0; i < l->rules.count; i++) {
        const struct bl_linted_rule *rule = &l->rules.items[i];
        bool said = c->told[i];

        if (!rule->own || rule->symbol->kind != BL_SYMBOL_RULE ||
            (rule->rule->events & brought) == 0)
            continue;
        for (size_t k = 0; k < rule->deed_count && !said; k++) {
            c->rules[0] = rule;
            c->deeds[0] = &l->deeds.items[rule->first_deed + k];
            c->length = 1;
            said = bl_lint_brought_events(c->deeds[0]) != 0 && try(c, i);
        }
    }
}

static bool chase_on(struct chasing *c, size_t first)
{
    (void)first;
    return chase(c);
}

void bl_lint_loops(struct bl_linter *l)
{
    struct chasing c = {.l = l, .told = BL_NEW_ARRAY(l->arena, l->rules.count + 1, bool)};
    uint64_t brought = all_brought(l);

    if (c.told == NULL)
        return;
    l->meaning.settings = BL_SETTINGS_FIXED;
    chase_all(&c, brought, chase_pair);
    c.steps = 0;
    chase_all(&c, brought, chase_on);
    l->meaning.settings = BL_SETTINGS_OPEN;
}
