// SPDX-License-Identifier: Apache-2.0
//
// Repositories and what happens in them, with the policies that decide about it: what `bylaw run` is held
// against, whatever goes wrong (matrix.test.mjs) and whoever does something meanwhile (meanwhile.test.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { payload } from '../fake/webhooks.mjs';
import { dumpWorld, loadWorld } from '../fake/world_file.mjs';
import { runStep } from './runner.mjs';
import { comparable } from './steps.mjs';

export const token = 'fake-token-of-the-run';
const folder = mkdtempSync(join(tmpdir(), 'bylaw-scenarios-'));
after(() => rmSync(folder, { recursive: true }));

const sources = new Map(); // of modules
function compile(name, path) {
    const module = join(folder, `${name}.pbc`);
    const source = fileURLToPath(new URL(path, import.meta.url));
    sources.set(module, source);
    const done = spawnSync(process.env.BL_POLICYC, [source, '-o', module], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    return module;
}
const product = compile('product', '../../../policies/issue_assistant');
const alerts = compile('alerts', '../../language/run/alerts');

// ---- scenarios -----------------------------------------------------------------------------------

const by = 'github-actions[bot]';
const labelled = (label, at, actor = by) => ({ kind: 'labeled', actor, at, label });
const world = (...issues) => ({
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: by,
    users: [
        { login: 'maria', association: 'owner' },
        { login: 'alice', association: 'nobody' },
        { login: 'bob', association: 'contributor' }, // whose permission is asked for
    ],
    labels: ['needs-info', 'stale', 'possible-duplicate', 'needs-triage', 'fixed'].map((name) => ({ name, color: 'ededed' })),
    issues: [
        { number: 9, title: 'It crashes at start', author: 'maria', created_at: '2026-10-01T10:00:00Z' },
        {
            number: 10, title: 'Left alone', author: 'alice', created_at: '2026-09-01T10:00:00Z', labels: ['needs-info', 'pinned'],
            timeline: [labelled('needs-info', '2026-09-02T10:00:00Z', 'maria'), labelled('pinned', '2026-09-02T10:00:01Z', 'maria')],
        },
        ...issues,
    ],
});
const asked = (at) => ({ id: 900, author: by, created_at: at, text: '<!-- issue-assistant:analysis lang=en questions=1 -->\n\nWhich?' });
const waiting = (number, at, more = {}) => ({
    number, title: 'It waits', text: 'Text.', author: 'alice', created_at: at.replace('T08', 'T07'), labels: ['needs-info', 'needs-triage'],
    comments: [asked(at)], timeline: [labelled('needs-info', at)], ...more,
});
const reminded = (number, at, day, closes, said = []) => waiting(number, at, {
    labels: ['needs-info', 'stale', 'needs-triage'],
    comments: [
        asked(at),
        {
            id: 901, author: by, created_at: day,
            text: `<!-- issue-assistant:reminder since=${encodeURIComponent(at)} closes=${closes} -->\n\nPlease.`,
        },
        ...said,
    ],
    timeline: [labelled('needs-info', at), labelled('stale', day)],
});
const says = (author, text) => ({ id: 910, author, created_at: '2026-11-20T04:59:30Z', text });
const commented = (number) => (state) => {
    const comment = state.comments.get(910);
    return payload(state, 'issue_comment', 'created', { issue: state.issue(number), comment, sender: comment.author });
};
const ofMorning = { job: 'sweep', eventName: 'schedule', event: (state) => payload(state, 'schedule', '', { schedule: '41 6 * * *' }) };
const onComment = { job: 'event', eventName: 'issue_comment' };

export const scenarios = {
    'a new issue': {
        job: 'event', eventName: 'issues',
        world: world({ number: 12, title: 'It crashes', text: '### Area\n\nCore', author: 'bob', created_at: '2026-11-20T04:59:30Z' }),
        event: (state) => payload(state, 'issues', 'opened', { issue: state.issue(12), sender: 'bob' }),
        ends: (state) => state.issue(12).labels.includes('needs-triage'),
    },
    'an answer ends the waiting': {
        ...onComment,
        world: world(reminded(12, '2026-11-03T08:00:00Z', '2026-11-18T06:41:00Z', '2026-12-03', [says('alice', 'Version 1.')])),
        event: commented(12),
        ends: (state) => state.issue(12).labels.join() === 'needs-triage' && state.comments.get(900).text.includes('follow-ups='),
    },
    'a reminder': {
        ...ofMorning,
        world: world(waiting(12, '2026-11-03T08:00:00Z')),
        ends: (state) => state.issue(12).labels.includes('stale') && state.issue(12).comments.length === 2,
    },
    'a closing': {
        ...ofMorning,
        world: world(reminded(12, '2026-10-20T08:00:00Z', '2026-11-04T06:41:00Z', '2026-11-19')),
        ends: (state) => state.issue(12).state === 'closed' && state.issue(12).stateReason === 'not_planned',
    },
    'a duplicate closes': {
        ...ofMorning,
        world: world({
            number: 12, title: 'It crashes', author: 'alice', created_at: '2026-11-16T07:00:00Z',
            labels: ['possible-duplicate', 'needs-triage'], timeline: [labelled('possible-duplicate', '2026-11-16T08:00:00Z')],
            comments: [{
                id: 900, author: by, created_at: '2026-11-16T08:00:01Z', text: '<!-- issue-assistant:analysis lang=en duplicate=9 -->\n\nA twin.',
                reactions: [{ user: 'bob', kind: 'thumbs_down', at: '2026-11-17T08:00:00Z' }],
            }],
        }),
        ends: (state) => state.issue(12).stateReason === 'duplicate' && state.issue(12).duplicateOf === 9,
    },
    'a release closes': {
        ...ofMorning,
        world: {
            ...world({
                number: 12, title: 'Fixed', author: 'alice', created_at: '2026-11-01T07:00:00Z', labels: ['needs-triage', 'fixed-in-next-release'],
                timeline: [labelled('fixed-in-next-release', '2026-11-15T08:00:00Z', 'maria')],
            }),
            releases: [{ tag: 'v1.1.0', published_at: '2026-11-19T12:00:00Z' }],
        },
        ends: (state) => state.issue(12).state === 'closed' && state.milestones[0]?.title === 'v1.1.0',
        attempts: true,
    },
    'findings are dismissed': {
        ...ofMorning,
        job: 'findings',
        module: alerts,
        world: {
            ...world(),
            open_alerts: [
                { number: 1, tool: 'CodeQL', rule: 'js/xss', path: 'test/page.js' },
                { number: 2, tool: 'CodeQL', rule: 'js/unused-local-variable', path: 'src/a.js' },
            ],
        },
        ends: (state) => [...state.alerts.values()].map((alert) => alert.dismissedReason).join() === "used in tests,won't fix",
    },
    'a command is refused': {
        ...onComment,
        world: world(waiting(12, '2026-11-03T08:00:00Z', { comments: [asked('2026-11-03T08:00:00Z'), says('alice', '/assistant mute')] })),
        event: commented(12),
        ends: (state) => state.comments.get(910).reactions[0]?.kind === 'confused',
    },
    'a command is carried out': {
        ...onComment,
        world: world({ number: 12, title: 'It crashes', author: 'alice', created_at: '2026-11-16T07:00:00Z', comments: [says('maria', '/assistant duplicate #9')] }),
        event: commented(12),
        ends: (state) => state.comments.get(910).reactions[0]?.kind === 'eyes' && state.issue(12).comments.length === 2,
    },
};

// {issues: 'write', …}: what the compiler says that the job of a scenario needs.
export function permissionsOf({ job, module = product }) {
    const page = spawnSync(process.env.BL_POLICYC, ['--emit=permissions', sources.get(module)], { encoding: 'utf8' }).stdout;
    const [, needed] = page.match(new RegExp(`## Job \`${job}\`\n[^]*?\nNeeded: ([^\n]*)\\.\n`));
    return Object.fromEntries([...needed.matchAll(/`([a-z-]+): ([a-z]+)`/g)].map(([, key, level]) => [key, level]));
}

// ---- runs ----------------------------------------------------------------------------------------

// What people wrote in these repositories, and what tools found: not for the log, nor for the summary. An alert
// is named by its number.
// req: OUT-11
const strangers = /It crashes|Left alone|It waits|Which\?|Version 1|version 2|A twin|Core|Text\.|CodeQL|js\/|page\.js|a\.js/;

// `more` takes the place of what the scenario says: job, event, eventName, now.
export async function run(fake, scenario, { hangs = false, started, ...more } = {}) {
    const { job, event, eventName, now } = {
        job: scenario.job, event: scenario.event(loadWorldOf(fake, scenario)), eventName: scenario.eventName, now: scenario.world.now, ...more,
    };
    const done = await runStep({
        command: [process.env.BL_BYLAW, 'run', job, '-p', scenario.module ?? product, '--now', now],
        event,
        eventName,
        repository: 'octo/demo',
        repositoryId: fake.state.repository.id,
        fake,
        env: {
            GITHUB_TOKEN: token, BYLAW_TEST_LOOPBACK: '1', ISSUE_ASSISTANT_AI: '', CLAUDE_CODE_OAUTH_TOKEN: 'true',
            ...(hangs ? { BYLAW_TEST_REQUEST_MS: '300' } : {}),
        },
        secrets: [token],
        started,
    });
    assert.deepEqual(done.failures, []);
    assert.doesNotMatch(`${done.stdout}\n${done.stderr}\n${done.summary}`, strangers);
    return done;
}

// The event is the same when the job runs again, whatever happened since.
function loadWorldOf(fake, scenario) {
    return Object.assign(loadWorld(scenario.world), { server: fake.state.server, api: fake.state.api });
}

export const ended = (fake, scenario) => comparable(dumpWorld(fake.state), scenario.world);
