// SPDX-License-Identifier: Apache-2.0
//
// What users of such bots complain about and one issue alone cannot show: the product through `bylaw run` on
// the fake. The others stand in policies/issue_assistant/troubles_test.policy.
//     BL_BYLAW=… BL_POLICYC=… node --test tests/world/run/troubles.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as change from '../fake/changes.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';

const token = 'fake-token-of-the-run';
const by = 'github-actions[bot]';
const folder = mkdtempSync(join(tmpdir(), 'bylaw-troubles-'));
const module = join(folder, 'product.pbc');
after(() => rmSync(folder, { recursive: true }));
const source = fileURLToPath(new URL('../../../policies/issue_assistant', import.meta.url));
const compiled = spawnSync(process.env.BL_POLICYC, [source, '-o', module], { encoding: 'utf8' });
assert.equal(compiled.status, 0, compiled.stderr);

const world = (issues, labels = []) => ({
    now: '2026-11-20T06:41:00Z',
    repository: 'octo/demo',
    account: by,
    users: [{ login: 'maria', association: 'owner' }, { login: 'alice', association: 'nobody' }, { login: 'renovate[bot]', kind: 'bot' }],
    labels: ['needs-info', 'stale', ...labels].map((name) => ({ name, color: 'ededed' })),
    issues,
});

// Reminded, and due to be closed; `at` seconds after the others.
const due = (number, at, more = {}) => ({
    number, title: 'It waits', author: 'alice', created_at: '2026-10-01T08:00:00Z', labels: ['needs-info', 'stale'],
    comments: [{
        id: number * 10, author: by, created_at: `2026-11-04T06:${String(10 + Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}Z`,
        text: '<!-- issue-assistant:reminder since=2026-10-20T08%3A00%3A00Z closes=2026-11-19 -->\n\nPlease.',
    }],
    timeline: [{ kind: 'labeled', actor: by, at: '2026-10-20T08:00:00Z', label: 'needs-info' }],
    ...more,
});

async function withFake(issues, labels, work) {
    const fake = await new FakeGitHub(loadWorld(world(issues, labels)), { token }).listen();
    fake.limits.setLimit('core', 100000);
    fake.limits.setLimit('graphql', 100000);
    try {
        await work(fake);
        assert.deepEqual(fake.violations, []);
    } finally {
        await fake.close();
    }
}

async function run(fake, job, eventName, event) {
    const done = await runStep({
        command: [process.env.BL_BYLAW, 'run', job, '-p', module, '--now', new Date(fake.state.now * 1000).toISOString().replace('.000', '')],
        event, eventName, repository: 'octo/demo', repositoryId: fake.state.repository.id, fake,
        env: { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true' },
        secrets: [token],
    });
    assert.deepEqual(done.failures, []);
    return done;
}
const morning = (fake) => run(fake, 'sweep', 'schedule', payload(fake.state, 'schedule', '', { schedule: '41 6 * * *' }));
const closed = (fake) => [...fake.state.issues.values()].filter((issue) => issue.state === 'closed').map((issue) => issue.number);
const writes = (fake) => fake.requests.filter((request) => request.write).map((request) => request.operation);

// Pages that closing moves, and a bound that could starve those who wait longest. LIF-31
test('two hundred that are due close on two mornings, the longest waiting first, none is skipped', async () => {
    const count = 200;
    // The higher the number, the longer without change.
    const issues = Array.from({ length: count }, (_, i) => due(i + 1, count - i));
    await withFake(issues, [], async (fake) => {
        const first = await morning(fake);
        assert.equal(first.code, 0, first.stdout + first.stderr);
        const now = closed(fake);
        assert.equal(now.length, 125); // four writes each
        assert.equal(Math.min(...now), count - 125 + 1);
        assert.match(first.summary, /- 500 writes were made, and one run makes no more than 500\. Left for the next: 75 things of 'missing_answer', the step /);
        assert.doesNotMatch(first.summary, /It waits|Please/); // numbers, and no text of anyone
        fake.state.now += 86400;
        const second = await morning(fake);
        assert.equal(second.code, 0, second.stdout + second.stderr);
        assert.equal(closed(fake).length, count);
        for (const issue of fake.state.issues.values()) {
            assert.deepEqual(issue.labels, [], `#${issue.number}`);
            assert.equal(issue.comments.length, 2, `#${issue.number}`);
        }
        fake.requests.length = 0;
        fake.state.now += 86400;
        assert.equal((await morning(fake)).code, 0);
        assert.deepEqual(writes(fake), []);
    });
});

test('an exempt label that was renamed in another case is the same label', async () => {
    await withFake([due(1, 0, { labels: ['needs-info', 'stale', 'PINNED'] })], ['PINNED'], async (fake) => {
        assert.equal((await morning(fake)).code, 0);
        assert.deepEqual(closed(fake), []);
        assert.deepEqual(writes(fake), ['issues/remove-label']); // stale
    });
});

const said = (author, text) => ({ number: 1, title: 'One', author: 'alice', created_at: '2026-11-19T08:00:00Z', comments: [{ id: 10, author, created_at: '2026-11-20T06:40:00Z', text }] });
const created = (fake) => {
    const comment = fake.state.comments.get(10);
    return payload(fake.state, 'issue_comment', 'created', { issue: fake.state.issue(1), comment, sender: comment.author });
};

test('a command whose comment is gone when the run begins does nothing', async () => {
    await withFake([said('maria', '/assistant mute')], [], async (fake) => {
        const event = created(fake);
        change.deleteComment(fake.state, fake.state.comments.get(10), 'maria');
        const done = await run(fake, 'event', 'issue_comment', event);
        assert.equal(done.code, 0, done.stdout + done.stderr);
        assert.deepEqual(writes(fake), []);
    });
});

for (const [what, text] of [
    ['a quote', '> /assistant mute'], ['code', '```\n/assistant mute\n```'], ['indented code', '    /assistant mute'],
    ['words before it', 'Try /assistant mute'], ['a second line', 'Hello\n/assistant mute'], ['a blank before it', ' /assistant mute'],
    ['another word', '/assistants mute'], ['HTML around it', '<p>/assistant mute</p>'],
]) {
    test(`a command is none: ${what}`, async () => {
        await withFake([said('maria', text)], [], async (fake) => {
            const done = await run(fake, 'event', 'issue_comment', created(fake));
            assert.equal(done.code, 0, done.stdout + done.stderr);
            assert.deepEqual(writes(fake), []);
        });
    });
}

for (const bot of [by, 'renovate[bot]']) {
    test(`what ${bot} says is answered by nothing, so that no two bots talk to each other`, async () => {
        await withFake([said(bot, '/assistant mute')], [], async (fake) => {
            const done = await run(fake, 'event', 'issue_comment', created(fake));
            assert.equal(done.code, 0, done.stdout + done.stderr);
            assert.equal(fake.requests.length, 0); // it is not even looked at
        });
    });
}
