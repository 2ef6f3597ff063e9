import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostile } from './hostile.js';

const { api, key, refused, strangers, stack } = hostile('grep');
interface Found {
  matches: { line: number; text: string; before: string[]; after: string[] }[];
  truncated: boolean;
  next_cursor: string | null;
}

const lines = Array.from({ length: 12_000 }, (_, i) => `line ${i + 1} ${'aaaa '.repeat(10)}`);
let id: string;
let oneLine: string;
/** Two results of tools, offloaded. The last is one line of 3 MB with one word in its middle. */
beforeAll(async () => {
  const call = (name: string) => ({ id: name, type: 'function', function: { name: 'sh', arguments: '{}' } });
  const posted = await api.append(
    'searched',
    { role: 'assistant', content: null, tool_calls: [call('many'), call('one')] },
    { role: 'tool', tool_call_id: 'many', content: lines.join('\n') },
    { role: 'tool', tool_call_id: 'one', content: `${'x'.repeat(30_000)} needle ${'y'.repeat(3_000_000)}` },
  );
  [id, oneLine] = posted.messages.slice(1).map((message) => message.output!.id) as [string, string];
});

const address = (query: Record<string, string>, of = id) =>
  `/v1/outputs/${of}/grep?${new URLSearchParams(query).toString()}`;
const grep = (query: Record<string, string>, of = id, by = api) => by.call<Found>('GET', address(query, of));

describe('A70 patterns that hang a backtracking engine take no longer than others', () => {
  test.each(['(a+)+$', '(.*)*x', '(x.{0,999}){1}y', '(a|a)*b', '(a*)*b', '([a-z]+ )*!'])(
    '%s',
    async (pattern) => {
      // One that takes longer than a search may is a 503, and a process that hangs gives no answer.
      expect((await grep({ pattern })).status).toBe(200);
    },
  );
});

describe('A71 A72 A74 what is not RE2, too large or empty is refused', () => {
  test.each([
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    'x{1001}',
    '((a{100}){100}){100}',
    '(',
    '[',
    '*',
    'a**',
    '\\',
    '(?P<n',
    '\\Z',
    '(?z)a',
    'a'.repeat(513),
    '',
    'a\0b',
  ])('%j', async (pattern) => {
    const problem = await refused('GET', address({ pattern }));
    expect(problem.status).toBe(422);
    expect(problem.detail).not.toContain('aaaaaaaa');
  });
  test('a pattern that is not UTF-8 is refused', async () => {
    const { status } = await refused('GET', `/v1/outputs/${id}/grep?pattern=%ff%fe`);
    expect(status).toBe(400);
  });
  test('flags, classes, a thousand alternatives and a leading dash are patterns like others', async () => {
    for (const pattern of ['(?i)LINE 7 ', '\\pL+', 'a|'.repeat(250), '--line', '-e x', '\\d+'])
      expect((await grep({ pattern, limit: '1' })).status, pattern).toBe(200);
  });
});

test('A73 a pattern that matches everything is answered in parts, each bounded, that miss no line', async () => {
  const seen: number[] = [];
  let cursor: string | null = '1';
  for (let calls = 0; cursor !== null && calls < 8; calls++) {
    const { body }: { body: Found } = await grep({
      pattern: '.',
      limit: '200',
      context: '2',
      max_tokens: '20000',
      cursor,
    });
    expect(JSON.stringify(body).length).toBeLessThan(200_000);
    const text = body.matches.flatMap((match) => [match.text, ...match.before, ...match.after]);
    expect(text.reduce((sum, line) => sum + line.length, 0)).toBeLessThanOrEqual(64 * 1024);
    expect(body.truncated).toBe(true);
    seen.push(...body.matches.map((match) => match.line));
    cursor = body.next_cursor;
  }
  expect(seen).toEqual(seen.map((_, i) => i + 1));
  expect(seen.length).toBeGreaterThan(800);
});

test('A69 of a line of 3 MB the part around the match is shown', async () => {
  const { body } = await grep({ pattern: 'needle', context: '20' }, oneLine);
  expect(body.matches).toHaveLength(1);
  expect(body.matches[0]!.text).toContain('needle');
  expect(body.matches[0]!.text.length).toBeLessThan(2_200);
});

/** Sends requests in one write over one connection, so that they arrive together however busy the machine is. */
const answersTo = (requests: string[]) =>
  new Promise<string[]>((resolve, reject) => {
    const { hostname, port } = new URL(stack.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let answered = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answered += part));
    socket.on('error', reject).on('end', () => resolve(answered.split(/(?=HTTP\/1\.1 \d{3} )/)));
    socket.write(requests.join(''));
  });

test('A75 of fifty searches at once two run, the others are told when to come back, and others are served', async () => {
  const head = `GET ${address({ pattern: '(.{1,300}){1,3}q' })} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const requests = Array.from(
    { length: 50 },
    (_, i) => `${head}${i < 49 ? '' : 'Connection: close\r\n'}\r\n`,
  );
  let others = 0;
  const many = answersTo(requests);
  for (let i = 0; i < 5; i++) {
    expect((await strangers.call('GET', '/v1/threads')).status).toBe(200);
    others++;
  }
  const answers = await many;
  expect(answers).toHaveLength(50);
  const statusOf = (answer: string) => Number(answer.slice(9, 12));
  const late = answers.filter((answer) => statusOf(answer) === 429);
  expect(late.length).toBeGreaterThan(30);
  expect(answers.filter((answer) => statusOf(answer) === 200).length).toBeGreaterThan(0);
  expect(answers.every((answer) => [200, 422, 429].includes(statusOf(answer)))).toBe(true);
  for (const answer of late) {
    expect(answer.toLowerCase()).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('"code":"too_many_searches"');
  }
  expect(others).toBe(5);
  expect((await grep({ pattern: 'line 7 ' })).status).toBe(200);
});

test('A76 a search whose client hung up is ended, and its place is free', async () => {
  const { hostname, port } = new URL(stack.url);
  const path = address({ pattern: '(.{1,300}){1,3}q' });
  for (let i = 0; i < 6; i++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => socket.destroy());
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 150));
    socket.destroy();
  }
  // Its own timeout takes seconds; a slot that is free before that was released at once.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await grep({ pattern: 'line 7 ' })).status).toBe(200);
});

test('A77 context lines, limits and cursors outside of their range are refused', async () => {
  for (const query of [
    'context=1000000000',
    'context=-1',
    'context=1.5',
    'limit=0',
    'limit=201',
    'cursor=0',
    'cursor=x',
  ])
    expect((await refused('GET', `/v1/outputs/${id}/grep?pattern=a&${query}`)).status, query).toBe(422);
  expect((await refused('GET', `/v1/outputs/${id}/grep`)).status).toBe(422);
  expect((await grep({ pattern: 'a', cursor: '2147483647' })).body.matches).toEqual([]);
});
