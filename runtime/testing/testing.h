/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTING_TESTING_H
#define BL_TESTING_TESTING_H

#include "base/source.h"
#include "run/run.h"

/* Tests of policies: each row of CASES runs on a simulated repository of its own, with the
 * clock in its hand. Nothing of one case is seen by another, so their order means nothing. */

struct bl_test_failure {
    uint32_t source, lo, hi; /* of the expectation or step */
    bl_str text;             /* a sentence: what was expected and what is */
    bl_str detail; /* lines: expected and planned side by side, why the rules concerned did what
                      they did */
};

enum bl_test_outcome { BL_TEST_PASSED, BL_TEST_FAILED, BL_TEST_BROKEN };

struct bl_test_result {
    bl_str name;
    uint32_t source, lo, hi;
    enum bl_test_outcome outcome; /* BROKEN: it could not be run to its end */
    BL_VEC(struct bl_test_failure) failures;
    size_t expectations;
    size_t runs; /* of jobs, those after a crash included */
};

/* Golden plans: what the last step planned, as `expect golden NAME` compares it with the file
 * golden/NAME.plan beside the test. The library reads through `read` and never writes: with
 * `bless` what differs is no failure, and the caller writes what the summary lists. */
struct bl_golden_files {
    /* BL_OK with *found, and *out when it is; BL_ERR_IO with a sentence in *out; BL_ERR_NOMEM.
     * NULL: no file is there. */
    enum bl_status (*read)(void *context, struct bl_arena *arena, bl_str path, bool *found,
                           bl_str *out);
    void *context;
    bool bless;
};
struct bl_golden {
    bl_str path;
    bl_str text;   /* what the tests gave */
    bl_str before; /* what the file holds */
    bool is_there, differs;
    bl_str test; /* the first that asked */
};

struct bl_test_options {
    const struct bl_module *module; /* compiled with its tests */
    struct bl_sources *sources;     /* for what expectations say; may be NULL */
    bl_str filter;                  /* parts of names; empty: all */
    uint32_t shard, shards;         /* of `shards` parts, from 1, the `shard`th; 0: all */
    bool use_index;
    struct bl_golden_files golden;
    struct bl_coverage *coverage;         /* testing/coverage.h; NULL: nothing is counted */
    const struct bl_allocator *allocator; /* NULL: the default */
};

struct bl_test_summary {
    BL_VEC(struct bl_test_result) results;
    BL_VEC(struct bl_golden) goldens; /* each file once, as the first test that named it */
    size_t passed, failed, skipped;
};

/* Runs the cases that the options choose. Results live in `arena`. BL_OK even when tests
 * failed; BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_tests_run(struct bl_arena *arena,
                                         const struct bl_test_options *options,
                                         struct bl_test_summary *out);

/* One line a case, failures with expected and actual, a line that counts. */
void bl_tests_print(const struct bl_test_summary *summary, struct bl_sources *sources,
                    bool colour, bool verbose, struct bl_buf *out);
/* JUnit's XML. */
void bl_tests_junit(const struct bl_test_summary *summary, struct bl_sources *sources,
                    struct bl_buf *out);

#endif
