// SPDX-License-Identifier: Apache-2.0
// What the tests that are scripts share: a folder that goes with the script, checks that are counted, and
// the last line with the exit code.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const root = resolve(new URL("../..", import.meta.url).pathname);

export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let checks = 0;
let failures = 0;

// One check: what it throws is printed, and the next ones run all the same.
export function check(name, body) {
  checks++;
  try {
    body();
  } catch (error) {
    if (++failures <= 40) console.log(`FAILED: ${name}\n    ${String(error.message).split("\n").slice(0, 20).join("\n    ")}`);
  }
}

// One check of two values that JSON can say.
export function is(name, got, wanted) {
  check(name, () => {
    if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`wanted: ${JSON.stringify(wanted)}\ngot:    ${JSON.stringify(got)}`);
  });
}

// The last line of a script: how many checks ran. None at all is a failure.
export function ended(more = "") {
  console.log(`${checks} checks, ${more}${failures} failed.`);
  process.exit(failures === 0 && checks > 0 ? 0 : 1);
}
