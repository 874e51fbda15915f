// SPDX-License-Identifier: Apache-2.0
//
// Faults: what goes wrong with a request before it is carried out, or with its answer afterwards. A
// fault is {kind, when: 'before' | 'after', operation, method, write, nth, times, retryAfter}: it hits
// the requests that the words in it name, from the nth of them (from 1), `times` times.

import { PRIMARY, SECONDARY } from './limits.mjs';

const docs = 'https://docs.github.com/rest';
const page =
    '<!DOCTYPE html>\n<html><head><title>Unicorn! &middot; GitHub</title></head>\n' +
    '<body><p><strong>We had issues producing the response to your request.</strong></p></body></html>\n';

const json = (status, message, headers = {}) => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    text: JSON.stringify({ message, documentation_url: docs, status: String(status) }),
});

const graphql = (body) => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(body),
});

// A part of an answer is missing for another reason than that the thing is not there.
function partial(answer) {
    const body = JSON.parse(answer.text);
    const path = [];
    let node = body.data;
    while (node && typeof node === 'object' && !Array.isArray(node)) {
        const key = Object.keys(node).find((name) => node[name] && typeof node[name] === 'object');
        if (key === undefined) {
            break;
        }
        path.push(key);
        if (path.length === 2 || Array.isArray(node[key])) {
            node[key] = null;
            break;
        }
        node = node[key];
    }
    const message = 'Something went wrong while executing your query.';
    return graphql({ data: body.data, errors: [{ message, path }] });
}

// Each makes of the answer that there would be the one that is sent; 'reset' and the like say what the
// connection does.
export const kinds = {
    bad_gateway: () => json(502, 'Server Error'),
    bad_gateway_html: () => ({ status: 502, headers: { 'content-type': 'text/html' }, text: page }),
    unavailable: () => json(503, 'Service unavailable'),
    internal: () => json(500, 'Server Error'),
    html: () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, text: page }),
    malformed: (answer) => ({ ...answer, text: `${answer.text.slice(0, -1)}` }),
    empty: (answer) => ({ ...answer, text: '' }),
    wrong_shape: (answer) => ({
        ...answer,
        text: answer.text.trimStart().startsWith('[') ? '{"a":1}' : '["a"]',
    }),
    not_found: () => json(404, 'Not Found'),
    // Of a proxy, or of a server that is not GitHub's API.
    not_found_html: () => ({ status: 404, headers: { 'content-type': 'text/html' }, text: page }),
    moved: () => json(307, 'Temporary Redirect', { location: 'https://elsewhere.example/repositories/1' }),
    unauthorized: () => json(401, 'Bad credentials'),
    forbidden: () => json(403, 'Resource not accessible by integration'),
    unprocessable: () => json(422, 'Validation Failed'),
    secondary: () => json(403, SECONDARY),
    secondary_429: () => json(429, SECONDARY),
    secondary_after: (_, fault) =>
        json(403, SECONDARY, { 'retry-after': String(fault.retryAfter ?? 30) }),
    secondary_429_after: (_, fault) =>
        json(429, SECONDARY, { 'retry-after': String(fault.retryAfter ?? 30) }),
    // In the words of older servers, and without a header that says more.
    secondary_abuse: () =>
        json(403, 'You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.'),
    primary: (_, fault, now) =>
        json(403, PRIMARY('installation'), {
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': String(now + (fault.reset ?? 1800)),
        }),
    graphql_error: () =>
        graphql({ data: null, errors: [{ message: 'Something went wrong while executing your query.' }] }),
    graphql_rate: () =>
        graphql({ errors: [{ type: 'RATE_LIMITED', message: PRIMARY('installation') }] }),
    graphql_secondary: () => graphql({ errors: [{ message: SECONDARY }] }),
    graphql_partial: (answer) => partial(answer),
    reset: () => ({ connection: 'reset' }),
    hang: () => ({ connection: 'hang' }),
    truncate: (answer) => ({ ...answer, connection: 'truncate' }),
    kill: () => ({ connection: 'reset', kill: true }),
};

// Kinds that need an answer to be made of: GitHub has carried out what they are about.
export const needsAnswer = new Set(['malformed', 'empty', 'wrong_shape', 'truncate', 'graphql_partial']);
export const graphqlOnly = new Set([
    'graphql_error', 'graphql_rate', 'graphql_secondary', 'graphql_partial',
]);

export class Faults {
    constructor() {
        this.plan = [];
    }

    add(fault) {
        if (kinds[fault.kind] === undefined) {
            throw new Error(`There is no fault ${fault.kind}.`);
        }
        const row = { when: 'before', nth: 1, times: 1, ...fault, seen: 0, hits: 0 };
        if (needsAnswer.has(row.kind)) {
            row.when = 'after';
        }
        this.plan.push(row);
        return row;
    }

    clear() {
        this.plan = [];
    }

    // The fault that hits this request, or null.
    take(request) {
        for (const fault of this.plan) {
            const hit =
                (fault.operation === undefined || fault.operation === request.operation) &&
                (fault.method === undefined || fault.method === request.method) &&
                (fault.write === undefined || fault.write === request.write);
            if (hit) {
                fault.seen += 1;
                if (fault.seen >= fault.nth && fault.hits < fault.times) {
                    fault.hits += 1;
                    return fault;
                }
            }
        }
        return null;
    }
}
