// SPDX-License-Identifier: Apache-2.0
//
// The operations on issues, their labels, comments, events and reactions. A handler gets {state, path,
// query, body, actor} and gives {status, body}, or {list}: what pages are cut from, with `render` for
// an element.

import * as change from './changes.mjs';
import { comment, event, issue, label, lockReasons, reaction, reactionKinds } from './render.mjs';
import { invalid, notFound, same } from './state.mjs';
import { time } from './world_file.mjs';

const by = (key, direction = 'asc') => (a, b) =>
    (a[key] - b[key] || (a.number ?? a.id) - (b.number ?? b.id)) * (direction === 'asc' ? 1 : -1);

const since = (query) => (query.since === undefined ? 0 : time(query.since));

const ok = (body, status = 200) => ({ status, body });
const none = { status: 204 };

const labelsOf = (state, row) => row.labels.map((name) => label(state, state.label(name)));

// What GitHub takes for a list of labels: an object with it, or the list itself.
function wantedLabels(body) {
    const list = Array.isArray(body) ? body : (body?.labels ?? []);
    if (typeof list === 'string') {
        return [list];
    }
    return list;
}

// ---- issues ------------------------------------------------------------------------------------

function listIssues({ state, query }) {
    const key = { created: 'createdAt', updated: 'updatedAt', comments: 'comments' }[query.sort];
    const labels = query.labels ? query.labels.split(',') : [];
    const rows = [...state.issues.values()].filter((row) => {
        const assigned =
            query.assignee === undefined || query.assignee === '*'
                ? query.assignee === undefined || row.assignees.length > 0
                : query.assignee === 'none'
                  ? row.assignees.length === 0
                  : row.assignees.some((login) => same(login, query.assignee));
        return (
            (query.state === 'all' || row.state === query.state) &&
            labels.every((name) => row.labels.some((own) => same(own, name))) &&
            (query.creator === undefined || same(row.author, query.creator)) &&
            assigned &&
            row.updatedAt >= since(query)
        );
    });
    rows.sort(
        key === 'comments'
            ? (a, b) => (a.comments.length - b.comments.length) * (query.direction === 'asc' ? 1 : -1)
            : by(key, query.direction),
    );
    return { list: rows, render: issue };
}

function createIssue({ state, body, actor }) {
    const row = change.open(state, actor, { title: String(body.title), text: body.body ?? '' });
    change.setLabels(state, row, actor, body.labels ?? []);
    for (const login of body.assignees ?? []) {
        change.assign(state, row, actor, login);
    }
    return ok(issue(state, row), 201);
}

// The number of the issue that has this id, which is no number.
function numberOf(state, id) {
    const row = [...state.issues.values()].find((other) => state.issueId(other.number) === id);
    if (!row) {
        throw invalid('Issue', 'duplicate_issue_id', 'invalid');
    }
    return row.number;
}

function updateState(state, row, actor, body) {
    if (body.state === 'open') {
        change.reopen(state, row, actor);
    } else if (body.state === 'closed') {
        const reason = body.state_reason ?? 'completed';
        if (reason === 'reopened') {
            throw invalid('Issue', 'state_reason', 'invalid');
        }
        const duplicateOf =
            reason === 'duplicate' && body.duplicate_issue_id !== undefined
                ? numberOf(state, body.duplicate_issue_id)
                : null;
        change.close(state, row, actor, { reason, duplicateOf });
    }
}

function updateIssue({ state, path, body, actor }) {
    const row = state.issue(path.issue_number);
    if (body.milestone !== undefined) {
        const number = body.milestone === null ? null : Number(body.milestone);
        change.setMilestone(state, row, actor, number);
    }
    if (body.title !== undefined && body.title !== null) {
        change.retitle(state, row, actor, String(body.title));
    }
    if (body.body !== undefined) {
        change.editText(state, row, actor, body.body ?? '');
    }
    if (body.labels !== undefined) {
        change.setLabels(state, row, actor, body.labels);
    }
    for (const login of body.assignees ?? []) {
        change.assign(state, row, actor, typeof login === 'string' ? login : login.login);
    }
    updateState(state, row, actor, body);
    return ok(issue(state, row));
}

// ---- comments ----------------------------------------------------------------------------------

function listComments({ state, path, query }) {
    const rows = state
        .issue(path.issue_number)
        .comments.map((id) => state.comments.get(id))
        .filter((row) => row.updatedAt >= since(query));
    return { list: rows, render: comment };
}

function listAllComments({ state, query }) {
    const rows = [...state.comments.values()].filter((row) => row.updatedAt >= since(query));
    const key = query.sort === 'updated' ? 'updatedAt' : 'createdAt';
    return { list: rows.sort(by(key, query.direction ?? 'asc')), render: comment };
}

// ---- reactions ---------------------------------------------------------------------------------

function listReactions(state, holder, query) {
    const rows = holder.reactions.filter(
        (row) => query.content === undefined || row.kind === reactionKinds[query.content],
    );
    return { list: rows, render: reaction };
}

function createReaction(state, holder, actor, body) {
    const { reaction: row, isNew } = change.react(state, holder, actor, reactionKinds[body.content]);
    return ok(reaction(state, row), isNew ? 201 : 200);
}

export const issueHandlers = {
    'issues/list-for-repo': listIssues,
    'issues/create': createIssue,
    'issues/get': ({ state, path }) => ok(issue(state, state.issue(path.issue_number))),
    'issues/update': updateIssue,

    'issues/list-comments-for-repo': listAllComments,
    'issues/list-comments': listComments,
    'issues/get-comment': ({ state, path }) => ok(comment(state, state.comment(path.comment_id))),
    'issues/create-comment': ({ state, path, body, actor }) => {
        const row = state.issue(path.issue_number);
        return ok(comment(state, change.comment(state, row, actor, body.body)), 201);
    },
    'issues/update-comment': ({ state, path, body, actor }) => {
        const row = state.comment(path.comment_id);
        change.editComment(state, row, actor, body.body);
        return ok(comment(state, row));
    },
    'issues/delete-comment': ({ state, path, actor }) => {
        change.deleteComment(state, state.comment(path.comment_id), actor);
        return none;
    },

    'issues/list-events': ({ state, path }) => ({
        list: state.issue(path.issue_number).timeline,
        render: event,
    }),
    'issues/list-events-for-timeline': ({ state, path }) => ({
        list: state.issue(path.issue_number).timeline,
        render: (_, row) => event(state, row, true),
    }),

    'issues/list-labels-on-issue': ({ state, path }) => ({
        list: state.issue(path.issue_number).labels,
        render: (_, name) => label(state, state.label(name)),
    }),
    'issues/add-labels': ({ state, path, body, actor }) => {
        const row = state.issue(path.issue_number);
        for (const wanted of wantedLabels(body)) {
            change.addLabel(state, row, actor, wanted);
        }
        return ok(labelsOf(state, row));
    },
    'issues/set-labels': ({ state, path, body, actor }) => {
        const row = state.issue(path.issue_number);
        change.setLabels(state, row, actor, wantedLabels(body));
        return ok(labelsOf(state, row));
    },
    'issues/remove-label': ({ state, path, actor }) => {
        const row = state.issue(path.issue_number);
        if (!change.removeLabel(state, row, actor, path.name)) {
            throw notFound('Label does not exist');
        }
        return ok(labelsOf(state, row));
    },
    'issues/remove-all-labels': ({ state, path, actor }) => {
        change.setLabels(state, state.issue(path.issue_number), actor, []);
        return none;
    },

    'issues/lock': ({ state, path, body, actor }) => {
        const reason = body?.lock_reason === undefined ? null : lockReasons[body.lock_reason];
        change.lock(state, state.issue(path.issue_number), actor, reason);
        return none;
    },
    'issues/unlock': ({ state, path, actor }) => {
        change.unlock(state, state.issue(path.issue_number), actor);
        return none;
    },
    'issues/add-assignees': ({ state, path, body, actor }) => {
        const row = state.issue(path.issue_number);
        for (const login of body?.assignees ?? []) {
            change.assign(state, row, actor, login);
        }
        return ok(issue(state, row), 201);
    },
    'issues/remove-assignees': ({ state, path, body, actor }) => {
        const row = state.issue(path.issue_number);
        for (const login of body?.assignees ?? []) {
            change.unassign(state, row, actor, login);
        }
        return ok(issue(state, row));
    },

    'reactions/list-for-issue': ({ state, path, query }) =>
        listReactions(state, state.issue(path.issue_number), query),
    'reactions/create-for-issue': ({ state, path, body, actor }) =>
        createReaction(state, state.issue(path.issue_number), actor, body),
    'reactions/list-for-issue-comment': ({ state, path, query }) =>
        listReactions(state, state.comment(path.comment_id), query),
    'reactions/create-for-issue-comment': ({ state, path, body, actor }) =>
        createReaction(state, state.comment(path.comment_id), actor, body),
    'reactions/delete-for-issue-comment': ({ state, path }) => {
        const holder = state.comment(path.comment_id);
        const before = holder.reactions.length;
        holder.reactions = holder.reactions.filter((row) => row.id !== path.reaction_id);
        if (holder.reactions.length === before) {
            throw notFound();
        }
        return none;
    },
};
