// SPDX-License-Identifier: Apache-2.0
//
// Chance that can be had again: the same seed gives the same year.

export class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }

    // In [0, 1). Mulberry32.
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    // A whole number in [low, high].
    between(low, high) {
        return low + Math.floor(this.next() * (high - low + 1));
    }

    chance(share) {
        return this.next() < share;
    }

    pick(list) {
        return list[this.between(0, list.length - 1)];
    }

    // One of the keys of {key: weight}.
    weighted(weights) {
        const entries = Object.entries(weights);
        let at = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
        for (const [key, weight] of entries) {
            at -= weight;
            if (at < 0) {
                return key;
            }
        }
        return entries.at(-1)[0];
    }
}
