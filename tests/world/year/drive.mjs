// SPDX-License-Identifier: Apache-2.0
//
// A year of a repository: people act, each event and each morning runs the compiled policies, and the
// rules look at what came of it. Where the repository lives is the caller's (simulator.mjs).

import { loadWorld } from '../fake/world_file.mjs';
import { answerTask, People, world } from './people.mjs';
import { Random } from './random.mjs';
import { DAY } from './reading.mjs';
import { afterEvent, afterMorning } from './rules.mjs';

const START = Date.UTC(2027, 11, 20) / 1000; // over a new year and a leap day
const MORNING = 6 * 3600 + 41 * 60;
const LOST = 0.06; // of the events
const heard = new Set(['issues.opened', 'issues.edited', 'issue_comment.created']);

// {days, events, lost, mornings, writes, comments, closed, violations}. `until`: stop at that many violations.
export async function year(home, { seed, issues, doing, days = 365, until = 20 }) {
    const random = new Random(seed);
    const people = new People(random, { issues, doing });
    const count = { days: 0, acts: {}, events: 0, lost: 0, mornings: 0, writes: 0, violations: [] };
    const named = (given) => Object.assign(given, { server: 'https://github.com', api: 'https://api.github.com' });
    let state = named(loadWorld(world(START)));

    const event = async (delivery) => {
        const before = state;
        const number = delivery.payload.issue.number;
        const out = await home.run('event', before, delivery);
        state = named(out.state);
        count.events += 1;
        count.writes += out.writes;
        count.violations.push(...out.problems.map((what) => `event of #${number}: ${what}`));
        count.violations.push(...afterEvent(before, state, number, delivery.payload.sender.login));
        if (out.task !== null) {
            state.now += 60;
            answerTask(random, state, state.issues.get(number), out.task);
        }
    };
    const morning = async (again) => {
        const before = state;
        const out = await home.run('sweep', before, null);
        state = named(out.state);
        count.mornings += 1;
        count.writes += out.writes;
        count.violations.push(...out.problems);
        count.violations.push(...afterMorning(before, state));
        if (again && out.left === 0) {
            const second = await home.run('sweep', state, null);
            if (second.writes > 0) {
                count.violations.push(`a second sweep on the same morning wrote: ${second.words.join('; ')}`);
            }
        }
    };
    for (let day = 0; day < days && count.violations.length < until; day += 1) {
        const start = START + day * DAY;
        const acts = [...people.day(start), { at: start + MORNING, act: 'morning' }].sort((a, b) => a.at - b.at);
        for (const { at, act } of acts) {
            state.now = Math.max(state.now + 1, at);
            state.deliveries = [];
            if (act === 'morning') {
                await morning(day % 5 === 0);
                continue;
            }
            const done = people.do(state, act);
            if (done !== null) {
                count.acts[act] = (count.acts[act] ?? 0) + 1;
            }
            const deliveries = state.deliveries.filter((d) => heard.has(`${d.name}.${d.action}`));
            for (const delivery of deliveries) {
                // A run that failed or never began: the next morning has to see what it missed. LIF-08, DUP-15
                if (random.chance(LOST)) {
                    count.lost += 1;
                } else {
                    await event(delivery);
                }
            }
        }
        count.days += 1;
    }
    count.state = state;
    return count;
}
