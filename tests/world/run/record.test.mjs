// SPDX-License-Identifier: Apache-2.0
//
// `bylaw run --record` and `bylaw replay`: a recorded run is decided again to the same bytes, without
// GitHub, and holds no secret.
//     BL_BYLAW=path/to/bylaw node --test tests/world/run/record.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
    mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs';
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

async function recorded(name, { faults = [], args = [], env = {}, cancel = () => {}, from = world, policy: change = null }, look) {
    const fake = await new FakeGitHub(loadWorld(from), { token }).listen();
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-record-'));
    const target = join(folder, 'recording');
    try {
        const used = change === null ? policy : join(folder, 'changed.policy');
        if (change !== null) {
            writeFileSync(used, change(readFileSync(policy, 'utf8')));
        }
        faults.forEach((fault) => fake.faults.add(fault));
        const [eventName, event] = events[name];
        const done = await runStep({
            command: [bylaw, 'run', name === 'edited' ? 'event' : name, '-p', used, '--now', '2026-11-20T05:00:00Z',
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

// ---- the checkout --------------------------------------------------------------------------------

// Two files, one of them longer than a text may be, a link out of the checkout and one within it.
function checkout(folder) {
    mkdirSync(join(folder, 'docs'), { recursive: true });
    writeFileSync(join(folder, 'docs/a.md'), '# How it works\nTwo lines.\n');
    writeFileSync(join(folder, 'long.md'), '# How it works\n'.repeat(80_000));
    writeFileSync(join(folder, 'bytes.md'), Buffer.from([0x23, 0x20, 0xff, 0x0a, 0x0a]));
    writeFileSync(join(folder, 'untracked.md'), 'x\ny\n');
    symlinkSync('/etc/passwd', join(folder, 'out.md'));
    symlinkSync('docs', join(folder, 'linked'));
    const git = (...args) => spawnSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=e@x.y', ...args], { encoding: 'utf8' });
    git('init', '-q');
    git('add', 'docs', 'long.md', 'bytes.md', 'out.md', 'linked');
    git('commit', '-qm', 'one');
    return git('rev-parse', 'HEAD').stdout.trim();
}

for (const [title, words] of [
    ['docs/a.md', (sha) => [`/octo/demo/blob/${sha}/docs/a.md?plain=1#L2`, '/octo/demo/blob/HEAD/docs/a.md#how-it-works']],
    // Known to git, and no text that a run may have.
    ['long.md', () => ['/octo/demo/blob/HEAD/long.md']],
    ['bytes.md', () => ['/octo/demo/blob/HEAD/bytes.md']],
    ['out.md', () => ['/octo/demo/blob/HEAD/out.md']],
    ['linked/a.md', () => ['no such file']],
    ['untracked.md', () => ['no such file']],
    ['../passwd', () => ['no such file']],
    ['.git/config', () => ['no such file']],
]) {
    test(`the file ${title} of the checkout`, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'bylaw-checkout-'));
        try {
            const sha = checkout(folder);
            const from = structuredClone(world);
            from.labels.push({ name: 'seen', color: 'c5def5' });
            from.issues.at(-1).title = title;
            await recorded('event', {
                from, env: { GITHUB_WORKSPACE: folder },
                policy: () => readFileSync(fileURLToPath(new URL('../checkout/checkout.policy', import.meta.url)), 'utf8'),
            }, async ({ done, target }) => {
                assert.equal(done.code, 0, done.stderr + done.stdout);
                for (const part of words(sha)) {
                    assert.ok(done.stdout.includes(part), `${part}: ${done.stdout}`);
                }
                assert.ok(title === 'docs/a.md' || !/#L2|#how-it-works/.test(done.stdout), done.stdout);
                // Also the id that the run made up, and without the checkout.
                rmSync(folder, { recursive: true });
                const again = replay(target);
                assert.equal(again.status, 0, again.stdout + again.stderr);
            });
        } finally {
            rmSync(folder, { recursive: true, force: true });
        }
    });
}

// ---- what a recording keeps to itself ------------------------------------------------------------

const base64 = (text) => Buffer.from(text).toString('base64').replace(/=+$/, '');
const unsaid = {
    'an AWS key': 'AKIA' + 'QWERTYUIOPASDFGH',
    'a token of GitHub': 'ghp_' + 'abcdefghijklmnopqrstuvwxyz0123456789',
    'a key in PEM': 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
    'a line of an environment': 'correct-horse-battery',
    'a bearer': 'abcdefghijklmnop0123456789',
};
const story = [
    `aws ${unsaid['an AWS key']}.`, `x${unsaid['an AWS key']}x`.slice(1, -1), `Token: ${unsaid['a token of GitHub']}`,
    '-----BEGIN PRIVATE KEY-----', unsaid['a key in PEM'], '"quoted\\', '-----END PRIVATE KEY-----',
    `DB_PASSWORD="${unsaid['a line of an environment']}"`, `Authorization: Bearer ${unsaid['a bearer']}`,
    `as Base64 ${base64(token)} or ${base64(`x-access-token:${token}`)} or ${base64(`ab${token}cd`)}`,
    `as hex ${Buffer.from(token).toString('hex')} or ${Buffer.from(token).toString('hex').toUpperCase()}`,
    `in an address ?k=${encodeURIComponent(key)} and ${encodeURIComponent(key).replaceAll(/%../g, (s) => s.toLowerCase())}`,
    `in JSON {"key":${JSON.stringify(key)}} and in it ${JSON.stringify(JSON.stringify({ key }))}`,
].join('\n');
const whispering = {
    ...world,
    issues: [
        ...world.issues.slice(0, 10).map((issue) => ({ ...issue, comments: [{ id: 8000 + issue.number, author: 'maria', created_at: '2026-11-02T10:00:00Z', text: story }] })),
        { ...world.issues.at(-1), text: story, title: `A crash with ${unsaid['an AWS key']}` },
    ],
};
const forms = [
    ...Object.values(unsaid), token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('hex').toUpperCase(),
    base64(token).slice(0, -2), base64(`x-access-token:${token}`).slice(22, -2), base64(`ab${token}`).slice(4, -2),
];
const ofKey = [
    key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), JSON.stringify(JSON.stringify(key)).slice(1, -1),
    JSON.stringify(JSON.stringify(JSON.stringify(key))).slice(1, -1),
];

for (const name of ['event', 'edited', 'sweep']) {
    test(`what is secret in the texts of ${name} stands in no file, and it decides the same`, () => recorded(
        name, { from: whispering }, async ({ done, target }) => {
            assert.equal(done.code, 0, done.stderr);
            const kept = all(target);
            for (const secret of name === 'edited' ? [...forms, ...ofKey] : forms) {
                assert.ok(!kept.includes(secret), `${secret} stands in it`);
            }
            assert.match(kept, /\[REDACTED:private_key:long:[0-9a-f]{12}\]/);
            assert.match(kept, /\[REDACTED:env_assignment:medium:[0-9a-f]{12}\]/);
            // One value, one marker, in all of the folder.
            assert.equal(new Set(kept.match(/\[REDACTED:api_key:[^\]]*\]/g)).size, 1);
            const again = replay(target);
            assert.equal(again.status, 0, again.stdout + again.stderr);
        },
    ));
}

test('a redaction of the policy takes the place of the shipped one', () => recorded('event', {
    from: { ...world, issues: world.issues.map((issue) => ({ ...issue, text: 'case 4711-0815, AKIAQWERTYUIOPASDFGH' })) },
    policy: (text) => `${text}
redaction cases {
  guards streams
  marker "[CASE {digest}]"
  size   "any"
  mask   case_number from "case" /\\b[0-9]{4}-[0-9]{4}\\b/
}
`,
}, async ({ done, target }) => {
    assert.equal(done.code, 0, done.stderr);
    assert.ok(!all(target).includes('4711-0815'));
    assert.match(all(target), /case \[CASE [0-9a-f]+\], AKIA/);
    assert.equal(replay(target).status, 0);
}));

// A mask of the policy may match a part of the token, and an event may spell it in another way.
test('the token is hidden before the masks of the policy, in whatever way the event writes it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-record-'));
    const secret = 'ghp_0123456789abcdefghijklmn/Tail+Part=XYZ';
    const spelled = [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    try {
        const state = loadWorld(world);
        state.api = 'https://api.github.com';
        state.server = 'https://github.com';
        const event = JSON.stringify({ ...events.event[1](state), one: `a ${secret} b`, two: '#two#', three: secret.replace('/', '#slash#') });
        writeFileSync(join(folder, 'event.json'), event.replace('#two#', spelled).replace('#slash#', '\\/'));
        writeFileSync(join(folder, 'world.json'), JSON.stringify(world));
        writeFileSync(join(folder, 'own.policy'), `${readFileSync(policy, 'utf8')}
redaction cases { guards streams; marker "[CASE {digest}]"; size "any"; mask token from "case" /ghp_[A-Za-z0-9]{20,}/ }
`);
        const run = spawnSync(bylaw, ['run', 'event', '-p', join(folder, 'own.policy'), '-e', join(folder, 'event.json'), '-n', 'issues',
            '--world', join(folder, 'world.json'), '--record', join(folder, 'target')],
        { encoding: 'utf8', env: { PATH: process.env.PATH, GITHUB_TOKEN: secret } });
        assert.equal(run.status, 0, run.stderr);
        const kept = readFileSync(join(folder, 'target', 'event.json'), 'utf8');
        assert.equal(kept.match(/\[REDACTED\]/g).length, 3, kept);
        assert.ok(!/Tail|ghp_|u0067/.test(kept), kept);
        assert.equal(replay(join(folder, 'target')).status, 0);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('a folder that holds something, or that is a link, takes no recording', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-record-'));
    const record = (target) => spawnSync(bylaw, ['run', 'event', '-p', policy, '-e', join(folder, 'event.json'), '-n', 'issues', '--record', target],
        { encoding: 'utf8', env: { PATH: process.env.PATH } });
    try {
        writeFileSync(join(folder, 'event.json'), '{}');
        mkdirSync(join(folder, 'used'));
        writeFileSync(join(folder, 'victim'), 'mine');
        symlinkSync('../victim', join(folder, 'used', 'event.json'));
        symlinkSync('used', join(folder, 'led'));
        for (const [name, words] of [['used', /The folder is not empty/], ['led', /It is a link/]]) {
            const run = record(join(folder, name));
            assert.equal(run.status, 4, run.stderr);
            assert.match(run.stderr, words);
        }
        assert.equal(readFileSync(join(folder, 'victim'), 'utf8'), 'mine');
    } finally {
        rmSync(folder, { recursive: true });
    }
});

test('folder and files are for their owner', () => recorded('event', {}, async ({ target }) => {
    assert.equal(statSync(target).mode & 0o777, 0o700);
    for (const name of readdirSync(target)) {
        assert.equal(statSync(join(target, name)).mode & 0o777, 0o600, name);
    }
}));

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
    writeFileSync(join(target, 'recording.json'), '{"format":1}');
    const none = replay(target);
    assert.equal(none.status, 4);
    assert.match(none.stderr, /no recording that this version reads/);
    assert.equal(replay(join(target, 'nothing')).status, 4);
    assert.equal(spawnSync(bylaw, ['replay']).status, 2);
}));
