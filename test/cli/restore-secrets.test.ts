import type { Schemas } from '@spillway/client';
import { apiOf } from '@spillway/testing';
import { createServer, request, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { runCommand, type Server } from './run-program.js';
import { testFolder } from './test-folder.js';

let stack: BorrowedStack;
const folder = testFolder();
let file: string;
const urls = ['https://example.com/enabled', 'https://example.com/disabled', 'https://example.com/last'];

beforeAll(async () => {
  stack = await borrowedStack('api');
  const source = { url: stack.url, key: await stack.addProject('with-webhooks') };
  const api = apiOf(source);
  for (const url of urls) {
    const { body } = await api.call<Schemas['WebhookCreated']>('POST', '/v1/webhooks', { url });
    if (url === urls[1]) await api.call('PATCH', `/v1/webhooks/${body.id}`, { enabled: false });
  }
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

/** An empty project behind a gateway that answers some requests itself: with a status, or by closing the connection. */
async function behindGateway(
  project: string,
  answers: (incoming: IncomingMessage, body: string) => number | 'broken-off' | null,
): Promise<Server> {
  const target = new URL(stack.url);
  gateway = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const answer = answers(incoming, body.toString());
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
