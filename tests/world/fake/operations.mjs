// SPDX-License-Identifier: Apache-2.0
//
// The operations that the fake carries out, by GitHub's names for them, and the permission of the
// token that each needs. 'issue' and 'comment' mean: issues for an issue, pull-requests for a pull
// request, by what the number or id in the path is. The descriptions in ../descriptions hold exactly
// these operations; a test says so.
//
// The permissions are those of GitHub's page "Permissions required for GitHub Apps"; the description
// of the REST API does not hold them.

const table = `
rate-limit/get                               none
users/get-authenticated                      none
users/get-by-username                        none
search/issues-and-pull-requests              issues           read

repos/get                                    metadata         read
repos/get-collaborator-permission-level      metadata         read
repos/list-collaborators                     metadata         read

issues/list-for-repo                         issues           read
issues/create                                issues           write
issues/get                                   issue            read
issues/update                                issue            write
issues/list-comments-for-repo                issues           read
issues/list-comments                         issue            read
issues/create-comment                        issue            write
issues/get-comment                           comment          read
issues/update-comment                        comment          write
issues/delete-comment                        comment          write
issues/list-events                           issue            read
issues/list-events-for-timeline              issue            read
issues/list-labels-on-issue                  issue            read
issues/add-labels                            issue            write
issues/set-labels                            issue            write
issues/remove-label                          issue            write
issues/remove-all-labels                     issue            write
issues/lock                                  issue            write
issues/unlock                                issue            write
issues/add-assignees                         issue            write
issues/remove-assignees                      issue            write
issues/list-labels-for-repo                  issues           read
issues/create-label                          issues           write
issues/get-label                             issues           read
issues/update-label                          issues           write
issues/delete-label                          issues           write
issues/list-milestones                       issues           read
issues/create-milestone                      issues           write
issues/get-milestone                         issues           read
issues/update-milestone                      issues           write
issues/delete-milestone                      issues           write

reactions/list-for-issue                     issue            read
reactions/create-for-issue                   issue            write
reactions/list-for-issue-comment             comment          read
reactions/create-for-issue-comment           comment          write
reactions/delete-for-issue-comment           comment          write

pulls/list                                   pull-requests    read
pulls/get                                    pull-requests    read
pulls/list-commits                           pull-requests    read
pulls/list-files                             pull-requests    read
pulls/check-if-merged                        contents         read

repos/get-commit                             contents         read
repos/list-pull-requests-associated-with-commit  pull-requests  read
repos/compare-commits                        contents         read
repos/list-releases                          contents         read
repos/get-latest-release                     contents         read
repos/get-release-by-tag                     contents         read
repos/get-release                            contents         read

repos/list-commit-statuses-for-ref           statuses         read
repos/get-combined-status-for-ref            statuses         read
repos/create-commit-status                   statuses         write

actions/list-workflow-runs                   actions          read
actions/list-workflow-runs-for-repo          actions          read
actions/get-workflow-run                     actions          read
actions/list-jobs-for-workflow-run           actions          read

code-scanning/list-alerts-for-repo           security-events  read
code-scanning/get-alert                      security-events  read
code-scanning/update-alert                   security-events  write
`;

export const operations = new Map(
    table
        .trim()
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => line.trim().split(/\s+/))
        .map(([id, permission, level = 'none']) => [id, { id, permission, level }]),
);

// Payloads that the fake sends, by GitHub's names for their descriptions.
export const webhooks = [
    'issues-opened', 'issues-edited', 'issues-closed', 'issues-reopened', 'issues-labeled',
    'issues-unlabeled', 'issues-locked', 'issues-unlocked', 'issues-assigned', 'issues-milestoned',
    'issues-deleted', 'issues-transferred',
    'issue-comment-created', 'issue-comment-edited', 'issue-comment-deleted',
    'pull-request-opened', 'pull-request-closed', 'pull-request-labeled', 'release-created',
    'release-published', 'status', 'workflow-dispatch',
];
