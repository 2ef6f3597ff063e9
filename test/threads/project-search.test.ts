import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

interface Found {
  data: {
    id: string;
    model: string | null;
    created_at: string;
    last_seq: number;
    hits: { seq: number; role: string; participant: string | null; snippet: string }[];
    more: boolean;
  }[];
  searched: { threads: number; created_after: string | null };
  next_cursor: string | null;
}
/** A busy process refuses searches and says when to come back. */
const busyCodes = ['overloaded', 'too_many_searches'];
const pathOf = (query: Record<string, string>): string =>
  `/v1/search?${new URLSearchParams(query).toString()}`;
const find = async (query: Record<string, string>, from = api): Promise<Found> => {
  const path = pathOf(query);
  const { status, body } = await until(`an answer to ${path}`, async () => {
    const answer = await from.call<Found & { code?: string }>('GET', path);
    return !busyCodes.includes(answer.body.code ?? '') && answer;
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const idsOf = ({ data }: Found): string[] => data.map(({ id }) => id);
const user = (content: string) => ({ role: 'user', content });

describe('a search of the project', () => {
  beforeAll(async () => {
    await api.append('oslo-1', user('Order AB-1007 goes to Oslo.'), user('It is green.'));
    await api.append('oslo-2', user('My order is late.'), user('The number is AB-1007.'));
    await api.append('oslo-3', { ...user('Where is order AB-1007?'), name: 'anna' });
  });

  test('lists the threads with all words in one message, the newest thread first', async () => {
    const { data, searched, next_cursor: next } = await find({ q: 'order ab-1007' });
    expect(data).toMatchObject([
      {
        id: 'oslo-3',
        last_seq: 1,
        hits: [{ seq: 1, role: 'user', participant: 'anna', snippet: 'Where is order AB-1007?' }],
        more: false,
      },
      { id: 'oslo-1', last_seq: 2, hits: [{ seq: 1, snippet: 'Order AB-1007 goes to Oslo.' }], more: false },
    ]);
    expect({ searched, next }).toEqual({ searched: { threads: 3, created_after: null }, next: null });
  });

  test('takes a call and its result for one message', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'track', arguments: '{"parcel":"ZX-88"}' } };
    await api.append(
      'tracked',
      user('Where is it?'),
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'It waits in Trondheim.' },
    );
    expect((await find({ q: 'zx-88 trondheim' })).data).toMatchObject([
      { id: 'tracked', hits: [{ seq: 3 }] },
    ]);
  });

  test('shows the best three messages of a thread, and says that there are more', async () => {
    const heron = Array.from({ length: 5 }, (_, i) => user(`A heron stood in the reeds on day ${i}.`));
    await api.append('herons', ...heron, user('heron'));
    const { data } = await find({ q: 'heron' });
    expect(data).toMatchObject([{ id: 'herons', more: true }]);
    expect(data[0]!.hits.map(({ seq }) => seq)).toEqual([6, 5, 4]);
  });

  test('finds nothing that was rewound or erased, and nothing of another project', async () => {
    await api.append('taken-back', user('A walrus.'), user('A narwhal.'));
    await api.call('POST', '/v1/threads/taken-back/rewind', { to_seq: 1 });
    await api.append('erased', user('A narwhal too.'));
    await api.call('DELETE', '/v1/threads/erased');
    const theirs = apiOf({ url: stack.url, key: await stack.addProject('theirs') });
    await theirs.append('elsewhere', user('A narwhal and a walrus.'));
    expect(idsOf(await find({ q: 'walrus' }, theirs))).toEqual(['elsewhere']);
    expect(idsOf(await find({ q: 'narwhal' }))).toEqual([]);
    expect(idsOf(await find({ q: 'walrus' }))).toEqual(['taken-back']);
  });

  test('searches the threads and messages that its filters leave', async () => {
    await api.createThread({ id: 'lynx-1', model: 'gpt-4o', metadata: { team: 'north' } });
    await api.append('lynx-1', user('A lynx.'));
    await api.createThread({ id: 'lynx-2', model: 'claude-sonnet-5' });
    await api.append('lynx-2', { role: 'assistant', content: 'No lynx.' });
    expect(idsOf(await find({ q: 'lynx' }))).toEqual(['lynx-2', 'lynx-1']);
    expect(idsOf(await find({ q: 'lynx', role: 'user' }))).toEqual(['lynx-1']);
    expect(idsOf(await find({ q: 'lynx', model: 'claude-sonnet-5' }))).toEqual(['lynx-2']);
    expect(idsOf(await find({ q: 'lynx', metadata: 'team=north' }))).toEqual(['lynx-1']);
    const { body } = await api.call<{ created_at: string }>('GET', '/v1/threads/lynx-2');
    expect(idsOf(await find({ q: 'lynx', created_before: body.created_at }))).toEqual(['lynx-1']);
    expect(idsOf(await find({ q: 'lynx', updated_after: '2999-01-01T00:00:00Z' }))).toEqual([]);
  });

  test('gives every thread once, page by page, while threads are used and made', async () => {
    for (let i = 0; i < 7; i++) await api.append(`puffin-${i}`, user(`Puffin ${i}.`));
    const pages: string[][] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Found = await find({ q: 'puffin', limit: '2', ...(cursor && { cursor }) });
      pages.push(idsOf(page));
      cursor = page.next_cursor;
      // By its last use it would come first now.
      await api.append('puffin-0', user('Not the bird.'));
      await api.append(`puffin-late-${pages.length}`, user('One more puffin.'));
    }
    expect(pages.flat()).toEqual([
      'puffin-6',
      'puffin-5',
      'puffin-4',
      'puffin-3',
      'puffin-2',
      'puffin-1',
      'puffin-0',
    ]);
    expect(pages.slice(0, 3).map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  test('refuses the cursor of another search, and a query without a word', async () => {
    const { next_cursor: cursor } = await find({ q: 'puffin', limit: '1' });
    const others: Record<string, string>[] = [
      { q: 'auk' },
      { q: 'puffin', role: 'user' },
      { q: 'puffin', model: 'gpt-4o' },
    ];
    for (const other of others) {
      const answer = await api.call('GET', pathOf({ ...other, cursor: cursor! }));
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    }
    expect(await api.call('GET', '/v1/search?q=%20')).toMatchObject({ status: 422 });
  });

  test('is refused to a token for one thread', async () => {
    const { body } = await api.call<{ token: string }>('POST', '/v1/threads/oslo-1/tokens', {
      scopes: ['context:read'],
    });
    const { status } = await apiOf({ url: stack.url, key: body.token }).call('GET', '/v1/search?q=oslo');
    expect(status).toBe(403);
  });
});

describe('a project that takes longer than one page of time', () => {
  const messages = 2_400;
  const needle = 'The tern came back.';

  test('is searched to its end, within a long thread too', async () => {
    await api.append('before', user(needle));
    for (let n = 0; n < messages; n += 300) {
      const hay = Array.from({ length: 300 }, (_, i) => user(n + i === 0 ? needle : `Hay ${n + i}.`));
      await api.append('long', ...hay);
    }
    const [long] = await rowsOf<{ uid: string }>(
      stack.databaseUrl,
      `SELECT uid FROM threads WHERE id = 'long'`,
    );
    // A second for a thousand of its messages: a page is over after 1.5.
    await rowsOf(
      stack.databaseUrl,
      `CREATE POLICY slow_rows ON messages AS RESTRICTIVE USING (thread_uid <> '${long!.uid}' OR seq % 20 > 0 OR pg_sleep(0.01) IS NOT NULL)`,
    );
    onTestFinished(async () => void (await rowsOf(stack.databaseUrl, 'DROP POLICY slow_rows ON messages')));
    const pages: Found[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      pages.push(await find({ q: 'tern', ...(cursor && { cursor }) }));
      cursor = pages.at(-1)!.next_cursor;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(idsOf)).toEqual(['long', 'before']);
    expect(pages.flatMap(({ data }) => data.map(({ hits }) => hits[0]!.snippet))).toEqual([needle, needle]);
    expect(pages.at(-1)!.searched.created_after).toBeNull();
    // The first page looked at newer threads only.
    expect(pages[0]!.data).toEqual([]);
  });
});
