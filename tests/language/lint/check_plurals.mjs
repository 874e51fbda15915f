// SPDX-License-Identifier: Apache-2.0
// check_plurals.mjs: holds grammar/lint/plurals.def against what this node knows of Unicode's CLDR, number by number.

import { readFileSync } from "node:fs";

const table = readFileSync("grammar/lint/plurals.def", "utf8");
const forms = [...table.matchAll(/^BL_PLURAL\((\w+), (\w+), (\w+), (\w+), (\w+), (\w+), (\w+), (\w+)\)/gm)].map((m) => ({
  family: m[1],
  form: m[2].toLowerCase(),
  numbers: m.slice(3).map((word) => (word === "UINT32_MAX" ? 0xffffffff : Number(word))),
}));
const languages = [...table.matchAll(/^BL_PLURAL_LANGUAGE\("(\w+)", (\w+)\)/gm)];

function formOf(family, n) {
  const row = forms.find(({ family: name, numbers: [modulus, least, most, notModulus, notLeast, notMost] }) => {
    const inside = modulus ? n % modulus : n;
    const outside = notModulus ? n % notModulus : n;
    return name === family && inside >= least && inside <= most && !(outside >= notLeast && outside <= notMost);
  });
  return row ? row.form : "other";
}

let wrong = 0;
let compared = 0;
for (const [, code, family] of languages) {
  const known = new Intl.PluralRules(code);
  if (known.resolvedOptions().locale !== code) continue; // a node without this language
  for (let n = 0; n < 1000; n++) {
    compared++;
    if (formOf(family, n) === known.select(n)) continue;
    console.log(`${code}: ${n} is ${known.select(n)}, and the table says ${formOf(family, n)}.`);
    wrong++;
    break;
  }
}
if (forms.length < 30 || languages.length < 40 || compared === 0) {
  console.log("The table could not be read.");
  wrong++;
}
console.log(`${languages.length} languages, ${compared} numbers compared, ${wrong} differ.`);
process.exit(wrong === 0 ? 0 : 1);
