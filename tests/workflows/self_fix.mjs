// SPDX-License-Identifier: Apache-2.0
// The loop of the self-fix as its generated workflow has it, step by step in a real git checkout: the action of this
// repository, git, the policy; and a program in the agent's stead. Usage: node tests/workflows/self_fix.mjs POLICYC BYLAW
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import YAML from "yaml";
import { check, ended, root, temporaryFolder } from "../support/script.mjs";

const [policyc, bylaw] = process.argv.slice(2).map((p) => resolve(p));
const work = temporaryFolder("self-fix");
const clean = { PATH: `${work}/bin:${process.env.PATH}`, HOME: work, LC_ALL: "C.UTF-8", GIT_CONFIG_NOSYSTEM: "1" };
const sh = (cwd, text, env = {}) => spawnSync("bash", ["-e", "-c", text], { cwd, encoding: "utf8", env: { ...clean, ...env } });
const must = (cwd, text) => {
  const result = sh(cwd, text);
  assert.equal(result.status, 0, text + "\n" + result.stdout + result.stderr);
  return result.stdout.trim();
};
const executable = (path, text) => {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
};

// ---- the repository: a pull request of the maintainer, with files that would like to be obeyed ---------------

mkdirSync(join(work, "bin"));
const origin = join(work, "origin.git");
const seed = join(work, "seed");
must(work, `git init -q --bare -b main ${origin} && git clone -q ${origin} ${seed} 2>/dev/null`);
must(seed, "git config user.name o && git config user.email o@example.com && git checkout -q -b main");
mkdirSync(join(seed, ".github"));
mkdirSync(join(seed, "packages/web/src"), { recursive: true });
writeFileSync(join(seed, ".github/bylaw.policy"), "use self_fix\n");
writeFileSync(join(seed, "packages/web/src/a.ts"), "export const a = 1;\n");
must(seed, "git add -A && git commit -qm first && git push -q origin main");
must(seed, "git checkout -q -b fix-it && mkdir .claude && touch .claude/x CLAUDE.md packages/agents.md .mcp.json");
writeFileSync(join(seed, ".github/bylaw.policy"), "this is the policy of a stranger");
must(seed, "git add -A && git commit -qm second && git push -q origin fix-it");
const sha = must(seed, "git rev-parse HEAD");

// ---- the event and the world -----------------------------------------------------------------------------------

const payload = JSON.parse(readFileSync(join(root, "tests/events/status.json"), "utf8"));
const event = (change = {}) => ({
  ...payload,
  sha,
  state: "failure",
  context: "TestSprite V3",
  created_at: "2026-11-20T10:00:00+00:00",
  target_url: "https://preview.example/1",
  sender: { ...payload.sender, login: "testsprite[bot]", id: 258111874, type: "Bot" },
  ...change,
});
const pull = (change = {}) => ({
  number: 12, title: "evil ::error::title", text: "t", author: "octocat", created_at: "2026-11-18T00:00:00Z",
  head: sha, head_branch: "fix-it", head_repository: "Codertocat/Hello-World", ...change,
});
const world = (change = {}) => ({
  now: "2026-11-20T10:00:30Z", repository: "Codertocat/Hello-World", default_branch: "main",
  users: [{ login: "octocat", id: 583231 }],
  commits: [{ sha, author: "octocat", committer: "octocat", author_email: "o@example.com", message: "m",
              committed_at: "2026-11-20T09:00:00Z", made_at: "2026-11-20T09:00:00Z" }],
  pull_requests: [pull()], ...change,
});
const runs = (count, at, job, started = at) =>
  Array.from({ length: count }, (_, i) => ({
    workflow: "self-fix.yml", created_at: at.replace("00Z", `${10 + i}Z`),
    jobs: [{ name: job, ...(started ? { started_at: started.replace("00Z", `${20 + i}Z`) } : {}) }],
  }));

// ---- the gates --------------------------------------------------------------------------------------------------

const compiled = join(work, "gates.pbc");
{
  const made = spawnSync(policyc, ["--path", join(root, "policies"), join(root, "policies/self_fix"), "-o", compiled], { encoding: "utf8", cwd: root });
  assert.equal(made.status, 0, made.stderr);
}
const decide = (e, w) => {
  writeFileSync(join(work, "e.json"), JSON.stringify(e));
  if (w) writeFileSync(join(work, "w.json"), JSON.stringify(w));
  const result = spawnSync(bylaw, ["run", "verify", "-p", compiled, "-e", join(work, "e.json"), "-n", "status", "--json",
    "--now", "2026-11-20T10:00:30Z", ...(w ? ["-w", join(work, "w.json")] : [])], { encoding: "utf8", env: { ...clean } });
  assert.ok([0, 1].includes(result.status), result.stderr);
  const out = JSON.parse(result.stdout);
  const outputs = out.units.flatMap((u) => u.effects).filter((x) => JSON.stringify(x).includes("output")).length;
  return { notice: out.log.map((l) => l.text).join(), passes: outputs > 0, raw: result.stdout };
};
const passes = (name, e, w) => check(`passes: ${name}`, () => assert.deepEqual({ ...decide(e, w), raw: 0 }, { notice: "", passes: true, raw: 0 }));
const held = (name, notice, e, w) => check(`held: ${name}`, () => {
  const verdict = decide(e, w);
  assert.deepEqual({ notice: verdict.notice, passes: verdict.passes }, { notice, passes: false });
  assert.ok(!verdict.raw.includes("evil"), "a word of the pull request"); // req: GAT-18
});
const day = "2026-11-20T03:00:00Z";
// req: GAT-01
passes("all four", event(), world());
// req: GAT-03 GAT-04
held("another name", "", event({ context: "TestSprite V3 " }), world());
held("another case", "", event({ context: "testsprite v3" }), world());
held("no failure", "", event({ state: "error" }), world());
// req: GAT-05
held("someone else's status", "Someone else posted the status.", event({ sender: { ...event().sender, id: 258111875 } }), world());
// req: GAT-06 GAT-10
const none = "Not exactly one open pull request has this commit as its head.";
held("no pull request", none, event(), world({ pull_requests: [] }));
held("two", none, event(), world({ pull_requests: [pull(), pull({ number: 13, head_branch: "other" })] }));
held("it moved", none, event(), world({ pull_requests: [pull({ head: "1".repeat(40) })] }));
// req: GAT-07 GAT-08 GAT-09
held("a fork", "The branch lives in a fork.", event(), world({ pull_requests: [pull({ head_repository: "evil/Hello-World" })] }));
held("main", "The branch is main.", event(), world({ pull_requests: [pull({ head_branch: "main" })] }));
held("another author", "Someone else opened the pull request.", event(), world({ pull_requests: [pull({ author: "evilcat" })] }));
held("the login with another id", "Someone else opened the pull request.", event(), world({ users: [{ login: "octocat", id: 1 }] }));
// req: GAT-11 GAT-12
passes("once before", event(), world({ runs: runs(1, "2026-11-19T03:00:00Z", "fix (#12)") }));
held("twice before", "Tried often enough on this pull request.", event(), world({ runs: runs(2, "2026-11-19T03:00:00Z", "fix (#12)") }));
passes("twice, and none began", event(), world({ runs: runs(2, "2026-11-19T03:00:00Z", "fix (#12)", "") }));
passes("on another one", event(), world({ runs: runs(2, "2026-11-19T03:00:00Z", "fix (#123)") }));
// req: GAT-13
passes("five today", event(), world({ runs: runs(5, day, "fix (#7)") }));
held("six today", "Tried often enough today.", event(), world({ runs: runs(6, day, "fix (#7)") }));
passes("six yesterday", event(), world({ runs: runs(6, "2026-11-19T03:00:00Z", "fix (#7)") }));
// req: GAT-02 GAT-15
held("nothing can be read", "Something could not be read in full.", event());

// ---- the jobs ---------------------------------------------------------------------------------------------------

const emitted = spawnSync(policyc, ["--path", join(root, "policies"), "--emit=workflows", join(root, "policies/self_fix")], { encoding: "utf8", cwd: root });
assert.equal(emitted.status, 0, emitted.stderr);
const jobs = YAML.parse(emitted.stdout.split(/^---\n/m)[0]).jobs;
const action = YAML.parse(readFileSync(join(root, "tools/action/action.yml"), "utf8"));
executable(join(work, "bin/policyc"), `#!/bin/sh\nexec ${policyc} --path ${root}/policies "$@"\n`);
// The repository is simulated; what stands in the checkout is not.
executable(join(work, "bin/bylaw"), `#!/bin/bash
cp ${work}/world.json ${work}/now.json
for one in job_files:patch.diff stores:test-runs.jsonl; do
  [ ! -f "\${one#*:}" ] || { jq --rawfile text "\${one#*:}" --arg kind "\${one%%:*}" --arg name "\${one#*:}" '.[$kind] = {($name): $text}' ${work}/now.json >${work}/next.json && mv ${work}/next.json ${work}/now.json; }
done
exec ${bylaw} "$@" -w ${work}/now.json -e ${work}/event.json -n status
`);
executable(join(work, "bin/npm"), '#!/bin/sh\necho "$*" >>"$RUNNER_TEMP/npm.txt"\n');
executable(join(work, "bin/claude"), `#!/bin/bash
{ find . | sort; } >${work}/seen.txt
env | sort >${work}/env.txt
cat >${work}/prompt.txt
cp .self-fix/failure.jsonl ${work}/failure.txt
echo "all that was said"
printf '{"model":"m","end":"answered","turns":7,"seconds":9,"cost":0.5,"tokens_in":1,"tokens_cached":1,"tokens_out":1}' >"$BYLAW_USAGE"
source ${work}/agent.sh
`);
const values = { "github.event.repository.default_branch": "main", "github.event.sha": sha, "github.token": "ghs_token",
  "secrets.CLAUDE_CODE_OAUTH_TOKEN": "model-token", "needs.verify.outputs.pull": "12", "needs.verify.outputs.branch": "fix-it" };
const fill = (text) => String(text ?? "").replace(/\$\{\{ (.*?) \}\}/g, (all, inner) => {
  const json = /^toJSON\((.*)\)$/.exec(inner);
  assert.ok((json?.[1] ?? inner) in values, `an expression that this test knows: ${inner}`);
  return json ? JSON.stringify(values[json[1]]) : values[inner];
});
const artifacts = join(work, "artifacts");
const temporary = join(work, "temp");
const place = join(work, "checkout");
const step = (one) => {
  const env = { GITHUB_EVENT_PATH: join(work, "event.json"), RUNNER_TEMP: temporary, GITHUB_WORKSPACE: place, GITHUB_OUTPUT: join(work, "outputs"),
    ACTIONS_RUNTIME_TOKEN: "runner-token" };
  for (const [key, value] of Object.entries(one.env ?? {})) env[key] = fill(value);
  if (one.run) return sh(place, one.run, env);
  const name = one.uses.split("@")[0];
  const given = Object.fromEntries(Object.entries(one.with ?? {}).map(([k, v]) => [k, fill(v)]));
  if (name === "step-security/harden-runner") return { status: 0, stdout: "", stderr: "" };
  if (name === "actions/checkout")
    return sh(work, `rm -rf ${place} && git clone -q ${origin} ${place} 2>/dev/null && cd ${place} && git checkout -q "$REF"`, { REF: given.ref });
  if (name === "actions/upload-artifact") return sh(place, `mkdir -p ${artifacts} && cp "$FILE" ${artifacts}/`, { FILE: given.path });
  if (name === "actions/download-artifact") return sh(place, `cp ${artifacts}/* .`);
  assert.equal(name, "bylaw-project/bylaw/tools/action");
  for (const [key, value] of Object.entries(action.runs.steps[0].env)) {
    const input = /inputs\.([\w-]+)/.exec(value)[1];
    assert.ok(input in action.inputs);
    env[key] = given[input] ?? "";
  }
  for (const input of Object.keys(given)) assert.ok(input in action.inputs, `the action has '${input}'`);
  return sh(place, action.runs.steps[0].run, { ...env, GITHUB_ACTION_PATH: join(root, "tools/action") });
};
// All steps until one fails, as GitHub does it.
const job = (name) => {
  let said = "";
  mkdirSync(place, { recursive: true });
  for (const one of jobs[name].steps) {
    const result = step(one);
    said += result.stdout + result.stderr;
    if (result.status !== 0) return { good: false, at: one.run ?? one.with?.step ?? one.uses, said };
  }
  return { good: true, said };
};
const begin = (agent) => {
  for (const folder of [artifacts, temporary, place]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(temporary);
  mkdirSync(artifacts);
  writeFileSync(join(work, "event.json"), JSON.stringify(event()));
  writeFileSync(join(work, "world.json"), JSON.stringify(world()));
  writeFileSync(join(work, "agent.sh"), agent);
};
const head = () => must(work, `git -C ${origin} rev-parse fix-it`);
const mends = "echo 'export const a = 2;' >packages/web/src/a.ts; echo 'export const b = 1;' >packages/web/src/b.ts\n";

begin(mends);
const fixed = job("fix");
// req: AGT-08 AGT-14
check("AGT-08 AGT-14: the fix, by the policy of the default branch", () => assert.ok(fixed.good, JSON.stringify(fixed, null, 1)));
const seen = existsSync(join(work, "seen.txt")) ? readFileSync(join(work, "seen.txt"), "utf8") : "";
const environment = existsSync(join(work, "env.txt")) ? readFileSync(join(work, "env.txt"), "utf8") : "";
// req: AGT-09 AGT-10
check("AGT-09 AGT-10: no instructions, no git folder", () => {
  assert.match(seen, /^\.\/packages\/web\/src\/a\.ts$/m);
  assert.doesNotMatch(seen, /claude\.md|agents\.md|\.mcp\.json|\.claude|\.git$|\.git\//im);
});
// req: AGT-01 AGT-22
check("AGT-01 AGT-22: the model's token and no other", () => {
  assert.match(environment, /^CLAUDE_CODE_OAUTH_TOKEN=model-token$/m);
  assert.doesNotMatch(environment, /ghs_token|runner-token|GITHUB_/);
});
// req: AGT-04
check("AGT-04: tools by the lockfile, without scripts", () =>
  assert.equal(readFileSync(join(temporary, "npm.txt"), "utf8"), "ci --ignore-scripts --prefix .github/self-fix\n"));
// req: AGT-12
check("AGT-12: the report is marked untrusted", () => assert.match(readFileSync(join(work, "failure.txt"), "utf8"), /^Untrusted data/));
// req: OUT-13 AGT-16
check("OUT-13 AGT-16: turns and cost, nothing that was said", () => {
  assert.match(fixed.said, /7 turns, \$0\.500\./);
  assert.doesNotMatch(fixed.said, /all that was said/);
});
// req: AGT-20
check("AGT-20: the patch alone is kept, for a day", () => {
  assert.match(readFileSync(join(artifacts, "patch.diff"), "utf8"), /^\+export const a = 2;$/m);
  assert.match(readFileSync(join(artifacts, "patch.diff"), "utf8"), /^\+export const b = 1;$/m);
  assert.doesNotMatch(readFileSync(join(artifacts, "patch.diff"), "utf8"), /claude|agents|\.github/i);
  assert.equal(jobs.fix.steps.at(-1).with["retention-days"], "1");
});
rmSync(temporary, { recursive: true, force: true });
mkdirSync(temporary);
const pushed = job("push");
// req: AGT-23 AGT-24
check("AGT-23 AGT-24: the push, its commit and its author", () => {
  assert.ok(pushed.good, JSON.stringify(pushed, null, 1));
  assert.equal(must(work, `git -C ${origin} log -1 --format='%an %ae %s' fix-it`),
    "github-actions[bot] 41898282+github-actions[bot]@users.noreply.github.com self-fix: what the test found");
  assert.equal(must(work, `git -C ${origin} show fix-it:packages/web/src/a.ts`), "export const a = 2;");
});
// req: PAT-29
const told = (count) => {
  writeFileSync(join(place, "patch.diff"), Array.from({ length: count }, (_, i) =>
    `diff --git a/packages/web/src/n${i}.ts b/packages/web/src/n${i}.ts\nindex 1111111..2222222 100644\n--- a/packages/web/src/n${i}.ts\n+++ b/packages/web/src/n${i}.ts\n@@ -1 +1 @@\n-a\n+b\n`).join(""));
  const result = sh(place, `bylaw step push post pushed -p ${temporary}/bylaw-policy.pbc --json`, {
    BYLAW_OUTPUTS: '{"verify": {"pull": "12", "branch": "fix-it"}}' });
  assert.equal(result.status, 0, result.stderr);
  const effects = JSON.parse(result.stdout).units.flatMap((u) => u.effects);
  assert.equal(effects.length, 1);
  return JSON.stringify(effects[0]);
};
check("PAT-29: told on the pull request, at most thirty files by name", () => {
  const thirty = told(30);
  const more = told(33);
  for (const text of [thirty, more]) {
    assert.match(text, /n29\.ts/);
    assert.doesNotMatch(text, /n30\.ts/);
  }
  assert.match(more, /… and 3 more\./);
  assert.doesNotMatch(thirty, /more\./);
});
must(work, `git -C ${origin} update-ref refs/heads/fix-it ${sha}`);

// req: PAT-02
begin("echo 'eval(1)' >packages/web/src/a.ts\n");
check("PAT-02: a refused patch is not uploaded", () => {
  const refused = job("fix");
  assert.deepEqual({ good: refused.good, at: refused.at }, { good: false, at: "check" });
  assert.ok(!existsSync(join(artifacts, "patch.diff")));
  assert.doesNotMatch(refused.said, /eval\(1\)/);
});
// req: PAT-01
begin(mends);
check("PAT-01 PAT-02: the patch that comes to the push is checked again", () => {
  assert.ok(job("fix").good);
  const path = join(artifacts, "patch.diff");
  writeFileSync(path, readFileSync(path, "utf8").replace("+export const a = 2;", "+eval(1)"));
  const refused = job("push");
  assert.deepEqual({ good: refused.good, at: refused.at }, { good: false, at: "check" });
  assert.equal(head(), sha);
});
begin(mends);
check("someone pushed in the meantime", () => {
  assert.ok(job("fix").good);
  must(seed, "git commit -q --allow-empty -m more && git push -q origin fix-it");
  const moved = head();
  assert.equal(job("push").good, false);
  assert.equal(head(), moved);
  must(work, `git -C ${origin} update-ref refs/heads/fix-it ${sha}`);
});
check("a step of its own needs the policy of the default branch", () => {
  begin(mends);
  step(jobs.fix.steps.find((s) => s.with?.ref === "${{ github.event.sha }}"));
  const result = step(jobs.fix.steps.find((s) => s.with?.step === "write"));
  assert.equal(result.status, 2);
  assert.match(result.stdout, /No step of this job compiled the policy/);
});

ended();
