// SPDX-License-Identifier: Apache-2.0
//
// `bylaw run --record` and `bylaw replay`: a recorded run is decided again to the same bytes, without
// GitHub, and holds no secret.
//     BL_BYLAW=path/to/bylaw node --test tests/world/run/record.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';

const bylaw = process.env.BL_BYLAW;
const policy = fileURLToPath(new URL('../policies/desk.policy', import.meta.url));
const token = 'ghs_token-of-the-run';
const key = 'key "of" the\\desk\n1234';
const world = {
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [{ login: 'maria', association: 'owner' }, { login: 'alice', association: 'nobody' }],
    labels: [{ name: 'crash', color: 'ffffff' }],
    issues: [
        ...Array.from({ length: 130 }, (_, i) => ({
            number: i + 100, title: 'One', author: 'alice', created_at: '2026-11-01T10:00:00Z', labels: i < 120 ? ['waits'] : [],
            comments: i < 3 ? [] : [{ id: 9000 + i, author: 'alice', created_at: '2026-11-02T10:00:00Z', text: 'This.' }],
        })),
        { number: 12, title: `A crash with ${token}`, text: key, author: 'alice', created_at: '2026-11-20T04:59:00Z' },
    ],
};
const events = {
    event: ['issues', (state) => payload(state, 'issues', 'opened', { issue: state.issue(12), sender: 'alice' })],
    edited: ['issues', (state) => payload(state, 'issues', 'edited', {
        issue: state.issue(12), sender: 'alice', changes: { title: { from: 'Before' } },
    })],
    sweep: ['schedule', (state) => payload(state, 'schedule', '', { schedule: '0 6 * * *' })],
};

async function recorded(name, { faults = [], args = [], env = {}, cancel = () => {} }, look) {
    const fake = await new FakeGitHub(loadWorld(world), { token }).listen();
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-record-'));
    const target = join(folder, 'recording');
    try {
        faults.forEach((fault) => fake.faults.add(fault));
        const [eventName, event] = events[name];
        const done = await runStep({
            command: [bylaw, 'run', name === 'edited' ? 'event' : name, '-p', policy, '--now', '2026-11-20T05:00:00Z',
                '--record', target, ...args],
            event: event(fake.state), eventName, repository: 'octo/demo', repositoryId: fake.state.repository.id, fake,
            env: { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', DESK_SWITCH: 'on', DESK_KEY: key, ...env },
            secrets: [token],
            started: (child) => cancel(fake, child),
        });
        const sent = fake.requests.length;
        await look({ done, target, fake });
        assert.equal(fake.requests.length, sent, 'a replay asks nothing');
    } finally {
        await fake.close();
        rmSync(folder, { recursive: true });
    }
}

const replay = (target, ...args) => spawnSync(bylaw, ['replay', target, ...args], {
    encoding: 'utf8', env: { PATH: process.env.PATH },
});
const all = (target) => readdirSync(target).map((name) => readFileSync(join(target, name), 'latin1')).join('\n');

for (const [name, words, how] of [
    ['event', 'an event', {}],
    ['event', 'a dry run', { args: ['--dry-run'] }],
    ['event', 'every rule', { args: ['--no-index', '--explain'] }],
    ['sweep', 'a sweep over pages', {}],
    ['edited', 'what the workflow passes', {}],
    ['event', 'a bad minute', { faults: [{ kind: 'bad_gateway', operation: 'issues/get' }, { kind: 'secondary', operation: 'issues/create-comment' }] }],
    ['event', 'a failed write', { faults: [{ kind: 'bad_gateway_html', operation: 'issues/create-comment' }] }],
    ['event', 'a broken answer', { faults: [{ kind: 'truncate', operation: 'issues/get', times: 9 }] }],
    ['event', 'a limit', { faults: [{ kind: 'primary', operation: 'issues/get' }] }],
    ['sweep', 'a page that fails', { faults: [{ kind: 'unauthorized', operation: 'graphql', nth: 2, times: 9 }] }],
]) {
    test(`${words} is replayed to the same bytes`, () => recorded(name, how, async ({ done, target }) => {
        assert.ok([0, 1, 5].includes(done.code), done.stderr);
        const again = replay(target);
        assert.equal(again.status, 0, again.stdout + again.stderr);
        assert.match(again.stdout, /^Plan/);
        assert.equal(JSON.parse(readFileSync(join(target, 'plan.json'), 'utf8')).exit, done.code);
        // The token, and the secrets that the run asked for.
        const once = JSON.stringify(key).slice(1, -1);
        for (const secret of name === 'edited' ? [token, key, once, JSON.stringify(once).slice(1, -1)] : [token]) {
            assert.ok(!all(target).includes(secret), `${secret} stands in it`);
        }
    }));
}

for (const [name, kind, nth] of [['event', 'kill', 3], ['sweep', 'kill', 5], ['event', 'hang', 2], ['event', 'bad_gateway', 2]]) {
    test(`a cancelled ${name} (${kind}) is replayed to the same bytes`, () => recorded(name, {
        faults: [{ kind, nth, when: kind === 'kill' ? 'after' : 'before' }],
        cancel: (fake, child) => {
            if (kind === 'kill') {
                fake.onKill = () => child.kill('SIGINT');
                return;
            }
            const look = setInterval(() => {
                if (fake.requests.length >= nth || child.exitCode !== null) {
                    clearInterval(look);
                    child.kill('SIGINT');
                }
            }, 5);
        },
    }, async ({ done, target, fake }) => {
        // Whether it was told in time is chance where the run goes on.
        assert.ok(done.code === 5 || kind === 'bad_gateway', done.stderr);
        assert.ok(kind === 'bad_gateway' || fake.requests.length === nth);
        const again = replay(target);
        assert.equal(again.status, 0, again.stdout + again.stderr);
    }));
}

test('a simulated run is replayed too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-record-'));
    try {
        const state = loadWorld(world);
        state.api = 'https://api.github.com';
        state.server = 'https://github.com';
        writeFileSync(join(folder, 'world.json'), JSON.stringify(world));
        writeFileSync(join(folder, 'event.json'), JSON.stringify(events.event[1](state)));
        for (const [target, args] of [['file', ['--world', join(folder, 'world.json')]], ['event', []]]) {
            const run = spawnSync(bylaw, ['run', 'event', '-p', policy, '-e', join(folder, 'event.json'), '-n', 'issues',
                '--record', join(folder, target), ...args], { encoding: 'utf8', env: { PATH: process.env.PATH } });
            assert.equal(run.status, 0, run.stderr);
            const again = replay(join(folder, target));
            assert.equal(again.status, 0, again.stdout + again.stderr);
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('another policy shows its difference', () => recorded('event', {}, async ({ target }) => {
    const other = join(target, '..', 'other.policy');
    writeFileSync(other, readFileSync(policy, 'utf8').replace('  post welcome\n', ''));
    const again = replay(target, '-p', other);
    assert.equal(again.status, 1, again.stdout + again.stderr);
    assert.match(again.stdout, /^--- .*plan\.json/m);
    assert.match(again.stdout, /^-\s+"words": "post welcome on #12"/m);
    assert.match(again.stderr, /The run asks for what the recording does not have next/);
}));

test('a recording is not written over, and a broken one is said', () => recorded('event', {}, async ({ target }) => {
    const twice = spawnSync(bylaw, ['run', 'event', '-p', policy, '--record', target, '-e', join(target, 'event.json'), '-n', 'issues'],
        { encoding: 'utf8', env: { PATH: process.env.PATH } });
    assert.equal(twice.status, 4);
    assert.match(twice.stderr, /There is a recording already/);
    const lines = readFileSync(join(target, 'github.jsonl'), 'utf8').split('\n');
    writeFileSync(join(target, 'github.jsonl'), lines.slice(0, 1).join('\n') + '\n{"at":');
    assert.equal(replay(target).status, 1);
    writeFileSync(join(target, 'recording.json'), '{"format":2}');
    const none = replay(target);
    assert.equal(none.status, 4);
    assert.match(none.stderr, /no recording that this version reads/);
    assert.equal(replay(join(target, 'nothing')).status, 4);
    assert.equal(spawnSync(bylaw, ['replay']).status, 2);
}));
