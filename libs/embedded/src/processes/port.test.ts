import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, loopback, onFreePort } from './port.js';

const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen({ port, host: loopback, exclusive: true });
  await once(server, 'listening');
  return server;
};

test('a free port can be listened on, and lies below those of outgoing connections', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(26_000);
  (await listen(port)).close();
});

test('a port that somebody takes first is left to them, and another one is tried', async () => {
  const tried: number[] = [];
  const others: Server[] = [];
  const server = await onFreePort(async (port) => {
    tried.push(port);
    if (tried.length < 3) others.push(await listen(port));
    return listen(port);
  });
  expect(new Set(tried).size).toBe(3);
  for (const one of [server, ...others]) one.close();
});

test('what fails for another reason is not tried again', async () => {
  let tries = 0;
  const start = () => onFreePort(() => Promise.reject(new Error(`no such file, try ${++tries}`)));
  await expect(start()).rejects.toThrow('no such file, try 1');
});

test('a port on which a server is starting is given to nobody else', async () => {
  const port = await freePort();
  const candidates = [port, await freePort()];
  const events = new EventEmitter();
  const slow = onFreePort(
    async () => {
      events.emit('begun');
      await once(events, 'end');
    },
    () => port,
  );
  await once(events, 'begun');
  const second = await onFreePort(
    (got) => Promise.resolve(got),
    () => candidates.shift()!,
  );
  expect(second).not.toBe(port);
  events.emit('end');
  await slow;
  expect(
    await onFreePort(
      (got) => Promise.resolve(got),
      () => port,
    ),
  ).toBe(port);
});
