// SPDX-License-Identifier: Apache-2.0
// Writes the whole payloads that stand beside this file again, from the package that holds them:
// node tests/events/copy.mjs (after npm ci in tests/events).
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const examples = createRequire(import.meta.url)(
  "@octokit/webhooks-examples/api.github.com/index.json"
);

// One of each event that a rule can be about, and three of issues.
const wanted = [
  ["issues", "opened"],
  ["issues", "edited"],
  ["issues", "labeled"],
  ["issue_comment", "created"],
  ["pull_request", "opened"],
  ["pull_request", "closed"],
  ["release", "published"],
  ["status", undefined],
  ["push", undefined],
  ["workflow_dispatch", undefined],
  ["workflow_run", "completed"],
];

export const fileOf = (event, action) => (action ? `${event}.${action}.json` : `${event}.json`);

for (const [event, action] of wanted) {
  const payload = examples
    .find((e) => e.name === event)
    .examples.find((p) => p.action === action);
  const file = new URL(fileOf(event, action), import.meta.url);
  writeFileSync(file, JSON.stringify(payload) + "\n");
  console.log(fileOf(event, action), readFileSync(file).length);
}
