// SPDX-License-Identifier: Apache-2.0
//
// Writes runtime/text/fold.def: what a character is folded to, by the foldings of spec/foldings.def. The data are
// those of the Node that runs it, and lookalikes.txt beside this file:
//
//     node tools/gen/fold.mjs > runtime/text/fold.def

import { readFileSync } from "node:fs";

const isAscii = (text) => /^[\x20-\x7e]*$/.test(text);
const isBlank = (c) => /^[\p{White_Space}\u2800\u3164\uFFA0\u115F\u1160]$/u.test(c);
/** Without marks; what has none stays. */
const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "");
const rows = new Map();
const add = (code, folding, to) => {
  if (code > 0x7f && !rows.has(code)) rows.set(code, { folding, to });
};

/* Signs that look alike, and capital letters as their small ones do. */
const alike = new Map();
for (const line of readFileSync(new URL("lookalikes.txt", import.meta.url), "utf8").split("\n")) {
  if (line === "" || line.startsWith("# ")) continue;
  const [to, ...signs] = line.split(" ");
  for (const sign of signs) {
    const code = sign.codePointAt(0);
    if (sign !== String.fromCodePoint(code) || code < 0x80) throw new Error(`no sign: ${sign} (${to})`);
    if (alike.has(code) && alike.get(code) !== to) throw new Error(`twice: ${sign} (${to})`);
    alike.set(code, to);
  }
}
const reaches = (text) => [...text].every((c) => isAscii(c) || alike.has(c.codePointAt(0)));

for (let code = 0x09; code <= 0x10ffff; code++) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  const c = String.fromCodePoint(code);
  if (isBlank(c)) {
    if (code !== 0x20) rows.set(code, { folding: "BLANKS", to: " " });
    continue;
  }
  if (/^\p{M}$/u.test(c)) add(code, "MARKS", "");
  const plain = bare(c);
  if (plain !== c && plain !== "" && reaches(plain)) add(code, "MARKS", plain);
  const same = bare(c.normalize("NFKD")).replace(/⁄/g, "/");
  if (same !== c && same.trim() !== "" && same.length <= 4 && reaches(same)) add(code, "WIDTH", same);
}
/* Letters in circles, squares and flags, which Unicode leaves as they are. */
for (const first of [0x1f150, 0x1f170, 0x1f1e6]) {
  for (let i = 0; i < 26; i++) add(first + i, "WIDTH", String.fromCharCode(0x41 + i));
}
for (const [code, to] of alike) add(code, "LOOKALIKES", to);

const ranges = [];
for (const [code, { folding, to }] of [...rows].sort((x, y) => x[0] - y[0])) {
  const last = ranges.at(-1);
  const follows = last !== undefined && last.folding === folding && last.first + last.count === code;
  const next = follows && last.to.length === 1 && /[A-Za-z0-9]/.test(to) && isAscii(to);
  if (follows && to === last.to && (to === "" || to === " ") && last.step === 0) last.count++;
  else if (next && last.step === 1 && to.length === 1 && to.charCodeAt(0) === last.to.charCodeAt(0) + last.count) last.count++;
  else ranges.push({ first: code, count: 1, folding, to, step: to === "" || to === " " ? 0 : 1 });
}
const quoted = (to) =>
  isAscii(to) ? JSON.stringify(to) : `"${[...new TextEncoder().encode(to)].map((b) => `\\x${b.toString(16)}`).join('" "')}"`;
process.stdout.write(
  [
    "/* SPDX-License-Identifier: Apache-2.0 */",
    `/* fold.def: written by tools/gen/fold.mjs, Unicode ${process.versions.unicode}. Ascending. */`,
    "/* BL_FOLD(first, count, folding, what the first becomes, what is added for each further one) */",
    ...ranges.map((r) => `BL_FOLD(0x${r.first.toString(16).toUpperCase()}, ${r.count}, ${r.folding}, ${quoted(r.to)}, ${r.step})`),
  ].join("\n") + "\n",
);
