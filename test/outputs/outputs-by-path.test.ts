import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, result, upload } from '../uploads/upload-client.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
let id: string;
const rows = Array.from({ length: 60_000 }, (_, i) => ({ id: i, name: `user ${i}`, note: 'x'.repeat(40) }));
const document = JSON.stringify({ total: rows.length, rows });
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
  id = await stored('rows', document);
});

const newProject = async (name: string): Promise<Api> =>
  apiOf({ url: stack.url, key: await stack.addProject(name) });

async function stored(thread: string, content: string, on = api): Promise<string> {
  const posted = await on.append(thread, { role: 'user', content: 'run' }, call(), result(content));
  return posted.messages[2]!.output!.id;
}
const ask = (path: string, rest = '', of = id, headers: Record<string, string> = {}, on = api) =>
  on.call<string>(
    'GET',
    `/v1/outputs/${of}/content?path=${encodeURIComponent(path)}${rest}`,
    undefined,
    headers,
  );
/** On a busy machine even a cheap path may take longer than the limit, now and then. */
const answered = (what: string, asking: () => ReturnType<typeof ask>) =>
  until(`${what} is read`, async () => {
    const answer = await asking();
    return (answer.body as { code?: string }).code !== 'path_too_costly' && answer;
  });
const read = (...asked: Parameters<typeof ask>) => answered(asked[0], () => ask(...asked));
/** Reads on with the query that an answer named. */
const readOn = (query: string) =>
  answered(query, () => api.call<string>('GET', `/v1/outputs/${id}/content?${query}`));
const refused = (path: string, rest = '', of = id, on = api) =>
  ask(path, rest, of, {}, on) as unknown as Promise<{
    status: number;
    body: { code: string; detail: string; errors?: unknown };
  }>;

describe('a JSON output of one line', () => {
  test('is read by path, and its stub says so', async () => {
    expect(document.length).toBeGreaterThan(4_000_000);
    const stub = (await api.context('rows')).messages[2] as { content: string };
    expect(stub.content).toContain(`read_output(id="${id}", path="$.rows[0]")`);
    const one = await read('$.rows[55000]');
    expect(one.body).toBe(`${JSON.stringify(rows[55_000])}\n`);
    expect(one.headers.get('spillway-lines')).toBe('1-1/1');
    expect(one.headers.get('spillway-next')).toBeNull();
    expect(one.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const found = await read('$.rows[?@.name == "user 777"].id');
    expect(found.body).toBe('777\n');
  });

  test('many matches are lines, bounded in tokens, with the query that reads on', async () => {
    let query: string | null =
      `path=${encodeURIComponent('$.rows[100:1100].name')}&numbered=true&max_tokens=5000`;
    const lines: string[] = [];
    for (let reads = 0; query !== null; reads++) {
      const part: Awaited<ReturnType<typeof read>> = await readOn(query);
      expect(part.status).toBe(200);
      expect(part.body.length).toBeLessThan(5_000 * 8);
      lines.push(...part.body.split('\n').filter((line) => line !== '' && !line.startsWith('[Truncated.')));
      query = part.headers.get('spillway-next');
      expect(reads).toBeLessThan(50);
    }
    expect(lines).toEqual(
      Array.from({ length: 1_000 }, (_, i) => `$['rows'][${i + 100}]['name']\t"user ${i + 100}"`),
    );
  });

  test('a match larger than an answer is read on by columns', async () => {
    const whole = await read('$.rows[0:2]', '&lines=2');
    expect(whole.body).toBe(`${JSON.stringify(rows[1])}\n`);
    const first = await read('$', '&max_tokens=2000');
    const query = first.headers.get('spillway-next')!;
    expect(query).toMatch(/^lines=1-1&columns=\d+-&path=%24&max_tokens=2000$/);
    const second = await readOn(query);
    const text = first.body.slice(0, -1) + second.body.slice(0, -1);
    expect(document.startsWith(text)).toBe(true);
    expect(text.length).toBeGreaterThan(5_000);
  });

  test('as JSON, and no match is an empty answer', async () => {
    const accept = { accept: 'application/json' };
    const one = await read('$.total', '', id, accept);
    expect(one.body).toEqual({
      text: '60000\n',
      first_line: 1,
      last_line: 1,
      lines: 1,
      tokens: 3,
      next: null,
    });
    const none = await read('$.nothing', '', id, accept);
    expect(none).toMatchObject({ status: 200, body: { text: '', first_line: null, lines: 0, next: null } });
    const text = await read('$.nothing');
    expect([text.status, text.body, text.headers.get('spillway-lines')]).toEqual([200, '', 'none/0']);
  });
});

test('JSON lines are one list', async () => {
  const lines = rows
    .slice(0, 3_000)
    .map((row) => JSON.stringify(row))
    .join('\n');
  expect((await read('$[2999].name', '', await stored('lines', lines))).body).toBe('"user 2999"\n');
});

test('what is no path, no JSON or too large is refused, and the refusal says why', async () => {
  for (const path of ['rows', '$.', '$[?', `$${'[0'.repeat(300)}`])
    expect(await refused(path), path).toMatchObject({
      ...{ status: 422, body: { code: 'invalid_request', errors: [{ path: '/path' }] } },
    });
  expect((await refused('$', '&tail=3')).status).toBe(422);
  expect((await refused('$', '&lines=1&head=2')).status).toBe(422);
  const log = await stored('log', 'not JSON\n'.repeat(20_000));
  expect(await refused('$', '', log)).toMatchObject({ status: 422, body: { code: 'not_json' } });
  await api.append('large', { role: 'user', content: 'run' }, call());
  const to = { url: stack.url, key: stack.key, thread: 'large' };
  const { body } = await upload(to, JSON.stringify({ text: 'word '.repeat(4_200_000) }));
  await api.append('large', result(body.stub));
  expect(body.stub).not.toContain('path=');
  const large = await refused('$.text', '', body.output.id);
  expect(large).toMatchObject({ status: 422, body: { code: 'not_json' } });
  expect(large.body.detail).toContain('up to 20,000,000');
});

test(
  'a path that would run for ever or take all memory is given up, and others are answered meanwhile',
  { tags: 'long' },
  async () => {
    const manyWords = JSON.stringify([`${'a'.repeat(5_000)}!`, ...Array.from({ length: 30_000 }, () => 1)]);
    const words = await stored('hostile', manyWords);
    const nested = await stored('nested', JSON.stringify(Array.from({ length: 1_500_000 }, () => [])));
    const hostile = [
      refused('$[?match(@, "(a|a)*b")]', '', words),
      refused('$[?count($..*) > count($..*)]', '', nested),
    ];
    // With two more of another project all threads are taken: a third project waits, and that is no cost of its path.
    const other = await newProject('hostile-too');
    const others = await stored('hostile', manyWords, other);
    for (const path of ['$[?match(@, "(a|a)*b")]', '$[?search(@, "(a|a)*c")]'])
      hostile.push(refused(path, '', others, other));
    const quiet = await newProject('quiet');
    const small = await stored('small', JSON.stringify({ total: 7, rows }), quiet);
    const waiting = ask('$.total', '', small, {}, quiet);
    let open = hostile.length;
    for (const one of hostile) void one.finally(() => open--);
    let served = 0;
    while (open > 0) {
      await api.append('beside', { role: 'user', content: 'still here' });
      served++;
    }
    // On the thread of the requests nothing could end such a path: one answer is the proof, and the machine says how many.
    expect(served).toBeGreaterThan(0);
    for (const answer of await Promise.all(hostile))
      expect(answer).toMatchObject({ status: 422, body: { code: 'path_too_costly' } });
    expect((await waiting).body).toBe('7\n');
    expect((await read('$.total')).body).toBe('60000\n');
  },
);
