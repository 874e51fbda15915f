// SPDX-License-Identifier: Apache-2.0
//
// Runs jobs of a compiled policy on the simulator of the runtime; the repository goes in and comes out as a
// world file.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dumpWorld, loadWorld } from '../fake/world_file.mjs';

const policies = new URL('../../../policies/issue_assistant', import.meta.url).pathname;

// Compiles the product, with texts of its files replaced wherever they stand: [[from, to]]. Path of the module.
export function compile(folder, changes = []) {
    const product = join(folder, 'issue_assistant');
    cpSync(policies, product, { recursive: true });
    for (const [from, to] of changes) {
        const holding = readdirSync(product)
            .filter((file) => file.endsWith('.policy') && !file.endsWith('_test.policy'))
            .map((file) => join(product, file))
            .filter((path) => readFileSync(path, 'utf8').includes(from));
        if (holding.length === 0) {
            throw new Error(`no policy holds '${from}'`);
        }
        for (const path of holding) {
            writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
        }
    }
    const module = join(folder, 'product.pbc');
    const out = spawnSync(process.env.BL_POLICYC, [product, '-o', module], { encoding: 'utf8' });
    if (out.status !== 0) {
        throw new Error(out.stderr + out.stdout);
    }
    return module;
}

export class Simulator {
    constructor(changes = []) {
        this.folder = mkdtempSync(join(tmpdir(), 'bylaw-year-'));
        this.module = compile(this.folder, changes);
        this.milliseconds = 0;
    }

    // {state, task, writes, words, left, problems}
    run(job, state, delivery) {
        const file = (name) => join(this.folder, name);
        const began = Date.now();
        writeFileSync(file('world.json'), JSON.stringify(dumpWorld(state)));
        const args = ['run', job, '-p', this.module, '-w', file('world.json'), '--end-state', file('end.json'), '--json'];
        if (delivery !== null) {
            writeFileSync(file('event.json'), JSON.stringify(delivery.payload));
            args.push('-e', file('event.json'), '-n', delivery.name);
        }
        const out = spawnSync(process.env.BL_BYLAW, args, { encoding: 'utf8', env: {}, maxBuffer: 1 << 28 });
        if (out.stdout === '') {
            throw new Error(`${args.join(' ')} ended with ${out.status ?? out.signal}: ${out.stderr}`);
        }
        const result = JSON.parse(out.stdout);
        const end = loadWorld(JSON.parse(readFileSync(file('end.json'), 'utf8')));
        this.milliseconds += Date.now() - began;
        const effects = result.units.flatMap((unit) => unit.effects.map((effect) => ({ unit: unit.unit, ...effect })));
        return {
            state: end,
            task: result.task,
            writes: result.writes,
            words: effects.filter((effect) => effect.state === 'done').map((effect) => effect.words),
            left: effects.filter((effect) => effect.state === 'left').length,
            problems: out.status === 0 ? [] : [`${job} ended with ${out.status}: ${out.stderr.trim()}`],
        };
    }

    close() {
        rmSync(this.folder, { recursive: true });
    }
}
