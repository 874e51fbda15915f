/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORKFLOWS_WRITER_H
#define BL_WORKFLOWS_WRITER_H

#include "sema/job_uses.h"
#include "workflows/workflows.h"
#include "workflows/yaml.h"

/* What the files of this room share. */

#define BL_WORKFLOW_FIRST_LINE "# Made from a policy by policyc --emit=workflows"
#define BL_DEFAULT_BRANCH      "github.event.repository.default_branch"

struct bl_writer {
    const struct bl_program *program;
    struct bl_diagnostics *sink;
    const struct bl_symbol *workflow;
    struct bl_job_uses *uses; /* by the numbers of jobs; of those of the workflow */
    struct bl_buf out;
    bool failed; /* something cannot be written, and the sink says what */
};

/* What an expression may know: the events, and the jobs before its own. */
struct bl_knowing {
    const struct bl_symbol *job; /* NULL: of the workflow, so no job was before it */
    uint64_t events;
};

/* ---- github_expressions.c: the language as expressions of GitHub. GitHub compares texts
 * without case and takes what is missing for '', 0 and false, so a condition of ours may be
 * false where theirs holds: the job then begins, and asks itself. */

/* A condition that may stand beside `&&`; alone when `bare`. */
void bl_write_condition(struct bl_writer *w, const struct bl_knowing *knowing,
                        const struct bl_node *node, bool bare, struct bl_buf *out);
/* A value that stands in a text of the workflow: own words as they are, everything else between
 * "${{" and "}}". */
void bl_write_value(struct bl_writer *w, const struct bl_knowing *knowing,
                    const struct bl_node *node, struct bl_buf *out);
/* Own words where GitHub looks for expressions: none of theirs begins one. */
void bl_write_words(struct bl_buf *out, bl_str words);
/* A text of an expression, in its quotes. */
void bl_write_quoted(struct bl_buf *out, bl_str words);

/* ---- triggers.c */
void bl_write_triggers(struct bl_writer *w);
/* The condition that holds on the branches that the workflow listens to, where GitHub's own
 * filter cannot say it; nothing when there is none. */
void bl_write_branch_condition(struct bl_writer *w, struct bl_buf *out);

/* ---- workflow_jobs.c */
void bl_write_job(struct bl_writer *w, const struct bl_symbol *job);
void bl_write_queue(struct bl_writer *w, const struct bl_knowing *knowing,
                    const struct bl_clause *queue, unsigned columns);

/* ---- runner_files.c */
/* False when the runner has no such file. */
bool bl_write_runner(const struct bl_program *program, const struct bl_symbol *runner,
                     bl_str *text);

/* ---- workflows.c */
/* The first row of a kind; NULL when there is none. */
const struct bl_clause *bl_find_row(const struct bl_clause *list, enum bl_clause_id id);
bl_str bl_row_text(const struct bl_clause *row,
                   unsigned slot); /* a literal without placeholders */
void bl_writer_lacks(struct bl_writer *w, const struct bl_symbol *at, const char *what);
bool bl_is_of(const struct bl_symbol *job, const struct bl_symbol *workflow);

#endif
