// SPDX-License-Identifier: Apache-2.0
//
// The program world_scenario as a process: a line of JSON to it, a line back.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Program {
    constructor(path) {
        this.process = spawn(path, [], { stdio: ['pipe', 'pipe', 'pipe'] });
        this.waiting = [];
        this.errors = '';
        this.ended = new Promise((done) => {
            this.process.on('close', (code, signal) => {
                this.gone = { code, signal };
                for (const { reject } of this.waiting) {
                    reject(new Error(`world_scenario ended with ${code ?? signal}: ${this.errors}`));
                }
                done(this.gone);
            });
        });
        this.process.stderr.on('data', (chunk) => {
            this.errors += chunk;
        });
        this.process.stdin.on('error', () => {});
        createInterface({ input: this.process.stdout }).on('line', (line) => {
            this.waiting.shift().resolve(JSON.parse(line));
        });
    }

    ask(command) {
        if (this.gone) {
            return Promise.reject(new Error('world_scenario has ended'));
        }
        return new Promise((resolve, reject) => {
            this.waiting.push({ resolve, reject });
            this.process.stdin.write(`${JSON.stringify(command)}\n`);
        });
    }

    // As a runner's machine that disappears.
    kill() {
        this.process.kill('SIGKILL');
        return this.ended;
    }

    end() {
        this.process.stdin.end();
        return this.ended;
    }
}
