// SPDX-License-Identifier: Apache-2.0
//
// A real client, before the one of this project meets the fake.
import assert from 'node:assert/strict';
import test from 'node:test';

import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

import { withFake, world } from '../help.mjs';

const repo = { owner: 'octo', repo: 'demo' };

function client(fake, plugins = [], more = {}) {
    const Kit = Octokit.plugin(restEndpointMethods, paginateRest, ...plugins);
    const kit = new Kit({
        auth: fake.token,
        baseUrl: fake.apiUrl,
        log: { debug() {}, info() {}, warn() {}, error() {} },
        ...more,
    });
    return kit;
}

const options = { strict: false };

test('pages', async () => {
    const from = world();
    from.issues[1].comments = Array.from({ length: 250 }, (_, i) => ({
        id: 3000001000 + i, author: 'alice', created_at: '2026-11-02T08:00:00Z', text: `Comment ${i}`,
    }));
    await withFake({ ...options, from }, async (_, fake) => {
        const kit = client(fake);
        const rows = await kit.paginate(kit.rest.issues.listComments, {
            ...repo, issue_number: 12, per_page: 100,
        });
        assert.equal(rows.length, 250);
        assert.equal(rows[249].body, 'Comment 249');
        assert.equal(fake.requests.length, 3);
        assert.match(fake.requests[1].path, /^\/repositories\/512345678\/issues\/12\/comments\?/);
    });
});

test('an issue is triaged', async () => {
    await withFake(options, async (_, fake) => {
        const { rest } = client(fake);
        const at = { ...repo, issue_number: 12 };
        const { data: labels } = await rest.issues.addLabels({ ...at, labels: ['needs-info'] });
        assert.deepEqual(labels.map((label) => label.name), ['bug', 'needs-info']);
        const { data: comment } = await rest.issues.createComment({ ...at, body: 'Which version?' });
        assert.equal(comment.user.type, 'Bot');
        const { data: issue } = await rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' });
        assert.equal(issue.state, 'closed');
        await rest.issues.lock({ ...at, lock_reason: 'resolved' });
        await assert.rejects(rest.issues.removeLabel({ ...at, name: 'none' }), { status: 404 });
        await assert.rejects(rest.issues.get({ ...repo, issue_number: 5 }), { status: 404 });
        assert.equal(fake.state.deliveries.map((d) => d.described).join(' '), 'issues-labeled issue-comment-created issues-closed issues-locked');
    });
});

test('GraphQL', async () => {
    await withFake(options, async (_, fake) => {
        const kit = client(fake);
        const { repository } = await kit.graphql(
            'query($n: Int!) { repository(owner: "octo", name: "demo") { issue(number: $n) { title } } }', { n: 12 },
        );
        assert.equal(repository.issue.title, 'It crashes');
        await assert.rejects(
            kit.graphql('{ repository(owner: "octo", name: "demo") { issue(number: 5) { title } } }'),
            (error) => error.errors[0].type === 'NOT_FOUND',
        );
    });
});

test('limits and faults are those that octokit knows', async () => {
    await withFake(options, async (_, fake) => {
        const seen = [];
        const kit = client(fake, [throttling], {
            throttle: {
                fallbackSecondaryRateRetryAfter: 0,
                retryAfterBaseValue: 1,
                onRateLimit: () => seen.push('primary') && false,
                onSecondaryRateLimit: () => seen.push('secondary') && false,
            },
        });
        const ask = () => kit.rest.issues.get({ ...repo, issue_number: 12 });
        for (const kind of ['secondary', 'secondary_429', 'secondary_after', 'primary']) {
            fake.faults.add({ kind });
            await assert.rejects(ask());
        }
        fake.faults.add({ kind: 'graphql_rate' });
        await assert.rejects(kit.graphql('{ rateLimit { cost } }'));
        assert.deepEqual(seen, ['secondary', 'secondary', 'secondary', 'primary', 'primary']);
    });
});

test('a retried write after a lost answer is there twice', async () => {
    await withFake(options, async (_, fake) => {
        const { rest } = client(fake, [retry], { retry: { retryAfterBaseValue: 1 } });
        fake.faults.add({ kind: 'bad_gateway', when: 'after', write: true });
        await rest.issues.createComment({ ...repo, issue_number: 9, body: 'Once.' });
        assert.equal(fake.state.issues.get(9).comments.length, 2);
    });
});
