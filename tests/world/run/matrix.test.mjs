// SPDX-License-Identifier: Apache-2.0
//
// The product's policies through `bylaw run`: every fault at every request of every scenario, and a kill
// between any two. Then the job runs again and GitHub is well: the end state is that of an undisturbed run.
//     BL_BYLAW=… BL_POLICYC=… node --test tests/world/run/matrix.test.mjs
// BL_MATRIX: a part of the names of the scenarios that run. BL_MATRIX_EVERY: only each n-th fault (1).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { dumpWorld, loadWorld } from '../fake/world_file.mjs';
import { faultsFor, readAgain, waitedFor } from './fault_cases.mjs';
import { runStep } from './runner.mjs';
import { comparable } from './steps.mjs';

const token = 'fake-token-of-the-run';
const folder = mkdtempSync(join(tmpdir(), 'bylaw-matrix-'));
after(() => rmSync(folder, { recursive: true }));

function compile(name, path) {
    const module = join(folder, `${name}.pbc`);
    const source = fileURLToPath(new URL(path, import.meta.url));
    const done = spawnSync(process.env.BL_POLICYC, [source, '-o', module], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return module;
}
const product = compile('product', '../../../policies/issue_assistant');
const alerts = compile('alerts', '../../language/run/alerts');

// ---- scenarios -----------------------------------------------------------------------------------

const by = 'github-actions[bot]';
const labelled = (label, at, actor = by) => ({ kind: 'labeled', actor, at, label });
const world = (...issues) => ({
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: by,
    users: [
        { login: 'maria', association: 'owner' },
        { login: 'alice', association: 'nobody' },
        { login: 'bob', association: 'contributor' }, // whose permission is asked for
    ],
    labels: ['needs-info', 'stale', 'possible-duplicate', 'needs-triage', 'fixed'].map((name) => ({ name, color: 'ededed' })),
    issues: [
        { number: 9, title: 'It crashes at start', author: 'maria', created_at: '2026-10-01T10:00:00Z' },
        {
            number: 10, title: 'Left alone', author: 'alice', created_at: '2026-09-01T10:00:00Z', labels: ['needs-info', 'pinned'],
            timeline: [labelled('needs-info', '2026-09-02T10:00:00Z', 'maria'), labelled('pinned', '2026-09-02T10:00:01Z', 'maria')],
        },
        ...issues,
    ],
});
const asked = (at) => ({ id: 900, author: by, created_at: at, text: '<!-- issue-assistant:analysis lang=en questions=1 -->\n\nWhich?' });
const waiting = (number, at, more = {}) => ({
    number, title: 'It waits', text: 'Text.', author: 'alice', created_at: at.replace('T08', 'T07'), labels: ['needs-info', 'needs-triage'],
    comments: [asked(at)], timeline: [labelled('needs-info', at)], ...more,
});
const reminded = (number, at, day, closes, said = []) => waiting(number, at, {
    labels: ['needs-info', 'stale', 'needs-triage'],
    comments: [
        asked(at),
        {
            id: 901, author: by, created_at: day,
            text: `<!-- issue-assistant:reminder since=${encodeURIComponent(at)} closes=${closes} -->\n\nPlease.`,
        },
        ...said,
    ],
    timeline: [labelled('needs-info', at), labelled('stale', day)],
});
const says = (author, text) => ({ id: 910, author, created_at: '2026-11-20T04:59:30Z', text });
const commented = (number) => (state) => {
    const comment = state.comments.get(910);
    return payload(state, 'issue_comment', 'created', { issue: state.issue(number), comment, sender: comment.author });
};
const ofMorning = { job: 'sweep', eventName: 'schedule', event: (state) => payload(state, 'schedule', '', { schedule: '41 6 * * *' }) };
const onComment = { job: 'event', eventName: 'issue_comment' };

const scenarios = {
    'a new issue': {
        job: 'event', eventName: 'issues',
        world: world({ number: 12, title: 'It crashes', text: '### Area\n\nCore', author: 'bob', created_at: '2026-11-20T04:59:30Z' }),
        event: (state) => payload(state, 'issues', 'opened', { issue: state.issue(12), sender: 'bob' }),
        ends: (state) => state.issue(12).labels.includes('needs-triage'),
    },
    'an answer ends the waiting': {
        ...onComment,
        world: world(reminded(12, '2026-11-03T08:00:00Z', '2026-11-18T06:41:00Z', '2026-12-03', [says('alice', 'Version 1.')])),
        event: commented(12),
        ends: (state) => state.issue(12).labels.join() === 'needs-triage' && state.comments.get(900).text.includes('follow-ups='),
    },
    'a reminder': {
        ...ofMorning,
        world: world(waiting(12, '2026-11-03T08:00:00Z')),
        ends: (state) => state.issue(12).labels.includes('stale') && state.issue(12).comments.length === 2,
    },
    'a closing': {
        ...ofMorning,
        world: world(reminded(12, '2026-10-20T08:00:00Z', '2026-11-04T06:41:00Z', '2026-11-19')),
        ends: (state) => state.issue(12).state === 'closed' && state.issue(12).stateReason === 'not_planned',
    },
    'a duplicate closes': {
        ...ofMorning,
        world: world({
            number: 12, title: 'It crashes', author: 'alice', created_at: '2026-11-16T07:00:00Z',
            labels: ['possible-duplicate', 'needs-triage'], timeline: [labelled('possible-duplicate', '2026-11-16T08:00:00Z')],
            comments: [{
                id: 900, author: by, created_at: '2026-11-16T08:00:01Z', text: '<!-- issue-assistant:analysis lang=en duplicate=9 -->\n\nA twin.',
                reactions: [{ user: 'bob', kind: 'thumbs_down', at: '2026-11-17T08:00:00Z' }],
            }],
        }),
        ends: (state) => state.issue(12).stateReason === 'duplicate' && state.issue(12).duplicateOf === 9,
    },
    'a release closes': {
        ...ofMorning,
        world: {
            ...world({
                number: 12, title: 'Fixed', author: 'alice', created_at: '2026-11-01T07:00:00Z', labels: ['needs-triage', 'fixed-in-next-release'],
                timeline: [labelled('fixed-in-next-release', '2026-11-15T08:00:00Z', 'maria')],
            }),
            releases: [{ tag: 'v1.1.0', published_at: '2026-11-19T12:00:00Z' }],
        },
        ends: (state) => state.issue(12).state === 'closed' && state.milestones[0]?.title === 'v1.1.0',
        attempts: true,
    },
    'findings are dismissed': {
        ...ofMorning,
        job: 'findings',
        module: alerts,
        world: {
            ...world(),
            open_alerts: [
                { number: 1, tool: 'CodeQL', rule: 'js/xss', path: 'test/page.js' },
                { number: 2, tool: 'CodeQL', rule: 'js/unused-local-variable', path: 'src/a.js' },
            ],
        },
        ends: (state) => [...state.alerts.values()].map((alert) => alert.dismissedReason).join() === "used in tests,won't fix",
    },
    'a command is refused': {
        ...onComment,
        world: world(waiting(12, '2026-11-03T08:00:00Z', { comments: [asked('2026-11-03T08:00:00Z'), says('alice', '/assistant mute')] })),
        event: commented(12),
        ends: (state) => state.comments.get(910).reactions[0]?.kind === 'confused',
    },
    'a command is carried out': {
        ...onComment,
        world: world({ number: 12, title: 'It crashes', author: 'alice', created_at: '2026-11-16T07:00:00Z', comments: [says('maria', '/assistant duplicate #9')] }),
        event: commented(12),
        ends: (state) => state.comments.get(910).reactions[0]?.kind === 'eyes' && state.issue(12).comments.length === 2,
    },
};

// ---- runs ----------------------------------------------------------------------------------------

async function run(fake, scenario, { hangs = false, started } = {}) {
    const done = await runStep({
        command: [process.env.BL_BYLAW, 'run', scenario.job, '-p', scenario.module ?? product, '--now', scenario.world.now],
        event: scenario.event(loadWorldOf(fake, scenario)),
        eventName: scenario.eventName,
        repository: 'octo/demo',
        repositoryId: fake.state.repository.id,
        fake,
        env: {
            GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true',
            ...(hangs ? { BYLAW_TEST_REQUEST_MS: '300' } : {}),
        },
        secrets: [token],
        started,
    });
    assert.deepEqual(done.failures, []);
    return done;
}

// The event is the same when the job runs again, whatever happened since.
function loadWorldOf(fake, scenario) {
    return Object.assign(loadWorld(scenario.world), { server: fake.state.server, api: fake.state.api });
}

const ended = (fake, scenario) => comparable(dumpWorld(fake.state), scenario.world);

// The whole matrix takes minutes; CI takes each n-th fault, counted through, so that each request meets other ones.
const every = Number(process.env.BL_MATRIX_EVERY ?? 1);
let all = 0;
let cases = 0;
let stopped = 0;
let requests = 0;
after(() => console.log(`${cases} of ${all} faults at ${requests} requests of ${Object.keys(scenarios).length} scenarios; ${stopped} stopped the run.`));

async function one(fake, scenario, nth, request, fault, wanted) {
    const about = `request ${nth} (${request.operation}), ${fault.kind} ${fault.when}`;
    let child;
    fake.use(loadWorld(scenario.world));
    fake.faults.add({ ...fault, nth });
    fake.onKill = () => child.kill('SIGKILL');
    const cut = await run(fake, scenario, { hangs: fault.kind === 'hang', started: (process) => { child = process; } });
    assert.ok(fake.requests[nth - 1]?.fault !== null, `${about}: not met`);
    const words = `${about}\n${cut.stdout}\n${cut.stderr}`;
    if (fault.kind === 'kill') {
        assert.equal(cut.signal, 'SIGKILL', words);
    } else {
        assert.ok([0, 1, 5].includes(cut.code), words);
    }
    const attempted = scenario.attempts && /An attempt to/.test(cut.stdout);
    // Who may wait and who may ask again goes on; a write of which nobody knows does not.
    // A request that hangs is given up after a moment, and on a busy machine others are too slow then.
    if (fault.kind === 'hang') {
        assert.ok(!request.write || cut.code !== 0 || attempted, words);
    } else if (waitedFor.has(fault.kind) || (!request.write && readAgain.has(fault.kind))) {
        assert.equal(cut.code, 0, words);
        assert.deepEqual(ended(fake, scenario), wanted, about);
    } else if (request.write && fault.kind !== 'kill' && fault.kind !== 'wrong_shape' && !attempted) {
        assert.notEqual(cut.code, 0, words);
        // A later step of a sweep looks again, and may write what is not there; an event's run ends.
        const later = fake.requests.slice(nth).filter((other) => other.write);
        assert.ok(scenario.eventName === 'schedule' || later.length === 0, `${about}: written after it`);
    }
    stopped += cut.code === 0 ? 0 : 1;
    // What GitHub says is not there is not there: the run may decide something else, and does no harm.
    const lied = fault.kind === 'not_found' && !request.write;

    fake.faults.clear();
    const again = await run(fake, scenario);
    assert.equal(again.code, 0, `${about}, then\n${again.stdout}\n${again.stderr}`);
    if (lied && cut.code === 0) {
        harmless(ended(fake, scenario), wanted, about);
    } else {
        assert.deepEqual(again.outputs, scenario.outputs, about);
        const of = attempted ? withoutMilestones : (dump) => dump;
        assert.deepEqual(of(ended(fake, scenario)), of(wanted), about);
    }
    assert.deepEqual(fake.violations, [], about);
}

// A milestone that could not be set is a warning, and nothing else is to be done about it. REL-29
function withoutMilestones({ milestones, ...dump }) {
    const issues = dump.issues.map(({ milestone, timeline, ...issue }) => ({
        ...issue, timeline: timeline?.filter((event) => event.kind !== 'milestoned'),
    }));
    return { ...dump, issues };
}

// Nothing is closed that would not be, and no comment stands twice.
function harmless(end, wanted, about) {
    for (const [i, issue] of end.issues.entries()) {
        assert.ok(issue.state === 'open' || wanted.issues[i].state === 'closed', `${about}: #${issue.number} is closed`);
        assert.ok((issue.comments ?? []).length <= (wanted.issues[i].comments ?? []).length, `${about}: #${issue.number} has more comments`);
    }
}

describe('every fault at every request', { concurrency: 2 }, () => {
    for (const [name, scenario] of Object.entries(scenarios)) {
        if (!name.includes(process.env.BL_MATRIX ?? '')) {
            continue;
        }
        test(name, async () => {
            const fake = await new FakeGitHub(loadWorld(scenario.world), { token }).listen();
            try {
                const first = await run(fake, scenario);
                assert.equal(first.code, 0, `${first.stdout}\n${first.stderr}`);
                assert.ok(scenario.ends(fake.state), JSON.stringify(ended(fake, scenario), null, 1));
                const wanted = ended(fake, scenario);
                scenario.outputs = first.outputs;
                const log = [...fake.requests];
                requests += log.length;
                // The same job again changes nothing, and asks GitHub for no write.
                fake.requests.length = 0;
                const second = await run(fake, scenario);
                assert.equal(second.code, 0, second.stdout);
                assert.deepEqual(second.outputs, first.outputs);
                assert.deepEqual(ended(fake, scenario), wanted);
                assert.deepEqual(fake.requests.filter((request) => request.write), []);
                for (const [i, request] of log.entries()) {
                    for (const fault of faultsFor(request)) {
                        if (all++ % every !== 0) {
                            continue;
                        }
                        cases += 1;
                        await one(fake, scenario, i + 1, request, fault, wanted);
                    }
                }
            } finally {
                await fake.close();
            }
        });
    }
});
