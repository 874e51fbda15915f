/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTING_CASE_RUN_H
#define BL_TESTING_CASE_RUN_H

#include "testing/testing.h"
#include "world/sim/sim_people.h"

/* One execution of one case. A case with `crashes anywhere` is executed once whole, and once
 * more for each write, cut behind it. */
struct bl_case {
    struct bl_arena *arena;   /* of this execution */
    struct bl_arena *results; /* of what is told about it */
    const struct bl_test_options *options;
    const struct bl_module *module;
    struct bl_test_result *result;
    struct bl_sim *sim;
    struct bl_machine machine; /* evaluates steps and expectations */
    struct bl_trace trace;
    struct bl_test_host host;
    struct bl_value *setting_values;
    bool *setting_given;
    struct bl_setting_values settings;
    struct bl_run_result last; /* of the last job that ran */
    bool has_last;
    struct bl_buf notices;
    bool has_task;
    struct bl_value task;
    bool crashes; /* the test asks for it */
    /* Which run of this execution is cut, and after how many writes; SIZE_MAX: none. */
    size_t cut_run, cut_after;
    size_t run_number;
    BL_VEC(size_t) writes; /* of each run of the whole execution */
    bool stopped;          /* nothing of the case goes on after that */
};

/* What a step does; bl_test_host.step. */
enum bl_status bl_case_step(void *context, const struct bl_site *site,
                            const struct bl_value *args, size_t count);
/* Runs the jobs that listen to what was sent, or to its twin, and makes their outcome the last
 * one. */
enum bl_status bl_case_deliver(struct bl_case *c, const struct bl_sim_delivery *delivery,
                               const struct bl_sim_delivery *twin);
/* A fresh look at the world, and the names that tests may ask. */
enum bl_status bl_case_refresh(struct bl_case *c);
/* Ends the case: `text` says what does not work. */
enum bl_status bl_case_broken(struct bl_case *c, const struct bl_site *site, bl_str text);
struct bl_test_failure *bl_case_failure(struct bl_case *c, const struct bl_site *site,
                                        bl_str text);

#endif
