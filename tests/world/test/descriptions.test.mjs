// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

import { buildSchema } from 'graphql';

import { checkAnswer, checkPayload, checkRequest, findRoute, routes } from '../fake/descriptions.mjs';
import { operations } from '../fake/operations.mjs';
import { handlers } from '../fake/server.mjs';

test('table, descriptions and handlers hold the same operations', () => {
    const table = [...operations.keys()].sort();
    assert.deepEqual(routes.map((route) => route.id).sort(), table);
    assert.deepEqual(Object.keys(handlers).sort(), table);
});

test('the schema builds with all checks of graphql', () => {
    const file = createRequire(import.meta.url)
        .resolve('github-schema/package.json')
        .replace('package.json', 'github-schema.graphql');
    const schema = buildSchema(readFileSync(file, 'utf8'));
    assert.ok(schema.getType('Issue').getFields().duplicateOf);
});

test('paths find their operations', () => {
    const id = (method, path) => findRoute(method, path)?.route.id;
    const R = '/repos/o/r';
    assert.equal(id('GET', `${R}/issues/comments`), 'issues/list-comments-for-repo');
    assert.equal(id('GET', `${R}/issues/comments/7`), 'issues/get-comment');
    assert.equal(id('GET', `${R}/issues/7`), 'issues/get');
    assert.equal(id('GET', `${R}/releases/latest`), 'repos/get-latest-release');
    assert.equal(id('GET', `${R}/releases/tags/a%2Fb`), 'repos/get-release-by-tag');
    assert.equal(id('GET', `${R}/compare/v1...v2`), 'repos/compare-commits');
    assert.equal(id('GET', `${R}/commits/main/status`), 'repos/get-combined-status-for-ref');
    assert.equal(id('DELETE', `${R}/issues/7/labels/a%20b`), 'issues/remove-label');
    assert.equal(findRoute('DELETE', `${R}/issues/7/labels/a%2Fb`).path.name, 'a/b');
    assert.equal(id('GET', `${R}/nothing`), undefined);
    assert.equal(id('PUT', `${R}/issues/7`), undefined);
});

function request(method, path, given) {
    const found = findRoute(method, path);
    return checkRequest(found.route, { path: found.path, query: {}, ...given }).errors;
}

test('requests are held to the description', () => {
    const issue = '/repos/o/r/issues/7';
    assert.deepEqual(request('PATCH', issue, { body: { state: 'closed', state_reason: 'duplicate' } }), []);
    assert.match(request('PATCH', issue, { body: { state: 'banana' } })[0], /body \/state/);
    assert.match(request('PATCH', issue, { body: { stat: 'closed' } })[0], /additional properties/);
    assert.match(request('GET', '/repos/o/r/issues/seven', {})[0], /path issue_number/);
    assert.match(request('GET', '/repos/o/r/issues', { query: { state: 'banana' } })[0], /query state/);
    assert.match(request('GET', '/repos/o/r/issues', { query: { stat: 'open' } })[0], /not described/);
    assert.match(request('POST', `${issue}/comments`, {})[0], /the body is missing/);
    assert.match(request('POST', `${issue}/comments`, { body: {} })[0], /required property 'body'/);
    assert.match(request('DELETE', `${issue}/lock`, { body: {} })[0], /a body is not described/);
});

test('answers and payloads are held to the description', () => {
    const { route } = findRoute('GET', '/repos/o/r/labels/bug');
    const label = {
        id: 1, node_id: 'x', url: 'https://api.github.com/x', name: 'bug', description: null,
        color: 'd73a4a', default: false,
    };
    assert.deepEqual(checkAnswer(route, 200, label), []);
    assert.match(checkAnswer(route, 200, { ...label, id: '1' })[0], /\/id must be integer/);
    assert.match(checkAnswer(route, 418, {})[0], /418 is not described/);
    assert.match(checkAnswer(route, 200, undefined)[0], /has a body/);
    assert.ok(checkPayload('issues-opened', { action: 'opened' }).length > 0);
    assert.match(checkPayload('issues-eaten', {})[0], /not described/);
});
