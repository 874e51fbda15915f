/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_QUERIES_H
#define BL_WORLD_GITHUB_GITHUB_QUERIES_H

#include "base/str.h"

/* The GraphQL queries. Each asks for no more than the fields of entities.def, a hundred
 * elements a page, and what it cost. The fake server of the tests holds them against GitHub's
 * schema. Private to github_batch.c, github_read_graph.c and
 * github_read_merges.c. */

/* Many issues: the begin, for each of them "alias: issue(number: N) { ...B }", the end, the
 * parts of fragment B and its brace, and the fragments that these parts spread. */
extern const bl_str bl_query_batch_begin;
extern const bl_str bl_query_batch_end;
extern const bl_str bl_query_batch_comments;
extern const bl_str bl_query_batch_timeline;
extern const bl_str bl_query_batch_edits;
extern const bl_str bl_query_fragment_comment;
extern const bl_str bl_query_fragment_timeline;
extern const bl_str bl_query_issues; /* $states, $order, $labels: which, in which order */
extern const bl_str bl_query_closing_pulls;  /* $number of an issue */
extern const bl_str bl_query_closing_issues; /* $number of a pull request */
extern const bl_str bl_query_merged_pulls;
extern const bl_str bl_query_edits; /* $number of an issue */
extern const bl_str bl_query_discussions;
extern const bl_str bl_query_numbered; /* $number of whatever it is */

#endif
