// SPDX-License-Identifier: Apache-2.0
//
// A sweep of the shipped product over repositories of growing size on the simulator: reads, seconds of the processor, memory.
//     node tests/bench/sweep.mjs BUILD [issues…]
// 300 issues wait, whatever the size: 100 are due for a reminder, 100 for their closing, 100 answered.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [build, ...sizes] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bylaw-sweep-'));
const module = join(folder, 'product.pbc');
const account = 'github-actions[bot]';

function must(command, args) {
    const out = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, env: { PATH: process.env.PATH } });
    if (out.status !== 0) {
        throw new Error(`${command} ${args.join(' ')} ended with ${out.status ?? out.signal}:\n${out.stderr}`);
    }
    return out;
}

const day = (n) => new Date(Date.UTC(2026, 0, 1) + n * 86400000).toISOString().replace('.000', '');

function issue(number, count) {
    const out = {
        number, title: `Issue ${number}`, text: 'What happens, and what should happen instead.', author: `user-${number % 500}`,
        created_at: day(number % 200),
    };
    const every = Math.max(1, Math.floor(count / 300));
    if (number % 3 === 0 && number % every !== 0) {
        return { ...out, state: 'closed', closed_at: day(210) };
    }
    if (number % every !== 0 || number / every > 300) {
        return out;
    }
    const kind = (number / every) % 3;
    const since = day(kind === 0 ? 240 : 225);
    out.labels = ['needs-info'];
    out.timeline = [{ kind: 'labeled', actor: account, at: since, label: 'needs-info' }];
    out.comments = [{ id: number * 10, author: account, created_at: since, text: '<!-- issue-assistant:analysis lang=en questions=1 -->\n\nWhich?' }];
    if (kind === 1) {
        const closes = day(255).slice(0, 10);
        out.labels.push('stale');
        out.comments.push({
            id: number * 10 + 1, author: account, created_at: day(240),
            text: `<!-- issue-assistant:reminder since=${encodeURIComponent(since)} closes=${closes} -->\n\nPlease.`,
        });
    } else if (kind === 2) {
        out.comments.push({ id: number * 10 + 1, author: out.author, created_at: day(230), text: 'Here it is.' });
    }
    return out;
}

must(join(build, 'tools/policyc/policyc'), ['policies/issue_assistant', '-o', module]);
console.log('| issues | open | reads | writes | seconds of the processor | MiB | world file, MB |');
console.log('|---:|---:|---:|---:|---:|---:|---:|');
for (const size of sizes.length > 0 ? sizes.map(Number) : [1000, 5000, 20000, 50000]) {
    const issues = Array.from({ length: size }, (_, i) => issue(i + 1, size));
    const text = JSON.stringify({ now: day(256), repository: 'octo/demo', account, issues });
    writeFileSync(join(folder, 'world.json'), text);
    const out = must('/usr/bin/time', [
        '-f', '%U %S %M', join(build, 'tools/bylaw/bylaw'), 'run', 'sweep', '-p', module, '-w', join(folder, 'world.json'), '--json',
    ]);
    const result = JSON.parse(out.stdout);
    const [user, system, kilobytes] = out.stderr.trim().split('\n').at(-1).split(' ').map(Number);
    const open = issues.filter((one) => one.state === undefined).length;
    console.log(`| ${size} | ${open} | ${result.reads} | ${result.writes} | ${(user + system).toFixed(2)} | ${Math.round(kilobytes / 1024)} | ${(text.length / 1e6).toFixed(1)} |`);
}
rmSync(folder, { recursive: true });
