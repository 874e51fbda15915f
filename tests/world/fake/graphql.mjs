// SPDX-License-Identifier: Apache-2.0
//
// GraphQL over the state, executed against GitHub's published schema: what the schema does not know is
// refused by `graphql` itself. Beside it the rules that GitHub has and the schema does not say: bounds
// of pages, the number of nodes, the cost, errors with a type, and partial data.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { buildSchema, execute as run, parse, validate } from 'graphql';

import * as change from './changes.mjs';
import {
    actor, comment, commit, connection, discussion, GraphqlProblem, issue, kindOf, label, milestone,
    notFound, pullRequest, reaction, release,
} from './graphql_nodes.mjs';
import { nodeId } from './render.mjs';
import { Problem, same } from './state.mjs';
import { stamp } from './world_file.mjs';

const NODES_MAX = 500000;

let built = null;
export function schema() {
    if (built === null) {
        const require = createRequire(import.meta.url);
        const file = require.resolve('github-schema/package.json').replace(
            'package.json', 'github-schema.graphql',
        );
        // A test builds it with all checks; that takes seconds.
        built = buildSchema(readFileSync(file, 'utf8'), { assumeValid: true, assumeValidSDL: true });
    }
    return built;
}

// ---- cost --------------------------------------------------------------------------------------

const numberOf = (value, variables) =>
    value?.kind === 'Variable' ? variables[value.name.value] : Number(value?.value);

// As GitHub's page on limits counts: nodes, and requests of connections by a hundred.
export function cost(document, variables = {}) {
    const fragments = new Map();
    for (const definition of document.definitions) {
        if (definition.kind === 'FragmentDefinition') {
            fragments.set(definition.name.value, definition);
        }
    }
    let nodes = 0;
    let requests = 0;
    const walk = (selections, times) => {
        for (const selection of selections?.selections ?? []) {
            if (selection.kind === 'FragmentSpread') {
                walk(fragments.get(selection.name.value).selectionSet, times);
                continue;
            }
            const bound = selection.arguments?.find((a) => ['first', 'last'].includes(a.name.value));
            const size = bound === undefined ? null : numberOf(bound.value, variables);
            if (size !== null) {
                nodes += times * size;
                requests += times;
            }
            walk(selection.selectionSet, size === null ? times : times * size);
        }
    };
    for (const definition of document.definitions) {
        if (definition.kind === 'OperationDefinition') {
            walk(definition.selectionSet, 1);
        }
    }
    return { nodes, cost: Math.max(1, Math.round(requests / 100)) };
}

// ---- the root ----------------------------------------------------------------------------------

function forbidden() {
    return new GraphqlProblem('FORBIDDEN', 'Resource not accessible by integration');
}

function permit(fake, key, level) {
    const { permissions, state } = fake;
    if (permissions === 'all' || (level === 'read' && state.repository.public)) {
        return;
    }
    if (permissions[key] !== 'write' && permissions[key] !== level) {
        throw forbidden();
    }
}

const orders = { UPDATED_AT: 'updatedAt', CREATED_AT: 'createdAt', COMMENTS: 'comments' };

function ordered(rows, orderBy, info, args, node) {
    const key = orders[orderBy?.field] ?? 'createdAt';
    const sign = orderBy?.direction === 'DESC' ? -1 : 1;
    const sorted = [...rows].sort((a, b) => (a[key] - b[key] || a.number - b.number) * sign);
    return connection(sorted, args, info, { node, key: (row) => row[key], sign });
}

function repositoryOf(fake) {
    const { state } = fake;
    const read = { repository: (name) => repositoryOf(fake)(name) };
    return (name) => {
        const own = same(name, state.repository.name);
        const open = own ? state.repository.public : state.others.get(name) !== false;
        const simple = {
            __typename: 'Repository',
            id: nodeId('R', own ? state.repository.id : name),
            nameWithOwner: own ? state.repository.name : name,
            name: name.split('/')[1],
            isPrivate: !open,
            visibility: open ? 'PUBLIC' : 'PRIVATE',
            url: `${state.server}/${name}`,
        };
        return own ? { ...simple, ...fieldsOf(fake, read) } : simple;
    };
}

function fieldsOf(fake, read) {
    const { state } = fake;
    const issues = () => [...state.issues.values()].filter((row) => !row.pull);
    const pulls = () => [...state.issues.values()].filter((row) => row.pull);
    const find = (number, kind, test) => {
        const row = state.issues.get(number);
        if (row === undefined || !test(row)) {
            throw notFound(kind, number);
        }
        return row;
    };
    return {
        databaseId: state.repository.id,
        defaultBranchRef: () => ({ name: state.repository.defaultBranch }),
        issue: ({ number }) => {
            permit(fake, 'issues', 'read');
            return issue(state, find(number, 'an Issue', (row) => !row.pull), read);
        },
        pullRequest: ({ number }) => {
            permit(fake, 'pull-requests', 'read');
            return pullRequest(state, find(number, 'a PullRequest', (row) => row.pull), read);
        },
        issueOrPullRequest: ({ number }) => {
            const row = find(number, 'an issue or pull request', () => true);
            permit(fake, row.pull ? 'pull-requests' : 'issues', 'read');
            return row.pull ? pullRequest(state, row, read) : issue(state, row, read);
        },
        discussion: ({ number }) => {
            permit(fake, 'discussions', 'read');
            const row = state.discussions.get(number);
            if (row === undefined) {
                throw notFound('a Discussion', number);
            }
            return discussion(state, row);
        },
        issues: (args, _, info) => {
            permit(fake, 'issues', 'read');
            const rows = issues().filter(
                (row) =>
                    (!args.states || args.states.includes(row.state.toUpperCase())) &&
                    (!args.labels || row.labels.some((name) => args.labels.some((own) => same(own, name)))),
            );
            return ordered(rows, args.orderBy, info, args, (row) => issue(state, row, read));
        },
        pullRequests: (args, _, info) => {
            permit(fake, 'pull-requests', 'read');
            const word = (row) => (row.pull.mergedAt === null ? row.state.toUpperCase() : 'MERGED');
            const rows = pulls().filter((row) => !args.states || args.states.includes(word(row)));
            return ordered(rows, args.orderBy, info, args, (row) => pullRequest(state, row, read));
        },
        discussions: (args, _, info) => {
            permit(fake, 'discussions', 'read');
            return ordered([...state.discussions.values()], args.orderBy, info, args, (row) =>
                discussion(state, row),
            );
        },
        labels: (args, _, info) =>
            connection(state.labels, args, info, { node: (row) => label(state, row), id: (row) => row.id }),
        label: ({ name }) => {
            const row = state.findLabel(name);
            return row === undefined ? null : label(state, row);
        },
        milestones: (args, _, info) =>
            connection(state.milestones, args, info, { node: (row) => milestone(state, row) }),
        releases: (args, _, info) => {
            permit(fake, 'contents', 'read');
            const rows = [...state.releases].sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
            return connection(rows, args, info, {
                node: (row) => release(state, row), key: (row) => row.createdAt, sign: -1,
            });
        },
        object: ({ oid }) => {
            permit(fake, 'contents', 'read');
            const row = state.commits.get(oid);
            return row?.described ? commit(state, row) : null;
        },
    };
}

function rateLimit(fake, document, variables) {
    const { limit, used, reset } = fake.limits.bucket('graphql');
    const counted = cost(document, variables);
    return {
        cost: counted.cost,
        nodeCount: counted.nodes,
        limit,
        used,
        remaining: Math.max(0, limit - used),
        resetAt: stamp(reset),
    };
}

// ---- mutations ---------------------------------------------------------------------------------

// The issue, pull request or comment of a node id.
function subject(state, id) {
    for (const row of state.issues.values()) {
        if (nodeId(row.pull ? 'PR' : 'I', state.repository.id, row.number) === id) {
            return { row };
        }
    }
    for (const row of state.comments.values()) {
        if (nodeId('IC', row.id) === id) {
            return { row: state.issues.get(row.issue), comment: row };
        }
    }
    throw new GraphqlProblem('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
}

function mutations(fake, read) {
    const { state } = fake;
    const me = state.account;
    const named = (row) => (row.pull ? pullRequest(state, row, read) : issue(state, row, read));
    const of = (id) => {
        const found = subject(state, id);
        permit(fake, found.row.pull ? 'pull-requests' : 'issues', 'write');
        return found;
    };
    const labelsOf = (ids) =>
        ids.map((id) => {
            const row = state.labels.find((own) => nodeId('LA', own.id) === id);
            if (row === undefined) {
                throw new GraphqlProblem('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'.`);
            }
            return row.name;
        });
    return {
        addComment: ({ input }) => {
            const { row } = of(input.subjectId);
            const made = comment(state, change.comment(state, row, me, input.body));
            return { commentEdge: { node: made, cursor: 'x' }, subject: named(row) };
        },
        updateIssueComment: ({ input }) => {
            const { comment: row } = of(input.id);
            change.editComment(state, row, me, input.body);
            return { issueComment: comment(state, row) };
        },
        addLabelsToLabelable: ({ input }) => {
            const { row } = of(input.labelableId);
            for (const name of labelsOf(input.labelIds)) {
                change.addLabel(state, row, me, name);
            }
            return { labelable: named(row) };
        },
        removeLabelsFromLabelable: ({ input }) => {
            const { row } = of(input.labelableId);
            for (const name of labelsOf(input.labelIds)) {
                change.removeLabel(state, row, me, name);
            }
            return { labelable: named(row) };
        },
        closeIssue: ({ input }) => {
            const { row } = of(input.issueId);
            const reason = (input.stateReason ?? 'COMPLETED').toLowerCase();
            const duplicateOf = input.duplicateIssueId ? of(input.duplicateIssueId).row.number : null;
            change.close(state, row, me, { reason, duplicateOf });
            return { issue: issue(state, row, read) };
        },
        reopenIssue: ({ input }) => {
            const { row } = of(input.issueId);
            change.reopen(state, row, me);
            return { issue: issue(state, row, read) };
        },
        lockLockable: ({ input }) => {
            const { row } = of(input.lockableId);
            change.lock(state, row, me, input.lockReason?.toLowerCase() ?? null);
            return { lockedRecord: named(row), actor: actor(state, me) };
        },
        unlockLockable: ({ input }) => {
            const { row } = of(input.lockableId);
            change.unlock(state, row, me);
            return { unlockedRecord: named(row), actor: actor(state, me) };
        },
        addReaction: ({ input }) => {
            const found = of(input.subjectId);
            const holder = found.comment ?? found.row;
            const made = change.react(state, holder, me, kindOf(input.content));
            return {
                reaction: reaction(state, made.reaction),
                subject: found.comment ? comment(state, holder) : named(holder),
            };
        },
    };
}

// ---- one query ---------------------------------------------------------------------------------

// What GitHub says of an error; one of another kind is a mistake of the fake or of the query.
function describe(error, violations) {
    const { originalError: cause } = error;
    const row = {
        ...(error.path ? { path: error.path } : {}),
        locations: error.locations?.map(({ line, column }) => ({ line, column })) ?? [],
        message: error.message,
    };
    if (cause instanceof GraphqlProblem) {
        return { type: cause.type, ...row };
    }
    if (cause instanceof Problem) {
        return { type: 'UNPROCESSABLE', ...row };
    }
    violations.push(`GraphQL: ${error.message}${error.path ? ` at ${error.path.join('.')}` : ''}`);
    return row;
}

const notTaken = (message) => ({ answer: { errors: [{ message }] }, violations: [`GraphQL: ${message}`] });

export function execute(fake, body) {
    let document;
    try {
        document = parse(body.query);
    } catch (error) {
        return notTaken(error.message);
    }
    const errors = validate(schema(), document);
    if (errors.length > 0) {
        return notTaken(errors.map((error) => error.message).join(' '));
    }
    const counted = cost(document, body.variables);
    if (counted.nodes > NODES_MAX) {
        const message = `This query requests up to ${counted.nodes} possible nodes which exceeds the maximum limit of 500,000.`;
        return {
            answer: { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED', message }] },
            violations: [`GraphQL: ${message}`],
        };
    }
    fake.limits.take('graphql', counted.cost);
    const read = { repository: (name) => repositoryOf(fake)(name) };
    const root = {
        repository: ({ owner, name }) => {
            const whole = `${owner}/${name}`;
            const { state } = fake;
            const known =
                same(whole, state.repository.name) || state.repository.formerNames.some((n) => same(n, whole));
            if (!known && !state.others.has(whole)) {
                throw new GraphqlProblem(
                    'NOT_FOUND', `Could not resolve to a Repository with the name '${whole}'.`,
                );
            }
            return read.repository(known ? state.repository.name : whole);
        },
        rateLimit: () => rateLimit(fake, document, body.variables),
        viewer: () => actor(fake.state, fake.state.account),
        ...mutations(fake, read),
    };
    const result = run({
        schema: schema(),
        document,
        rootValue: root,
        variableValues: body.variables ?? {},
        operationName: body.operationName,
    });
    const violations = [];
    const answer = { data: result.data ?? null };
    if (result.errors) {
        answer.errors = result.errors.map((error) => describe(error, violations));
    }
    return { answer, violations };
}
