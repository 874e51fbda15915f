// SPDX-License-Identifier: Apache-2.0
//
// The fake over HTTP: authentication, limits, routes, permissions, descriptions, pages, faults. What a
// client does that GitHub's descriptions do not allow, and what this server answers that they do not
// allow, is a violation; a test ends by looking at the list.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

import { checkAnswer, checkRequest, findRoute } from './descriptions.mjs';
import { Faults, kinds } from './faults.mjs';
import { execute } from './graphql.mjs';
import { Limits, SECONDARY } from './limits.mjs';
import { cut } from './pages.mjs';
import { issue, repository, user } from './render.mjs';
import { codeHandlers } from './rest_code.mjs';
import { issueHandlers } from './rest_issues.mjs';
import { repositoryHandlers } from './rest_repository.mjs';
import { GHOST, notFound, Problem, same } from './state.mjs';
import { checkDeliveries } from './webhooks.mjs';

const API_VERSIONS = ['2022-11-28', '2026-03-10'];
const BODY_MAX = 5 << 20;
const JSON_TYPE = 'application/json; charset=utf-8';

export const handlers = {
    ...issueHandlers,
    ...repositoryHandlers,
    ...codeHandlers,
    'rate-limit/get': ({ limits }) => ({ status: 200, body: limits.overview() }),
};

export class FakeGitHub {
    // permissions: GitHub's keys under `permissions:`, or 'all'. strict: clients must send what GitHub
    // recommends (the version of the API, its media type) beside what it demands. prefix: '/api/v3' as
    // on an Enterprise Server, whose GraphQL stands at /api/graphql.
    constructor(state, { token = 'fake-token', permissions = 'all', strict = true, prefix = '', secondary = false } = {}) {
        this.state = state;
        this.token = token;
        this.permissions = permissions;
        this.strict = strict;
        this.prefix = prefix;
        this.faults = new Faults();
        this.limits = new Limits(state, { secondary });
        this.violations = [];
        this.requests = []; // {method, path, operation, write, status, fault}
        this.onKill = () => {};
        this.meanwhile = () => {}; // is told the how manieth request comes, before it is looked at
        this.server = createServer((request, response) => this.receive(request, response));
        this.server.keepAliveTimeout = 60000;
    }

    async listen(port = 0) {
        await new Promise((done) => {
            this.server.listen(port, '127.0.0.1', done);
        });
        const origin = `http://127.0.0.1:${this.server.address().port}`;
        this.apiUrl = `${origin}${this.prefix}`;
        this.graphqlUrl = this.prefix === '' ? `${origin}/graphql` : `${origin}/api/graphql`;
        this.origin = origin;
        this.address();
        return this;
    }

    // Another state from now on, with nothing on the list.
    use(state) {
        this.state = state;
        this.limits = new Limits(state, { secondary: this.limits.secondary });
        this.faults.clear();
        this.violations = [];
        this.requests = [];
        this.address();
    }

    address() {
        this.state.api = this.apiUrl;
        this.state.server = 'https://github.com';
    }

    async close() {
        this.server.closeAllConnections();
        await new Promise((done) => {
            this.server.close(done);
        });
    }

    violate(request, words) {
        this.violations.push(`${request.method} ${request.path}: ${words}`);
    }

    // ---- one request

    async receive(request, response) {
        const chunks = [];
        let size = 0;
        for await (const chunk of request) {
            size += chunk.length;
            if (size <= BODY_MAX) {
                chunks.push(chunk);
            }
        }
        const url = new URL(request.url, this.origin);
        const seen = {
            method: request.method,
            path: url.pathname,
            search: url.search.replace(/^\?/, ''),
            headers: request.headers,
            text: Buffer.concat(chunks).toString('utf8'),
        };
        try {
            this.send(response, seen, this.answer(seen));
        } catch (error) {
            this.violate(seen, `the fake failed: ${error.stack}`);
            response.destroy();
        }
    }

    // {status, headers, text} or what the connection does instead.
    answer(request) {
        const isGraphql = `${this.origin}${request.path}` === this.graphqlUrl;
        this.checkHeaders(request);
        if (!isGraphql) {
            this.route(request);
        }
        request.operation = isGraphql ? 'graphql' : (request.match?.route.id ?? 'unknown');
        request.write = isGraphql ? /^\s*mutation\b/.test(parse(request.text)?.query ?? '') : request.method !== 'GET';
        this.meanwhile(this.requests.length + 1);
        const fault = this.faults.take(request);
        request.fault = fault === null ? null : `${fault.kind} ${fault.when}`;
        if (fault?.when === 'before') {
            return this.finish(request, kinds[fault.kind](null, fault, this.state.now), 'core');
        }
        const answer = isGraphql ? this.graphql(request) : this.rest(request);
        if (fault !== null) {
            return this.finish(request, kinds[fault.kind](answer, fault, this.state.now), 'core');
        }
        return answer;
    }

    finish(request, answer, resource) {
        return {
            ...answer,
            headers: { ...this.limits.headers(resource), ...answer.headers },
        };
    }

    checkHeaders(request) {
        const { headers } = request;
        if (`${request.path}?${request.search}`.includes(this.token)) {
            this.violate(request, 'the token stands in the address');
        }
        if (this.strict && !API_VERSIONS.includes(headers['x-github-api-version'])) {
            this.violate(request, 'no version of the API is named');
        }
        if (this.strict && !/application\/(vnd\.github\+)?json/.test(headers.accept ?? '')) {
            this.violate(request, `the media type ${headers.accept} is not GitHub's`);
        }
        if (request.text !== '' && !/^application\/json/.test(headers['content-type'] ?? '')) {
            this.violate(request, 'the body is not said to be JSON');
        }
        if (headers.host !== new URL(this.origin).host) {
            this.violate(request, `the host ${headers.host} is another one`);
        }
    }

    // ---- REST

    route(request) {
        let { path } = request;
        if (this.prefix !== '' && path.startsWith(this.prefix)) {
            path = path.slice(this.prefix.length);
        }
        const byId = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
        if (byId !== null && Number(byId[1]) === this.state.repository.id) {
            path = `/repos/${this.state.repository.name}${byId[2] ?? ''}`;
        }
        request.route = path;
        request.match = findRoute(request.method, path);
    }

    rest(request) {
        let resource = 'core';
        try {
            const { match } = request;
            if (match === null) {
                this.violate(request, 'there is no such operation');
                throw notFound();
            }
            resource = match.route.id.startsWith('search/') ? 'search' : 'core';
            this.authenticate(request);
            if (match.route.id !== 'rate-limit/get') {
                this.limits.takeSecondary(request.write, false);
                this.limits.take(resource);
            }
            const given = this.checkedRequest(request, match);
            const elsewhere = this.otherRepository(request, match);
            if (elsewhere !== null) {
                return this.restAnswer(request, resource, elsewhere);
            }
            this.permit(match.route, given.path);
            const result = handlers[match.route.id]({
                state: this.state,
                limits: this.limits,
                actor: this.state.account,
                path: given.path,
                query: given.query,
                body: given.body,
            });
            return this.restAnswer(request, resource, result);
        } catch (error) {
            if (!(error instanceof Problem)) {
                throw error;
            }
            return this.problem(request, resource, error);
        }
    }

    checkedRequest(request, match) {
        const query = Object.fromEntries(new URLSearchParams(request.search));
        let body;
        if (request.text !== '') {
            body = parse(request.text);
            if (body === undefined) {
                this.violate(request, 'the body is no JSON');
                throw new Problem(400, 'Problems parsing JSON');
            }
        }
        const checked = checkRequest(match.route, { path: match.path, query, body });
        for (const words of checked.errors) {
            this.violate(request, words);
        }
        if (checked.errors.some((words) => words.startsWith('body'))) {
            throw new Problem(422, 'Validation Failed', { errors: checked.errors });
        }
        return { ...checked, body };
    }

    authenticate(request) {
        if (!request.headers['user-agent']) {
            this.violate(request, 'there is no user agent');
            throw new Problem(403, 'Request forbidden by administrative rules.');
        }
        const given = /^(?:Bearer|token) (.+)$/i.exec(request.headers.authorization ?? '');
        if (given === null || given[1] !== this.token) {
            throw new Problem(401, given === null ? 'Requires authentication' : 'Bad credentials');
        }
    }

    // Another repository than the one that is here: only whether it is public is known.
    otherRepository(request, { route, path }) {
        if (path.owner === undefined) {
            return null;
        }
        const name = `${path.owner}/${path.repo}`;
        const { repository: own } = this.state;
        if (same(name, own.name)) {
            return null;
        }
        if (own.formerNames.some((former) => same(former, name))) {
            const rest = request.route.split('/').slice(4).join('/');
            const query = request.search === '' ? '' : `?${request.search}`;
            throw new Problem(request.method === 'GET' ? 301 : 307, 'Moved Permanently', {
                location: `${this.apiUrl}/repositories/${own.id}${rest === '' ? '' : `/${rest}`}${query}`,
            });
        }
        const known = [...this.state.others.keys()].find((other) => same(other, name));
        if (known !== undefined && route.id === 'issues/get' &&
            this.state.foreignIssues?.some((other) => same(other, `${name}#${path.issue_number}`))) {
            // What stands in it is none of our business.
            const any = [...this.state.issues.values()].find((row) => !row.pull);
            return { status: 200, body: { ...issue(this.state, any), number: Number(path.issue_number) } };
        }
        if (known === undefined || route.id !== 'repos/get') {
            throw notFound();
        }
        const open = this.state.others.get(known);
        return { status: 200, body: repository(this.state, { name: known, open }) };
    }

    permit(route, path) {
        const { permission, level } = route.permission;
        const key = this.permissionKey(permission, path);
        const everyone = level === 'read' && this.state.repository.public && key !== 'security-events';
        if (key === 'none' || key === 'metadata' || everyone || this.permissions === 'all') {
            return;
        }
        const have = this.permissions[key];
        if (have === 'write' || have === level) {
            return;
        }
        throw new Problem(403, 'Resource not accessible by integration', {
            accepted: `${key.replace('-', '_')}=${level}`,
        });
    }

    permissionKey(permission, path) {
        let number = null;
        if (permission === 'issue') {
            number = path.issue_number;
        } else if (permission === 'comment') {
            number = this.state.comments.get(path.comment_id)?.issue;
        } else {
            return permission;
        }
        return this.state.issues.get(number)?.pull ? 'pull-requests' : 'issues';
    }

    restAnswer(request, resource, result) {
        let { status = 200, body } = result;
        const headers = { ...this.limits.headers(resource) };
        if (result.list !== undefined) {
            const address = `${this.apiUrl}${this.addressById(request)}`;
            const { items, link } = cut(result.list, address, request.search);
            body = items.map((item) => result.render(this.state, item));
            if (link !== null) {
                headers.link = link;
            }
            if (result.wrap !== undefined) {
                body = result.wrap(body);
            }
        }
        for (const words of checkAnswer(request.match.route, status, withActors(this.state, body))) {
            this.violate(request, `the answer of the fake: ${words}`);
        }
        for (const words of checkDeliveries(this.state)) {
            this.violate(request, `the payload of the fake: ${words}`);
        }
        if (body === undefined) {
            return { status, headers, text: '' };
        }
        const text = JSON.stringify(body);
        headers['content-type'] = JSON_TYPE;
        if (status === 201 && body.url !== undefined) {
            headers.location = body.url;
        }
        return resource === 'search'
            ? { status, headers: { ...headers, 'cache-control': 'no-cache' }, text }
            : this.conditional(request, resource, { status, headers, text });
    }

    // Answers that did not change are free.
    conditional(request, resource, { status, headers, text }) {
        headers.etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
        headers['cache-control'] = 'private, max-age=60, s-maxage=60';
        if (request.method !== 'GET' || request.headers['if-none-match'] !== headers.etag) {
            return { status, headers, text };
        }
        this.limits.used[resource].used -= 1;
        delete headers['content-type'];
        return { status: 304, headers: { ...headers, ...this.limits.headers(resource) }, text: '' };
    }

    // Pages are linked by the number of the repository.
    addressById(request) {
        const { name, id } = this.state.repository;
        const prefix = `/repos/${name}`;
        return request.route.toLowerCase().startsWith(prefix.toLowerCase())
            ? `/repositories/${id}${request.route.slice(prefix.length)}`
            : request.route;
    }

    problem(request, resource, { status, message, more }) {
        const headers = { ...this.limits.headers(resource), 'content-type': JSON_TYPE };
        const body = {
            message,
            ...(more.errors ? { errors: more.errors } : {}),
            documentation_url: 'https://docs.github.com/rest',
            status: String(status),
        };
        if (more.location) {
            headers.location = more.location;
            body.url = more.location;
        }
        if (more.accepted) {
            headers['x-accepted-github-permissions'] = more.accepted;
        }
        if (more.retryAfter) {
            headers['retry-after'] = String(more.retryAfter);
        }
        if (more.primary) {
            headers['x-ratelimit-remaining'] = '0';
        }
        return { status, headers, text: JSON.stringify(body) };
    }

    // ---- GraphQL

    graphql(request) {
        try {
            if (request.method !== 'POST') {
                this.violate(request, 'GraphQL is asked by POST');
                throw notFound();
            }
            this.authenticate(request);
            this.limits.takeSecondary(request.write, true);
            const body = parse(request.text);
            if (typeof body?.query !== 'string') {
                this.violate(request, 'the body has no query');
                throw new Problem(400, 'Problems parsing JSON');
            }
            const result = execute(this, body);
            for (const words of result.violations) {
                this.violate(request, words);
            }
            for (const words of checkDeliveries(this.state)) {
                this.violate(request, `the payload of the fake: ${words}`);
            }
            const text = JSON.stringify(result.answer);
            const headers = { ...this.limits.headers('graphql'), 'content-type': JSON_TYPE };
            return { status: 200, headers, text };
        } catch (error) {
            if (!(error instanceof Problem)) {
                throw error;
            }
            if (error.message === SECONDARY || !error.more.primary) {
                return this.problem(request, 'graphql', error);
            }
            return kinds.graphql_rate();
        }
    }

    // ---- the wire

    send(response, request, answer) {
        this.requests.push({
            method: request.method,
            path: request.path + (request.search === '' ? '' : `?${request.search}`),
            operation: request.operation,
            write: request.write,
            status: answer.connection ? answer.connection : answer.status,
            fault: request.fault,
        });
        if (answer.kill) {
            this.onKill();
        }
        const bytes = Buffer.from(answer.text ?? '', 'utf8');
        // An answer without a body that is cut is one that never began.
        if (answer.connection === 'reset' || (answer.connection === 'truncate' && bytes.length < 2)) {
            response.socket.destroy();
            return;
        }
        if (answer.connection === 'hang') {
            return;
        }
        const headers = { 'x-github-request-id': '0000:00000:0000000:0000000:00000000', ...answer.headers };
        if (answer.status !== 204 && answer.status !== 304) {
            headers['content-length'] = String(bytes.length);
        }
        response.writeHead(answer.status, headers);
        if (answer.connection === 'truncate') {
            response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
                response.socket.destroy();
            });
            return;
        }
        response.end(bytes.length > 0 ? bytes : undefined);
    }
}

// Events of somebody who is gone have no actor, which the description of events leaves out.
function withActors(state, body) {
    return Array.isArray(body) && body.some((row) => row.event !== undefined && row.actor === null)
        ? body.map((row) => ({ ...row, actor: row.actor ?? user(state, GHOST.login) }))
        : body;
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
