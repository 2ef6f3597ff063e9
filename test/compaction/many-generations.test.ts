import { apiOf, rowsOf, startStack, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const generations = 8_000;
const copies = 200;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  // As Postgres may plan before it has statistics of new rows: each with each.
  const [{ name }] = (await rowsOf<{ name: string }>(
    stack.databaseUrl,
    'SELECT current_database() AS name',
  )) as [{ name: string }];
  for (const join of ['hashjoin', 'mergejoin'])
    await rowsOf(stack.databaseUrl, `ALTER DATABASE ${name} SET enable_${join} = off`);
});
afterAll(() => stack?.stop());

test('a message of a thread with 8,000 summaries is erased in the time for one statement, with all made from it', async () => {
  const api = apiOf({ ...stack, url: (await stack.startApi()).url });
  const id = 'many-generations';
  await api.append(id, { role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hello' });
  // They follow each other; of some a copy stands in place of a later one, in a chain of its own.
  await rowsOf(
    stack.databaseUrl,
    `INSERT INTO summaries (project_id, thread_uid, generation, chain, from_seq, to_seq, as_of_seq, visible_from_seq,
       carried, fields, text, tokens, tokens_before, tokens_after, method, restored_from)
     SELECT t.project_id, t.uid, n, CASE WHEN n <= $1 THEN 1 ELSE n END, CASE WHEN n <= $1 THEN n ELSE 3 END, n, n, n,
       '{}', '{}', '', 1, 2, 1, 'extractive', CASE WHEN n > $1 THEN n - $1 END
     FROM threads t, generate_series(1, $1::int + $2::int) n WHERE t.id = '${id}'`,
    [generations, copies],
  );
  const withdrawn = async () => {
    const [row] = await rowsOf<{ count: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int FROM summaries s JOIN threads t ON t.uid = s.thread_uid
       WHERE t.id = '${id}' AND s.withdrawn_at IS NOT NULL`,
    );
    return row!.count;
  };
  expect((await api.call('DELETE', `/v1/threads/${id}/messages/2`)).status).toBe(204);
  // All but the first and its copy.
  expect(await withdrawn()).toBe(generations - 1 + copies - 1);
});
