// SPDX-License-Identifier: Apache-2.0
//
// The client on the wire: what it sends to whom, and what it does with answers that no GitHub gives.
//     BL_SCENARIO=path/to/world_scenario node --test tests/world/run/wire.test.mjs
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

import { FakeGitHub } from '../fake/server.mjs';
import { Program } from './program.mjs';
import { commandOf, loadWorld, readScenario } from './steps.mjs';

const path = process.env.BL_SCENARIO;
const token = 'fake-token';

async function listening(server) {
    await new Promise((done) => {
        server.listen(0, '127.0.0.1', done);
    });
    return server.address().port;
}

// Runs a read (or an effect) against an address; {answer, requests}.
async function ask(api, step, more = {}, environment = {}) {
    const before = { ...process.env };
    Object.assign(process.env, environment);
    const program = new Program(path);
    process.env = before;
    try {
        await program.ask({
            do: 'github', api, graphql: '', repository: 'octo/demo', repository_id: 512345678, token,
            account: 'github-actions[bot]', now: 1000000, request_ms: 5000, ...more,
        });
        return await program.ask({ ...commandOf(step), prove: false });
    } finally {
        await program.end();
    }
}

const title = { read: 'issue 12 title' };
const post = { effect: 'post', number: 12, body: 'Hello.' };

async function withFake(body) {
    const { world } = readScenario('reads_of_issues');
    const fake = await new FakeGitHub(loadWorld(world)).listen();
    try {
        await body(fake);
        assert.deepEqual(fake.violations, []);
    } finally {
        await fake.close();
    }
}

// A server that answers as it likes.
async function withServer(answer, body) {
    const seen = [];
    const server = createServer((request, response) => {
        seen.push({ method: request.method, url: request.url, headers: request.headers });
        answer(request, response);
    });
    const port = await listening(server);
    try {
        await body(`http://127.0.0.1:${port}`, seen);
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

test('what is sent', async () => {
    await withServer(
        (_, response) => response.writeHead(404).end(),
        async (api, seen) => {
            await ask(api, title);
            await ask(api, post);
            const { host, ...headers } = seen[0].headers;
            assert.deepEqual(headers, {
                'user-agent': 'bylaw-test',
                accept: 'application/vnd.github+json',
                'accept-encoding': 'gzip',
                'x-github-api-version': '2022-11-28',
                authorization: `Bearer ${token}`,
            });
            assert.equal(seen[1].headers['content-type'], 'application/json; charset=utf-8');
            assert.equal(seen[1].headers.expect, undefined);
        },
    );
});

test('nothing of the environment is used', async () => {
    const home = mkdtempSync(join(tmpdir(), 'bylaw-home-'));
    writeFileSync(join(home, '.netrc'), 'machine 127.0.0.1 login evil password evil\n');
    writeFileSync(join(home, '.curlrc'), 'proxy = http://127.0.0.1:1\n');
    try {
        await withFake(async (fake) => {
            const answer = await ask(fake.apiUrl, title, {}, {
                http_proxy: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1',
                https_proxy: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:1', HOME: home,
            });
            assert.equal(answer.answer, 'found', JSON.stringify(answer));
        });
    } finally {
        rmSync(home, { recursive: true });
    }
});

test('a proxy of the options is used, and left out where it should be', async () => {
    await withFake(async (fake) => {
        await withServer(
            (request, response) => {
                // A proxy gets the whole address.
                fetch(request.url, { headers: { ...request.headers, host: undefined } }).then(async (inner) => {
                    response.writeHead(inner.status, { 'content-type': inner.headers.get('content-type') });
                    response.end(await inner.text());
                });
            },
            async (proxy, seen) => {
                const answer = await ask(fake.apiUrl, title, { proxy });
                assert.equal(answer.answer, 'found', JSON.stringify(answer));
                assert.ok(seen[0].url.startsWith(fake.apiUrl));
                await ask(fake.apiUrl, title, { proxy, no_proxy: '127.0.0.1' });
                assert.equal(seen.length, 1);
            },
        );
    });
});

test('the token goes to no other host', async () => {
    await withServer(
        (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
        async (other, seen) => {
            for (const status of [301, 302, 303, 307, 308]) {
                await withServer(
                    (_, response) => response.writeHead(status, { location: `${other}/repositories/512345678/issues/12` }).end(),
                    async (api) => {
                        assert.equal((await ask(api, title)).answer, 'failed');
                    },
                );
            }
            await withServer(
                (_, response) =>
                    response
                        .writeHead(200, { 'content-type': 'application/json', link: `<${other}/x>; rel="next"` })
                        .end('[]'),
                async (api) => {
                    assert.equal((await ask(api, { read: 'repository labels' })).answer, 'failed');
                },
            );
            assert.equal(seen.length, 0);
        },
    );
});

test('a write goes nowhere else, also within the host', async () => {
    for (const status of [301, 302, 307, 308]) {
        await withServer(
            (_, response) => response.writeHead(status, { location: '/repositories/512345678/issues/12/comments' }).end(),
            async (api, seen) => {
                const answer = await ask(api, post);
                assert.equal(answer.written, 'no', `${status} ${JSON.stringify(answer)}`);
                assert.equal(seen.length, 1);
            },
        );
    }
});

test('a read goes on three times within the host, and no further', async () => {
    await withServer(
        (request, response) => response.writeHead(301, { location: `http://${request.headers.host}${request.url}` }).end(),
        async (api, seen) => {
            assert.equal((await ask(api, { read: 'repository labels' })).answer, 'failed');
            assert.equal(seen.length, 4);
        },
    );
});

// What libcurl would do by itself on a connection that it keeps: send it again.
test('a write is sent once, on a connection of its own, whatever becomes of that', async () => {
    const sockets = new Map();
    const server = createServer((request, response) => {
        const used = sockets.get(request.socket) ?? [];
        sockets.set(request.socket, [...used, request.method]);
        if (request.method === 'POST') {
            request.socket.destroy();
            return;
        }
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    const port = await listening(server);
    const program = new Program(path);
    try {
        await program.ask({
            do: 'github', api: `http://127.0.0.1:${port}`, graphql: '', repository: 'octo/demo', repository_id: 512345678, token,
            account: 'github-actions[bot]', now: 1000000, request_ms: 5000,
        });
        const comments = { ...commandOf({ read: 'issue 12 comments' }) };
        assert.equal((await program.ask(comments)).answer, 'found');
        assert.equal((await program.ask({ ...commandOf(post), prove: false })).written, 'unknown');
        const all = [...sockets.values()];
        assert.deepEqual(all.flat().filter((method) => method === 'POST'), ['POST']);
        assert.deepEqual(all.find((methods) => methods.includes('POST')), ['POST'], 'it went over a connection that was there');
    } finally {
        await program.end();
        server.closeAllConnections();
        server.close();
    }
});

test('answers without end', async () => {
    const json = { 'content-type': 'application/json' };
    const packed = gzipSync(Buffer.alloc(50 << 20, 32)); // takes seconds on a busy machine, so not while somebody waits
    const cases = {
        'a large one': (_, response) => response.writeHead(200, json).end(`["${'x'.repeat(200000)}"]`),
        'one that is large when it is unpacked': (_, response) =>
            response
                .writeHead(200, { ...json, 'content-encoding': 'gzip' })
                .end(packed),
    };
    for (const [name, answer] of Object.entries(cases)) {
        await withServer(answer, async (api, seen) => {
            const result = await ask(api, title, { answer_bytes: 100000 });
            assert.equal(result.answer, 'failed', name);
            assert.match(result.why, /too large/, name);
            assert.equal(seen.length, 1);
            // Of a write nobody knows.
            assert.equal((await ask(api, post, { answer_bytes: 100000 })).written, 'unknown');
        });
    }
});

test('bytes that come one by one', async () => {
    await withServer(
        (_, response) => {
            response.writeHead(200, { 'content-type': 'application/json' });
            const timer = setInterval(() => response.write(' '), 20);
            response.on('close', () => clearInterval(timer));
        },
        async (api, seen) => {
            const start = Date.now();
            const answer = await ask(api, post, { request_ms: 300 });
            assert.equal(answer.written, 'unknown');
            assert.equal(seen.length, 1);
            assert.ok(Date.now() - start < 5000);
        },
    );
});

// What no HTTP server would write.
async function withBytes(bytes, body) {
    let connections = 0;
    const server = createTcpServer((socket) => {
        connections += 1;
        socket.on('error', () => {});
        socket.once('data', () => socket.end(bytes));
    });
    const port = await listening(server);
    try {
        await body(`http://127.0.0.1:${port}`, () => connections);
    } finally {
        server.close();
    }
}

test('answers that are none', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
    const cases = [
        'not http at all',
        `${head}Content-Length: 5\r\n\r\n[]`,
        `${head}Content-Length: -1\r\n\r\n[]`,
        `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
        `${head}${'X: y\r\n'.repeat(20000)}Content-Length: 2\r\n\r\n{}`,
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
        'HTTP/1.1 999 x\r\nContent-Length: 0\r\n\r\n',
        '',
    ];
    for (const bytes of cases) {
        await withBytes(bytes, async (api, connections) => {
            const read = await ask(api, title);
            assert.equal(read.answer, 'failed', `${bytes.slice(0, 80)}: ${JSON.stringify(read)}`);
            const before = connections();
            const written = await ask(api, post);
            assert.ok(['unknown', 'no'].includes(written.written), bytes.slice(0, 80));
            assert.equal(connections() - before, 1, bytes.slice(0, 80));
        });
    }
    // An answer in between is none of the last one.
    await withBytes(
        `HTTP/1.1 103 Early Hints\r\nContent-Type: text/html\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
        async (api) => {
            assert.equal((await ask(api, title)).answer, 'missing');
        },
    );
    // GitHub says in JSON that something is not there; a page is a proxy's, or another server's.
    await withServer(
        (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>'),
        async (api) => {
            assert.equal((await ask(api, title)).answer, 'failed');
            assert.equal((await ask(api, post)).written, 'unknown');
        },
    );
});

function certificate(folder, name, subject) {
    execFileSync('openssl', [
        'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
        '-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`), '-days', '2',
        '-subj', '/CN=test', '-addext', `subjectAltName=${subject}`,
    ], { stdio: 'ignore' });
    return { key: readFileSync(join(folder, `${name}.key`)), cert: readFileSync(join(folder, `${name}.pem`)) };
}

test('a proxy learns the host and nothing else; its refusals are no answers of GitHub', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-proxy-'));
    let pair;
    try {
        pair = certificate(folder, 'proxied', 'DNS:api.example');
    } catch {
        t.skip('openssl is missing');
        return;
    }
    const seen = [];
    const server = createTlsServer(pair, (request, response) => {
        seen.push({ authorization: request.headers.authorization, host: request.headers.host });
        response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    });
    const port = await listening(server);
    for (const [status, answer, written] of [[200, 'missing', 'no'], [403, 'failed', 'unknown'], [407, 'failed', 'unknown'], [404, 'failed', 'unknown']]) {
        const heads = [];
        const proxy = createTcpServer((socket) => {
            socket.on('error', () => {});
            socket.once('data', (bytes) => {
                heads.push(bytes.toString('latin1'));
                if (status !== 200) {
                    socket.end(`HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`);
                    return;
                }
                const inner = connect(port, '127.0.0.1', () => {
                    socket.write('HTTP/1.1 200 Connected\r\nETag: "of the proxy"\r\n\r\n');
                    socket.pipe(inner).pipe(socket);
                });
                inner.on('error', () => socket.destroy());
            });
        });
        const more = { proxy: `http://me:word@127.0.0.1:${await listening(proxy)}`, ca_file: join(folder, 'proxied.pem') };
        seen.length = 0;
        assert.equal((await ask('https://api.example', title, more)).answer, answer, String(status));
        const write = await ask('https://api.example', post, more);
        assert.equal(write.written, written, JSON.stringify(write));
        assert.deepEqual(seen.map((row) => row.authorization), status === 200 ? [`Bearer ${token}`, `Bearer ${token}`] : []);
        assert.ok(heads.length >= 2);
        for (const head of heads) {
            assert.match(head, /^CONNECT api\.example:443 HTTP\/1\.1\r\n/);
            assert.doesNotMatch(head, /bearer|fake-token|repos|X-GitHub/i);
        }
        assert.doesNotMatch(JSON.stringify(write), /me:word/);
        proxy.close();
    }
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
});

test('certificates', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'bylaw-tls-'));
    const make = (name, subject) => certificate(folder, name, subject);
    let good;
    try {
        good = make('good', 'IP:127.0.0.1');
    } catch {
        t.skip('openssl is missing');
        return;
    }
    const bad = make('bad', 'DNS:api.github.com');
    const run = async (pair, more) => {
        let requests = 0;
        const server = createTlsServer(pair, (_, response) => {
            requests += 1;
            response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
        });
        server.on('tlsClientError', () => {});
        const port = await listening(server);
        try {
            const answer = await ask(`https://127.0.0.1:${port}`, title, more);
            const write = await ask(`https://127.0.0.1:${port}`, post, more);
            return { answer, write, requests };
        } finally {
            server.closeAllConnections();
            server.close();
        }
    };
    const trusted = await run(good, { ca_file: join(folder, 'good.pem') });
    assert.equal(trusted.answer.answer, 'missing', JSON.stringify(trusted.answer));
    assert.equal(trusted.requests, 2);
    for (const [pair, more] of [[good, {}], [bad, { ca_file: join(folder, 'bad.pem') }], [good, { ca_file: join(folder, 'none.pem') }]]) {
        const result = await run(pair, more);
        assert.equal(result.answer.answer, 'failed');
        assert.equal(result.write.written, 'no');
        assert.match(result.write.why, /certificate/);
        assert.equal(result.requests, 0);
    }
    rmSync(folder, { recursive: true });
});

test('nobody is there', async () => {
    const server = createServer(() => {});
    const port = await listening(server);
    server.close();
    const write = await ask(`http://127.0.0.1:${port}`, post);
    assert.equal(write.written, 'no');
    assert.match(write.why, /no connection to 127\.0\.0\.1/);
    const read = await ask(`http://127.0.0.1:${port}`, title);
    assert.equal(read.answer, 'failed');
    assert.equal(read.again, true);
});
