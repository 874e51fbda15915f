/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTING_COVERAGE_H
#define BL_TESTING_COVERAGE_H

#include "base/source.h"
#include "vm/vm.h"

/* What the tests of a policy let happen, read from the counters of the machine: which rules
 * fired and steps ran, which rows of decisions, checks and messages were taken, which effects
 * were planned, and which single conditions were seen true and which false. What stands twice
 * in the code because the policy writes it once is one item. */

enum bl_coverage_kind {
    BL_COVERAGE_RULE,
    BL_COVERAGE_ROW,
    BL_COVERAGE_EFFECT,
    BL_COVERAGE_CONDITION,
    BL_COVERAGE_KIND_COUNT
};

struct bl_coverage_item {
    enum bl_coverage_kind kind;
    uint32_t source, lo, hi;
    bl_str name;      /* RULE */
    uint64_t taken;   /* all but CONDITION */
    uint64_t yes, no; /* CONDITION: how often it held, and how often it did not */
};

struct bl_coverage_line {
    uint32_t source, line;
    uint64_t count; /* of its most passed instruction */
};

/* A condition is two goals, everything else one. */
struct bl_coverage_sum {
    size_t goals[BL_COVERAGE_KIND_COUNT], met[BL_COVERAGE_KIND_COUNT];
};

struct bl_coverage_report {
    BL_VEC(struct bl_coverage_item) items; /* by source and place */
    BL_VEC(struct bl_coverage_line) lines; /* by source and line; without gaps in neither */
    struct bl_coverage_sum sum;
};

/* Counters for the module; NULL when out of memory. */
struct bl_coverage *bl_coverage_create(struct bl_arena *arena, const struct bl_module *module);
/* Reads the counters for the sources that `wanted` has at their numbers (NULL: all); tests
 * themselves never count. Takes (instructions * log). BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_coverage_collect(struct bl_arena *arena,
                                                const struct bl_module *module,
                                                const struct bl_coverage *coverage,
                                                struct bl_sources *sources, const bool *wanted,
                                                struct bl_coverage_report *out);
struct bl_coverage_sum bl_coverage_sum_of(const struct bl_coverage_report *report,
                                          uint32_t source);
/* Percent of all goals, rounded down: 100 is all of them. Without goals 100. */
unsigned bl_coverage_percent(const struct bl_coverage_sum *sum);

/* A line for each file, and what was not met with its place. */
void bl_coverage_text(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out);
/* The trace format of lcov: rules as functions, conditions as branches, lines. */
void bl_coverage_lcov(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out);
/* One page that needs nothing else: the policies with what was met beside each line. */
void bl_coverage_html(const struct bl_coverage_report *report, struct bl_sources *sources,
                      struct bl_buf *out);

/* What an item that was not met lacks: "never true", "never taken"; empty when it is met. */
bl_str bl_coverage_lack(const struct bl_coverage_item *item);

#endif
