// SPDX-License-Identifier: Apache-2.0
//
// The year of year.test.mjs as steps of Actions against the fake GitHub, which has bad minutes: the same
// rules hold, and it ends as it does on the simulator, where nothing goes wrong.
//     BL_POLICYC=… BL_BYLAW=… node --test tests/world/year/on_fake.test.mjs
// The first weeks of a small one. All of one, which takes minutes: BL_YEAR_ISSUES=220 BL_YEAR_DAYS=365.
// BL_YEAR_SEED: another one; BL_YEAR_FAULTS: the share of the runs that meet a fault.
import assert from 'node:assert/strict';
import test from 'node:test';

import { dumpWorld } from '../fake/world_file.mjs';
import { year } from './drive.mjs';
import { OnFake } from './on_fake.mjs';
import { Simulator } from './simulator.mjs';

const size = {
    seed: Number(process.env.BL_YEAR_SEED ?? 4),
    issues: Number(process.env.BL_YEAR_ISSUES ?? 100),
    days: Number(process.env.BL_YEAR_DAYS ?? 33),
};
const faults = Number(process.env.BL_YEAR_FAULTS ?? 0.5);

async function lived(home) {
    try {
        return await year(home, size);
    } finally {
        await home.close();
    }
}

// Either world numbers its comments in its own way; a request is a digest of such a number.
function plain(state) {
    const dump = dumpWorld(state);
    const comments = dump.issues.flatMap((issue) => (issue.comments ?? []).map((comment, i) => [comment, `${issue.number}.${i}`]));
    const nth = new Map(comments.map(([comment, name]) => [String(comment.id), name]));
    for (const [comment] of comments) {
        delete comment.id;
        comment.text = comment.text.replace(/( notice=|#issuecomment-)(\d+)/g, (_, sign, id) => `${sign}${nth.get(id)}`)
            .replace(/ request=[0-9a-f]{64}/g, ' request=');
    }
    return dump;
}

/* req: FLT-10, FLT-17, FLT-18, FLT-22 */
test(`${size.days} days against the fake, of a repository with ${size.issues} issues a year`, async () => {
    const simulator = new Simulator();
    const home = await OnFake.open({ seed: size.seed, faults });
    const { violations, state, acts, events, lost, mornings, writes } = await lived(home);
    const { runs, requests, most, queries, points, again, milliseconds, faults: met } = home.sums;
    const sum = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
    console.log(
        `seed ${size.seed}: ${state.issues.size} issues, ${state.comments.size} comments, ${sum(acts)} acts of people; ` +
            `${events} events, ${lost} lost, ${mornings} mornings, ${writes} writes; ${runs} runs in ` +
            `${Math.round(milliseconds / 1000)} s, ${requests} requests, at most ${most} in a run, ${queries} queries of ` +
            `${points} points; ${sum(met)} faults, ${again} runs made again: ${JSON.stringify(met)}`,
    );
    assert.deepEqual(violations, []);
    assert.ok(writes > 0);
    assert.equal(sum(met) > 0, faults > 0);
    const undisturbed = await lived(simulator);
    assert.deepEqual(undisturbed.violations, []);
    assert.deepEqual(acts, undisturbed.acts);
    assert.deepEqual(plain(state), plain(undisturbed.state));
});
