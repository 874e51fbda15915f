// SPDX-License-Identifier: Apache-2.0
//
// The operations on pull requests, commits, releases, statuses, runs and alerts.

import * as change from './changes.mjs';
import {
    alert, combinedStatus, commit, job, pull, pullSimple, release, run, simpleStatus, status,
} from './render_code.mjs';
import { repoUrl, siteUrl } from './render.mjs';
import { notFound, Problem } from './state.mjs';

const PULL_COMMITS_MAX = 250;

const ok = (body, code = 200) => ({ status: code, body });
const none = { status: 204 };

// ---- pull requests -----------------------------------------------------------------------------

function listPulls({ state, query }) {
    const rows = [...state.issues.values()].filter(
        (row) =>
            row.pull &&
            (query.state === 'all' || row.state === query.state) &&
            (query.base === undefined || row.pull.base === query.base),
    );
    const key = query.sort === 'updated' ? 'updatedAt' : 'createdAt';
    const direction = query.direction ?? (query.sort === 'created' ? 'desc' : 'asc');
    rows.sort((a, b) => (a[key] - b[key] || a.number - b.number) * (direction === 'asc' ? 1 : -1));
    return { list: rows, render: pullSimple };
}

// ---- commits -----------------------------------------------------------------------------------

// A ref: an id of a commit, a tag of a release, or a branch that is a head.
function findCommit(state, ref) {
    const tag = state.releases.find((row) => row.tag === ref);
    const branch = [...state.issues.values()].find((row) => row.pull?.headBranch === ref);
    const sha = tag?.commit ?? branch?.pull.head ?? ref;
    const row = state.commits.get(sha);
    if (row === undefined || !row.described) {
        throw new Problem(422, `No commit found for SHA: ${ref}`);
    }
    return row;
}

// The merges into the default branch up to this one, when it is one: they stand behind each other.
function mergesUpTo(state, sha) {
    const merges = [...state.issues.values()].filter(
        (row) => row.pull?.mergedAt && row.pull.base === state.repository.defaultBranch,
    );
    const own = merges.find((row) => row.pull.mergeCommit === sha);
    return merges
        .filter((row) => own !== undefined && row.pull.mergedAt <= own.pull.mergedAt)
        .map((row) => row.pull.mergeCommit);
}

// Everything that a commit has behind it, itself included.
function ancestors(state, sha) {
    const found = new Set();
    const left = [sha];
    while (left.length > 0) {
        const next = left.pop();
        if (!found.has(next)) {
            found.add(next);
            left.push(...(state.commits.get(next)?.parents ?? []), ...mergesUpTo(state, next));
        }
    }
    return found;
}

// Of a comparison GitHub says 404 when it does not know an end.
function endOf(state, ref) {
    try {
        return findCommit(state, ref);
    } catch {
        throw notFound();
    }
}

function compare({ state, path }) {
    const base = endOf(state, path.base);
    const head = endOf(state, path.head);
    const behindBase = ancestors(state, base.sha);
    const behindHead = ancestors(state, head.sha);
    const ahead = [...behindHead].filter((sha) => !behindBase.has(sha));
    const behind = [...behindBase].filter((sha) => !behindHead.has(sha));
    let word = 'diverged';
    if (behind.length === 0) {
        word = ahead.length === 0 ? 'identical' : 'ahead';
    } else if (ahead.length === 0) {
        word = 'behind';
    }
    const url = `${repoUrl(state)}/compare/${path.base}...${path.head}`;
    const html = `${siteUrl(state)}/compare/${path.base}...${path.head}`;
    return ok({
        url,
        html_url: html,
        permalink_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        base_commit: commit(state, base),
        merge_base_commit: commit(state, base),
        status: word,
        ahead_by: ahead.length,
        behind_by: behind.length,
        total_commits: ahead.length,
        commits: ahead.slice(0, PULL_COMMITS_MAX).map((sha) => commit(state, state.commit(sha))),
        files: [],
    });
}

function pullsOfCommit({ state, path }) {
    const rows = [...state.issues.values()].filter(
        (row) =>
            row.pull &&
            (row.pull.commits.includes(path.commit_sha) || row.pull.mergeCommit === path.commit_sha),
    );
    return { list: rows, render: pullSimple };
}

// ---- statuses ----------------------------------------------------------------------------------

const knownSha = (state, ref) => state.releases.find((row) => row.tag === ref)?.commit ?? ref;

function createStatus({ state, path, body, actor }) {
    if (!state.commits.has(path.sha)) {
        throw new Problem(422, `No commit found for SHA: ${path.sha}`);
    }
    return ok(status(state, change.setStatus(state, actor, path.sha, body)), 201);
}

// ---- releases ----------------------------------------------------------------------------------

function oneRelease(state, test) {
    const row = state.releases.find(test);
    if (!row) {
        throw notFound();
    }
    return ok(release(state, row));
}

// ---- runs --------------------------------------------------------------------------------------

function listRuns(state, query, ofWorkflow) {
    const rows = state.runs.filter(
        (row) =>
            ofWorkflow(row) &&
            (query.event === undefined || row.event === query.event) &&
            (query.branch === undefined || row.branch === query.branch) &&
            (query.status === undefined ||
                [row.status ?? 'completed', row.conclusion ?? 'success'].includes(query.status)),
    );
    rows.sort((a, b) => b.createdAt - a.createdAt);
    return {
        list: rows,
        render: run,
        wrap: (items) => ({ total_count: rows.length, workflow_runs: items }),
    };
}

function listJobs({ state, path }) {
    const rows = state.jobs.filter((row) => row.run === path.run_id);
    return { list: rows, render: job, wrap: (jobs) => ({ total_count: rows.length, jobs }) };
}

// ---- alerts ------------------------------------------------------------------------------------

function findAlert(state, number) {
    const row = state.alerts.get(number);
    if (!row) {
        throw notFound();
    }
    return row;
}

function updateAlert({ state, path, body, actor }) {
    const row = findAlert(state, path.alert_number);
    if (body.state === 'dismissed') {
        if (!body.dismissed_reason) {
            throw new Problem(422, 'A dismissed alert needs a reason.');
        }
        Object.assign(row, {
            state: 'dismissed',
            dismissedAt: state.now,
            dismissedBy: actor,
            dismissedReason: body.dismissed_reason,
            dismissedComment: body.dismissed_comment ?? null,
        });
    } else {
        Object.assign(row, {
            state: 'open', dismissedAt: null, dismissedBy: null, dismissedReason: null,
            dismissedComment: null,
        });
    }
    return ok(alert(state, row));
}

export const codeHandlers = {
    'pulls/list': listPulls,
    'pulls/get': ({ state, path }) => ok(pull(state, state.pull(path.pull_number))),
    'pulls/list-commits': ({ state, path }) => ({
        list: state.pull(path.pull_number).pull.commits.slice(0, PULL_COMMITS_MAX),
        render: (_, sha) => commit(state, state.commit(sha)),
    }),
    'pulls/list-files': ({ state, path }) => ({
        list: state.pull(path.pull_number).pull.files,
        render: (_, file) => file,
    }),
    'pulls/check-if-merged': ({ state, path }) => {
        if (state.pull(path.pull_number).pull.mergedAt === null) {
            throw notFound();
        }
        return none;
    },

    'repos/get-commit': ({ state, path }) => ok(commit(state, findCommit(state, path.ref))),
    'repos/list-pull-requests-associated-with-commit': pullsOfCommit,
    'repos/compare-commits': compare,

    'repos/list-releases': ({ state }) => ({
        // The newest first.
        list: [...state.releases].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id),
        render: release,
    }),
    'repos/get-latest-release': ({ state }) => {
        const row = state.latestRelease();
        if (!row) {
            throw notFound();
        }
        return ok(release(state, row));
    },
    'repos/get-release-by-tag': ({ state, path }) =>
        oneRelease(state, (row) => row.tag === path.tag && !row.draft),
    'repos/get-release': ({ state, path }) => oneRelease(state, (row) => row.id === path.release_id),

    'repos/list-commit-statuses-for-ref': ({ state, path }) => ({
        list: state.statuses.filter((row) => row.commit === knownSha(state, path.ref)).reverse(),
        render: status,
    }),
    'repos/get-combined-status-for-ref': ({ state, path }) =>
        ok(combinedStatus(state, knownSha(state, path.ref))),
    'repos/create-commit-status': createStatus,

    'actions/list-workflow-runs': ({ state, path, query }) =>
        listRuns(
            state,
            query,
            (row) => row.file === path.workflow_id || row.workflow === path.workflow_id,
        ),
    'actions/list-workflow-runs-for-repo': ({ state, query }) => listRuns(state, query, () => true),
    'actions/get-workflow-run': ({ state, path }) => {
        const row = state.runs.find((other) => other.id === path.run_id);
        if (!row) {
            throw notFound();
        }
        return ok(run(state, row));
    },
    'actions/list-jobs-for-workflow-run': listJobs,

    'code-scanning/list-alerts-for-repo': ({ state, query }) => ({
        list: [...state.alerts.values()].filter(
            (row) =>
                (query.state === undefined || row.state === query.state) &&
                (query.tool_name === undefined || row.tool === query.tool_name),
        ),
        render: alert,
    }),
    'code-scanning/get-alert': ({ state, path }) => ok(alert(state, findAlert(state, path.alert_number))),
    'code-scanning/update-alert': updateAlert,
};
export { simpleStatus };
