import type { Schemas } from '@spillway/client';
import { rewind, type Query } from '@spillway/store';
import { apiOf, rowsOf, startStack } from '@spillway/testing';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { untilLocked } from '../until-locked.js';

interface Line {
  type: string;
  [key: string]: unknown;
}

test('an export during a rewind is of the thread before it', async () => {
  const stack = await startStack({ workers: 0, redis: false });
  onTestFinished(() => stack.stop());
  const api = apiOf(stack);
  const id = 'exported-at-once';
  const say = (n: number) => ({ role: 'user', content: `${n}. ${'All work and no play. '.repeat(60)}` });
  const fields = { task_overview: 'Play.', current_state: '', important_discoveries: '' };
  const summary = { ...fields, next_steps: '', context_to_preserve: '' };
  const exportOf = async (): Promise<Line[]> => {
    const { status, body } = await api.call<string>('GET', `/v1/threads/${id}/export`);
    expect(status).toBe(200);
    return body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  await api.append(id, ...[1, 2, 3, 4, 5, 6, 7].map(say));
  // Message 7 was rewound before, with the mark that the rewind below gives to others.
  await api.call<Schemas['ThreadRewound']>('POST', `/v1/threads/${id}/rewind`, { to_seq: 6 });
  for (const to of [2, 4])
    expect(
      await api.call('POST', `/v1/threads/${id}/summaries`, { fields: summary, to_seq: to }),
    ).toMatchObject({ status: 201 });
  const before = await exportOf();
  const [row] = await rowsOf<{ project: string; version: number; next: number; policy: number }>(
    stack.databaseUrl,
    `SELECT project_id AS project, content_version AS version, next_seq AS next, policy_version AS policy
     FROM threads WHERE id = $1`,
    [id],
  );
  const holder = new pg.Client(stack.databaseUrl);
  await holder.connect();
  try {
    // The export knows the thread and waits for its messages.
    await holder.query('BEGIN; LOCK TABLE messages');
    const during = exportOf();
    await untilLocked(stack.databaseUrl, 1);
    const query: Query = async <Row extends pg.QueryResultRow>(
      { text }: { text: string },
      values: unknown[],
    ) => (await holder.query<Row>({ text, values })).rows;
    const rewound = await rewind(query, {
      ...{ projectId: row!.project, threadId: id, toSeq: 3, generation: 1, liveTokens: 10, key: null },
      ...{
        contentVersion: row!.version,
        nextSeq: row!.next,
        activeGeneration: 2,
        policyVersion: row!.policy,
      },
    });
    expect(rewound).toMatchObject({ messages: 3, generation: 3 });
    await holder.query('COMMIT');
    expect(await during).toEqual(before);
  } finally {
    await holder.end();
  }
  const after = await exportOf();
  expect(after.flatMap(({ type, rewound_before }) => (type === 'message' ? [rewound_before] : []))).toEqual([
    ...[null, null, null, 8, 8, 8, 8],
  ]);
});
