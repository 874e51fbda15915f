/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_LINT_SMALL_WORLD_H
#define BL_TESTS_UNIT_LINT_SMALL_WORLD_H

#include "sema/program.h"

/* A world so small that all of them can be looked at, and what a condition says in one: an
 * evaluator of the typed tree that knows nothing of the analysis. */
struct small_world {
    enum bl_event_id event; /* issues.opened or issues.edited */
    bool is_closed, locked, has_bug, has_stale;
    int login;     /* 0 alice, 1 bob, 2 helper[bot] */
    int thumbs;    /* 0 to 4 */
    int title;     /* of titles[] */
    int closed_at; /* -1 absent, else hours before now: 0 to 1 */
    int age;       /* hours since it was opened: 0 to 3 */
    int limit;     /* the setting `limit`: 0 to 2 */
};
#define SMALL_WORLDS (2 * 2 * 2 * 2 * 2 * 3 * 5 * 4 * 3 * 4 * 3)

#define SMALL_NOW (86400 * 20000 + 7200) /* two hours of a day are gone */

extern const char *const small_titles[4];
extern const char *const small_logins[3];
/* Number `n` of all of them. */
struct small_world small_world(size_t n);
/* Fails the test for what it does not know. */
bool small_holds(const struct small_world *w, const struct bl_node *condition);

#endif
