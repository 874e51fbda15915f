// SPDX-License-Identifier: Apache-2.0
// The charts of `policyc --emit=graph`, read by Mermaid itself: each is one, and what Mermaid sees in it
// is what the policy says, found in the policy by lines of its own. Usage: node charts.mjs POLICYC
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { ended, is, root } from "../../support/script.mjs";

const [policyc] = process.argv.slice(2);
const mermaidFile = join(root, "tests/workflows/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js");

// Mermaid asks for a page in a browser, and its parser looks at none of it.
const nothing = new Proxy(function () {}, {
  get: (_, key) =>
    key === Symbol.toPrimitive ? () => "" : key === Symbol.iterator ? function* () {} : key === "nodeType" ? 9 : nothing,
  apply: () => nothing,
  construct: () => nothing,
  set: () => true,
});
const page = vm.createContext({ console, setTimeout, clearTimeout, structuredClone, URL, TextEncoder, queueMicrotask, performance });
Object.assign(page, { window: page, document: nothing, Element: { prototype: nothing }, addEventListener() {} });
vm.runInContext(readFileSync(mermaidFile, "utf8"), page);
const { mermaid } = page;

// A judge that takes everything judges nothing.
for (const bad of ['flowchart TD\n  a{"x" --> b\n', 'flowchart LR\n  subgraph s["x"]\n  a["y"]\n', "flowchart\n  end --> end\n"]) {
  is(`refused: ${JSON.stringify(bad)}`, await mermaid.parse(bad).then(() => "taken", () => "refused"), "refused");
}

const plain = (text) => text.replace(/[#&](\d+);/g, (_, code) => String.fromCharCode(code)).replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCharCode(code));

// The charts of a page by their titles, as Mermaid understands them.
async function charts(path) {
  const found = new Map();
  const text = execFileSync(policyc, ["--emit=graph", join(root, path)], { encoding: "utf8" });
  for (const [, title, chart] of text.matchAll(/^## (.*)\n(?:(?!^## )[^])*?```mermaid\n([^]*?)```/gm)) {
    try {
      await mermaid.parse(chart);
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(chart);
      const nodes = new Map([...db.getVertices()].map(([id, node]) => [id, plain(node.text)]));
      const edges = db.getEdges().map((edge) => ({ from: edge.start, to: edge.end, text: plain(edge.text) }));
      is(`${path}: ${title}`, nodes.size > 0, true);
      found.set(title, { nodes, edges, frames: db.getSubGraphs().map((frame) => plain(frame.title)) });
    } catch (error) {
      is(`${path}: ${title}`, error.message, "a chart");
    }
  }
  return found;
}

function sources(path) {
  const whole = join(root, path);
  const files = statSync(whole).isDirectory() ? readdirSync(whole).map((name) => join(whole, name)) : [whole];
  return files
    .filter((name) => name.endsWith(".policy") && !name.endsWith("_test.policy"))
    .map((name) => readFileSync(name, "utf8").replace(/ +#.*/g, ""))
    .join("\n");
}

for (const path of ["tests/golden/show/sample.policy", "policies/issue_assistant"]) {
  const all = await charts(path);
  const text = sources(path);
  const blocks = text.split(/^(?=[a-z])/m);
  const declared = (word) => blocks.map((body) => [body, body.match(new RegExp(`^${word} +([a-z_0-9]+)`))?.[1]]).filter(([, name]) => name);

  // Of the days that have come and hold the latest is taken: all days leave one question, and each once.
  for (const [body, name] of declared("lifecycle")) {
    const { nodes, edges } = all.get(`Lifecycle \`${name}\``);
    const days = edges.filter((edge) => edge.text.startsWith("day "));
    const written = [...body.matchAll(/^ *on +day +([^\n{]*?) *\{/gm)].map((match) => match[1]);
    is(`${path}: days of ${name}`, days.map((edge) => edge.text.replace(/^day /, "").replace(/ = .*?(?= when |$)/, "")), written);
    is(`${path}: ${name} has one question of days`, new Set(days.map((edge) => edge.from)).size, 1);
    is(`${path}: it says which wins`, /^the latest day/.test(nodes.get(days[0].from)), true);
    is(`${path}: no day leads to a day`, days.some((edge) => edges.some((next) => next.from === edge.to)), false);
  }
  for (const [body, name] of declared("decision")) {
    const { nodes } = all.get(`Decision \`${name}\``);
    is(`${path}: rows of ${name}`, [...nodes.keys()].filter((id) => id[0] === "v").length, body.split("=>").length - 1);
  }
  for (const [head, name, word] of text.matchAll(/^commands +([a-z_0-9]+) +"([^"]*)"/gm)) {
    const { nodes, edges } = all.get(`Commands \`${name}\``);
    const wanted = declared("command").filter(([body]) => body.split("{")[0].includes(` of ${name} `))
      .map(([body, own]) => body.match(/[ \n{]word +"([^"]*)"/)?.[1] ?? own);
    const drawn = [...nodes].filter(([, said]) => said.startsWith(word + " "));
    is(`${path}: commands of ${head}`, drawn.map(([, said]) => said.split(/[ ,]/)[1]), wanted);
    is(`${path}: it has some`, wanted.length > 1, true);
    // Each can be refused and accepted, and all refusals end in one place.
    const out = drawn.map(([id]) => edges.filter((edge) => edge.from === id));
    is(`${path}: two ways out of each`, out.every((ways) => ways.length === 2 && ways[1].text === "accepted"), true);
    is(`${path}: one refusal`, new Set(out.map((ways) => ways[0].to)).size, 1);
    is(`${path}: the family is in a job`, [...all.get("Jobs").nodes.values()].includes(name), true);
  }
  for (const word of ["job", "workflow"]) {
    for (const [, name] of text.matchAll(new RegExp(`^${word} +([a-z_0-9]+)`, "gm"))) {
      is(`${path}: ${word} ${name} has a frame`, all.get("Jobs").frames.includes(name), true);
    }
  }
}

const jobs = (await charts("tests/golden/show/sample.policy")).get("Jobs");
is("what crosses between jobs", jobs.edges.filter((edge) => edge.from === "job0").map((edge) => edge.text), ["kept"]);

ended();
