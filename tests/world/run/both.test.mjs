// SPDX-License-Identifier: Apache-2.0
//
// Every scenario against the simulator of the runtime and against the client and the fake server: the
// answers and the end states are the same, and the fake saw nothing that GitHub does not describe.
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/both.test.mjs
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { comparable, loadWorld, onFake, onSimulator, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;
const names = readdirSync(new URL('../scenarios/', import.meta.url))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''));

const plain = ({ full, ...answer }) => answer;

// A query of the client may bring more of a thing along than was asked for; what both know is the same.
function known(mine, theirs) {
    if (Array.isArray(mine) && Array.isArray(theirs)) {
        return mine.map((item, i) => known(item, theirs[i]));
    }
    if (mine?.key === undefined || theirs?.key === undefined) {
        return mine;
    }
    return Object.fromEntries(
        Object.entries(mine)
            .filter(([key]) => key in theirs)
            .map(([key, value]) => [key, known(value, theirs[key])]),
    );
}

for (const name of names) {
    test(name, async () => {
        const scenario = readScenario(name);
        const program = new Program(path);
        const fake = await new FakeGitHub(loadWorld(scenario.world)).listen();
        try {
            const sim = await onSimulator(program, scenario);
            const github = await onFake(program, fake, scenario);
            for (const [i, step] of scenario.steps.entries()) {
                const mine = plain(github.answers[i]);
                mine.value = known(mine.value, sim.answers[i].value);
                assert.deepEqual(
                    mine, { value: undefined, ...sim.answers[i] },
                    `${JSON.stringify(step).slice(0, 200)} ${JSON.stringify(github.answers[i].full)}`,
                );
            }
            assert.deepEqual(
                comparable(github.dump, scenario.world), comparable(sim.dump, scenario.world),
            );
            assert.deepEqual(fake.violations, []);
        } finally {
            await program.end();
            await fake.close();
        }
    });
}
