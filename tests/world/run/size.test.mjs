// SPDX-License-Identifier: Apache-2.0
//
// How many requests a repository of 100, 5,000 and 50,000 issues costs. req: PRF-06
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/size.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';

import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { commandOf, loadWorld, openOn, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;

function world(count) {
    const base = readScenario('reads_of_issues').world;
    const first = Date.parse('2026-01-01T00:00:00Z') / 1000;
    const issues = Array.from({ length: count }, (_, i) => ({
        number: i + 100,
        title: `Issue ${i}`,
        author: 'alice',
        created_at: new Date((first + i * 60) * 1000).toISOString().replace('.000Z', 'Z'),
        labels: i % 160 === 0 ? ['stale'] : [],
    }));
    return { ...base, now: new Date((first + count * 60) * 1000).toISOString().replace('.000Z', 'Z'), issues };
}

// What one event asks: the issue, its comments and history, and who wrote.
const event = ['issue 100 labels', 'issue 100 comments', 'issue 100 timeline', 'user alice permission'];

for (const count of [100, 5000, 50000]) {
    test(`${count} issues`, async () => {
        const state = loadWorld(world(count));
        const fake = await new FakeGitHub(state).listen();
        fake.limits.setLimit('graphql', 100000);
        const program = new Program(path);
        const requests = async (...steps) => {
            const before = fake.requests.length;
            await openOn(program, fake, { request_ms: 60000 });
            let answer;
            for (const step of steps) {
                answer = await program.ask(commandOf(step));
                assert.equal(answer.answer, 'found', JSON.stringify(answer).slice(0, 300));
            }
            return { sent: fake.requests.length - before, answer, counts: await program.ask({ do: 'counts' }) };
        };
        try {
            const one = await requests(...event.map((read) => ({ read })));
            assert.equal(one.sent, event.length);
            // Those of the last hour, of a repository of any size.
            const hour = new Date((state.now - 3600) * 1000).toISOString().replace('.000Z', 'Z');
            const today = await requests({ ask: 'issues_created', args: [hour, '2030-01-01T00:00:00Z'] });
            assert.equal(JSON.parse(today.answer.value).length, 60);
            assert.equal(today.sent, 1);
            const all = await requests({ read: 'repository open_issues' });
            assert.equal(JSON.parse(all.answer.value).length, count);
            assert.equal(all.sent, Math.ceil(count / 100));
            assert.deepEqual(fake.violations, []);
            console.log(
                `${count} issues: an event ${one.sent} requests, the newest hour ${today.sent}, ` +
                    `all open ones ${all.sent} (${all.counts.points} points).`,
            );
        } finally {
            await program.end();
            await fake.close();
        }
    });
}
