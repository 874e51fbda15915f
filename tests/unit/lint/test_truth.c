/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/witness_parts.h"
#include "small_world.h"
#include "support/check.h"
#include "unit/sema/compile.h"

#include <stdio.h>

/* What the analysis proves, held against all small worlds: a condition that it proves to be
 * never true holds in none of them, one that it does not prove so holds in one, and so for
 * pairs. */

/* What conditions may compare in a small world is all that it has, so the proofs must be there,
 * too: titles are among four, thumbs at most four. */
static const char head[] =
    "label bug \"bug\" { color \"d73a4a\" }\n"
    "label stale \"Stale\" { color \"cccccc\" }\n"
    "setting limit : int = 1 { min 0; max 2 }\n"
    "actor robot(user) = user.kind == bot or user.login ends_with \"[bot]\"\n"
    "define crowded(issue, least : int) : bool = issue.thumbs_up >= least\n"
    "define age(issue) : duration = now - issue.created_at\n"
    "decision ground : text? { issue has bug => \"bug\"; issue.locked => \"locked\"; otherwise "
    "=> "
    "none }\n"
    "decision size : int { issue.thumbs_up > 3 => 2; issue.thumbs_up > 1 => 1; otherwise => 0 "
    "}\n"
    "define known(issue) : bool {\n  let one = issue has bug\n  give one or issue has "
    "stale\n}\n"
    "check fine(issue) {\n  let hot = issue.thumbs_up > 2\n  pass known when issue has bug\n"
    "  when issue.locked {\n    refuse shut when issue.state == closed \"Shut.\"\n"
    "    require warm hot \"Cold.\"\n  }\n  otherwise when hot {\n"
    "    refuse old when issue has stale \"Old.\"\n  }\n  otherwise {\n"
    "    pass calm when issue.thumbs_up == 0\n  }\n"
    "  refuse wild when issue.thumbs_up > 3 \"Wild.\"\n}\n"
    "check strict {\n  check fine(issue)\n  require open issue.state == open \"Closed.\"\n}\n"
    "define grounds : list of int = [1, 3]\n";

static const char *const atoms[] = {
    "issue.state == open",
    "issue.state != open",
    "issue.state in [open, closed]",
    "issue.locked",
    "issue has bug",
    "issue lacks bug",
    "issue has stale",
    "known(issue)",
    "issue.author.login == \"alice\"",
    "issue.author.login != \"bob\"",
    "issue.author.login in [\"alice\", \"helper[bot]\"]",
    "issue.author.login starts_with \"al\"",
    "issue.author is robot",
    "issue.author is not robot",
    "issue.author.kind == person",
    "issue.thumbs_up > 3",
    "issue.thumbs_up <= 1",
    "issue.thumbs_up == 2",
    "issue.thumbs_up != 2",
    "issue.thumbs_up + 1 > 3",
    "2 * issue.thumbs_up >= 5",
    "crowded(issue, 2)",
    "issue.thumbs_up >= limit",
    "limit == 0",
    "limit > 1",
    "event is issues.opened",
    "event is not issues.opened",
    "issue.closed_at is set",
    "issue.closed_at is absent",
    "issue.closed_at == now",
    "issue.closed_at != now",
    "(issue.closed_at else now) < now",
    "age(issue) > 1 hours",
    "issue.created_at + 2 hours >= now",
    "now - issue.created_at == 0 hours",
    "ground is set",
    "ground == \"locked\"",
    "size == 2",
    "size < 2",
    "size + issue.thumbs_up > 3",
    "(if issue.locked then issue has bug else issue has stale)",
    "(issue.locked == (issue has bug))",
    "fine(issue).passes",
    "strict.passes",
    "strict.rule == open",
    "(fine(issue).rule == wild or fine(issue).rule == calm)",
    "(any n in grounds where n == issue.thumbs_up)",
    "(all n in [0, 1] where issue.thumbs_up > n)",
    "(no n in [0, 3] where n == issue.thumbs_up)",
    "(any l in issue.labels where l == bug)",
    "(any l in issue.labels where l in [bug, stale])",
    "(no l in issue.labels where l == stale)",
    "count([1, 2]) == 2",
    "count([]) > 0",
};
#define ATOMS (sizeof(atoms) / sizeof(atoms[0]))

static const char *const texts[] = {
    "issue.title == \"crash\"",          "issue.title contains \"crash\"",
    "issue.title starts_with \"a \"",    "issue.title ends_with \"docs\"",
    "issue.title matches /^crash/",      "issue.title matches /docs$/",
    "issue.title matches /cra?sh|wish/",
};
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

/* How many there are is known apart from which they are. */
static const char *const lists[] = {
    "(all l in issue.labels where l == bug)",
    "count(issue.labels) > 0",
    "(count l in issue.labels where l == bug) == 1",
    "count(each l in issue.labels where l == bug) >= 1",
    "count(each l in issue.labels where l == bug giving issue.title) == 1",
    "count(issue.labels) == 2",
    "first(issue.labels) == bug",
    "(first l in issue.labels where l != bug) is set",
    "(last l in issue.labels where l != bug) is absent",
    "(any l in issue.labels where l != bug)",
    "issue has bug",
    "issue has stale",
};
/* And of what is worked out no more than its own value. */
static const char *const values[] = {
    "issue.created_at.day == today",
    "days(issue.created_at.day, today) >= 1",
    "days(today, issue.created_at.day) < 0",
    "issue.created_at.day.midnight == today.midnight",
    "issue.created_at >= today.midnight",
    "issue.author == me",
    "issue.author != me",
    "issue.author.association == nobody",
    "lower(trim(issue.title)) == \"crash\"",
    "length(issue.title) > 5",
    "issue.comment_count == 0",
    "count(issue.comments) > 0",
    "first(issue.comments) is absent",
    "(any c in issue.comments where c.author == issue.author)",
    "(all c in issue.comments where c.author == issue.author)",
    "(first c in issue.comments where c.author == issue.author) is set",
    "count(each c in issue.comments where c.author == me giving c.author) == 0",
    "issue.title == \"CRASH\"",
    "issue.thumbs_up * 2 - limit >= 3",
};
#define VALUES (sizeof(values) / sizeof(values[0]))
#define LISTS  (sizeof(lists) / sizeof(lists[0]))

struct subject {
    struct compiled c;
    struct bl_meaning meaning;
    struct bl_solver solver;
    const struct bl_node *conditions[256];
    size_t count;
};

static void compile_conditions(struct subject *s, const char *const *conditions, size_t count)
{
    static char text[65536];
    size_t length = (size_t)snprintf(text, sizeof(text), "%s", head);

    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length,
                                   "define c%zu : bool = %s\n", i, conditions[i]);
    compile_text(&s->c, text);
    check_status(s->c.status, BL_OK);
    check(bl_meaning_init(&s->meaning, &s->c.arena, s->c.program));
    bl_solver_init(&s->solver, &s->c.arena, &s->meaning.formulas);
    /* The bounds of the setting, and what a small world has of events. */
    check(
        bl_solver_add(&s->solver, bl_meaning_bounds(&s->meaning, find_symbol(&s->c, "limit"))));
    check(bl_solver_add(
        &s->solver, bl_meaning_events(&s->meaning, UINT64_C(1) << BL_EVENT_ISSUES_OPENED |
                                                       UINT64_C(1) << BL_EVENT_ISSUES_EDITED)));
    s->count = count;
    for (size_t i = 0; i < count; i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "c%zu", i);
        s->conditions[i] = find_symbol(&s->c, name)->as.callable->value;
    }
}

static const struct bl_formula *meaning(struct subject *s, size_t i)
{
    s->meaning.work = 0;
    return bl_meaning_condition(&s->meaning, s->conditions[i]);
}

/* ---- by the searches
 * --------------------------------------------------------------------------- */

/* Tables of truth: a bit for each world. */
static unsigned char (*tables)[SMALL_WORLDS / 8 + 1];

static void make_tables(const struct subject *s)
{
    static unsigned char room[256][SMALL_WORLDS / 8 + 1];

    tables = room;
    for (size_t i = 0; i < s->count; i++) {
        for (size_t n = 0; n < SMALL_WORLDS; n++) {
            struct small_world w = small_world(n);

            if (n % 8 == 0)
                tables[i][n / 8] = 0;
            if (small_holds(&w, s->conditions[i]))
                tables[i][n / 8] |= (unsigned char)(1u << n % 8);
        }
    }
}

static bool some_world(size_t a, bool a_holds, size_t b, bool b_holds)
{
    for (size_t n = 0; n < SMALL_WORLDS / 8; n++) {
        unsigned one = a_holds ? tables[a][n] : (unsigned char)~tables[a][n];
        unsigned other = b_holds ? tables[b][n] : (unsigned char)~tables[b][n];

        if ((one & other) != 0)
            return true;
    }
    return false;
}

static bool excludes(struct subject *s, const struct bl_formula *a, const struct bl_formula *b)
{
    struct bl_solver_mark mark = bl_solver_mark(&s->solver);
    bool excluded = !bl_solver_add(&s->solver, a) || bl_solver_excludes(&s->solver, b);

    bl_solver_undo(&s->solver, mark);
    return excluded;
}

/* Of the kind and the login of one user the analysis knows nothing together. */
static bool asks_kind_and_login(size_t a, size_t b)
{
    static const char *const words[] = {"robot", "kind", "login"};
    unsigned asked[2] = {0, 0};

    for (unsigned i = 0; i < 3; i++) {
        asked[0] |=
            bl_str_find(bl_str_from(atoms[a]), bl_str_from(words[i])) != SIZE_MAX ? 1u << i : 0;
        asked[1] |=
            bl_str_find(bl_str_from(atoms[b]), bl_str_from(words[i])) != SIZE_MAX ? 1u << i : 0;
    }
    return asked[0] != 0 && asked[1] != 0;
}

TEST(pairs_agree_with_all_worlds)
{
    static struct subject s;

    compile_conditions(&s, atoms, ATOMS);
    make_tables(&s);
    for (size_t a = 0; a < ATOMS; a++) {
        for (size_t b = a; b < ATOMS; b++) {
            for (unsigned signs = 0; signs < 4; signs++) {
                bool a_holds = (signs & 1) == 0, b_holds = (signs & 2) == 0;
                const struct bl_formula *one = meaning(&s, a), *other = meaning(&s, b);
                bool possible = some_world(a, a_holds, b, b_holds);
                bool excluded;

                one = a_holds ? one : bl_formula_not(&s.meaning.formulas, one);
                other = b_holds ? other : bl_formula_not(&s.meaning.formulas, other);
                excluded = excludes(&s, one, other);
                check_case("%s%s and %s%s", a_holds ? "" : "not ", atoms[a],
                           b_holds ? "" : "not ", atoms[b]);
                if (possible)
                    check(!excluded);
                else if (!asks_kind_and_login(a, b))
                    check(excluded);
            }
        }
    }
    release_compiled(&s.c);
}

static size_t check_pairs(struct subject *s, const char *const *all)
{
    size_t proved = 0;

    make_tables(s);
    for (size_t a = 0; a < s->count; a++) {
        for (size_t b = 0; b < s->count; b++) {
            for (unsigned signs = 0; signs < 4; signs++) {
                bool a_holds = (signs & 1) == 0, b_holds = (signs & 2) == 0;
                const struct bl_formula *one = meaning(s, a), *other = meaning(s, b);
                bool excluded;

                one = a_holds ? one : bl_formula_not(&s->meaning.formulas, one);
                other = b_holds ? other : bl_formula_not(&s->meaning.formulas, other);
                excluded = excludes(s, one, other);
                check_case("%s%s and %s%s", a_holds ? "" : "not ", all[a],
                           b_holds ? "" : "not ", all[b]);
                check(!excluded || !some_world(a, a_holds, b, b_holds));
                proved += a != b && excluded;
            }
        }
    }
    return proved;
}

/* Titles have no end, so a search that is not excluded may be true of a title that is not among
 * the four: only one direction holds. */
TEST(texts_are_never_excluded_wrongly)
{
    static struct subject s;

    compile_conditions(&s, texts, TEXTS);
    (void)check_pairs(&s, texts);
    /* What these say of each other. */
    check(excludes(&s, meaning(&s, 0), bl_formula_not(&s.meaning.formulas, meaning(&s, 1))));
    check(excludes(&s, meaning(&s, 0), bl_formula_not(&s.meaning.formulas, meaning(&s, 4))));
    check(excludes(&s, meaning(&s, 0), meaning(&s, 5)));
    check(excludes(&s, meaning(&s, 2), meaning(&s, 4)));
    check(excludes(&s, meaning(&s, 3), bl_formula_not(&s.meaning.formulas, meaning(&s, 5))));
    check(excludes(&s, meaning(&s, 1), bl_formula_not(&s.meaning.formulas, meaning(&s, 6))));
    release_compiled(&s.c);
}

TEST(values_are_never_excluded_wrongly)
{
    static struct subject s;

    compile_conditions(&s, values, VALUES);
    check(check_pairs(&s, values) > 0);
    check(excludes(&s, meaning(&s, 1), bl_formula_not(&s.meaning.formulas, meaning(&s, 2))));
    check(excludes(&s, meaning(&s, 8), meaning(&s, 8)) == false);
    check(excludes(&s, meaning(&s, 5), meaning(&s, 6)));
    check(excludes(&s, bl_formula_not(&s.meaning.formulas, meaning(&s, 11)), meaning(&s, 13)));
    release_compiled(&s.c);
}

TEST(lists_are_never_excluded_wrongly)
{
    static struct subject s;

    compile_conditions(&s, lists, LISTS);
    check(check_pairs(&s, lists) > 10);
    check(excludes(&s, meaning(&s, 0), meaning(&s, 9)));
    check(excludes(&s, bl_formula_not(&s.meaning.formulas, meaning(&s, 1)), meaning(&s, 5)));
    check(excludes(&s, meaning(&s, 2), bl_formula_not(&s.meaning.formulas, meaning(&s, 3))));
    release_compiled(&s.c);
}

/* ---- random conditions
 * --------------------------------------------------------------------------- */

static uint32_t random_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static size_t put_random(uint32_t *state, unsigned depth, char *out, size_t room)
{
    size_t length = 0;
    unsigned kind = depth == 0 ? 0 : random_number(state) % 4;

    if (kind == 0)
        return (size_t)snprintf(out, room, "%s", atoms[random_number(state) % ATOMS]);
    if (kind == 1) {
        length = (size_t)snprintf(out, room, "not (");
        length += put_random(state, depth - 1, out + length, room - length);
        return length + (size_t)snprintf(out + length, room - length, ")");
    }
    length = (size_t)snprintf(out, room, "(");
    length += put_random(state, depth - 1, out + length, room - length);
    length += (size_t)snprintf(out + length, room - length, ") %s (", kind == 2 ? "and" : "or");
    length += put_random(state, depth - 1, out + length, room - length);
    return length + (size_t)snprintf(out + length, room - length, ")");
}

TEST(random_conditions_agree_with_all_worlds)
{
    static struct subject s;
    static char room[128][2048];
    static const char *all[128];
    uint32_t seed = 11;
    size_t never = 0, always = 0;

    for (size_t i = 0; i < 128; i++) {
        put_random(&seed, 4, room[i], sizeof(room[i]));
        all[i] = room[i];
    }
    compile_conditions(&s, all, 128);
    make_tables(&s);
    for (size_t i = 0; i < 128; i++) {
        const struct bl_formula *f = meaning(&s, i);
        bool proved_never = bl_solver_excludes(&s.solver, f);
        bool proved_always =
            bl_solver_excludes(&s.solver, bl_formula_not(&s.meaning.formulas, f));

        check_case("%s", all[i]);
        check(!proved_never || !some_world(i, true, i, true));
        check(!proved_always || !some_world(i, false, i, false));
        never += proved_never;
        always += proved_always;
        for (size_t k = 0; k < i; k++) {
            check_case("%s | %s", all[i], all[k]);
            if (excludes(&s, f, meaning(&s, k)))
                check(!some_world(i, true, k, true));
            if (excludes(&s, f, bl_formula_not(&s.meaning.formulas, meaning(&s, k))))
                check(!some_world(i, true, k, false));
        }
    }
    check(never > 0 && always > 0); /* else nothing was tested */
    release_compiled(&s.c);
}

/* ---- by the facts
 * -------------------------------------------------------------------------------- */

/* The same world as facts of a witness. Its clock is 09:00 of a day, the worlds' is a number.
 */
static struct bl_witness as_witness(const struct small_world *w)
{
    static const bl_str labels[] = {{"bug", 3}, {"stale", 5}};
    struct bl_witness out = {.event = w->event,
                             .repository = BL_STR("octo/demo"),
                             .account = BL_STR("helper[bot]"),
                             .clock = SMALL_NOW};

    out.users[0] =
        (struct bl_witness_user){bl_str_from(small_logins[w->login]),
                                 w->login == 2 ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON,
                                 BL_ASSOCIATION_NOBODY, BL_PERMISSION_READ};
    out.facts[BL_WITNESS_ISSUE_STATE].number =
        w->is_closed ? BL_ISSUE_STATE_CLOSED : BL_ISSUE_STATE_OPEN;
    out.facts[BL_WITNESS_ISSUE_LOCKED].number = w->locked;
    out.facts[BL_WITNESS_ISSUE_THUMBS_UP].number = w->thumbs;
    out.facts[BL_WITNESS_ISSUE_TITLE].text = bl_str_from(small_titles[w->title]);
    out.facts[BL_WITNESS_ISSUE_CREATED_AT].number = out.clock - w->age * 3600;
    out.facts[BL_WITNESS_ISSUE_CLOSED_AT] =
        (struct bl_witness_value){w->closed_at < 0, out.clock - w->closed_at * 3600, {NULL, 0}};
    if (w->has_bug)
        out.labels[out.label_count++] = labels[0];
    if (w->has_stale)
        out.labels[out.label_count++] = labels[1];
    return out;
}

/* Each formula says in each world what the tree says. The setting is what the program sets, 1;
 * on issues.opened the clock is the moment of the opening. */
TEST(formulas_say_what_the_tree_says)
{
    static struct subject s;
    static const char *all[ATOMS + TEXTS + VALUES];
    size_t looked_at = 0, unknown = 0;

    for (size_t i = 0; i < ATOMS; i++)
        all[i] = atoms[i];
    for (size_t i = 0; i < TEXTS; i++)
        all[ATOMS + i] = texts[i];
    for (size_t i = 0; i < VALUES; i++)
        all[ATOMS + TEXTS + i] = values[i];
    compile_conditions(&s, all, ATOMS + TEXTS + VALUES);
    s.meaning.settings = BL_SETTINGS_FIXED;
    for (size_t n = 0; n < SMALL_WORLDS; n += 7) {
        struct small_world w = small_world(n);
        struct bl_witness facts = as_witness(&w);

        if (w.limit != 1 || (w.event == BL_EVENT_ISSUES_OPENED && w.age != 0))
            continue;
        looked_at++;
        for (size_t i = 0; i < s.count; i++) {
            int holds = bl_witness_holds(&facts, &s.solver, meaning(&s, i));

            check_case("world %zu: %s", n, all[i]);
            unknown += holds < 0;
            if (holds >= 0 || i < ATOMS + TEXTS)
                check_int(holds, small_holds(&w, s.conditions[i]));
        }
    }
    check(looked_at > 1000);
    check_size(unknown, 0);
    release_compiled(&s.c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_agree_with_all_worlds),
        cmocka_unit_test(texts_are_never_excluded_wrongly),
        cmocka_unit_test(values_are_never_excluded_wrongly),
        cmocka_unit_test(lists_are_never_excluded_wrongly),
        cmocka_unit_test(random_conditions_agree_with_all_worlds),
        cmocka_unit_test(formulas_say_what_the_tree_says),
    };

    return check_main(tests);
}
