import { rewind, type Query } from '@spillway/store';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, replies, startProxyRig, user, type ProxyRig } from '../proxies/proxy-rig.js';
import { untilLocked } from '../until-locked.js';
import { lockHolder } from './lock-holder.js';

let rig: ProxyRig;
beforeAll(async () => {
  rig = await startProxyRig();
});
afterAll(() => rig?.stop());

test('a turn that goes back meets a rewind behind the same message: it is recorded after that', async () => {
  rig.answer = replies('Done.');
  const first = [user('one'), assistant('Done.'), user('two')];
  await rig.post('t', first.slice(0, 1));
  await rig.post('t', first);
  const url = rig.stack.databaseUrl;
  const [messages, threads] = [new pg.Client(url), new pg.Client(url)] as const;
  await Promise.all([messages.connect(), threads.connect()]);
  try {
    // The turn knows the messages and waits for the thread; when it has that, it waits for the messages again.
    await messages.query('BEGIN; LOCK TABLE messages');
    const again = rig.post('t', first);
    await untilLocked(url, 1);
    await threads.query('BEGIN; LOCK TABLE threads');
    await messages.query('COMMIT');
    await untilLocked(url, 1);
    await messages.query('BEGIN; LOCK TABLE messages');
    await threads.query('COMMIT');
    await untilLocked(url, 1);
    const query: Query = async <Row extends pg.QueryResultRow>(
      { text }: { text: string },
      values: unknown[],
    ) => (await messages.query<Row>({ text, values })).rows;
    const { rows } = await messages.query<{ project: string; version: number; policy: number }>(
      'SELECT project_id AS project, content_version AS version, policy_version AS policy FROM threads',
    );
    const { project: projectId, version: contentVersion, policy: policyVersion } = rows[0]!;
    const rewound = await rewind(query, {
      ...{ projectId, threadId: 't', toSeq: 1, generation: 0, liveTokens: 10, key: null },
      ...{ contentVersion, nextSeq: 5, activeGeneration: 0, policyVersion },
    });
    expect(rewound).toMatchObject({ messages: 3 });
    await messages.query('COMMIT');
    const answer = await again;
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Done.')]);
  } finally {
    await Promise.all([messages.end(), threads.end()]);
  }
  expect(await rig.shown('t')).toEqual(['user: one', 'assistant: Done.', 'user: two', 'assistant: Done.']);
});

test('a request again whose first answer is recorded late: one answer is recorded, and the next request has its own', async () => {
  const [first, again] = ['of the first', 'of the retry'];
  await rig.api.createThread({ id: 'late', model: 'gpt-4o-mini' });
  await rig.api.append('late', user('a'));
  const holder = await lockHolder(rig.stack.databaseUrl);
  try {
    // Both have asked the model about the same message and wait to record what it said.
    await holder.holdThread('late');
    rig.answer = replies(first);
    const left = new AbortController();
    const lost = rig.post('late', [user('a')], { signal: left.signal }).catch(() => null);
    await holder.untilWaiting(1);
    left.abort();
    rig.answer = replies(again);
    const got = rig.post('late', [user('a')]);
    await holder.untilWaiting(2);
    await holder.release();
    await lost;
    expect(await (await got).text()).toContain(again);
  } finally {
    await holder.close();
  }
  const shown = await rig.shown('late');
  expect([
    [`user: a`, `assistant: ${first}`],
    [`user: a`, `assistant: ${again}`],
  ]).toContainEqual(shown);
  rig.answer = replies('next');
  await rig.post('late', [user('a'), assistant(again), user('b')]);
  expect(await rig.shown('late')).toEqual(['user: a', `assistant: ${again}`, 'user: b', 'assistant: next']);
});
