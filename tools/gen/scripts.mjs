// SPDX-License-Identifier: Apache-2.0
//
// Writes grammar/lint/scripts.def: the letters of scripts that have letters which look like those of another
// one, as ranges. The data are those of the Node that runs it:
//
//     node tools/gen/scripts.mjs > grammar/lint/scripts.def

const scripts = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee'];

function ranges(name) {
  const test = new RegExp(`^(?=\\p{L})\\p{Script=${name}}$`, 'u');
  const found = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || !test.test(String.fromCodePoint(code))) continue;
    const last = found.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else found.push([code, code]);
  }
  return found;
}

const hex = (code) => `0x${code.toString(16).toUpperCase().padStart(4, '0')}`;
const rows = scripts.flatMap((name) => ranges(name).map(([lo, hi]) => [lo, hi, name]));
rows.sort((a, b) => a[0] - b[0]);
console.log('/* SPDX-License-Identifier: Apache-2.0 */');
console.log(`/* scripts.def: written by tools/gen/scripts.mjs, Unicode ${process.versions.unicode}. Ascending. */`);
console.log('/* BL_SCRIPT_RANGE(first, last, "script") */');
for (const [lo, hi, name] of rows) console.log(`BL_SCRIPT_RANGE(${hex(lo)}, ${hex(hi)}, "${name}")`);
