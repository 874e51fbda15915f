// SPDX-License-Identifier: Apache-2.0
//
// `bylaw run` on the fake from the command line, as a step of Actions: what it sends, writes, says and
// leaves, and that a run which was stopped or killed ends the same when it runs again.
//     BL_BYLAW=path/to/bylaw node --test tests/world/run/command.test.mjs
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import * as change from '../fake/changes.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { dumpWorld, loadWorld } from '../fake/world_file.mjs';
import { readLog, runStep } from './runner.mjs';
import { comparable } from './steps.mjs';

const bylaw = process.env.BL_BYLAW;
const policy = fileURLToPath(new URL('../policies/desk.policy', import.meta.url));
const token = 'fake-token-of-the-run';
const stranger = 'It may crash ##[add-mask]x ::error::y';

const world = () => ({
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [
        { login: 'maria', association: 'owner', permission: 'admin' },
        { login: 'alice', association: 'nobody' },
    ],
    labels: [{ name: 'crash', color: 'ffffff' }, { name: 'waits', color: 'fef2c0' }],
    issues: [
        { number: 12, title: stranger, text: stranger, author: 'alice', created_at: '2026-11-20T04:59:00Z' },
        {
            number: 13, title: 'Silent', author: 'alice', created_at: '2026-11-01T10:00:00Z',
            labels: ['waits'], comments: [{ id: 900, author: 'maria', created_at: '2026-11-02T10:00:00Z', text: 'Which?' }],
        },
        {
            number: 14, title: 'Answered', author: 'alice', created_at: '2026-11-01T10:00:00Z',
            labels: ['waits'], comments: [{ id: 901, author: 'alice', created_at: '2026-11-02T10:00:00Z', text: 'This.' }],
        },
    ],
});

const jobs = {
    event: {
        args: ['event'], eventName: 'issues',
        event: (state) => payload(state, 'issues', 'opened', { issue: state.issue(12), sender: 'alice' }),
    },
    sweep: {
        args: ['sweep'], eventName: 'schedule',
        event: (state) => payload(state, 'schedule', '', { schedule: '0 6 * * *' }),
    },
};

async function withFake(work, from = world(), options = {}) {
    const fake = await new FakeGitHub(loadWorld(from), { token, ...options }).listen();
    try {
        await work(fake);
        assert.deepEqual(fake.violations, []);
    } finally {
        await fake.close();
    }
}

const iso = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

// One step; `env` may take something away with undefined.
async function step(fake, job, { args = [], env = {}, event = jobs[job].event, started } = {}) {
    const { eventName, args: own } = jobs[job];
    const given = { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', DESK_SWITCH: '', DESK_KEY: 'false', ...env };
    const done = await runStep({
        command: [bylaw, 'run', ...own, '-p', policy, '--now', iso(fake.state.now), ...args],
        event: event(fake.state),
        eventName,
        repository: fake.state.repository.name,
        repositoryId: fake.state.repository.id,
        fake,
        env: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
        secrets: [token],
        started,
    });
    assert.deepEqual(done.failures, []);
    for (const { name } of done.commands) {
        assert.ok(['error', 'warning', 'notice'].includes(name), `${name}\n${done.stdout}`);
    }
    return done;
}

const writes = (fake) => fake.requests.filter((request) => request.write).map((request) => request.operation);
const state = (fake) => comparable(dumpWorld(fake.state), world());
const errors = (done) => done.commands.filter((command) => command.name === 'error');

// ---- what it does ------------------------------------------------------------------------------

/* req: OUT-07, OUT-11 */
test('an event is decided and written', () => withFake(async (fake) => {
    const done = await step(fake, 'event');
    assert.equal(done.code, 0, done.stderr);
    const issue = fake.state.issue(12);
    assert.deepEqual([...issue.labels].sort(), ['crash', 'waits']);
    assert.equal(issue.comments.length, 1);
    assert.deepEqual(done.outputs, { number: '12', outputs: '{"number":"12"}' });
    assert.deepEqual(done.commands.map(({ name, data }) => [name, data]), [['warning', 'A crash was reported: 100%0A.']]);
    assert.equal(done.summary, [
        '### bylaw run event: done', '',
        '- Written: `ensure label crash`', '- Written: `add label crash to #12`',
        '- Written: `post welcome on #12`', '- Written: `add label waits to #12`',
        '- Written: `set the output number to 12`', '',
    ].join('\n'));
    assert.match(done.stdout, new RegExp(`\n${fake.requests.length} requests to GitHub: .* 4 writes;`));
    assert.deepEqual(writes(fake), [
        'issues/update-label', 'issues/add-labels', 'issues/create-comment', 'issues/add-labels',
    ]);
}));

/* req: FLT-10, FLT-13 */
test('a second run finds all of it there', () => withFake(async (fake) => {
    await step(fake, 'event');
    const before = state(fake);
    fake.requests.length = 0;
    const done = await step(fake, 'event');
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(writes(fake).filter((operation) => operation !== 'issues/update-label'), []);
    assert.deepEqual(state(fake), before);
    assert.match(done.summary, /- There already: `post welcome on #12`/);
}));

test('a dry run reads and writes nothing', () => withFake(async (fake) => {
    const before = state(fake);
    const done = await step(fake, 'event', { args: ['--dry-run'] });
    assert.equal(done.code, 0, done.stderr);
    assert.ok(fake.requests.length > 0);
    assert.deepEqual(writes(fake), []);
    assert.deepEqual(state(fake), before);
    assert.deepEqual(done.outputs, {});
    assert.match(done.summary, /^### bylaw run event: dry run\n\n- Would be written: `ensure label crash`\n/);
}));

test('an Enterprise Server has its API below a path, and GraphQL beside it', () => withFake(async (fake) => {
    for (const job of ['sweep', 'event']) {
        const done = await step(fake, job);
        assert.equal(done.code, 0, done.stderr);
    }
    assert.equal(fake.state.issue(12).comments.length, 1);
    assert.equal(fake.state.issue(13).state, 'closed');
    assert.deepEqual([...new Set(fake.requests.map(({ path }) => path.split('/').slice(0, 4).join('/')))].sort(), ['/api/graphql', '/api/v3/repos']);
}, world(), { prefix: '/api/v3' }));

test('a sweep writes what it finds', () => withFake(async (fake) => {
    const done = await step(fake, 'sweep');
    assert.equal(done.code, 0, done.stderr);
    assert.equal(fake.state.issue(13).state, 'closed');
    assert.deepEqual([...fake.state.issue(13).labels], []);
    assert.equal(fake.state.issue(14).state, 'open');
    assert.match(done.summary, /- Written: `close #13 as not planned`/);
    assert.doesNotMatch(done.summary, /Silent|Answered|Which|crash/);
}));

test('JSON holds the counts, and no command of the runner', () => withFake(async (fake) => {
    const done = await step(fake, 'event', { args: ['--json'] });
    const result = JSON.parse(done.stdout);
    assert.equal(result.github.requests, fake.requests.length);
    assert.equal(result.github.writes, writes(fake).length);
    assert.equal(result.exit, 0);
}));

test('an error beside JSON stands in the other stream', () => withFake(async (fake) => {
    fake.faults.add({ kind: 'unauthorized', operation: 'issues/get', times: 9 });
    const done = await step(fake, 'event', { args: ['--json'] });
    assert.equal(done.code, 5);
    assert.equal(JSON.parse(done.stdout).exit, 5);
    assert.equal(errors(done).length, 1);
    assert.match(done.stderr, /^::error /m);
}));

/* req: OUT-03, OUT-04, OUT-05 */
test('no line is a command of the runner but annotations, and the bracket is new each time', () => withFake(async (fake) => {
    fake.state.labels.push({ ...fake.state.labels[0], id: 77, name: '##[add-mask]odd' });
    const reopened = (all) => payload(all, 'issues', 'reopened', { issue: all.issue(12), sender: 'alice' });
    const tokens = new Set();
    for (const args of [['--dry-run'], ['--dry-run', '--explain'], ['--dry-run', '--json'], []]) {
        const done = await step(fake, 'event', { event: reopened, args });
        assert.equal(done.code, 0, done.stderr);
        assert.deepEqual(done.commands, []);
        if (args.includes('--json')) {
            assert.match(JSON.parse(done.stdout).units[0].effects[0].words, /##/);
            assert.deepEqual(readLog(done.stdout).commands, []);
        } else {
            const [, token] = done.stdout.match(/^::stop-commands::(bylaw-[0-9a-f]{32})\n/);
            assert.ok(done.stdout.endsWith(`::${token}::\n`));
            assert.deepEqual(readLog(done.stdout.replaceAll(token, '')).commands.filter(({ name }) => name !== 'stop-commands'), []);
            tokens.add(token);
        }
    }
    assert.equal(tokens.size, 3);
}));

/* req: OUT-06 */
test('outside of a runner the lines stand as they are', () => withFake(async (fake) => {
    const done = await step(fake, 'event', { args: ['--github'], env: { GITHUB_ACTIONS: '' } });
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^Plan:\n/);
    assert.match(done.stdout, /\nwarning: A crash was reported: 100%0A\.\n/);
    assert.deepEqual(done.commands, []);
}));

test('a token in the environment is no wish to write', () => withFake(async (fake) => {
    const done = await step(fake, 'event', { env: { GITHUB_ACTIONS: '' } });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(fake.requests.length, 0);
}));

test('an event that no rule hears asks nothing', () => withFake(async (fake) => {
    const done = await step(fake, 'event', {
        event: (all) => payload(all, 'issues', 'closed', { issue: all.issue(12), sender: 'alice' }),
    });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(fake.requests.length, 0);
    assert.match(done.summary, /- Nothing to do\./);
}));

// The loader says which libraries a process opens.
test('libcurl is opened with the first request and not before', () => withFake(async (fake) => {
    const closed = (all) => payload(all, 'issues', 'closed', { issue: all.issue(12), sender: 'alice' });
    const opens = async (event) => {
        const done = await step(fake, 'event', { event, args: ['--dry-run'], env: { LD_DEBUG: 'files' } });
        assert.equal(done.code, 0);
        assert.match(done.stderr, /libcjson/);
        return /libcurl/.test(done.stderr);
    };
    assert.equal(await opens(closed), false);
    assert.equal(await opens(jobs.event.event), true);
}));

test('with --world nothing reaches GitHub', () => withFake(async (fake) => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-world-'));
    try {
        writeFileSync(join(folder, 'world.json'), JSON.stringify(world()));
        const done = await step(fake, 'event', { args: ['--world', join(folder, 'world.json')] });
        assert.equal(done.code, 0, done.stderr);
        assert.equal(fake.requests.length, 0);
        assert.match(done.summary, /- Written: `add label crash to #12`/);
    } finally {
        rmSync(folder, { recursive: true });
    }
}));

// ---- what the workflow passes -----------------------------------------------------------------

const edited = (all) => payload(all, 'issues', 'edited', {
    issue: all.issue(12), sender: 'alice', changes: { title: { from: 'Before' } },
});

for (const [name, env, code, added] of [
    ['a variable and a secret that are set', { DESK_SWITCH: 'on', DESK_KEY: 'true' }, 0, true],
    ['a variable that is not set', { DESK_SWITCH: '', DESK_KEY: 'true' }, 0, false],
    ['a secret that is not set', { DESK_SWITCH: 'on', DESK_KEY: 'false' }, 0, false],
    ['a variable that the workflow does not pass', { DESK_SWITCH: undefined }, 5, false],
    ['a secret that the workflow does not pass', { DESK_SWITCH: 'on', DESK_KEY: undefined }, 5, false],
]) {
    test(name, () => withFake(async (fake) => {
        const done = await step(fake, 'event', { event: edited, env });
        assert.equal(done.code, code, done.stdout + done.stderr);
        assert.equal(fake.state.issue(12).labels.includes('stale'), added);
        assert.equal(errors(done).length, code === 0 ? 0 : 1);
    }));
}

// ---- what it cannot do without -----------------------------------------------------------------

for (const [name, env, code, words] of [
    ['no token', { GITHUB_TOKEN: undefined }, 2, /GITHUB_TOKEN: \$\{\{ github\.token \}\}/],
    ['a token with a line end', { GITHUB_TOKEN: 'a\nb' }, 2, /blanks or line ends/],
    ['no repository', { GITHUB_REPOSITORY: '' }, 2, /GITHUB_REPOSITORY/],
    ['an address without TLS', { GITHUB_API_URL: 'http://api.github.com' }, 2, /https:/],
    ['HTTP to this machine outside of tests', { BYLAW_TEST_LOOPBACK: undefined }, 2, /https:/],
    ['GraphQL on another host', { GITHUB_GRAPHQL_URL: 'http://127.0.0.1:1/graphql' }, 2, /one host/],
    ['another repository', { GITHUB_REPOSITORY: 'octo/other' }, 4, /octo\/demo/],
]) {
    test(name, () => withFake(async (fake) => {
        const done = await step(fake, 'event', { env });
        assert.equal(done.code, code, done.stdout + done.stderr);
        assert.match(done.stderr, words);
        assert.equal(fake.requests.length, 0);
    }));
}

// ---- what goes wrong ---------------------------------------------------------------------------

/* req: FLT-06, FLT-08, FLT-09, OUT-12 */
test('a failed write is one error, and the summary lists what was written and what is left', () => withFake(async (fake) => {
    fake.faults.add({ kind: 'bad_gateway_html', operation: 'issues/create-comment' });
    const done = await step(fake, 'event');
    assert.equal(done.code, 5);
    assert.equal(errors(done).length, 1, done.stdout);
    assert.equal(done.stderr, 'bylaw: Written: ensure label.\nbylaw: Written: add label, issue 12.\n');
    assert.match(errors(done)[0].data, /post welcome on #12.*GitHub answered 502/s);
    assert.deepEqual(done.outputs, {});
    assert.equal(done.summary, [
        '### bylaw run event: stopped', '',
        '- Written: `ensure label crash`', '- Written: `add label crash to #12`',
        `- Failed: \`post welcome on #12\` – \`${done.summary.match(/– `(.*)`/)[1]}\``,
        '- Left: `add label waits to #12`', '- Left: `set the output number to 12`', '',
        'Run the job again: it finds what is there and goes on from it.', '',
    ].join('\n'));
    for (const text of [done.stdout, done.summary]) {
        assert.doesNotMatch(text, /Unicorn|It may crash/);
    }
}));

for (const [kind, words] of [
    ['unauthorized', /401/], ['forbidden', /403/], ['primary', /rate limit/], ['html', /GET \/repos/],
]) {
    test(`${kind} of a read is one error`, () => withFake(async (fake) => {
        fake.faults.add({ kind, operation: 'issues/get', times: 9 });
        const done = await step(fake, 'event');
        assert.equal(done.code, 5);
        assert.equal(errors(done).length, 1, done.stdout);
        assert.match(errors(done)[0].data, words);
        assert.deepEqual(writes(fake), []);
        assert.match(done.summary, /^### bylaw run event: stopped\n\n- Stopped: `/);
    }));
}

/* req: FLT-04, FLT-05 */
test('a bad minute is waited for', () => withFake(async (fake) => {
    fake.faults.add({ kind: 'bad_gateway', operation: 'issues/get', times: 2 });
    fake.faults.add({ kind: 'secondary', operation: 'issues/create-comment' });
    const done = await step(fake, 'event');
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stderr, /asked again after 60 seconds/);
    assert.match(done.stdout, /2 made again, 1 waited for/);
    assert.equal(fake.state.issue(12).comments.length, 1);
}));

test('a later page that fails says why', () => withFake(async (fake) => {
    fake.faults.add({ kind: 'forbidden', operation: 'graphql', nth: 2, times: 9 });
    const done = await step(fake, 'sweep');
    assert.equal(done.code, 1);
    const [warning] = done.commands.filter((command) => command.name === 'warning');
    assert.match(warning.data, /403/);
    assert.match(done.summary, /- Stopped: `.*403/);
}, {
    ...world(),
    issues: Array.from({ length: 120 }, (_, i) => ({
        number: i + 20, title: 'One', author: 'alice', created_at: '2026-11-01T10:00:00Z', labels: ['waits'],
    })),
}));

/* req: FLT-22 */
for (const job of ['event', 'sweep']) {
    test(`a ${job} that is killed at any request ends the same when it runs again`, async () => {
        let wanted;
        let requests;
        await withFake(async (fake) => {
            const done = await step(fake, job);
            assert.equal(done.code, 0, done.stderr);
            wanted = state(fake);
            requests = fake.requests.length;
        });
        for (let nth = 1; nth <= requests; nth++) {
            for (const when of ['before', 'after']) {
                await withFake(async (fake) => {
                    let child;
                    fake.faults.add({ kind: 'kill', nth, when });
                    fake.onKill = () => child.kill('SIGKILL');
                    const cut = await step(fake, job, { started: (process) => { child = process; } });
                    assert.equal(cut.signal, 'SIGKILL', `${nth} ${when}: ${cut.stdout}`);
                    // What it had written stands in its log, save the one that killed it.
                    const done_before = fake.requests.slice(0, -1).filter(({ write, status }) => write && status < 300);
                    assert.equal(cut.stderr.match(/^bylaw: Written: /gm)?.length ?? 0, done_before.length, cut.stderr);
                    // And in its summary, which an ended run puts its own account in place of.
                    assert.match(cut.summary, new RegExp(`^### bylaw run ${job}: cut short\n`));
                    assert.equal(cut.summary.match(/^- Written: `/gm)?.length ?? 0, done_before.length, cut.summary);
                    const done = await step(fake, job);
                    assert.equal(done.code, 0, done.stderr);
                    assert.doesNotMatch(done.summary, /cut short/);
                    assert.deepEqual(state(fake), wanted, `${nth} ${when}`);
                });
            }
        }
        console.log(`${job}: killed at ${requests} requests, before and after each.`);
    });
}

// ---- a run that is told to stop ----------------------------------------------------------------

/* req: FLT-08, FLT-09, FLT-22 */
for (const [job, signal] of [['event', 'SIGINT'], ['sweep', 'SIGTERM']]) {
    test(`a ${job} that is cancelled at any request asks nothing more, says so once, and goes on later`, async () => {
        let wanted;
        let requests;
        await withFake(async (fake) => {
            await step(fake, job);
            wanted = state(fake);
            requests = [...fake.requests];
        });
        for (const [i, request] of requests.entries()) {
            await withFake(async (fake) => {
                let child;
                fake.faults.add({ kind: 'kill', nth: i + 1, when: 'after' });
                fake.onKill = () => child.kill(signal);
                const cut = await step(fake, job, { started: (process) => { child = process; } });
                assert.equal(cut.code, 5, `${i}: ${cut.stdout}${cut.stderr}`);
                assert.equal(fake.requests.length, i + 1);
                assert.equal(errors(cut).length, 1, cut.stdout);
                assert.match(cut.summary, /: stopped\n\n(- Written: `.*`\n)*(- (There already|Planned): `.*`\n)*- (Failed|Stopped)/);
                assert.match(cut.summary, /Run the job again/);
                const written = fake.requests.filter(({ write, status }) => write && status < 300).length;
                assert.equal(cut.summary.match(/^- Written: `/gm)?.length ?? 0, written, cut.summary);
                assert.ok(/- Failed/.test(cut.summary) || !request.write, cut.summary);
                const done = await step(fake, job);
                assert.equal(done.code, 0, done.stderr);
                assert.deepEqual(state(fake), wanted, `${i}`);
            });
        }
    });
}

test('a read that hangs is given up when the run is cancelled', () => withFake(async (fake) => {
    fake.faults.add({ kind: 'hang', operation: 'issues/get', times: 9 });
    const began = Date.now();
    const cut = await step(fake, 'event', {
        started: (child) => {
            const look = setInterval(() => {
                if (fake.requests.length > 0) {
                    clearInterval(look);
                    child.kill('SIGINT');
                }
            }, 20);
        },
    });
    assert.equal(cut.code, 5);
    assert.ok(Date.now() - began < 15000);
    assert.equal(errors(cut).length, 1);
    assert.equal(fake.requests.length, 1);
}));

test('what others wrote into the summary stays', () => withFake(async (fake) => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-summary-'));
    const path = join(folder, 'summary');
    try {
        writeFileSync(path, 'Before.\n');
        await step(fake, 'event', { env: { GITHUB_STEP_SUMMARY: path } });
        assert.match(readFileSync(path, 'utf8'), /^Before\.\n### bylaw run event: done\n\n- Written/);
        assert.doesNotMatch(readFileSync(path, 'utf8'), /cut short/);
        // One that cannot be written is said once, and the run goes on.
        chmodSync(path, 0o444);
        const none = await step(fake, 'event', { env: { GITHUB_STEP_SUMMARY: path } });
        if (process.getuid() !== 0) {
            assert.equal(none.code, 70);
            assert.equal(none.stderr.match(/summary: /g).length, 1, none.stderr);
        }
    } finally {
        rmSync(folder, { recursive: true });
    }
}));

// ---- what every further thing would meet as well -------------------------------------------------

const many = () => ({
    ...world(),
    issues: Array.from({ length: 12 }, (_, i) => ({
        number: i + 20, title: 'One', author: 'alice', created_at: '2026-11-01T10:00:00Z', labels: ['waits'],
        comments: [{ id: 9000 + i, author: 'maria', created_at: '2026-11-02T10:00:00Z', text: 'Which?' }],
    })),
});

/* req: FLT-03, FLT-08, FLT-09, OUT-12 */
for (const [kind, more, most, words] of [
    ['primary', {}, 1, /rate limit/], ['unauthorized', {}, 1, /401/], ['secondary', {}, 4, /secondary rate limit/], ['bad_gateway', {}, 12, /502/],
    ['bad_gateway', { write: true }, 3, /502/],
]) {
    test(`a sweep stops at ${kind}${more.write ? ' of writes' : ''} with one error and says what is left`, () => withFake(async (fake) => {
        fake.faults.add({ kind, times: 999, nth: 3, ...more });
        const done = await step(fake, 'sweep');
        assert.equal(done.code, 5, done.stdout);
        assert.equal(errors(done).length, 1, done.stdout);
        assert.match(errors(done)[0].data, words);
        assert.equal(fake.requests.filter(({ fault }) => fault !== null).length, most);
        assert.match(done.summary, /- The run stopped before its end\. Left for the next: .*'unfinished'\.\n/);
        assert.match(done.summary, /Run the job again/);
        fake.faults.clear();
        assert.equal((await step(fake, 'sweep')).code, 0);
        assert.ok([...fake.state.issues.values()].every((issue) => issue.state === 'closed' && issue.comments.length === 2));
    }, many()));
}
