// SPDX-License-Identifier: Apache-2.0
//
// Rate limits. The primary ones are always counted; the secondary ones (points and new content a
// minute) only when `secondary` is set, since a clock that stands still makes a test of an hour look
// like a second.

import { Problem } from './state.mjs';

const HOUR = 3600;
const MINUTE = 60;

// GITHUB_TOKEN: 1,000 requests an hour and repository.
const buckets = {
    core: { limit: 1000, window: HOUR },
    search: { limit: 30, window: MINUTE },
    graphql: { limit: 1000, window: HOUR },
};

export const SECONDARY =
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. For more ' +
    'on scraping GitHub and how it may affect your rights, please review our Terms of Service ' +
    '(https://docs.github.com/en/site-policy/github-terms/github-terms-of-service)';
export const PRIMARY = (who) => `API rate limit exceeded for ${who}.`;

export class Limits {
    constructor(state, { secondary = false } = {}) {
        this.state = state;
        this.secondary = secondary;
        this.used = {};
        this.points = [];
        this.content = [];
    }

    setLimit(resource, limit) {
        buckets[resource] ??= { limit, window: HOUR };
        this.limits = { ...this.limits, [resource]: limit };
    }

    bucket(resource) {
        const { now } = this.state;
        const { limit, window } = buckets[resource];
        const row = this.used[resource];
        if (row === undefined || now >= row.reset) {
            this.used[resource] = { used: 0, reset: now + window };
        }
        return { limit: this.limits?.[resource] ?? limit, ...this.used[resource] };
    }

    headers(resource) {
        const { limit, used, reset } = this.bucket(resource);
        return {
            'x-ratelimit-limit': String(limit),
            'x-ratelimit-remaining': String(Math.max(0, limit - used)),
            'x-ratelimit-reset': String(reset),
            'x-ratelimit-used': String(Math.min(used, limit)),
            'x-ratelimit-resource': resource,
        };
    }

    // Before a request is carried out; `cost` in the unit of the resource.
    take(resource, cost = 1) {
        const { limit, used } = this.bucket(resource);
        if (used + cost > limit) {
            throw new Problem(403, PRIMARY('installation'), { primary: true });
        }
        this.used[resource].used += cost;
    }

    takeSecondary(isWrite, isGraphql) {
        if (!this.secondary) {
            return;
        }
        const from = this.state.now - MINUTE;
        this.points = this.points.filter((row) => row.at > from);
        this.content = this.content.filter((at) => at > from);
        const sum = this.points
            .filter((row) => row.graphql === isGraphql)
            .reduce((total, row) => total + row.points, 0);
        if (sum > (isGraphql ? 2000 : 900) || (isWrite && this.content.length >= 80)) {
            throw new Problem(403, SECONDARY, { retryAfter: MINUTE });
        }
        this.points.push({ at: this.state.now, points: isWrite ? 5 : 1, graphql: isGraphql });
        if (isWrite) {
            this.content.push(this.state.now);
        }
    }

    // The answer of GET /rate_limit, which is free.
    overview() {
        const resources = Object.fromEntries(
            Object.keys(buckets).map((name) => {
                const { limit, used, reset } = this.bucket(name);
                return [name, { limit, used, remaining: Math.max(0, limit - used), reset }];
            }),
        );
        return { resources, rate: resources.core };
    }
}
