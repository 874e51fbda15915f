// SPDX-License-Identifier: Apache-2.0
// `policyc --emit=json`: JSON of its schema, and every span of it says what the node says, read from the
// policy by readers of our own. Usage: node tree.mjs POLICYC.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ended, is, root } from "../../support/script.mjs";

const [policyc] = process.argv.slice(2);
process.chdir(root);
const require = createRequire(join(root, "tests/world/package.json"));
const Ajv = require("ajv").default;
const validate = new Ajv({ strict: true, allErrors: false }).compile(JSON.parse(readFileSync("docs/reference/tree.schema.json", "utf8")));

// ---- what a piece of policy says by itself
const days = (text) => Date.parse(`${text}T00:00:00Z`) / 86400000;
const unit = { second: 1, minute: 60, hour: 3600, day: 86400 };
const values = {
  int: (text) => Number(text.replace(/_/g, "")),
  duration: (text) => {
    const [, count, word] = text.match(/^([0-9_]+)\s+(second|minute|hour|day)s?$/);
    return Number(count.replace(/_/g, "")) * unit[word];
  },
  percent: (text) => Number(text.replace(/[_%\s]/g, "")),
  money: (text) => Math.round(Number(text.replace(/[$_]/g, "")) * 10000),
  date: days,
  time: (text) => Date.parse(text) / 1000,
};
function unescape(text) {
  return text.replace(/\\(u\{([0-9A-Fa-f]+)\}|[^])/g, (_, what, code) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : what === "n" ? "\n" : what);
}

const seen = new Set();
const meanings = new Set();

function judgeNode(path, file, node, index, slice, trees, broken) {
  const where = `${path}: ${node.node} at ${node.span[0]}`;
  const text = slice(node.span);
  seen.add(node.node);
  // Of a slip the tree has what was meant.
  if (broken && ((text === "if" && node.text === "when") || (text === "else" && node.text === "otherwise"))) return;
  if (node.means) meanings.add(node.means);
  for (const kid of node.kids ?? []) {
    if (kid === null) continue;
    is(`${where}: children stand before it`, kid < index, true);
    const inner = file.nodes[kid].span;
    is(`${where}: it holds its children`, inner[0] >= node.span[0] && inner[1] <= node.span[1], true);
  }
  if (node.name_span) is(`${where}: its word`, slice(node.name_span), node.text);
  if (node.node === "name" || node.node === "bool" || node.node === "none") is(`${where}: its text`, text, node.text ?? text);
  if (node.node === "none") is(where, text, "none");
  if (node.node === "bool") is(where, /^(true|false)$/.test(text), true);
  if (node.node === "colon") is(where, text, ":");
  if (node.node === "block") is(where, [text[0], broken || text.at(-1)], ["{", broken || "}"]);
  if (node.node === "list") is(where, [text[0], text.at(-1)], ["[", "]"]);
  if (node.node === "pattern") is(where, text, `/${node.text ?? ""}/${node.flags ?? ""}`);
  if (node.node === "string") is(where, [text[0], text.at(-1)], ['"', '"']);
  if (node.node === "string_part" && !text.includes("\n")) is(where, unescape(text), node.text ?? "");
  if (node.node in values) is(`${where}: ${text}`, node.value, values[node.node](text));
  if (node.operator && node.kids.length === 2) {
    const [left, right] = node.kids.map((kid) => file.nodes[kid].span);
    const between = slice([left[1], right[0]]).replace(/#.*/g, "").replace(/[()]/g, "").trim();
    is(`${where}: what stands between its sides`, between, node.operator);
  }
  if (node.symbol) {
    const { kind, name, file: number, span } = node.symbol;
    const declared = span && trees.text[number];
    if (declared) is(`${where}: where ${kind} ${name} is declared`, declared.subarray(...span).toString(), name);
    if (["name", "call"].includes(node.node)) is(`${where}: the name of what it names`, node.text, name);
  }
  // Who comes first in the phrase of a row says which row it is.
  if (node.clause && !broken) is(`${where}: the row '${node.clause}'`, text.replace(/\s+/g, " ").startsWith(node.clause) || node.clause === "=>", true);
}

function tree(path, wanted) {
  const run = spawnSync(policyc, ["--emit=json", "--test", path], { encoding: "utf8", maxBuffer: 1 << 28 });
  is(`${path}: exit code (${run.stderr.split("\n")[0]})`, run.status, wanted);
  let found;
  try {
    found = JSON.parse(run.stdout);
  } catch (error) {
    is(`${path}: JSON`, error.message, "");
    return undefined;
  }
  is(`${path}: the schema`, validate(found) || validate.errors?.[0], true);
  const text = found.files.map((file) => (file.nodes ? readFileSync(file.path) : undefined));
  found.files.forEach((file, number) => {
    if (!file.nodes) return;
    const slice = ([from, to]) => text[number].subarray(from, to).toString();
    is(`${file.path}: the last node is the file`, [file.nodes.at(-1).node, file.nodes.at(-1).span[1]], ["file", text[number].length]);
    file.nodes.forEach((node, index) => judgeNode(file.path, file, node, index, slice, { text }, wanted !== 0));
    const used = file.nodes.flatMap((node) => node.kids ?? []).filter((kid) => kid !== null);
    is(`${file.path}: each node has one parent`, used.length === new Set(used).size && used.length === file.nodes.length - 1, true);
    for (const comment of file.comments) is(`${file.path}: comment`, slice(comment.span).startsWith(comment.doc ? "##" : "#"), true);
  });
  for (const symbol of found.symbols) {
    if (!text[symbol.file]) continue;
    const whole = text[symbol.file].subarray(...symbol.declaration).toString();
    is(`${path}: ${symbol.kind} ${symbol.name}`, text[symbol.file].subarray(...symbol.span).toString(), symbol.name);
    is(`${path}: its declaration`, whole.includes(symbol.name), true);
  }
  return found;
}

const sample = tree("tests/golden/show/sample.policy", 0);
tree("policies/issue_assistant", 0);
tree("tests/golden/show/meanings/meanings.policy", 0);
for (const name of readdirSync("tests/golden/ast").filter((name) => name.endsWith(".policy"))) tree(`tests/golden/ast/${name}`, 3);
for (const name of readdirSync("tests/language/sema").filter((name) => name.endsWith(".policy"))) {
  const path = `tests/language/sema/${name}`;
  const run = spawnSync(policyc, ["--emit=json", "--test", "--format=json", path], { encoding: "utf8" });
  is(`${path}: the format for programs has errors alone`, run.status === 0 || !run.stdout.includes('"nodes"'), true);
  tree(path, run.status);
}

// Every kind of ast.def, and what names can mean.
const kinds = [...readFileSync("grammar/syntax/ast.def", "utf8").matchAll(/^BL_NODE\((\w+),/gm)].map((match) => match[1].toLowerCase());
is("kinds of nodes that nothing here has", kinds.filter((kind) => !seen.has(kind)), []);
const means = [...readFileSync("grammar/sema/resolutions.def", "utf8").matchAll(/^BL_RESOLUTION\((\w+), "([^"]*)"/gm)].map((match) => match[2]);
is("meanings that nothing here has", means.filter((word) => word !== "nothing" && !meanings.has(word)), []);

// By hand, from the sample: what stands where, and what it is.
const file = sample.files.find((entry) => entry.path.endsWith("sample.policy"));
const source = readFileSync("tests/golden/show/sample.policy", "utf8");
const at = (text, word = text) => {
  const from = Buffer.from(source.slice(0, source.indexOf(text) + text.indexOf(word))).length;
  return file.nodes.find((node) => node.span[0] === from && node.span[1] === from + Buffer.from(word).length && node.type);
};
const said = (node) => [node?.type, node?.means, node?.of, node?.symbol?.kind];
is("a setting", said(at("now - wait", "wait")), ["duration", "setting", undefined, "setting"]);
is("a field", said(at("issue.created_at < now", "issue.created_at")), ["time", "field", "issue.created_at", undefined]);
is("a sum", said(at("now - wait")), ["time", undefined, undefined, undefined]);
is("a label", said(at("add label crash", "crash")), ["label", "label", undefined, "label"]);
is("a call", said(at("asked(issue) > 2", "asked(issue)")), ["int", "call", undefined, "define"]);
is("an actor", said(at("issue.author is not maintainer")), ["bool", "is actor", undefined, "actor"]);
is("a loop", said(at("count c in issue.comments where c.author != issue.author")), ["int", "loop", undefined, "name"]);
is("a doc comment", sample.symbols.find((symbol) => symbol.name === "ground").doc, "Why an issue | is left alone.");

ended();
