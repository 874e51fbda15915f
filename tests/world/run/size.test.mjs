// SPDX-License-Identifier: Apache-2.0
//
// How many requests a repository of 100, 5,000 and 50,000 issues costs. req: PRF-06
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/size.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { Program } from './program.mjs';
import { compile } from '../year/simulator.mjs';
import { runStep } from './runner.mjs';
import { commandOf, loadWorld, openOn, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;
const bylaw = process.env.BL_BYLAW;
const policies = fileURLToPath(new URL('../policies/', import.meta.url));
const LABELLED = 300;

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

// ---- whole runs --------------------------------------------------------------------------------

const iso = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

// At most 300 issues wait; the rest is of no concern to the sweep.
function waiting(count) {
    const all = world(count);
    const every = Math.max(1, Math.floor(count / LABELLED));
    let left = LABELLED;
    for (const [i, issue] of all.issues.entries()) {
        issue.labels = i % every === 0 && left-- > 0 ? ['waits'] : [];
        // Theirs was the last word, so nothing is written.
        issue.comments = [{ id: 1000 + i, author: 'alice', created_at: issue.created_at, text: 'This one.' }];
    }
    return { ...all, labels: [{ name: 'waits' }, { name: 'crash', color: 'b60205', description: 'It ends by itself.' }] };
}

// What policyc promises: the reads of a step for lists of n.
function bound(policy, steps, n) {
    const page = execFileSync(process.env.BL_POLICYC, ['--emit=cost', `${policies}${policy}`], { encoding: 'utf8' });
    let sum = 0;
    for (const step of steps) {
        const [, reads] = page.match(new RegExp(`\\| step \`${step}\` \\|[^|]*\\| ([^|]*) \\|`));
        for (const term of reads.split(' + ')) {
            const [, factor, variable, power] = term.match(/^(\d*)(n?)(?:\^(\d+))?$/);
            sum += (factor === '' ? 1 : Number(factor)) * (variable === '' ? 1 : n ** Number(power ?? 1));
        }
    }
    return sum;
}

async function job(fake, name, eventName, event, policy, ...more) {
    const before = fake.requests.length;
    const done = await runStep({
        command: ['bash', '-c', 'git init -q && exec "$@"', '-', bylaw, 'run', name, '-p', policy.startsWith('/') ? policy : `${policies}${policy}`, '--json', '--now', iso(fake.state.now), ...more],
        event, eventName, repository: fake.state.repository.name, repositoryId: fake.state.repository.id, fake,
        env: { GITHUB_TOKEN: fake.token, BYLAW_TEST_LOOPBACK: '1', ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true' },
    });
    assert.equal(done.code, 0, done.stdout + done.stderr);
    const sent = fake.requests.slice(before);
    const result = JSON.parse(done.stdout);
    // What the run counts is what was sent.
    assert.equal(result.github.requests, sent.length);
    assert.equal(result.github.queries, sent.filter(({ operation }) => operation === 'graphql').length);
    return { sent, result, of: (operation) => sent.filter((request) => request.operation === operation).length };
}

/* req: PRF-06 */
for (const count of [100, 5000, 50000]) {
    test(`a sweep over ${count} issues asks for those with the label`, async () => {
        const state = loadWorld(waiting(count));
        const fake = await new FakeGitHub(state).listen();
        try {
            const labelled = Math.min(count, LABELLED);
            const sweep = await job(
                fake, 'sweep', 'schedule', payload(state, 'schedule', '', { schedule: '0 6 * * *' }), 'desk.policy',
            );
            assert.equal(sweep.result.units.length, labelled);
            assert.equal(sweep.result.writes, 0);
            // Their pages, the newest closed issues, and the comments of twenty at a time.
            assert.equal(sweep.of('graphql'), sweep.sent.length);
            assert.equal(sweep.sent.length, Math.ceil(labelled / 100) + 1 + Math.ceil(labelled / 20));
            // The first page of a list is the read of it.
            assert.equal(sweep.result.reads, sweep.sent.length - (Math.ceil(labelled / 100) - 1));
            assert.ok(sweep.result.reads <= bound('desk.policy', ['silent', 'unfinished'], labelled));
            const event = await job(
                fake, 'event', 'issues', payload(state, 'issues', 'opened', { issue: state.issue(100), sender: 'alice' }),
                'desk.policy',
            );
            assert.deepEqual(fake.violations, []);
            console.log(
                `${count} issues, ${labelled} with the label: a sweep ${sweep.sent.length} requests ` +
                    `(${sweep.result.github.points} points of GraphQL), an event ${event.sent.length}.`,
            );
        } finally {
            await fake.close();
        }
    });
}

// Of each issue that waits the product asks for its comments, its history and the edits of its text.
test('a morning of the product asks for what it needs of twenty issues at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-size-'));
    const product = compile(folder);
    const by = 'github-actions[bot]';
    const counts = [];
    try {
        for (const count of [20, 60, 100]) {
            const state = loadWorld({
                ...readScenario('reads_of_issues').world,
                now: '2026-11-20T05:00:00Z',
                labels: [{ name: 'needs-info' }],
                issues: Array.from({ length: count }, (_, i) => ({
                    number: i + 100, title: 'It waits', author: 'alice', created_at: '2026-11-18T07:00:00Z', labels: ['needs-info'],
                    timeline: [{ kind: 'labeled', actor: by, at: '2026-11-18T08:00:00Z', label: 'needs-info' }],
                    comments: [{ id: 1000 + i, author: by, created_at: '2026-11-18T08:00:00Z', text: '<!-- issue-assistant:analysis lang=en questions=1 -->\n\nWhich?' }],
                })),
            });
            const fake = await new FakeGitHub(state).listen();
            try {
                const { sent, result } = await job(fake, 'sweep', 'schedule', payload(state, 'schedule', '', { schedule: '41 6 * * *' }), product);
                assert.deepEqual(fake.violations, []);
                assert.equal(result.writes, 0);
                counts.push(sent.length);
                console.log(`${count} wait: a morning of the product is ${sent.length} requests (${result.github.points} points).`);
            } finally {
                await fake.close();
            }
        }
        assert.deepEqual(counts, [counts[0], counts[0] + 2, counts[0] + 4]);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

// What the AI reads: all open issues, the thousand closed ones that changed last, and what a search finds.
/* req: CTX-09 PRF-05 */
test('the context of an analysis does not grow with the history of a repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-size-'));
    const product = compile(folder);
    const counts = [];
    try {
        for (const count of [5000, 50000]) {
            const all = world(count);
            for (const [i, issue] of all.issues.entries()) {
                issue.labels = [];
                if (i >= LABELLED) Object.assign(issue, { state: 'closed', state_reason: 'completed', closed_at: issue.created_at });
            }
            const state = loadWorld({ ...all, labels: [{ name: 'needs-triage' }] });
            const fake = await new FakeGitHub(state).listen();
            const files = join(folder, String(count));
            try {
                const { sent, result } = await job(
                    fake, 'analyze', 'issues', payload(state, 'issues', 'opened', { issue: state.issue(100), sender: 'alice' }),
                    product, '--task', 'triage', '--folder', files,
                );
                assert.deepEqual(fake.violations, []);
                assert.equal(readFileSync(join(files, 'issues.jsonl'), 'utf8').trim().split('\n').length, LABELLED - 1 + 1000);
                counts.push(sent.length);
                console.log(`${count} issues: what the AI reads is ${sent.length} requests (${result.github.points} points).`);
            } finally {
                await fake.close();
            }
        }
        assert.equal(counts[1], counts[0]);
        assert.ok(counts[1] <= 30, `${counts[1]} requests`); // low tens
    } finally {
        rmSync(folder, { recursive: true });
    }
});
