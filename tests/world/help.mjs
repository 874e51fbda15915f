// SPDX-License-Identifier: Apache-2.0
//
// What the tests share: a fake with a world, and a client without opinions.

import assert from 'node:assert/strict';

import { FakeGitHub } from './fake/server.mjs';
import { loadWorld } from './fake/world_file.mjs';

export const SHA = '6113728f27ae82c7b1a177c8d03f9e96e0adf246';
export const OLD = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
export const HEAD = '0123456789012345678901234567890123456789';

export const world = () => ({
    now: '2026-11-20T05:00:00Z',
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [
        { login: 'maria', association: 'owner' },
        { login: 'alice', association: 'nobody' },
        { login: 'renovate[bot]', kind: 'bot' },
    ],
    labels: [
        { name: 'needs-info', color: 'fef2c0', description: 'Waits for an answer' },
        { name: 'bug', color: 'd73a4a' },
    ],
    milestones: [{ title: 'v1.1.0', closed: true }],
    commits: [
        { sha: OLD, author: 'maria', committed_at: '2026-11-01T09:00:00Z' },
        { sha: SHA, author: 'maria', committed_at: '2026-11-10T09:00:00Z', message: 'Fix' },
        { sha: HEAD, author: 'renovate[bot]', committed_at: '2026-11-09T09:00:00Z' },
    ],
    issues: [
        {
            number: 9, title: 'It crashes at start', author: 'maria', created_at: '2026-10-01',
        },
        {
            number: 12, title: 'It crashes', text: 'Always.', author: 'alice',
            created_at: '2026-11-01T10:00:00Z', labels: ['bug'], thumbs_up: 2,
            comments: [
                {
                    id: 3000000101, author: 'maria', created_at: '2026-11-02T08:00:00Z',
                    text: 'Which version?',
                    reactions: [{ user: 'alice', kind: 'thumbs_down', at: '2026-11-03T07:00:00Z' }],
                },
                { id: 3000000102, author: null, created_at: '2026-11-02T09:00:00Z', text: 'Me too.' },
            ],
            timeline: [
                { kind: 'labeled', actor: 'maria', at: '2026-11-02T08:01:00Z', label: 'bug' },
                { kind: 'assigned', actor: 'maria', at: '2026-11-02T08:02:00Z' },
            ],
            text_edits: [{ editor: 'alice', at: '2026-11-04T10:00:00Z' }],
        },
    ],
    pull_requests: [
        {
            number: 40, title: 'Fix the crash', author: 'maria', created_at: '2026-11-09',
            head_branch: 'fix-crash', head: HEAD, merged_at: '2026-11-10T09:00:00Z',
            merge_commit: SHA, closes: [12], commits: [HEAD],
        },
    ],
    discussions: [{ number: 41, title: 'Ideas', category: 'Ideas' }],
    releases: [
        { tag: 'v1.0.0', published_at: '2026-11-05T12:00:00Z', commit: OLD },
        { tag: 'v1.1.0', published_at: '2026-11-11T12:00:00Z', commit: SHA },
        { tag: 'v1.2.0-rc', published_at: '2026-11-12T12:00:00Z', prerelease: true, commit: SHA },
    ],
    statuses: [
        {
            context: 'ci', state: 'success', creator: 'maria', commit: SHA,
            created_at: '2026-11-10T09:10:00Z',
        },
    ],
    open_alerts: [{ number: 1, tool: 'CodeQL', rule: 'js/xss', path: 'src/index.js' }],
    public_repositories: ['octo/other'],
});

export const R = '/repos/octo/demo';

export class Client {
    constructor(fake) {
        this.fake = fake;
        this.headers = {
            authorization: `Bearer ${fake.token}`,
            accept: 'application/vnd.github+json',
            'user-agent': 'test',
            'x-github-api-version': '2022-11-28',
        };
    }

    async ask(method, path, body, headers = {}) {
        const url = path.startsWith('http') ? path : `${this.fake.apiUrl}${path}`;
        const response = await fetch(url, {
            method,
            redirect: 'manual',
            headers: {
                ...this.headers,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                ...headers,
            },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
        const text = await response.text();
        let json;
        try {
            json = JSON.parse(text);
        } catch {
            json = undefined;
        }
        return {
            status: response.status,
            headers: response.headers,
            text,
            body: json,
        };
    }

    get(path, headers) {
        return this.ask('GET', path, undefined, headers);
    }

    async query(query, variables) {
        const { body } = await this.ask('POST', this.fake.graphqlUrl, { query, variables });
        return body;
    }
}

// Runs a test with a fake and a client; fails when there is a violation that the test has not taken
// out of the list.
export async function withFake(options, test) {
    const { from = world(), change = () => {}, ...more } = options;
    const state = loadWorld(from);
    change(state);
    const fake = await new FakeGitHub(state, more).listen();
    try {
        await test(new Client(fake), fake);
        assert.deepEqual(fake.violations, []);
    } finally {
        await fake.close();
    }
}

// The violations so far, which are expected.
export function expected(fake) {
    const found = fake.violations;
    fake.violations = [];
    return found;
}
