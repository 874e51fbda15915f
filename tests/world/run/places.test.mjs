// SPDX-License-Identifier: Apache-2.0
//
// Words of others in every place where a run leaves words: the comment, the timeline, the log, annotations, the summary,
// outputs. What would be a command, a mention, a link or a variable there is none.
//     BL_BYLAW=path/to/bylaw node --test tests/world/run/places.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { FakeGitHub } from '../fake/server.mjs';
import { payload } from '../fake/webhooks.mjs';
import { loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';

const policy = fileURLToPath(new URL('../places/places.policy', import.meta.url));
const token = 'fake-token-of-the-run';
const title =
    '::add-mask::x ##[error]y %0A::warning::z @octocat #99 [x](https://evil.example) <b>w</b> <!-- places:said --> $q$ | a';
const text = `${title}\n::stop-commands::mine\n::error::v\u001b[31m\r##[add-mask]u\nnumber<<END\n99\nEND\n- # heading\n\`\`\`\n@octocat`;

const world = {
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [{ login: 'alice', association: 'nobody' }],
    labels: [{ name: 'told', color: 'c5def5' }],
    issues: [{ number: 12, title, text, author: 'alice', created_at: '2026-11-20T04:59:00Z' }],
};

// Nothing is live in Markdown: code aside, no name, number, link, tag, comment or formula stands there.
function isTame(markdown) {
    const words = markdown.replace(/(`+)[^`](?:[^]*?[^`])?\1(?!`)/g, '').replace(/\\[!-/:-@[-`{-~]/g, '').replace(/&(?:lt|amp);/g, ' ');
    assert.doesNotMatch(words, /@\w|#\d|\]\(|<[A-Za-z!?/]|https?:|\$\w|^\s*(?:[-+*]\s+|>\s*)*#{1,6}\s/m, markdown);
}

async function run(job, eventName, event, work, args = []) {
    const fake = await new FakeGitHub(loadWorld(world), { token }).listen();
    try {
        const done = await runStep({
            command: [process.env.BL_BYLAW, 'run', job, '-p', policy, '--now', world.now, ...args],
            event: event(fake.state),
            eventName,
            repository: fake.state.repository.name,
            repositoryId: fake.state.repository.id,
            fake,
            env: { GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1' },
            secrets: [token],
        });
        assert.deepEqual(done.failures, []);
        await work(done, fake);
    } finally {
        await fake.close();
    }
}
const opened = (state) => payload(state, 'issues', 'opened', { issue: state.issue(12), sender: 'alice' });

/* req: OUT-01, OUT-02, OUT-03, OUT-07 */
test('a comment, annotations and outputs hold words of others as words', () =>
    run('event', 'issues', opened, (done, fake) => {
        assert.deepEqual(done.commands.map(({ name }) => name), ['notice', 'warning', 'error']);
        for (const { data } of done.commands) {
            assert.ok(!/[\n\r\u001b]/.test(data), data);
            isTame(data);
        }
        assert.deepEqual(done.outputs, { number: '12', outputs: '{"number":"12"}' });
        const comment = fake.state.comments.get(fake.state.issue(12).comments[0]);
        const [first, ...rest] = comment.text.split('\n');
        assert.match(first, /^<!-- places:said /);
        assert.ok(rest.join('\n').includes('Title: '));
        isTame(rest.join('\n'));
    }));

/* req: OUT-08 */
test('the summary holds words of others as words, and the log no command of theirs', () =>
    run('sweep', 'schedule', (state) => payload(state, 'schedule', '', { schedule: '0 6 * * *' }), (done) => {
        assert.deepEqual(done.commands, []);
        const [item] = done.summary.split('\n').filter((line) => line.startsWith('- ::add-mask'));
        assert.ok(item !== undefined, done.summary);
        isTame(item.slice(2));
    }));

/* req: OUT-04, OUT-08 */
test('a dry run says the same between the same brackets', () =>
    run('event', 'issues', opened, (done) => {
        assert.deepEqual(done.commands.map(({ name }) => name), ['notice', 'warning', 'error']);
        const [, , inside] = done.stdout.match(/^::stop-commands::(bylaw-[0-9a-f]{32})\n([^]*)\n::\1::\n/m);
        assert.match(inside, /add label told/);
        assert.match(inside, /::add-mask::x/);
        assert.deepEqual(done.outputs, {});
    }, ['--dry-run']));
