// SPDX-License-Identifier: Apache-2.0
//
// What happens on GitHub between a read and a write, and what the client makes of it.
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/races.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

import * as change from '../fake/changes.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { commandOf, loadWorld, openOn, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;

async function race(body, options = {}) {
    const { world } = readScenario('reads_of_issues');
    const fake = await new FakeGitHub(loadWorld(world), options).listen();
    const program = new Program(path);
    await openOn(program, fake);
    const ask = (step) => program.ask({ ...commandOf(step), prove: step.prove ?? false });
    try {
        await body({ fake, ask, state: fake.state, issue: fake.state.issues.get(12) });
        assert.deepEqual(fake.violations, []);
    } finally {
        await program.end();
        await fake.close();
    }
}

const post = { effect: 'post', number: 12, body: 'Hello.' };
const writes = [
    post,
    { effect: 'add label', number: 12, label: 'stale' },
    { effect: 'remove label', number: 12, label: 'bug' },
    { effect: 'close', number: 12, reason: 'completed' },
    { effect: 'reopen', number: 12 },
    { effect: 'lock', number: 12, reason: 'spam' },
    { effect: 'milestone', number: 12, milestone: 'v1.1.0' },
];

test('the issue is deleted', async () => {
    await race(async ({ ask, state, issue }) => {
        assert.equal((await ask({ read: 'issue 12 labels' })).answer, 'found');
        change.removeIssue(state, issue, 'maria');
        for (const step of writes) {
            assert.equal((await ask(step)).written, 'no', JSON.stringify(step));
        }
        assert.equal((await ask({ read: 'issue 12 labels' })).answer, 'missing');
        assert.equal((await ask({ read: 'issue 12 comments' })).answer, 'missing');
        assert.equal((await ask({ read: 'comment 3000000101 text' })).answer, 'missing');
    });
});

test('the issue becomes a pull request', async () => {
    await race(async ({ ask, state, issue }) => {
        assert.equal((await ask({ read: 'issue 12 title' })).answer, 'found');
        issue.pull = state.addPull(99).pull;
        state.issues.delete(99);
        assert.equal((await ask({ ask: 'issue', args: [12] })).answer, 'missing');
        assert.equal((await ask({ ask: 'pull', args: [12] })).answer, 'found');
    });
});

test('the issue moves to another repository', async () => {
    await race(async ({ fake, ask, state, issue }) => {
        change.removeIssue(state, issue, 'maria', `${fake.apiUrl}/repositories/99/issues/3`);
        for (const step of writes) {
            assert.equal((await ask(step)).written, 'no', JSON.stringify(step));
        }
        assert.equal((await ask({ read: 'issue 12 labels' })).answer, 'missing');
        assert.equal((await ask({ ask: 'numbered', args: [12] })).answer, 'missing');
        assert.ok(fake.requests.every((request) => !request.path.includes('/99/')));
    });
});

test('the repository is renamed', async () => {
    await race(async ({ fake, ask, state }) => {
        state.repository.formerNames.push(state.repository.name);
        state.repository.name = 'octo/renamed';
        assert.equal((await ask({ read: 'issue 12 title' })).answer, 'found');
        assert.equal((await ask({ read: 'issue 12 comments' })).answer, 'found');
        assert.equal((await ask({ read: 'repository open_issues' })).answer, 'found');
        // A redirect of a write is not followed; the next run knows the name.
        const answer = await ask(post);
        assert.equal(answer.written, 'no');
        assert.match(answer.why, /307/);
        assert.equal(fake.requests.filter((request) => request.method === 'POST' && request.operation !== 'graphql').length, 1);
    });
});

test('the issue is locked, closed, labelled, answered', async () => {
    await race(async ({ ask, state, issue }) => {
        assert.equal((await ask({ read: 'issue 12 labels' })).answer, 'found');
        change.lock(state, issue, 'maria', 'resolved');
        change.addLabel(state, issue, 'maria', 'stale');
        change.removeLabel(state, issue, 'maria', 'bug');
        change.close(state, issue, 'maria', { reason: 'not_planned' });
        for (const step of writes.slice(0, 4)) {
            assert.equal((await ask(step)).written, 'yes', JSON.stringify(step));
        }
        // The label that was there is one label, what was closed was closed by maria.
        assert.deepEqual(issue.labels, ['stale']);
        assert.deepEqual(issue.timeline.slice(-1)[0].kind, 'closed');
        assert.equal(issue.closedBy, 'maria');
    });
});

test('a label is renamed in another case', async () => {
    await race(async ({ ask, state, issue }) => {
        change.renameLabel(state, state.label('bug'), 'BUG');
        const labels = await ask({ read: 'issue 12 labels' });
        assert.equal(labels.value, '["BUG"]');
        assert.equal((await ask({ effect: 'add label', number: 12, label: 'bug', prove: true })).written, 'there');
        assert.equal((await ask({ effect: 'remove label', number: 12, label: 'bug' })).written, 'yes');
        assert.deepEqual(issue.labels, []);
    });
});

test('a comment is deleted, edited, deleted under the mark', async () => {
    await race(async ({ ask, state }) => {
        const comment = state.comments.get(3000000101);
        change.editComment(state, comment, 'github-actions[bot]', '<!-- old -->\r\nText of now.');
        const mark = { effect: 'mark', number: 3000000101, body: '<!-- new -->' };
        assert.equal((await ask(mark)).written, 'yes');
        assert.equal(comment.text, '<!-- new -->\r\nText of now.');
        change.deleteComment(state, comment, 'maria');
        assert.equal((await ask(mark)).written, 'no');
        assert.equal((await ask({ effect: 'react', number: 3000000101, kind: 'eyes' })).written, 'no');
    });
});

test('an account is gone', async () => {
    await race(async ({ ask, state, issue }) => {
        issue.author = 'ghost';
        issue.timeline[0].actor = 'ghost';
        state.comments.get(3000000101).author = 'ghost';
        assert.equal((await ask({ read: 'issue 12 author' })).value, '"ghost"');
        assert.equal(JSON.parse((await ask({ read: 'issue 12 timeline' })).value)[0].actor, 'ghost');
        assert.equal(JSON.parse((await ask({ read: 'issue 12 comments' })).value)[0].author, 'ghost');
        assert.equal(JSON.parse((await ask({ read: 'repository open_issues' })).value)[1].author, 'ghost');
        assert.equal((await ask({ read: 'user ghost permission' })).value, '"no_access"');
    });
});

test('a list of three pages', async () => {
    const { world } = readScenario('reads_of_issues');
    const issue = world.issues.find((row) => row.number === 12);
    issue.comments = Array.from({ length: 250 }, (_, i) => ({
        id: 3000001000 + i, author: 'alice', created_at: '2026-11-02T08:00:00Z', text: `Comment ${i}`,
    }));
    const fake = await new FakeGitHub(loadWorld(world)).listen();
    const program = new Program(path);
    await openOn(program, fake);
    try {
        const { value } = await program.ask(commandOf({ read: 'issue 12 comments' }));
        assert.deepEqual(JSON.parse(value).map((row) => row.text), issue.comments.map((row) => row.text));
        assert.equal(fake.requests.length, 3);
        assert.deepEqual(fake.violations, []);
    } finally {
        await program.end();
        await fake.close();
    }
});

test('the token may not do it', async () => {
    const { world } = readScenario('reads_of_issues');
    for (const [permissions, step, word] of [
        [{}, post, 'issues=write'],
        [{ issues: 'write' }, { ...post, number: 42 }, 'pull_requests=write'],
        [{ issues: 'write' }, { effect: 'status', sha: world.commits[0].sha, context: 'x', state: 'success' }, 'statuses=write'],
    ]) {
        await race(async ({ ask }) => {
            const answer = await ask(step);
            assert.equal(answer.written, 'no');
            assert.equal(answer.again, false);
            assert.ok(answer.help.includes(word), answer.help);
        }, { permissions });
    }
});
