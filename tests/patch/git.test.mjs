// SPDX-License-Identifier: Apache-2.0
//
// Git judges the reader of patches. Random small trees are committed, git writes the patches between them in
// several ways, and what the reader says of each is held against the trees, `git apply --numstat -z` and
// `git apply --summary`. Then the same patches are damaged as a stranger would: whatever the reader still
// takes, git must read in the same way.
//
//     node tests/patch/git.test.mjs build/dev/tests/patch/read_patches [seed] [pairs]
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";

const [reader, seedText = "20261101", pairsText = "48"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "bylaw-patch-"));
const environment = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  LC_ALL: "C.UTF-8",
};
const settings = { cwd: folder, env: environment, maxBuffer: 1 << 28 };
const git = (args, input) => execFileSync("git", args, { ...settings, input });

// ---- chance, the same for a seed ---------------------------------------------------------------

let state = BigInt(seedText) * 2n + 1n;
function chance(n) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(n));
}
const pick = (list) => list[chance(list.length)];

// ---- trees -------------------------------------------------------------------------------------

const names = [
  "a.ts", "b.ts", "sp ace.ts", "q\"uote", "back\\slash", "ü.ts", "日本.css", "deep/er/x.ts", "-dash", "b", "b ",
  " b", "a b/c d", "x/.hidden", "diff --git a", "CamelCase.TS", "camelcase.ts", "(paren)", "@@ -1 +1 @@", "new\u0301",
];
const words = ["", "x", "-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file", "ü", "\r", "a\rb", "  ", "\t", "end", "{", "}"];

function lines() {
  return Array.from({ length: chance(30) }, () => pick(words) + (chance(3) ? "" : String(chance(50))));
}
function file() {
  const kind = chance(20);
  if (kind === 0) return { mode: "120000", data: Buffer.from(pick(["a.ts", "../x", "/etc/passwd"])) };
  if (kind === 1) return { mode: "160000", id: pick(["1", "2"]).repeat(40) };
  if (kind === 2) return { mode: "100644", data: Buffer.from([0, chance(256), 255, chance(256)]) };
  const text = lines().join("\n") + (chance(4) ? "\n" : "");
  return { mode: chance(6) ? "100644" : "100755", data: Buffer.from(text) };
}
function edited(old) {
  if (old.data === undefined || old.data.includes(0)) return file();
  const text = old.data.toString().split("\n");
  for (let n = chance(4); n >= 0; n--) text.splice(chance(text.length + 1), chance(2), ...(chance(2) ? [pick(words)] : []));
  return { mode: chance(6) ? old.mode : pick(["100644", "100755", old.mode]), data: Buffer.from(text.join("\n")) };
}
function tree(from) {
  const next = new Map();
  for (const [name, old] of from) {
    const what = chance(8);
    if (what === 0) continue;
    if (what === 1) next.set(pick(names), chance(2) ? old : edited(old));
    else next.set(name, what < 5 ? edited(old) : old);
    if (what === 7) next.set(pick(names), old);
  }
  for (let n = chance(4); n > 0; n--) next.set(pick(names), file());
  if (chance(12) === 0) next.set("tab\tbed", file());
  // A name is not also a folder.
  for (const name of [...next.keys()]) if ([...next.keys()].some((other) => other.startsWith(name + "/"))) next.delete(name);
  return next;
}

// All trees in one stream: a commit each.
function commitAll(trees) {
  const parts = [];
  const data = (bytes) => parts.push(Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from("\n"));
  const quote = (name) => `"${name.replace(/[\\"]/g, "\\$&").replace(/\t/g, "\\t")}"`;
  trees.forEach((files, n) => {
    parts.push(Buffer.from(`commit refs/heads/t${n}\ncommitter a <a@b> ${1000000000 + n} +0000\n`));
    data(Buffer.from("x"));
    for (const [name, f] of files) {
      if (f.id !== undefined) parts.push(Buffer.from(`M ${f.mode} ${f.id} ${quote(name)}\n`));
      else {
        parts.push(Buffer.from(`M ${f.mode} inline ${quote(name)}\n`));
        data(f.data);
      }
    }
  });
  git(["fast-import", "--quiet"], Buffer.concat(parts));
}

// ---- the two readings --------------------------------------------------------------------------

function readAll(patches) {
  const input = Buffer.concat(patches.flatMap((p) => [Buffer.from(`${p.length}\n`), p]));
  const out = execFileSync(reader, [], { input, maxBuffer: 1 << 28 });
  return out.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
}

// Away from any repository, so that no folder and no setting changes what it sees.
const away = { ...environment, GIT_DIR: "/dev/null" };
function gitReads(patch, option = "--numstat") {
  const run = spawnSync("git", ["apply", option, "-z"], { ...settings, env: away, input: patch });
  return run.status === 0 ? run.stdout.toString() : null;
}
function numstat(printed) {
  return printed.split("\0").slice(0, -1).map((row) => row.split("\t").slice(0, 2).join(" ") + " " + row.split("\t").slice(2).join("\t") + "\n").join("");
}

function compare(patch, answer, before, after) {
  for (const f of answer.files) {
    const old = f.from || f.path;
    const is = after.get(f.path);
    const was = before.get(old);
    const expected = f.change === "deleted" ? [true, false] : f.change === "created" ? [false, true] : [true, true];
    assert.deepEqual([was !== undefined, is !== undefined], expected, `${f.path}: ${f.change}`);
    assert.equal(f.change === "renamed" || f.change === "copied", f.from !== "");
    const changed = f.change === "created" ? is.mode !== "100644" : f.change !== "deleted" && is.mode !== was.mode;
    assert.equal(f.mode_changed, changed, `${f.path}: mode_changed`);
    const usual = (t) => t === undefined || t.mode.startsWith("100");
    if (f.ordinary) assert.ok(usual(was) && usual(is), `${f.path}: ordinary`);
    else assert.ok(!usual(is ?? was) || f.from !== "", `${f.path}: not ordinary`);
    const now = is?.data?.toString().split("\n");
    for (const line of f.lines) {
      if (is.id === undefined) assert.equal(now[line.number - 1], line.text, `${f.path}:${line.number}`);
      else assert.equal(line.text, `Subproject commit ${is.id}`);
    }
  }
}

// ---- damage ------------------------------------------------------------------------------------

const inserts = [
  "", "\n", "diff --git a/evil.ts b/evil.ts\n", "--- a/evil.ts\n+++ b/evil.ts\n", "@@ -1 +1 @@\n", "+evil\n", "-x\n", " x\n", "\\ No newline at end of file\n",
  "new file mode 100644\n", "deleted file mode 100644\n", "old mode 100644\nnew mode 100755\n", "rename from a.ts\nrename to evil.ts\n",
  "similarity index 100%\n", "index 0000000..1111111\n", "GIT binary patch\n", "-- \n2.39.5\n", "Index: evil.ts\n", "+++ b/evil.ts\n", "--- /dev/null\n",
  "diff --git a/evil.ts b/evil.ts\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/evil.ts\n@@ -0,0 +1 @@\n+evil\n",
];
function damaged(text) {
  const rows = text.split(/(?<=\n)/);
  const at = chance(rows.length);
  switch (chance(9)) {
    case 0: rows.splice(at, 1); break;
    case 1: rows.splice(at, 0, rows[at]); break;
    case 2: rows.splice(at, 0, rows[chance(rows.length)]); break;
    case 3: rows.splice(at, 0, pick(inserts)); break;
    case 4: rows[at] = rows[at].replace(/\d+/, (n) => String(Number(n) + pick([-1, 1, 1000]))); break;
    case 5: rows[at] = rows[at].replace(/\n$/, pick(["\r\n", " \n", "\t\n", "\t2026-01-01\n", "\v\n", ""])); break;
    case 6: rows[at] = rows[at].replace(/[ab]\//, () => pick(["", "../", "/", "a//", "./", "A/", "\\", "b/../"])); break;
    case 7: rows[at] = rows[at].replace(/ /, () => pick(["", "  ", "\t", "\u00a0", "\0"])); break;
    default: {
      const i = chance(rows[at].length + 1);
      rows[at] = rows[at].slice(0, i) + pick(["\"", "\\", "/", "\n", "+", "-", " ", "@", "a", "\r", "0", "\u202e"]) + rows[at].slice(i + chance(2));
    }
  }
  return rows.join("");
}

// ---- all ---------------------------------------------------------------------------------------

const ways = [[], ["-M", "-C", "--find-copies-harder"], ["-U0"], ["--binary", "--full-index", "-M"], ["-W", "--abbrev=12"], ["-B", "-U1"]];

function main() {
  git(["init", "-q"]);
  git(["config", "core.quotePath", pick(["true", "false"])]);
  const trees = [tree(new Map(names.map((name) => [name, file()])))];
  for (let i = 0; i < Number(pairsText); i++) trees.push(tree(trees[i]));
  commitAll(trees);
  const patches = [];
  for (let i = 0; i + 1 < trees.length; i++) {
    const way = ways[i % ways.length];
    const patch = git(["diff-tree", "-p", "--no-ext-diff", ...way, `t${i}`, `t${i + 1}`]);
    patches.push({ patch, before: trees[i], after: trees[i + 1], way });
  }
  const answers = readAll(patches.map((p) => p.patch));
  let taken = 0;
  let files = 0;
  const good = [];
  patches.forEach(({ patch, before, after, way }, i) => {
    const answer = answers[i];
    const text = patch.toString();
    // What is refused, and why it may be: a file that became another kind of file stands there twice; a name with a
    // control character; a name that is quoted without need never occurs.
    if (answer.problem !== "") {
      const reasons = [/\\t|\\[0-7]{2}[0-7]/.test(text) && /control character/.test(answer.problem),
        /stands in the patch twice/.test(answer.problem)];
      assert.ok(reasons.some(Boolean), `${way.join(" ")}: ${answer.problem}\n${text}`);
      return;
    }
    taken++;
    files += answer.files.length;
    assert.equal(answer.reading, patch.length === 0 ? "" : numstat(gitReads(patch)), text);
    compare(patch, answer, before, after);
    const summary = patch.length === 0 ? "" : gitReads(patch, "--summary");
    const count = (word) => summary.split("\n").filter((line) => line.startsWith(` ${word} `)).length;
    const of = (change) => answer.files.filter((f) => f.change === change).length;
    for (const [word, change] of [["create", "created"], ["delete", "deleted"], ["rename", "renamed"], ["copy", "copied"]])
      assert.equal(count(word), of(change), `${word}\n${text}`);
    good.push(text);
  });
  assert.ok(taken >= patches.length / 4, `only ${taken} of ${patches.length} were taken`);
  const hostile = Array.from({ length: 200 * Math.ceil(Number(pairsText) / 6) }, () => damaged(pick(good)));
  const verdicts = readAll(hostile.map((text) => Buffer.from(text)));
  let still = 0;
  let unread = 0;
  verdicts.forEach((answer, i) => {
    if (answer.problem !== "" || hostile[i].length === 0) return;
    const printed = gitReads(Buffer.from(hostile[i]));
    // What git does not read, git does not apply.
    if (printed !== null) assert.equal(answer.reading, numstat(printed), hostile[i]);
    else unread++;
    still++;
  });
  assert.ok(still > 0 && still < hostile.length / 2, `${still} of ${hostile.length} damaged ones were taken`);
  console.log(`${taken} of ${patches.length} patches with ${files} files read as git reads them; of ${hostile.length} damaged ones ${still} were taken, each as git reads it (${unread} it does not read)`);
}

try {
  main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
