// SPDX-License-Identifier: Apache-2.0
//
// World files (docs/world-file.md): the state from one, and as one again. The simulator of the runtime
// reads and writes the same files, which is how end states are compared.

import { GHOST, State } from './state.mjs';

const DEFAULT_COLOR = 'ffffff';
const DEFAULT_SHA = 'unnamed';

export const time = (text) => Math.floor(Date.parse(text) / 1000);
export const stamp = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

const login = (name) => name ?? GHOST.login;

function keys(entry, where, known) {
    for (const key of Object.keys(entry)) {
        if (!known.includes(key)) {
            throw new Error(`A world file has no key '${key}' in ${where}.`);
        }
    }
}

// ---- loading -----------------------------------------------------------------------------------

function loadComment(state, issue, entry) {
    keys(entry, 'a comment', ['id', 'author', 'created_at', 'updated_at', 'text', 'reactions']);
    const author = login(entry.author);
    state.user(author);
    const comment = state.addComment(issue, {
        id: entry.id,
        author,
        text: entry.text,
        createdAt: time(entry.created_at),
        updatedAt: time(entry.updated_at ?? entry.created_at),
    });
    for (const reaction of entry.reactions ?? []) {
        keys(reaction, 'a reaction', ['user', 'kind', 'at']);
        state.user(login(reaction.user));
        comment.reactions.push({
            id: state.nextId(),
            user: login(reaction.user),
            kind: reaction.kind,
            at: time(reaction.at),
        });
    }
    comment.reactions.sort((a, b) => a.at - b.at);
    return comment;
}

const issueKeys = [
    'number', 'author', 'created_at', 'title', 'text', 'state', 'state_reason', 'closed_at', 'labels',
    'assignees', 'locked', 'lock_reason', 'thumbs_up', 'updated_at', 'milestone', 'duplicate_of',
    'suggested_duplicate', 'comments', 'timeline', 'text_edits',
];
const pullKeys = [
    'base', 'head_branch', 'head', 'head_repository', 'merged_at', 'merge_commit', 'closes', 'commits',
];

function fillIssue(state, issue, entry) {
    const author = login(entry.author);
    state.user(author);
    const reason = entry.state_reason ?? (entry.state === 'closed' && !issue.pull ? 'completed' : null);
    Object.assign(issue, {
        title: entry.title ?? '',
        text: entry.text ?? '',
        author,
        createdAt: time(entry.created_at),
        state: entry.state ?? 'open',
        stateReason: reason,
        closedAt: entry.closed_at ? time(entry.closed_at) : null,
        assignees: (entry.assignees ?? []).map((name) => state.user(login(name)).login),
        locked: entry.locked ?? false,
        lockReason: entry.lock_reason ?? null,
        thumbsUp: entry.thumbs_up ?? 0,
        duplicateOf: entry.duplicate_of ?? null,
        suggestedDuplicate: entry.suggested_duplicate ?? null,
    });
    issue.labels = (entry.labels ?? []).map((name) => {
        const label = state.findLabel(name) ?? state.addLabel(name);
        return label.name;
    });
    if (entry.milestone) {
        const known = state.milestones.find((m) => m.title === entry.milestone);
        issue.milestone = (known ?? state.addMilestone(entry.milestone)).number;
    }
    for (const comment of entry.comments ?? []) {
        loadComment(state, issue, comment);
    }
    for (const event of entry.timeline ?? []) {
        keys(event, 'a timeline event', ['kind', 'actor', 'at', 'label']);
        state.user(login(event.actor));
        issue.timeline.push({
            id: state.nextId(),
            kind: event.kind,
            actor: login(event.actor),
            at: time(event.at),
            label: event.label ?? null,
        });
    }
    issue.timeline.sort((a, b) => a.at - b.at);
    for (const edit of entry.text_edits ?? []) {
        keys(edit, 'an edit', ['editor', 'at']);
        state.user(login(edit.editor));
        issue.edits.push({ id: state.nextId(), editor: login(edit.editor), at: time(edit.at) });
    }
    issue.edits.sort((a, b) => a.at - b.at);
}

function settle(state, issue, entry) {
    const times = [
        issue.createdAt,
        issue.closedAt ?? 0,
        ...issue.comments.map((id) => state.comments.get(id).createdAt),
        ...issue.timeline.map((event) => event.at),
        ...issue.edits.map((edit) => edit.at),
    ];
    issue.updatedAt = entry.updated_at ? time(entry.updated_at) : Math.max(...times);
    const last = issue.timeline.filter((event) => event.kind === 'closed').at(-1);
    issue.closedBy = issue.state === 'closed' ? (last?.actor ?? null) : null;
}

function loadPull(state, entry) {
    keys(entry, 'a pull request', [...issueKeys, ...pullKeys]);
    const issue = state.addPull(entry.number);
    const { pull } = issue;
    fillIssue(state, issue, entry);
    Object.assign(pull, {
        base: entry.base || state.repository.defaultBranch,
        headBranch: entry.head_branch || 'patch',
        head: entry.head ?? DEFAULT_SHA,
        headRepository: entry.head_repository || state.repository.name,
        mergedAt: entry.merged_at ? time(entry.merged_at) : null,
        mergeCommit: entry.merge_commit ?? null,
        closes: entry.closes ?? [],
        commits: entry.commits ?? [],
    });
    for (const sha of [pull.head, pull.mergeCommit, ...pull.commits].filter(Boolean)) {
        state.commit(sha);
    }
    if (pull.mergedAt !== null) {
        issue.state = 'closed';
        issue.closedAt ??= pull.mergedAt;
        pull.mergedBy = issue.timeline.filter((e) => e.kind === 'closed').at(-1)?.actor ?? issue.author;
    }
    settle(state, issue, entry);
}

function loadCommit(state, entry) {
    keys(entry, 'a commit', [
        'sha', 'author', 'committer', 'author_email', 'message', 'committed_at', 'made_at',
    ]);
    Object.assign(state.commit(entry.sha), {
        described: true,
        author: state.user(login(entry.author)).login,
        committer: state.user(login(entry.committer ?? entry.author)).login,
        authorName: login(entry.author),
        committerName: login(entry.committer ?? entry.author),
        authorEmail: entry.author_email ?? '',
        message: entry.message ?? '',
        committedAt: time(entry.committed_at),
        madeAt: time(entry.made_at ?? entry.committed_at),
    });
}

function loadPeople(state, world) {
    for (const entry of world.users ?? []) {
        keys(entry, 'a user', ['login', 'id', 'kind', 'association', 'permission']);
        const user = state.user(entry.login);
        user.id = entry.id ?? user.id;
        user.kind = entry.kind ?? user.kind;
        user.association = entry.association ?? user.association;
        user.permission = entry.permission ?? null;
    }
}

function loadCode(state, world) {
    for (const entry of world.releases ?? []) {
        keys(entry, 'a release', ['tag', 'draft', 'prerelease', 'published_at', 'commit']);
        state.addRelease({
            tag: entry.tag,
            draft: entry.draft ?? false,
            prerelease: entry.prerelease ?? false,
            publishedAt: entry.published_at ? time(entry.published_at) : null,
            commit: entry.commit ?? null,
        });
    }
    for (const entry of world.statuses ?? []) {
        keys(entry, 'a status', [
            'context', 'state', 'creator', 'commit', 'created_at', 'target_link', 'description',
        ]);
        state.commit(entry.commit);
        state.statuses.push({
            id: state.nextId(),
            context: entry.context,
            state: entry.state,
            creator: state.user(login(entry.creator)).login,
            commit: entry.commit,
            createdAt: time(entry.created_at),
            targetLink: entry.target_link ?? null,
            description: entry.description ?? null,
        });
    }
    for (const entry of world.open_alerts ?? []) {
        keys(entry, 'an alert', ['number', 'link', 'tool', 'rule', 'path']);
        state.addAlert(entry.number, { ...entry, link: entry.link ?? null });
    }
    for (const { dismissed, comment, ...entry } of world.dismissed_alerts ?? []) {
        keys(entry, 'a dismissed alert', ['number', 'link', 'tool', 'rule', 'path']);
        state.addAlert(entry.number, {
            ...entry,
            link: entry.link ?? null,
            state: 'dismissed',
            dismissedAt: state.now,
            dismissedReason: reasonsOfGitHub[dismissed],
            dismissedComment: comment ?? null,
        });
    }
}

const rootKeys = [
    'now', 'repository', 'public', 'default_branch', 'closes_at_merge', 'account', 'users', 'labels',
    'milestones', 'commits', 'issues', 'pull_requests', 'discussions', 'releases', 'statuses',
    'open_alerts', 'dismissed_alerts', 'tracked_files', 'public_repositories', 'job_files', 'stores',
    'checkout', 'checkout_commit', 'runs', 'foreign_issues',
    'git_reading', 'variables', 'secrets',
];

export function loadWorld(world) {
    keys(world, 'the file', rootKeys);
    const state = new State({
        repository: world.repository,
        account: world.account,
        now: world.now ? time(world.now) : 0,
    });
    state.repository.public = world.public ?? true;
    state.repository.defaultBranch = world.default_branch ?? 'main';
    state.closesAtMerge = world.closes_at_merge ?? false;
    loadPeople(state, world);
    for (const entry of world.labels ?? []) {
        keys(entry, 'a label', ['name', 'color', 'description']);
        state.addLabel(entry.name, entry.color ?? DEFAULT_COLOR, entry.description ?? null);
    }
    for (const entry of world.milestones ?? []) {
        keys(entry, 'a milestone', ['title', 'closed']);
        state.addMilestone(entry.title, { state: entry.closed ? 'closed' : 'open' });
    }
    for (const entry of world.commits ?? []) {
        loadCommit(state, entry);
    }
    for (const entry of world.issues ?? []) {
        keys(entry, 'an issue', issueKeys);
        const issue = state.addIssue(entry.number);
        fillIssue(state, issue, entry);
        settle(state, issue, entry);
    }
    for (const entry of world.pull_requests ?? []) {
        loadPull(state, entry);
    }
    for (const entry of world.discussions ?? []) {
        keys(entry, 'a discussion', ['number', 'title', 'text', 'category', 'answered']);
        state.addDiscussion(entry.number, {
            title: entry.title,
            text: entry.text ?? '',
            category: entry.category ?? '',
            answered: entry.answered ?? false,
        });
    }
    loadCode(state, world);
    state.files = world.tracked_files ?? [];
    for (const name of world.public_repositories ?? []) {
        state.others.set(name, true);
    }
    state.foreignIssues = world.foreign_issues ?? [];
    (world.runs ?? []).forEach((entry, i) => {
        keys(entry, 'a run', ['workflow', 'created_at', 'jobs']);
        const id = 3_000_000_001 + 100 * i;
        const createdAt = time(entry.created_at);
        state.runs.push({ id, name: entry.workflow, file: entry.workflow, event: 'status', branch: state.repository.defaultBranch, createdAt });
        (entry.jobs ?? []).forEach((job, k) => state.jobs.push({
            id: id + 1 + k, run: id, name: job.name, startedAt: job.started_at ? time(job.started_at) : createdAt,
            conclusion: job.started_at ? 'success' : 'skipped',
        }));
    });
    // Nothing of GitHub: they go through as they are.
    state.checkout = world.checkout;
    state.checkoutCommit = world.checkout_commit;
    state.jobFiles = world.job_files;
    state.stores = world.stores;
    state.gitReading = world.git_reading;
    state.variables = Object.entries(world.variables ?? {});
    state.secrets = world.secrets ?? [];
    return state;
}

// ---- dumping -----------------------------------------------------------------------------------

// Without what loading would set anyway.
function compact(entry) {
    return Object.fromEntries(
        Object.entries(entry).filter(([, value]) => {
            const empty = Array.isArray(value) && value.length === 0;
            return value !== null && value !== undefined && value !== '' && value !== false &&
                value !== 0 && !empty;
        }),
    );
}

function dumpComment(comment) {
    return compact({
        id: comment.id,
        author: comment.author,
        created_at: stamp(comment.createdAt),
        text: comment.text,
        reactions: comment.reactions.map((reaction) => ({
            user: reaction.user,
            kind: reaction.kind,
            at: stamp(reaction.at),
        })),
        updated_at: stamp(comment.updatedAt),
    });
}

function dumpIssue(state, issue) {
    const thumbs = issue.reactions.filter((reaction) => reaction.kind === 'thumbs_up').length;
    const milestone = state.milestones.find((m) => m.number === issue.milestone);
    return compact({
        number: issue.number,
        title: issue.title,
        text: issue.text,
        state: issue.state,
        state_reason: issue.stateReason,
        author: issue.author,
        created_at: stamp(issue.createdAt),
        closed_at: issue.closedAt === null ? null : stamp(issue.closedAt),
        labels: issue.labels,
        assignees: issue.assignees,
        locked: issue.locked,
        thumbs_up: issue.thumbsUp + thumbs,
        comments: issue.comments.map((id) => dumpComment(state.comments.get(id))),
        timeline: issue.timeline.map((event) =>
            compact({ kind: event.kind, actor: event.actor, at: stamp(event.at), label: event.label }),
        ),
        text_edits: issue.edits.map((edit) => ({ editor: edit.editor, at: stamp(edit.at) })),
        updated_at: stamp(issue.updatedAt),
        milestone: milestone?.title,
        lock_reason: issue.lockReason,
        duplicate_of: issue.duplicateOf,
        suggested_duplicate: issue.suggestedDuplicate,
    });
}

function dumpPull(state, issue) {
    const { pull } = issue;
    return {
        ...dumpIssue(state, issue),
        ...compact({
            base: pull.base,
            head_branch: pull.headBranch,
            head: pull.head,
            head_repository: pull.headRepository,
            merged_at: pull.mergedAt === null ? null : stamp(pull.mergedAt),
            merge_commit: pull.mergeCommit,
            closes: pull.closes,
            commits: pull.commits,
        }),
    };
}

const byName = (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);
const byNumber = (a, b) => a.number - b.number;

// Why an alert was dismissed, in GitHub's words and in those of a world file.
const reasons = {
    'false positive': 'false_positive', "won't fix": 'wont_fix', 'used in tests': 'used_in_tests',
};
const reasonsOfGitHub = Object.fromEntries(Object.entries(reasons).map(([a, b]) => [b, a]));

function dumpCode(state) {
    return {
        commits: [...state.commits.values()]
            .filter((commit) => commit.described)
            .sort((a, b) => byName(a.sha, b.sha))
            .map((commit) =>
                compact({
                    sha: commit.sha,
                    author: commit.author,
                    committer: commit.committer,
                    author_email: commit.authorEmail,
                    message: commit.message,
                    committed_at: stamp(commit.committedAt),
                    made_at: stamp(commit.madeAt),
                }),
            ),
        releases: [...state.releases]
            .sort((a, b) => byName(a.tag, b.tag))
            .map((release) =>
                compact({
                    tag: release.tag,
                    draft: release.draft,
                    prerelease: release.prerelease,
                    published_at: release.publishedAt === null ? null : stamp(release.publishedAt),
                    commit: release.commit,
                }),
            ),
        statuses: state.statuses.map((status) =>
            compact({
                context: status.context,
                state: status.state,
                creator: status.creator,
                commit: status.commit,
                created_at: stamp(status.createdAt),
                target_link: status.targetLink,
                description: status.description,
            }),
        ),
        open_alerts: [...state.alerts.values()]
            .filter((alert) => alert.state === 'open')
            .sort(byNumber)
            .map(({ number, link, tool, rule, path }) => compact({ number, link, tool, rule, path })),
        dismissed_alerts: [...state.alerts.values()]
            .filter((alert) => alert.state === 'dismissed')
            .sort(byNumber)
            .map(({ number, link, tool, rule, path, dismissedReason, dismissedComment }) =>
                compact({
                    number, link, tool, rule, path,
                    dismissed: reasons[dismissedReason],
                    comment: dismissedComment,
                }),
            ),
    };
}

export function dumpWorld(state) {
    const things = [...state.issues.values()].sort(byNumber);
    const { commits, releases, statuses, open_alerts, dismissed_alerts } = dumpCode(state);
    const lists = {
        users: [...state.users.values()]
            .sort((a, b) => byName(a.login, b.login))
            .map((user) => compact({ ...user })),
        labels: state.labels.map(({ name, color, description }) => compact({ name, color, description })),
        milestones: state.milestones.map((m) => ({ title: m.title, closed: m.state === 'closed' })),
        commits,
        issues: things.filter((issue) => !issue.pull).map((issue) => dumpIssue(state, issue)),
        pull_requests: things.filter((issue) => issue.pull).map((issue) => dumpPull(state, issue)),
        discussions: [...state.discussions.values()]
            .sort(byNumber)
            .map(({ number, title, text, category, answered }) =>
                compact({ number, title, text, category, answered }),
            ),
        releases,
        statuses,
        open_alerts,
        dismissed_alerts,
        runs: [...state.runs].sort((a, b) => a.id - b.id).map((run) => {
            const jobs = state.jobs.filter((job) => job.run === run.id).map((job) => ({
                name: job.name,
                ...(job.conclusion === 'skipped' ? {} : { started_at: stamp(job.startedAt) }),
            }));
            return { workflow: run.file, created_at: stamp(run.createdAt), ...(jobs.length > 0 ? { jobs } : {}) };
        }),
        tracked_files: state.files,
        checkout: state.checkout ?? {},
        checkout_commit: state.checkoutCommit ?? '',
        foreign_issues: state.foreignIssues ?? [],
        public_repositories: [...state.others].filter(([, open]) => open).map(([name]) => name),
        job_files: state.jobFiles ?? {},
        stores: state.stores ?? {},
        git_reading: state.gitReading ?? '',
        variables: Object.fromEntries(state.variables),
        secrets: state.secrets,
    };
    return {
        now: stamp(state.now),
        repository: state.repository.name,
        public: state.repository.public,
        default_branch: state.repository.defaultBranch,
        ...(state.closesAtMerge ? { closes_at_merge: true } : {}),
        account: state.account,
        ...Object.fromEntries(
            Object.entries(lists).filter(([, value]) => Object.keys(value).length > 0),
        ),
    };
}
