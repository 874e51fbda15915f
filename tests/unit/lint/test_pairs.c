/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/deed_pairs.h"
#include "support/check.h"
#include "unit/sema/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Splitting lists of deeds leaves out no pair that can meet, and gives none twice. */

#define RULES 600u

static uint32_t random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* Rules about one author each, or one label, or a state, or nothing that tells them apart. */
static char *many_rules(void)
{
    /* The number stands between the two. */
    static const char *const conditions[][2] = {
        {"issue.author.login == \"user", "\""},
        {"issue.title == \"title ", "\""},
        {"issue has kind", ""},
        {"issue lacks kind", ""},
        {"issue.thumbs_up == ", ""},
        {"issue.state == closed and issue.thumbs_up > ", ""},
        {"issue.title contains \"word", "\""},
        {"issue.state == open and issue.locked and issue.thumbs_up != ", ""},
    };
    size_t room = RULES * 300 + 2000, length = 0;
    char *text = malloc(room);
    uint32_t seed = 5;

    check(text != NULL);
    for (unsigned i = 0; i < 7; i++)
        length += (size_t)snprintf(text + length, room - length,
                                   "label kind%u \"kind %u\" { color \"d73a4a\" }\n", i, i);
    length += (size_t)snprintf(text + length, room - length,
                               "job event { may write issues; runs rules }\n");
    for (unsigned i = 0; i < RULES; i++) {
        length +=
            (size_t)snprintf(text + length, room - length, "rule r%u { on issues.%s; when ", i,
                             i % 9 != 0 ? "edited" : "opened");
        for (unsigned k = 0; k < 1 + random_number(&seed) % 3; k++) {
            const char *const *condition = conditions[random_number(&seed) % 8];

            length +=
                (size_t)snprintf(text + length, room - length, "%s%s%u%s", k > 0 ? " and " : "",
                                 condition[0], random_number(&seed) % 7, condition[1]);
        }
        length += (size_t)snprintf(text + length, room - length, "; notice \"x\" }\n");
    }
    return text;
}

struct seen {
    unsigned char pairs[RULES][RULES];
    size_t count, left;
};

static bool see(void *context, const struct bl_deed *a, const struct bl_deed *b)
{
    struct seen *seen = context;

    check_case("%u and %u", a->rule_number, b->rule_number);
    check_int(seen->pairs[a->rule_number][b->rule_number], 0);
    seen->pairs[a->rule_number][b->rule_number] = 1;
    seen->count++;
    return seen->left-- > 0;
}

struct subject {
    struct compiled c;
    struct bl_linter l;
    struct bl_deed_list all, even, odd;
    char *text;
    size_t count; /* of rules that can fire at all */
};

static void push(struct subject *s, struct bl_deed_list *list, const struct bl_deed *deed)
{
    const struct bl_deed **place = BL_PUSH(&s->c.arena, *list);

    check(place != NULL);
    *place = deed;
}

static void begin(struct subject *s)
{
    s->text = many_rules();
    memset(&s->l, 0, sizeof(s->l));
    compile_text(&s->c, s->text);
    check_status(s->c.status, BL_OK);
    s->l.arena = &s->c.arena;
    s->l.program = s->c.program;
    bl_diagnostics_init(&s->l.found, &s->c.arena, SIZE_MAX);
    check(bl_meaning_init(&s->l.meaning, &s->c.arena, s->c.program));
    bl_solver_init(&s->l.solver, &s->c.arena, &s->l.meaning.formulas);
    bl_lint_collect_deeds(&s->l);
    s->count = s->l.deeds.count;
    check(s->count > RULES / 2 && s->count <= RULES);
    s->all = s->even = s->odd = (struct bl_deed_list){NULL, 0, 0};
    for (size_t i = 0; i < s->count; i++) {
        push(s, &s->all, &s->l.deeds.items[i]);
        push(s, i % 2 == 0 ? &s->even : &s->odd, &s->l.deeds.items[i]);
    }
}

static void end(struct subject *s)
{
    release_compiled(&s->c);
    free(s->text);
}

static bool met(const struct subject *s, const struct seen *seen, size_t i, size_t k)
{
    uint32_t a = s->all.items[i]->rule_number, b = s->all.items[k]->rule_number;

    return seen->pairs[a][b] + seen->pairs[b][a] > 0;
}

/* Pairs that are left out are those that cannot meet. */
static void check_pair(struct subject *s, const struct seen *seen, size_t i, size_t k)
{
    const struct bl_deed *a = s->all.items[i], *b = s->all.items[k];
    struct bl_solver_mark mark = bl_solver_mark(&s->l.solver);

    check_case("%u and %u", a->rule_number, b->rule_number);
    if (met(s, seen, i, k)) {
        check(bl_deeds_may_meet(a, b));
    } else if (bl_deeds_may_meet(a, b)) {
        check(!bl_solver_add(&s->l.solver, a->guard) ||
              bl_solver_excludes(&s->l.solver, b->guard));
        bl_solver_undo(&s->l.solver, mark);
    }
}

TEST(a_list_with_itself)
{
    static struct seen seen;
    struct subject s;

    begin(&s);
    seen.left = SIZE_MAX;
    bl_deed_pairs(&s.c.arena, &s.all, NULL, see, &seen);
    for (size_t i = 0; i < s.count; i++) {
        for (size_t k = i + 1; k < s.count; k++)
            check_pair(&s, &seen, i, k);
    }
    check(seen.count > 1000 && seen.count < (size_t)RULES * RULES / 3);
    end(&s);
}

TEST(two_lists)
{
    static struct seen seen;
    struct subject s;

    begin(&s);
    seen.left = SIZE_MAX;
    bl_deed_pairs(&s.c.arena, &s.even, &s.odd, see, &seen);
    for (size_t i = 0; i < s.count; i++) {
        for (size_t k = i + 1; k < s.count; k++) {
            if (i % 2 != k % 2)
                check_pair(&s, &seen, i, k);
            else
                check(!met(&s, &seen, i, k));
        }
    }
    end(&s);
}

TEST(who_has_seen_enough_is_left_alone)
{
    static struct seen seen;
    struct subject s;

    begin(&s);
    seen.left = 10;
    bl_deed_pairs(&s.c.arena, &s.all, NULL, see, &seen);
    check_size(seen.count, 11);
    end(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_with_itself),
        cmocka_unit_test(two_lists),
        cmocka_unit_test(who_has_seen_enough_is_left_alone),
    };

    return check_main(tests);
}
