/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_READ_H
#define BL_WORLD_GITHUB_GITHUB_READ_H

#include "world/github/github_parts.h"

/* One read over REST. Private to github_read.c and github_read_code.c. */
struct bl_github_reading {
    struct bl_github *github;
    struct bl_snapshot *snapshot;
    struct bl_object *object; /* whose fields are read; NULL for a query */
    enum bl_read read;
    struct bl_failure *failure;
    struct bl_buf url;
    bool elsewhere_is_missing;
};

/* The address below that of the repository; more may be put behind it. */
void bl_github_reading_begin(struct bl_github_reading *r, const char *below);
/* GETs it; the answer is an object. */
enum bl_github_outcome bl_github_reading_get(struct bl_github_reading *r,
                                             const struct bl_json **json);
/* Reads the list into a field of the object. */
enum bl_github_outcome bl_github_reading_list(struct bl_github_reading *r,
                                              bl_github_element *element, enum bl_field field);
/* The same without an object. */
enum bl_github_outcome bl_github_reading_items(struct bl_github_reading *r,
                                               bl_github_element *element,
                                               struct bl_value *out);
enum bl_github_outcome bl_github_reading_wrong(struct bl_github_reading *r);
enum bl_github_outcome bl_github_reading_no_memory(struct bl_github_reading *r);

/* Elements of lists (github_read_events.c). */
struct bl_object *bl_github_timeline_event(struct bl_github *github, const struct bl_json *json,
                                           struct bl_github_item *item);
struct bl_object *bl_github_reaction(struct bl_github *github, const struct bl_json *json,
                                     struct bl_github_item *item);

/* Commits, releases and alerts (github_read_code.c). */
enum bl_github_outcome bl_github_read_commit(struct bl_github_reading *r);
enum bl_github_outcome bl_github_read_pull_commits(struct bl_github_reading *r);
enum bl_github_outcome bl_github_read_releases(struct bl_github_reading *r);
enum bl_github_outcome bl_github_read_alerts(struct bl_github_reading *r);
/* The issues that hold all the words, newest first. */
enum bl_github_outcome bl_github_search(struct bl_github_reading *r, bl_str words, int64_t most,
                                        struct bl_value *out);
/* The runs of the workflow in a file that were created since then, newest first; the jobs of
 * one.
 */
enum bl_github_outcome bl_github_runs(struct bl_github_reading *r, bl_str file, int64_t since,
                                      struct bl_value *out);
enum bl_github_outcome bl_github_read_run_jobs(struct bl_github_reading *r);
/* True; MISSING when the repository has nothing of this number. */
enum bl_github_outcome bl_github_foreign_issue(struct bl_github_reading *r, bl_str repository,
                                               int64_t number, struct bl_value *out);
/* The open pull requests whose head is the commit; of all that GitHub connects with it. */
enum bl_github_outcome bl_github_pulls_with_head(struct bl_github_reading *r, bl_str sha,
                                                 struct bl_value *out);
/* Whether the commit is the tag's or behind it; MISSING when GitHub does not know one of them.
 */
enum bl_github_outcome bl_github_ships(struct bl_github_reading *r, bl_str tag, bl_str sha,
                                       struct bl_value *out);
enum bl_github_outcome bl_github_read_files(struct bl_github_reading *r);

#endif
