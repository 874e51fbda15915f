// SPDX-License-Identifier: Apache-2.0
//
// The product's policies through `bylaw run`: every fault at every request of every scenario, and a kill
// between any two. Then the job runs again and GitHub is well: the end state is that of an undisturbed run.
// req: FLT-22 TST-22
//     BL_BYLAW=… BL_POLICYC=… node --test tests/world/run/matrix.test.mjs
// BL_MATRIX: a part of the names of the scenarios that run. BL_MATRIX_EVERY: only each n-th fault (1).
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { faultsFor, readAgain, waitedFor } from './fault_cases.mjs';
import { ended, run, scenarios, token } from './product_scenarios.mjs';

// ---- runs ----------------------------------------------------------------------------------------

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
