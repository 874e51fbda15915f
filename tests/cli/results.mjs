// SPDX-License-Identifier: Apache-2.0
// What `policyc --test` writes for other programs, read as strictly as those read it: the results as JUnit's XML, the coverage
// as a tracefile of lcov and as a page. The shards together are the whole. Usage: node results.mjs POLICYC
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, ended, is, root, temporaryFolder } from "../support/script.mjs";

const [policyc] = process.argv.slice(2);
const work = temporaryFolder("results");
const run = (...words) => spawnSync(policyc, ["--test", ...words], { encoding: "utf8", cwd: root, maxBuffer: 1 << 28 });
const need = (holds, words) => {
  if (!holds) throw new Error(words);
};

// ---- XML: well formed, every character one that XML 1.0 allows, no entity but the five
function readXml(text) {
  need(/^[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u.test(text), "a character that XML has no way to write");
  const value = (s) => {
    need(!/&(?!(?:amp|lt|gt|quot|apos);)/.test(s) && !s.includes("<") && !s.includes("]]>"), `not escaped: ${s.slice(0, 80)}`);
    return s.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" })[name]);
  };
  const top = { children: [] };
  const open = [top];
  const token = /<\?xml [^?]*\?>|<!doctype html>|<\/([a-z]+\d?)>|<([a-z]+\d?)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  for (let end = 0; end < text.length; end = token.lastIndex) {
    token.lastIndex = end;
    const found = token.exec(text);
    need(found !== null, `no XML: ${text.slice(end, end + 80)}`);
    const [, closes, name, attributes, empty, words] = found;
    const parent = open.at(-1);
    if (closes !== undefined) {
      need(open.length > 1 && parent.name === closes, `</${closes}> closes <${parent.name}>`);
      open.pop();
    } else if (name !== undefined) {
      const element = { name, attributes: {}, children: [], text: "" };
      for (const [, key, quoted] of attributes.matchAll(/([a-z]+)="([^"]*)"/g)) {
        need(!(key in element.attributes), `'${key}' twice`);
        element.attributes[key] = value(quoted);
      }
      parent.children.push(element);
      if (empty === "" && name !== "meta") open.push(element);
    } else if (words !== undefined) {
      parent.text = (parent.text ?? "") + (parent.name === "style" ? words : value(words));
    }
  }
  need(open.length === 1 && top.children.length === 1, "one element holds all others");
  return top.children[0];
}

// ---- JUnit, by the schema that Jenkins gives for it: which elements and attributes there are, and which must be
const shape = {
  testsuite: { must: ["name", "tests", "failures", "errors"], may: ["skipped", "time", "timestamp", "hostname"], holds: ["testcase"] },
  testcase: { must: ["name"], may: ["classname", "assertions", "time", "status"], holds: ["failure", "error", "skipped"] },
  failure: { must: [], may: ["message", "type"], holds: [] },
  error: { must: [], may: ["message", "type"], holds: [] },
};
function readJunit(path) {
  const look = (element) => {
    const row = shape[element.name];
    need(row !== undefined, `<${element.name}> is no part of JUnit`);
    for (const key of row.must) need(key in element.attributes, `<${element.name}> without '${key}'`);
    for (const key of Object.keys(element.attributes)) need([...row.must, ...row.may].includes(key), `'${key}' of <${element.name}>`);
    for (const child of element.children) {
      need(row.holds.includes(child.name), `<${child.name}> in <${element.name}>`);
      look(child);
    }
  };
  const suite = readXml(readFileSync(path, "utf8"));
  need(suite.name === "testsuite", "a testsuite");
  look(suite);
  const has = (kind) => suite.children.filter((test) => test.children.some((child) => child.name === kind)).length;
  is(`${path}: tests`, Number(suite.attributes.tests), suite.children.length);
  is(`${path}: failures`, Number(suite.attributes.failures), has("failure"));
  is(`${path}: errors`, Number(suite.attributes.errors), has("error"));
  return suite.children.map((test) => `${test.attributes.classname}: ${test.attributes.name}`);
}

// ---- a tracefile, by the page geninfo(1)
function readLcov(path) {
  const files = new Map();
  let file = null;
  for (const line of readFileSync(path, "utf8").replace(/\n$/, "").split("\n")) {
    const [, key, rest] = /^([A-Z]+):(.*)$/.exec(line) ?? [null, line, ""];
    const numbers = rest.split(",");
    const ended = () => {
      for (const [total, hit, rows] of [["LF", "LH", file.lines], ["FNF", "FNH", file.functions], ["BRF", "BRH", file.branches]]) {
        if (rows.size === 0 && !(total in file.totals)) continue;
        need(file.totals[total] === rows.size, `${file.name}: ${total}`);
        need(file.totals[hit] === [...rows.values()].filter((count) => count > 0).length, `${file.name}: ${hit}`);
      }
    };
    if (key === "TN") continue;
    if (key === "SF") {
      need(file === null && !files.has(rest), `${rest} begins twice`);
      file = { name: rest, length: readFileSync(join(root, rest), "utf8").split("\n").length, lines: new Map(), functions: new Map(), branches: new Map(), starts: new Map(), totals: {} };
      files.set(rest, file);
      continue;
    }
    need(file !== null, `'${line}' belongs to no file`);
    const at = Number(numbers[0]);
    if (key === "end_of_record") {
      ended();
      file = null;
    } else if (key === "FN") {
      need(numbers.length === 2 && at >= 1 && at <= file.length && !file.starts.has(numbers[1]), line);
      file.starts.set(numbers[1], at);
    } else if (key === "FNDA") {
      need(numbers.length === 2 && /^\d+$/.test(numbers[0]) && file.starts.has(numbers[1]), line);
      file.functions.set(numbers[1], at);
    } else if (key === "BRDA") {
      const name = numbers.slice(0, 3).join();
      need(numbers.length === 4 && at >= 1 && at <= file.length && /^(\d+|-)$/.test(numbers[3]) && !file.branches.has(name), line);
      file.branches.set(name, numbers[3] === "-" ? 0 : Number(numbers[3]));
    } else if (key === "DA") {
      need(numbers.length === 2 && /^\d+$/.test(numbers[1]) && at >= 1 && at <= file.length && !file.lines.has(at), line);
      file.lines.set(at, Number(numbers[1]));
    } else {
      need(["FNF", "FNH", "BRF", "BRH", "LF", "LH"].includes(key) && /^\d+$/.test(rest) && !(key in file.totals), line);
      file.totals[key] = Number(rest);
    }
  }
  need(file === null, "the last record has no end");
  return files;
}

// ---- judges that take everything judge nothing
for (const bad of ["<a>", "<a></b>", "<a x='1'/>", '<a x="<"/>', "<a>&nbsp;</a>", "<a>\u0001</a>", "<a>\uFFFE</a>", "<a/><a/>"]) {
  let taken = true;
  try {
    readXml(bad);
  } catch {
    taken = false;
  }
  is(`refused: ${JSON.stringify(bad)}`, taken, false);
}

// ---- names that would end what they stand in
const hostile = join(work, "hostile");
mkdirSync(hostile);
writeFileSync(
  join(hostile, "h.policy"),
  String.raw`label bug "bug" { color "d73a4a" }
job event { may write issues; runs rules }
rule bugs { on issues.opened; when issue.title contains "crash"; add label bug }
test "<b> & \"q\" ' ]]> \u{1} \u{7F} \u{FFFE} \u{FFFF} \u{1F642} {t}" {
  column t : untrusted
  when   alice opens 1 t "x" at 2026-11-02
  expect effect add label bug
  case   "</testcase> ]]>"
  case   "crash & <burn>"
  case   "]]> \u{7}\u{1B}[31m"
  case   "]]> \u{7}\u{1B}[31m"
}
test "broken </error>" { when alice comments 7 "x"; expect issue(7) has bug }
`,
);
check("hostile names", () => {
  const junit = join(work, "hostile.xml");
  is("hostile: exit code", run("--junit", junit, hostile).status, 1);
  const names = readJunit(junit);
  is("hostile: all tests, each with a name of its own", [names.length, new Set(names).size], [5, 5]);
});

// ---- the shipped policies: shards add up, and the coverage says of each file what it is
for (const product of ["self_fix", "learnings"]) {
  check(product, () => {
    const path = (name) => join(work, `${product}.${name}`);
    const whole = run("--junit", path("xml"), "--coverage-lcov", path("lcov"), "--coverage-html", path("html"), "--coverage", `policies/${product}`);
    is(`${product}: exit code`, whole.status, 0);
    const all = readJunit(path("xml"));
    const parts = [1, 2, 3].flatMap((shard) => {
      run("--shard", `${shard}/3`, "--junit", path(`${shard}.xml`), `policies/${product}`);
      return readJunit(path(`${shard}.xml`));
    });
    is(`${product}: the shards are the whole, and nothing twice`, parts.sort(), all.slice().sort());
    is(`${product}: names tell tests apart`, new Set(all).size, all.length);
    const files = readLcov(path("lcov"));
    need(files.size > 0, "no file in the tracefile");
    const page = readXml(readFileSync(path("html"), "utf8"));
    for (const name of files.keys()) need(JSON.stringify(page).includes(name), `${name} is not on the page`);
    const [, hit, rules] = /^coverage: +\d+% +rules (\d+)\/(\d+)/m.exec(whole.stdout);
    const functions = [...files.values()].flatMap((file) => [...file.functions.values()]);
    is(`${product}: rules`, [functions.filter((count) => count > 0).length, functions.length], [Number(hit), Number(rules)]);
  });
}
ended();
