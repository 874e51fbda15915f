// SPDX-License-Identifier: Apache-2.0
//
// Pull requests, commits, releases, statuses, runs and alerts as the REST API writes them.

import {
    association, issue, label, milestone, nodeId, repository, repoUrl, simpleRepository, siteUrl, user,
} from './render.mjs';
import { GHOST } from './state.mjs';
import { stamp } from './world_file.mjs';

const maybe = (value, render) => (value === null || value === undefined ? null : render(value));
const when = (seconds) => maybe(seconds, stamp);
const NO_SHA = '0000000000000000000000000000000000000000';

// ---- pull requests -----------------------------------------------------------------------------

function side(state, ref, sha, name) {
    const known = name === null ? null : repository(state, { name, open: true });
    const owner = (name ?? `${GHOST.login}/gone`).split('/')[0];
    return {
        label: `${owner}:${ref}`,
        ref,
        sha: sha ?? NO_SHA,
        user: user(state, owner),
        repo: known,
    };
}

export function pullSimple(state, row) {
    const { pull } = row;
    const url = `${repoUrl(state)}/pulls/${row.number}`;
    const html = `${siteUrl(state)}/pull/${row.number}`;
    const seen = issue(state, row);
    const link = (href) => ({ href });
    return {
        url,
        id: state.issueId(row.number) + 1,
        node_id: nodeId('PR', state.repository.id, row.number),
        html_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        issue_url: seen.url,
        commits_url: `${url}/commits`,
        review_comments_url: `${url}/comments`,
        review_comment_url: `${url}/comments{/number}`,
        comments_url: `${seen.url}/comments`,
        statuses_url: `${repoUrl(state)}/statuses/${pull.head ?? NO_SHA}`,
        number: row.number,
        state: row.state,
        locked: row.locked,
        title: row.title,
        user: seen.user,
        body: seen.body,
        labels: row.labels.map((name) => label(state, state.label(name))),
        milestone: maybe(
            state.milestones.find((m) => m.number === row.milestone),
            (m) => milestone(state, m),
        ),
        active_lock_reason: seen.active_lock_reason,
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.updatedAt),
        closed_at: when(row.closedAt),
        merged_at: when(pull.mergedAt),
        // Before the merge it is a trial merge.
        merge_commit_sha: pull.mergeCommit ?? 'f'.repeat(40),
        assignee: seen.assignee,
        assignees: seen.assignees,
        requested_reviewers: [],
        requested_teams: [],
        head: side(state, pull.headBranch, pull.head, pull.headRepository),
        base: side(state, pull.base, null, state.repository.name),
        _links: {
            comments: link(`${seen.url}/comments`),
            commits: link(`${url}/commits`),
            statuses: link(`${repoUrl(state)}/statuses/${pull.head ?? NO_SHA}`),
            html: link(html),
            issue: link(seen.url),
            review_comments: link(`${url}/comments`),
            review_comment: link(`${url}/comments{/number}`),
            self: link(url),
        },
        author_association: association(state, row.author),
        auto_merge: null,
        draft: pull.draft,
    };
}

export function pull(state, row) {
    const merged = row.pull.mergedAt !== null;
    return {
        ...pullSimple(state, row),
        merged,
        mergeable: merged ? null : true,
        rebaseable: merged ? null : true,
        mergeable_state: merged ? 'unknown' : 'clean',
        merged_by: maybe(row.pull.mergedBy, (login) => user(state, login)),
        comments: row.comments.length,
        review_comments: 0,
        maintainer_can_modify: false,
        commits: row.pull.commits.length,
        additions: 0,
        deletions: 0,
        changed_files: row.pull.files.length,
    };
}

// ---- commits -----------------------------------------------------------------------------------

export function commit(state, row) {
    const url = `${repoUrl(state)}/commits/${row.sha}`;
    const person = (login) => (login === null || login === GHOST.login ? null : user(state, login));
    return {
        url,
        sha: row.sha,
        node_id: nodeId('C', row.sha),
        html_url: `${siteUrl(state)}/commit/${row.sha}`,
        comments_url: `${url}/comments`,
        commit: {
            url: `${repoUrl(state)}/git/commits/${row.sha}`,
            author: { name: row.authorName, email: row.authorEmail, date: stamp(row.madeAt) },
            committer: {
                name: row.committerName,
                email: row.committerEmail,
                date: stamp(row.committedAt),
            },
            message: row.message,
            comment_count: 0,
            tree: { sha: NO_SHA, url: `${repoUrl(state)}/git/trees/${NO_SHA}` },
            verification: {
                verified: false, reason: 'unsigned', payload: null, signature: null, verified_at: null,
            },
        },
        author: person(row.author),
        committer: person(row.committer),
        parents: row.parents.map((sha) => ({
            sha,
            url: `${repoUrl(state)}/commits/${sha}`,
            html_url: `${siteUrl(state)}/commit/${sha}`,
        })),
    };
}

// ---- releases ----------------------------------------------------------------------------------

export function release(state, row) {
    const url = `${repoUrl(state)}/releases/${row.id}`;
    return {
        url,
        html_url: `${siteUrl(state)}/releases/tag/${encodeURIComponent(row.tag)}`,
        assets_url: `${url}/assets`,
        upload_url: `${url}/assets{?name,label}`,
        tarball_url: `${repoUrl(state)}/tarball/${encodeURIComponent(row.tag)}`,
        zipball_url: `${repoUrl(state)}/zipball/${encodeURIComponent(row.tag)}`,
        id: row.id,
        node_id: nodeId('RE', row.id),
        tag_name: row.tag,
        target_commitish: row.commit ?? state.repository.defaultBranch,
        name: row.name ?? row.tag,
        body: row.body,
        draft: row.draft,
        prerelease: row.prerelease,
        immutable: false,
        created_at: stamp(row.createdAt),
        published_at: when(row.publishedAt),
        updated_at: when(row.publishedAt),
        author: user(state, row.author),
        assets: [],
    };
}

// ---- statuses ----------------------------------------------------------------------------------

export function simpleStatus(state, row) {
    return {
        url: `${repoUrl(state)}/statuses/${row.commit}`,
        avatar_url: user(state, row.creator).avatar_url,
        id: row.id,
        node_id: nodeId('SC', row.id),
        state: row.state,
        description: row.description,
        target_url: row.targetLink,
        context: row.context,
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.createdAt),
    };
}

export const status = (state, row) => ({
    ...simpleStatus(state, row),
    creator: user(state, row.creator),
});

export function combinedStatus(state, sha) {
    const latest = new Map();
    for (const row of state.statuses.filter((s) => s.commit === sha)) {
        latest.set(row.context, row);
    }
    const rows = [...latest.values()];
    const has = (word) => rows.some((row) => row.state === word);
    let word = 'success';
    if (has('failure') || has('error')) {
        word = 'failure';
    } else if (rows.length === 0 || has('pending')) {
        word = 'pending';
    }
    return {
        state: word,
        statuses: rows.map((row) => simpleStatus(state, row)),
        sha,
        total_count: rows.length,
        repository: simpleRepository(state),
        commit_url: `${repoUrl(state)}/commits/${sha}`,
        url: `${repoUrl(state)}/commits/${sha}/status`,
    };
}

// ---- alerts ------------------------------------------------------------------------------------

export function alert(state, row) {
    const url = `${repoUrl(state)}/code-scanning/alerts/${row.number}`;
    return {
        number: row.number,
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.createdAt),
        url,
        html_url: row.link ?? `${siteUrl(state)}/security/code-scanning/${row.number}`,
        state: row.state,
        fixed_at: null,
        dismissed_by: maybe(row.dismissedBy, (login) => user(state, login)),
        dismissed_at: when(row.dismissedAt),
        dismissed_reason: row.dismissedReason,
        dismissed_comment: row.dismissedComment,
        rule: {
            id: row.rule,
            severity: 'warning',
            tags: [],
            description: row.rule,
            name: row.rule,
        },
        tool: { name: row.tool, guid: null, version: '1' },
        most_recent_instance: {
            ref: `refs/heads/${state.repository.defaultBranch}`,
            analysis_key: 'scan',
            environment: '{}',
            category: 'scan',
            state: row.state,
            commit_sha: NO_SHA,
            message: { text: row.rule },
            location: {
                path: row.path, start_line: 1, end_line: 1, start_column: 1, end_column: 1,
            },
            classifications: [],
        },
        instances_url: `${url}/instances`,
    };
}

// ---- runs --------------------------------------------------------------------------------------

export function run(state, row) {
    const url = `${repoUrl(state)}/actions/runs/${row.id}`;
    return {
        id: row.id,
        name: row.name,
        node_id: nodeId('WFR', row.id),
        check_suite_id: row.id,
        check_suite_node_id: nodeId('CS', row.id),
        head_branch: row.branch,
        head_sha: row.sha ?? NO_SHA,
        path: `.github/workflows/${row.file}`,
        run_number: row.number ?? 1,
        run_attempt: row.attempt ?? 1,
        event: row.event,
        display_title: row.title ?? row.name,
        status: row.status ?? 'completed',
        conclusion: row.conclusion ?? 'success',
        workflow_id: row.workflow ?? 1,
        url,
        html_url: `${siteUrl(state)}/actions/runs/${row.id}`,
        pull_requests: [],
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.createdAt),
        run_started_at: stamp(row.createdAt),
        actor: user(state, row.actor ?? GHOST.login),
        triggering_actor: user(state, row.actor ?? GHOST.login),
        jobs_url: `${url}/jobs`,
        logs_url: `${url}/logs`,
        check_suite_url: `${repoUrl(state)}/check-suites/${row.id}`,
        artifacts_url: `${url}/artifacts`,
        cancel_url: `${url}/cancel`,
        rerun_url: `${url}/rerun`,
        previous_attempt_url: null,
        workflow_url: `${repoUrl(state)}/actions/workflows/${row.workflow ?? 1}`,
        head_commit: null,
        repository: simpleRepository(state),
        head_repository: simpleRepository(state),
    };
}

export function job(state, row) {
    const url = `${repoUrl(state)}/actions/jobs/${row.id}`;
    return {
        id: row.id,
        run_id: row.run,
        run_url: `${repoUrl(state)}/actions/runs/${row.run}`,
        run_attempt: row.attempt ?? 1,
        node_id: nodeId('CR', row.id),
        head_sha: NO_SHA,
        url,
        html_url: `${siteUrl(state)}/actions/runs/${row.run}/job/${row.id}`,
        status: 'completed',
        conclusion: row.conclusion ?? 'success',
        created_at: stamp(row.startedAt),
        started_at: stamp(row.startedAt),
        completed_at: stamp(row.completedAt ?? row.startedAt),
        name: row.name,
        steps: [],
        check_run_url: `${repoUrl(state)}/check-runs/${row.id}`,
        labels: ['ubuntu-latest'],
        runner_id: 1,
        runner_name: 'runner',
        runner_group_id: 1,
        runner_group_name: 'default',
        workflow_name: row.workflowName ?? null,
        head_branch: state.repository.defaultBranch,
    };
}
