// SPDX-License-Identifier: Apache-2.0
//
// Things of the state as the REST API and the payloads write them. `state.api` is the address of the
// API, `state.server` that of the site.

import { GHOST } from './state.mjs';
import { stamp } from './world_file.mjs';

export const nodeId = (prefix, ...parts) =>
    `${prefix}_${Buffer.from(parts.join(':')).toString('base64url')}`;

const maybe = (value, render) => (value === null || value === undefined ? null : render(value));
const when = (seconds) => maybe(seconds, stamp);

export const associations = {
    owner: 'OWNER',
    member: 'MEMBER',
    collaborator: 'COLLABORATOR',
    contributor: 'CONTRIBUTOR',
    first_timer: 'FIRST_TIME_CONTRIBUTOR',
    nobody: 'NONE',
};

export const reactionContents = {
    thumbs_up: '+1',
    thumbs_down: '-1',
    laugh: 'laugh',
    confused: 'confused',
    heart: 'heart',
    hooray: 'hooray',
    rocket: 'rocket',
    eyes: 'eyes',
};
export const reactionKinds = Object.fromEntries(
    Object.entries(reactionContents).map(([kind, content]) => [content, kind]),
);

export const repoUrl = (state) => `${state.api}/repos/${state.repository.name}`;
export const siteUrl = (state) => `${state.server}/${state.repository.name}`;

// ---- people ------------------------------------------------------------------------------------

// Someone of whom only the login is known; to write a name down makes nobody known.
const stranger = (login) => ({
    login,
    id: 900000 + [...login].reduce((sum, c) => sum + c.codePointAt(0), 0),
    kind: login.endsWith('[bot]') ? 'bot' : 'person',
});

export function user(state, login) {
    const row =
        login === GHOST.login ? { ...GHOST, kind: 'person' } : state.findUser(login) ?? stranger(login);
    const url = `${state.api}/users/${encodeURIComponent(row.login)}`;
    return {
        login: row.login,
        id: row.id,
        node_id: nodeId('U', row.id),
        avatar_url: `https://avatars.githubusercontent.com/u/${row.id}?v=4`,
        gravatar_id: '',
        url,
        html_url: `${state.server}/${row.kind === 'bot' ? `apps/${row.login.replace('[bot]', '')}` : row.login}`,
        followers_url: `${url}/followers`,
        following_url: `${url}/following{/other_user}`,
        gists_url: `${url}/gists{/gist_id}`,
        starred_url: `${url}/starred{/owner}{/repo}`,
        subscriptions_url: `${url}/subscriptions`,
        organizations_url: `${url}/orgs`,
        repos_url: `${url}/repos`,
        events_url: `${url}/events{/privacy}`,
        received_events_url: `${url}/received_events`,
        type: row.kind === 'bot' ? 'Bot' : 'User',
        user_view_type: 'public',
        site_admin: false,
    };
}

export const association = (state, login) =>
    associations[state.findUser(login)?.association ?? 'nobody'];

// In events somebody who is gone is nobody.
const actor = (state, login) => (login === GHOST.login ? null : user(state, login));

export function collaborator(state, login) {
    const permission = state.permission(login);
    const role = permission === 'no_access' ? 'none' : permission;
    const at = ['none', 'read', 'triage', 'write', 'maintain', 'admin'].indexOf(role);
    return {
        permission: { maintain: 'write', triage: 'read' }[role] ?? role,
        role_name: role,
        user: {
            ...user(state, login),
            permissions: {
                admin: at >= 5,
                maintain: at >= 4,
                push: at >= 3,
                triage: at >= 2,
                pull: at >= 1,
            },
            role_name: role,
        },
    };
}

// ---- labels, milestones, reactions -------------------------------------------------------------

export function label(state, row) {
    return {
        id: row.id,
        node_id: nodeId('LA', row.id),
        url: `${repoUrl(state)}/labels/${encodeURIComponent(row.name)}`,
        name: row.name,
        color: row.color,
        default: row.isDefault,
        description: row.description,
    };
}

export function milestone(state, row) {
    const filed = [...state.issues.values()].filter((issue) => issue.milestone === row.number);
    const url = `${repoUrl(state)}/milestones/${row.number}`;
    return {
        url,
        html_url: `${siteUrl(state)}/milestone/${row.number}`,
        labels_url: `${url}/labels`,
        id: row.id,
        node_id: nodeId('MI', row.id),
        number: row.number,
        title: row.title,
        description: row.description,
        creator: user(state, row.creator),
        open_issues: filed.filter((issue) => issue.state === 'open').length,
        closed_issues: filed.filter((issue) => issue.state === 'closed').length,
        state: row.state,
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.updatedAt),
        due_on: when(row.dueOn),
        closed_at: when(row.closedAt),
    };
}

export function reaction(state, row) {
    return {
        id: row.id,
        node_id: nodeId('REA', row.id),
        user: actor(state, row.user),
        content: reactionContents[row.kind],
        created_at: stamp(row.at),
    };
}

function rollup(url, reactions, given = {}) {
    const counts = Object.fromEntries(
        Object.entries(reactionContents).map(([kind, content]) => [
            content,
            reactions.filter((row) => row.kind === kind).length + (given[kind] ?? 0),
        ]),
    );
    const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
    return { url: `${url}/reactions`, total_count: total, ...counts };
}

// ---- issues ------------------------------------------------------------------------------------

export function issue(state, row) {
    const url = `${repoUrl(state)}/issues/${row.number}`;
    const kind = row.pull ? 'pull' : 'issues';
    const milestoneRow = state.milestones.find((m) => m.number === row.milestone);
    return {
        url,
        repository_url: repoUrl(state),
        labels_url: `${url}/labels{/name}`,
        comments_url: `${url}/comments`,
        events_url: `${url}/events`,
        html_url: `${siteUrl(state)}/${kind}/${row.number}`,
        id: state.issueId(row.number),
        node_id: nodeId(row.pull ? 'PR' : 'I', state.repository.id, row.number),
        number: row.number,
        title: row.title,
        user: user(state, row.author),
        labels: row.labels.map((name) => label(state, state.label(name))),
        state: row.state,
        locked: row.locked,
        assignee: maybe(row.assignees[0], (login) => user(state, login)),
        assignees: row.assignees.map((login) => user(state, login)),
        milestone: maybe(milestoneRow, (m) => milestone(state, m)),
        comments: row.comments.length,
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.updatedAt),
        closed_at: when(row.closedAt),
        author_association: association(state, row.author),
        active_lock_reason: lockReason(row),
        ...(row.pull ? { draft: row.pull.draft, pull_request: pullLinks(state, row) } : {}),
        body: row.text === '' ? null : row.text,
        closed_by: maybe(row.closedBy, (login) => user(state, login)),
        reactions: rollup(url, row.reactions, { thumbs_up: row.thumbsUp }),
        timeline_url: `${url}/timeline`,
        performed_via_github_app: null,
        state_reason: row.stateReason,
    };
}

// The words of GitHub for those of a world file.
const lockWords = { off_topic: 'off-topic', too_heated: 'too heated', resolved: 'resolved', spam: 'spam' };
export const lockReasons = Object.fromEntries(
    Object.entries(lockWords).map(([ours, theirs]) => [theirs, ours]),
);
const lockReason = (row) => lockWords[row.lockReason] ?? null;

function pullLinks(state, row) {
    const html = `${siteUrl(state)}/pull/${row.number}`;
    return {
        url: `${repoUrl(state)}/pulls/${row.number}`,
        html_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        merged_at: when(row.pull.mergedAt),
    };
}

export function comment(state, row) {
    const url = `${repoUrl(state)}/issues/comments/${row.id}`;
    const holder = state.issues.get(row.issue);
    const kind = holder?.pull ? 'pull' : 'issues';
    return {
        url,
        html_url: `${siteUrl(state)}/${kind}/${row.issue}#issuecomment-${row.id}`,
        issue_url: `${repoUrl(state)}/issues/${row.issue}`,
        id: row.id,
        node_id: nodeId('IC', row.id),
        user: user(state, row.author),
        created_at: stamp(row.createdAt),
        updated_at: stamp(row.updatedAt),
        author_association: association(state, row.author),
        body: row.text,
        reactions: rollup(url, row.reactions, {
            thumbs_up: row.thumbsUp,
            thumbs_down: row.thumbsDown,
        }),
        performed_via_github_app: null,
    };
}

// One event of an issue's history. `timeline` writes labels and assignments the same way, and names
// who assigned in `actor`, as events do in `assigner`.
export function event(state, row, timeline = false) {
    const out = {
        id: row.id,
        node_id: nodeId('EV', row.id),
        url: `${repoUrl(state)}/issues/events/${row.id}`,
        actor: actor(state, row.actor),
        event: row.kind,
        commit_id: null,
        commit_url: null,
        created_at: stamp(row.at),
        performed_via_github_app: null,
    };
    if (row.label !== null && row.label !== undefined) {
        const { name, color } = state.findLabel(row.label) ?? { name: row.label, color: 'ededed' };
        out.label = { name, color };
        if (row.intent) {
            out.intent = row.intent;
        }
    }
    if (row.kind === 'closed' || row.kind === 'reopened') {
        out.state_reason = row.reason ?? null;
    }
    if (row.kind === 'locked') {
        out.lock_reason = lockReason({ lockReason: row.lockReason ?? null });
    }
    if (row.milestone) {
        out.milestone = { title: row.milestone };
    }
    if (row.kind === 'renamed') {
        out.rename = row.rename ?? { from: '', to: '' };
    }
    if (row.kind === 'assigned' || row.kind === 'unassigned') {
        const assignee = row.assignee ?? row.actor;
        out.assignee = user(state, assignee);
        out.assigner = user(state, row.actor);
        if (!timeline) {
            out.actor = actor(state, assignee);
        }
    }
    return out;
}

// ---- the repository ----------------------------------------------------------------------------

const repositoryLinks = [
    'archive', 'assignees', 'blobs', 'branches', 'collaborators', 'comments', 'commits', 'compare',
    'contents', 'contributors', 'deployments', 'downloads', 'events', 'forks', 'git_commits',
    'git_refs', 'git_tags', 'hooks', 'issue_comment', 'issue_events', 'issues', 'keys', 'labels',
    'languages', 'merges', 'milestones', 'notifications', 'pulls', 'releases', 'stargazers',
    'statuses', 'subscribers', 'subscription', 'tags', 'teams', 'trees',
];

export function simpleRepository(state, { name = state.repository.name, open = state.repository.public } = {}) {
    const url = `${state.api}/repos/${name}`;
    const [owner, short] = name.split('/');
    const id = name === state.repository.name ? state.repository.id : 600000000 + name.length;
    return {
        id,
        node_id: nodeId('R', id),
        name: short,
        full_name: name,
        owner: user(state, owner),
        private: !open,
        visibility: open ? 'public' : 'private',
        html_url: `${state.server}/${name}`,
        description: name === state.repository.name ? state.repository.description : null,
        fork: false,
        url,
        ...Object.fromEntries(repositoryLinks.map((link) => [`${link}_url`, `${url}/${link}`])),
    };
}

export function repository(state, which = {}) {
    const simple = simpleRepository(state, which);
    const openIssues = [...state.issues.values()].filter((row) => row.state === 'open').length;
    return {
        ...simple,
        git_url: `git://github.com/${simple.full_name}.git`,
        ssh_url: `git@github.com:${simple.full_name}.git`,
        clone_url: `${simple.html_url}.git`,
        svn_url: simple.html_url,
        homepage: null,
        language: null,
        forks_count: 0,
        forks: 0,
        stargazers_count: 0,
        watchers_count: 0,
        watchers: 0,
        size: 0,
        default_branch: state.repository.defaultBranch,
        open_issues_count: openIssues,
        open_issues: openIssues,
        is_template: false,
        topics: [],
        has_issues: true,
        has_projects: true,
        has_wiki: true,
        has_pages: false,
        has_discussions: state.repository.discussions,
        has_downloads: true,
        archived: false,
        disabled: false,
        mirror_url: null,
        license: null,
        pushed_at: stamp(state.repository.createdAt),
        created_at: stamp(state.repository.createdAt),
        updated_at: stamp(state.repository.createdAt),
        allow_forking: true,
        web_commit_signoff_required: false,
        network_count: 0,
        subscribers_count: 0,
    };
}
