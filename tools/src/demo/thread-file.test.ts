import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../repository.js';
import { readThreadFile } from './thread-file.js';
import { toolOrderFault } from './tool-order.js';

describe('a thread file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'thread-file-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const read = async (text: string): ReturnType<typeof readThreadFile> => {
    const path = join(folder, 'a.jsonl');
    await writeFile(path, text);
    return readThreadFile(path);
  };
  const hello = '{"role":"user","content":"hello"}';

  it('is read line by line, blank lines left out, unknown fields kept', async () => {
    expect(await read(`${hello}\n\n{"role":"assistant","content":"hi","mood":1}\n`)).toEqual({
      name: 'a',
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'hi', mood: 1 },
      ],
    });
  });

  it.each([
    ['bad JSON', `${hello}\n{"role":`, /a\.jsonl line 2 is not JSON: /],
    [
      'a role nobody knows',
      `${hello}\n${hello}\n{"role":"robot","content":"x"}`,
      /a\.jsonl line 3 .* no valid role \("robot"; system,/,
    ],
    ['no role', '{"content":"x"}', /line 1 .* no valid role \(none;/],
    ['a result without its call id', '{"role":"tool","content":"x"}', /line 1 .*tool_call_id/],
    ['a line that is no message', '[1]', /line 1 is not a message/],
    ['nothing', '\n', /holds no messages/],
  ])('is refused in one line for %s', async (_, text, line) => {
    await expect(read(text)).rejects.toThrow(line);
    await expect(read(text)).rejects.not.toThrow(/\n/);
  });

  it('is refused when it is not there', async () => {
    await expect(readThreadFile('/nowhere.jsonl')).rejects.toThrow('Cannot read /nowhere.jsonl (ENOENT)');
  });
});

describe('the samples', async () => {
  const folder = join(repository, 'samples');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));

  it.each(names)('%s is a thread a provider would accept', async (name) => {
    const { messages } = await readThreadFile(join(folder, name));
    expect(toolOrderFault(messages)).toBeNull();
    const ids = messages
      .filter((message) => message.role === 'tool')
      .map((message) => message['tool_call_id']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the order of tool messages', () => {
  const calls = (...ids: string[]) => ({ role: 'assistant', tool_calls: ids.map((id) => ({ id })) });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id });
  const user = { role: 'user' };

  it.each([
    ['results right after their calls', [user, calls('a', 'b'), result('b'), result('a'), user], null],
    ['open calls at the very end', [user, calls('a', 'b'), result('a')], null],
    ['a result without a call', [user, result('a')], /result of a/],
    ['a result given twice', [calls('a'), result('a'), result('a')], /result of a/],
    ['a call left unanswered', [calls('a', 'b'), result('a'), user], /call b before it has no result/],
  ])('with %s', (_, messages, fault) => {
    if (fault) expect(toolOrderFault(messages)).toMatch(fault);
    else expect(toolOrderFault(messages)).toBeNull();
  });
});
