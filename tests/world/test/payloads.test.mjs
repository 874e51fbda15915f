// SPDX-License-Identifier: Apache-2.0
//
// World files come back as they were, and what people do is sent as GitHub describes it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import * as change from '../fake/changes.mjs';
import { checkPayload, webhookNames } from '../fake/descriptions.mjs';
import { checkDeliveries, payload } from '../fake/webhooks.mjs';
import { dumpWorld, loadWorld } from '../fake/world_file.mjs';
import { HEAD, SHA, world } from '../help.mjs';

test('the example of the documentation comes back', () => {
    const page = readFileSync(new URL('../../../docs/world-file.md', import.meta.url), 'utf8');
    const example = JSON.parse(/```json\n([^]*?)```/.exec(page)[1]);
    const dumped = dumpWorld(loadWorld(example));
    assert.deepEqual(dumpWorld(loadWorld(dumped)), dumped);
    assert.deepEqual(dumped.issues.find((issue) => issue.number === 12), example.issues[0]);
    assert.deepEqual(dumped.statuses, example.statuses);
    assert.deepEqual(dumped.open_alerts, example.open_alerts);
    assert.deepEqual(dumped.variables, example.variables);
    assert.throws(() => loadWorld({ issues: [{ number: 1, titel: 'x' }] }), /titel/);
});

test('every payload agrees with its description', () => {
    const state = loadWorld(world());
    state.api = 'https://api.github.com';
    state.server = 'https://github.com';
    const issue = change.open(state, 'alice', { title: 'New', text: 'Text' });
    const old = state.issues.get(9);
    change.addLabel(state, issue, 'maria', 'bug');
    change.removeLabel(state, issue, 'maria', 'bug');
    change.editText(state, issue, 'alice', 'Other');
    change.retitle(state, issue, 'alice', 'Newer');
    change.assign(state, issue, 'maria', 'maria');
    change.setMilestone(state, issue, 'maria', 1);
    const row = change.comment(state, issue, 'alice', 'Hello');
    change.editComment(state, row, 'alice', 'Hello again');
    change.lock(state, issue, 'maria', 'spam');
    change.unlock(state, issue, 'maria');
    change.deleteComment(state, row, 'alice');
    change.close(state, issue, 'maria', { reason: 'not_planned' });
    change.reopen(state, issue, 'alice');
    change.removeIssue(state, issue, 'maria');
    change.removeIssue(state, state.issues.get(12), 'maria', 'https://api.github.com/repositories/9/issues/1');
    const pull = change.openPull(state, 'alice', { title: 'Fix', head: HEAD, commits: [HEAD], closes: [9] });
    change.addLabel(state, pull, 'maria', 'bug');
    state.closesAtMerge = true;
    change.merge(state, pull, 'maria', SHA);
    assert.equal(old.state, 'closed');
    change.publish(state, 'maria', { tag: 'v2', commit: SHA });
    change.publish(state, 'maria', { tag: 'v3', draft: true });
    change.setStatus(state, 'maria', SHA, { context: 'x', state: 'success' });

    assert.deepEqual(checkDeliveries(state), []);
    const sent = new Set(state.deliveries.map((delivery) => delivery.described));
    assert.deepEqual([...webhookNames].filter((name) => !sent.has(name)), ['workflow-dispatch']);
});

test('a run by hand', () => {
    const state = loadWorld(world());
    state.api = 'https://api.github.com';
    state.server = 'https://github.com';
    const sent = payload(state, 'workflow_dispatch', '', { inputs: { issue: '12', task: 'triage' }, sender: 'maria' });
    assert.deepEqual(checkPayload('workflow-dispatch', sent), []);
});
