// SPDX-License-Identifier: Apache-2.0
//
// Writes tests/unit/data/patterns.txt: patterns, texts, and the matches that Node's own regular
// expressions find. That engine takes the first alternative, not the longest match, so it is asked
// only whether one exact stretch of the text is a match; every stretch is tried.
//
//     node tools/gen/pattern_cases.mjs > tests/unit/data/patterns.txt
//
// A line is: pattern TAB flags TAB text TAB matches. In the text \n, \t, \r and \\ are escaped.
// Matches are "lo-hi" in bytes, with blanks between. Where the language differs from JavaScript by
// design (ASCII \s, ASCII case, lines end at a line feed alone), the expression that Node gets says
// the same in its words.

const SEED = 20261102;
const CASES = 4000;

let seed = SEED >>> 0;
function random() {
  // A 32-bit mixing generator; only repeatability matters.
  seed = (seed + 0x9e3779b9) >>> 0;
  let x = seed;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];
const chance = (p) => random() < p;

// ---- characters --------------------------------------------------------------------------------

// Few, so that texts and patterns meet often; one of each length in UTF-8.
const letters = ["a", "b", "c", "A", "B", "_", "1", " ", "\n", "-", "é", "日", "😀"];

const everything = Array.from({ length: 0x3000 }, (_, c) => String.fromCodePoint(c)).join("") + "😀";

function spell(code) {
  // The same spelling is right in both languages.
  if (code === "\n") return "\\n";
  if (code === "-") return "\\-";
  return code;
}

const isLetter = (c) => /^[A-Za-z]$/.test(c);
const other = (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase());

// What stands in a class: { ours, node, nodeFold }.
function classItem() {
  const kind = below(10);
  if (kind < 5) {
    const c = pick(letters);
    const s = spell(c);
    return { ours: s, node: s, nodeFold: isLetter(c) ? s + other(c) : s };
  }
  if (kind < 7) {
    const range = pick(["a-b", "a-c", "A-C", "0-9", "b-é", " -a"]);
    const fold = { "a-b": "A-B", "a-c": "A-C", "A-C": "a-c", "b-é": "B-Z", " -a": "b-z" };
    return { ours: range, node: range, nodeFold: range + (fold[range] ?? "") };
  }
  const named = pick(shorthands);
  return { ours: named.ours, node: named.inClass, nodeFold: named.inClass + named.fold };
}

const space = " \\t\\n\\v\\f\\r";
const shorthands = [
  { ours: "\\d", node: "[0-9]", inClass: "0-9", fold: "" },
  { ours: "\\w", node: "[A-Za-z0-9_]", inClass: "A-Za-z0-9_", fold: "" },
  { ours: "\\s", node: `[${space}]`, inClass: space, fold: "" },
  { ours: "\\D", node: "[^0-9]", inClass: "\\D", fold: "" },
  { ours: "\\S", node: `[^${space}]`, inClass: "\\u{0}-\\u{8}\\u{e}-\\u{1f}!-\\u{10ffff}", fold: "" },
  { ours: "\\W", node: "[^A-Za-z0-9_]", inClass: "\\W", fold: "" },
  { ours: "\\p{L}", node: "\\p{L}", inClass: "\\p{L}", fold: "" },
  { ours: "\\p{Lu}", node: "\\p{Lu}", inClass: "\\p{Lu}", fold: "a-z" },
  { ours: "\\p{Ll}", node: "\\p{Ll}", inClass: "\\p{Ll}", fold: "A-Z" },
  { ours: "\\p{N}", node: "\\p{N}", inClass: "\\p{N}", fold: "" },
  { ours: "\\P{L}", node: "\\P{L}", inClass: "\\P{L}", fold: "" },
  { ours: "\\P{Lu}", node: "\\P{Lu}", inClass: "\\P{Lu}", fold: "A-Z" },
  {
    ours: "\\p{Extended_Pictographic}",
    node: "\\p{Extended_Pictographic}",
    inClass: "\\p{Extended_Pictographic}",
    fold: "",
  },
];

// ---- patterns ----------------------------------------------------------------------------------

// A part: as the language writes it, as Node shall read it, and a text that it may match (if its
// assertions hold).
const part = (ours, node, sample) => ({ ours, node, sample });

function oneOf(node) {
  const test = new RegExp(`^${node}$`, "u");
  const fitting = letters.filter((c) => test.test(c));
  return () => (fitting.length > 0 ? pick(fitting) : "");
}

function character(flags) {
  const kind = below(12);
  if (kind < 7) {
    const c = pick(letters);
    const s = spell(c).replace("\\-", "-");
    return part(s, flags.i && isLetter(c) ? `[${c}${other(c)}]` : s, () => c);
  }
  if (kind < 8) {
    const node = flags.s ? "[^]" : "[^\\n]";
    return part(".", node, oneOf(node));
  }
  if (kind < 10) {
    const named = pick(shorthands);
    const node = flags.i && named.fold ? `[${named.inClass}${named.fold}]` : named.node;
    return part(named.ours, node, oneOf(node));
  }
  const items = Array.from({ length: 1 + below(3) }, classItem);
  const not = chance(0.3) ? "^" : "";
  const node = `[${not}${items.map((x) => (flags.i ? x.nodeFold : x.node)).join("")}]`;
  if (!new RegExp(node, "u").test(everything)) {
    return character(flags); // a class that excludes all is refused
  }
  return part(`[${not}${items.map((x) => x.ours).join("")}]`, node, oneOf(node));
}

function assertion(flags) {
  const nothing = () => "";
  switch (below(4)) {
    case 0:
      return part("^", flags.m ? "(?<![^\\n])" : "(?<![^])", nothing);
    case 1:
      return part("$", flags.m ? "(?![^\\n])" : "(?![^])", nothing);
    case 2:
      return part("\\b", "\\b", nothing);
    default:
      return part("\\B", "\\B", nothing);
  }
}

function quantifier() {
  switch (below(8)) {
    case 0:
    case 1:
      return ["*", 0, 3];
    case 2:
    case 3:
      return ["+", 1, 3];
    case 4:
    case 5:
      return ["?", 0, 1];
    case 6: {
      const min = below(4);
      return [`{${min},}`, min, min + 2];
    }
    default: {
      const min = below(3);
      const max = chance(0.3) ? min : min + below(4);
      return [max === min ? `{${min}}` : `{${min},${max}}`, min, max];
    }
  }
}

function quantified(inner) {
  const [times, min, max] = quantifier();
  const sample = () =>
    Array.from({ length: min + below(max - min + 1) }, () => inner.sample()).join("");
  return part(inner.ours + times, inner.node + times, sample);
}

function atom(flags, depth) {
  if (depth > 0 && chance(0.3)) {
    const inner = either(flags, depth - 1);
    return part(`${chance(0.5) ? "(" : "(?:"}${inner.ours})`, `(?:${inner.node})`, inner.sample);
  }
  return character(flags);
}

function join(flags, depth) {
  const parts = [];
  const count = chance(0.06) ? 0 : 1 + below(4);
  for (let i = 0; i < count; i++) {
    if (chance(0.12)) {
      parts.push(assertion(flags));
      continue;
    }
    const inner = atom(flags, depth);
    parts.push(chance(0.4) ? quantified(inner) : inner);
  }
  return part(parts.map((p) => p.ours).join(""), parts.map((p) => p.node).join(""), () =>
    parts.map((p) => p.sample()).join(""),
  );
}

function either(flags, depth) {
  const branches = Array.from({ length: chance(0.3) ? 2 + below(2) : 1 }, () => join(flags, depth));
  return part(branches.map((b) => b.ours).join("|"), branches.map((b) => b.node).join("|"), () =>
    pick(branches).sample(),
  );
}

// ---- the judge ---------------------------------------------------------------------------------

function allMatches(node, text) {
  const points = [...text];
  const bytes = [0];
  for (const point of points) {
    bytes.push(bytes.at(-1) + Buffer.byteLength(point));
  }
  const matches = (i, j) =>
    new RegExp(`(?<=^[^]{${i}})(?:${node})(?=[^]{${points.length - j}}$)`, "u").test(text);
  const found = [];
  let at = 0;
  while (at <= points.length) {
    let end = -1;
    for (let j = points.length; j >= at && end < 0; j--) {
      if (matches(at, j)) {
        end = j;
      }
    }
    if (end >= 0) {
      found.push(`${bytes[at]}-${bytes[end]}`);
    }
    at = end > at ? end : at + 1;
  }
  return found.join(" ");
}

const escapeText = (text) =>
  text.replace(/[\\\n\t\r]/g, (c) => ({ "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" })[c]);

function line(ours, flags, node, text) {
  return [ours, flags, escapeText(text), allMatches(node, text)].join("\t");
}

// ---- patterns of the wild ----------------------------------------------------------------------

const word = "[A-Za-z0-9_]";
const known = [
  ["gh[opur]_[A-Za-z0-9]{20,}", "", "gh[opur]_[A-Za-z0-9]{20,}",
    ["x ghp_abcdefghij0123456789 y", "ghp_abcdefghij012345678", "ghp_ghp_abcdefghij0123456789ghr_",
      "ghu_abcdefghij0123456789A-gho_abcdefghij0123456789B"]],
  ["sk-(?:proj-|admin-)?[A-Za-z0-9_-]{20,}", "", "sk-(?:proj-|admin-)?[A-Za-z0-9_-]{20,}",
    ["sk-proj-abcdefghij0123456789", "sk-sk-abcdefghij01234567890", "sk-abcdefghij012345678"]],
  ["eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}", "",
    "eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}",
    ["eyJabcdefgh.eyJabcdefgh.abcdefgh", "eyJeyJabcdefgh.eyJabcdefgh.abcdefg",
      "a.eyJabcdefgh.eyJabcdefgh.abcdefgh.eyJabcdefgh.eyJabcdefgh"]],
  ["\\b(?:eval|import)(?:\\s|\\/\\*.*\\*\\/)*(?:\\(|$)", "",
    `\\b(?:eval|import)(?:[${space}]|\\/\\*[^\\n]*\\*\\/)*(?:\\(|(?![^]))`,
    ["eval(x); import /* a */ (y)", "xeval( import", "import /* ( */ /* */(import /*\n*/("]],
  ["TOKEN|SECRET|(?:^|[_-])KEY(?:[_-]|$)", "i",
    "[tT][oO][kK][eE][nN]|[sS][eE][cC][rR][eE][tT]|(?:(?<![^])|[_-])[kK][eE][yY](?:[_-]|(?![^]))",
    ["MY_TOKEN KEYBOARD", "key_x", "a-key", "MONKEY secret"]],
  ["\\p{Extended_Pictographic}\\u{FE0F}?(?:\\u{200D}\\p{Extended_Pictographic}\\u{FE0F}?)*", "",
    "\\p{Extended_Pictographic}\\u{FE0F}?(?:\\u{200D}\\p{Extended_Pictographic}\\u{FE0F}?)*",
    ["a 👩‍💻 b ❤️ c", "👨‍👩‍👧‍👦x😀😀", "no ‍ emoji"]],
  ["^\\/assistant[ \\t]+ask\\s", "i", `(?<![^])\\/[aA][sS][sS][iI][sS][tT][aA][nN][tT][ \\t]+[aA][sS][kK][${space}]`,
    ["/assistant ask me", "/Assistant \task\nme", " /assistant ask me", "/assistant asks"]],
  ["^[+\\- ]?(?:export\\s+)?([A-Z][A-Z0-9_-]*)\\s*=\\s*(?:\"([^\"\\n]{4,})\"|([^\\s\"';]{4,}))\\s*(?:#.*)?$", "m",
    `(?<![^\\n])[+\\- ]?(?:export[${space}]+)?([A-Z][A-Z0-9_-]*)[${space}]*=[${space}]*(?:"([^"\\n]{4,})"|([^${space}"';]{4,}))[${space}]*(?:#[^\\n]*)?(?![^\\n])`,
    ["A=1234\nB=\"12345\" # x\nc=12345", "+export KEY = abcd\n\nX=abc"]],
  ["a|a.*b", "", "a|a[^\\n]*b", ["aaaaaaaa", "aaaabaaaa", "aaaa\naab"]],
  ["a{3,5}|b{2}", "", "a{3,5}|b{2}", ["aaaaaaaaaaaabbb", "aabbabba"]],
  ["\\w+", "", `${word}+`, ["one two_3 vier-fünf", "", "日本"]],
];

// ---- the file ----------------------------------------------------------------------------------

const lines = [];
for (const [ours, flags, node, texts] of known) {
  for (const text of texts) {
    lines.push(line(ours, flags, node, text));
  }
}
const noise = (max, alphabet) =>
  Array.from({ length: below(max + 1) }, () => pick(alphabet)).join("");
while (lines.length < CASES) {
  const flags = { i: chance(0.2), m: chance(0.3), s: chance(0.2) };
  const whole = either(flags, 2);
  if (whole.ours === "" && chance(0.9)) {
    continue;
  }
  // A text that may hold a match or two, and one of few kinds of characters.
  const few = [pick(letters), pick(letters)];
  const likely = noise(2, letters) + whole.sample() + noise(2, letters) + whole.sample();
  const names = (flags.i ? "i" : "") + (flags.m ? "m" : "") + (flags.s ? "s" : "");
  for (const text of chance(0.4) ? [likely, noise(10, few)] : [likely]) {
    lines.push(line(whole.ours, names, whole.node, [...text].slice(0, 16).join("")));
  }
}
process.stdout.write(`# tools/gen/pattern_cases.mjs, seed ${SEED}\n${lines.join("\n")}\n`);
