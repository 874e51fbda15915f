/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_PLAN_PLANNING_H
#define BL_TESTS_UNIT_PLAN_PLANNING_H

#include "plan/plan.h"
#include "support/scripted_world.h"
#include "support/stage.h"

/* Effects as rules would have planned them, on a scripted repository. The entries are the rules
 * "alpha", "beta", "gamma", "delta" (0 to 3), in an order that a test may turn around; `delta`
 * is over `alpha`. */

struct planning {
    struct bl_arena arena;
    struct stage stage;
    struct scripted_world world;
    struct bl_diagnostics sink;
    struct bl_plan plan;
    uint32_t chain;
};

enum { ALPHA, BETA, GAMMA, DELTA };

void planning_open(struct planning *p, bool turned);
void planning_close(struct planning *p);
/* A new look at the world, nothing planned. */
void planning_again(struct planning *p);
/* The next chain belongs to this rule. */
void plan_chain(struct planning *p, unsigned rule);
/* An effect of the chain in hand; `detail`: kind of comment of POST. */
void plan_effect(struct planning *p, enum bl_effect effect, uint32_t detail,
                 const struct bl_value *args, size_t count);

/* Short forms for the effects that tests use most; issue 12 unless said. */
struct bl_value planning_issue(struct planning *p, int64_t number);
struct bl_value planning_posted(struct planning *p, int64_t comment);
void plan_add(struct planning *p, const char *label);
void plan_remove(struct planning *p, const char *label);
void plan_close(struct planning *p, unsigned reason);
void plan_reopen(struct planning *p);
void plan_reply(struct planning *p, int64_t to, const char *text);
void plan_mark(struct planning *p, int64_t comment, const char *name, struct bl_value value);
void plan_notice(struct planning *p, enum bl_effect effect, const char *text);

/* Makes, proves, carries out; the status of what ended it. */
enum bl_status planning_run(struct planning *p, bool dry);
/* The effects of the plan in words, one a line. */
bl_str planning_words(struct planning *p);
/* Their states, a letter each: p(lanned) t(here) w(ould) d(one) f(ailed) l(eft). */
bl_str planning_states(struct planning *p);

#endif
