import type { Schemas, SpillwayEvent } from '@spillway/client';
import { apiOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram, startCli } from './run-program.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ redis: false, workers: 0 });
  api = apiOf(stack);
  for (const id of ['small-0', 'small-1']) await api.append(id, { role: 'user', content: 'Hello.' });
});
afterAll(() => stack?.stop());

/** A running tail, with the events that it printed. */
function following(words: string[]) {
  const child = startCli(stack, ['tail', '--json', ...words]);
  const events: SpillwayEvent[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as SpillwayEvent));
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  return { child, events, exited };
}
const newestEvent = async (id: string) =>
  (await api.call<Schemas['EventList']>('GET', `/v1/threads/${id}/events?limit=1`)).body.data[0]!.id;

test('prints events as they happen, over a restart of the server, until it is interrupted', async () => {
  const after = await newestEvent('small-0');
  const { child, events, exited } = following(['small-0', '--after', after]);
  const sent: string[] = [];
  const say = async () => {
    const { messages } = await api.append('small-0', { role: 'user', content: `Word ${sent.length}.` });
    sent.push(String(messages[0]!.seq));
    await until('its event is printed', () => Promise.resolve(events.length === sent.length));
  };
  await say();
  await say();
  const { url } = stack.api;
  const stopped = stack.apis[0]!;
  await stopped.stop();
  const next = await stack.restart(stopped);
  expect(next.url).toBe(url);
  await say();
  expect(events.map(({ type, thread_id: id }) => `${type} ${id}`)).toEqual(
    sent.map(() => 'message.recorded small-0'),
  );
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('prints text, of some types, and ends after a number of events', async () => {
  const after = await newestEvent('small-1');
  await api.append('small-1', { role: 'user', content: 'One.' }, { role: 'user', content: 'Two.' });
  await api.call('POST', '/v1/threads/small-1/rewind', { to_seq: 1 });
  const only = (type: string) =>
    runProgram(stack, ['tail', 'small-1', '--after', after, '--type', type, '-n', '1']);
  expect((await only('message.*')).stdout).toContain('  message.recorded ');
  const { code, stdout } = await only('thread.erased,thread.rewound');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d{4}-\S+ {2}thread\.rewound +small-1 {2}.*=/);
});
