// SPDX-License-Identifier: Apache-2.0
//
// Every fault at every request of every scenario: the run ends as it should or goes on, and when the
// job runs again without faults, the end state is that of an undisturbed run.
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/faults.test.mjs
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test, { after } from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { dumpWorld } from '../fake/world_file.mjs';
import { faultsFor, readAgain, refusals, waitedFor } from './fault_cases.mjs';
import { Program } from './program.mjs';
import { actOnFake, commandOf, comparable, loadWorld, openOn, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;
const names = readdirSync(new URL('../scenarios/', import.meta.url))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''))
    .filter((name) => readScenario(name).once !== true);

// Texts of the world that must not stand in a message: a stranger wrote them.
const strangers = /It crashes|Please add a button|Which version|Me too|button|fake-token|Bad credentials|Server Error|not accessible/;

// One job: the steps in order until one fails. `acts` holds which people have acted already.
async function job(program, fake, scenario, acts, request_ms = 20000) {
    await openOn(program, fake, { request_ms });
    for (const [i, step] of scenario.steps.entries()) {
        if (step.act !== undefined) {
            if (!acts.has(i)) {
                acts.add(i);
                actOnFake(fake.state, step);
            }
            continue;
        }
        const answer = await program.ask(commandOf(step));
        if (answer.answer === 'failed' || ['no', 'unknown'].includes(answer.written)) {
            return { step, ...answer };
        }
        // What is missing for a moment stops a run that needs it.
        if (answer.answer === 'missing') {
            return { step, ...answer };
        }
    }
    return null;
}

let cases = 0;
let stopped = 0;
let killed = 0;
const requests = {};
after(() => {
    const sum = Object.values(requests).reduce((a, b) => a + b, 0);
    console.log(`${cases} faults at ${sum} requests of ${names.length} scenarios; ${stopped} stopped the run, ${killed} killed it.`);
});

for (const name of names) {
    test(name, async () => {
        const scenario = readScenario(name);
        const fake = await new FakeGitHub(loadWorld(scenario.world)).listen();
        let program = new Program(path);
        try {
            assert.equal(await job(program, fake, scenario, new Set()), null);
            const undisturbed = comparable(dumpWorld(fake.state), scenario.world);
            const log = [...fake.requests];
            requests[name] = log.length;
            // The same job again changes nothing.
            assert.equal(await job(program, fake, scenario, new Set(scenario.steps.keys())), null);
            assert.deepEqual(comparable(dumpWorld(fake.state), scenario.world), undisturbed);

            for (const [i, request] of log.entries()) {
                for (const fault of faultsFor(request)) {
                    const about = `${name}, request ${i + 1} (${request.operation}), ${fault.kind} ${fault.when}`;
                    cases += 1;
                    fake.use(loadWorld(scenario.world));
                    fake.faults.add({ ...fault, nth: i + 1 });
                    fake.onKill = () => program.process.kill('SIGKILL');
                    const acts = new Set();
                    let failure = null;
                    try {
                        failure = await job(program, fake, scenario, acts, fault.kind === 'hang' ? 250 : undefined);
                    } catch (error) {
                        assert.equal(fault.kind, 'kill', `${about}: ${error.message}`);
                        await program.ended;
                        program = new Program(path);
                        killed += 1;
                    }
                    const seen = fake.requests;
                    assert.ok(seen[i]?.fault !== null, `${about}: not met`);
                    assert.deepEqual(fake.violations, [], about);
                    stopped += failure === null ? 0 : 1;
                    if (failure !== null) {
                        const words = `${failure.what} ${failure.why} ${failure.help}`;
                        assert.ok(failure.what !== '', about);
                        assert.doesNotMatch(words, strangers, about);
                        assert.doesNotMatch(words, /[\n\r]/, about);
                    }
                    // Who may wait and who may ask again.
                    if (waitedFor.has(fault.kind) || (!request.write && readAgain.has(fault.kind))) {
                        assert.equal(failure, null, `${about}: ${JSON.stringify(failure)}`);
                    } else if (request.write && refusals.has(fault.kind)) {
                        assert.ok(failure !== null, about);
                    } else if (request.write && fault.kind !== 'kill') {
                        // A write of which nobody knows is sent once, and the run ends there; what
                        // GitHub said yes to in other words than ours is written.
                        const again = seen.slice(i + 1).filter((other) => other.write);
                        const understood = fault.kind === 'wrong_shape';
                        assert.ok(understood || (failure?.written === 'unknown' && again.length === 0), `${about}: ${JSON.stringify(failure)}`);
                    }

                    // The job runs again, and GitHub is well.
                    fake.faults.clear();
                    assert.equal(await job(program, fake, scenario, acts), null, about);
                    assert.deepEqual(comparable(dumpWorld(fake.state), scenario.world), undisturbed, about);
                    assert.deepEqual(fake.violations, [], about);
                }
            }
        } finally {
            await program.end();
            await fake.close();
        }
    });
}
