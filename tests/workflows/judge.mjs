// SPDX-License-Identifier: Apache-2.0
// What `policyc --emit=workflows` writes, read by others: by the reader of workflows that GitHub
// publishes, by a YAML library as 1.1 and 1.2, and its conditions by GitHub's evaluator of
// expressions on real payloads, beside what `bylaw run` does with them. Expected values come from
// the requirements. Usage: node tests/workflows/judge.mjs POLICYC BYLAW
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import YAML from "yaml";
import { check, ended, temporaryFolder } from "../support/script.mjs";

// The packages import JSON without saying that it is JSON, which node refuses.
register(
  "data:text/javascript," +
    encodeURIComponent(`
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
export async function load(url, context, next) {
  if (!url.endsWith(".json")) return next(url, context);
  const source = "export default " + readFileSync(fileURLToPath(url), "utf8");
  return { format: "module", shortCircuit: true, source };
}`),
);
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await import("@actions/workflow-parser");
const { Lexer, Parser, Evaluator, data } = await import("@actions/expressions");

const [policyc, bylaw] = process.argv.slice(2);
const work = temporaryFolder("workflows");
const run = (command, ...args) => spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });

// ---- what others make of a text --------------------------------------------------------------------

const context = (value) => {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(context));
  return new data.Dictionary(...Object.entries(value).map(([key, v]) => ({ key, value: context(v) })));
};
// Names that expressions may use.
const names = ["github", "needs", "inputs", "vars", "secrets", "steps"];
const evaluate = (expression, values) => {
  const lexed = new Lexer(expression).lex();
  const tree = new Parser(lexed.tokens, names, []).parse();
  const all = new data.Dictionary(...names.map((key) => ({ key, value: context(values[key] ?? {}) })));
  return new Evaluator(tree, all).evaluate();
};
// A text of a workflow as GitHub fills it: `${{ … }}` ends where a quoted text does not hold the end.
const fill = (text, values) =>
  text.replace(/\$\{\{((?:'(?:[^']|'')*'|[^'}]|\}(?!\}))*)\}\}/g, (_, inner) => evaluate(inner, values).coerceString());
const condition = (text) => {
  const found = /^\$\{\{((?:'(?:[^']|'')*'|[^'}]|\}(?!\}))*)\}\}$/.exec(text);
  assert.ok(found, `one expression alone: ${text}`);
  return found[1];
};

const made = {};
const generate = async (name, ...args) => {
  const result = run(policyc, "--emit=workflows", ...args);
  assert.equal(result.status, 0, result.stderr);
  check(`${name}: the same bytes again`, () => assert.equal(run(policyc, "--emit=workflows", ...args).stdout, result.stdout));
  made[name] = {};
  for (const part of result.stdout.split(/^---\n/m)) {
    const text = part.slice(part.indexOf("\n") + 1);
    const hosts = /^# (\.github\/[^/\n]*)\n/.exec(part)?.[1];
    if (hosts !== undefined) {
      made[name][hosts] = { text, hosts: YAML.parse(text), old: YAML.parse(text, { version: "1.1" }) };
      continue;
    }
    const file = /^# \.github\/workflows\/(.*)\n/.exec(part)[1];
    const parsed = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
    const template = parsed.value && (await convertWorkflowTemplate(parsed.context, parsed.value));
    check(`${name}/${file}: GitHub reads it`, () => {
      assert.deepEqual(parsed.context.errors.getErrors().map((e) => e.message), []);
      assert.deepEqual(template.errors ?? [], []);
    });
    const doc = YAML.parse(text);
    check(`${name}/${file}: YAML 1.1 and 1.2 read the same`, () => {
      const old = YAML.parse(text, { version: "1.1" });
      if ("true" in old || true in old) {
        old.on = old.true ?? old[true]; // the one word that GitHub chose badly
        delete old.true;
      }
      assert.deepEqual({ ...old }, { ...doc });
    });
    made[name][file] = { text, doc };
    hardened(name, file, doc, text);
  }
};

// ---- what holds for each of them -------------------------------------------------------------------

function hardened(name, file, doc, text) {
  const steps = Object.values(doc.jobs).flatMap((job) => job.steps);
// req: AGT-02
  check(`${name}/${file}: no permission but those of a job (AGT-02)`, () => assert.deepEqual(doc.permissions, {}));
  for (const [id, job] of Object.entries(doc.jobs)) {
    check(`${name}/${file}/${id}: says its permissions (AGT-02)`, () => assert.equal(typeof job.permissions, "object"));
    check(`${name}/${file}/${id}: no queue drops what runs (EVT-23)`, () => assert.ok(job.concurrency?.["cancel-in-progress"] !== true));
  }
// req: WFL-19 AGT-03
  check(`${name}/${file}: actions by commit (WFL-19 AGT-03)`, () => {
    for (const step of steps.filter((s) => "uses" in s)) assert.match(step.uses, /^[^@]+@[0-9a-f]{40}$/);
  });
  check(`${name}/${file}: no expression in a command line (WFL-21)`, () => {
    for (const step of steps.filter((s) => "run" in s)) assert.ok(!step.run.includes("${{"), step.run);
  });
  check(`${name}/${file}: no text of a stranger in any expression (WFL-21 EVT-41)`, () =>
    assert.doesNotMatch(text.replaceAll("${{ '${{' }}", ""), /\$\{\{[^}]*\.(title|body|message|head_ref|label\.name)\b/));
}
const lines = (text) => text.split("\n");

// ---- the shipped assistant -------------------------------------------------------------------------

await generate("issue_assistant", "policies/issue_assistant");
const assistant = made.issue_assistant["issue-assistant.yml"].doc;
const lifecycle = made.issue_assistant["issue-lifecycle.yml"].doc;

// req: EVT-01 EVT-40
check("EVT-01 EVT-40: what starts the assistant", () => {
  assert.equal(assistant.name, "Issue assistant");
  assert.deepEqual(Object.keys(assistant.on), ["issues", "issue_comment", "workflow_dispatch"]);
  assert.deepEqual(assistant.on.issues.types, ["opened", "edited"]);
  assert.deepEqual(assistant.on.issue_comment.types, ["created"]);
});
// req: EVT-18 WFL-16
check("EVT-18 WFL-16 ANS-28: the form of a run by hand", () => {
  const { issue, task, dry_run } = assistant.on.workflow_dispatch.inputs;
  assert.deepEqual(issue, { type: "number", required: true });
  assert.equal(task.type, "choice");
  assert.equal(task.default, "triage");
  assert.deepEqual(task.options, ["triage", "follow_up", "maintainer_reply", "release_reply", "maintainer_question"]);
  assert.deepEqual(dry_run, { type: "boolean", default: true });
});
// req: EVT-23 WFL-12
check("EVT-23 WFL-12: a queue an issue that drops nothing", () => {
  const { concurrency } = assistant; // with three jobs the whole run waits its turn
  assert.deepEqual({ ...concurrency, group: 0 }, { group: 0, queue: "max", "cancel-in-progress": false });
  const number = (values) => fill(concurrency.group, values);
  assert.equal(number({ github: { event: { issue: { number: 7 } } } }), "issue-7");
  assert.equal(number({ github: { event: {} }, inputs: { issue: 8 } }), "issue-8");
});
// req: EVT-13 EVT-14 EVT-33
check("EVT-13 EVT-14 EVT-33: whose events take a runner", () => {
  const takes = (name, event) => evaluate(condition(assistant.jobs.event.if), { github: { event_name: name, event } }).coerceString() === "true";
  const person = { type: "User", login: "alice" };
  assert.ok(takes("issues", { action: "opened", sender: person, issue: { user: person } }));
  assert.ok(!takes("issues", { action: "opened", sender: { type: "Bot", login: "x" }, issue: { user: person } }));
  assert.ok(!takes("issues", { action: "opened", sender: { type: "User", login: "x[bot]" }, issue: { user: person } }));
  assert.ok(!takes("issue_comment", { action: "created", sender: person, issue: { user: person, pull_request: { url: "" } } }));
  assert.ok(takes("issue_comment", { action: "created", sender: person, issue: { user: person } }));
  assert.ok(takes("issues", { action: "edited", sender: person, issue: { user: person } }));
  assert.ok(!takes("issues", { action: "edited", sender: person, issue: { user: { login: "bob" } } }));
  assert.ok(takes("workflow_dispatch", { sender: person }));
});
// req: ANS-28
check("ANS-28: a run by hand may write nothing", () => {
  const dry = assistant.jobs.event.steps.at(-1).with["dry-run"];
  assert.deepEqual([true, false, undefined].map((dry_run) => fill(dry, { inputs: { dry_run } })), ["true", "false", "false"]);
});
// req: EVT-20
check("EVT-19 EVT-20: the job that decides sees whether the secret is set", () => {
  const { env } = assistant.jobs.event.steps.at(-1);
  assert.deepEqual(Object.keys(env).sort(), ["CLAUDE_CODE_OAUTH_TOKEN", "GITHUB_TOKEN", "ISSUE_ASSISTANT_AI"]);
  const seen = (secrets) => fill(env.CLAUDE_CODE_OAUTH_TOKEN, { secrets });
  assert.equal(seen({ CLAUDE_CODE_OAUTH_TOKEN: "sk" }), "true");
  assert.equal(seen({}), "false");
  assert.equal(assistant.jobs.event.environment, "issue-assistant");
});
// req: WFL-06 WFL-07
check("WFL-04 WFL-06 WFL-07 WFL-11: where jobs run, and their first steps", () => {
  for (const job of [assistant.jobs.event, lifecycle.jobs.sweep]) {
    assert.equal(job["runs-on"], "ubuntu-24.04");
    assert.equal(job["timeout-minutes"], 20);
    const [first, second] = job.steps;
    assert.match(first.uses, /^step-security\/harden-runner@/);
    assert.equal(first.with["egress-policy"], "block");
    assert.deepEqual(lines(first.with["allowed-endpoints"]), ["api.github.com:443", "github.com:443"]);
    assert.equal(first.with["disable-sudo-and-containers"], "true");
    assert.match(second.uses, /^actions\/checkout@/);
    assert.equal(second.with["persist-credentials"], "false");
    assert.equal(fill(second.with.ref, { github: { event: { repository: { default_branch: "main" } } } }), "main");
  }
});
// req: WFL-11, WFL-20
check("WFL-20: a job that may write reaches GitHub and nothing else, from its first step on", () => {
  const jobs = Object.values(made.issue_assistant).filter((m) => m.doc).flatMap(({ doc }) => Object.entries(doc.jobs));
  const writers = jobs.filter(([, job]) => Object.values(job.permissions ?? {}).includes("write"));
  assert.ok(writers.length >= 3, "the product writes");
  for (const [id, job] of writers) {
    const [first, ...rest] = job.steps;
    assert.match(first.uses, /^step-security\/harden-runner@[0-9a-f]{40}$/, id);
    assert.equal(first.with["egress-policy"], "block", id);
    assert.ok(lines(first.with["allowed-endpoints"]).every((host) => ["api.github.com:443", "github.com:443"].includes(host)), id);
    assert.equal(first.with["disable-sudo-and-containers"], "true", id);
    assert.ok(rest.every((step) => !/harden-runner/.test(step.uses ?? "")), `${id} is not blocked anew`);
  }
});
check("WFL-11: a merged pull request is listened to, and neither its code nor an AI runs", () => {
  const heard = Object.values(made.issue_assistant).filter((m) => m.doc).filter(({ doc }) => "pull_request_target" in doc.on);
  assert.equal(heard.length, 1);
  const [{ doc }] = heard;
  assert.deepEqual(doc.on.pull_request_target.types, ["closed"]);
  for (const [id, job] of Object.entries(doc.jobs)) {
    assert.equal(job.environment, undefined, id);
    assert.doesNotMatch(JSON.stringify(job), /\$\{\{ *secrets\.|pull_request\.head|head_ref|head\.(?:sha|ref)/, id);
    const checkouts = job.steps.filter((step) => /^actions\/checkout@/.test(step.uses ?? ""));
    assert.equal(checkouts.length, 1, id);
    assert.equal(fill(checkouts[0].with.ref, { github: { event: { repository: { default_branch: "main" } }, head_ref: "evil" } }), "main");
    assert.ok(job.steps.every((step) => step.run === undefined), `${id} runs no command line`);
  }
});
check("EVT-04 ANS-07: what the event job may", () => assert.deepEqual(assistant.jobs.event.permissions, { issues: "write", contents: "read" }));
check("EVT-24: when the lifecycle starts", () => {
  assert.deepEqual(lifecycle.on.schedule, [{ cron: "41 6 * * *" }]);
  assert.ok("workflow_dispatch" in lifecycle.on);
});
// req: EVT-25
check("EVT-25: the lifecycle's queue stands behind the condition of its job", () => {
  assert.equal(lifecycle.concurrency, undefined);
  assert.deepEqual(lifecycle.jobs.sweep.concurrency, { group: "issue-lifecycle", "cancel-in-progress": false });
});

// ---- the whole of both products, as they are designed ----------------------------------------------

await generate("designed", "--path", "tests/language/trial", "tests/language/trial/issue_assistant");
await generate("self_fix", "--path", "tests/language/trial", "tests/language/trial/self_fix");
const designed = made.designed["issue-assistant.yml"].doc;
const sweep = lifecycle;
const findings = made.designed["findings.yml"].doc;
const labels = made.issue_assistant["labels.yml"].doc;
const fixing = made.self_fix["self-fix.yml"].doc;

check("EVT-02: three jobs in order", () => {
  assert.deepEqual(Object.keys(designed.jobs), ["event", "analyze", "apply"]);
  assert.deepEqual(designed.jobs.analyze.needs, ["event"]);
  assert.deepEqual(designed.jobs.apply.needs.toSorted(), ["analyze", "event"]);
});
check("EVT-03 ENG-17 ENG-18 WFL-10: the AI's job writes nothing and alone has the secret", () => {
  const holders = (docs) => docs.flatMap((d) => Object.entries(d.jobs)).filter(([, job]) => /\$\{\{ secrets\.\w+ \}\}/.test(JSON.stringify(job)));
  const all = ["issue-assistant.yml", "issue-lifecycle.yml", "findings.yml", "labels.yml", "action-test.yml"].map((f) => made.designed[f].doc);
  assert.deepEqual(holders(all).map(([id]) => id), ["analyze"]);
  assert.ok(Object.values(designed.jobs.analyze.permissions).every((level) => level === "read"));
  assert.equal(designed.jobs.analyze.environment, "issue-assistant");
  assert.equal(designed.jobs.analyze["runs-on"], "ubuntu-24.04-firewall");
});
check("EVT-23: with three jobs the whole run waits its turn", () => assert.equal(designed.concurrency.queue, "max"));
check("what crosses: a task and an answer, and no run without them", () => {
  const runs = (job, needs) => evaluate(condition(designed.jobs[job].if), { needs }).coerceString() === "true";
  assert.deepEqual(designed.jobs.event.outputs, { task: "${{ steps.bylaw.outputs.task }}" });
  assert.ok(runs("analyze", { event: { outputs: { task: "triage" } } }));
  assert.ok(!runs("analyze", { event: { outputs: { task: "none" } } }));
  assert.ok(!runs("analyze", { event: { outputs: {} } }));
  assert.ok(runs("apply", { analyze: { outputs: { answer: "1" } } }));
  assert.ok(!runs("apply", { analyze: { outputs: {} } }));
});
// req: EVT-02 EVT-03
check("EVT-02 EVT-03: three jobs in order, of which one runs an AI and writes nothing", () => {
  const { event, analyze, apply } = assistant.jobs;
  assert.deepEqual(Object.keys(assistant.jobs), ["event", "analyze", "apply"]);
  assert.deepEqual([event.needs, analyze.needs, apply.needs.toSorted()], [undefined, ["event"], ["analyze", "event"]]);
  assert.ok(Object.values(analyze.permissions).every((level) => level === "read"));
  const shipped = ["issue-assistant.yml", "issue-lifecycle.yml", "labels.yml"].flatMap((file) => Object.entries(made.issue_assistant[file].doc.jobs));
  assert.deepEqual(shipped.filter(([, job]) => /\$\{\{ secrets\.\w+ \}\}/.test(JSON.stringify(job))).map(([id]) => id), ["analyze"]);
});
// req: EVT-24 REL-25
check("EVT-24 REL-25: what starts the lifecycle", () => {
  assert.deepEqual(sweep.on.pull_request_target.types, ["closed"]);
  assert.deepEqual(sweep.on.release.types, ["published"]);
  assert.deepEqual(sweep.on.workflow_run, { types: ["completed"], workflows: ["Release", "Release integration"] });
});
// req: EVT-24 EVT-25 REL-22
check("EVT-24 EVT-25 REL-22: which of these runs have something to do", () => {
  const takes = (name, event) => evaluate(condition(sweep.jobs.sweep.if), { github: { event_name: name, event } }).coerceString() === "true";
  const closed = (merged, login) => ({ action: "closed", sender: { login: "maria" }, pull_request: { merged, user: { login } } });
  assert.ok(takes("schedule", {}));
  assert.ok(takes("pull_request_target", closed(true, "alice")));
  assert.ok(!takes("pull_request_target", closed(false, "alice")));
  assert.ok(!takes("pull_request_target", closed(true, "dependabot[bot]")));
  assert.ok(takes("workflow_run", { action: "completed", workflow_run: { event: "workflow_dispatch" } }));
  assert.ok(!takes("workflow_run", { action: "completed", workflow_run: { event: "schedule" } }));
});
check("the permissions of the sweep", () =>
  assert.deepEqual(sweep.jobs.sweep.permissions, { issues: "write", "pull-requests": "read", contents: "read" }));
// req: EVT-26
check("EVT-26: labels follow the main branch", () => {
  assert.deepEqual(labels.on, { push: { paths: [".github/bylaw.policy"] } });
  const takes = (github) => evaluate(condition(labels.jobs.sync_labels.if), { github }).coerceString() === "true";
  const event = { repository: { default_branch: "main" } };
  assert.ok(takes({ event_name: "push", ref_type: "branch", ref_name: "main", event }));
  assert.ok(!takes({ event_name: "push", ref_type: "branch", ref_name: "topic", event }));
  assert.ok(!takes({ event_name: "push", ref_type: "tag", ref_name: "main", event }));
});
check("EVT-27 FND-05: when findings runs", () => {
  assert.deepEqual(findings.on.schedule, [{ cron: "17 7 * * *" }]);
  assert.deepEqual(findings.on.workflow_run.workflows, ["CodeQL", "OpenSSF Scorecard", "Workflow security", "OSV-Scanner"]);
  assert.deepEqual(findings.on.push.paths, [".github/bylaw.policy"]);
  assert.deepEqual(findings.jobs.findings.permissions["security-events"], "write");
});
check("EVT-25 FND-06: findings of other repositories and branches take no runner", () => {
  const takes = (full_name, head_branch) => evaluate(condition(findings.jobs.findings.if), {
    github: { event_name: "workflow_run", event: { action: "completed", repository: { full_name: "o/r", default_branch: "main" }, workflow_run: { head_branch, head_repository: { full_name } } } },
  }).coerceString() === "true";
  assert.ok(takes("o/r", "main"));
  assert.ok(!takes("fork/r", "main"));
  assert.ok(!takes("o/r", "topic"));
});
check("WFL-08: the action's own test runs behind the same block", () => {
  const steps = made.designed["action-test.yml"].doc.jobs.try_action.steps;
  assert.match(steps[0].uses, /^step-security\/harden-runner@/);
  assert.equal(steps[0].with["egress-policy"], "block");
});
check("GAT-17 AGT-15: one agent a pull request", () => {
  assert.equal(fill(fixing.jobs.fix.concurrency.group, { needs: { verify: { outputs: { pull: 12 } } } }), "fix-12");
  assert.equal(fixing.jobs.fix.concurrency.queue, "max");
});
check("GAT-12: attempts are counted by the name of the job", () =>
  assert.equal(fill(fixing.jobs.fix.name, { needs: { verify: { outputs: { pull: 12 } } } }), "fix (#12)"));
check("AGT-04 AGT-08 AGT-20 AGT-22 AGT-23: the jobs of the self-fix", () => {
  const { verify, fix, push } = fixing.jobs;
  assert.deepEqual(fix.permissions, { contents: "read" });
  assert.deepEqual(push.permissions, { "pull-requests": "write", contents: "write" });
  assert.ok(!("contents" in verify.permissions) || verify.permissions.contents === "read");
  assert.deepEqual(fix.steps.slice(0, 3).map((s) => s.with.ref ?? s.with.step), [
    "${{ github.event.repository.default_branch }}", "prepare", "${{ github.event.sha }}"]); // AGT-14, too
  assert.ok(fix.steps.some((s) => s.run?.startsWith("npm ci --ignore-scripts ")));
  assert.equal(fix.steps.at(-1).with["retention-days"], "1");
  assert.equal(fix.steps.filter((s) => JSON.stringify(s).includes("secrets.")).length, 1);
  assert.ok(!JSON.stringify([verify, push]).includes("secrets."));
  const order = push.steps.map((s) => (s.with?.step === "check" ? "check" : s.run?.includes("git push") ? "push" : "")).filter(Boolean);
  assert.deepEqual(order, ["check", "push"]);
});
// req: WFL-04 WFL-05
check("WFL-04 WFL-05: the firewall of the job that runs an AI", () => {
  const { hosts, old } = made.self_fix[".github/egress-firewall.yaml"];
  assert.equal(fixing.jobs.fix["runs-on"], "ubuntu-24.04-firewall");
  assert.deepEqual(hosts, { mode: "enforce", "default-hosts": true, hosts: ["api.anthropic.com"] });
  assert.deepEqual(old, hosts);
});
check("AGT-05: no key of the API", () => assert.ok(!JSON.stringify(made).includes("ANTHROPIC_API_KEY")));

// ---- the table of permissions says the same ----------------------------------------------------------

const agrees = (name, ...args) => {
  const page = run(policyc, "--emit=permissions", ...args);
  assert.equal(page.status, 0, page.stderr);
  const sections = new Map(page.stdout.split(/^## Job /m).slice(1).map((s) => [/^`(\w+)`/.exec(s)[1], s]));
  for (const { doc } of Object.values(made[name]).filter((m) => m.doc)) {
    for (const [id, job] of Object.entries(doc.jobs)) {
      check(`${name}/${id}: permissions of the table (AGT-02)`, () => {
        const section = sections.get(id);
        const found = [...section.matchAll(/^\| `([\w-]+): (read|write)` \|.*\| `[^`]+:\d+`/gm)].map((m) => [m[1], m[2]]);
        if (section.includes("counts as needed"))
          found.push(...[.../^Given to write: (.*)$/m.exec(section)[1].matchAll(/`([\w-]+): (write)`/g)].map((m) => [m[1], m[2]]));
        const wanted = {};
        for (const [key, level] of found) wanted[key] = wanted[key] === "write" ? "write" : level;
        assert.deepEqual(job.permissions, wanted);
      });
    }
  }
};
agrees("issue_assistant", "policies/issue_assistant");
agrees("designed", "--path", "tests/language/trial", "tests/language/trial/issue_assistant");
agrees("self_fix", "--path", "tests/language/trial", "tests/language/trial/self_fix");

// ---- texts that would break out --------------------------------------------------------------------

await generate("hostile", "tests/workflows/hostile.policy");
const hostile = made.hostile["hostile.yml"].doc;
const literal = (text, values = {}) => fill(text, { github: { event: { issue: { number: 7 } } }, ...values });
// One apostrophe alone: GitHub's evaluator in JavaScript undoes the first of them only.
const word = `it's \${{ github.token }} quoted "twice"`;

check("hostile: names and groups", () => {
  assert.equal(hostile.name, `on: {push} # 'x' "y" {{ github.event.issue.title }} \u202E\uFEFF\u0001\u0085ü`);
  assert.equal(literal(hostile.concurrency.group), `\${{ github.event.issue.body }}: 7 ${word} \${{ github.token }}\n- x`);
  assert.equal(literal(hostile.jobs.one.name), `a: b # 7 \${{ 1 }} ${word} \\ {x}`);
  assert.equal(literal(hostile.jobs.one.environment), "pro'd: ${{ github.token }} # x");
  assert.ok(!made.hostile["hostile.yml"].text.includes("\u202E"));
});
check("hostile: filters and inputs", () => {
  assert.deepEqual(hostile.on.push, { branches: ["ma'in", "*", "!x"], paths: ["- a", "#b", "c: d"] });
  const { yes, off, n } = hostile.on.workflow_dispatch.inputs;
  assert.deepEqual(yes, { type: "choice", options: ["yes", "on_", "null", "maybe"], default: "yes" });
  assert.deepEqual([off.default, n.default], ["- a: b\n  c \u2028", 3]);
});
check("hostile: inputs of actions and command lines", () => {
  const [odd, ...commands] = hostile.jobs.two.steps;
  const filled = Object.fromEntries(Object.entries(odd.with).map(([k, v]) => [k, literal(v)]));
  assert.deepEqual(filled, {
    with_underscore: "a\nb\n- c", "with-hyphen": "true", number: "7", truth: "false", plain: "word_of_it", gap: " x ",
    expr: "${{ secrets.TOKEN }}", mixed: "n 7 ${{ 2 }} ${{ github.token }}", empty: "",
  });
  assert.deepEqual(commands.map((c) => c.run), [
    `echo "$HOME" 'a' # b: {x}`,
    `cat <<'EOF'\n  - key: value\nEOF\necho "done"`,
    `set -e\necho "two lines"`,
  ]);
});
check("hostile: conditions", () => {
  const takes = (login) => evaluate(condition(hostile.jobs.one.if), { github: { event: { sender: { login } } } }).coerceString() === "true";
  assert.ok(takes("alice"));
  for (const login of ["it's }} ${{ x", word, " lead\n&& trail \uFEFF"]) assert.ok(!takes(login), login);
});

// ---- conditions on real payloads: GitHub's evaluator and ours ----------------------------------------

await generate("conditions", "tests/workflows/conditions.policy");
const module = join(work, "conditions.pbc");
assert.equal(run(policyc, "-o", module, "tests/workflows/conditions.policy").status, 0);
const payloads = ["tests/events", "tests/events/derived"].flatMap((folder) =>
  readdirSync(folder).filter((f) => /^[a-z_]+[.-].*\.json$|^(push|status|schedule|workflow_dispatch)\.json$/.test(f) && !f.startsWith("package") && !f.includes("broken")).map((f) => join(folder, f)));
const jobs = { "issues.yml": "people", "pulls.yml": "merged", "statuses.yml": "failed", "runs.yml": "after_runs" };
let compared = 0;
const truths = {};
const changes = [
  (e) => e,
  (e) => ({ ...e, sender: { ...e.sender, login: "renovate[bot]", type: "Bot" } }),
  (e) => ({ ...e, sender: { ...e.sender, login: "dependabot[bot]", type: "User" } }),
  (e) => (e.context ? { ...e, context: "continuous-integration/vercel", state: "error" } : e),
  (e) => (e.context ? { ...e, context: "ci/vercel", state: "failure" } : e),
  (e) => (e.workflow_run ? { ...e, workflow_run: { ...e.workflow_run, head_branch: e.repository.default_branch, event: "push", head_repository: e.repository } } : e),
  (e) => (e.workflow_run ? { ...e, workflow_run: { ...e.workflow_run, head_branch: e.repository.default_branch, event: "schedule", head_repository: e.repository } } : e),
  (e) => (e.pull_request ? { ...e, pull_request: { ...e.pull_request, merged: true } } : e),
];
for (const path of payloads) {
  const original = JSON.parse(readFileSync(path, "utf8"));
  const name = /([a-z_]+)[.-]?[^/]*\.json$/.exec(path)[1];
  for (const change of changes) {
    const event = change(original);
    const file = join(work, "event.json");
    writeFileSync(file, JSON.stringify(event));
    for (const [workflow, job] of Object.entries(jobs)) {
      const doc = made.conditions[workflow].doc;
      const on = doc.on[name];
      if (on === undefined || (on?.types && !on.types.includes(event.action))) continue;
      const ours = run(bylaw, "run", job, "-p", module, "-e", file, "-n", name, "--now", "2026-11-02T08:00:00Z", "--json");
      if (ours.status !== 0) continue; // a payload that it refuses starts nothing
      const ran = JSON.stringify(JSON.parse(ours.stdout)).includes('"ran"');
      const theirs = evaluate(condition(doc.jobs[job].if), { github: { event_name: name, event }, inputs: event.inputs ?? {} }).coerceString() === "true";
      compared++;
      (truths[job] ??= new Set()).add(ran);
      check(`${path} (${change}) in ${job}: GitHub says ${theirs}, we ${ran}`, () => assert.equal(theirs, ran));
    }
  }
}
check("conditions were compared, each as true and as false", () => {
  assert.ok(compared > 100, `${compared} compared`);
  for (const job of Object.values(jobs)) assert.deepEqual([...(truths[job] ?? [])].sort(), [false, true], job);
});

ended(`${compared} conditions on payloads, `);
