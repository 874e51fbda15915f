/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_QUERIES_H
#define BL_WORLD_GITHUB_GITHUB_QUERIES_H

/* The GraphQL queries. Each asks for no more than the fields of entities.def, a hundred
 * elements a page, and what it cost. Private to github_read_graph.c; the tests of the fake
 * server hold them against GitHub's schema. */

#define BL_Q_BEGIN(variables)                                                                  \
    "query($owner: String!, $name: String!" variables                                          \
    ") { rateLimit { cost remaining } repository(owner: $owner, name: $name) { "
#define BL_Q_END " } }"

#define BL_Q_ACTOR                                                                             \
    " fragment A on Actor { __typename login ... on User { databaseId }"                       \
    " ... on Bot { databaseId } ... on Organization { databaseId }"                            \
    " ... on Mannequin { databaseId } }"

/* An issue has at most 10 assignees and 100 labels. */
#define BL_Q_ISSUE                                                                             \
    " fragment I on Issue { number title body state stateReason(enableDuplicate: true)"        \
    " createdAt closedAt locked authorAssociation author { ...A }"                             \
    " labels(first: 100) { nodes { name } pageInfo { hasNextPage } }"                          \
    " assignees(first: 20) { nodes { ...A } pageInfo { hasNextPage } }"                        \
    " reactions(content: THUMBS_UP) { totalCount } comments { totalCount }"                    \
    " repository { nameWithOwner } }"

#define BL_Q_PULL                                                                              \
    " fragment P on PullRequest { number title body state createdAt mergedAt"                  \
    " authorAssociation author { ...A } baseRefName headRefName headRefOid"                    \
    " headRepository { nameWithOwner } mergeCommit { oid }"                                    \
    " labels(first: 100) { nodes { name } pageInfo { hasNextPage } }"                          \
    " repository { nameWithOwner } }"

#define BL_Q_PAGE " pageInfo { hasNextPage endCursor }"

/* $states, $order: which issues, and in which order. */
#define BL_QUERY_ISSUES                                                                        \
    BL_Q_BEGIN(", $states: [IssueState!], $order: IssueOrder!, $after: String")                \
    "issues(first: 100, after: $after, states: $states, orderBy: $order) { nodes { ...I "      \
    "}" BL_Q_PAGE " }" BL_Q_END BL_Q_ISSUE BL_Q_ACTOR

#define BL_QUERY_CLOSING_PULLS                                                                 \
    BL_Q_BEGIN(", $number: Int!, $after: String")                                              \
    "issue(number: $number) { closedByPullRequestsReferences(first: 100, after: $after,"       \
    " includeClosedPrs: true) { nodes { ...P }" BL_Q_PAGE " } }" BL_Q_END BL_Q_PULL BL_Q_ACTOR

#define BL_QUERY_CLOSING_ISSUES                                                                \
    BL_Q_BEGIN(", $number: Int!, $after: String")                                              \
    "pullRequest(number: $number) { closingIssuesReferences(first: 100, after: $after) {"      \
    " nodes { ...I }" BL_Q_PAGE " } }" BL_Q_END BL_Q_ISSUE BL_Q_ACTOR

/* The creation of an issue that was edited is the oldest of its edits. */
#define BL_QUERY_EDITS                                                                         \
    BL_Q_BEGIN(", $number: Int!, $after: String")                                              \
    "issue(number: $number) { userContentEdits(first: 100, after: $after) { nodes { id"        \
    " editedAt editor { ...A } }" BL_Q_PAGE " } createdAt } " BL_Q_END BL_Q_ACTOR

#define BL_QUERY_DISCUSSIONS                                                                   \
    BL_Q_BEGIN(", $after: String")                                                             \
    "discussions(first: 100, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {"  \
    " nodes { number title body category { name } isAnswered }" BL_Q_PAGE " }" BL_Q_END

/* Issues, pull requests and discussions share their numbers. */
#define BL_QUERY_NUMBERED                                                                      \
    BL_Q_BEGIN(", $number: Int!")                                                              \
    "thing: issueOrPullRequest(number: $number) { __typename }"                                \
    " discussion(number: $number) { number }" BL_Q_END

#endif
