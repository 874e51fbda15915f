/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_queries.h"

#define Q_BEGIN(variables)                                                                     \
    "query($owner: String!, $name: String!" variables                                          \
    ") { rateLimit { cost remaining } repository(owner: $owner, name: $name) { "
#define Q_END " } }"

#define Q_ACTOR                                                                                \
    " fragment A on Actor { __typename login ... on User { databaseId }"                       \
    " ... on Bot { databaseId } ... on Organization { databaseId }"                            \
    " ... on Mannequin { databaseId } }"

/* What costs most of an issue, when the run asks for it. */
#define Q_WANTS                                                                                \
    ", $text: Boolean! = true, $assignees: Boolean! = true, $upvotes: Boolean! = true"         \
    ", $comments: Boolean! = true"

/* An issue has at most 10 assignees and 100 labels. */
#define Q_ISSUE                                                                                \
    " fragment I on Issue { number title body @include(if: $text) state "                      \
    "stateReason(enableDuplicate: true)"                                                       \
    " createdAt closedAt locked authorAssociation author { ...A }"                             \
    " labels(first: 100) { nodes { name } pageInfo { hasNextPage } }"                          \
    " assignees(first: 20) @include(if: $assignees) { nodes { ...A } pageInfo { hasNextPage "  \
    "} }"                                                                                      \
    " reactions(content: THUMBS_UP) @include(if: $upvotes) { totalCount }"                     \
    " comments @include(if: $comments) { totalCount } repository { nameWithOwner } }"

#define Q_PULL                                                                                 \
    " fragment P on PullRequest { number title body state createdAt mergedAt"                  \
    " authorAssociation author { ...A } baseRefName headRefName headRefOid"                    \
    " headRepository { nameWithOwner } mergeCommit { oid }"                                    \
    " labels(first: 100) { nodes { name } pageInfo { hasNextPage } }"                          \
    " repository { nameWithOwner } }"

#define Q_PAGE " pageInfo { hasNextPage endCursor }"

/* $states, $order, $labels: which issues, in which order, with which label. */
#define QUERY_ISSUES                                                                           \
    Q_BEGIN(", $states: [IssueState!], $order: IssueOrder!, $labels: [String!],"               \
            " $after: String" Q_WANTS)                                                         \
    "issues(first: 100, after: $after, states: $states, labels: $labels, orderBy: $order) {"   \
    " nodes { ...I "                                                                           \
    "}" Q_PAGE " }" Q_END Q_ISSUE Q_ACTOR

/* What is asked of each of many issues: fragment B has the parts that the run asks for, and
 * what these need stands behind it. */
#define QUERY_BATCH_COMMENTS " comments(first: 100) { nodes { ...C } pageInfo { hasNextPage } }"
#define QUERY_BATCH_TIMELINE                                                                   \
    " timelineItems(first: 100, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, CLOSED_EVENT,"     \
    " REOPENED_EVENT, LOCKED_EVENT, UNLOCKED_EVENT, MILESTONED_EVENT, DEMILESTONED_EVENT,"     \
    " ASSIGNED_EVENT, UNASSIGNED_EVENT, RENAMED_TITLE_EVENT])"                                 \
    " { nodes { ...T } pageInfo { hasNextPage } }"
#define QUERY_BATCH_EDITS                                                                      \
    " userContentEdits(first: 100) { nodes { id editedAt editor { ...A } }"                    \
    " pageInfo { hasNextPage } } createdAt"
#define Q_COMMENT                                                                              \
    " fragment C on IssueComment { fullDatabaseId body createdAt authorAssociation"            \
    " author { ...A } up: reactions(content: THUMBS_UP) { totalCount }"                        \
    " down: reactions(content: THUMBS_DOWN) { totalCount } }"
#define Q_EVENT(type, more) " ... on " type " { id createdAt actor { ...A }" more " }"
#define Q_TIMELINE                                                                             \
    " fragment T on IssueTimelineItems { __typename" Q_EVENT(                                  \
        "LabeledEvent", " label { name }") Q_EVENT("UnlabeledEvent", " label { name }")        \
        Q_EVENT("ClosedEvent", "") Q_EVENT("ReopenedEvent", "") Q_EVENT("LockedEvent", "")     \
            Q_EVENT("UnlockedEvent", "") Q_EVENT("MilestonedEvent", "")                        \
                Q_EVENT("DemilestonedEvent", "") Q_EVENT("AssignedEvent", "")                  \
                    Q_EVENT("UnassignedEvent", "") Q_EVENT("RenamedTitleEvent", "") " }"

#define QUERY_CLOSING_PULLS                                                                    \
    Q_BEGIN(", $number: Int!, $after: String")                                                 \
    "issue(number: $number) { closedByPullRequestsReferences(first: 100, after: $after,"       \
    " includeClosedPrs: true) { nodes { ...P }" Q_PAGE " } }" Q_END Q_PULL Q_ACTOR

/* The newest change first: a merge is a change, so behind the first pull request that changed
 * before a moment none was merged after it. */
#define QUERY_MERGED_PULLS                                                                     \
    Q_BEGIN(", $after: String")                                                                \
    "pullRequests(first: 100, after: $after, states: MERGED,"                                  \
    " orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { ...P updatedAt }" Q_PAGE        \
    " }" Q_END Q_PULL Q_ACTOR

#define QUERY_CLOSING_ISSUES                                                                   \
    Q_BEGIN(", $number: Int!, $after: String" Q_WANTS)                                         \
    "pullRequest(number: $number) { closingIssuesReferences(first: 100, after: $after) {"      \
    " nodes { ...I }" Q_PAGE " } }" Q_END Q_ISSUE Q_ACTOR

/* The creation of an issue that was edited is the oldest of its edits. */
#define QUERY_EDITS                                                                            \
    Q_BEGIN(", $number: Int!, $after: String")                                                 \
    "issue(number: $number) { userContentEdits(first: 100, after: $after) { nodes { id"        \
    " editedAt editor { ...A } }" Q_PAGE " } createdAt } " Q_END Q_ACTOR

#define QUERY_DISCUSSIONS                                                                      \
    Q_BEGIN(", $after: String")                                                                \
    "discussions(first: 100, after: $after, orderBy: {field: UPDATED_AT, direction: DESC}) {"  \
    " nodes { number title body category { name } isAnswered }" Q_PAGE " }" Q_END

/* Issues, pull requests and discussions share their numbers. */
#define QUERY_NUMBERED                                                                         \
    Q_BEGIN(", $number: Int!")                                                                 \
    "thing: issueOrPullRequest(number: $number) { __typename }"                                \
    " discussion(number: $number) { number }" Q_END

#define QUERY(text)                                                                            \
    {                                                                                          \
        text, sizeof(text) - 1                                                                 \
    }

const bl_str bl_query_batch_begin = QUERY(Q_BEGIN(""));
const bl_str bl_query_batch_end = QUERY(Q_END Q_ACTOR " fragment B on Issue {");
const bl_str bl_query_batch_comments = QUERY(QUERY_BATCH_COMMENTS);
const bl_str bl_query_batch_timeline = QUERY(QUERY_BATCH_TIMELINE);
const bl_str bl_query_batch_edits = QUERY(QUERY_BATCH_EDITS);
const bl_str bl_query_fragment_comment = QUERY(Q_COMMENT);
const bl_str bl_query_fragment_timeline = QUERY(Q_TIMELINE);
const bl_str bl_query_issues = QUERY(QUERY_ISSUES);
const bl_str bl_query_closing_pulls = QUERY(QUERY_CLOSING_PULLS);
const bl_str bl_query_closing_issues = QUERY(QUERY_CLOSING_ISSUES);
const bl_str bl_query_merged_pulls = QUERY(QUERY_MERGED_PULLS);
const bl_str bl_query_edits = QUERY(QUERY_EDITS);
const bl_str bl_query_discussions = QUERY(QUERY_DISCUSSIONS);
const bl_str bl_query_numbered = QUERY(QUERY_NUMBERED);
