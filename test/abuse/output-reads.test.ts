import { symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowsOf, type Answer } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { expireOutput } from '../expire-output.js';
import { hostile } from './hostile.js';

const { api, refused, stack, strangers } = hostile('outputs');
const html = '<html><script>alert(1)</script><svg onload="alert(2)">';
const content = `${html}\n${'line of output 😀\n'.repeat(5_000)}`;
const size = Buffer.byteLength(content);

async function offload(thread: string, text = content): Promise<string> {
  const posted = await api.append(
    thread,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'sh', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: text },
  );
  return posted.messages[1]!.output!.id;
}
const blobPath = async (id: string): Promise<string> => {
  const [row] = await rowsOf<{ blob_key: string }>(
    stack.databaseUrl,
    'SELECT blob_key FROM outputs WHERE id = $1',
    [id],
  );
  return join(stack.outputsFolder, row!.blob_key);
};

let id: string;
beforeAll(async () => {
  id = await offload('read');
});
const at = (rest = '') => `/v1/outputs/${id}/content${rest}`;

describe('A65 an id that is a path', () => {
  test.each([
    '../../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%252e%252e%252fetc%252fpasswd',
    '%2fetc%2fpasswd',
    'C:%5cwindows%5cwin.ini',
    '%2fdev%2fstdin',
    'out_00000000000000000000000000000000%00.txt',
    'out_0000000000000000000000000000000g',
    'OUT_00000000000000000000000000000000',
    '.tmp',
  ])('%s', async (path) => {
    for (const rest of ['', '/content', '/grep?pattern=root', '/outline'])
      expect([404, 422]).toContain((await refused('GET', `/v1/outputs/${path}${rest}`)).status);
  });
  test('a link that was planted in the store is not followed', async () => {
    const planted = await offload('planted');
    const path = await blobPath(planted);
    await unlink(path);
    await symlink('/etc/passwd', path);
    const answer = await api.call<string>('GET', `/v1/outputs/${planted}/content`);
    expect(JSON.stringify(answer.body)).not.toContain('root:');
    expect(answer.status).toBe(410);
  });
});

describe('A66 ranges', () => {
  test.each([
    'bytes=5-2', 'bytes=-0', 'bytes=9999999999-', 'bytes=0-1,3-4', `bytes=${'0-1,'.repeat(1_000)}0-1`, 'bytes=x-', 'bytes=-',
    'bytes=', 'bytes=--1', 'bytes=1e3-', 'bytes=99999999999999999999-', 'bytes=0-99999999999999999999', 'bytes= 0-1', `bytes=${size}-`,
  ])('%s is refused, and the refusal says how many bytes there are', async (range) => {
    const answer = await api.call<{ code: string }>('GET', at(), undefined, { range });
    expect(answer).toMatchObject({ status: 416, body: { code: 'range_not_satisfiable' } });
    expect(answer.headers.get('content-range')).toBe(`bytes */${size}`);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }); // prettier-ignore
  test('of a unit that is not bytes is no range', async () => {
    const answer = await api.call<string>('GET', at(), undefined, { range: 'lines=1-2' });
    expect([answer.status, answer.headers.get('content-range'), answer.body]).toEqual([200, null, content]);
  });
  test.each([
    'lines=0-',
    'lines=0',
    'lines=5-2',
    'lines=1-99999999999',
    'lines=-1',
    'lines=1-2-3',
    'head=0',
    'tail=-1',
    'head=10001',
    'head=1&tail=1',
    'lines=1&lines=2',
    'lines=',
    'columns=1',
    'line=1&columns=0-5',
    'max_tokens=0',
    'max_tokens=20001',
    'path=',
    'path=rows',
    'path=$%00',
    'path=$&tail=1',
    `path=$${'.a'.repeat(500)}`,
    `path=$[?${'('.repeat(400)}@.a${')'.repeat(400)}]`,
  ])('lines: %s is refused', async (query) =>
    expect((await refused('GET', at(`?${query}`))).status).toBe(422),
  );
  test('lines beyond the end are none, and one answer by lines is bounded', async () => {
    expect((await api.call<string>('GET', at('?lines=9999999999-9999999999'))).body).toBe('');
    const long = await offload('long', `${'x'.repeat(1_500_000)}\n`.repeat(3));
    const read = await api.call<string>('GET', `/v1/outputs/${long}/content?lines=1-3`);
    expect(read.body.length).toBeLessThan(65_000);
    expect(read.headers.get('spillway-next')).toMatch(/^lines=1-3&columns=\d+-$/);
  });
});

test('A67 an output that expired, is damaged, missing or a stranger’s is not served', async () => {
  const [expired, corrupt, missing] = await Promise.all(
    ['expired', 'corrupt', 'missing'].map((name) => offload(name)),
  );
  await expireOutput(stack, expired!);
  await writeFile(await blobPath(corrupt!), 'short');
  await unlink(await blobPath(missing!));
  for (const gone of [expired, corrupt, missing])
    for (const rest of [
      '/content',
      '/content?head=1',
      '/grep?pattern=line',
      '/outline',
      '/content?lines=4000-4001',
    ]) {
      const answer = await refused('GET', `/v1/outputs/${gone}${rest}`);
      expect(answer, rest).toMatchObject({ status: 410, code: 'output_gone' });
    }
  expect(
    (await api.call('GET', `/v1/outputs/${corrupt}/content`, undefined, { range: 'bytes=70000-70010' }))
      .status,
  ).toBe(410);
  expect((await strangers.call('GET', at())).status).toBe(404);
});

test('A68 content is a file of text to a browser, whatever it holds', async () => {
  for (const [rest, range] of [
    ['', undefined],
    ['?head=1', undefined],
    ['', 'bytes=0-99'],
  ] as const) {
    const { headers, body } = await api.call<string>('GET', at(rest), undefined, range ? { range } : {});
    expect(body).toContain('<script>');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.txt"`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  }
});

test('A69 half a million empty lines, and bytes that look compressed, are lines and bytes', async () => {
  const empty = await offload('empty-lines', '\n'.repeat(500_000));
  expect((await api.call<string>('GET', `/v1/outputs/${empty}/content?lines=499999-500000`)).body).toBe(
    '\n\n',
  );
  let cursor: string | null = '1';
  for (let calls = 0; cursor !== null; calls++) {
    const found: Answer<{ matches: unknown[]; next_cursor: string | null }> = await api.call(
      'GET',
      `/v1/outputs/${empty}/grep?pattern=x&cursor=${cursor}`,
    );
    expect(found).toMatchObject({ status: 200, body: { matches: [] } });
    cursor = found.body.next_cursor;
    expect(calls).toBeLessThan(100);
  }
  const bomb = '\u001f\u008b\u0008PK\u0003\u0004'.repeat(10_000);
  expect((await api.call<string>('GET', `/v1/outputs/${await offload('bomb', bomb)}/content`)).body).toBe(
    bomb,
  );
});
