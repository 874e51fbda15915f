// SPDX-License-Identifier: Apache-2.0
// Reads every example payload of GitHub with the C reader and compares what it says with what this
// script finds in the payload by itself: node tests/events/examples.mjs PATH/OF/event_facts
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const folder = new URL("node_modules/@octokit/webhooks-examples/", import.meta.url);

// What a rule can be about; written down here once more, so that a row that is lost shows.
const handled = {
  issues:
    "opened edited closed reopened labeled unlabeled assigned unassigned locked unlocked " +
    "milestoned demilestoned pinned unpinned transferred deleted typed untyped",
  issue_comment: "created edited deleted",
  pull_request:
    "opened edited closed reopened synchronize labeled unlabeled ready_for_review " +
    "converted_to_draft",
  release: "published created edited deleted prereleased released unpublished",
  workflow_run: "completed requested in_progress",
  schedule: "",
  workflow_dispatch: "",
  status: "",
  push: "",
};
const isHandled = (event, action) =>
  event in handled && (!handled[event] || handled[event].split(" ").includes(action));

// Those that may be broken, each with its reason. None is.
const brokenByDesign = new Set([]);

const nothing = "nothing";
const unknown = "?";
const login = (user) => (user === null ? "ghost" : user.login);
const bot = (user) => (user?.type === "Bot" || user?.login.endsWith("[bot]") ? "bot" : "person");
const time = (text) =>
  text === null ? "none" : new Date(text).toISOString().replace(/\.\d+Z$/, "Z");
const text = (value) => (value === undefined ? unknown : value ?? "");
const orUnknown = (value, words = String) => (value == null ? unknown : words(value));
const associations = {
  OWNER: "owner",
  MEMBER: "member",
  COLLABORATOR: "collaborator",
  CONTRIBUTOR: "contributor",
  FIRST_TIMER: "first_timer",
  FIRST_TIME_CONTRIBUTOR: "first_timer",
  NONE: "nobody",
  MANNEQUIN: "nobody",
};

function actorAssociation(p) {
  for (const thing of [p.comment, p.pull_request, p.issue]) {
    if (thing && login(thing.user).toLowerCase() === p.sender.login.toLowerCase())
      return orUnknown(thing.author_association, (word) => associations[word]);
  }
  return "nobody";
}

function at(event, p) {
  const own = {
    "issues.opened": p.issue?.created_at,
    "issues.edited": p.issue?.updated_at,
    "issue_comment.created": p.comment?.created_at,
    "pull_request.closed": p.pull_request?.closed_at,
    "release.published": p.release?.published_at,
    status: p.created_at,
  }[p.action && event !== "status" ? `${event}.${p.action}` : event];
  return own ? time(own) : "2096-10-02T07:06:40Z";
}

// Each fact: its path for the C reader, and what it must be.
const facts = {
  "event.actor.login": (p) => login(p.sender),
  "event.actor.kind": (p) => bot(p.sender),
  "event.actor.id": (p) => String(p.sender.id),
  "event.actor.association": (p) => actorAssociation(p),
  "event.at": (p, event) => at(event, p),
  "event.repository": (p) => p.repository.full_name,
  "event.default_branch": (p) => orUnknown(p.repository.default_branch),
  "issue.number": (p) => (p.issue ? String(p.issue.number) : nothing),
  "issue.title": (p) => (p.issue ? p.issue.title : nothing),
  "issue.text": (p) => (p.issue ? text(p.issue.body) : nothing),
  "issue.state": (p) => (p.issue ? orUnknown(p.issue.state) : nothing),
  "issue.author.login": (p) => (p.issue ? login(p.issue.user) : nothing),
  "issue.created_at": (p) => (p.issue ? time(p.issue.created_at) : nothing),
  "issue.closed_at": (p) => (p.issue ? time(p.issue.closed_at) : nothing),
  "issue.labels": (p) =>
    p.issue ? (p.issue.labels ? `[${p.issue.labels.map((l) => l.name).join(", ")}]` : unknown) : nothing,
  "issue.assignees": (p) =>
    p.issue ? `[${p.issue.assignees.map((u) => u.login).join(", ")}]` : nothing,
  "issue.comment_count": (p) => (p.issue ? String(p.issue.comments) : nothing),
  "issue.is_pull_request": (p) => (p.issue ? String("pull_request" in p.issue) : nothing),
  "comment.id": (p) => (p.comment ? String(p.comment.id) : nothing),
  "comment.text": (p) => (p.comment ? p.comment.body : nothing),
  "comment.author.login": (p) => (p.comment ? login(p.comment.user) : nothing),
  "pull_request.number": (p) => (p.pull_request ? String(p.pull_request.number) : nothing),
  "pull_request.base": (p) => (p.pull_request ? p.pull_request.base.ref : nothing),
  "pull_request.head_branch": (p) => (p.pull_request ? p.pull_request.head.ref : nothing),
  "pull_request.head.sha": (p) => (p.pull_request ? p.pull_request.head.sha : nothing),
  "pull_request.head_repository": (p) =>
    p.pull_request ? p.pull_request.head.repo?.full_name ?? "ghost/ghost" : nothing,
  "pull_request.text": (p) => (p.pull_request ? text(p.pull_request.body) : nothing),
  "release.tag": (p) => (p.release ? p.release.tag_name : nothing),
  "release.draft": (p) => (p.release ? String(p.release.draft) : nothing),
  "release.published_at": (p) =>
    p.release ? orUnknown(p.release.published_at, time) : nothing,
  "event.sha": (p, event) => (event === "status" ? p.sha : event === "push" ? p.after : unknown),
  "event.branch": (p, event) =>
    event === "push" ? p.ref.replace(/^refs\/(heads|tags)\//, "") : unknown,
  "status.context": (p, event) => (event === "status" ? p.context : nothing),
  "status.state": (p, event) => (event === "status" ? p.state : nothing),
  "event.run_event": (p) => (p.workflow_run ? p.workflow_run.event : unknown),
  "event.run_branch": (p) => (p.workflow_run ? orUnknown(p.workflow_run.head_branch) : unknown),
  "event.run_name": (p) => (p.workflow_run ? p.workflow_run.name || unknown : unknown),
  "event.run_repository": (p) =>
    p.workflow_run ? p.workflow_run.head_repository.full_name : unknown,
};

function examplesOf(host) {
  const file = new URL(`${host}/index.json`, folder);
  return JSON.parse(readFileSync(file, "utf8")).flatMap(({ name, examples }) =>
    examples.map((payload, index) => ({ host, event: name, index, payload }))
  );
}

const hosts = ["api.github.com", "ghes-31", "ghes-32", "ghes-33", "ghes-34", "ghes-35"];
const examples = hosts.flatMap(examplesOf);
const run = spawnSync(process.argv[2], Object.keys(facts), {
  input: examples.map((e) => `${e.event}\t${JSON.stringify(e.payload)}\n`).join(""),
  encoding: "utf8",
  maxBuffer: 1 << 28,
});
const problems = [];
if (run.status !== 0) problems.push(`the reader ended with ${run.status ?? run.signal}: ${run.stderr}`);
const answers = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
if (answers.length !== examples.length)
  problems.push(`${examples.length} payloads, ${answers.length} answers`);

const seen = { read: 0, "not handled": 0, broken: 0 };
let compared = 0;
examples.forEach(({ host, event, index, payload }, i) => {
  const name = `${host} ${event}.${payload.action ?? ""} (${index})`;
  const [result, ...words] = answers[i] ?? ["missing"];
  seen[result]++;
  const wanted = brokenByDesign.has(name)
    ? "broken"
    : isHandled(event, payload.action)
    ? "read"
    : "not handled";
  if (result !== wanted) {
    problems.push(`${name}: ${result} (${words.join(", ")}), wanted ${wanted}`);
  } else if (result === "read") {
    Object.entries(facts).forEach(([path, find], n) => {
      compared++;
      const expected = find(payload, event);
      if (words[n] !== expected)
        problems.push(`${name}: ${path} is '${words[n]}', wanted '${expected}'`);
    });
  } else if (result === "not handled" && !/^No .* '.+'\.$/.test(words[0])) {
    problems.push(`${name}: no reason (${words[0]})`);
  }
});

const whole = examplesOf("api.github.com").length;
if (whole !== 329) problems.push(`the package holds ${whole} payloads of github.com, not 329`);
for (const problem of problems.slice(0, 50)) console.log(problem);
console.log(
  `${examples.length} payloads: ${seen.read} read with ${compared} facts compared, ` +
    `${seen["not handled"]} not handled, ${seen.broken} broken; ${problems.length} problems.`
);
process.exit(problems.length > 0 ? 1 : 0);
