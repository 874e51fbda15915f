// SPDX-License-Identifier: Apache-2.0
//
// Every operation of the table is called here, and every answer agrees with its description.
import assert from 'node:assert/strict';
import test from 'node:test';

import { operations } from '../fake/operations.mjs';
import { HEAD, OLD, R, SHA, withFake, world } from '../help.mjs';

const change = (state) => {
    state.runs.push({
        id: 5000000001, name: 'Issues', file: 'issues.yml', event: 'schedule', branch: 'main',
        createdAt: state.now - 60, workflow: 77,
    });
    state.jobs.push({ id: 6000000001, run: 5000000001, name: 'triage', startedAt: state.now - 50 });
    state.issues.get(40).pull.files.push({
        sha: SHA, filename: 'src/index.js', status: 'modified', additions: 1, deletions: 1, changes: 2,
        blob_url: 'https://github.com/x', raw_url: 'https://github.com/x', contents_url: 'https://api.github.com/x',
    });
    state.commits.get(SHA).parents.push(OLD);
};

// [method, path, body, status]
const calls = [
    ['GET', '/rate_limit', , 200],
    ['GET', '/user', , 200],
    ['GET', '/users/maria', , 200],
    ['GET', '/users/nobody-here', , 404],
    ['GET', '/search/issues?q=crashes+repo:octo/demo+is:issue+label:bug', , 200],
    ['GET', R, , 200],
    ['GET', '/repositories/512345678', , 200],
    ['GET', '/repos/octo/other', , 200],
    ['GET', '/repos/octo/none', , 404],
    ['GET', `${R}/collaborators`, , 200],
    ['GET', `${R}/collaborators/maria/permission`, , 200],
    ['GET', `${R}/collaborators/alice/permission`, , 200],
    ['GET', `${R}/collaborators/renovate%5Bbot%5D/permission`, , 404],

    ['GET', `${R}/issues?state=all&per_page=2`, , 200],
    ['POST', `${R}/issues`, { title: 'New', body: 'Text', labels: ['bug', 'fresh'], assignees: ['maria'] }, 201],
    ['GET', `${R}/issues/12`, , 200],
    ['GET', `${R}/issues/40`, , 200],
    ['GET', `${R}/issues/999`, , 404],
    ['PATCH', `${R}/issues/12`, { title: 'Crash', body: 'Sometimes.', labels: ['bug'] }, 200],
    ['PATCH', `${R}/issues/12`, { state: 'closed', state_reason: 'duplicate', duplicate_issue_id: 2600000009 }, 200],
    ['PATCH', `${R}/issues/12`, { state: 'open' }, 200],
    ['PATCH', `${R}/issues/12`, { milestone: 1 }, 200],
    ['PATCH', `${R}/issues/12`, { milestone: null }, 200],
    ['PATCH', `${R}/issues/12`, { milestone: 7 }, 422],
    ['GET', `${R}/issues/comments?since=2026-11-02T08:30:00Z&sort=updated&direction=asc`, , 200],
    ['GET', `${R}/issues/12/comments?per_page=1`, , 200],
    ['POST', `${R}/issues/12/comments`, { body: 'Thank you.' }, 201],
    ['POST', `${R}/issues/12/comments`, { body: '' }, 422],
    ['POST', `${R}/issues/12/comments`, { body: 'x'.repeat(65537) }, 422],
    ['GET', `${R}/issues/comments/3000000101`, , 200],
    ['GET', `${R}/issues/comments/1`, , 404],
    ['PATCH', `${R}/issues/comments/3000000101`, { body: 'Which version is it?' }, 200],
    ['DELETE', `${R}/issues/comments/3000000102`, , 204],
    ['GET', `${R}/issues/12/events`, , 200],
    ['GET', `${R}/issues/12/timeline`, , 200],
    ['GET', `${R}/issues/12/labels`, , 200],
    ['POST', `${R}/issues/12/labels`, { labels: [{ name: 'needs-info', rationale: 'No version', confidence: 'high' }] }, 200],
    ['POST', `${R}/issues/12/labels`, { labels: ['bug'] }, 200],
    ['PUT', `${R}/issues/12/labels`, { labels: ['bug', 'other'] }, 200],
    ['DELETE', `${R}/issues/12/labels/BUG`, , 200],
    ['DELETE', `${R}/issues/12/labels/bug`, , 404],
    ['DELETE', `${R}/issues/12/labels`, , 204],
    ['PUT', `${R}/issues/12/lock`, { lock_reason: 'too heated' }, 204],
    ['DELETE', `${R}/issues/12/lock`, , 204],
    ['POST', `${R}/issues/12/assignees`, { assignees: ['alice'] }, 201],
    ['DELETE', `${R}/issues/12/assignees`, { assignees: ['alice'] }, 200],
    ['GET', `${R}/labels?per_page=1`, , 200],
    ['POST', `${R}/labels`, { name: 'made', color: '00ff00', description: 'x' }, 201],
    ['POST', `${R}/labels`, { name: 'MADE', color: '00ff00' }, 422],
    ['POST', `${R}/labels`, { name: 'long', description: 'x'.repeat(101) }, 422],
    ['GET', `${R}/labels/Made`, , 200],
    ['GET', `${R}/labels/none`, , 404],
    ['PATCH', `${R}/labels/made`, { new_name: 'remade', color: '0000ff' }, 200],
    ['DELETE', `${R}/labels/remade`, , 204],
    ['GET', `${R}/milestones?state=all`, , 200],
    ['POST', `${R}/milestones`, { title: 'v2', state: 'closed' }, 201],
    ['POST', `${R}/milestones`, { title: 'v2' }, 422],
    ['GET', `${R}/milestones/2`, , 200],
    ['PATCH', `${R}/milestones/2`, { state: 'open' }, 200],
    ['DELETE', `${R}/milestones/2`, , 204],
    ['GET', `${R}/issues/12/reactions`, , 200],
    ['POST', `${R}/issues/12/reactions`, { content: 'rocket' }, 201],
    ['GET', `${R}/issues/comments/3000000101/reactions?content=-1`, , 200],
    ['POST', `${R}/issues/comments/3000000101/reactions`, { content: 'eyes' }, 201],
    ['POST', `${R}/issues/comments/3000000101/reactions`, { content: 'eyes' }, 200],

    ['GET', `${R}/pulls?state=closed&sort=updated&direction=desc`, , 200],
    ['GET', `${R}/pulls/40`, , 200],
    ['GET', `${R}/pulls/12`, , 404],
    ['GET', `${R}/pulls/40/commits`, , 200],
    ['GET', `${R}/pulls/40/files`, , 200],
    ['GET', `${R}/pulls/40/merge`, , 204],
    ['GET', `${R}/commits/${HEAD}`, , 200],
    ['GET', `${R}/commits/${'9'.repeat(40)}`, , 422],
    ['GET', `${R}/commits/${SHA}/pulls`, , 200],
    ['GET', `${R}/compare/${OLD}...v1.1.0`, , 200],
    ['GET', `${R}/releases`, , 200],
    ['GET', `${R}/releases/latest`, , 200],
    ['GET', `${R}/releases/tags/v1.0.0`, , 200],
    ['GET', `${R}/releases/tags/v0`, , 404],
    ['GET', `${R}/commits/${SHA}/statuses`, , 200],
    ['GET', `${R}/commits/${SHA}/status`, , 200],
    ['POST', `${R}/statuses/${SHA}`, { state: 'pending', context: 'x', description: 'Waits' }, 201],
    ['POST', `${R}/statuses/${'9'.repeat(40)}`, { state: 'pending' }, 422],
    ['GET', `${R}/actions/runs`, , 200],
    ['GET', `${R}/actions/workflows/issues.yml/runs?event=schedule&per_page=5`, , 200],
    ['GET', `${R}/actions/runs/5000000001`, , 200],
    ['GET', `${R}/actions/runs/5000000001/jobs?filter=all`, , 200],
    ['GET', `${R}/code-scanning/alerts?state=open&tool_name=CodeQL`, , 200],
    ['GET', `${R}/code-scanning/alerts/1`, , 200],
    ['PATCH', `${R}/code-scanning/alerts/1`, { state: 'dismissed', dismissed_reason: "won't fix" }, 200],
];

test('every operation answers as it is described', async () => {
    await withFake({ change }, async (client, fake) => {
        for (const [method, path, body, status] of calls) {
            const answer = await client.ask(method, path, body);
            assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
        }
        // What was made on the way is found under its number.
        const [reaction] = fake.state.comments.get(3000000101).reactions.slice(-1);
        const gone = `${R}/issues/comments/3000000101/reactions/${reaction.id}`;
        assert.equal((await client.ask('DELETE', gone)).status, 204);
        const { id } = fake.state.releases[0];
        assert.equal((await client.get(`${R}/releases/${id}`)).status, 200);
        const called = new Set(fake.requests.map((request) => request.operation));
        assert.deepEqual([...operations.keys()].filter((name) => !called.has(name)), []);
    });
});

test('changes are those of GitHub', async () => {
    await withFake({}, async (client, fake) => {
        const issue = fake.state.issues.get(12);
        const kinds = () => issue.timeline.slice(2).map((event) => event.kind);
        const ask = (...args) => client.ask(...args);

        await ask('POST', `${R}/issues/12/labels`, { labels: ['BUG', 'new one'] });
        assert.deepEqual(issue.labels, ['bug', 'new one']);
        assert.equal(fake.state.findLabel('new one').color, 'ededed');
        assert.deepEqual(kinds(), ['labeled']);

        const close = { state: 'closed', state_reason: 'not_planned' };
        const closed = (await ask('PATCH', `${R}/issues/12`, close)).body;
        assert.equal(closed.state_reason, 'not_planned');
        assert.equal(closed.closed_at, '2026-11-20T05:00:00Z');
        assert.equal(closed.closed_by.login, 'github-actions[bot]');
        // "Ignored unless state is changed."
        const again = (await ask('PATCH', `${R}/issues/12`, { state: 'closed', state_reason: 'completed' })).body;
        assert.equal(again.state_reason, 'not_planned');
        const open = (await ask('PATCH', `${R}/issues/12`, { state: 'open' })).body;
        assert.equal(open.state_reason, 'reopened');
        assert.equal(open.closed_at, null);
        assert.deepEqual(kinds(), ['labeled', 'closed', 'reopened']);

        // The event of an assignment: who is assigned, and who assigned.
        await ask('POST', `${R}/issues/12/assignees`, { assignees: ['alice'] });
        const events = (await client.get(`${R}/issues/12/events`)).body;
        assert.equal(events.at(-1).actor.login, 'alice');
        assert.equal(events.at(-1).assigner.login, 'github-actions[bot]');
        const timeline = (await client.get(`${R}/issues/12/timeline`)).body;
        assert.equal(timeline.at(-1).actor.login, 'github-actions[bot]');

        // Somebody who is gone.
        const [, ghost] = (await client.get(`${R}/issues/12/comments`)).body;
        assert.equal(ghost.user.login, 'ghost');
        assert.equal(ghost.author_association, 'NONE');
    });
});

test('what is gone is gone, and what moved is elsewhere', async () => {
    const from = world();
    await withFake({ from }, async (client, fake) => {
        const { state } = fake;
        const { removeIssue } = await import('../fake/changes.mjs');
        removeIssue(state, state.issues.get(12), 'maria');
        removeIssue(state, state.issues.get(9), 'maria', `${fake.apiUrl}/repositories/99/issues/1`);
        assert.equal((await client.get(`${R}/issues/12`)).status, 410);
        const moved = await client.get(`${R}/issues/9`);
        assert.equal(moved.status, 301);
        assert.equal(moved.headers.get('location'), `${fake.apiUrl}/repositories/99/issues/1`);

        state.repository.formerNames.push('octo/demo');
        state.repository.name = 'octo/renamed';
        const renamed = await client.get(`${R}/issues/40?x=1`);
        assert.equal(renamed.status, 301);
        assert.equal(renamed.headers.get('location'), `${fake.apiUrl}/repositories/512345678/issues/40?x=1`);
        assert.equal((await client.ask('POST', `${R}/issues/40/comments`, { body: 'x' })).status, 307);
        fake.violations = []; // x=1 is no parameter
    });
});
