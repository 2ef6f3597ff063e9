import { apiOf, openEvents, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const seen = (what: string, look: () => unknown) => until(what, () => Promise.resolve(Boolean(look())));

describe('a stream ends', () => {
  test('within seconds when its key is revoked', async () => {
    const { body } = await api.call<{ id: string; key: string }>('POST', '/v1/keys', {
      name: 'short',
      scopes: ['context:read'],
    });
    const stream = await openEvents({ url: stack.url, key: body.key });
    await api.call('DELETE', `/v1/keys/${body.id}`);
    await stream.ended;
    // Before the first of its comments, which come every 15 s.
    expect(stream.comments()).toBe(0);
  });

  test('when the process is stopped, which streams do not hold up', { tags: 'long' }, async () => {
    const second = await stack.startApi();
    const streams = await Promise.all([1, 2, 3].map(() => openEvents({ url: second.url, key: stack.key })));
    // A process that takes too long to stop ends with 1.
    expect(await second.stop()).toBe(0);
    await Promise.all(streams.map((stream) => stream.ended));
  });

  test('when its client reads nothing, and the others go on', async () => {
    const { hostname, port } = new URL(stack.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.key}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await sleep(500);
    const good = await openEvents(stack, { thread: 'flood' });
    await api.append('flood', { role: 'user', content: 'x' });
    // What many busy threads would write in a while: more than a socket and the process hold for one client.
    await rowsOf(
      stack.databaseUrl,
      `INSERT INTO events (project_id, xid, thread_uid, type, data)
       SELECT project_id, spillway_event_base() + pg_current_xact_id()::text::bigint, uid, 'thread.changed', '{"filler":"${'x'.repeat(400)}"}'
       FROM threads, generate_series(1, 20000) WHERE id = 'flood'`,
    );
    await seen('the good one has them all', () => good.events.length === 20_001);
    good.close();
    socket.on('error', () => undefined);
    let read = 0;
    socket.on('data', (chunk) => (read += chunk.length)).resume();
    await once(socket, 'close');
    expect(read).toBeLessThan(20_000 * 400);
  });
});

test('there are a handful of streams for each key, and a place is free again when one ends', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => openEvents(stack)));
  expect(streams.every((stream) => stream.status === 200)).toBe(true);
  const refused = await api.call<{ code: string }>('GET', '/v1/events');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_streams' } });
  streams[0]!.close();
  await until('a place is free', async () => {
    const next = await openEvents(stack);
    next.close();
    return next.status === 200;
  });
  for (const stream of streams) stream.close();
});

test('HEAD is answered, and opens no stream', async () => {
  const answer = await api.call('HEAD', '/v1/events');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
});

test('what is no id of ours is refused; an id that this database never gave starts from now', async () => {
  for (const id of ['nonsense', '12', '1-', '99999999999999999999-1']) {
    const answer = await api.call<{ code: string }>('GET', '/v1/events', undefined, { 'last-event-id': id });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  }
  for (const content of ['one', 'two']) await api.append('foreign', { role: 'user', content });
  const stream = await openEvents(stack, { thread: 'foreign', lastEventId: '999999999999-1' });
  await api.append('foreign', { role: 'user', content: 'three' });
  await seen('the last', () => stream.events.some(({ data }) => data.to_seq === 3));
  expect(stream.events.map(({ type, data }) => [type, data.to_seq])).toEqual([['message.recorded', 3]]);
  stream.close();
});
