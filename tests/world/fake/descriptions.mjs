// SPDX-License-Identifier: Apache-2.0
//
// GitHub's descriptions of its REST API and of its payloads, made executable: which operation a
// request is, whether request, answer and payload are what the description says.

import { readFileSync } from 'node:fs';

import Ajv from 'ajv';
import addFormats from 'ajv-formats';

import { operations } from './operations.mjs';

const file = (name) =>
    JSON.parse(readFileSync(new URL(`../descriptions/${name}`, import.meta.url), 'utf8'));
const rest = file('rest.json');
const hooks = file('webhooks.json');

// OpenAPI 3.0 as JSON Schema: `nullable` becomes a type, and references name their document.
function convert(node, document) {
    if (Array.isArray(node)) {
        return node.map((item) => convert(item, document));
    }
    if (node === null || typeof node !== 'object') {
        return node;
    }
    if (typeof node.$ref === 'string') {
        return { $ref: `${document}#/${node.$ref.replace('#/components/', '')}` };
    }
    const { nullable, ...rest } = Object.fromEntries(
        Object.entries(node).map(([key, value]) => [key, convert(value, document)]),
    );
    if (nullable !== true) {
        return nullable === undefined || nullable === false ? rest : { ...rest, nullable };
    }
    if (rest.enum && !rest.enum.includes(null)) {
        rest.enum = [...rest.enum, null];
    }
    return typeof rest.type === 'string' && !rest.oneOf && !rest.anyOf && !rest.allOf
        ? { ...rest, type: [rest.type, 'null'] }
        : { anyOf: [rest, { type: 'null' }] };
}

// A request may say nothing that the description does not know; GitHub would ignore it, and a test
// would never see the misspelling.
function close(node) {
    if (Array.isArray(node)) {
        return node.map(close);
    }
    if (node === null || typeof node !== 'object') {
        return node;
    }
    const out = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
    if (out.properties && typeof out.properties === 'object' && out.additionalProperties === undefined) {
        out.additionalProperties = false;
    }
    return out;
}

const ajv = new Ajv({
    strict: false,
    allErrors: true,
    logger: false,
    coerceTypes: false,
    allowUnionTypes: true,
});
addFormats(ajv);
for (const [name, document] of [['rest', rest], ['hooks', hooks]]) {
    const { from, paths, webhooks, ...components } = document;
    ajv.addSchema({ $id: name, ...convert(components, name) });
}

const compiled = new Map();
function validator(key, make) {
    if (!compiled.has(key)) {
        compiled.set(key, ajv.compile(make()));
    }
    return compiled.get(key);
}

function complaints(check, value) {
    if (check(value)) {
        return [];
    }
    return check.errors.slice(0, 8).map(({ instancePath, message, params }) => {
        const more = params.additionalProperty ?? params.allowedValues?.join(', ') ?? '';
        return `${instancePath || '$'} ${message}${more === '' ? '' : ` (${more})`}`;
    });
}

const resolve = (node) => {
    if (node?.$ref === undefined) {
        return node;
    }
    const [kind, name] = node.$ref.replace('#/components/', '').split('/');
    return rest[kind][name];
};

// ---- routes ------------------------------------------------------------------------------------

// A parameter is one step of a path, save in `compare`, whose two refs may have slashes, and for a
// path that ends in a tag.
function pattern(path) {
    const names = [];
    const text = path.replace(/\{(\w+)\}|[.*+?^$()|[\]\\]/g, (match, name) => {
        if (name === undefined) {
            return `\\${match}`;
        }
        names.push(name);
        return ['base', 'head', 'tag', 'ref'].includes(name) ? '(.+?)' : '([^/]+)';
    });
    return { names, regex: new RegExp(`^${text}$`) };
}

const routes = [];
for (const [path, methods] of Object.entries(rest.paths)) {
    for (const [method, description] of Object.entries(methods)) {
        const parameters = (description.parameters ?? []).map(resolve);
        routes.push({
            id: description.operationId,
            method: method.toUpperCase(),
            path,
            ...pattern(path),
            parameters,
            description,
            permission: operations.get(description.operationId),
        });
    }
}
// Paths with fewer holes first: /issues/comments before /issues/{issue_number}.
routes.sort((a, b) => a.names.length - b.names.length || b.path.length - a.path.length);

export { routes };

// The operation of a request, with what stands in the holes of its path; null when there is none.
export function findRoute(method, path) {
    for (const route of routes) {
        const match = route.method === method ? route.regex.exec(path) : null;
        if (match !== null) {
            const values = route.names.map((name, i) => [name, decodeURIComponent(match[i + 1])]);
            return { route, path: Object.fromEntries(values) };
        }
    }
    return null;
}

// ---- requests ----------------------------------------------------------------------------------

// Text of a path or query as the description's type; what is none stays text and fails the check.
function coerce(text, schema) {
    const { type } = resolve(schema);
    if ((type === 'integer' || type === 'number') && /^-?\d+$/.test(text)) {
        return Number(text);
    }
    if (type === 'boolean' && (text === 'true' || text === 'false')) {
        return text === 'true';
    }
    return text;
}

function checkParameters(route, where, given, errors) {
    const values = {};
    for (const parameter of route.parameters.filter((p) => p.in === where)) {
        const text = given[parameter.name];
        if (text === undefined) {
            if (parameter.required) {
                errors.push(`${where} ${parameter.name} is missing`);
            } else if (resolve(parameter.schema).default !== undefined) {
                values[parameter.name] = resolve(parameter.schema).default;
            }
            continue;
        }
        values[parameter.name] = coerce(text, parameter.schema);
        const check = validator(`${route.id} ${where} ${parameter.name}`, () =>
            convert(parameter.schema, 'rest'),
        );
        for (const words of complaints(check, values[parameter.name])) {
            errors.push(`${where} ${parameter.name} ${words}`);
        }
    }
    if (where === 'query') {
        for (const name of Object.keys(given)) {
            if (!route.parameters.some((p) => p.in === 'query' && p.name === name)) {
                errors.push(`query ${name} is not described`);
            }
        }
    }
    return values;
}

// {errors, path, query}: parameters with their types and defaults.
export function checkRequest(route, { path, query, body }) {
    const errors = [];
    const out = {
        errors,
        path: checkParameters(route, 'path', path, errors),
        query: checkParameters(route, 'query', query, errors),
    };
    const wanted = resolve(route.description.requestBody);
    const schema = wanted?.content?.['application/json']?.schema;
    if (body === undefined) {
        if (wanted?.required) {
            errors.push('the body is missing');
        }
    } else if (schema === undefined) {
        errors.push('a body is not described');
    } else {
        const check = validator(`${route.id} body`, () => close(convert(schema, 'rest')));
        errors.push(...complaints(check, body).map((words) => `body ${words}`));
    }
    return out;
}

// ---- answers -----------------------------------------------------------------------------------

export function checkAnswer(route, status, body) {
    const described = resolve(route.description.responses[String(status)]);
    if (described === undefined) {
        return [`status ${status} is not described`];
    }
    const content = described.content?.['application/json'];
    if (content === undefined) {
        return body === undefined ? [] : [`an answer of status ${status} has no body`];
    }
    if (body === undefined) {
        return [`an answer of status ${status} has a body`];
    }
    const check = validator(`${route.id} ${status}`, () => convert(content.schema, 'rest'));
    return complaints(check, body);
}

export const webhookNames = new Set(Object.keys(hooks.webhooks));

// What the payload of an event lacks; `name` is "issues-opened".
export function checkPayload(name, payload) {
    if (!webhookNames.has(name)) {
        return [`the payload ${name} is not described`];
    }
    return complaints(
        validator(`payload ${name}`, () => convert(hooks.webhooks[name], 'hooks')),
        payload,
    );
}
