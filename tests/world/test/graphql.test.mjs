// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';

import { parse } from 'graphql';

import { cost } from '../fake/graphql.mjs';
import { expected, HEAD, withFake, world } from '../help.mjs';

const inside = (fields) => `{ repository(owner: "octo", name: "demo") { ${fields} } }`;

test('one state behind both', async () => {
    await withFake({}, async (client) => {
        const { data } = await client.query(
            inside(`issue(number: 12) {
                number title body stateReason(enableDuplicate: true) authorAssociation
                author { __typename login ... on User { databaseId } }
                labels(first: 100) { nodes { name } }
                comments { totalCount }
                reactions(content: THUMBS_UP) { totalCount }
                userContentEdits(first: 10) { nodes { editedAt editor { login } } }
                includesCreatedEdit
                closedByPullRequestsReferences(first: 10, includeClosedPrs: true) {
                    nodes { number mergedAt mergeCommit { oid } closingIssuesReferences(first: 5) { nodes { number } } }
                }
                timelineItems(first: 10, itemTypes: [LABELED_EVENT]) {
                    nodes { __typename ... on LabeledEvent { actor { login } label { name } createdAt } }
                }
            }`),
        );
        const { issue } = data.repository;
        assert.deepEqual(issue.author.login, 'alice');
        assert.equal(issue.comments.totalCount, 2);
        assert.equal(issue.reactions.totalCount, 2);
        // The newest first; the oldest is the text as it was opened.
        assert.deepEqual(
            issue.userContentEdits.nodes.map((edit) => edit.editedAt),
            ['2026-11-04T10:00:00Z', '2026-11-01T10:00:00Z'],
        );
        const [pull] = issue.closedByPullRequestsReferences.nodes;
        assert.equal(pull.number, 40);
        assert.equal(pull.closingIssuesReferences.nodes[0].number, 12);
        assert.deepEqual(issue.timelineItems.nodes[0].label, { name: 'bug' });
    });
});

test('missing, and the rest of the data', async () => {
    await withFake({}, async (client) => {
        const { data, errors } = await client.query(
            inside('a: issueOrPullRequest(number: 41) { __typename } b: discussion(number: 41) { number } c: issueOrPullRequest(number: 40) { __typename } d: issue(number: 40) { number }'),
        );
        assert.deepEqual(data.repository, { a: null, b: { number: 41 }, c: { __typename: 'PullRequest' }, d: null });
        assert.deepEqual(errors.map((error) => [error.type, error.path.join('.')]), [
            ['NOT_FOUND', 'repository.a'], ['NOT_FOUND', 'repository.d'],
        ]);
        const none = await client.query('{ repository(owner: "octo", name: "none") { name } }');
        assert.equal(none.data.repository, null);
        assert.equal(none.errors[0].type, 'NOT_FOUND');
    });
});

test('bots and ghosts', async () => {
    const from = world();
    from.issues[0].author = 'renovate[bot]';
    from.issues[1].author = null;
    await withFake({ from }, async (client) => {
        const { data } = await client.query(
            inside('a: issue(number: 9) { author { __typename login } } b: issue(number: 12) { author { login } }'),
        );
        assert.deepEqual(data.repository.a.author, { __typename: 'Bot', login: 'renovate' });
        assert.equal(data.repository.b.author, null);
    });
});

test('a duplicate is called so when one asks', async () => {
    await withFake({}, async (client, fake) => {
        Object.assign(fake.state.issues.get(12), { state: 'closed', stateReason: 'duplicate', duplicateOf: 9 });
        const { data } = await client.query(
            inside('issue(number: 12) { a: stateReason b: stateReason(enableDuplicate: true) duplicateOf { number } }'),
        );
        assert.deepEqual(data.repository.issue, { a: 'NOT_PLANNED', b: 'DUPLICATE', duplicateOf: { number: 9 } });
    });
});

test('pages go on where they were', async () => {
    const from = world();
    from.issues = Array.from({ length: 7 }, (_, i) => ({
        number: i + 1, title: 'x', author: 'alice', created_at: `2026-11-0${i + 1}`,
    }));
    from.pull_requests = [];
    await withFake({ from }, async (client, fake) => {
        const page = async (after) => {
            const { data } = await client.query(
                `query($after: String) ${inside('issues(first: 3, after: $after, states: [OPEN], orderBy: {field: UPDATED_AT, direction: ASC}) { nodes { number } pageInfo { hasNextPage endCursor } }')}`,
                { after },
            );
            return data.repository.issues;
        };
        const first = await page(null);
        assert.deepEqual(first.nodes.map((node) => node.number), [1, 2, 3]);
        // One that was seen moves to the end: the next page begins where it did.
        fake.state.issues.get(1).updatedAt = fake.state.now;
        const second = await page(first.pageInfo.endCursor);
        assert.deepEqual(second.nodes.map((node) => node.number), [4, 5, 6]);
        assert.equal(second.pageInfo.hasNextPage, true);
        const third = await page(second.pageInfo.endCursor);
        assert.deepEqual(third.nodes.map((node) => node.number), [7, 1]);
        assert.equal(third.pageInfo.hasNextPage, false);
    });
});

test('bounds', async () => {
    await withFake({}, async (client, fake) => {
        const unbound = await client.query(inside('issues { nodes { number } }'));
        assert.equal(unbound.errors[0].type, 'MISSING_PAGINATION_BOUNDARIES');
        const wide = await client.query(inside('issues(first: 101) { nodes { number } }'));
        assert.equal(wide.errors[0].type, 'EXCESSIVE_PAGINATION');
        const many = await client.query(
            inside('issues(first: 100) { nodes { comments(first: 100) { nodes { reactions(first: 100) { nodes { content } } } } } }'),
        );
        assert.equal(many.errors[0].type, 'MAX_NODE_LIMIT_EXCEEDED');
        assert.equal(expected(fake).length, 1);
    });
});

test('the cost is that of GitHub’s example', () => {
    // "Calculating points for the call": 5,101 requests make 51 points.
    const query = `{ viewer { repositories(first: 100) { edges { node { issues(first: 50) { edges { node {
        labels(first: 60) { edges { node { name } } } } } } } } } } }`;
    assert.equal(cost(parse(query)).cost, 51);
});

test('mutations', async () => {
    await withFake({}, async (client, fake) => {
        const { data } = await client.query(inside('issue(number: 12) { id } other: issue(number: 9) { id } label(name: "needs-info") { id }'));
        const { issue, other, label } = data.repository;
        const run = async (mutation) => {
            const answer = await client.query(`mutation { ${mutation} }`);
            assert.equal(answer.errors, undefined, JSON.stringify(answer.errors));
            return answer.data;
        };
        const made = await run(`addComment(input: {subjectId: "${issue.id}", body: "Hi"}) { commentEdge { node { id fullDatabaseId } } }`);
        const { id } = made.addComment.commentEdge.node;
        await run(`updateIssueComment(input: {id: "${id}", body: "Ho"}) { issueComment { body } }`);
        await run(`addReaction(input: {subjectId: "${id}", content: EYES}) { reaction { content } }`);
        await run(`addLabelsToLabelable(input: {labelableId: "${issue.id}", labelIds: ["${label.id}"]}) { clientMutationId }`);
        await run(`removeLabelsFromLabelable(input: {labelableId: "${issue.id}", labelIds: ["${label.id}"]}) { clientMutationId }`);
        await run(`lockLockable(input: {lockableId: "${issue.id}", lockReason: RESOLVED}) { clientMutationId }`);
        await run(`unlockLockable(input: {lockableId: "${issue.id}"}) { clientMutationId }`);
        await run(`closeIssue(input: {issueId: "${issue.id}", stateReason: DUPLICATE, duplicateIssueId: "${other.id}"}) { issue { state } }`);
        assert.equal(fake.state.issues.get(12).duplicateOf, 9);
        await run(`reopenIssue(input: {issueId: "${issue.id}"}) { issue { state } }`);
        assert.deepEqual(fake.state.issues.get(12).timeline.slice(2).map((event) => event.kind), [
            'labeled', 'unlabeled', 'locked', 'unlocked', 'closed', 'reopened',
        ]);
    });
});

test('commits and discussions', async () => {
    await withFake({}, async (client) => {
        const { data } = await client.query(
            inside(`a: object(oid: "${HEAD}") { ... on Commit { oid committedDate author { name user { login } } } } b: object(oid: "${'9'.repeat(40)}") { oid } discussions(first: 5) { nodes { number title category { name } isAnswered } }`),
        );
        assert.equal(data.repository.a.author.user, null); // a bot is no User
        assert.equal(data.repository.b, null);
        assert.equal(data.repository.discussions.nodes[0].number, 41);
    });
});
