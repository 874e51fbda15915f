// SPDX-License-Identifier: Apache-2.0
//
// The steps of a scenario on either world. A step is a command of world_scenario: {read}, {ask},
// {effect}, or {act}, what a person does between two of them.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as change from '../fake/changes.mjs';
import { dumpWorld, loadWorld, time } from '../fake/world_file.mjs';

const folder = new URL('../scenarios/', import.meta.url);

export function readScenario(name) {
    const scenario = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
    const base = scenario.on ? JSON.parse(readFileSync(new URL(`worlds/${scenario.on}.json`, folder), 'utf8')) : {};
    return { name, ...scenario, world: { ...base, ...scenario.world } };
}

export function commandOf(step) {
    const [kind] = ['read', 'ask', 'effect', 'act'].filter((word) => step[word] !== undefined);
    if (kind === undefined) {
        throw new Error(`A step is a read, an ask, an effect or an act: ${JSON.stringify(step)}`);
    }
    switch (kind) {
        case 'read': {
            // "issue 12 labels", "user maria permission", "repository labels"
            const words = step.read.split(' ');
            const [entity, field] = [words[0], words.at(-1)];
            const about = words.slice(1, -1).join(' ');
            const number = entity !== 'commit' && /^\d+$/.test(about) ? Number(about) : undefined;
            return {
                do: 'read', entity, field, number,
                name: number === undefined && about !== '' ? about : undefined,
            };
        }
        case 'ask':
            return { do: 'ask', read: step.ask, args: step.args ?? [] };
        case 'effect':
            return { do: 'effect', prove: true, ...step };
        default:
            return { do: 'act', ...step };
    }
}

// What a person does, on the fake.
export function actOnFake(state, step) {
    const { act, who, number } = step;
    const issue = () => state.issue(number);
    switch (act) {
        case 'label':
            return change.addLabel(state, issue(), who, step.label);
        case 'unlabel':
            return change.removeLabel(state, issue(), who, step.label);
        case 'comment':
            return change.comment(state, issue(), who, step.body);
        case 'close':
            return change.close(state, issue(), who, { reason: step.reason });
        case 'reopen':
            return change.reopen(state, issue(), who);
        case 'edit':
            return change.editText(state, issue(), who, step.body);
        case 'delete comment':
            return change.deleteComment(state, state.comment(number), who);
        case 'open':
            return change.open(state, who, { number, title: step.title, text: step.body });
        default:
            throw new Error(`Nobody can '${act}'.`);
    }
}

const shown = (answer) => ({
    ...(answer.answer === undefined ? {} : { answer: answer.answer }),
    ...(answer.value === undefined ? {} : { value: JSON.parse(answer.value) }),
    ...(answer.written === undefined ? {} : { written: answer.written }),
    ...(answer.done === undefined ? {} : { done: answer.done }),
});

// Opens the simulator on a world and runs the steps; {answers, dump}.
export async function onSimulator(program, scenario) {
    const file = join(tmpdir(), `bylaw-world-${process.pid}.json`);
    writeFileSync(file, JSON.stringify(scenario.world));
    await program.ask({ do: 'sim', file });
    rmSync(file);
    const answers = [];
    for (const step of scenario.steps) {
        answers.push(shown(await program.ask(commandOf(step))));
    }
    const { dump } = await program.ask({ do: 'dump' });
    return { answers, dump: JSON.parse(dump) };
}

export const openOn = (program, fake, more = {}) =>
    program.ask({
        do: 'github',
        api: fake.apiUrl,
        graphql: fake.graphqlUrl,
        repository: fake.state.repository.name,
        repository_id: fake.state.repository.id,
        token: fake.token,
        account: fake.state.account,
        now: fake.state.now,
        request_ms: 20000, // a busy machine compiles the descriptions for longer than one would think
        ...more,
    });

// Runs the steps against the fake. With `stop`, ends at the first effect or read that failed, as a
// run does.
export async function onFake(program, fake, scenario, { stop = false, act = true, ...more } = {}) {
    await openOn(program, fake, more);
    const answers = [];
    for (const step of scenario.steps) {
        if (step.act !== undefined) {
            if (act) {
                // What is so already GitHub neither does nor tells.
                answers.push({ done: actOnFake(fake.state, step) !== false });
            }
            continue;
        }
        const answer = await program.ask(commandOf(step));
        answers.push({ ...shown(answer), full: answer });
        if (stop && (answer.answer === 'failed' || ['no', 'unknown'].includes(answer.written))) {
            return { answers, failed: answer, dump: dumpWorld(fake.state) };
        }
    }
    return { answers, failed: null, dump: dumpWorld(fake.state) };
}

export { loadWorld, time };

// ---- end states --------------------------------------------------------------------------------

// Two worlds give things that came new other ids, and know people in another order.
export function comparable(dump, world) {
    const out = structuredClone(dump);
    const given = new Set();
    for (const issue of [...(world.issues ?? []), ...(world.pull_requests ?? [])]) {
        for (const comment of issue.comments ?? []) {
            given.add(comment.id);
        }
    }
    for (const issue of [...(out.issues ?? []), ...(out.pull_requests ?? [])]) {
        for (const comment of issue.comments ?? []) {
            if (!given.has(comment.id)) {
                delete comment.id;
            }
        }
        issue.labels?.sort();
    }
    const described = new Set((world.users ?? []).map((user) => user.login.toLowerCase()));
    out.users = out.users
        .filter((user) => described.has(user.login.toLowerCase()))
        .map(({ id, ...user }) => user);
    // A status that is set again is another one of the same name; the last one counts.
    const last = new Map();
    for (const status of out.statuses ?? []) {
        last.set(`${status.commit} ${status.context}`, status);
    }
    out.statuses = [...last.values()];
    return out;
}
