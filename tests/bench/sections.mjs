// SPDX-License-Identifier: Apache-2.0
// What a module is made of: its sections by their bytes, and how many of them a rule takes.
//
//   node tests/bench/sections.mjs MODULE.pbc [RULES]
import { readFileSync } from 'node:fs';

const [path, rules] = [process.argv[2], Number(process.argv[3] ?? 0)];
if (!path || !Number.isInteger(rules)) {
    console.error('usage: node tests/bench/sections.mjs MODULE.pbc [RULES]');
    process.exit(2);
}
const table = readFileSync(new URL('../../runtime/bytecode/sections.def', import.meta.url), 'utf8');
const names = [...table.matchAll(/^BL_SECTION\(\w+, "([^"]+)"/gm)].map((found) => found[1]);

// The header of 32 bytes, then 16 for each section: offset, rows, bytes of a row, 0.
const bytes = readFileSync(path);
const header = 32;
if (bytes.toString('latin1', 0, 8) !== 'BYLAWPBC' || bytes.readUInt32LE(12) !== names.length) {
    console.error(`${path} is no module with the sections of sections.def.`);
    process.exit(4);
}
const sections = names.map((name, i) => {
    const at = header + 16 * i;
    const [rows, size] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
    return { name, rows, size, bytes: rows * size };
}).filter((section) => section.bytes > 0).sort((a, b) => b.bytes - a.bytes);

console.log('| section | rows | bytes of a row | bytes | % |' + (rules > 0 ? ' bytes a rule |' : ''));
console.log('|---|--:|--:|--:|--:|' + (rules > 0 ? '--:|' : ''));
for (const s of [...sections, { name: 'the file', rows: '', size: '', bytes: bytes.length }]) {
    const share = (100 * s.bytes / bytes.length).toFixed(1);
    console.log(`| ${s.name} | ${s.rows} | ${s.size} | ${s.bytes} | ${share} |` + (rules > 0 ? ` ${(s.bytes / rules).toFixed(1)} |` : ''));
}
