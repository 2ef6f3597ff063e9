// @module-tag long
import type { Schemas } from '@spillway/client';
import { apiOf, until } from '@spillway/testing';
import { createServer, request, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { inShell, runCommand, startCli, type Server } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
const folder = testFolder();
let file: string;
const urls = ['https://example.com/enabled', 'https://example.com/disabled', 'https://example.com/last'];
const threads = ['first', 'second', 'third'];

beforeAll(async () => {
  stack = await borrowedStack('api');
  const source = { url: stack.url, key: await stack.addProject('with-webhooks') };
  const api = apiOf(source);
  for (const url of urls) {
    const { body } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', { url });
    if (url === urls[1]) await api.call('PATCH', `/v1/webhooks/${body.id}`, { enabled: false });
  }
  for (const id of threads) await api.append(id, { role: 'user', content: 'Hello.' });
  const upstream = { base_url: 'https://example.com/v1', models: ['m'] };
  expect((await api.call('PUT', '/v1/upstreams/openai', upstream)).status).toBe(200);
  file = join(folder.path, 'project.backup');
  expect((await runCommand(source, ['backup', file])).code).toBe(0);
});

let gateway: HttpServer;
afterEach(() => {
  gateway.closeAllConnections();
  gateway.close();
});

type Answer = number | 'broken-off' | 'never' | null;

/** An empty project behind a gateway that answers some requests itself: with a status, by closing the connection, or never. */
async function behindGateway(
  project: string,
  answers: (incoming: IncomingMessage, body: string) => Answer,
): Promise<Server> {
  const target = new URL(stack.url);
  gateway = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const answer = answers(incoming, body.toString());
      if (answer === 'never') return;
      if (answer === 'broken-off') return void outgoing.destroy();
      if (answer !== null) return void outgoing.writeHead(answer).end();
      const { method, url: path, headers } = incoming;
      request({ host: target.hostname, port: target.port, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode!, response.headers);
        response.pipe(outgoing);
      }).end(body);
    });
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, key: await stack.addProject(project) };
}

interface Report {
  threads: number;
  webhooks: { url: string; secret: string }[];
  todo: string[];
}

async function restored(server: Server) {
  const { code, stdout, stderr } = await runCommand(server, ['restore', file, '--json']);
  return { code, report: JSON.parse(stdout || '{"webhooks":[]}') as Report, stderr };
}

/** The webhooks of the project, each with the secret that the report has of it. */
async function secretsSeen({ key }: Server, { webhooks }: Report) {
  const { body } = await apiOf({ url: stack.url, key }).call<Schemas['WebhookList']>('GET', '/v1/webhooks');
  const seen = new Map(webhooks.map(({ url, secret }) => [url, secret.startsWith('whsec_')]));
  return Object.fromEntries(body.data.map(({ url }) => [url, seen.get(url) ?? false]));
}

const isPatch = ({ method }: IncomingMessage) => method === 'PATCH';

test('the secret of a webhook that cannot be disabled is printed, and what is left to do', async () => {
  const server = await behindGateway('refused', (incoming) => (isPatch(incoming) ? 403 : null));
  const { code, report } = await restored(server);
  expect(code).toBe(0);
  expect(await secretsSeen(server, report)).toEqual(Object.fromEntries(urls.map((url) => [url, true])));
  expect(report.todo).toEqual([
    expect.stringMatching(/^Disable the webhook https:\/\/example.com\/disabled/) as string,
  ]);
});

test('the secrets of webhooks are printed when the server fails after them', async () => {
  const isUpstream = ({ url }: IncomingMessage) => url!.startsWith('/v1/upstreams/');
  const server = await behindGateway('failed', (incoming) => (isUpstream(incoming) ? 500 : null));
  const { code, report, stderr } = await restored(server);
  expect(await secretsSeen(server, report)).toEqual(Object.fromEntries(urls.map((url) => [url, true])));
  expect(code).toBe(5);
  expect(JSON.parse(stderr)).toHaveProperty('error');
  expect(report.todo.join()).toContain('--skip-existing');
});

test('a webhook whose answer was lost is named, and the secrets before it are printed', async () => {
  const posted: string[] = [];
  const server = await behindGateway('lost', ({ method }, body) => {
    if (method === 'POST') posted.push((JSON.parse(body) as { url: string }).url);
    return posted.length === 3 ? 'broken-off' : null;
  });
  const { code, report } = await restored(server);
  expect(await secretsSeen(server, report)).toEqual({ [posted[0]!]: true, [posted[1]!]: true });
  expect(code).toBe(5);
  expect(report.todo[0]).toContain(`Rotate the secret of the webhook ${posted[2]}`);
});

/** Restores until a request is never answered, then ends the program by a signal. */
async function interrupted(
  project: string,
  { by, at }: { by: NodeJS.Signals; at: (incoming: IncomingMessage, body: string) => boolean },
) {
  let waits = false;
  const server = await behindGateway(project, (incoming, body) => {
    if (!waits) waits = at(incoming, body);
    return waits ? 'never' : null;
  });
  const child = startCli(server, ['restore', file, '--json']);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close');
  await until('it waits', () => Promise.resolve(waits));
  child.kill(by);
  return { server, closed: await closed, stderr, report: JSON.parse(stdout || '{"webhooks":[]}') as Report };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s prints the secrets of the webhooks that were added, and ends the restore',
  async (by) => {
    const at = ({ method, url }: IncomingMessage) => method === 'PUT' && url!.startsWith('/v1/upstreams/');
    const { server, closed, report } = await interrupted(`ended-by-${by}`, { by, at });
    expect(await secretsSeen(server, report)).toEqual(Object.fromEntries(urls.map((url) => [url, true])));
    expect(report).toMatchObject({
      threads: 3,
      todo: [expect.stringContaining('--skip-existing') as string],
    });
    expect(closed).toEqual([null, by]);
  },
);

test('Ctrl-C while a webhook is added names it, and prints the secrets before it', async () => {
  let posted = 0;
  const at = ({ method }: IncomingMessage) => method === 'POST' && ++posted === 2;
  const { server, report } = await interrupted('ended-at-webhook', { by: 'SIGINT', at });
  expect(Object.values(await secretsSeen(server, report))).toEqual([true]);
  expect(report.todo[0]).toMatch(/^Rotate the secret of the webhook https:/);
  expect(report.todo).toHaveLength(2);
});

test('Ctrl-C while threads are restored says how many are', async () => {
  const at = ({ method, url }: IncomingMessage) => method === 'PUT' && url === '/v1/threads/second/backup';
  const { report, stderr, closed } = await interrupted('ended-at-thread', { by: 'SIGINT', at });
  expect(report).toMatchObject({ threads: 1, messages: 1, webhooks: [] });
  expect(report.todo).toEqual([expect.stringContaining('--skip-existing') as string]);
  expect({ stderr, closed }).toEqual({ stderr: '', closed: [null, 'SIGINT'] });
});

test('what was restored is printed when the server fails at a thread', async () => {
  const server = await behindGateway('failed-at-thread', ({ method, url }) =>
    method === 'PUT' && url === '/v1/threads/third/backup' ? 500 : null,
  );
  const { code, report, stderr } = await restored(server);
  expect(report).toMatchObject({ threads: 2, messages: 2, webhooks: [] });
  expect(code).toBe(5);
  expect((JSON.parse(stderr) as { error: object }).error).toMatchObject({
    message: expect.stringContaining('Restored: 2 of 3 threads') as string,
  });
});

test('webhooks whose secrets could not be printed are named', async () => {
  const server = { url: stack.url, key: await stack.addProject('full-disk') };
  const printed = await inShell(server, `restore '${file}' 2>&1 > /dev/full; echo $?`);
  for (const url of urls) expect(printed).toContain(url);
  expect(printed).toMatch(/^spillway: Nobody has seen .* The disk is full: standard output. Rotate .*\n1\n$/);
});

test('webhooks whose secrets nobody has read are named', async () => {
  const server = { url: stack.url, key: await stack.addProject('no-reader') };
  const gone = 'exec 3> >(exit 0); wait $!';
  const printed = await inShell(server, `restore '${file}' 2>&1 >&3; echo $?`, gone);
  for (const url of urls) expect(printed).toContain(url);
  expect(printed).toMatch(
    /^spillway: Nobody has seen .* The reader of standard output has gone. Rotate .*\n1\n$/,
  );
  expect(await inShell(server, `restore '${file}' --skip-existing 2>&1 >&3; echo $?`, gone)).toBe('0\n');
});
