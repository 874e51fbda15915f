// SPDX-License-Identifier: Apache-2.0
// Writes the same set of rules for Bylaw, jq and YARA, and two events: event.json, which about one
// rule in fifty matches, and few.json, of the same size, which one in a thousand matches.
//
//   node tests/bench/generate.mjs COUNT OUT-FOLDER [SEED]
//
// Rules ask what rules of real repositories ask: a word or a pattern in the title or the text, a
// label, an author. Each adds one label.
import { mkdirSync, writeFileSync, readFileSync } from 'node:fs';

const [count, folder, seed] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4] ?? 1)];
if (!Number.isInteger(count) || count < 1 || !folder) {
    console.error('usage: node tests/bench/generate.mjs COUNT OUT-FOLDER [SEED]');
    process.exit(2);
}

// mulberry32: small, fast and the same everywhere.
let state = seed >>> 0;
function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (list) => list[Math.floor(random() * list.length)];

const parts = ['editor', 'server', 'parser', 'login', 'search', 'export', 'import', 'render', 'cache', 'proxy',
    'widget', 'plugin', 'theme', 'upload', 'socket', 'worker', 'router', 'session', 'cookie', 'backup'];
const troubles = ['crash', 'freeze', 'leak', 'timeout', 'panic', 'deadlock', 'overflow', 'flicker', 'hang', 'abort'];
const word = () => `${pick(parts)}${Math.floor(random() * 1000)}`;
const labels = 40;

function rule(i) {
    const label = i % labels;
    const kind = ['contains', 'pattern', 'text', 'label', 'author'][i % 5];
    // One in a hundred asks for something that the event has.
    const hit = i % 100 === 7 || i % 100 === 50;
    switch (kind) {
    case 'contains': return { i, label, kind, word: hit ? 'segfault' : word() };
    case 'pattern': {
        const w = hit ? 'crash' : word();
        return { i, label, kind, a: w, b: pick(troubles) };
    }
    case 'text': return { i, label, kind, word: hit ? 'stack trace' : `${word()} ${pick(troubles)}` };
    case 'label': return { i, label, kind, has: hit ? 'bug' : `area-${Math.floor(random() * 500)}` };
    default: return { i, label, kind, login: hit ? 'alice' : `user${Math.floor(random() * 100000)}` };
    }
}
const rules = Array.from({ length: count }, (_, i) => rule(i));
const areas = [...new Set(rules.filter((r) => r.kind === 'label').map((r) => r.has))].sort();

// The declarations and the rules as files of one package: no file may be larger than 1 MiB.
const rulesInFile = 4000;
function policies() {
    const out = ['package bench { account "github-actions[bot]" }', ''];
    for (let i = 0; i < labels; i++) out.push(`label out_${i} "out-${i}" { color "ededed" }`);
    for (const name of areas) out.push(`label ${name.replace(/-/g, '_')} "${name}" { color "ededed" }`);
    out.push('', 'job event {', '  may  write issues', '  runs rules', '}', '');
    const files = [];
    for (const r of rules) {
        if (r.i > 0 && r.i % rulesInFile === 0) files.push(out.splice(0));
        const when = {
            contains: () => `issue.title contains "${r.word}"`,
            pattern: () => `issue.title matches /\\b(?:${r.a}|${r.a}${r.b})\\b/i`,
            text: () => `issue.text contains "${r.word}"`,
            label: () => `issue has ${r.has.replace(/-/g, '_')}`,
            author: () => `issue.author.login == "${r.login}"`,
        }[r.kind]();
        out.push(`rule r${r.i} {`, '  on   issues.opened', `  when ${when} and issue.state == open`,
            `  add  label out_${r.label}`, '}');
    }
    files.push(out);
    return files.map((lines) => lines.join('\n') + '\n');
}

// jq: one filter that gives the labels; patterns go through test(), as its users write it.
function jq() {
    const tests = rules.map((r) => {
        const when = {
            contains: () => `($t | contains("${r.word}"))`,
            pattern: () => `($t | test("\\\\b(?:${r.a}|${r.a}${r.b})\\\\b"; "i"))`,
            text: () => `($b | contains("${r.word}"))`,
            label: () => `($l | index("${r.has}") != null)`,
            author: () => `($a == "${r.login}")`,
        }[r.kind]();
        return `(if ${when} and $s == "open" then "out-${r.label}" else empty end)`;
    });
    return `.issue as $i | ($i.title) as $t | ($i.body) as $b | ($i.user.login) as $a | ($i.state) as $s
| ([$i.labels[].name]) as $l
| [${tests.join(',\n')}] | unique\n`;
}

// YARA scans bytes: it is given the event as it is, and its rules look for what stands in the JSON.
function yara() {
    return rules.map((r) => {
        const string = {
            contains: () => `"${r.word}"`,
            pattern: () => `/\\b(${r.a}|${r.a}${r.b})\\b/ nocase`,
            text: () => `"${r.word}"`,
            label: () => `"\\"name\\":\\"${r.has}\\""`,
            author: () => `"\\"login\\":\\"${r.login}\\""`,
        }[r.kind]();
        return `rule r${r.i} {\n  strings:\n    $a = ${string}\n    $s = "\\"state\\":\\"open\\""\n  condition:\n    $a and $s\n}`;
    }).join('\n') + '\n';
}

// A real payload with the texts, labels and author that rules look for, or without.
function event(hits) {
    const payload = JSON.parse(readFileSync(new URL('../events/issues.opened.json', import.meta.url), 'utf8'));
    payload.issue.title = `Editor ${hits ? 'crash' : 'trouble'} after an update: ${hits ? 'segfault' : 'darkness'} in the renderer`;
    payload.issue.body = `It worked yesterday.\n\n${'The log says nothing of use. '.repeat(60)}\n\nThe ${hits ? 'stack trace' : 'whole output'} is below.`;
    payload.issue.user.login = hits ? 'alice' : 'carol';
    payload.sender.login = payload.issue.user.login;
    payload.issue.labels = [hits ? 'bug' : 'tip', 'needs-triage', 'area-1'].map((name, i) => ({ ...(payload.issue.labels[0] ?? {}), id: 100 + i, name }));
    return JSON.stringify(payload);
}

mkdirSync(`${folder}/rules`, { recursive: true });
policies().forEach((text, i) => writeFileSync(`${folder}/rules/rules_${i}.policy`, text));
writeFileSync(`${folder}/rules.jq`, jq());
writeFileSync(`${folder}/rules.yar`, yara());
writeFileSync(`${folder}/event.json`, event(true));
writeFileSync(`${folder}/few.json`, event(false));
