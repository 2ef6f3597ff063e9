import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProxy, type Proxy } from './proxy.js';
import { until } from '../until.js';

let server: Server;
let heard: string;
let proxy: Proxy;
beforeEach(async () => {
  heard = '';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString();
      socket.write(`re:${chunk.toString()}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.stop();
  server.close();
});

interface Client {
  socket: Socket;
  got(): string;
  ended: Promise<string>;
}

async function client(): Promise<Client> {
  const socket = connect(proxy.port, proxy.host);
  let got = '';
  socket.on('data', (chunk) => (got += chunk.toString()));
  let why = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => (why = error.code ?? error.message));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(why)));
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), ended]);
  return { socket, got: () => got, ended };
}

const says = (who: Client, text: string) =>
  until(`a client hears ${text}`, () => Promise.resolve(who.got() === text));

test('passes both ways, and an end of one side is an end of the other', async () => {
  const one = await client();
  one.socket.write('a');
  await says(one, 're:a');
  expect(proxy.connections()).toBe(1);
  expect(proxy.through('redis://u:p@elsewhere:1/2')).toBe(`redis://u:p@127.0.0.1:${proxy.port}/2`);
  one.socket.end();
  expect(await one.ended).toBe('closed');
});

test('a blackhole accepts and is silent; what it swallowed stays lost when the network heals', async () => {
  const before = await client();
  await proxy.set('blackhole');
  before.socket.write('lost');
  const during = await client();
  during.socket.write('lost');
  await until('the bytes left', () =>
    Promise.resolve(before.socket.bytesWritten === 4 && during.socket.bytesWritten === 4),
  );
  await proxy.set('pass');
  const after = await client();
  after.socket.write('x');
  await says(after, 're:x');
  expect(heard).toBe('x');
  expect(before.got() + during.got()).toBe('');
});

test('half open: the request arrives and its reply is lost, or the other way round', async () => {
  const one = await client();
  await proxy.set('lost-replies');
  one.socket.write('done');
  await until('the server heard it', () => Promise.resolve(heard === 'done'));
  const two = await client();
  await proxy.set('lost-requests');
  two.socket.write('gone');
  await proxy.set('pass');
  const three = await client();
  three.socket.write('!');
  await says(three, 're:!');
  expect(one.got()).toBe('');
});

test('reset ends old and new connections with a RST', async () => {
  const one = await client();
  one.socket.write('a');
  await says(one, 're:a');
  await proxy.set('reset');
  expect(await one.ended).toBe('ECONNRESET');
  expect(await (await client()).ended).toBe('ECONNRESET');
});

test('dropped connections are reset, and the next one works', async () => {
  const one = await client();
  await until('the proxy has it', () => Promise.resolve(proxy.connections() === 1));
  proxy.dropConnections();
  expect(await one.ended).toBe('ECONNRESET');
  const two = await client();
  two.socket.write('b');
  await says(two, 're:b');
});

test('refuses, and listens at the same port again', async () => {
  await proxy.set('refuse');
  expect(await (await client()).ended).toBe('ECONNREFUSED');
  await proxy.set('pass');
  const two = await client();
  two.socket.write('c');
  await says(two, 're:c');
});

test('slow: bytes arrive late and whole', async () => {
  await proxy.set({ delayMs: 150, bytesPerSecond: 10_000 });
  const one = await client();
  const started = performance.now();
  one.socket.write('x'.repeat(1000));
  await says(one, `re:${'x'.repeat(1000)}`);
  expect(performance.now() - started).toBeGreaterThan(450);
});

test('a server that is not there is a reset', async () => {
  server.close();
  const lonely = await startProxy({ host: '127.0.0.1', port: 1 });
  const socket = connect(lonely.port, lonely.host);
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
  await lonely.stop();
});
