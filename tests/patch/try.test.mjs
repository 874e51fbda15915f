// SPDX-License-Identifier: Apache-2.0
//
// `bylaw try check` and `bylaw try screen` from outside: texts and patches on standard input, git as it is
// installed, lines of JSON.
//
//     node tests/patch/try.test.mjs build/dev/tools/bylaw/bylaw
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import assert from "node:assert/strict";

const bylaw = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "bylaw-try-"));
const policies = resolve("policies");

function attempt(words, input, options = {}) {
  const product = words[2].startsWith("self_fix") ? "self_fix" : "learnings";
  const run = spawnSync(bylaw, [...words, "-p", join(policies, product)], { input, cwd: folder, ...options });
  return { code: run.status, out: run.stdout.toString(), err: run.stderr.toString() };
}
const check = (input, more = [], options) => attempt(["try", "check", "self_fix_patch", ...more], input, options);
const screen = (input, more = []) => attempt(["try", "screen", "learning", ...more], input);
const lines = (run) => run.out.trimEnd().split("\n").map((line) => JSON.parse(line));

const patch = (line, path = "packages/web/src/a.ts") =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n-a\n+b\n+${line}\n`;

const tests = {
  "a verdict in words, and the exit code"() {
    assert.deepEqual(check(patch("c")), { code: 0, out: "self_fix_patch: passes: allowed\n", err: "" });
    const refused = check(patch("eval('x')"));
    assert.equal(refused.code, 1);
    assert.equal(refused.out,
      "self_fix_patch: refuses: calls — An added line that runs text or loads code. (packages/web/src/a.ts:2)\n");
    assert.equal(screen("Nothing special.").out, "learning: passes: allowed\n");
    assert.equal(screen("See www.example.com").code, 1);
  },

  // req: PAT-34
  "the rule and the place are told, never the line"() {
    const secret = "ghp_" + "a1B2".repeat(9);
    for (const more of [[], ["--json"], ["--explain"]]) {
      const run = check(patch(`x = "${secret}"`), more);
      assert.equal(run.code, 1);
      assert.match(run.out, /secret/);
      assert.match(run.out, /packages\/web\/src\/a\.ts:2/);
      assert.ok(!(run.out + run.err).includes("ghp_"), more.join());
    }
    const run = check(JSON.stringify({ input: patch(secret) }) + "\n", ["--jsonl"]);
    assert.ok(!(run.out + run.err).includes(secret));
  },

  "lines of JSON, each with its settings and its world"() {
    const text = patch("c");
    const rows = [
      { id: 1, input: text },
      { id: "two", input: patch("process.exit()") },
      { id: 3, input: text, settings: { changed_lines: 2 } },
      { id: 4, input: text, world: { git_reading: "2 1 packages/web/src/other.ts\n" } },
      { id: 5, input: text, world: { git_reading: "2 1 packages/web/src/a.ts\n" } },
      { id: 6, input: patch("c", "README.md") },
      { id: 7, input: "no patch\n" },
      { id: 8, input: text, settings: { patch_bytes: 20 } },
    ];
    const run = check(rows.map((row) => JSON.stringify(row)).join("\n"), ["--jsonl"]);
    assert.equal(run.code, 1);
    const kinds = lines(run).map((row) => [row.id, row.refused, row.findings[0]?.kind, row.fallback]);
    assert.deepEqual(kinds, [
      [1, false, undefined, false],
      ["two", true, "environment", false],
      [3, true, "lines", false],
      [4, true, "as_git", false],
      [5, false, undefined, false],
      [6, true, "allowed", false],
      [7, true, "readable", false],
      [8, true, "small", false],
    ]);
    const [, two, three, , five, six, seven, eight] = lines(run);
    // The span of a line, of a file, of the line that cannot be read, of all.
    const bytes = (row, text) => Buffer.from(text).subarray(row.findings[0].start, row.findings[0].end).toString();
    assert.equal(bytes(two, patch("process.exit()")), "process.exit()");
    assert.equal(two.reason, "An added line that reaches for the environment. (packages/web/src/a.ts:2)");
    assert.match(two.findings[0].rule, /patch\.policy:\d+: refuse environment/);
    assert.equal(bytes(three, text), text);
    assert.equal(five.reason, null);
    assert.equal(bytes(six, patch("c", "README.md")), patch("c", "README.md"));
    assert.equal(bytes(seven, "no patch\n"), "no patch");
    assert.match(seven.reason, /line 1 of the patch: A file begins with 'diff --git'/);
    assert.equal(eight.reason, "More than 20 bytes.");
    assert.equal(check('{"id":1,"input":7}\n', ["--jsonl"]).code, 4);
    assert.equal(check('{"id":1,"input":"x","settings":{"nothing":7}}\n', ["--jsonl"]).code, 4);
  },

  // req: PAT-27
  "bytes that are no text are no patch"() {
    for (const bytes of [Buffer.from(patch("\xff"), "latin1"), Buffer.from(patch("a\0b"))]) {
      const run = check(bytes);
      assert.equal(run.code, 1);
      assert.match(run.out, /refuses: readable/);
    }
    assert.equal(screen(Buffer.from([0xff, 0x41, 0])).code, 0);
  },

  // req: PAT-28
  "git is asked away from the repository that it runs in"() {
    const repository = join(folder, "repository");
    const below = join(repository, "below");
    mkdirSync(below, { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: repository });
    for (const [key, value] of [["apply.whitespace", "error-all"], ["core.quotePath", "false"]])
      execFileSync("git", ["config", key, value], { cwd: repository });
    // Below a folder of a repository git leaves out what is not below it, and says nothing at all.
    const plain = spawnSync("git", ["apply", "--numstat"], { cwd: below, input: patch("c ") });
    assert.equal(plain.stdout.toString(), "");
    assert.equal(check(patch("c "), [], { cwd: below }).out, "self_fix_patch: passes: allowed\n");
  },

  // req: PAT-28
  "without git there is no verdict"() {
    const run = check(patch("c"), [], { env: { PATH: folder } });
    assert.equal(run.code, 5);
    assert.equal(run.out, "");
    assert.match(run.err, /git/);
    // And one that says something else is heard.
    writeFileSync(join(folder, "git"), "#!/bin/sh\ncat >/dev/null\nprintf '2\\t1\\tother.ts\\0'\n", { mode: 0o755 });
    const lying = check(patch("c"), [], { env: { PATH: `${folder}:${process.env.PATH}` } });
    assert.match(lying.out, /refuses: as_git/);
    for (const said of ["exit 128", "kill -9 $$", "printf 'x'"]) {
      writeFileSync(join(folder, "git"), `#!/bin/sh\ncat >/dev/null\n${said}\n`, { mode: 0o755 });
      const broken = check(patch("c"), [], { env: { PATH: `${folder}:${process.env.PATH}` } });
      assert.ok(/refuses: as_git/.test(broken.out) || broken.code === 5, said);
    }
  },

  "what was refused, byte by byte"() {
    const text = "The key: ABCDEFGHIJ0123456789.";
    const run = screen(text, ["--explain"]);
    assert.match(run.out, /^9-29: refuses: looks_like_a_secret — .*, by .*screen\.policy:\d+: refuse looks_like_a_secret/);
    assert.match(screen("Plain.", ["--explain"]).out, /^passes: allowed, by /);
    const [row] = lines(screen(JSON.stringify({ input: text }), ["--jsonl"]));
    assert.deepEqual([row.findings[0].start, row.findings[0].end], [9, 29]);
  },

  "a check with other parameters, or none of that name, is told so"() {
    assert.equal(attempt(["try", "screen", "nothing"], "x").code, 2);
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    test();
    console.log(`ok ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
