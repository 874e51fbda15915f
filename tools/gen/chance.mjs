// SPDX-License-Identifier: Apache-2.0
// Makes runtime/secret/chance.def from texts: how many bits each character takes after the two before
// it, in code, paths and prose. Files and folders are arguments; *.gz are lists of paths or links, of
// which every second line is read, so that the other half can be judged with.
//
//     node tools/gen/chance.mjs FILE… > runtime/secret/chance.def
//
// Only these numbers go into the repository. Letters count without case; a digit is one symbol that
// takes log2(10) bits more; the case of a letter is counted by the classes of the three before it.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const SYMBOLS = 32;
const EIGHTHS = 8;
const MOST = 4 << 20; // bytes of one file
const endings = new Set(
  ".c .h .hpp .cc .py .js .mjs .ts .md .txt .go .rs .java .rb .pl .pm .sh .json .yml .yaml .cmake .html .css".split(" "),
);

const triples = new Float64Array(SYMBOLS ** 3);
const cases = new Float64Array(64 * 2);

const symbolOf = new Uint8Array(256).fill(31);
const classOf = new Uint8Array(256).fill(3);
for (let c = 97; c <= 122; c++) (symbolOf[c] = c - 97), (classOf[c] = 0);
for (let c = 65; c <= 90; c++) (symbolOf[c] = c - 65), (classOf[c] = 1);
for (let c = 48; c <= 57; c++) (symbolOf[c] = 26), (classOf[c] = 2);
symbolOf[0x5f] = 27;
symbolOf[0x2d] = 28;
symbolOf[0x2f] = 29;
symbolOf[0x2b] = symbolOf[0x3d] = 30;

function count(bytes) {
  let before = SYMBOLS * SYMBOLS - 1;
  let classes = 63;
  for (const byte of bytes) {
    const symbol = symbolOf[byte];
    const kind = classOf[byte];
    triples[before * SYMBOLS + symbol]++;
    if (kind < 2) cases[classes * 2 + kind]++;
    before = (before * SYMBOLS + symbol) % (SYMBOLS * SYMBOLS);
    classes = (classes * 4 + kind) % 64;
  }
}

// Lines with long runs of chance (certificates, digests, minified files) would teach it chance.
const noise = /[A-Za-z0-9+/=]{64,}|(?:[0-9a-f]{32,})|^.{2000,}$/;
function addText(text) {
  const kept = text.split("\n").filter((line) => !noise.test(line));
  count(Buffer.from(kept.join("\n") + "\n", "latin1"));
}

function add(file) {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return;
  if (stat.isDirectory()) {
    for (const name of fs.readdirSync(file).sort()) add(path.join(file, name));
  } else if (file.endsWith(".gz")) {
    const lines = zlib.gunzipSync(fs.readFileSync(file)).toString("latin1").split("\n");
    const half = lines.filter((_, i) => i % 2 === 0).join("\n") + "\n";
    for (let i = 0; i < 4; i++) count(Buffer.from(half, "latin1"));
  } else if (stat.isFile() && stat.size <= MOST && endings.has(path.extname(file)) && !/\.min\./.test(file)) {
    addText(fs.readFileSync(file, "latin1"));
  }
}

for (const file of process.argv.slice(2)) add(file);

const singles = new Float64Array(SYMBOLS);
const pairs = new Float64Array(SYMBOLS ** 2);
let all = 0;
triples.forEach((n, i) => ((singles[i % SYMBOLS] += n), (pairs[i % (SYMBOLS * SYMBOLS)] += n), (all += n)));

const pairTotals = new Float64Array(SYMBOLS);
pairs.forEach((n, i) => (pairTotals[Math.floor(i / SYMBOLS)] += n));

// What was seen seldom leans on the shorter context.
function share(a, b, c) {
  const one = (singles[c] + 1) / (all + SYMBOLS);
  const two = (pairs[b * SYMBOLS + c] + 8 * one) / (pairTotals[b] + 8);
  const context = (a * SYMBOLS + b) * SYMBOLS;
  let total = 0;
  for (let i = 0; i < SYMBOLS; i++) total += triples[context + i];
  return (triples[context + c] + 16 * two) / (total + 16);
}
const eighths = (bits) => Math.min(255, Math.max(0, Math.round(bits * EIGHTHS)));

const out = [
  "/* SPDX-License-Identifier: Apache-2.0 */",
  "/* chance.def — made by tools/gen/chance.mjs; do not edit.",
  " *",
  " * BL_CHANCE(…)       eighths of a bit that each of 32 symbols takes after the two before it, one row",
  " *                    for each pair of them",
  " * BL_CHANCE_CASE(…)  the same of a lower-case and an upper-case letter, after each of the 64 triples",
  ` *                    of classes. Counted in ${Math.round(all / 1e6)} million characters. */`,
];
for (let a = 0; a < SYMBOLS; a++) {
  for (let b = 0; b < SYMBOLS; b++) {
    const row = [];
    for (let c = 0; c < SYMBOLS; c++)
      row.push(eighths(-Math.log2(share(a, b, c)) + (c === 26 ? Math.log2(10) : c === 30 ? 1 : 0)));
    out.push(`BL_CHANCE(${row.join(",")})`);
  }
}
for (let i = 0; i < 64; i += 8) {
  const row = [];
  for (let j = i; j < i + 8; j++) {
    const total = cases[j * 2] + cases[j * 2 + 1] + 2;
    for (let k = 0; k < 2; k++) row.push(eighths(-Math.log2((cases[j * 2 + k] + 1) / total)));
  }
  out.push(`BL_CHANCE_CASE(${row.join(",")})`);
}
process.stdout.write(out.join("\n") + "\n");
