import { routes } from '@spillway/contracts';
import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool, mcpClient } from '../agents/mcp-clients.js';
import { operatorPassword, scrape } from '../operations/scrape.js';
import { program } from '../cli/run-program.js';
import { toolRun } from '../tool-calls.js';

let stack: Stack;
let admin: Api;
let outputId: string;
let otherOutput: string;
beforeAll(async () => {
  stack = await startStack({
    workers: 0,
    redis: false,
    env: { SPILLWAY_TIME_DIVISOR: '10', SPILLWAY_OPERATOR_PASSWORD: operatorPassword },
  });
  admin = apiOf(stack);
  outputId = await threadWithOutput('secret');
  otherOutput = await threadWithOutput('other');
});
afterAll(() => stack?.stop());

async function threadWithOutput(id: string): Promise<string> {
  const posted = await admin.append(id, ...toolRun('c', `${id}-word `.repeat(20_000)));
  return posted.messages[1]!.output!.id;
}
const server = (key: string) => ({ url: stack.url, key });
const keyWith = async (...scopes: string[]) =>
  (await admin.call<{ key: string }>('POST', '/v1/keys', { name: 'mcp', scopes })).body.key;
const tokenOf = async (thread: string) =>
  (
    await admin.call<{ id: string; token: string }>('POST', `/v1/threads/${thread}/tokens`, {
      scopes: ['context:read', 'outputs:read'],
    })
  ).body;

interface Reply {
  code?: string;
  error?: { code: number; message: string; data?: unknown };
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const accept = 'application/json, text/event-stream';
const post = (body: unknown, headers: Record<string, string> = {}, key = stack.key) =>
  apiOf(server(key)).call<Reply>('POST', '/mcp', body, { accept, ...headers });

describe('/mcp refuses', () => {
  test('what has no key, as the protocol asks for it, and a wrong one', async () => {
    const none = await fetch(`${stack.url}/mcp`, { method: 'POST', headers: { accept }, body: '{}' });
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="spillway"');
    const wrong = await post(ping, {}, 'sw_wrong');
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="spillway", error="invalid_token", error_description="The API key is unknown, expired or revoked."',
    ]);
    // There is no authorization server that a client could be sent to.
    const metadata = await fetch(`${stack.url}/.well-known/oauth-protected-resource/mcp`);
    expect(metadata.status).toBe(404);
    await expect(mcpClient(server('sw_wrong'))).rejects.toMatchObject({ data: { status: 401 } });
    await expect(mcpClient(server('sw_wrong'), '2025-11-25')).rejects.toMatchObject({
      data: { status: 401 },
    });
  });

  test('a key without the scopes to read, and a session of the console', async () => {
    for (const scopes of [['context:read'], ['outputs:read'], ['messages:write', 'threads:manage']]) {
      const refused = await post(ping, {}, await keyWith(...scopes));
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer realm="spillway", error="insufficient_scope", scope="context:read outputs:read"',
      );
    }
    const { body } = await admin.call<{ token: string }>('POST', '/v1/sessions');
    expect(await post(ping, {}, body.token)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('a key that only reads may not keep messages, and is not offered to', async () => {
    const client = await mcpClient(server(await keyWith('context:read', 'outputs:read')));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('keep');
    const kept = client.callTool({ name: 'keep', arguments: { thread_id: 'secret', seq: 1 } });
    await expect(kept).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('a batch', async () => {
    const { status, body } = await post([ping, { ...ping, id: 2 }]);
    expect({ status, body }).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } });
    expect(body.error!.message).toContain('Batches are not supported');
  });

  test('A109 pages of other hosts, and no others', async () => {
    const evil = [
      'https://evil.example',
      'http://evil.example:4000',
      'null',
      'http://localhost.evil.example',
    ];
    for (const origin of evil)
      expect(await post(ping, { origin }), origin).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1:3000', 'http://[::1]:8080'])
      expect((await post(ping, { origin })).status, origin).toBe(200);
  });

  test('versions of the protocol that nobody knows', async () => {
    const old = await post(ping, { 'mcp-protocol-version': '1999-01-01' });
    expect(old).toMatchObject({ status: 400, body: { error: { code: -32000 } } });
    expect(old.body.error!.message).toMatch(/version/i);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } };
    const late = await post(list, { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' });
    expect(late.status).toBe(400);
    expect(late.body.error!.data).toMatchObject({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  test('GET and DELETE, which open streams and end sessions elsewhere', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers, body } = await admin.call<Reply>(method, '/mcp');
      expect({ status, body }).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(headers.get('allow')).toBe('POST');
    }
  });

  test('bodies that are too large, no JSON, or no message', async () => {
    expect((await post({ ...ping, pad: 'x'.repeat(9_000_000) })).status).toBe(413);
    expect(await post('{"jsonrpc":')).toMatchObject({ status: 400, body: { code: 'malformed_json' } });
    expect((await post({ hello: 1 })).status).toBe(400);
    expect((await post(ping, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(ping, { accept: 'text/html' })).status).toBe(406);
  });

  test('a stream of changes, of which there are none: no connection is kept open', async () => {
    const version = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const method = 'subscriptions/listen';
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { _meta, notifications: { toolsListChanged: true } },
    };
    const { body } = await post(listen, { 'mcp-protocol-version': version, 'mcp-method': method });
    expect(body.error!.message).toContain('limit');
  });
});

test('the route asks for the scopes of the tools', () => {
  expect(routes['POST /mcp']).toMatchObject({ scope: 'context:read', alsoScope: 'outputs:read' });
});

describe("another's thread", () => {
  const reads = (id: string) =>
    [
      ['read_output', { id }],
      ['grep_output', { id, pattern: 'word' }],
      ['outline_output', { id }],
      ['read_message', { seq: 2 }],
      ['search_history', { q: 'word' }],
      ['get_context', {}],
      ['keep', { seq: 2 }],
      ['keep', { id }],
    ] as const;

  test('of another project is answered as one that does not exist', async () => {
    const client = await mcpClient(server(await stack.addProject('strangers')));
    expect((await callTool(client, 'list_threads', {})).text).toBe('[0 conversations.]');
    for (const [name, args] of reads(outputId)) {
      const theirs = await callTool(client, name, { thread_id: 'secret', ...args });
      const nobodys = await callTool(client, name, { thread_id: 'nobody', ...args });
      expect(theirs).toEqual(nobodys);
      expect(theirs.isError).toBe(true);
    }
    await client.close();
  });

  test('A110 is not readable with a thread token, neither it nor its outputs', async () => {
    const { token } = await tokenOf('other');
    const client = await mcpClient(server(token));
    expect((await callTool(client, 'read_output', { id: otherOutput })).text).toContain('other-word');
    for (const [name, args] of reads(outputId).filter(([name]) => name !== 'keep')) {
      const named = await callTool(client, name, { thread_id: 'secret', ...args });
      expect(named).toMatchObject({ isError: true, text: expect.stringContaining('thread_id') as string });
      const { text } = await callTool(client, name, args);
      expect(text, name).not.toContain('secret-word');
    }
    expect((await callTool(client, 'read_output', { id: outputId })).text).toBe('Error: No such output.');
    await client.close();
  });
});

test('a revoked token ends, also for a client that is connected', async () => {
  const { id, token } = await tokenOf('other');
  const client = await mcpClient(server(token));
  expect((await callTool(client, 'read_message', { seq: 1 })).isError).toBe(false);
  expect((await admin.call('DELETE', `/v1/threads/other/tokens/${id}`)).status).toBe(204);
  await until('it is refused', () =>
    client.callTool({ name: 'read_message', arguments: { seq: 1 } }).then(
      () => false,
      (error: { data?: { status?: number } }) => error.data?.status === 401,
    ),
  );
  await client.close();
});

test('more calls than a token may make in a second are answers that say so', async () => {
  const { token } = await tokenOf('other');
  const client = await mcpClient(server(token));
  const callsAtOnce = (count: number) =>
    Promise.all(Array.from({ length: count }, () => callTool(client, 'read_message', { seq: 1 })));
  // A busy machine spreads a few calls over seconds: then it is sent more.
  const answers: Awaited<ReturnType<typeof callTool>>[] = [];
  for (let count = 30; count < 1_000 && !answers.some(({ isError }) => isError); count *= 2)
    answers.push(...(await callsAtOnce(count)));
  const refused = answers.filter(({ isError }) => isError);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(10);
  expect(refused.length).toBeGreaterThan(0);
  for (const { text } of refused)
    expect(text).toBe('Error: Too many calls in a second. Wait a second, then call again.');
  await until('a call is answered again', async () => {
    const { isError } = await callTool(client, 'read_message', { seq: 1 });
    return !isError;
  });
  await client.close();
});

test('a client that goes away leaves nothing behind', async () => {
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'grep_output', arguments: { thread_id: 'secret', id: outputId, pattern: 'nowhere' } },
  };
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const sent = fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json', accept },
        body: JSON.stringify(call),
        signal: AbortSignal.timeout(1 + i),
      });
      await sent.then((response) => response.text()).catch(() => undefined);
    }),
  );
  // The scrape is a request itself.
  await until('no request, statement or connection is left', async () => {
    const metrics = await scrape(stack.url);
    return (
      metrics.value('spillway_http_requests_in_flight') === 1 &&
      metrics.value('spillway_postgres_pool_waiting') === 0 &&
      metrics.value('spillway_postgres_pool_connections', { state: 'used' }) === 0
    );
  });
  expect(stack.api.output()).not.toMatch(/"level":[56]0/);
  expect((await post(ping)).status).toBe(200);
});

test('what is read over MCP is not recorded as served to a model', async () => {
  const before = await rowsOf(stack.databaseUrl, 'SELECT count(*)::int AS n FROM served_contexts');
  const client = await mcpClient(stack);
  await callTool(client, 'get_context', { thread_id: 'secret' });
  await client.close();
  expect(await rowsOf(stack.databaseUrl, 'SELECT count(*)::int AS n FROM served_contexts')).toEqual(before);
});

describe('spillway mcp', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      ).stdin!.end();
    });

  test('says on stderr what its call lacks', async () => {
    expect(await run(['mcp'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('SPILLWAY_KEY is not set') as string,
    });
    expect(await run(['mcp', '--x'], { SPILLWAY_KEY: 'x' })).toMatchObject({ code: 2, stdout: '' });
    for (const SPILLWAY_URL of ['ftp://x', 'nowhere'])
      expect(await run(['mcp'], { SPILLWAY_KEY: 'x', SPILLWAY_URL })).toMatchObject({ code: 2 });
    expect(await run(['fly'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no command "fly"') as string,
    });
    expect((await run(['--help'])).stdout).toContain('mcp');
    expect((await run(['mcp', '--help'])).stdout).toContain('SPILLWAY_URL');
  });

  test('tells the model that the key is refused, or that the server is away, and never shows the key', async () => {
    for (const [url, expected] of [
      [stack.url, 'refused the key (401)'],
      ['http://127.0.0.1:9', 'could not be reached'],
    ] as const) {
      const client = await mcpClient({ url, key: 'sw_very-secret' }, 'stdio');
      const { text, isError } = await callTool(client, 'search_history', { thread_id: 'x', q: 'x' });
      expect({ text, isError }).toEqual({ text: expect.stringContaining(expected) as string, isError: true });
      const listed = await client.listTools().catch((error: Error) => error);
      expect(String((listed as Error).message)).toContain(expected);
      expect(text + (listed as Error).message).not.toContain('very-secret');
      await client.close();
    }
  });

  test('ends with its client', async () => {
    const env = { SPILLWAY_URL: stack.url, SPILLWAY_KEY: stack.key };
    const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await once(child.stdout, 'data');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    child.stdin.write(`${JSON.stringify(list)}\n`);
    await once(child.stdout, 'data');
    const ended = performance.now();
    child.stdin.end();
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
    expect(performance.now() - ended).toBeLessThan(5_000);
  });
});
