// SPDX-License-Identifier: Apache-2.0
// GitHub's examples are shallow for a policy: every author owns the repository, nobody is a bot, no
// edit says what it changed, no pull request is merged. This makes the missing cases out of them:
//   node tests/events/derive.mjs          writes derived/*.json
//   node tests/events/derive.mjs --check  exits 1 when a file there is not what it would write
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const here = (path) => new URL(path, import.meta.url);
const load = (name) => slim(JSON.parse(readFileSync(here(`${name}.json`), "utf8")));

// Most of a payload is addresses of the API that nothing reads.
function slim(value) {
  if (Array.isArray(value)) return value.map(slim);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.endsWith("_url") || key === "html_url" || key === "target_url")
      .map(([key, inner]) => [key, slim(inner)])
  );
}

const user = (login, id, type = "User") => ({
  login,
  id,
  node_id: `U_${id}`,
  type,
  site_admin: false,
});
const owner = user("Codertocat", 21031067);
const stranger = user("alice", 5000001);
const second = user("bob", 5000002);
const member = user("maria", 5000003);
const contributor = user("carl", 5000004);
const bot = user("renovate[bot]", 29139614, "Bot");
const quietBot = user("Copilot", 198982749, "Bot");
const account = user("github-actions[bot]", 41898282, "Bot");

const label = (name, id = 7) => ({
  id: 208045946 + id,
  node_id: `LA_${id}`,
  name,
  color: "fef2c0",
  default: false,
  description: null,
});

function opened(author, association, change = () => {}) {
  const p = load("issues.opened");
  p.issue.user = author;
  p.issue.author_association = association;
  p.issue.state_reason = null;
  p.issue.labels = [];
  p.issue.assignee = null;
  p.issue.assignees = [];
  p.sender = author ?? owner;
  change(p);
  return p;
}

function edited(changes, change = () => {}) {
  const p = load("issues.edited");
  p.issue.user = stranger;
  p.issue.author_association = "NONE";
  p.sender = stranger;
  p.changes = changes;
  change(p);
  return p;
}

// A comment on an issue of alice that waits for an answer.
function comment(author, association, change = () => {}) {
  const p = load("issue_comment.created");
  p.issue.user = stranger;
  p.issue.author_association = "NONE";
  p.issue.number = 12;
  p.issue.labels = [label("needs-info", 1), label("bug", 2)];
  p.issue.comments = 2;
  p.comment.user = author;
  p.comment.author_association = association;
  p.comment.body = "It is version 2.";
  p.sender = author;
  change(p);
  return p;
}

function issueEvent(action, sender, change) {
  const p = load("issues.labeled");
  p.action = action;
  p.issue.user = stranger;
  p.issue.author_association = "NONE";
  p.sender = sender;
  delete p.label;
  change(p);
  return p;
}

function pull(change) {
  const p = load("pull_request.closed");
  p.pull_request.user = contributor;
  p.pull_request.author_association = "CONTRIBUTOR";
  p.sender = owner;
  change(p.pull_request, p);
  return p;
}

const merged = (pr) => {
  pr.merged = true;
  pr.merged_at = "2019-05-15T15:21:02Z";
  pr.closed_at = "2019-05-15T15:21:02Z";
  pr.merge_commit_sha = "c4295bd74fb0f4fda03689c3df3f2803b658fd85";
  pr.merged_by = owner;
};

const fork = (pr) => {
  pr.head.repo.full_name = "carl/Hello-World";
  pr.head.repo.name = "Hello-World";
  pr.head.repo.owner = contributor;
  pr.head.repo.fork = true;
};

function schedule(withRepository) {
  const { repository } = load("issues.opened");
  const p = { schedule: "17 5 * * *", workflow: ".github/workflows/sweep.yml" };
  return withRepository ? { ...p, repository } : p;
}

function dispatch(inputs) {
  const p = load("workflow_dispatch");
  p.inputs = inputs;
  return p;
}

function run(change) {
  const p = load("workflow_run.completed");
  change(p.workflow_run, p);
  return p;
}

const files = {
  // Who opens.
  "issues.opened-by-stranger": opened(stranger, "NONE"),
  "issues.opened-by-member": opened(member, "MEMBER"),
  "issues.opened-by-contributor": opened(contributor, "CONTRIBUTOR"),
  "issues.opened-by-first-timer": opened(second, "FIRST_TIME_CONTRIBUTOR"),
  "issues.opened-by-mannequin": opened(user("old-user", 5000009, "Mannequin"), "MANNEQUIN"),
  "issues.opened-by-bot": opened(bot, "NONE"),
  "issues.opened-by-quiet-bot": opened(quietBot, "CONTRIBUTOR"),
  "issues.opened-by-bot-by-name": opened(user("helper[bot]", 5000010), "NONE"),
  "issues.opened-by-ghost": opened(null, "NONE"),
  "issues.opened-without-text": opened(stranger, "NONE", (p) => {
    p.issue.body = null;
  }),
  "issues.opened-by-a-word-of-tomorrow": opened(stranger, "STEERING_COMMITTEE", (p) => {
    p.issue.state_reason = "snoozed";
  }),
  "issues.opened-with-large-ids": opened(stranger, "NONE", (p) => {
    p.issue.id = 9007199254740991;
    p.issue.user.id = 4294967296;
    p.issue.number = 2147483648;
  }),
  "issues.opened-with-nul": opened(stranger, "NONE", (p) => {
    p.issue.title = "a\u0000b";
    p.issue.body = "\u0000";
  }),

  // What an edit changed.
  "issues.edited-text": edited({ body: { from: "Before." } }),
  "issues.edited-title": edited({ title: { from: "Before" } }),
  "issues.edited-both": edited({ title: { from: "Before" }, body: { from: "Before." } }),
  "issues.edited-by-maintainer": edited({ body: { from: "Before." } }, (p) => {
    p.sender = owner;
  }),

  // What else happens to an issue; GitHub's examples have no closing.
  "issues.closed-by-account": issueEvent("closed", account, (p) => {
    p.issue.state = "closed";
    p.issue.state_reason = "not_planned";
    p.issue.closed_at = "2019-05-16T08:00:00Z";
    p.issue.updated_at = "2019-05-16T08:00:00Z";
  }),
  "issues.labeled-by-maintainer": issueEvent("labeled", owner, (p) => {
    p.label = label("needs-info");
    p.issue.labels = [label("bug", 2), p.label];
  }),
  "issues.reopened-by-stranger": issueEvent("reopened", stranger, (p) => {
    p.issue.state_reason = "reopened";
  }),

  // Who comments where.
  "issue_comment.created-by-author": comment(stranger, "NONE"),
  "issue_comment.created-by-someone": comment(second, "NONE"),
  "issue_comment.created-by-maintainer": comment(owner, "OWNER"),
  "issue_comment.created-by-bot": comment(bot, "NONE"),
  "issue_comment.created-on-closed": comment(stranger, "NONE", (p) => {
    p.issue.state = "closed";
    p.issue.state_reason = "completed";
    p.issue.closed_at = "2019-05-15T15:20:20Z";
  }),
  "issue_comment.created-on-pull-request": comment(stranger, "NONE", (p) => {
    p.issue.pull_request = { html_url: "https://github.com/Codertocat/Hello-World/pull/12" };
  }),
  "issue_comment.edited-by-issue-author": comment(second, "NONE", (p) => {
    p.action = "edited";
    p.changes = { body: { from: "Before." } };
    p.sender = stranger;
  }),
  "issue_comment.created-with-reactions": comment(second, "NONE", (p) => {
    p.comment.reactions = { "+1": 3, "-1": 2, laugh: 0, total_count: 5 };
    p.issue.reactions = { "+1": 4, "-1": 0, total_count: 4 };
  }),

  // Pull requests.
  "pull_request.closed-merged": pull(merged),
  "pull_request.closed-unmerged": pull((pr) => {
    pr.merge_commit_sha = "0123456789012345678901234567890123456789";
  }),
  "pull_request.closed-merged-from-fork": pull((pr) => {
    merged(pr);
    fork(pr);
  }),
  "pull_request.closed-from-deleted-fork": pull((pr) => {
    pr.head.repo = null;
  }),
  "pull_request_target.opened-from-fork": pull((pr, p) => {
    fork(pr);
    p.action = "opened";
    pr.state = "open";
    pr.closed_at = null;
    p.sender = contributor;
  }),

  // Events without a thing.
  schedule: schedule(true),
  "schedule-without-repository": schedule(false),
  "workflow_dispatch-with-inputs": dispatch({ issue: "12", task: "triage", dry_run: "true" }),
  "workflow_dispatch-with-empty-inputs": dispatch({ issue: "", task: "", dry_run: "false" }),
  "workflow_dispatch-with-other-inputs": dispatch({ verbose: "yes" }),
  "workflow_dispatch-without-inputs": dispatch(null),
  "workflow_dispatch-of-unknown-task": dispatch({ issue: "12", task: "no_such" }),
  "workflow_dispatch-of-no-number": dispatch({ issue: "twelve" }),
  "status-failure": {
    ...load("status"),
    state: "failure",
    context: "ci / build",
    target_url: "https://ci.example/1",
    sender: bot,
  },
  "push-branch": { ...load("push"), ref: "refs/heads/feature/x" },
  "workflow_run.completed-of-fork": run((r) => {
    r.event = "pull_request";
    r.head_branch = "patch-1";
    r.head_repository.full_name = "carl/Hello-World";
  }),
  "workflow_run.completed-of-deleted-fork": run((r) => {
    r.head_repository = null;
    r.head_branch = null;
    r.name = null;
  }),

  // What is not an event, and must be said so with its place.
  "issues.broken-number": opened(stranger, "NONE", (p) => {
    p.issue.number = "12";
  }),
  "issues.broken-large-number": opened(stranger, "NONE", (p) => {
    p.issue.number = 2 ** 53;
  }),
  "issues.broken-without-issue": opened(stranger, "NONE", (p) => {
    delete p.issue;
  }),
  "issues.broken-time": opened(stranger, "NONE", (p) => {
    p.issue.created_at = "2019-02-30T00:00:00Z";
  }),
  "issues.broken-login": opened(user("alice\u001b[2J", 1), "NONE"),
  "issues.broken-label": opened(stranger, "NONE", (p) => {
    p.issue.labels = [label("good"), label("bad\nname")];
  }),
  "issues.broken-repository": opened(stranger, "NONE", (p) => {
    p.repository.full_name = "../../etc";
  }),
  "issues.broken-without-sender": opened(stranger, "NONE", (p) => {
    delete p.sender;
  }),
  "pull_request.broken-branch": pull((pr) => {
    pr.head.ref = "a\u0007b";
  }),
};

const check = process.argv.includes("--check");
let stale = 0;
mkdirSync(here("derived/"), { recursive: true });
for (const [name, payload] of Object.entries(files)) {
  const file = here(`derived/${name}.json`);
  const text = JSON.stringify(payload, null, 1) + "\n";
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  stale++;
  if (check) console.log(`derived/${name}.json is not what derive.mjs makes.`);
  else writeFileSync(file, text);
}
for (const name of readdirSync(here("derived/"))) {
  if (name.endsWith(".json") && !(name.slice(0, -5) in files)) {
    stale++;
    console.log(`derived/${name} is made by nobody.`);
  }
}
console.log(`${Object.keys(files).length} payloads, ${stale} ${check ? "stale" : "written"}.`);
process.exit(check && stale > 0 ? 1 : 0);
