// SPDX-License-Identifier: Apache-2.0
//
// Each fault does what it says, before and after the effect.
import assert from 'node:assert/strict';
import test from 'node:test';

import { kinds, needsAnswer } from '../fake/faults.mjs';
import { R, withFake } from '../help.mjs';

const post = (client) =>
    client.ask('POST', `${R}/issues/9/comments`, { body: 'Hello.' }).catch((error) => ({ error }));
const count = (fake) => fake.state.issues.get(9).comments.length;

const statuses = {
    bad_gateway: 502, bad_gateway_html: 502, unavailable: 503, internal: 500, html: 200, empty: 201,
    wrong_shape: 201, not_found: 404, unauthorized: 401, forbidden: 403, unprocessable: 422,
    not_found_html: 404, moved: 307, secondary: 403, secondary_429: 429, secondary_after: 403,
    secondary_429_after: 429, secondary_abuse: 403, primary: 403, graphql_error: 200,
    graphql_rate: 200, graphql_secondary: 200,
};

test('faults with an answer', async () => {
    for (const [kind, status] of Object.entries(statuses)) {
        for (const when of needsAnswer.has(kind) ? ['after'] : ['before', 'after']) {
            await withFake({}, async (client, fake) => {
                fake.faults.add({ kind, when, write: true });
                const answer = await post(client);
                assert.equal(answer.status, status, kind);
                assert.equal(count(fake), when === 'after' ? 1 : 0, `${kind} ${when}`);
                assert.equal(fake.requests[0].fault, `${kind} ${when}`);
                assert.equal((await post(client)).status, 201, kind);
            });
        }
    }
});

test('what the answers say', async () => {
    await withFake({}, async (client, fake) => {
        const get = (kind, more = {}) => {
            fake.faults.add({ kind, ...more });
            return client.get(`${R}/issues/9`);
        };
        const secondary = await get('secondary');
        assert.match(secondary.body.message, /secondary rate limit/);
        assert.equal(secondary.headers.get('retry-after'), null);
        assert.notEqual(secondary.headers.get('x-ratelimit-remaining'), '0');
        assert.equal((await get('secondary_after', { retryAfter: 7 })).headers.get('retry-after'), '7');
        assert.equal((await get('secondary_429_after', { retryAfter: 7 })).headers.get('retry-after'), '7');
        assert.match((await get('secondary_abuse')).body.message, /abuse detection/);
        const primary = await get('primary', { reset: 100 });
        assert.equal(primary.headers.get('x-ratelimit-remaining'), '0');
        assert.equal(Number(primary.headers.get('x-ratelimit-reset')), fake.state.now + 100);
        assert.match((await get('bad_gateway_html')).text, /<html>/);
        assert.throws(() => JSON.parse('{'.concat(kinds.malformed({ text: '{}' }).text)));
    });
});

test('faults of the connection', async () => {
    for (const when of ['before', 'after']) {
        await withFake({}, async (client, fake) => {
            fake.faults.add({ kind: 'reset', when });
            assert.ok((await post(client)).error);
            assert.equal(count(fake), when === 'after' ? 1 : 0);
        });
    }
    await withFake({}, async (client, fake) => {
        fake.faults.add({ kind: 'truncate' });
        assert.ok((await post(client)).error);
        assert.equal(count(fake), 1);
        let killed = 0;
        fake.onKill = () => {
            killed += 1;
        };
        fake.faults.add({ kind: 'kill' });
        assert.ok((await post(client)).error);
        assert.equal(killed, 1);
        fake.faults.add({ kind: 'hang' });
        const hang = fetch(`${fake.apiUrl}${R}/issues/9`, {
            headers: client.headers, signal: AbortSignal.timeout(50),
        });
        await assert.rejects(hang);
    });
});

test('faults hit what they name', async () => {
    await withFake({}, async (client, fake) => {
        fake.faults.add({ kind: 'bad_gateway', operation: 'issues/list-comments', nth: 2, times: 2 });
        const ask = () => client.get(`${R}/issues/9/comments`);
        const seen = [];
        for (let i = 0; i < 4; i++) {
            await client.get(`${R}/issues/9`);
            seen.push((await ask()).status);
        }
        assert.deepEqual(seen, [200, 502, 502, 200]);
        assert.throws(() => fake.faults.add({ kind: 'hiccup' }));
    });
});

test('partial data', async () => {
    await withFake({}, async (client, fake) => {
        fake.faults.add({ kind: 'graphql_partial' });
        const query = '{ repository(owner: "octo", name: "demo") { issue(number: 12) { title labels(first: 5) { nodes { name } } } } }';
        const { data, errors } = await client.query(query);
        assert.equal(data.repository.issue, null);
        assert.equal(errors[0].type, undefined);
        assert.deepEqual(errors[0].path, ['repository', 'issue']);
    });
});
