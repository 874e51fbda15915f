// SPDX-License-Identifier: Apache-2.0
//
// Runs jobs of a compiled policy as steps of Actions against the fake GitHub: `bylaw run` over HTTP, with
// the environment that a runner gives and nothing else. What a step does that a runner or GitHub would not
// take is a problem, and so is a count of requests that is not what was sent. GitHub has bad minutes: a
// run that one of them stopped, or a runner that disappeared, is followed by another of the same job.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeGitHub } from '../fake/server.mjs';
import { State } from '../fake/state.mjs';
import { payload } from '../fake/webhooks.mjs';
import { faultsFor } from '../run/fault_cases.mjs';
import { runStep } from '../run/runner.mjs';
import { Random } from './random.mjs';
import { compile } from './simulator.mjs';

const token = 'ghs_the-token-of-a-year';
// What the workflow of the product passes.
const passed = { ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true' };
// GitHub says that something is not there: another decision is right then, and no other end would be.
const lies = new Set(['not_found']);
// It takes its time; tests/world/run/matrix.test.mjs waits for it.
const slow = new Set(['hang']);

const copy = (state) => Object.assign(Object.create(State.prototype), structuredClone(state));
const iso = (seconds) => new Date(seconds * 1000).toISOString().replace('.000', '');

export class OnFake {
    // `faults`: in which share of the runs a request meets one. `changes`: as Simulator takes them.
    static async open({ seed = 1, faults = 0, changes = [] } = {}) {
        const home = new OnFake();
        home.folder = mkdtempSync(join(tmpdir(), 'bylaw-year-'));
        home.module = compile(home.folder, changes);
        home.fake = await new FakeGitHub(new State(), { token }).listen();
        home.random = new Random(seed);
        home.share = faults;
        home.sums = { runs: 0, requests: 0, most: 0, queries: 0, points: 0, again: 0, milliseconds: 0, faults: {} };
        return home;
    }

    // As Simulator.run; `before` stays as it is.
    async run(job, before, delivery) {
        const { fake, sums } = this;
        const began = Date.now();
        const state = copy(before);
        fake.state = state;
        fake.limits.state = state;
        fake.violations = [];
        fake.address();
        this.arm();
        let step = await this.step(job, state, delivery);
        const problems = [...step.failures];
        if (step.code !== 0 && this.fault.hits > 0) {
            problems.push(...stopped(job, step));
            sums.again += 1;
            fake.faults.clear();
            step = await this.step(job, state, delivery);
            problems.push(...step.failures);
        }
        fake.faults.clear();
        sums.milliseconds += Date.now() - began;
        const done = this.judge(job, step);
        return { state, ...done, problems: [...problems, ...done.problems, ...fake.violations] };
    }

    // A fault of any kind that the n-th request can meet. GraphQL's kinds wait for a query.
    arm() {
        const { random, fake } = this;
        this.fault = { hits: 0 };
        if (!random.chance(this.share)) {
            return;
        }
        const operation = random.chance(0.5) ? 'graphql' : undefined;
        const kinds = faultsFor({ operation, status: 200 }).filter(({ kind }) => !lies.has(kind) && !slow.has(kind));
        const row = random.pick(kinds);
        this.fault = fake.faults.add({ ...row, operation, nth: random.between(1, 7) });
        fake.onKill = () => this.child.kill('SIGKILL');
    }

    async step(job, state, delivery) {
        const { fake, sums } = this;
        const given = delivery ?? { name: 'schedule', payload: payload(state, 'schedule', '', { schedule: '41 6 * * *' }) };
        fake.requests = [];
        const step = await runStep({
            command: [process.env.BL_BYLAW, 'run', job, '-p', this.module, '--json', '--now', iso(state.now)],
            event: given.payload, eventName: given.name,
            repository: state.repository.name, repositoryId: state.repository.id, fake,
            env: { ...passed, GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', BYLAW_TEST_REQUEST_MS: '60000' },
            secrets: [token],
            started: (child) => { this.child = child; },
        });
        sums.runs += 1;
        sums.requests += fake.requests.length;
        sums.most = Math.max(sums.most, fake.requests.length);
        if (this.fault.hits > 0) {
            sums.faults[this.fault.kind] = (sums.faults[this.fault.kind] ?? 0) + 1;
        }
        return step;
    }

    judge(job, step) {
        const { fake, sums } = this;
        assert.notEqual(step.stdout, '', `${job} ended with ${step.code ?? step.signal}: ${step.stderr}`);
        const { github, ...result } = JSON.parse(step.stdout);
        const problems = [];
        if (step.code !== 0) {
            problems.push(`${job} ended with ${step.code}: ${step.stderr.trim()}`);
        }
        // libcurl asks anew by itself when a connection that it keeps ends before the answer begins. No write does.
        const kept = fake.requests.filter(({ fault, write }) => fault?.startsWith('reset') && !write).length;
        const unseen = fake.requests.length - github.requests;
        if (unseen < 0 || unseen > kept || github.writes !== fake.requests.filter((r) => r.write).length) {
            problems.push(`${job} counts ${JSON.stringify(github)}, and ${fake.requests.length} requests came`);
        }
        sums.queries += github.queries;
        sums.points += github.points;
        const effects = result.units.flatMap((unit) => unit.effects);
        return {
            task: result.task,
            writes: result.writes,
            words: effects.filter((effect) => effect.state === 'done').map((effect) => effect.words),
            left: effects.filter((effect) => effect.state === 'left').length,
            problems,
        };
    }

    async close() {
        await this.fake.close();
        rmSync(this.folder, { recursive: true });
    }
}

// A run that did not go through says so once, or a sweep once for each thing. FLT-08, FLT-17
function stopped(job, step) {
    if (step.signal === 'SIGKILL') {
        return [];
    }
    const errors = step.commands.filter(({ name }) => name === 'error');
    const warnings = step.commands.filter(({ name }) => name === 'warning');
    const said = step.code === 5 ? errors.length === 1 : step.code === 1 && errors.length + warnings.length > 0;
    return said ? [] : [`${job} ended with ${step.code}, and said ${JSON.stringify(step.commands)}: ${step.stderr}`];
}
