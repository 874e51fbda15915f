// SPDX-License-Identifier: Apache-2.0
//
// The client over libcurl and the wire, watched: by the sanitizers where the build has them, else by Valgrind.
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/memory.test.mjs
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { loadWorld, onFake, readScenario } from './steps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'bylaw-memory-'));
after(() => rmSync(folder, { recursive: true }));

// Errors end the program with a code of their own.
function watched() {
    if (process.env.BL_SANITIZED === '1') {
        return process.env.BL_SCENARIO;
    }
    const path = join(folder, 'watched');
    const options = '-q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite';
    writeFileSync(path, `#!/bin/sh\nexec valgrind ${options} '${process.env.BL_SCENARIO}'\n`, { mode: 0o755 });
    return path;
}

const possible = process.env.BL_SANITIZED === '1' || spawnSync('valgrind', ['--version']).status === 0;
const faults = ['truncate', 'reset', 'malformed', 'empty', 'html', 'wrong_shape', 'bad_gateway_html', 'graphql_partial', 'not_found', 'primary'];

for (const [name, kinds] of [['reads_of_issues', [null]], ['reads_of_code', [null]], ['written_once', [null, ...faults]]]) {
    test(`no error of memory in ${name}`, { skip: possible ? false : 'there is no valgrind' }, async () => {
        const program = new Program(watched());
        const { world, ...scenario } = readScenario(name);
        const fake = await new FakeGitHub(loadWorld(world)).listen();
        try {
            for (const [i, kind] of kinds.entries()) {
                fake.use(loadWorld(world));
                if (kind !== null) {
                    fake.faults.add({ kind, nth: 1 + (i % 3), times: 1 + (i % 2) });
                }
                const { answers } = await onFake(program, fake, { ...scenario, world });
                assert.ok(answers.length > 0 && fake.requests.length > 0);
            }
        } finally {
            const { code } = await program.end();
            await fake.close();
            assert.equal(code, 0, program.errors);
            assert.equal(program.errors, '');
        }
    });
}
