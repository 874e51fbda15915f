// SPDX-License-Identifier: Apache-2.0
// What the shipped sets of secrets find and what they leave alone, in numbers. Usage: numbers.mjs BYLAW
// The noise measure is held against a second writing of it, here.
import fs from "node:fs";
import zlib from "node:zlib";
import { spawnSync } from "node:child_process";
import { samples } from "./samples.mjs";

const [bylaw] = process.argv.slice(2);
const data = new URL("./data/", import.meta.url);
let failed = 0;
let passed = 0;

function check(name, good, more = "") {
  if (good) return void passed++;
  failed++;
  console.log(`FAILED: ${name} ${more}`);
}

// Findings of a set in each text.
function find(set, texts, world) {
  const input = texts.map((text, id) => JSON.stringify({ id, input: text, ...(world && { world }) })).join("\n");
  const run = spawnSync(bylaw, ["try", "secrets", set, "-p", "stdlib/tokens.policy", "--jsonl"], {
    input,
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  if (run.stderr) throw new Error(run.stderr);
  const rows = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  if (rows.length !== texts.length || rows.some((row, i) => row.id !== i)) throw new Error("lines are missing");
  return rows;
}

// Many short lines as a few texts, since a run ends with its line: the lines in which something is found.
function linesFound(set, lines) {
  const found = new Set();
  const texts = [];
  const starts = [];
  for (let at = 0; at < lines.length; at += 1000) {
    texts.push(lines.slice(at, at + 1000).join("\n"));
    starts.push(at);
  }
  find(set, texts).forEach((row, i) => {
    const ends = [];
    let end = 0;
    for (const line of lines.slice(starts[i], starts[i] + 1000)) ends.push((end += Buffer.byteLength(line) + 1));
    for (const finding of row.findings) found.add(lines[starts[i] + ends.findIndex((e) => finding.start < e)]);
  });
  return found;
}

const list = (file) => zlib.gunzipSync(fs.readFileSync(new URL(file, data))).toString("utf8").split("\n").filter(Boolean);

// ---- what is no secret --------------------------------------------------------------------------------------
// req: SEC-16
// req: SEC-18
// req: TST-13

const known = {
  "paths-homeassistant-real-part.txt.gz": ["tests/components/tuya/fixtures/cl_rD7uqAAgQOpSA2Rx.json"],
  "paths-spring-security.txt.gz": [],
  "paths-vscode-real-part.txt.gz": [],
  "paths-substitute-monaco.txt.gz": [
    "dev/vs/assets/editorWebWorkerMain-a5x7Fqyp.js",
    "min/vs/assets/editorWebWorkerMain-DEgFqX2K.js",
  ],
  "paths-substitute-misc.txt.gz": [
    "src/Test/L0/Sdk/LaunchWebApi/LaunchHttpClientL0.cs",
    "src/Test/L0/Sdk/RSWebApi/AcquireJobRequestL0.cs",
    "src/Test/L0/Sdk/RSWebApi/AgentJobRequestMessageL0.cs",
    "src/Test/L0/Sdk/RSWebApi/BrokerHttpClientL0.cs",
    "src/Test/L0/Sdk/RSWebApi/RunServiceHttpClientL0.cs",
  ],
};
for (const [file, alarms] of Object.entries(known)) {
  const lines = list(file);
  const noisy = linesFound("noisy_runs", lines);
  check(`noise in ${file}`, [...noisy].sort().join() === [...alarms].sort().join(), [...noisy].join(" "));
  const random = linesFound("random_segments", lines);
  check(`chance in ${file}`, random.size === 0, [...random].slice(0, 5).join(" "));
}
// req: SEC-05
// req: SEC-17
// req: SEC-19
const links = list("github-links.txt.gz");
for (const set of ["noisy_runs", "random_segments"]) {
  const found = linesFound(set, links);
  check(`${set} in links`, found.size === 0, [...found].slice(0, 5).join(" "));
}

// ---- keys of chance -------------------------------------------------------------------------------------------

// A generator of our own (mulberry32), so that the keys are the same for ever.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function keys(count, length, alphabet, seed) {
  const next = generator(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join(""),
  );
}

// The measure once more, letter by letter: neighbours that are both letters, stretches of lower case.
function readsLikeAKey(run) {
  if (run.length < 40 || !/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/[0-9]/.test(run)) return false;
  if (/[+=]/.test(run)) return true;
  const letter = (c) => /[A-Za-z]/.test(c);
  const lower = (c) => c >= "a" && c <= "z";
  let pairs = 0, changes = 0, small = 0, stretches = 0;
  for (let i = 0; i < run.length; i++) {
    if (lower(run[i])) {
      small++;
      if (i === 0 || !lower(run[i - 1])) stretches++;
    }
    if (i > 0 && letter(run[i]) && letter(run[i - 1])) {
      pairs++;
      if (lower(run[i]) !== lower(run[i - 1])) changes++;
    }
  }
  return 5 * changes >= pairs && 2 * small <= 7 * stretches;
}

// req: SEC-04
// req: SEC-08
// req: SEC-09
// req: SEC-10
// req: SEC-11
// req: SEC-20
// req: CFG-25
const drawn = keys(20000, 40, base64, 20261130);
const noisy = linesFound("noisy_runs", drawn);
const pass = drawn.filter((key) => !noisy.has(key));
check("20 to 60 keys of 20,000 pass the noise measure", pass.length >= 20 && pass.length <= 60, pass.length);
const other = drawn.filter((key) => noisy.has(key) !== readsLikeAKey(key));
check("two writings of the noise measure agree", other.length === 0, other.slice(0, 3).join(" "));
const all = linesFound("any_secret", drawn);
check("no key passes the shipped set", all.size === new Set(drawn).size, drawn.length - all.size);
const short = keys(5000, 32, base64.slice(0, 62), 7);
const missed = 5000 - linesFound("any_secret", short).size;
check("at most one of 200 shorter keys passes", missed <= 25, missed);

// ---- known kinds -----------------------------------------------------------------------------------------------
// req: SEC-02
// req: SEC-15

const places = {
  prose: (t) => `The key is ${t} and it should not be here.`,
  code: (t) => `const key = "${t}";\nuse(key);`,
  span: (t) => `Run it with \`${t}\` please.`,
  url: (t) => `See https://example.com/a?key=${t}&b=1 for more.`,
  json: (t) => JSON.stringify({ name: "x", value: t }),
  diff: (t) => `@@ -1 +1 @@\n-key=old\n+key=${t}\n`,
  line: (t) => t,
};
const next = generator(99);
const cases = [];
for (const [kind, make] of Object.entries(samples)) {
  for (const [place, put] of Object.entries(places)) {
    const token = make((length, alphabet) =>
      Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join(""));
    const text = put(token);
    cases.push({ kind, place, token, text, start: text.indexOf(token) });
  }
}
find("any_secret", cases.map((c) => c.text)).forEach((row, i) => {
  const c = cases[i];
  const kind = c.kind.replace(/\d+$/, "");
  check(`${c.kind} in ${c.place} is found`, row.refused && row.findings.some((f) => f.kind === kind), JSON.stringify(row.findings));
  check(`${c.kind} in ${c.place} is not shown`, !row.output.includes(c.token));
});

// req: SEC-03
const harmless = [
  "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  "https://hooks.slack.com/services/T00000000/B00000000/xxxxxxxxxxxxxxxxxxxxxxxx",
  "Set it to ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx first.",
  "src/main/java/com/example/OAuth2ClientConfiguration.java",
  "custom_components/autodarts/AutodartsBoardManager2Coordinator.py",
  "https://github.com/Dennis-Otto/issue-assistant/blob/0123456789abcdef0123456789abcdef01234567/README.md",
  "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678",
  "integrity sha512-abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
];
find("any_secret", harmless).forEach((row, i) =>
  check(`harmless: ${harmless[i]}`, !row.refused, JSON.stringify(row.findings)));
// req: SEC-06
// req: SEC-07
const long = "Zk9wJr3TqLmX8vBcN2sYhD7eKf1UgP5aQx4RtWnE";
find("any_secret", [`https://github.com/octo/${long}`, `https://github.com/octo/x/tree/${long}/a`,
  `https://github.com/octo/x/issues/12?${long}`]).forEach((row, i) => check(`a key for a name ${i}`, row.refused));

// ---- what git tracks -------------------------------------------------------------------------------------------
// req: SEC-12
// req: SEC-14
const policy = "tests/secret/tracked.policy";
const tracked = (line) => {
  const run = spawnSync(bylaw, ["try", "secrets", "answer_secrets", "-p", policy, "--jsonl"], {
    input: JSON.stringify(line), encoding: "utf8" });
  return { status: run.status, row: run.stdout ? JSON.parse(run.stdout) : undefined, error: run.stderr };
};
const path = "tests/components/tuya/fixtures/cl_rD7uqAAgQOpSA2Rx.json";
check("a path that nobody tracks is a key", tracked({ id: 1, input: path, world: { tracked_files: [] } }).row.refused);
check("one that git tracks is none", !tracked({ id: 1, input: path, world: { tracked_files: [path] } }).row.refused);
check("a known kind counts there, too", tracked({ id: 1, input: "ghp_" + "a1".repeat(18),
  world: { tracked_files: ["x/ghp_" + "a1".repeat(18)] } }).row.refused);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
