// SPDX-License-Identifier: Apache-2.0
//
// Things of the state as GraphQL objects: plain objects whose functions the executor of `graphql`
// calls with the arguments of the field. What is not here is a field that the fake does not know;
// asking for it is a violation where the schema demands a value, and null elsewhere.

import { associations, nodeId, siteUrl } from './render.mjs';
import { GHOST, same } from './state.mjs';
import { stamp, time } from './world_file.mjs';

export class GraphqlProblem extends Error {
    constructor(type, message) {
        super(message);
        this.type = type;
    }
}

export const notFound = (kind, number) =>
    new GraphqlProblem('NOT_FOUND', `Could not resolve to ${kind} with the number of ${number}.`);

const when = (seconds) => (seconds === null ? null : stamp(seconds));

// ---- connections -------------------------------------------------------------------------------

const PAGE_MAX = 100;
const asksForElements = (info) =>
    info.fieldNodes.some((field) =>
        (field.selectionSet?.selections ?? []).some((selection) =>
            selection.kind === 'Field'
                ? ['nodes', 'edges', 'pageInfo'].includes(selection.name.value)
                : true,
        ),
    );

const encode = (key, id) => Buffer.from(`cursor:${JSON.stringify([key, id])}`).toString('base64');
const decode = (text) => {
    try {
        return JSON.parse(Buffer.from(text, 'base64').toString('utf8').replace('cursor:', ''));
    } catch {
        throw new GraphqlProblem('INVALID_CURSOR_ARGUMENTS', `\`${text}\` does not appear to be a valid cursor.`);
    }
};

// `rows` in their order; `key` is what they are ordered by and `id` tells equals apart, so that a
// cursor holds its place when other rows move, as on GitHub.
export function connection(rows, args, info, { node, key, id = (row) => row.number ?? row.id, sign = 1 }) {
    if (asksForElements(info) && args.first === undefined && args.last === undefined) {
        throw new GraphqlProblem(
            'MISSING_PAGINATION_BOUNDARIES',
            `You must provide a \`first\` or \`last\` value to properly paginate the \`${info.fieldName}\` connection.`,
        );
    }
    for (const name of ['first', 'last']) {
        if (args[name] > PAGE_MAX || args[name] < 0) {
            throw new GraphqlProblem(
                'EXCESSIVE_PAGINATION',
                `Requesting ${args[name]} records on the \`${info.fieldName}\` connection exceeds the \`${name}\` limit of 100 records.`,
            );
        }
    }
    const place = (row) => [key ? key(row) : rows.indexOf(row), id(row)];
    const order = (a, b) => {
        const by = typeof a[0] === 'string' ? (a[0] < b[0] ? -1 : Number(a[0] > b[0])) : a[0] - b[0];
        return (by || a[1] - b[1]) * sign;
    };
    let left = rows;
    if (args.after) {
        const from = decode(args.after);
        left = left.filter((row) => order(place(row), from) > 0);
    }
    if (args.before) {
        const to = decode(args.before);
        left = left.filter((row) => order(place(row), to) < 0);
    }
    let page = args.first === undefined || args.first === null ? left : left.slice(0, args.first);
    if (args.last !== undefined && args.last !== null) {
        page = page.slice(-args.last);
    }
    const cursor = (row) => (row === undefined ? null : encode(...place(row)));
    return {
        totalCount: rows.length,
        nodes: () => page.map(node),
        edges: () => page.map((row) => ({ cursor: cursor(row), node: node(row) })),
        pageInfo: () => ({
            hasNextPage: page.length > 0 && page.at(-1) !== left.at(-1),
            hasPreviousPage: page.length > 0 && page[0] !== rows[0],
            startCursor: cursor(page[0]),
            endCursor: cursor(page.at(-1)),
        }),
    };
}

// ---- people ------------------------------------------------------------------------------------

// GraphQL calls a bot by its name without [bot], and somebody who is gone is null.
export function actor(state, login) {
    if (login === null || login === undefined || login === GHOST.login) {
        return null;
    }
    const row = state.findUser(login);
    const bot = row?.kind === 'bot';
    const name = bot ? login.replace(/\[bot\]$/, '') : login;
    return {
        __typename: bot ? 'Bot' : 'User',
        id: nodeId('U', row?.id ?? 0),
        login: name,
        databaseId: row?.id ?? null,
        url: `${state.server}/${bot ? 'apps/' : ''}${name}`,
        resourcePath: `/${bot ? 'apps/' : ''}${name}`,
        avatarUrl: `https://avatars.githubusercontent.com/u/${row?.id ?? 0}?v=4`,
    };
}

const association = (state, login) => associations[state.findUser(login)?.association ?? 'nobody'];

// ---- labels, reactions, comments, edits, milestones --------------------------------------------

const contents = {
    thumbs_up: 'THUMBS_UP', thumbs_down: 'THUMBS_DOWN', laugh: 'LAUGH', confused: 'CONFUSED',
    heart: 'HEART', hooray: 'HOORAY', rocket: 'ROCKET', eyes: 'EYES',
};
export const kindOf = (content) => Object.keys(contents).find((kind) => contents[kind] === content);

export function label(state, row) {
    return {
        __typename: 'Label',
        id: nodeId('LA', row.id),
        name: row.name,
        color: row.color,
        description: row.description,
        isDefault: false,
        url: `${siteUrl(state)}/labels/${encodeURIComponent(row.name)}`,
        resourcePath: `/labels/${encodeURIComponent(row.name)}`,
    };
}

export function reaction(state, row) {
    return {
        __typename: 'Reaction',
        id: nodeId('REA', row.id),
        databaseId: null,
        content: contents[row.kind],
        createdAt: stamp(row.at),
        user: () => actor(state, row.user),
    };
}

// Counts that a world file gives come as reactions of people whom nobody knows.
function reactions(state, holder, args, info) {
    const given = [
        ...Array.from({ length: holder.thumbsUp ?? 0 }, () => 'thumbs_up'),
        ...Array.from({ length: holder.thumbsDown ?? 0 }, () => 'thumbs_down'),
    ].map((kind, i) => ({ id: i + 1, kind, user: GHOST.login, at: holder.createdAt }));
    const rows = [...given, ...holder.reactions].filter(
        (row) => !args.content || row.kind === kindOf(args.content),
    );
    return connection(rows, args, info, {
        node: (row) => reaction(state, row),
        key: (row) => row.at,
        id: (row) => row.id,
    });
}

export function comment(state, row) {
    return {
        __typename: 'IssueComment',
        id: nodeId('IC', row.id),
        databaseId: null, // ids no longer fit into its type
        fullDatabaseId: String(row.id),
        author: () => actor(state, row.author),
        authorAssociation: association(state, row.author),
        body: row.text,
        createdAt: stamp(row.createdAt),
        updatedAt: stamp(row.updatedAt),
        lastEditedAt: row.updatedAt > row.createdAt ? stamp(row.updatedAt) : null,
        isMinimized: false,
        url: `${siteUrl(state)}/issues/${row.issue}#issuecomment-${row.id}`,
        reactions: (args, _, info) => reactions(state, row, args, info),
    };
}

// Once a text was edited, its creation is the oldest of its edits; the newest comes first.
function edits(state, row, args, info) {
    const rows = [...row.edits]
        .sort((a, b) => b.at - a.at)
        .concat(row.edits.length > 0 ? [{ id: 0, editor: row.author, at: row.createdAt }] : []);
    return connection(rows, args, info, {
        node: (edit) => ({
            __typename: 'UserContentEdit',
            id: nodeId('UCE', row.number, edit.id),
            createdAt: stamp(edit.at),
            updatedAt: stamp(edit.at),
            editedAt: stamp(edit.at),
            deletedAt: null,
            editor: () => actor(state, edit.editor),
        }),
        key: (edit) => edit.at,
        id: (edit) => edit.id,
        sign: -1,
    });
}

export function milestone(state, row) {
    return {
        __typename: 'Milestone',
        id: nodeId('MI', row.id),
        number: row.number,
        title: row.title,
        state: row.state.toUpperCase(),
        closed: row.state === 'closed',
        createdAt: stamp(row.createdAt),
        url: `${siteUrl(state)}/milestone/${row.number}`,
    };
}

// ---- issues ------------------------------------------------------------------------------------

const timelineTypes = {
    labeled: 'LabeledEvent', unlabeled: 'UnlabeledEvent', closed: 'ClosedEvent',
    reopened: 'ReopenedEvent', locked: 'LockedEvent', unlocked: 'UnlockedEvent',
    milestoned: 'MilestonedEvent', demilestoned: 'DemilestonedEvent', assigned: 'AssignedEvent',
    unassigned: 'UnassignedEvent', renamed: 'RenamedTitleEvent',
};
const itemType = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

function timeline(state, issue, args, info) {
    const rows = issue.timeline.filter((row) => {
        const type = timelineTypes[row.kind];
        return (
            type !== undefined &&
            (!args.itemTypes || args.itemTypes.includes(itemType(type))) &&
            (!args.since || row.at >= time(args.since))
        );
    });
    return connection(rows, args, info, {
        node: (row) => ({
            __typename: timelineTypes[row.kind],
            id: nodeId('EV', row.id),
            actor: () => actor(state, row.actor),
            createdAt: stamp(row.at),
            label: () => {
                const found = row.label === null ? undefined : state.findLabel(row.label);
                return label(state, found ?? { id: 0, name: row.label, color: 'ededed', description: null });
            },
            stateReason: row.reason ? row.reason.toUpperCase() : null,
            assignee: () => actor(state, row.assignee),
            lockReason: row.lockReason ? row.lockReason.toUpperCase() : null,
            milestoneTitle: row.milestone ?? '',
            previousTitle: row.rename?.from ?? '',
            currentTitle: row.rename?.to ?? '',
        }),
        key: (row) => row.at,
        id: (row) => row.id,
    });
}

function common(state, row, read) {
    return {
        number: row.number,
        title: row.title,
        body: row.text,
        author: () => actor(state, row.author),
        authorAssociation: association(state, row.author),
        createdAt: stamp(row.createdAt),
        updatedAt: stamp(row.updatedAt),
        closedAt: when(row.closedAt),
        closed: row.state === 'closed',
        locked: row.locked,
        activeLockReason: row.lockReason === null ? null : row.lockReason.toUpperCase(),
        repository: () => read.repository(state.repository.name),
        milestone: () => {
            const found = state.milestones.find((m) => m.number === row.milestone);
            return found === undefined ? null : milestone(state, found);
        },
        labels: (args, _, info) =>
            connection(row.labels.map((name) => state.label(name)), args, info, {
                node: (own) => label(state, own),
                id: (own) => own.id,
            }),
        assignees: (args, _, info) =>
            connection(row.assignees.map((login) => state.user(login)), args, info, {
                node: (user) => actor(state, user.login),
                id: (user) => user.id,
            }),
        comments: (args, _, info) =>
            connection(row.comments.map((id) => state.comments.get(id)), args, info, {
                node: (own) => comment(state, own),
                key: (own) => own.createdAt,
                id: (own) => own.id,
            }),
        reactions: (args, _, info) => reactions(state, row, args, info),
        userContentEdits: (args, _, info) => edits(state, row, args, info),
        includesCreatedEdit: row.edits.length > 0,
        lastEditedAt: when(row.edits.at(-1)?.at ?? null),
        timelineItems: (args, _, info) => timeline(state, row, args, info),
    };
}

export function issue(state, row, read) {
    return {
        __typename: 'Issue',
        id: nodeId('I', state.repository.id, row.number),
        databaseId: null,
        fullDatabaseId: String(state.issueId(row.number)),
        ...common(state, row, read),
        state: row.state.toUpperCase(),
        // Without the argument a duplicate is said to be not planned.
        stateReason: ({ enableDuplicate }) => {
            const word = row.stateReason?.toUpperCase() ?? null;
            return word === 'DUPLICATE' && !enableDuplicate ? 'NOT_PLANNED' : word;
        },
        duplicateOf: () => {
            const other = state.issues.get(row.duplicateOf);
            return other === undefined ? null : issue(state, other, read);
        },
        url: `${siteUrl(state)}/issues/${row.number}`,
        closedByPullRequestsReferences: (args, _, info) =>
            connection(
                state
                    .closingPulls(row.number)
                    .filter((pull) => args.includeClosedPrs || pull.state === 'open'),
                args,
                info,
                { node: (pull) => pullRequest(state, pull, read), key: (pull) => pull.number },
            ),
    };
}

// ---- pull requests, commits, discussions, releases ---------------------------------------------

export function commit(state, row) {
    const person = (login, name, email, at) => ({
        name,
        email,
        date: stamp(at),
        user: () => {
            const found = actor(state, login);
            return found?.__typename === 'User' ? found : null;
        },
    });
    return {
        __typename: 'Commit',
        id: nodeId('C', row.sha),
        oid: row.sha,
        message: row.message,
        authoredDate: stamp(row.madeAt),
        committedDate: stamp(row.committedAt),
        author: () => person(row.author, row.authorName, row.authorEmail, row.madeAt),
        committer: () => person(row.committer, row.committerName, row.committerEmail, row.committedAt),
    };
}

export function pullRequest(state, row, read) {
    const { pull } = row;
    return {
        __typename: 'PullRequest',
        id: nodeId('PR', state.repository.id, row.number),
        ...common(state, row, read),
        state: pull.mergedAt === null ? row.state.toUpperCase() : 'MERGED',
        merged: pull.mergedAt !== null,
        mergedAt: when(pull.mergedAt),
        isDraft: pull.draft,
        baseRefName: pull.base,
        headRefName: pull.headBranch,
        headRefOid: pull.head,
        headRepository: () => (pull.headRepository === null ? null : read.repository(pull.headRepository)),
        mergeCommit: () => (pull.mergeCommit === null ? null : commit(state, state.commit(pull.mergeCommit))),
        url: `${siteUrl(state)}/pull/${row.number}`,
        closingIssuesReferences: (args, _, info) =>
            connection(
                pull.closes.map((number) => state.issues.get(number)).filter(Boolean),
                args,
                info,
                { node: (own) => issue(state, own, read), key: (own) => own.number },
            ),
    };
}

export function discussion(state, row) {
    return {
        __typename: 'Discussion',
        id: nodeId('D', row.number),
        number: row.number,
        title: row.title,
        body: row.text,
        author: () => actor(state, row.author),
        authorAssociation: association(state, row.author),
        category: () => ({
            __typename: 'DiscussionCategory', id: nodeId('DIC', row.category), name: row.category,
        }),
        isAnswered: row.answered,
        createdAt: stamp(row.createdAt),
        updatedAt: stamp(row.updatedAt),
        closed: false,
        locked: false,
        url: `${siteUrl(state)}/discussions/${row.number}`,
    };
}

export function release(state, row) {
    return {
        __typename: 'Release',
        id: nodeId('RE', row.id),
        databaseId: null,
        tagName: row.tag,
        name: row.name ?? row.tag,
        isDraft: row.draft,
        isPrerelease: row.prerelease,
        isLatest: state.latestRelease() === row,
        createdAt: stamp(row.createdAt),
        publishedAt: when(row.publishedAt),
        url: `${siteUrl(state)}/releases/tag/${encodeURIComponent(row.tag)}`,
        tagCommit: () => (row.commit === null ? null : commit(state, state.commit(row.commit))),
    };
}

export { same };
