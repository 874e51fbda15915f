// SPDX-License-Identifier: Apache-2.0
//
// Cuts the operations and payloads of ../fake/operations.mjs out of GitHub's description of its REST
// API and writes them to ../descriptions:
//
//     npm ci --prefix tests/world/slice
//     node tests/world/slice/slice.mjs            # or --check: are they what it would write?
//
// One file of the package is read. To import the package would parse 400 MB of JSON.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

import { operations, webhooks } from '../fake/operations.mjs';

const here = new URL('.', import.meta.url);
const source = new URL('node_modules/@octokit/openapi/generated/api.github.com.json', here);
const version = JSON.parse(
    readFileSync(new URL('node_modules/@octokit/openapi/package.json', here)),
).version;
const whole = JSON.parse(readFileSync(source));

// What is for people: it is the larger half, and nothing here reads it.
const forPeople = new Set([
    'description', 'summary', 'example', 'examples', 'externalDocs', 'title', 'tags', 'x-github',
    'x-multi-segment', 'x-github-breaking-changes',
]);
// Below these, keys are names and not words of the description.
const holdsNames = new Set(['properties', 'patternProperties', 'schemas', 'headers', 'responses']);

function plain(node, keysAreNames = false) {
    if (Array.isArray(node)) {
        return node.map((item) => plain(item));
    }
    if (node === null || typeof node !== 'object') {
        return node;
    }
    return Object.fromEntries(
        Object.entries(node)
            .filter(([key]) => keysAreNames || !forPeople.has(key))
            .map(([key, value]) => [key, plain(value, !keysAreNames && holdsNames.has(key))]),
    );
}

// Everything that is named by $ref from a node, as "schemas/issue".
function collect(node, found) {
    if (node === null || typeof node !== 'object') {
        return;
    }
    if (typeof node.$ref === 'string') {
        const name = node.$ref.replace('#/components/', '');
        if (!found.has(name)) {
            found.add(name);
            const [kind, key] = name.split('/');
            collect(plain(whole.components[kind][key]), found);
        }
    }
    for (const value of Object.values(node)) {
        collect(value, found);
    }
}

function components(root) {
    const found = new Set();
    collect(root, found);
    const out = {};
    for (const name of [...found].sort()) {
        const [kind, key] = name.split('/');
        out[kind] ??= {};
        out[kind][key] = plain(whole.components[kind][key]);
    }
    return out;
}

function slicePaths() {
    const paths = {};
    const missing = new Set(operations.keys());
    const all = { ...whole.paths, ...whole['x-ms-paths'] };
    for (const [path, methods] of Object.entries(all)) {
        for (const [method, operation] of Object.entries(methods)) {
            if (operations.has(operation?.operationId)) {
                paths[path] ??= {};
                paths[path][method] = plain(operation);
                missing.delete(operation.operationId);
            }
        }
    }
    if (missing.size > 0) {
        throw new Error(`The description has no operation ${[...missing].join(', ')}.`);
    }
    return paths;
}

function sliceWebhooks() {
    const hooks = {};
    for (const name of webhooks) {
        const schema = whole['x-webhooks'][name].post.requestBody.content['application/json'].schema;
        hooks[name] = plain(schema);
    }
    return hooks;
}

// One line for each path, payload and component, so that a change of a version can be read.
function write(sections) {
    const parts = Object.entries(sections).map(([key, value]) => {
        if (typeof value !== 'object') {
            return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
        }
        const rows = Object.entries(value).map(
            ([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`,
        );
        return `${JSON.stringify(key)}: {\n${rows.join(',\n')}\n}`;
    });
    return `{\n${parts.join(',\n')}\n}\n`;
}

function document(name, body) {
    const used = components(body);
    return write({
        from: `@octokit/openapi ${version}, generated/api.github.com.json, ${name}`,
        ...body,
        ...used,
    });
}

const paths = slicePaths();
const payloads = sliceWebhooks();
const files = {
    'rest.json': document('paths', { paths }),
    'webhooks.json': document('x-webhooks', { webhooks: payloads }),
};

let different = false;
for (const [name, text] of Object.entries(files)) {
    const file = new URL(`../descriptions/${name}`, here);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
    if (process.argv.includes('--check')) {
        const same = readFileSync(file, 'utf8') === text;
        different ||= !same;
        console.log(`${name}: ${same ? 'as the package has it' : 'differs'} (${digest}).`);
    } else {
        writeFileSync(file, text);
        console.log(`${name}: ${text.length} bytes (${digest}).`);
    }
}
if (different) {
    console.error('Run node tests/world/slice/slice.mjs and look at what changed.');
    process.exit(1);
}
