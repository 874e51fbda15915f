// SPDX-License-Identifier: Apache-2.0
// check_with_z3.mjs CHECK_LINT SEED SETS: another judge. Conditions over texts that begin, end and
// hold, over numbers, labels and members, as z3 reads them: where lint shows two rules an event, z3
// must find one, and where it says nothing, z3 must find none. Ends with 77 when z3 is missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atom, ruleSet, smt, smtPrelude } from './rule_sets.mjs';

const [program, seed, sets] = process.argv.slice(2);
if (spawnSync('z3', ['--version']).error) {
  console.log('SKIPPED: z3 is not installed (apt-get install z3). Lint has no second judge in this run.');
  process.exit(77);
}

// Texts: what begins with '[bug] crash' holds 'ash', and so on; and patterns. z3's own theory of texts
// takes minutes for some of these, so a title is one of many: everything that can be put together of
// these pieces, by which of the questions hold of it.
const pieces = ['[bug] crash', 'crash', '[bug]', 'bug', 'docs', 'slow docs', 'ash', 'slow', 'wish', 'typo', 'build'];
const asked = new Map(); // question of z3 -> what it asks of a text

function question(words, holds) {
  asked.set(words, holds);
  return words;
}
for (const [i, piece] of pieces.entries()) {
  question(`contains${i}`, (t) => t.includes(piece));
  question(`starts${i}`, (t) => t.startsWith(piece));
  question(`ends${i}`, (t) => t.endsWith(piece));
  question(`equals${i}`, (t) => t === piece);
}
question('rash', (t) => /ra?sh/.test(t));
question('a_to_c', (t) => /^[a-c]/.test(t));

const names = [...asked.keys()];
const universe = (() => {
  const known = new Map();
  const questions = [...asked.values()];
  const add = (t) => {
    const answers = questions.map((q) => q(t));
    known.set(answers.map(Number).join(''), answers);
  };
  const some = ['', 'x', ...pieces];
  for (const a of some) for (const b of some) for (const c of some) for (const d of some) add(`${a} ${b} ${c} ${d}`.replace(/^ +| +$/g, ''));
  return [...known.values()];
})();

function textAtom(r, labels) {
  if (r.chance(0.5)) return atom(r, labels);
  const i = r.below(pieces.length);
  const piece = pieces[i];
  const words = JSON.stringify(piece);
  const not = r.chance(0.35);
  const escaped = piece.replace(/[[\]]/g, '\\$&');
  const [policy, judge] = r.pick([
    [`issue.title contains ${words}`, `contains${i}`],
    [`issue.title starts_with ${words}`, `starts${i}`],
    [`issue.title ends_with ${words}`, `ends${i}`],
    [`issue.title == ${words}`, `equals${i}`],
    [`issue.title matches /^${escaped}/`, `starts${i}`],
    [`issue.title matches /${escaped}$/`, `ends${i}`],
    [`issue.title matches /${escaped}/`, `contains${i}`],
    ['issue.title matches /ra?sh/', 'rash'],
    ['issue.title matches /^[a-c]/', 'a_to_c'],
  ]);
  return { variable: 'none', allowed: [], text: not ? `not (${policy})` : policy, smt: not ? `(not ${judge})` : judge };
}

const prelude = (labels) => [smtPrelude(labels), ...names.map((name) => `(declare-const ${name} Bool)`)].join('\n');
/* The atoms of the other sets ask for words of the title, too. */
const inPieces = (q) => q.replace(/\(str\.contains title "(\w+)"\)/g, (all, word) => `contains${pieces.indexOf(word)}`);
/* Of the questions that are asked together, the answers that some title gives. */
function together(q) {
  const used = names.map((name, i) => ({ name, i })).filter(({ name }) => new RegExp(`\\b${name}\\b`).test(q));
  if (used.length === 0) return 'true';
  const seen = new Set(universe.map((answers) => used.map(({ i }) => Number(answers[i])).join('')));
  const ways = [...seen].map((bits) => `(and true ${used.map(({ name }, k) => (bits[k] === '1' ? name : `(not ${name})`)).join(' ')})`);
  return `(or false ${ways.join(' ')})`;
}
const questionsOf = (list) => list.map(inPieces).map((q) => `(push)\n(assert ${q})\n(assert ${together(q)})\n(check-sat)\n(pop)`).join('\n');

const folder = mkdtempSync(join(tmpdir(), 'rule-sets-'));
const totals = { pairs: 0, together: 0, apart: 0, unsure: 0, unsureApart: 0, covered: 0, never: 0, neverMissed: 0 };
let failures = 0;

function check(seed) {
  const set = ruleSet(seed, 40, textAtom);
  const file = join(folder, `rules${seed}.policy`);
  writeFileSync(file, set.policy);
  const lines = execFileSync(program, ['--json', file], { encoding: 'utf8', maxBuffer: 1 << 26 }).trim().split('\n').map((l) => JSON.parse(l));
  const said = { conflicts: new Set(), unsure: new Set(), never: new Set(), covered: [] };
  for (const line of lines) {
    const pair = [line.name, line.other].sort().join(' ');
    if (line.code === 632) said.conflicts.add(pair);
    if (line.code === 633) said.unsure.add(pair);
    if (line.code === 620 && line.line >= set.firstLine) said.never.add(set.rules[line.line - set.firstLine].name);
    if (line.code === 630 || line.code === 631) said.covered.push([line.name, line.other]);
  }
  const byName = new Map(set.rules.map((rule) => [rule.name, rule]));
  const list = [];
  for (const a of set.rules) {
    list.push({ kind: 'never', a, q: smt(a) });
    for (const b of set.rules) {
      if (a.name < b.name && a.label === b.label && a.adds !== b.adds) list.push({ kind: 'pair', a, b, q: `(and ${smt(a)} ${smt(b)})` });
    }
  }
  for (const [a, b] of said.covered) list.push({ kind: 'covered', a: byName.get(a), b: byName.get(b), q: `(and ${smt(byName.get(a))} (not ${smt(byName.get(b))}))` });
  const answers = execFileSync('z3', ['-in'], { input: `${prelude(set.labels)}\n${questionsOf(list.map((x) => x.q))}\n`, encoding: 'utf8' }).trim().split('\n');
  list.forEach((x, i) => {
    const answer = answers[i];
    if (answer !== 'sat' && answer !== 'unsat') throw new Error(`z3: ${answer}`);
    const complain = (what) => { failures++; console.log(`seed ${seed}: ${what}\n  ${x.q}`); };
    if (x.kind === 'never') {
      totals.never += answer === 'unsat' && said.never.has(x.a.name);
      if (answer === 'unsat' && !said.never.has(x.a.name)) totals.neverMissed++;
    } else if (x.kind === 'covered') {
      totals.covered++;
      if (answer === 'sat') complain(`'${x.a.name}' is said to add nothing to '${x.b.name}', and does.`);
    } else {
      const pair = [x.a.name, x.b.name].sort().join(' ');
      totals.pairs++;
      if (said.conflicts.has(pair)) {
        totals.together++;
        if (answer === 'unsat') complain(`'${pair}' is shown with an event, and there is none.`);
      } else if (said.unsure.has(pair)) {
        totals.unsure++;
        totals.unsureApart += answer === 'unsat';
      } else {
        totals.apart++;
        if (answer === 'sat') complain(`nothing is said of '${pair}', and they meet.`);
      }
    }
  });
}

for (let i = 0; i < Number(sets); i++) check(Number(seed) + i);
rmSync(folder, { recursive: true });
console.log(JSON.stringify(totals));
/* Of what z3 knows, lint may leave a few open: texts that exclude each other in ways that are not
 * looked into. */
if (totals.unsure > totals.pairs / 20) {
  failures++;
  console.log('Too much is left open.');
}
process.exit(failures === 0 ? 0 : 1);
