// SPDX-License-Identifier: Apache-2.0
//
// The product's policies through `bylaw run`, and people who do something at any request of it: add or take
// away a label, answer, close, lock, edit, delete, move. Then what they did is told to the job for events, and
// the job runs again. req: FLT-10 FLT-15 FLT-22 LIF-05 LIF-12
//     BL_BYLAW=… BL_POLICYC=… node --test tests/world/run/meanwhile.test.mjs
// BL_MATRIX: a part of the names of the scenarios that run. BL_MATRIX_EVERY: only each n-th case (1).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

import * as change from '../fake/changes.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { ended, run, scenarios, token } from './product_scenarios.mjs';

const by = 'github-actions[bot]';
const HELP = 'help wanted';
const iso = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const own = (issue) => issue.labels.filter((label) => label !== HELP);

// Each does it to the issue, and says what must be so afterwards; false: there is nothing to do.
const acts = {
    'maria adds a label': (state, issue) => {
        change.addLabel(state, issue, 'maria', HELP);
        return { holds: () => assert.ok(issue.labels.includes(HELP)) };
    },
    'maria takes the labels away': (state, issue) => {
        const taken = own(issue);
        for (const label of taken) {
            change.removeLabel(state, issue, 'maria', label);
        }
        const from = issue.timeline.length;
        // What the run was about to write when she came it may have written; the next run does not.
        return taken.length > 0 && {
            before: () => issue.timeline.slice(from).filter((row) => row.kind === 'labeled' && row.actor === by).length,
            holds: (before) => assert.equal(
                issue.timeline.slice(from).filter((row) => row.kind === 'labeled' && row.actor === by && taken.includes(row.label)).length <= before, true,
            ),
        };
    },
    'alice answers': (state, issue) => {
        const said = change.comment(state, issue, 'alice', 'It is version 2.');
        return {
            told: { eventName: 'issue_comment', event: payload(state, 'issue_comment', 'created', { issue, comment: said, sender: 'alice' }) },
            holds: () => {
                assert.ok(!issue.labels.includes('needs-info') && !issue.labels.includes('stale'), issue.labels.join());
                // Who was closed for silence is open again.
                assert.ok(issue.state === 'open' || issue.stateReason !== 'not_planned');
            },
        };
    },
    'maria closes it': (state, issue) => {
        if (!change.close(state, issue, 'maria', { reason: 'completed' })) {
            return false;
        }
        return {
            told: { eventName: 'issues', event: payload(state, 'issues', 'closed', { issue, sender: 'maria' }) },
            holds: () => assert.deepEqual([issue.state, issue.stateReason, issue.closedBy], ['closed', 'completed', 'maria']),
        };
    },
    'maria locks it': (state, issue) => {
        change.lock(state, issue, 'maria', 'spam');
        return { holds: () => assert.deepEqual([issue.locked, issue.lockReason], [true, 'spam']) };
    },
    'alice edits the text': (state, issue) => {
        change.editText(state, issue, 'alice', `${issue.text}\n\nIt is version 2.`);
        return {
            told: { eventName: 'issues', event: payload(state, 'issues', 'edited', { issue, changes: { body: { from: '' } }, sender: 'alice' }) },
            holds: () => assert.ok(!issue.labels.includes('stale'), issue.labels.join()),
        };
    },
    'maria deletes the last comment': (state, issue) => {
        const last = state.comments.get(issue.comments.at(-1));
        if (last === undefined) {
            return false;
        }
        change.deleteComment(state, last, 'maria');
        return { holds: () => {} };
    },
    'maria deletes it': (state, issue) => {
        change.removeIssue(state, issue, 'maria');
        return { gone: true, holds: () => assert.ok(!state.issues.has(12)) };
    },
    'maria moves it': (state, issue) => {
        change.removeIssue(state, issue, 'maria', `${state.api}/repositories/99/issues/3`);
        return { gone: true, holds: () => assert.ok(!state.issues.has(12)) };
    },
};

// No comment of ours stands twice: their first line says what they are.
function checkComments(state) {
    for (const issue of state.issues.values()) {
        const lines = issue.comments.map((id) => state.comments.get(id)).filter((row) => row.author === by).map((row) => row.text.split('\n')[0]);
        assert.deepEqual(lines, [...new Set(lines)], `#${issue.number}`);
    }
}

const every = Number(process.env.BL_MATRIX_EVERY ?? 1);
let all = 0;
let cases = 0;
let stopped = 0;
after(() => console.log(`${cases} of ${all} times somebody did something meanwhile; ${stopped} stopped the run.`));

async function one(fake, scenario, nth, act, wanted) {
    let did = null;
    fake.use(loadWorld(scenario.world));
    const { state } = fake;
    fake.meanwhile = (number) => {
        if (number === nth && did === null) {
            state.now += 1;
            did = act(state, state.issue(12));
        }
    };
    const first = await run(fake, scenario);
    fake.meanwhile = () => {};
    if (!did) {
        return false;
    }
    assert.ok([0, 1, 5].includes(first.code), first.stdout + first.stderr);
    stopped += first.code === 0 ? 0 : 1;
    checkComments(state);
    const before = did.before?.();
    // What happened is an event, and the job runs again; a third time it finds nothing to do.
    const now = iso(state.now + 1);
    const again = async (more = {}) => {
        const done = await run(fake, scenario, { now, ...more });
        assert.ok(done.code === 0 || did.gone, done.stdout + done.stderr);
    };
    state.now += 1;
    if (did.told !== undefined) {
        await again({ job: 'event', ...did.told });
    }
    await again();
    const end = ended(fake, scenario);
    fake.requests.length = 0;
    await again();
    assert.deepEqual(fake.requests.filter((request) => request.write), []);
    assert.deepEqual(ended(fake, scenario), end);
    did.holds(before);
    checkComments(state);
    // Nothing else is closed, or loses a label of a person.
    for (const issue of end.issues.filter((row) => row.number !== 12)) {
        assert.deepEqual(issue, wanted.issues.find((row) => row.number === issue.number));
    }
    assert.deepEqual(fake.violations, []);
    return true;
}

describe('people meanwhile', { concurrency: 2 }, () => {
    for (const [name, scenario] of Object.entries(scenarios)) {
        if (!name.includes(process.env.BL_MATRIX ?? '') || !scenario.world.issues.some((issue) => issue.number === 12)) {
            continue;
        }
        test(name, async () => {
            const fake = await new FakeGitHub(loadWorld(scenario.world), { token }).listen();
            try {
                await run(fake, scenario);
                const wanted = ended(fake, scenario);
                const count = fake.requests.length;
                const failures = [];
                for (let nth = 1; nth <= count; nth += 1) {
                    for (const [what, act] of Object.entries(acts)) {
                        if (all++ % every === 0) {
                            try {
                                cases += (await one(fake, scenario, nth, act, wanted)) ? 1 : 0;
                            } catch (error) {
                                failures.push(`${what} at request ${nth}: ${error.message}`);
                            }
                        }
                    }
                }
                assert.equal(failures.join('\n\n'), '');
            } finally {
                await fake.close();
            }
        });
    }
});
