// SPDX-License-Identifier: Apache-2.0
//
// The runner's side of a step: the environment that it gives, and what it takes from it — workflow
// commands out of both streams, outputs, state, environment, paths and the summary out of files — as
// actions/runner reads them. What a real runner refuses fails the step here too.

import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COMMANDS = new Set([
    'set-output', 'save-state', 'add-mask', 'add-matcher', 'remove-matcher', 'warning', 'error',
    'notice', 'debug', 'group', 'endgroup', 'echo', 'stop-commands', 'set-env', 'add-path',
    'internal-set-repo-path',
]);
const DISABLED = new Set(['set-env', 'add-path']);
const SUMMARY_MAX = 1024 * 1024;

const unescape = (text, pairs) =>
    pairs.reduce((out, [code, char]) => out.replaceAll(code, char), text);
const V2_DATA = [['%0D', '\r'], ['%0A', '\n'], ['%25', '%']];
const V2_PROPERTY = [['%0D', '\r'], ['%0A', '\n'], ['%3A', ':'], ['%2C', ','], ['%25', '%']];
const V1 = [['%3B', ';'], ['%0D', '\r'], ['%0A', '\n'], ['%5D', ']'], ['%25', '%']];

function split(info) {
    const space = info.indexOf(' ');
    return space < 0 ? [info, ''] : [info.slice(0, space), info.slice(space + 1)];
}

function properties(text, separator, pairs) {
    const out = {};
    for (const part of text.trim().split(separator)) {
        const at = part.indexOf('=');
        if (at > 0 && at + 1 < part.length) {
            out[part.slice(0, at).trim()] = unescape(part.slice(at + 1), pairs);
        }
    }
    return out;
}

// "::name props::data" behind white space alone, else "##[name props]data" anywhere.
export function parseCommand(line, registered) {
    const start = line.trimStart();
    const end = start.startsWith('::') ? start.indexOf('::', 2) : -1;
    if (end >= 0) {
        const [name, rest] = split(start.slice(2, end));
        if (registered.has(name.toLowerCase())) {
            return {
                name: name.toLowerCase(), properties: properties(rest, ',', V2_PROPERTY),
                data: unescape(start.slice(end + 2), V2_DATA),
            };
        }
    }
    const from = line.indexOf('##[');
    const to = from < 0 ? -1 : line.indexOf(']', from);
    if (to < 0) {
        return null;
    }
    const [name, rest] = split(line.slice(from + 3, to));
    if (!registered.has(name.toLowerCase())) {
        return null;
    }
    return {
        name: name.toLowerCase(), properties: properties(rest, ';', V1),
        data: unescape(line.slice(to + 1), V1),
    };
}

// The log of a step: {commands, masks, lines, failures}. Lines end at LF, CRLF and a lone CR.
export function readLog(text) {
    const log = { commands: [], masks: [], lines: [], failures: [] };
    const registered = new Set(COMMANDS);
    let token = null;
    for (const line of text.split(/\r\n|\n|\r/)) {
        const command = parseCommand(line, registered);
        if (command === null) {
            log.lines.push(line);
        } else if (token !== null) {
            if (command.name === token) {
                registered.delete(token);
                token = null;
            } else {
                log.lines.push(line);
            }
        } else if (command.name === 'stop-commands') {
            if (command.data === '' || registered.has(command.data.toLowerCase()) || command.data === 'pause-logging') {
                log.failures.push(`'${command.data}' is no token to stop commands with`);
            } else {
                token = command.data.toLowerCase();
                registered.add(token);
                if (token.length > 6) {
                    log.masks.push(command.data);
                }
            }
        } else if (DISABLED.has(command.name)) {
            log.failures.push(`the command ${command.name} is disabled`);
        } else {
            if (command.name === 'add-mask') {
                log.masks.push(command.data);
            }
            log.commands.push(command);
        }
    }
    if (token !== null) {
        log.failures.push('commands were stopped and never resumed');
    }
    return log;
}

// GITHUB_OUTPUT, GITHUB_STATE and GITHUB_ENV.
export function readPairs(text) {
    const pairs = [];
    let at = 0;
    const next = () => {
        if (at >= text.length) {
            return null;
        }
        const end = text.indexOf('\n', at);
        const line = { text: text.slice(at, end < 0 ? text.length : end), ended: end >= 0, from: at };
        at = end < 0 ? text.length : end + 1;
        return line;
    };
    for (let line = next(); line !== null; line = next()) {
        if (line.text === '') {
            continue;
        }
        const equals = line.text.indexOf('=');
        const heredoc = line.text.indexOf('<<');
        if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
            const name = line.text.slice(0, heredoc);
            const delimiter = line.text.slice(heredoc + 2);
            if (name === '' || delimiter === '') {
                throw new Error(`Invalid format '${line.text}'. Name and delimiter must not be empty`);
            }
            const from = at;
            let to = from;
            for (let inner = next(); ; inner = next()) {
                if (inner === null || (!inner.ended && inner.text !== delimiter)) {
                    throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
                }
                if (inner.text === delimiter) {
                    break;
                }
                to = at - 1;
            }
            pairs.push([name, text.slice(from, to)]);
        } else if (equals > 0) {
            pairs.push([line.text.slice(0, equals), line.text.slice(equals + 1)]);
        } else {
            throw new Error(`Invalid format '${line.text}'`);
        }
    }
    return Object.fromEntries(pairs);
}

const FILES = ['output', 'state', 'env', 'path', 'step_summary'];

// What a step finds: the default variables, and what its `env:` passes.
export function environment({ folder, eventName, eventPath, repository, repositoryId, fake, env = {} }) {
    const [owner] = repository.split('/');
    const given = {
        CI: 'true', GITHUB_ACTIONS: 'true', RUNNER_OS: 'Linux',
        GITHUB_ACTION: '__run', GITHUB_ACTOR: 'maria', GITHUB_ACTOR_ID: '11', GITHUB_JOB: 'event',
        GITHUB_TRIGGERING_ACTOR: 'maria', GITHUB_REPOSITORY: repository,
        GITHUB_REPOSITORY_ID: String(repositoryId), GITHUB_REPOSITORY_OWNER: owner,
        GITHUB_REPOSITORY_OWNER_ID: '1', GITHUB_EVENT_NAME: eventName, GITHUB_EVENT_PATH: eventPath,
        GITHUB_REF: 'refs/heads/main', GITHUB_REF_NAME: 'main', GITHUB_REF_TYPE: 'branch',
        GITHUB_REF_PROTECTED: 'false', GITHUB_HEAD_REF: '', GITHUB_BASE_REF: '',
        GITHUB_SHA: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', GITHUB_RUN_ID: '1658821493',
        GITHUB_RUN_NUMBER: '3', GITHUB_RUN_ATTEMPT: '1', GITHUB_RETENTION_DAYS: '90',
        GITHUB_WORKFLOW: 'bylaw', GITHUB_WORKFLOW_SHA: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/bylaw.yml@refs/heads/main`,
        GITHUB_WORKSPACE: folder, GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_API_URL: fake?.apiUrl ?? 'https://api.github.com',
        GITHUB_GRAPHQL_URL: fake?.graphqlUrl ?? 'https://api.github.com/graphql',
    };
    for (const name of FILES) {
        given[`GITHUB_${name.toUpperCase()}`] = join(folder, `${name}-${randomUUID()}`);
        writeFileSync(given[`GITHUB_${name.toUpperCase()}`], '');
    }
    return { PATH: process.env.PATH, HOME: folder, ...given, ...env };
}

// Runs a step: {code, signal, stdout, stderr, commands, masks, lines, failures, outputs, state, env,
// paths, summary}. `secrets` are texts that nothing it leaves may hold. `started` gets the process.
export async function runStep({ command, event = {}, secrets = [], started = () => {}, ...more }) {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-step-'));
    spawnSync('git', ['init', '-q', folder]); // jobs begin with a checkout
    try {
        const eventPath = join(folder, 'event.json');
        writeFileSync(eventPath, JSON.stringify(event));
        const env = environment({ folder, eventPath, ...more });
        const child = spawn(command[0], command.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk) => { stdout += chunk; });
        child.stderr.on('data', (chunk) => { stderr += chunk; });
        started(child);
        const { code, signal } = await new Promise((done) => {
            child.on('close', (code, signal) => done({ code, signal }));
        });
        const read = (name) => readFileSync(env[`GITHUB_${name.toUpperCase()}`], 'utf8');
        const step = { code, signal, stdout, stderr, failures: [] };
        for (const stream of [stdout, stderr]) {
            const log = readLog(stream);
            for (const key of ['commands', 'masks', 'lines', 'failures']) {
                step[key] = [...(step[key] ?? []), ...log[key]];
            }
        }
        for (const [key, name] of [['outputs', 'output'], ['state', 'state'], ['env', 'env']]) {
            try {
                step[key] = readPairs(read(name));
            } catch (error) {
                step.failures.push(`GITHUB_${name.toUpperCase()}: ${error.message}`);
            }
        }
        step.paths = read('path').split('\n').filter((line) => line !== '');
        step.summary = read('step_summary');
        if (Buffer.byteLength(step.summary) > SUMMARY_MAX) {
            step.failures.push('the summary is larger than 1024k and is dropped');
            step.summary = '';
        }
        const all = [stdout, stderr, ...FILES.map(read)].join('\n');
        for (const secret of secrets) {
            if (all.includes(secret)) {
                step.failures.push('the step gives a secret away');
            }
        }
        return step;
    } finally {
        rmSync(folder, { recursive: true });
    }
}
