// SPDX-License-Identifier: Apache-2.0
//
// Stores of a run on GitHub: their files lie in the checkout. What cannot be read is not empty, what is
// written is written whole, and a run that was killed ends the same when it runs again.
//     BL_BYLAW=path/to/bylaw node --test tests/world/run/stores.test.mjs
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';

const bylaw = process.env.BL_BYLAW;
const policy = fileURLToPath(new URL('../stores/stores.policy', import.meta.url));
const token = 'fake-token-of-the-run';
const world = () => ({
    now: '2026-11-20T05:00:00Z', repository: 'octo/demo', account: 'github-actions[bot]',
    users: [{ login: 'alice', association: 'nobody' }], labels: [{ name: 'counted', color: 'fef2c0' }],
    issues: [{ number: 12, title: 'It "crashes"', author: 'alice', created_at: '2026-11-20T04:59:00Z' }],
});
const row = (number, times, title) => JSON.stringify({ number, times, ...(title ? { title } : {}) }) + '\n';

// A checkout with these rows (a function makes what else stands there), and a fake beside it.
async function at(rows, work, options = {}) {
    const fake = await new FakeGitHub(loadWorld(world()), { token, ...options }).listen();
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-stores-'));
    const path = join(folder, 'data', 'counts.jsonl');
    mkdirSync(join(folder, 'data'));
    if (typeof rows === 'function') rows(path);
    else if (rows !== null) writeFileSync(path, rows);
    const step = (action = 'opened', { args = [], started, changes = {} } = {}) => runStep({
        command: [bylaw, 'run', 'event', '-p', policy, '--now', '2026-11-20T05:00:00Z', ...args],
        event: payload(fake.state, 'issues', action, { issue: fake.state.issue(12), sender: 'alice', ...changes }),
        eventName: 'issues', repository: 'octo/demo', repositoryId: fake.state.repository.id, fake,
        env: { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', GITHUB_WORKSPACE: folder },
        secrets: [token], started,
    });
    try {
        await work({ fake, folder, path, step, read: () => readFileSync(path, 'utf8') });
    } finally {
        await fake.close();
        rmSync(folder, { recursive: true, force: true });
    }
}
const written = (fake) => fake.requests.filter((request) => request.write).map((request) => request.operation);

test('a row is kept, and read by the next run', () => at(null, async ({ fake, folder, step, read }) => {
    const done = await step();
    assert.equal(done.code, 0, done.stderr);
    assert.equal(read(), row(12, 1, 'It "crashes"'));
    assert.deepEqual([...fake.state.issue(12).labels], ['counted']);
    const edited = await step('edited', { changes: { changes: { title: { from: 'Before' } } } });
    assert.equal(edited.code, 0, edited.stderr);
    assert.deepEqual(edited.commands.map(({ data }) => data), ['Counted 1 times.']);
    assert.deepEqual(readdirSync(join(folder, 'data')), ['counts.jsonl'], 'nothing is left beside it');
}));

test('the rows of others stay as they are', () => at(row(3, 7, 'Other') + row(12, 4), async ({ step, read }) => {
    assert.equal((await step()).code, 0);
    assert.equal(read(), row(3, 7, 'Other') + row(12, 5, 'It "crashes"'));
}));

test('a dry run keeps nothing', () => at(row(12, 4), async ({ step, read }) => {
    assert.equal((await step('opened', { args: ['--dry-run'] })).code, 0);
    assert.equal(read(), row(12, 4));
}));

// A read that failed is neither "no rows" nor an empty file: nothing is written anywhere.
const unreadable = {
    'a folder in its place': (path) => mkdirSync(path),
    'a link': (path) => { writeFileSync(`${path}.real`, row(3, 7)); symlinkSync(`${path}.real`, path); },
    'no text': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00])),
    'no JSON': (path) => writeFileSync(path, '{"number":3,"times":'),
    'a row of another shape': (path) => writeFileSync(path, '{"number":"3","times":1}\n'),
    'the same row twice': (path) => writeFileSync(path, row(3, 1) + row(3, 2)),
};
for (const [name, make] of Object.entries(unreadable)) {
    test(`what cannot be read is not empty: ${name}`, () => at(make, async ({ fake, path, step, folder }) => {
        const before = readdirSync(join(folder, 'data'));
        const done = await step();
        assert.notEqual(done.code, 0, done.stdout);
        assert.match(done.stdout + done.stderr, /data\/counts\.jsonl|store 'counts'/);
        assert.deepEqual(written(fake), []);
        assert.deepEqual(readdirSync(join(folder, 'data')), before);
        if (name === 'no JSON') assert.equal(readFileSync(path, 'utf8'), '{"number":3,"times":');
    }));
}

test('a run that is killed at any request leaves the file whole, and the next one says the same', async () => {
    let requests = 0;
    await at(row(3, 7), async ({ fake, step }) => {
        await step();
        requests = fake.requests.length;
    });
    assert.ok(requests > 1);
    for (let nth = 1; nth <= requests; nth++) {
        for (const when of ['before', 'after']) {
            await at(row(3, 7), async ({ fake, step, read, folder }) => {
                let child;
                fake.faults.add({ kind: 'kill', nth, when });
                fake.onKill = () => child.kill('SIGKILL');
                const cut = await step('opened', { started: (one) => { child = one; } });
                assert.equal(cut.signal, 'SIGKILL');
                const rows = read();
                assert.ok([row(3, 7), row(3, 7) + row(12, 1, 'It "crashes"')].includes(rows), rows);
                fake.onKill = undefined;
                const again = await step();
                assert.equal(again.code, 0, again.stderr);
                assert.deepEqual([...fake.state.issue(12).labels], ['counted']);
                assert.equal(read().split('\n').filter((line) => line.includes('"number":12')).length, 1);
                assert.ok(read().startsWith(row(3, 7)));
                assert.deepEqual(readdirSync(join(folder, 'data')), ['counts.jsonl']);
            });
        }
    }
});

test('two runs at once lose no row of the other', () => at(null, async ({ step, read }) => {
    const both = await Promise.all([step(), step()]);
    assert.deepEqual(both.map(({ code }) => code), [0, 0]);
    assert.equal(read(), row(12, 2, 'It "crashes"'));
}));

test('a run that is decided again reads the rows that it had, and keeps none', () => at(row(12, 4), async ({ step, read, path, folder }) => {
    const target = join(folder, 'recording');
    const done = await step('opened', { args: ['--record', target] });
    assert.equal(done.code, 0, done.stderr);
    writeFileSync(path, row(12, 90));
    const { spawnSync } = await import('node:child_process');
    const replayed = spawnSync(bylaw, ['replay', target, '-p', policy], {
        encoding: 'utf8', env: { PATH: process.env.PATH, GITHUB_WORKSPACE: folder },
    });
    assert.equal(replayed.status, 0, replayed.stdout + replayed.stderr);
    assert.equal(read(), row(12, 90), 'the file is another one by now, and stays');
}));
