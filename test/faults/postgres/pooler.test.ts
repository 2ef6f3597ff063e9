// @module-tag long
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { apiOf, startStack, type Stack } from '@spillway/testing';
import { afterEach, expect, test } from 'vitest';
import { lockHolder } from '../../races/lock-holder.js';
import { compacted, dueThread } from '../fault-rig.js';

let stack: Stack;
const pooler = createServer((client) => void serve(client));
afterEach(async () => {
  await stack?.stop();
  pooler.close();
});

/** What PgBouncer takes in the first packet of a connection; it refuses all others. */
const known = new Set(['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone']);

async function serve(client: Socket): Promise<void> {
  client.on('error', () => undefined);
  const [first] = (await once(client, 'data')) as [Buffer];
  // Its length and the version of the protocol, then names and values that end with a zero each.
  const words = first.toString('utf8', 8).split('\0');
  const refused = words.find((word, i) => i % 2 === 0 && word !== '' && !known.has(word.toLowerCase()));
  if (refused !== undefined) {
    const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`;
    const head = Buffer.alloc(5, 'E');
    head.writeInt32BE(fields.length + 4, 1);
    client.end(Buffer.concat([head, Buffer.from(fields)]));
    return;
  }
  const { hostname, port } = new URL(process.env.SPILLWAY_TEST_POSTGRES!);
  const server = connect(Number(port), hostname);
  server.on('error', () => client.destroy());
  server.write(first);
  client.pipe(server).pipe(client);
}

test('behind a pooler of sessions that refuses settings at the start of a connection, all works, and statements have limits', async () => {
  await once(pooler.listen(0, '127.0.0.1'), 'listening');
  stack = await startStack({ workers: 0, redis: false });
  const through = new URL(stack.databaseUrl);
  through.port = `${(pooler.address() as AddressInfo).port}`;
  const env = { DATABASE_URL: through.href, SPILLWAY_POLL_MS: '300' };
  const [app] = await Promise.all([stack.startApi(env), stack.startWorker(env)]);
  const api = apiOf({ url: app.url, key: stack.key });
  await dueThread(api, 'pooled');
  await compacted(api, 'pooled');

  const holder = await lockHolder(stack.databaseUrl);
  await holder.holdThread('pooled');
  const message = { messages: [{ role: 'user', content: 'x' }] };
  expect((await api.call('POST', '/v1/threads/pooled/messages', message)).status).toBe(409);
  await holder.close();
});
