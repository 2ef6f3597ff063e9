import { apiOf, rowsOf, startStack, until, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { callOf, toolResult } from '../tool-calls.js';

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ workers: 0, redis: false });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

interface Shown {
  windows: { line: number; text: string }[];
  complete: boolean;
}
interface Hits {
  data: (Shown & {
    seq: number;
    role: string;
    participant: string | null;
    match: string;
    pair: (Shown & { seq: number; role: string }) | null;
    followed_by: { seq: number; role: string; text: string }[];
    output: { id: string; line: number } | null;
  })[];
  next_cursor: string | null;
  truncated: boolean;
}
/** A busy process refuses searches and says when to come back. */
const busyCodes = ['overloaded', 'search_timeout', 'too_many_searches'];
const get = <T>(path: string, busy: readonly string[] = busyCodes) =>
  until(`an answer to ${path}`, async () => {
    const answer = await api.call<T & { code?: string }>('GET', path);
    return !busy.includes(answer.body.code ?? '') && answer;
  });
/** The first page with a hit: on a busy machine time may be over before the search comes to it. */
const search = async (thread: string, q: string, more = ''): Promise<Hits> => {
  const path = `/v1/threads/${thread}/search?q=${encodeURIComponent(q)}${more}`;
  let { body } = await get<Hits>(path);
  while (body.data.length === 0 && body.next_cursor !== null)
    ({ body } = await get<Hits>(`${path}&cursor=${body.next_cursor}`));
  return body;
};
const seqsOf = ({ data }: Hits): number[] => data.map(({ seq }) => seq);

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
    await api.append('keys', toolResult('c1', 'made'));
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
      const { body } = await get<Hits>(path);
      seqs.push(...body.data.map(({ seq }) => seq));
      cursor = body.next_cursor;
    }
    expect(seqs).toEqual(Array.from({ length: 40 }, (_, i) => 121 - 3 * i));
  });

  test('refuses the cursor of another query', async () => {
    const { body } = await get<{ next_cursor: string }>('/v1/threads/keys/search?q=even&limit=7');
    for (const other of ['q=odd', 'q=even&role=user', 'q=even&to_seq=50'])
      expect((await get(`/v1/threads/keys/search?${other}&cursor=${body.next_cursor}`)).status).toBe(422);
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
    onTestFinished(async () => void (await rowsOf(stack.databaseUrl, 'DROP POLICY slow_rows ON messages')));
    const path = '/v1/threads/slow-rows/search?q=hay';
    const { status, body } = await get<{ code: string }>(path, ['overloaded', 'too_many_searches']);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'search_timeout' });
  });
});

describe('what a search answers', () => {
  const call = (id: string, name: string, path: string) => callOf(id, name, { path });
  const assistant = (...calls: ReturnType<typeof call>[]) => ({
    role: 'assistant',
    content: null,
    tool_calls: calls,
  });
  const result = (id: string, content: string) => toolResult(id, content);
  const long = Array.from({ length: 400 }, (_, i) => `entry ${i} of the journal says nothing`);
  long[40] = 'entry 40: the trigger of the compaction was raised';
  long[360] = 'entry 360: the reserve went down to a tenth';
  const log = Array.from({ length: 9_000 }, (_, i) => `12:00:${i % 60} INFO worker ${i} is idle`);
  log[4_000] = '12:00:40 ERROR worker 4000 lost its lease on thread ops-77';

  beforeAll(async () => {
    await api.append(
      'shown',
      { role: 'user', content: 'Read the manifests of libs/store and libs/jobs.' },
      assistant(
        call('s', 'read_file', 'libs/store/package.json'),
        call('j', 'read_file', 'libs/jobs/package.json'),
      ),
      result('s', '{"name": "store", "scripts": {"build": "prisma generate && tsc -b"}}'),
      result('j', '{"name": "jobs", "scripts": {"build": "tsc -b"}}'),
      { role: 'user', content: long.join('\n') },
      assistant(call('l', 'read_log', 'worker.log')),
      result('l', log.join('\n')),
      { role: 'assistant', content: 'The reservation HAT271 is booked, and HAT2714 status is open.' },
      { role: 'user', content: 'HAT2715: what is the status? And the status of HAT2716, that status?' },
    );
  });

  test('names which of several people said a message, and what followed it', async () => {
    await api.append(
      'channel',
      { role: 'user', name: 'anna', content: 'Where shall the parcel go?' },
      { role: 'user', name: 'ben', content: 'To the office.' },
      { role: 'user', content: 'The parcel has left.' },
    );
    const { data } = await search('channel', 'parcel');
    expect(data.map(({ seq, participant }) => [seq, participant]).sort()).toEqual([
      [1, 'anna'],
      [3, null],
    ]);
    expect(data.flatMap((hit) => hit.followed_by)).toEqual([
      { seq: 2, role: 'user', participant: 'ben', text: 'To the office.' },
    ]);
  });

  test('is a short message whole, and the best windows of a long one', async () => {
    const { data } = await search('shown', 'trigger reserve');
    expect(data[0]).toMatchObject({ seq: 5, complete: false, match: 'any', pair: null });
    const texts = data[0]!.windows.map(({ text }) => text);
    expect(texts.join('\n')).toContain(long[40]);
    expect(texts.join('\n')).toContain(long[360]);
    for (const { line, text } of data[0]!.windows)
      expect(text.split('\n')).toEqual(long.slice(line - 1, line - 1 + text.split('\n').length));
    const [short] = (await search('shown', 'booked')).data;
    expect(short).toMatchObject({ seq: 8, complete: true, match: 'all', windows: [{ line: 1 }] });
  });

  test('is a result together with its call, found by the words of both', async () => {
    const { data } = await search('shown', 'libs/store build script');
    expect(data[0]).toMatchObject({
      seq: 3,
      role: 'tool',
      match: 'all',
      pair: { seq: 2, role: 'assistant' },
    });
    expect(data[0]!.windows[0]!.text).toContain('prisma generate && tsc -b');
    expect(data[0]!.pair!.windows[0]!.text).toContain('libs/store/package.json');
    const [asCall] = (await search('shown', 'libs/jobs/package.json', '&role=assistant')).data;
    expect(asCall).toMatchObject({ seq: 2, pair: { seq: 4, role: 'tool' } });
  });

  test('has what was said soon after the best hits, without what was rewound or is asked not to be searched', async () => {
    const moved = { role: 'user', content: 'I moved. Please send FF-7 to my new address.' };
    const asked = { role: 'assistant', content: 'Of course. What is it?' };
    await api.append(
      'moved',
      moved,
      assistant(call('o', 'find_order', 'FF-7')),
      result('o', '{"at":"packed"}'),
    );
    await api.append('moved', asked, { role: 'user', content: 'Oh, I am not sure.' });
    const rewound = await api.call('POST', '/v1/threads/moved/rewind', { to_seq: 4 });
    expect(rewound.status).toBe(200);
    await api.append('moved', { role: 'user', content: 'Nyvej 11, 75306 Narvik.' });
    const q = 'Which new address did the user give?';
    const [best, ...others] = (await search('moved', q)).data;
    expect(best!.seq).toBe(1);
    expect(best!.followed_by).toEqual([
      { seq: 4, role: 'assistant', participant: null, text: asked.content },
      { seq: 6, role: 'user', participant: null, text: 'Nyvej 11, 75306 Narvik.' },
    ]);
    expect(others.flatMap((hit) => hit.followed_by)).toEqual([]);
    expect((await search('moved', q, '&to_seq=5')).data[0]!.followed_by.map(({ seq }) => seq)).toEqual([4]);
  });

  test('is bounded in tokens, with a line to read on at in an output', async () => {
    const { data } = await search('shown', 'worker lost lease ops-77', '&max_tokens=200');
    const hit = data.find(({ output }) => output)!;
    expect(hit).toMatchObject({ seq: 7, output: { line: 4_001 }, pair: { seq: 6 }, match: 'all' });
    expect(hit.windows.map(({ text }) => text).join('\n')).toContain('ops-77');
    const all = await search('shown', 'entry worker status', '&max_tokens=100');
    const shown = all.data.flatMap((one) => [...one.windows, ...(one.pair?.windows ?? [])]);
    const characters = shown.reduce((sum, { text }) => sum + text.length, 0);
    expect(characters).toBeLessThan((100 + 60 * all.data.length) * 6);
  });

  test('has an identifier before texts with parts of it', async () => {
    expect(seqsOf(await search('shown', 'HAT271 status'))).toEqual([8]);
    expect(seqsOf(await search('shown', 'HAT27')).sort()).toEqual([8, 9]);
  });

  test('has texts with some of the words only when none has all, and says so', async () => {
    const all = await search('shown', 'libs/store manifests');
    expect(all.data.map(({ seq, match }) => [seq, match])).toEqual([[1, 'all']]);
    const any = await search('shown', 'manifests zeppelin');
    expect(any.data.map(({ seq, match }) => [seq, match])).toEqual([[1, 'any']]);
    const question = 'Whose manifests did zeppelin captain Marek ask to read before breakfast on Tuesday?';
    expect((await search('shown', question)).data[0]).toMatchObject({ seq: 1, match: 'any' });
  });

  test('is filtered by role, tool, kind and range', async () => {
    expect(seqsOf(await search('shown', 'libs/store', '&role=user'))).toEqual([1]);
    expect(seqsOf(await search('shown', 'build', '&tool=read_file')).sort()).toEqual([3, 4]);
    expect(seqsOf(await search('shown', 'build', '&tool=read_log'))).toEqual([]);
    expect(new Set(seqsOf(await search('shown', 'worker', '&tool=read_log')))).toEqual(new Set([7]));
    expect(new Set(seqsOf(await search('shown', 'worker idle', '&kind=log')))).toEqual(new Set([7]));
    expect(seqsOf(await search('shown', 'build', '&kind=json')).sort()).toEqual([3, 4]);
    expect(seqsOf(await search('shown', 'build worker', '&kind=diff'))).toEqual([]);
    expect(seqsOf(await search('shown', 'libs/jobs', '&from_seq=2'))).toEqual([2]);
    expect(seqsOf(await search('shown', 'libs/jobs', '&to_seq=1'))).toEqual([1]);
    expect(seqsOf(await search('shown', 'libs/jobs', '&from_seq=100'))).toEqual([]);
  });

  test.each([
    'role=nobody',
    'kind=poem',
    'tool=',
    'from_seq=0',
    'from_seq=x',
    'to_seq=-1',
    'from_seq=5&to_seq=4',
    'max_tokens=99',
    'tool=a&tool=b',
    'around=2',
  ])('refuses %s', async (bad) => {
    const { status, body } = await get<{ code: string }>(`/v1/threads/shown/search?q=x&${bad}`);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_request' });
  });

  test('is opened whole with its neighbours', async () => {
    const open = (path: string) =>
      api.call<{ seq: number; data: { seq: number; message: { content: unknown } }[] }>(
        'GET',
        `/v1/threads/shown/messages/${path}`,
      );
    const around = (await open('7?around=2')).body;
    expect(around).toMatchObject({ seq: 7 });
    expect(around.data.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9]);
    expect(around.data[2]!.message.content).toBe(log.join('\n'));
    const [stub] = (await open('7?view=context')).body.data;
    expect(stub!.message.content).toContain('[Output out_');
    expect((await open('1?around=3')).body.data.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(await open('10')).toMatchObject({ status: 404, body: { code: 'message_not_found' } });
    expect(await open('10?around=5')).toMatchObject({ status: 404 });
    for (const bad of ['0', 'x', '7?around=21', '7?around=-1', '7?view=all', '7?limit=2'])
      expect((await open(bad)).status, bad).toBe(422);
    expect((await api.call('GET', '/v1/threads/none/messages/1')).body).toMatchObject({
      code: 'thread_not_found',
    });
  });

  test('leaves out neighbours beyond 1 MiB, the farthest first', async () => {
    const large = (name: string) => ({ role: 'user', content: `${name} ${'x'.repeat(450_000)}` });
    await api.append('large', large('a'), large('b'), large('c'), large('d'), large('e'));
    const { body } = await api.call<{ data: { seq: number }[] }>(
      'GET',
      '/v1/threads/large/messages/3?around=2',
    );
    expect(body.data.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  test('is one list in one order, whatever the size of its pages', async () => {
    const texts = Array.from({ length: 60 }, (_, i) =>
      i % 7 === 0 ? `Note ${i}: the disk is full` : i % 2 ? `full of it: disk ${i}` : `Note ${i}`,
    );
    await api.append('pages', ...texts.map((content) => ({ role: 'user', content })));
    const whole = await search('pages', 'disk is full', '&limit=100');
    expect(whole.next_cursor).toBeNull();
    expect(seqsOf(whole).slice(0, 9)).toEqual([57, 50, 43, 36, 29, 22, 15, 8, 1]);
    for (const limit of [1, 4, 7]) {
      const seqs: number[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await search('pages', 'disk is full', `&limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seqs.push(...seqsOf(page));
        cursor = page.next_cursor;
      }
      expect(seqs, `pages of ${limit}`).toEqual(seqsOf(whole));
    }
  });
});
