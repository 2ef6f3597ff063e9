import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { s3BlobStore } from '@spillway/blobs';
import { SpillwayError } from '@spillway/engine';
import { openStore } from '@spillway/store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isPassing } from './retry-rules.js';

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A port of this machine on which a server answered a moment ago, and nothing does now. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

test('a Postgres that does not answer passes, by pg and by Prisma', async () => {
  const url = `postgresql://nobody@127.0.0.1:${await closedPort()}/none`;
  const store = openStore({ url, maxConnections: 1, onError: () => undefined });
  onTestFinished(() => store.close());
  const byPg = await thrownBy(store.query({ name: 'one', text: 'SELECT 1' }, []));
  const byPrisma = await thrownBy(store.prisma.project.findFirst());
  expect([byPg, byPrisma].map(isPassing)).toEqual([true, true]);
});

test('a bucket that answers with an error passes', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'nothing');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  const server = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const blobs = s3BlobStore({ bucket: 'none', prefix: '', endpoint: `http://127.0.0.1:${port}` });
  expect(isPassing(await thrownBy(blobs.write('key', Buffer.from('bytes'))))).toBe(true);
});

test('a thread that another transaction holds passes, and a defect does not', () => {
  expect(isPassing(new SpillwayError('thread_busy', 'Another request is changing this thread.'))).toBe(true);
  expect(isPassing(new TypeError('not a function'))).toBe(false);
  expect(isPassing(new SpillwayError('invalid_request', 'The policy is invalid.'))).toBe(false);
});
