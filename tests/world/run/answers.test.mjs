// SPDX-License-Identifier: Apache-2.0
//
// What the product makes of an AI's answer, cut anywhere and made again: `bylaw run apply` against the fake.
//     BL_POLICYC=… BL_BYLAW=… node --test tests/world/run/answers.test.mjs
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import * as change from '../fake/changes.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { dumpWorld, loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';
import { compile } from '../year/simulator.mjs';
import { comparable } from './steps.mjs';

const token = 'fake-token-of-the-run';
const folder = mkdtempSync(join(tmpdir(), 'bylaw-answers-'));
after(() => rmSync(folder, { recursive: true }));
const policy = compile(folder);

const world = {
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [{ login: 'maria', association: 'owner' }, { login: 'alice', association: 'nobody' }],
    labels: ['bug', 'enhancement', 'needs-info', 'possible-duplicate', 'needs-triage'].map((name) => ({ name, color: 'ededed' })),
    issues: [
        { number: 9, title: 'A crash', author: 'maria', created_at: '2026-10-01T10:00:00Z' },
        { number: 12, title: 'It crashes', author: 'alice', created_at: '2026-11-20T04:59:00Z' },
    ],
};
const answer = (more) => ({
    language: 'en', kind: 'bug', spam: false, areas: [], topics: [], label_rationale: 'It says so.', summary: 'It crashes.',
    analysis: 'A file is missing.', next_steps: [], missing_information: [], duplicates: [], related: [], references: [],
    sensitive_data: 'nothing', security_report: false, ...more,
});
const first = answer({ missing_information: ['Which version?'], duplicates: [{ number: 9, confidence: 'high', reason: 'The same crash.' }] });
const second = answer({ kind: 'enhancement', summary: 'It is a wish.' });

// The event is the same when the job runs again.
async function apply(fake, answer, started) {
    const file = join(folder, 'answer.json');
    const then = Object.assign(loadWorld(world), { server: fake.state.server, api: fake.state.api });
    writeFileSync(file, JSON.stringify(answer));
    const done = await runStep({
        command: [process.env.BL_BYLAW, 'run', 'apply', '-p', policy, '--task', 'triage', '--answer', file,
            '--now', new Date(fake.state.now * 1000).toISOString().replace('.000', '')],
        event: payload(then, 'issues', 'opened', { issue: then.issue(12), sender: 'alice' }),
        eventName: 'issues', repository: 'octo/demo', repositoryId: fake.state.repository.id, fake,
        env: { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true' }, secrets: [token], started,
    });
    assert.deepEqual(done.failures, []);
    return done;
}

async function withFake(work) {
    const fake = await new FakeGitHub(loadWorld(world), { token }).listen();
    try {
        await work(fake, fake.state.issue(12));
        assert.deepEqual(fake.violations, []);
    } finally {
        await fake.close();
    }
}

const applied = async (fake, answer) => {
    const done = await apply(fake, answer);
    assert.equal(done.code, 0, done.stdout + done.stderr);
};
const state = (fake) => comparable(dumpWorld(fake.state), world);
const has = (issue, label) => issue.labels.includes(label);
const written = (fake) => fake.requests.filter(({ write }) => write).length;

/* req: FLT-11, FLT-12 */
test('labels that find, the comment, and last the label that waits', () => withFake(async (fake, issue) => {
    await applied(fake, first);
    const steps = fake.requests.filter(({ write }) => write).map(({ operation }) => operation);
    assert.deepEqual(steps, ['issues/add-labels', 'issues/add-labels', 'issues/create-comment', 'issues/add-labels']);
    assert.deepEqual(issue.timeline.map(({ label }) => label), ['bug', 'possible-duplicate', 'needs-info']);
}));

/* req: FLT-12, FLT-13, FLT-14, FLT-22, FLT-24 */
test('cut at any request and made again, with the same answer and with another one', async () => {
    let wanted;
    let requests;
    await withFake(async (fake) => {
        await applied(fake, first);
        wanted = state(fake);
        requests = fake.requests.length;
    });
    for (let nth = 1; nth <= requests; nth++) {
        // Before a request is after the one before it.
        for (const again of [first, second]) {
            await withFake(async (fake, issue) => {
                let child;
                const about = `after request ${nth}, then ${again.kind}`;
                fake.faults.add({ kind: 'kill', nth, when: 'after' });
                fake.onKill = () => child.kill('SIGKILL');
                const cut = await apply(fake, first, (process) => { child = process; });
                assert.equal(cut.signal, 'SIGKILL', about);
                const asked = issue.comments.length === 1;
                assert.ok(asked || !has(issue, 'needs-info'), `${about}: it waits and was not asked`);
                await applied(fake, again);
                assert.equal(issue.comments.length, 1, about);
                if (again === first) {
                    assert.deepEqual(state(fake), wanted, about);
                } else {
                    // What was said decides; the label of what was found may be both.
                    assert.equal(has(issue, 'needs-info'), asked, about);
                    assert.ok(!asked || has(issue, 'possible-duplicate'), about);
                    assert.ok(has(issue, 'enhancement'), about);
                }
            });
        }
    }
    console.log(`cut after each of ${requests} requests, and made again with either answer.`);
});

/* req: FLT-14, FLT-24 */
test('a comment whose labels are missing gets them, and no second one is posted', () => withFake(async (fake, issue) => {
    await applied(fake, first);
    issue.labels.length = 0; // as an older version left it: no event says so
    issue.timeline.length = 0;
    await applied(fake, second);
    assert.deepEqual([...issue.labels].sort(), ['enhancement', 'needs-info', 'possible-duplicate']);
    assert.equal(issue.comments.length, 1);
}));

/* req: FLT-15 */
test('a label that a person took off after the comment stays off', () => withFake(async (fake, issue) => {
    await applied(fake, first);
    fake.state.now += 60;
    change.removeLabel(fake.state, issue, 'maria', 'needs-info');
    change.removeLabel(fake.state, issue, 'maria', 'possible-duplicate');
    const before = written(fake);
    await applied(fake, first);
    assert.deepEqual(issue.labels, ['bug']);
    assert.equal(written(fake), before);
}));

/* req: FLT-16 */
test('an issue whose reporter answered after the comment is left alone', () => withFake(async (fake, issue) => {
    await applied(fake, first);
    issue.labels.length = 0;
    issue.timeline.length = 0;
    fake.state.now += 60;
    change.comment(fake.state, issue, 'alice', 'Version 1.');
    const before = written(fake);
    await applied(fake, first);
    assert.deepEqual(issue.labels, []);
    assert.equal(written(fake), before);
}));
