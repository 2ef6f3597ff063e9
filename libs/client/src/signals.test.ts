import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Spillway, type CallOptions } from './index.js';

let silent: Server;
let spillway: Spillway;
beforeAll(async () => {
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  spillway = new Spillway({ baseUrl: `http://127.0.0.1:${port}`, key: 'key' });
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

const bytes = () => new Blob(['x']).stream();
type Calling = (spillway: Spillway, options: CallOptions) => unknown;
const ofThread =
  (call: (thread: ReturnType<Spillway['thread']>, options: CallOptions) => unknown): Calling =>
  (one, options) =>
    call(one.thread('t'), options);

const calls: [string, Calling][] = [
  ['call', (one, { signal }) => one.call({ method: 'GET', path: '/v1/threads', signal })],
  ['threads', (one, options) => one.threads(options).next()],
  ['search of the project', (one, options) => one.search('x', options).next()],
  ['outputs.get', (one, options) => one.outputs.get('o', options)],
  ['outputs.read', (one, options) => one.outputs.read('o', { lines: '1', ...options })],
  ['outputs.content', (one, options) => one.outputs.content('o', options)],
  ['outputs.grep', (one, options) => one.outputs.grep('o', 'x', options)],
  ['outputs.outline', (one, options) => one.outputs.outline('o', options)],
  ['put', ofThread((thread, options) => thread.put({}, options))],
  ['get', ofThread((thread, options) => thread.get(options))],
  ['change', ofThread((thread, options) => thread.change({}, options))],
  ['erase', ofThread((thread, options) => thread.erase(options))],
  ['append', ofThread((thread, options) => thread.append({}, options))],
  ['rewind', ofThread((thread, options) => thread.rewind(0, options))],
  ['fork', ofThread((thread, options) => thread.fork(options))],
  ['context', ofThread((thread, options) => thread.context(options))],
  ['messages', ofThread((thread, options) => thread.messages(options).next())],
  ['message', ofThread((thread, options) => thread.message(1, options))],
  ['pin', ofThread((thread, options) => thread.pin(1, true, options))],
  ['search', ofThread((thread, options) => thread.search('x', options).next())],
  ['export', ofThread((thread, options) => thread.export(options))],
  ['backUp', ofThread((thread, options) => thread.backUp(options))],
  ['restore', ofThread((thread, options) => thread.restore(bytes(), options))],
  ['outputs', ofThread((thread, options) => thread.outputs(options).next())],
  ['upload', ofThread((thread, options) => thread.upload(bytes(), options))],
  ['tools', ofThread((thread, options) => thread.tools(options))],
  ['runTool', ofThread((thread, options) => thread.runTool('read_output', {}, options))],
  ['compact', ofThread((thread, options) => thread.compact({}, options))],
  ['summaries', ofThread((thread, options) => thread.summaries(options).next())],
];

test.each(calls)('%s ends with the reason of its signal', async (_, call) => {
  const stop = new AbortController();
  const asked = once(silent, 'request');
  const calling = Promise.resolve(call(spillway, { signal: stop.signal }));
  calling.catch(() => undefined);
  await asked;
  stop.abort(new Error('enough'));
  await expect(calling).rejects.toThrow('enough');
});

test('no method of the client lacks a row here', () => {
  const methodsOf = (one: object) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(one)).filter((name) => name !== 'constructor');
  const all = [
    ...methodsOf(spillway),
    ...methodsOf(spillway.outputs).map((name) => `outputs.${name}`),
    ...methodsOf(spillway.thread('t')),
  ];
  // Private, or without a call of its own. An aborted stream of events ends, which client.test.ts shows.
  const others = new Set(['thread', 'events', 'formatted', 'read', 'pages']);
  const tested = new Set(calls.map(([name]) => name));
  expect(all.filter((name) => !tested.has(name) && !others.has(name))).toEqual([]);
});
