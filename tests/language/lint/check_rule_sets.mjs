// SPDX-License-Identifier: Apache-2.0
// check_rule_sets.mjs CHECK_LINT SEED COUNT [SETS]: does lint find in generated sets what is true of
// them, all of it and nothing else?
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ruleSet, truth } from './rule_sets.mjs';

const [program, seed, count, sets] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'rule-sets-'));
let failures = 0;

function differ(seed, what, expected, found) {
  const missing = [...expected].filter((x) => !found.has(x));
  const extra = [...found].filter((x) => !expected.has(x));
  if (missing.length + extra.length === 0) return;
  failures++;
  console.log(`seed ${seed}, ${what}: missing ${missing.slice(0, 5).join('; ') || 'nothing'}; too many ${extra.slice(0, 5).join('; ') || 'nothing'}`);
}

function check(seed) {
  const set = ruleSet(seed, Number(count));
  const expected = truth(set.rules);
  const file = join(folder, `rules${seed}.policy`);
  writeFileSync(file, set.policy);
  const lines = execFileSync(program, ['--json', file], { encoding: 'utf8', maxBuffer: 1 << 26 }).trim().split('\n').map((l) => JSON.parse(l));
  const never = new Set();
  const conflicts = new Set();
  const covered = new Map();
  for (const line of lines) {
    const rule = set.rules[line.line - set.firstLine];
    if (line.code === 620) never.add(rule.name);
    if (line.code === 632) conflicts.add([line.name, line.other].sort().join(' '));
    if (line.code === 633) differ(seed, 'unsure', new Set(), new Set([`${line.name} ${line.other}`]));
    if (line.code === 630 || line.code === 631) covered.set(line.name, line.other);
  }
  /* A condition may have parts that never hold although the whole may: those findings are not
   * looked at here. */
  const neverWhole = new Set([...never].filter((name) => expected.never.includes(name)));
  differ(seed, 'never', new Set(expected.never), neverWhole);
  differ(seed, 'conflicts', new Set(expected.conflicts), conflicts);
  for (const [name, other] of covered) {
    if (!expected.covered.get(name)?.has(other)) differ(seed, 'covered', new Set(), new Set([`${name} by ${other}`]));
  }
  /* Each rule of which another does everything is named, or that other one is its duplicate and named. */
  for (const [name, others] of expected.covered) {
    const said = covered.has(name) || [...others].some((o) => expected.covered.get(o)?.has(name) && covered.has(o));
    if (!said) differ(seed, 'not covered', new Set([name]), new Set());
  }
  /* The events that lint shows, on the compiled policy. */
  if (conflicts.size > 0 && set.rules.length <= 200) {
    try {
      execFileSync(program, ['--replay', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    } catch (error) {
      failures++;
      console.log(`seed ${seed}: ${error.stdout}`);
    }
  }
  return { milliseconds: lines.at(-1).milliseconds, conflicts: conflicts.size, never: expected.never.length, covered: covered.size };
}

for (let i = 0; i < Number(sets ?? 1); i++) {
  const result = check(Number(seed) + i);
  if (Number(sets ?? 1) === 1) console.log(JSON.stringify(result));
}
rmSync(folder, { recursive: true });
console.log(failures === 0 ? 'As it is.' : `${failures} differences.`);
process.exit(failures === 0 ? 0 : 1);
