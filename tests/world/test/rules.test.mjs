// SPDX-License-Identifier: Apache-2.0
//
// Who may do what, how often, and in which pages; and that the fake sees what clients do wrong.
import assert from 'node:assert/strict';
import test from 'node:test';

import { expected, R, withFake, world } from '../help.mjs';

const private_ = () => ({ ...world(), public: false });

test('permissions of the token', async () => {
    const status = async (permissions, method, path, body, from = private_()) => {
        let answer;
        await withFake({ from, permissions }, async (client) => {
            answer = await client.ask(method, path, body);
        });
        return answer.status;
    };
    const comment = { body: 'Hello.' };
    assert.equal(await status({}, 'GET', `${R}/issues/9`), 403);
    assert.equal(await status({ issues: 'read' }, 'GET', `${R}/issues/9`), 200);
    assert.equal(await status({ issues: 'read' }, 'POST', `${R}/issues/9/comments`, comment), 403);
    assert.equal(await status({ issues: 'write' }, 'POST', `${R}/issues/9/comments`, comment), 201);
    assert.equal(await status({ issues: 'write' }, 'POST', `${R}/issues/40/comments`, comment), 403);
    assert.equal(await status({ 'pull-requests': 'write' }, 'POST', `${R}/issues/40/comments`, comment), 201);
    assert.equal(await status({ issues: 'write' }, 'GET', `${R}/releases`), 403);
    assert.equal(await status({}, 'GET', `${R}/collaborators/maria/permission`), 200);
    // What everyone may read needs no permission; alerts are for nobody else's eyes.
    assert.equal(await status({}, 'GET', `${R}/issues/9`, undefined, world()), 200);
    assert.equal(await status({}, 'POST', `${R}/issues/9/comments`, comment, world()), 403);
    assert.equal(await status({}, 'GET', `${R}/code-scanning/alerts`, undefined, world()), 403);
});

test('a refusal names the permission', async () => {
    await withFake({ permissions: {} }, async (client) => {
        const answer = await client.ask('POST', `${R}/issues/40/comments`, { body: 'x' });
        assert.equal(answer.body.message, 'Resource not accessible by integration');
        assert.equal(answer.headers.get('x-accepted-github-permissions'), 'pull_requests=write');
    });
    await withFake({ from: private_(), permissions: {} }, async (client) => {
        const { data, errors } = await client.query(
            '{ repository(owner: "octo", name: "demo") { issue(number: 9) { title } } }',
        );
        assert.equal(data.repository.issue, null);
        assert.equal(errors[0].type, 'FORBIDDEN');
    });
});

test('who one is', async () => {
    await withFake({}, async (client) => {
        const wrong = await client.get(`${R}/issues/9`, { authorization: 'Bearer other' });
        assert.equal(wrong.status, 401);
        assert.equal(wrong.body.message, 'Bad credentials');
    });
});

test('the primary limit', async () => {
    await withFake({}, async (client, fake) => {
        fake.limits.setLimit('core', 2);
        const statuses = [];
        for (let i = 0; i < 3; i++) {
            statuses.push((await client.get(`${R}/issues/9`)).status);
        }
        assert.deepEqual(statuses, [200, 200, 403]);
        const stopped = await client.get(`${R}/issues/9`);
        assert.equal(stopped.headers.get('x-ratelimit-remaining'), '0');
        const free = (await client.get('/rate_limit')).body;
        assert.equal(free.resources.core.remaining, 0);
        fake.state.now = Number(stopped.headers.get('x-ratelimit-reset'));
        assert.equal((await client.get(`${R}/issues/9`)).status, 200);
    });
});

test('the secondary limit', async () => {
    await withFake({ secondary: true }, async (client, fake) => {
        let answer;
        for (let i = 0; i < 81; i++) {
            answer = await client.ask('POST', `${R}/issues/9/comments`, { body: `${i}` });
        }
        assert.equal(answer.status, 403);
        assert.equal(answer.headers.get('retry-after'), '60');
        assert.equal(fake.state.issues.get(9).comments.length, 80);
        fake.state.now += 60;
        assert.equal((await client.ask('POST', `${R}/issues/9/comments`, { body: 'x' })).status, 201);
    });
});

test('what did not change is free', async () => {
    await withFake({}, async (client, fake) => {
        const first = await client.get(`${R}/issues/9`);
        const etag = { 'if-none-match': first.headers.get('etag') };
        const second = await client.get(`${R}/issues/9`, etag);
        assert.equal(second.status, 304);
        assert.equal(second.text, '');
        assert.equal(second.headers.get('x-ratelimit-used'), first.headers.get('x-ratelimit-used'));
        await client.ask('POST', `${R}/issues/9/labels`, { labels: ['bug'] });
        assert.equal((await client.get(`${R}/issues/9`, etag)).status, 200);
        assert.equal(fake.requests.length, 4);
    });
});

test('pages', async () => {
    const from = world();
    from.labels = Array.from({ length: 205 }, (_, i) => ({ name: `label ${i}` }));
    from.issues = [];
    from.pull_requests = [];
    await withFake({ from }, async (client) => {
        assert.equal((await client.get(`${R}/labels`)).body.length, 30);
        assert.equal((await client.get(`${R}/labels?per_page=200`)).body.length, 100);
        const rels = async (page) => {
            const { headers } = await client.get(`${R}/labels?per_page=100&page=${page}`);
            return [...(headers.get('link') ?? '').matchAll(/page=(\d+)>; rel="(\w+)"/g)].map((m) => `${m[2]} ${m[1]}`);
        };
        assert.deepEqual(await rels(1), ['next 2', 'last 3']);
        assert.deepEqual(await rels(2), ['prev 1', 'next 3', 'last 3', 'first 1']);
        assert.deepEqual(await rels(3), ['prev 2', 'first 1']);
        assert.deepEqual((await client.get(`${R}/labels?page=99`)).body, []);
        assert.equal((await client.get(`${R}/labels?per_page=100&page=3`)).body[4].name, 'label 204');
    });
});

test('mistakes of a client are violations', async () => {
    await withFake({}, async (client, fake) => {
        const mistakes = [
            [() => client.get(`${R}/nothing`), /no such operation/],
            [() => client.get(`${R}/issues/9?token=fake-token`), /token stands in the address/],
            [() => client.get(`${R}/issues?stat=open`), /query stat is not described/],
            [() => client.ask('POST', `${R}/issues/9/comments`, { bdy: 'x' }), /additional properties/],
            [() => client.get(`${R}/issues/9`, { 'x-github-api-version': '' }), /no version/],
            [() => client.get(`${R}/issues/9`, { accept: 'text/html' }), /media type/],
            [() => client.query('{ nonsense }'), /Cannot query field/],
            [() => client.query('{ repository(owner: "octo", name: "demo") { hasWikiEnabled } }'), /GraphQL/],
        ];
        for (const [make, words] of mistakes) {
            await make();
            const found = expected(fake);
            assert.ok(found.some((line) => words.test(line)), `${words}: ${found.join('; ')}`);
        }
    });
});

test('an Enterprise Server', async () => {
    await withFake({ prefix: '/api/v3' }, async (client, fake) => {
        assert.match(fake.apiUrl, /\/api\/v3$/);
        assert.equal((await client.get(`${R}/issues/9`)).status, 200);
        const { data } = await client.query('{ rateLimit { cost } }');
        assert.equal(data.rateLimit.cost, 1);
        const next = (await client.get(`${R}/labels?per_page=1`)).headers.get('link');
        assert.ok(next.startsWith(`<${fake.apiUrl}/repositories/`));
    });
});
