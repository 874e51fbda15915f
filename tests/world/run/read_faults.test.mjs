// SPDX-License-Identifier: Apache-2.0
//
// Every fault at every request of every read: what comes out is the undisturbed answer or a failure,
// and "missing" only when GitHub says so. req: FLT-01, FLT-02, FLT-03, FLT-05
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/read_faults.test.mjs
import assert from 'node:assert/strict';
import test, { after } from 'node:test';

import { graphqlOnly, kinds } from '../fake/faults.mjs';
import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { commandOf, loadWorld, openOn, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;
const left = new Set(['kill', 'unavailable', 'internal', 'secondary_429', 'secondary_429_after']); // as others
const saysMissing = new Set(['not_found']);
const goesOn = new Set([
    'bad_gateway', 'bad_gateway_html', 'reset', 'truncate', 'hang', 'secondary', 'secondary_after', 'secondary_abuse',
    'graphql_error', 'graphql_partial', 'graphql_secondary',
]);

let cases = 0;
let steps = 0;
after(() => console.log(`${cases} faults at the requests of ${steps} reads.`));

for (const name of ['reads_of_issues', 'reads_of_code']) {
    test(name, async () => {
        const scenario = readScenario(name);
        const fake = await new FakeGitHub(loadWorld(scenario.world)).listen();
        const program = new Program(path);
        const run = async (step, request_ms = 20000) => {
            await openOn(program, fake, { request_ms });
            return program.ask(commandOf(step));
        };
        try {
            for (const step of scenario.steps) {
                fake.use(loadWorld(scenario.world));
                const undisturbed = await run(step);
                const log = [...fake.requests];
                assert.match(undisturbed.answer, /^(found|missing)$/, JSON.stringify(step));
                steps += 1;
                for (const [i, request] of log.entries()) {
                    for (const kind of Object.keys(kinds)) {
                        if (left.has(kind) || (graphqlOnly.has(kind) && request.operation !== 'graphql')) {
                            continue;
                        }
                        // A part that was missing is missing, whatever else is.
                        if (kind === 'graphql_partial' && undisturbed.answer === 'missing') {
                            continue;
                        }
                        cases += 1;
                        const about = `${JSON.stringify(step)}, request ${i + 1}, ${kind}`;
                        fake.requests = [];
                        fake.faults.clear();
                        fake.faults.add({ kind, nth: i + 1 });
                        const answer = await run(step, kind === 'hang' ? 250 : undefined);
                        const words = `${about}: ${JSON.stringify(answer).slice(0, 400)}`;
                        assert.deepEqual(fake.violations, [], about);
                        if (answer.answer === 'failed') {
                            assert.ok(!goesOn.has(kind), words);
                        } else if (answer.answer === 'missing') {
                            assert.ok(saysMissing.has(kind) || undisturbed.answer === 'missing', words);
                        } else if (answer.value !== undefined) {
                            // Who is not found has no access: the one answer that 404 gives.
                            const gone = kind === 'not_found' && step.read?.endsWith(' permission');
                            assert.equal(answer.value, gone ? '"no_access"' : undisturbed.value, words);
                        }
                    }
                }
            }
        } finally {
            await program.end();
            await fake.close();
        }
    });
}
