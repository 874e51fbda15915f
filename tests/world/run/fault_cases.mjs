// SPDX-License-Identifier: Apache-2.0
//
// Which faults a request can meet, and what a client does about each.

import { graphqlOnly, kinds, needsAnswer } from '../fake/faults.mjs';

// Faults after which GitHub has done nothing, and says so or not.
export const refusals = new Set([
    'not_found', 'moved', 'unauthorized', 'forbidden', 'unprocessable', 'secondary', 'secondary_429',
    'secondary_after', 'secondary_429_after', 'secondary_abuse', 'primary', 'graphql_error', 'graphql_rate',
    'graphql_secondary',
]);
// The run goes on by itself: after a wait, whatever it was.
export const waitedFor = new Set([
    'secondary', 'secondary_429', 'secondary_after', 'secondary_429_after', 'secondary_abuse', 'graphql_secondary',
]);
// A read is made again.
export const readAgain = new Set([
    'bad_gateway', 'bad_gateway_html', 'unavailable', 'internal', 'reset', 'truncate', 'hang',
    'graphql_error', 'graphql_partial',
]);

// [{kind, when}] for a request of the fake's list.
export function faultsFor(request) {
    const out = [];
    for (const kind of Object.keys(kinds)) {
        if (graphqlOnly.has(kind) && request.operation !== 'graphql') {
            continue;
        }
        // An answer that is no more than a status has nothing in it to break.
        if (needsAnswer.has(kind) && request.status === 204) {
            continue;
        }
        if (!needsAnswer.has(kind)) {
            out.push({ kind, when: 'before' });
        }
        if (!refusals.has(kind)) {
            out.push({ kind, when: 'after' });
        }
    }
    return out;
}
