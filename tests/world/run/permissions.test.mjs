// SPDX-License-Identifier: Apache-2.0
//
// What `policyc --emit=permissions` says a job needs is what its runs need: in a private repository, where reads
// need it too, they do all they should with a token of just that. With less, no run takes what it may not read
// for something that is not there: it says what is lacking, and goes on when it has it. req: FLT-01 FLT-07
//     BL_BYLAW=… BL_POLICYC=… node --test tests/world/run/permissions.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { ended, permissionsOf, run, scenarios, token } from './product_scenarios.mjs';

// {issues: 'write', …} with one of them less.
function* lesser(permissions) {
    for (const [key, level] of Object.entries(permissions)) {
        const { [key]: _, ...others } = permissions;
        yield [key, others];
        if (level === 'write') {
            yield [key, { ...others, [key]: 'read' }];
        }
    }
}

for (const [name, open] of Object.entries(scenarios)) {
    test(name, async () => {
        const scenario = { ...open, world: { ...open.world, public: false } };
        const needed = permissionsOf(scenario);
        const fake = await new FakeGitHub(loadWorld(scenario.world), { token, permissions: needed }).listen();
        try {
            const whole = await run(fake, scenario);
            assert.equal(whole.code, 0, whole.stdout + whole.stderr);
            assert.ok(scenario.ends(fake.state), JSON.stringify(ended(fake, scenario), null, 1));
            assert.deepEqual(fake.violations, []);
            const wanted = ended(fake, scenario);
            for (const [key, permissions] of lesser(needed)) {
                const about = `${key} of ${JSON.stringify(needed)} is ${permissions[key]}`;
                fake.use(loadWorld(scenario.world));
                fake.permissions = permissions;
                const less = await run(fake, scenario);
                const words = `${about}\n${less.stdout}\n${less.stderr}`;
                if (less.code === 0) {
                    // Nothing of this run needed it.
                    assert.deepEqual(ended(fake, scenario), wanted, words);
                    continue;
                }
                assert.ok([1, 5].includes(less.code), words);
                assert.ok(new RegExp(`'${key.replace('-', '[-_]')}[:=]`).test(less.stdout + less.stderr), words);
                fake.permissions = needed;
                const again = await run(fake, scenario);
                assert.equal(again.code, 0, `${words}\n${again.stdout}`);
                assert.deepEqual(ended(fake, scenario), wanted, words);
                assert.deepEqual(fake.violations, [], about);
            }
        } finally {
            await fake.close();
        }
    });
}
