// SPDX-License-Identifier: Apache-2.0
//
// What GitHub answered when @octokit/fixtures was recorded, against what the fake answers to the same
// requests: status, the headers that clients read, every key of the recorded body with the type that
// it had, and the values that a test can know.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

import { expected, withFake } from '../help.mjs';

const require = createRequire(import.meta.url);
const recording = (name) =>
    JSON.parse(
        readFileSync(
            require.resolve(
                `@octokit/fixtures/scenarios/api.github.com/${name}/normalized-fixture.json`,
            ),
        ),
    );

// Keys of a repository that only its administrators see, as the recorder was one, or that are gone.
const dropped = new Set([
    'temp_clone_token', 'allow_squash_merge', 'allow_merge_commit', 'allow_rebase_merge',
    'allow_auto_merge', 'delete_branch_on_merge', 'allow_update_branch', 'permissions', 'organization',
    'use_squash_pr_title_as_default', 'master_branch',
]);

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

// What of `recorded` has no like in `answered`. A null may stand for anything on either side.
function missing(recorded, answered, path = '$') {
    const [a, b] = [kindOf(recorded), kindOf(answered)];
    if (a === 'null' || (b === 'null' && answered !== undefined)) {
        return [];
    }
    if (a !== b) {
        return [`${path}: ${a} was recorded, ${answered === undefined ? 'nothing' : b} is answered`];
    }
    if (a === 'array') {
        return recorded.length > 0 && answered.length > 0
            ? missing(recorded[0], answered[0], `${path}[0]`)
            : [];
    }
    if (a === 'object') {
        return Object.keys(recorded)
            .filter((key) => !dropped.has(key))
            .flatMap((key) => missing(recorded[key], answered[key], `${path}.${key}`));
    }
    return [];
}

// Headers that a client may go by.
const read = /^(content-type|cache-control|x-ratelimit-.*)$/;

const templates = (value) => value?.replace(/https:\/\/api\.github\.com/g, 'API').replace(/repositories\/\d+/g, 'repositories/ID');

async function replay(client, fake, recorded) {
    const { path, method } = recorded;
    const body = recorded.body === '' || recorded.body === undefined ? undefined : recorded.body;
    const answer = await client.ask(
        method.toUpperCase(), path.replace('/repositories/1000', `/repositories/${fake.state.repository.id}`), body,
    );
    const name = `${method} ${path}`;
    assert.equal(answer.status, recorded.status, `${name}: ${answer.text}`);
    for (const header of ['link', 'location']) {
        const mine = answer.headers.get(header)?.replaceAll(fake.apiUrl, 'https://api.github.com');
        assert.equal(templates(mine), templates(recorded.headers[header]), `${name}: ${header}`);
    }
    for (const header of Object.keys(recorded.headers).filter((key) => read.test(key))) {
        assert.ok(answer.headers.has(header), `${name}: ${header}`);
    }
    assert.equal(answer.headers.has('etag'), recorded.headers.etag !== undefined, `${name}: etag`);
    if (answer.body !== undefined) {
        assert.deepEqual(missing(recorded.response, answer.body), [], name);
    }
    return answer;
}

const start = (name, more = {}) => ({
    now: '2017-10-10T16:00:00Z',
    repository: `octokit-fixture-org/${name}`,
    account: 'octokit-fixture-user-a',
    users: [{ login: 'octokit-fixture-user-a', kind: 'person', association: 'owner' }],
    ...more,
});

const issue = (number, title = `Issue ${number}`) => ({
    number, title, author: 'octokit-fixture-user-a', created_at: '2017-10-10T16:00:00Z',
});

test('labels', async () => {
    const rows = recording('labels');
    const labels = rows[0].response;
    const change = (state) => {
        for (const { name, color, description, default: isDefault } of labels) {
            state.addLabel(name, color, description, isDefault);
        }
    };
    await withFake({ from: start('labels'), change }, async (client, fake) => {
        for (const row of rows) {
            const { body } = await replay(client, fake, row);
            const values = ({ name, color, description, default: own }) => ({ name, color, description, own });
            if (Array.isArray(body)) {
                assert.deepEqual(body.map(values), row.response.map(values));
            } else if (body !== undefined) {
                assert.deepEqual(values(body), values(row.response));
            }
        }
    });
});

test('add-labels-to-issue', async () => {
    const rows = recording('add-labels-to-issue');
    await withFake({ from: start('add-labels-to-issue') }, async (client, fake) => {
        const answers = [];
        for (const row of rows) {
            answers.push(await replay(client, fake, row));
        }
        // New labels are made, in the spelling that was asked for and one colour.
        const values = ({ name, color, description }) => ({ name, color, description });
        assert.deepEqual(answers[1].body.map(values), rows[1].response.map(values));
    });
});

test('lock-issue', async () => {
    const from = start('lock-issue', { issues: [issue(1)] });
    await withFake({ from }, async (client, fake) => {
        const states = [];
        for (const row of recording('lock-issue')) {
            await replay(client, fake, row);
            states.push(fake.state.issues.get(1).locked);
        }
        assert.deepEqual(states, [true, false]);
    });
});

test('paginate-issues', async () => {
    const rows = recording('paginate-issues');
    const issues = Array.from({ length: 13 }, (_, i) => issue(i + 1));
    await withFake({ from: start('paginate-issues', { issues }) }, async (client, fake) => {
        for (const row of rows) {
            const { body } = await replay(client, fake, row);
            assert.deepEqual(
                body.map((own) => own.number), row.response.map((theirs) => theirs.number),
            );
        }
    });
});

test('errors', async () => {
    const [row] = recording('errors');
    await withFake({ from: start('errors') }, async (client, fake) => {
        const { body } = await replay(client, fake, row);
        assert.equal(body.message, row.response.message);
        assert.deepEqual(body.errors, row.response.errors);
        assert.deepEqual(expected(fake), []);
    });
});

test('create-status', async () => {
    const rows = recording('create-status');
    const sha = '0000000000000000000000000000000000000001';
    const from = start('create-status', {
        commits: [{ sha, author: 'octokit-fixture-user-a', committed_at: '2017-10-10T16:00:00Z' }],
    });
    await withFake({ from }, async (client, fake) => {
        const answers = [];
        for (const row of rows) {
            answers.push(await replay(client, fake, row));
        }
        assert.deepEqual(answers[2].body.map((own) => own.state), rows[2].response.map((own) => own.state));
        assert.equal(answers[3].body.state, rows[3].response.state);
    });
});

test('rename-repository', async () => {
    const rows = recording('rename-repository');
    const change = (state) => {
        state.repository.formerNames.push('octokit-fixture-org/rename-repository');
    };
    const from = start('rename-repository-newname');
    await withFake({ from, change }, async (client, fake) => {
        // To rename it is no operation of the fake; what comes of it is.
        await replay(client, fake, rows[1]);
        await replay(client, fake, rows[2]);
        assert.equal((await client.ask('POST', '/repos/octokit-fixture-org/rename-repository/labels', { name: 'x' })).status, rows[3].status);
    });
});

test('search-issues', async () => {
    const [row] = recording('search-issues');
    const from = start('search-issues', {
        issues: [
            issue(1, 'The doors don’t open'),
            { ...issue(2, 'The doors don’t open'), text: "I tried 'open sesame'" },
            { ...issue(3, 'Other'), text: 'Sesame seeds' },
        ],
    });
    await withFake({ from }, async (client, fake) => {
        const { body } = await replay(client, fake, row);
        assert.equal(body.total_count, row.response.total_count);
    });
});

test('get-repository', async () => {
    const [row] = recording('get-repository');
    await withFake({ from: start('hello-world') }, async (client, fake) => {
        const { body } = await replay(client, fake, row);
        assert.equal(body.full_name, row.response.full_name);
        assert.equal(body.default_branch.length > 0, true);
    });
});
