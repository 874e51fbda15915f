// SPDX-License-Identifier: Apache-2.0
//
// Writes runtime/text/pattern_unicode.def: the code points of the classes that patterns know by
// name, as ranges. The data are those of the Node that runs it:
//
//     node tools/gen/unicode_classes.mjs > runtime/text/pattern_unicode.def

const classes = [
  ["PICTOGRAPHIC", "Extended_Pictographic"],
  ["LETTER", "L"],
  ["UPPER", "Lu"],
  ["LOWER", "Ll"],
  ["NUMBER", "N"],
];

function ranges(name) {
  const test = new RegExp(`^\\p{${name}}$`, "u");
  const found = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if ((code >= 0xd800 && code <= 0xdfff) || !test.test(String.fromCodePoint(code))) {
      continue;
    }
    const last = found.at(-1);
    if (last !== undefined && last[1] === code - 1) {
      last[1] = code;
    } else {
      found.push([code, code]);
    }
  }
  return found;
}

const hex = (code) => "0x" + code.toString(16).toUpperCase();

const lines = [
  "/* SPDX-License-Identifier: Apache-2.0 */",
  `/* pattern_unicode.def: written by tools/gen/unicode_classes.mjs, Unicode ${process.versions.unicode} */`,
  "/* BL_UNICODE_CLASS(ID, \"name\", {first, last}...) */",
];
for (const [id, name] of classes) {
  lines.push(`BL_UNICODE_CLASS(${id}, "${name}",`);
  const cells = ranges(name).map(([lo, hi]) => `{${hex(lo)}, ${hex(hi)}}`);
  let line = "";
  cells.forEach((cell, i) => {
    const part = cell + (i + 1 < cells.length ? "," : ")");
    if (line.length + part.length + 1 > 96) {
      lines.push(line);
      line = "";
    }
    line += (line === "" ? "" : " ") + part;
  });
  lines.push(line);
}
process.stdout.write(lines.join("\n") + "\n");
