// SPDX-License-Identifier: Apache-2.0
//
// Writes runtime/base/lower_case.def: the capital letters and their small ones, as ranges. The data are those
// of the Node that runs it:
//
//     node tools/gen/lower_case.mjs > runtime/base/lower_case.def

const hex = (code) => "0x" + code.toString(16).toUpperCase();
const ranges = [];
for (let code = 0; code <= 0x10ffff; code++) {
  if (code >= 0xd800 && code <= 0xdfff) continue;
  const lower = [...String.fromCodePoint(code).toLowerCase()];
  // U+0130 alone becomes two; the code has it.
  if (lower.length !== 1 || lower[0].codePointAt(0) === code) continue;
  const delta = lower[0].codePointAt(0) - code;
  const last = ranges.at(-1);
  const step = last === undefined ? 0 : code - last.last;
  if (last !== undefined && last.delta === delta && step <= 2 && (last.step === step || last.step === 0)) {
    last.last = code;
    last.step = step;
  } else {
    ranges.push({ first: code, last: code, step: 0, delta });
  }
}
const lines = [
  "/* SPDX-License-Identifier: Apache-2.0 */",
  `/* lower_case.def: written by tools/gen/lower_case.mjs, Unicode ${process.versions.unicode} */`,
  "/* BL_LOWER_CASE(first, last, step, what is added) */",
  ...ranges.map((r) => `BL_LOWER_CASE(${hex(r.first)}, ${hex(r.last)}, ${r.step || 1}, ${r.delta})`),
];
process.stdout.write(lines.join("\n") + "\n");
