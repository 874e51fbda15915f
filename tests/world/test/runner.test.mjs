// SPDX-License-Identifier: Apache-2.0
//
// The runner's side of a step (run/runner.mjs), held against @actions/core, which writes what a runner
// reads, and against what actions/runner's own sources say of the edges.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

import { readLog, readPairs, runStep } from '../run/runner.mjs';

const hostile = [
    'plain', '', 'a=b', 'a<<b', 'two\nlines', '\n', 'x\n\n', 'a\r\nb', '%0A', '100 %', '::error::x',
    '##[error]x', ', : ;', 'ends\n<<EOF\nEOF', 'ghadelimiter_1', '🙂',
];

const NAMES = ['output', 'state', 'env', 'path', 'summary'];

// Runs a program against @actions/core; null when the package is not there.
function withCore(program) {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-core-'));
    const file = (name) => join(folder, name);
    try {
        for (const name of NAMES) {
            writeFileSync(file(name), '');
        }
        const run = spawnSync(process.execPath, ['--input-type=module', '-e',
            `import * as core from '@actions/core'; const values = ${JSON.stringify(hostile)};\n${program}`], {
            cwd: new URL('..', import.meta.url).pathname, encoding: 'utf8',
            env: {
                ...process.env, GITHUB_OUTPUT: file('output'), GITHUB_STATE: file('state'), GITHUB_ENV: file('env'),
                GITHUB_PATH: file('path'), GITHUB_STEP_SUMMARY: file('summary'),
            },
        });
        if (/ERR_MODULE_NOT_FOUND/.test(run.stderr)) {
            return null;
        }
        assert.equal(run.status, 0, run.stderr);
        const files = Object.fromEntries(NAMES.map((name) => [name, readFileSync(file(name), 'utf8')]));
        return { stdout: run.stdout, read: (name) => files[name] };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test('annotations and masks of @actions/core', (t) => {
    const core = withCore(`for (const v of values) {
        core.warning(v, {title: v, file: v, startLine: 1}); core.error(v); core.notice(v); core.setSecret(v);
    }`);
    if (core === null) {
        return t.skip('@actions/core is not installed');
    }
    const log = readLog(core.stdout);
    assert.deepEqual(log.failures, []);
    const of = (name) => log.commands.filter((command) => command.name === name);
    for (const name of ['warning', 'error', 'notice']) {
        assert.deepEqual(of(name).map(({ data }) => data), hostile);
    }
    assert.deepEqual(of('warning').map(({ properties }) => properties.title ?? ''), hostile);
    assert.deepEqual(log.masks, hostile);
});

test('outputs, state and environment of @actions/core', (t) => {
    const core = withCore(`values.forEach((v, i) => {
        core.setOutput('o' + i, v); core.saveState('s' + i, v); core.exportVariable('E' + i, v);
    }); core.addPath('/a'); core.addPath('/b');`);
    if (core === null) {
        return t.skip('@actions/core is not installed');
    }
    for (const [name, letter] of [['output', 'o'], ['state', 's'], ['env', 'E']]) {
        assert.deepEqual(readPairs(core.read(name)), Object.fromEntries(hostile.map((v, i) => [letter + i, v])));
    }
    assert.equal(core.read('path'), '/a\n/b\n');
});

test('both syntaxes are live', () => {
    const names = (text) => readLog(text).commands.map(({ name, data }) => `${name} ${data}`);
    assert.deepEqual(names('  ::warning::a%0Ab'), ['warning a\nb']);
    assert.deepEqual(names('text ##[add-mask]x'), ['add-mask x']);
    assert.deepEqual(names('::WARNING::x'), ['warning x']);
    assert.deepEqual(names('text ::warning::x'), []);
    assert.deepEqual(names('::nothing::x'), []);
    assert.deepEqual(names('a\r::error::x'), ['error x']);
    assert.deepEqual(names('a\u2028::error::x'), []);
    assert.deepEqual(readLog('::set-env name=A::b').failures, ['the command set-env is disabled']);
});

test('commands stop until their token', () => {
    const log = readLog('::stop-commands::abc-1\n::error::x\n##[add-mask]y\n##[ABC-1]\n::error::z');
    assert.deepEqual(log.commands.map(({ data }) => data), ['z']);
    assert.deepEqual(log.lines, ['::error::x', '##[add-mask]y']);
    assert.deepEqual(readLog('::stop-commands::warning').failures, ["'warning' is no token to stop commands with"]);
    assert.deepEqual(readLog('::stop-commands::abc').failures, ['commands were stopped and never resumed']);
});

test('broken files fail the step', () => {
    assert.deepEqual(readPairs('task=triage\nevil=1\n'), { task: 'triage', evil: '1' });
    assert.deepEqual(readPairs('a<<E\nx\nE\n\nb=c=d'), { a: 'x', b: 'c=d' });
    assert.deepEqual(readPairs('a<<E\nE\n'), { a: '' });
    assert.throws(() => readPairs('a<<E\nx\n'), /Matching delimiter not found/);
    assert.throws(() => readPairs('word\n'), /Invalid format/);
    assert.throws(() => readPairs('=x\n'), /Invalid format/);
    assert.throws(() => readPairs('<<E\nE\n'), /must not be empty/);
});

test('a step is given its environment and reported whole', async () => {
    const step = await runStep({
        command: ['sh', '-c', `
            echo "$GITHUB_EVENT_NAME $GITHUB_REPOSITORY \${GITHUB_TOKEN-none} $(cat "$GITHUB_EVENT_PATH")"
            echo '::notice::hi'; echo '::error::low' >&2
            echo 'a=1' >>"$GITHUB_OUTPUT"; echo 'b=2' >>"$GITHUB_STATE"; echo /x >>"$GITHUB_PATH"
            echo '# S' >>"$GITHUB_STEP_SUMMARY"; exit 3`],
        event: { action: 'opened' }, eventName: 'issues', repository: 'octo/demo', repositoryId: 7,
        secrets: ['hidden'],
    });
    assert.equal(step.code, 3);
    assert.deepEqual(step.lines.filter((line) => line !== ''), ['issues octo/demo none {"action":"opened"}']);
    assert.deepEqual(step.commands.map(({ name }) => name), ['notice', 'error']);
    assert.deepEqual([step.outputs, step.state, step.paths, step.summary, step.failures],
        [{ a: '1' }, { b: '2' }, ['/x'], '# S\n', []]);
    const large = await runStep({
        command: ['sh', '-c', 'head -c 1048577 /dev/zero >"$GITHUB_STEP_SUMMARY"; echo hidden'],
        eventName: 'push', repository: 'octo/demo', repositoryId: 7, secrets: ['hidden'],
    });
    assert.deepEqual(large.failures, ['the summary is larger than 1024k and is dropped', 'the step gives a secret away']);
    assert.equal(large.summary, '');
});
