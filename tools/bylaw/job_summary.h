/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_JOB_SUMMARY_H
#define BL_BYLAW_JOB_SUMMARY_H

#include "cli/session.h"
#include "world/world.h"

/* The section of a run in the summary of its job (GITHUB_STEP_SUMMARY). It stands there from
 * the beginning and gets a line for each write as it happens, so that a run that is killed
 * leaves what it wrote; one that ends puts its own account in that place. */
struct bl_job_summary {
    struct bl_session *session;
    bl_str path;    /* empty: nobody wants one, or it cannot be written */
    size_t from;    /* where the section begins in the file */
    size_t written; /* of it so far */
    bool broken;    /* it was said */
};

/* Writes the head of the section, for a run that is going to write. */
void bl_job_summary_begin(struct bl_job_summary *summary, struct bl_session *session,
                          bl_str job);
void bl_job_summary_written(struct bl_job_summary *summary, const struct bl_effect_call *call);
/* Puts `text` in place of the section, or behind what others wrote after it. */
enum bl_exit bl_job_summary_end(struct bl_job_summary *summary, bl_str text);

#endif
