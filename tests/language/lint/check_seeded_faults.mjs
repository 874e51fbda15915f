// SPDX-License-Identifier: Apache-2.0
// check_seeded_faults.mjs POLICYC SEED RULES [SETS]: does `policyc --lint` find every planted fault, at its
// line, and nothing else?
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { faultKinds, seededPolicy } from './seeded_faults.mjs';

const [program, seed, count, sets] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'seeded-faults-'));
const planted = new Map();
let failures = 0;

function say(seed, what, line, code, unit, text) {
  failures++;
  if (failures <= 20) console.log(`seed ${seed}: ${what} PL0${code} at line ${line} (${unit}): ${text}`);
}

function check(seed) {
  const made = seededPolicy(seed, Number(count));
  const file = join(folder, `faults${seed}.policy`);
  writeFileSync(file, made.policy);
  for (const [name, text] of Object.entries(made.packages)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const run = spawnSync(program, ['--lint', '--format=json', file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.status !== 1) {
    console.log(`seed ${seed}: exit ${run.status}\n${run.stderr.slice(0, 2000)}${run.stdout.slice(0, 2000)}`);
    process.exit(1);
  }
  const report = JSON.parse(run.stdout);
  const open = new Map(made.truth.map((t) => [`${t.line} ${t.code}`, t]));
  for (const t of made.truth) planted.set(t.code, (planted.get(t.code) ?? 0) + 1);
  for (const d of report.diagnostics) {
    const [line, code] = [d.place.line, Number(d.code.slice(2))];
    if (open.delete(`${line} ${code}`)) continue;
    say(seed, 'nobody planted', line, code, made.lines[line - 1].unit, made.lines[line - 1].text);
  }
  for (const t of open.values()) say(seed, 'nothing found of', t.line, t.code, t.unit, t.text);
  if (report.dropped > 0) say(seed, 'findings were dropped:', 0, report.dropped, '', '');
  return made;
}

let rules = 0, faults = 0;
for (let i = 0; i < Number(sets ?? 1); i++) {
  const made = check(Number(seed) + i);
  rules += made.rules;
  faults += made.truth.length;
}
for (const code of faultKinds()) if (!planted.has(code)) say(seed, 'no set has', 0, code, '', '');
rmSync(folder, { recursive: true });
console.log(`${rules} rules, ${faults} planted faults of ${planted.size} kinds: ${failures === 0 ? 'all found, and nothing else.' : `${failures} differences.`}`);
process.exit(failures === 0 ? 0 : 1);
