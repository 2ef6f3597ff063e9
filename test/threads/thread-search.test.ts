import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

interface Hits {
  data: { seq: number }[];
  truncated: boolean;
}
/** A busy process refuses searches and says when to come back. */
const get = <T>(path: string) =>
  until(`an answer to ${path}`, async () => {
    const answer = await api.call<T & { code?: string }>('GET', path);
    return answer.body.code !== 'overloaded' && answer;
  });
const search = async (thread: string, q: string): Promise<Hits> =>
  (await get<Hits>(`/v1/threads/${thread}/search?q=${encodeURIComponent(q)}`)).body;

describe('a search of a thread', () => {
  const old = 'The user said: the content of the role is root.';
  beforeAll(async () => {
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'mkdir', arguments: '{"path":"caf\\u00e9"}' },
    };
    await api.append('keys', { role: 'user', content: old });
    await api.append('keys', { role: 'assistant', content: null, tool_calls: [call] });
    await api.append('keys', { role: 'tool', tool_call_id: 'c1', content: 'made' });
    const turns = Array.from({ length: 120 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `Turn ${i} is ${i % 3 ? 'odd' : 'Even'}.`,
    }));
    await api.append('keys', ...turns);
  });

  test.each(['user', 'content', 'role', 'user content'])(
    'finds the word %j in an old message, though it is a key of every message',
    async (q) => {
      const { data, truncated } = await search('keys', q);
      expect(data.map(({ seq }) => seq)).toEqual([1]);
      expect(truncated).toBe(false);
    },
  );

  test('finds what the arguments of a call hold in escapes, and a key with its value', async () => {
    expect((await search('keys', 'Café')).data[0]).toMatchObject({ seq: 2 });
    expect((await search('keys', '"path: café"')).data[0]).toMatchObject({ seq: 2 });
  });

  test('is followed to its end by its cursor, which gives every hit once', async () => {
    const seqs: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path: string = `/v1/threads/keys/search?q=even&limit=7${cursor && `&cursor=${cursor}`}`;
      const { body } = await get<Hits & { next_cursor: string | null }>(path);
      seqs.push(...body.data.map(({ seq }) => seq));
      cursor = body.next_cursor;
    }
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, i) => 121 - 3 * i));
  });

  test('refuses the cursor of another query', async () => {
    const { body } = await get<{ next_cursor: string }>('/v1/threads/keys/search?q=even&limit=7');
    const other = await get(`/v1/threads/keys/search?q=odd&cursor=${body.next_cursor}`);
    expect(other.status).toBe(422);
  });

  test('that Postgres stops for taking too long says so, and not that the database is away', async () => {
    await api.append('slow-rows', ...Array.from({ length: 12 }, () => ({ role: 'user', content: 'hay' })));
    const [thread] = await rowsOf<{ uid: string }>(
      stack.databaseUrl,
      `SELECT uid FROM threads WHERE id = 'slow-rows'`,
    );
    await rowsOf(
      stack.databaseUrl,
      `CREATE POLICY slow_rows ON messages AS RESTRICTIVE USING (thread_uid <> '${thread!.uid}' OR pg_sleep(1) IS NOT NULL)`,
    );
    const { status, body } = await get<{ code: string }>('/v1/threads/slow-rows/search?q=hay');
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'search_timeout' });
  });
});
