// SPDX-License-Identifier: Apache-2.0
//
// The operations on the repository itself: its labels, milestones and people, and search.

import * as change from './changes.mjs';
import { collaborator, issue, label, milestone, repository, user } from './render.mjs';
import { invalid, notFound, Problem, same } from './state.mjs';

const ok = (body, status = 200) => ({ status, body });
const none = { status: 204 };

// ---- labels ------------------------------------------------------------------------------------

function createLabel({ state, body }) {
    const { name, color = 'ededed', description } = body;
    change.checkLabel(state, { name, color, description });
    return ok(label(state, state.addLabel(name, color, description ?? null)), 201);
}

function updateLabel({ state, path, body = {} }) {
    const row = state.label(path.name);
    const { new_name: name, color, description } = body;
    change.checkLabel(state, { name, color, description }, row);
    if (name !== undefined) {
        change.renameLabel(state, row, name);
    }
    row.color = color ?? row.color;
    row.description = description ?? row.description;
    return ok(label(state, row));
}

// ---- milestones --------------------------------------------------------------------------------

function listMilestones({ state, query }) {
    const rows = state.milestones.filter((row) => query.state === 'all' || row.state === query.state);
    const key = { due_on: 'dueOn', completeness: 'number' }[query.sort];
    const sign = query.direction === 'desc' ? -1 : 1;
    rows.sort((a, b) => ((a[key] ?? Infinity) - (b[key] ?? Infinity) || a.number - b.number) * sign);
    return { list: rows, render: milestone };
}

function checkTitle(state, title, but = null) {
    if (title.trim() === '') {
        throw invalid('Milestone', 'title', 'missing_field');
    }
    if (state.milestones.some((row) => row.title === title && row !== but)) {
        throw invalid('Milestone', 'title', 'already_exists');
    }
}

function createMilestone({ state, body, actor }) {
    checkTitle(state, body.title);
    const row = state.addMilestone(body.title, {
        state: body.state,
        description: body.description ?? null,
    });
    row.creator = actor;
    return ok(milestone(state, row), 201);
}

function updateMilestone({ state, path, body = {} }) {
    const row = state.milestone(path.milestone_number);
    if (body.title !== undefined) {
        checkTitle(state, body.title, row);
        row.title = body.title;
    }
    if (body.state !== undefined && body.state !== row.state) {
        row.state = body.state;
        row.closedAt = body.state === 'closed' ? state.now : null;
    }
    row.description = body.description ?? row.description;
    row.updatedAt = state.now;
    return ok(milestone(state, row));
}

function deleteMilestone({ state, path, actor }) {
    const row = state.milestone(path.milestone_number);
    for (const other of state.issues.values()) {
        if (other.milestone === row.number) {
            change.setMilestone(state, other, actor, null);
        }
    }
    state.milestones = state.milestones.filter((other) => other !== row);
    return none;
}

// ---- search ------------------------------------------------------------------------------------

// The qualifiers that policies use; the rest are words of title and text.
function matches(state, row, terms) {
    return terms.every(([, key, value]) => {
        const word = value.replace(/^"|"$/g, '');
        switch (key) {
            case 'repo':
                return state.isRepository(word);
            case 'is':
            case 'type':
            case 'state':
                return {
                    issue: !row.pull,
                    pr: Boolean(row.pull),
                    open: row.state === 'open',
                    closed: row.state === 'closed',
                    merged: Boolean(row.pull?.mergedAt),
                }[word];
            case 'label':
                return row.labels.some((name) => same(name, word));
            case 'author':
                return same(row.author, word);
            case 'in':
            case 'sort':
                return true;
            case undefined:
                return `${row.title}\n${row.text}`.toLowerCase().includes(word.toLowerCase());
            default:
                throw new Problem(422, `The fake does not know the qualifier ${key}.`);
        }
    });
}

function search({ state, query }) {
    const terms = [...query.q.matchAll(/(?:(\w+):)?("[^"]*"|\S+)/g)];
    if (!terms.some(([, key]) => key === 'repo')) {
        throw new Problem(422, 'The fake searches one repository: add repo:.');
    }
    const rows = [...state.issues.values()].filter((row) => matches(state, row, terms));
    const key = query.sort === 'updated' ? 'updatedAt' : 'createdAt';
    rows.sort((a, b) => (a[key] - b[key]) * (query.order === 'asc' ? 1 : -1));
    return {
        list: rows.slice(0, 1000),
        render: (_, row) => ({ ...issue(state, row), body: row.text, score: 1 }),
        wrap: (items) => ({
            total_count: rows.length, incomplete_results: false, search_type: 'lexical', items,
        }),
    };
}

export const repositoryHandlers = {
    'repos/get': ({ state }) => ok(repository(state)),
    'repos/list-collaborators': ({ state }) => ({
        list: [...state.users.values()].filter((row) =>
            ['admin', 'maintain', 'write', 'triage'].includes(state.permission(row.login)),
        ),
        render: (_, row) => collaborator(state, row.login).user,
    }),
    'repos/get-collaborator-permission-level': ({ state, path }) => {
        // Bots are no users here: GitHub answers that there is none of that name.
        const row = state.findUser(path.username);
        if (!row || row.kind === 'bot' || path.username === 'ghost') {
            throw notFound(`${path.username} is not a user`);
        }
        return ok(collaborator(state, row.login));
    },
    'users/get-by-username': ({ state, path }) => {
        if (!state.findUser(path.username)) {
            throw notFound();
        }
        return ok({ ...user(state, path.username), ...profile });
    },
    'users/get-authenticated': ({ state }) => ok({ ...user(state, state.account), ...profile }),

    'issues/list-labels-for-repo': ({ state }) => ({ list: state.labels, render: label }),
    'issues/create-label': createLabel,
    'issues/get-label': ({ state, path }) => ok(label(state, state.label(path.name))),
    'issues/update-label': updateLabel,
    'issues/delete-label': ({ state, path }) => {
        change.deleteLabel(state, state.label(path.name));
        return none;
    },

    'issues/list-milestones': listMilestones,
    'issues/create-milestone': createMilestone,
    'issues/get-milestone': ({ state, path }) =>
        ok(milestone(state, state.milestone(path.milestone_number))),
    'issues/update-milestone': updateMilestone,
    'issues/delete-milestone': deleteMilestone,

    'search/issues-and-pull-requests': search,
};

const profile = {
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2010-01-01T00:00:00Z',
    updated_at: '2010-01-01T00:00:00Z',
};
