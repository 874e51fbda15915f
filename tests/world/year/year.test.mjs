// SPDX-License-Identifier: Apache-2.0
//
// A year of a repository under the product's policies (drive.mjs), or the first days of one.
//     BL_POLICYC=… BL_BYLAW=… node --test tests/world/year/year.test.mjs
// BL_YEAR_SEED, BL_YEAR_ISSUES, BL_YEAR_DAYS: another year than this.
import assert from 'node:assert/strict';
import test from 'node:test';

import { year } from './drive.mjs';
import { Simulator } from './simulator.mjs';

const size = {
    seed: Number(process.env.BL_YEAR_SEED ?? 1),
    issues: Number(process.env.BL_YEAR_ISSUES ?? 90),
    days: Number(process.env.BL_YEAR_DAYS ?? 80),
};

test(`${size.days} days of a repository with ${size.issues} issues a year`, async () => {
    const home = new Simulator();
    try {
        const { violations, state, events, lost, mornings, writes, acts } = await year(home, size);
        const comments = state.comments.size;
        console.log(
            `seed ${size.seed}: ${state.issues.size} issues, ${comments} comments, ` +
                `${Object.values(acts).reduce((a, b) => a + b, 0)} acts of people, ${events} events, ${lost} lost, ` +
                `${mornings} mornings, ${writes} writes`,
        );
        assert.deepEqual(violations, []);
        assert.ok(writes > 0);
    } finally {
        home.close();
    }
});
