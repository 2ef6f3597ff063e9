import type { Schemas } from '@spillway/client';
import { readerTools } from '@spillway/client/agent';
import { loadCounter, type CountTokens } from '@spillway/engine';
import { apiOf, type Api } from '@spillway/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
let count: CountTokens;
let logId: string;
let jsonId: string;
beforeAll(async () => {
  stack = await borrowedStack('api');
  api = apiOf(stack);
  count = await loadCounter('o200k');
  await api.call('PUT', '/v1/threads/log', { model: 'gpt-4o' });
  logId = await postResult('log', log);
  jsonId = await postResult('log', JSON.stringify(rows));
});

const log = Array.from({ length: 3_000 }, (_, i) => `${i + 1}: step ${(i * 7919) % 1000} ok`).join('\n');
const rows = Array.from({ length: 1_200 }, (_, i) => ({ id: i, name: `user${i}`, note: 'left at the door' }));
let calls = 0;

/** Posts a call and its result, which is offloaded. Returns the id of the output. */
async function postResult(thread: string, content: string): Promise<string> {
  const id = `call_${++calls}`;
  const call = { id, type: 'function', function: { name: 'sh', arguments: '{}' } };
  const posted = await api.append(
    thread,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  );
  return posted.messages[1]!.output!.id;
}

type Result = Schemas['ToolResult'];
async function run(name: string, args: object | string, maxTokens?: number, thread = 'log'): Promise<Result> {
  const body = { arguments: args, ...(maxTokens ? { max_tokens: maxTokens } : {}) };
  const answer = await api.call<Result>('POST', `/v1/threads/${thread}/tools/${name}`, body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  const { text, tokens } = answer.body;
  expect(tokens).toBe(count(text));
  expect(tokens).toBeLessThanOrEqual(maxTokens ?? 2_000);
  return answer.body;
}

/** Reads the call that the last line of an answer names, as a model would. */
function nextCall(text: string): { name: string; args: Record<string, unknown> } | null {
  const found = /Next: (\w+)\((.*)\)\]$/.exec(text);
  if (!found) return null;
  const args = [...found[2]!.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|[^,]+)/g)];
  return {
    name: found[1]!,
    args: Object.fromEntries(args.map(([, key, value]) => [key!, JSON.parse(value!) as unknown])),
  };
}

/** Every answer of a tool, following the calls that the answers name. */
async function readOn(name: string, args: object, maxTokens: number): Promise<string[]> {
  const texts: string[] = [];
  for (let call: ReturnType<typeof nextCall> = { name, args: { ...args } }; call;) {
    const { text, is_error } = await run(call.name, call.args, maxTokens);
    expect(is_error, text).toBe(false);
    texts.push(text.slice(0, text.lastIndexOf('\n[')));
    expect(texts.length).toBeLessThan(2_000);
    call = nextCall(text);
  }
  return texts;
}

describe('the reader tools as data', () => {
  const shapes = {
    openai: { type: 'function', function: { name: 'read_output', parameters: { type: 'object' } } },
    responses: { type: 'function', name: 'read_output', parameters: { type: 'object' } },
    anthropic: { name: 'read_output', input_schema: { type: 'object' } },
    'ai-sdk': { type: 'function', name: 'read_output', inputSchema: { type: 'object' } },
  };
  test.each(Object.entries(shapes))('have the form of %s', async (format, shape) => {
    const path = `/v1/threads/log/tools?format=${format}`;
    const { body } = await api.call<Schemas['ToolList']>('GET', path);
    expect(body.tools[0]).toMatchObject(shape);
    expect(body.tools).toHaveLength(5);
    expect(body.tokens).toBe(count(JSON.stringify(body.tools)));
    // Every model call sends them.
    expect(body.tokens).toBeLessThan(800);
  });

  test('come with a context that asks for them, and are counted in it once', async () => {
    const plain = await api.context('log');
    const asked = await api.context('log', '?tools=true');
    const { body } = await api.call<Schemas['ToolList']>('GET', '/v1/threads/log/tools');
    expect(asked.tools).toEqual(body.tools);
    expect(asked.tokens.system - plain.tokens.system).toBe(body.tokens);
    expect(plain).not.toHaveProperty('tools');
    await api.call('PUT', '/v1/threads/has-them', { model: 'gpt-4o', tools: body.tools });
    await api.append('has-them', { role: 'user', content: 'hello' });
    const own = await api.context('has-them');
    const again = await api.context('has-them', '?tools=true');
    expect(again.tokens).toEqual(own.tokens);
    expect(again.tools).toEqual(body.tools);
    const posted = await api.call<Schemas['MessagesAppended']>(
      'POST',
      '/v1/threads/has-them/messages?context=true&tools=true',
      { messages: [{ role: 'user', content: 'more' }] },
    );
    expect(posted.body.context?.tools).toEqual(body.tools);
  });

  test('are named by the policy, in stubs too, and their results stay in the context', async () => {
    const policy = { outputs: { tool_names: { read_output: 'fetch_result', search_history: 'recall' } } };
    await api.call('PUT', '/v1/threads/renamed', { policy, model: 'gpt-4o', format: 'anthropic' });
    const path = '/v1/threads/renamed/tools';
    const { body } = await api.call<Schemas['ToolList']>('GET', path);
    expect(body).toMatchObject({ format: 'anthropic', names: { read_output: 'fetch_result' } });
    expect(body.tools.map(({ name }) => name)).toContain('recall');
    const result = { type: 'tool_result', tool_use_id: 'a', content: log };
    const use = (id: string, name: string) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name, input: {} }],
    });
    const posted = await api.append('renamed', use('a', 'sh'), { role: 'user', content: [result] });
    expect(JSON.stringify(posted.messages[1]!.message)).toContain('[More: fetch_result(id=');
    const id = posted.messages[1]!.output!.id;
    const read = await run('fetch_result', { id, lines: '7-8' }, undefined, 'renamed');
    expect(read.text).toContain('7\t7: step');
    expect((await api.call('POST', `${path}/read_output`, { arguments: { id } })).status).toBe(404);
    const large = { ...result, tool_use_id: 'b', content: log.slice(0, 12_000) };
    const kept = await api.append('renamed', use('b', 'fetch_result'), { role: 'user', content: [large] });
    expect(kept.messages[1]!.output).toBeNull();
    for (const tool_names of [{ read_output: 'grep_output' }, { read_output: 'a b' }, { other: 'x' }])
      expect((await api.call('PUT', '/v1/threads/x', { policy: { outputs: { tool_names } } })).status).toBe(
        422,
      );
  });

  test('are the same in the client, which has them without the service', async () => {
    const { body } = await api.call<{ tools: unknown }>('GET', '/v1/threads/log/tools?format=ai-sdk');
    const own = readerTools().map(({ parameters, ...tool }) => ({
      type: 'function',
      ...tool,
      inputSchema: parameters,
    }));
    expect(body.tools).toEqual(own);
  });
});

describe('a call of a reader tool', () => {
  test('reads an output by lines, and its last line names the call that reads on', async () => {
    const texts = await readOn('read_output', { id: logId }, 1_500);
    expect(texts.length).toBeGreaterThan(10);
    const lines = texts
      .join('\n')
      .split('\n')
      .map((line) => line.split('\t')[1]);
    expect(lines.join('\n')).toBe(log);
    const tail = await run('read_output', { id: logId, tail: '2' });
    expect(tail.text).toContain('3000\t3000: step');
    expect(tail.text).toContain('[Lines 2999-3000 of 3000.]');
  });

  test('reads one long line of JSON by columns and by path', async () => {
    const texts = await readOn('read_output', { id: jsonId, lines: '1' }, 3_000);
    const text = texts.map((part) => part.replace(/^1(:\d+)?\t/, '')).join('');
    expect(texts.length).toBeGreaterThan(5);
    expect(text === JSON.stringify(rows)).toBe(true);
    const found = await run('read_output', { id: jsonId, path: '$[1199].name' });
    expect(found.text).toContain('"user1199"');
  });

  test('finds lines, each with its number, within any bound', async () => {
    const texts = await readOn('grep_output', { id: logId, pattern: 'step 1?17 ok$' }, 200);
    const expected = log
      .split('\n')
      .flatMap((line, i) => (/step 1?17 ok$/.test(line) ? [`${i + 1}:${line}`] : []));
    expect(texts.join('\n').split('\n')).toEqual(expected);
    const around = await run('grep_output', { id: logId, pattern: '^500:', context: '1' });
    expect(around.text).toMatch(/^499-499: .*\n500:500: .*\n501-501: /);
    expect((await run('grep_output', { id: logId, pattern: 'nowhere' })).text).toBe('[0 matches.]');
  });

  test('lists what an output holds', async () => {
    const { text } = await run('outline_output', { id: jsonId });
    expect(text).toContain('(json)');
    expect(text).toContain('name');
  });

  test('searches messages and outputs, and reads a message whole', async () => {
    await api.append('log', {
      role: 'user',
      content: `The magic word is xyzzy.\n${'filler words here\n'.repeat(900)}`,
    });
    const hit = await run('search_history', { q: 'xyzzy magic' }, 600);
    expect(hit.text).toContain('The magic word is xyzzy.');
    expect(hit.text).toMatch(/\[message 5, user; whole: read_message\(seq=5\)\]/);
    const texts = await readOn('read_message', { seq: 5 }, 700);
    expect(
      texts
        .join('\n')
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(901);
    const inOutput = await run('search_history', { q: '"user1141"' });
    expect(inOutput.text).toContain(`output ${jsonId}`);
  });

  test('says which lines stand between the passages of a hit', async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `${i + 1} nothing of note here`);
    lines[39] = '40 the walrus may migrate';
    lines[299] = '300 the narwhal never';
    await api.append('passages', { role: 'user', content: lines.join('\n') });
    const { text } = await run('search_history', { q: 'walrus narwhal' }, 600, 'passages');
    const shown = text.split('\n');
    const gaps = [...text.matchAll(/^--- lines (\d+)-(\d+) not shown ---$/gm)];
    expect(gaps).toHaveLength(2);
    for (const [gap, from, to] of gaps) {
      const at = shown.indexOf(gap);
      if (from !== '1') expect(shown[at - 1]).toMatch(new RegExp(`^${Number(from) - 1} `));
      expect(shown[at + 1]).toMatch(new RegExp(`^${Number(to) + 1} `));
    }
  });

  test('names which of several people said a message', async () => {
    const name = 'anna';
    await api.append('channel', { role: 'user', name, content: 'The parcel goes to the office.' });
    const found = await run('search_history', { q: 'parcel' }, undefined, 'channel');
    expect(found.text).toContain('[message 1, user anna]');
    const read = await run('read_message', { seq: 1 }, undefined, 'channel');
    expect(read.text).toContain('[Message 1, user anna.');
  });

  test.each([
    ['no JSON', 'read_output', '{"id":', 'not valid JSON'],
    ['an id that is none', 'read_output', { id: 'x' }, 'id of an output'],
    ['no arguments', 'read_output', '', 'id'],
    ['an unknown argument', 'search_history', { query: 'x' }, 'query'],
    ['an output that does not exist', 'read_output', { id: `out_${'0'.repeat(32)}` }, 'No such output'],
    ['lines backwards', 'read_message', { seq: 1, lines: '9-2' }, 'ends before it starts'],
    ['a message that does not exist', 'read_message', { seq: 900 }, 'no message'],
    ['the largest seq', 'read_message', { seq: 2_147_483_647 }, 'no message'],
    ['an empty search', 'search_history', { q: ' ' }, 'empty'],
  ])('with %s tells the model what to change', async (_what, name, args, expected) => {
    const { is_error, text } = await run(name, args);
    expect(is_error).toBe(true);
    expect(text).toContain(expected);
  });

  test('with a pattern or a cursor that cannot be used tells the model so', async () => {
    for (const args of [{ pattern: '(' }, { pattern: 'a', cursor: 'x' }])
      expect(await run('grep_output', { id: logId, ...args })).toMatchObject({ is_error: true });
    expect(await run('read_output', { id: logId, path: '$' })).toMatchObject({ is_error: true });
  });

  test('takes arguments as the JSON that a provider sends', async () => {
    const { text } = await run('read_output', JSON.stringify({ id: logId, lines: '5' }));
    expect(text).toContain('5\t5: step');
  });

  test('reads no output of another thread of the project', async () => {
    await api.append('neighbour', { role: 'user', content: 'hello' });
    for (const [name, more] of [
      ['read_output', {}],
      ['grep_output', { pattern: 'step' }],
      ['outline_output', {}],
    ] as const) {
      const { is_error, text } = await run(name, { id: logId, ...more }, undefined, 'neighbour');
      expect({ is_error, text }).toEqual({ is_error: true, text: 'Error: No such output.' });
    }
  });

  test('of a tool or a thread that does not exist is 404, and needs the scope to read outputs', async () => {
    const call = (thread: string, name: string, by = api) =>
      by.call('POST', `/v1/threads/${thread}/tools/${name}`, { arguments: { q: 'x' } });
    expect(await call('log', 'rm')).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect((await call('nobody', 'search_history')).status).toBe(404);
    const { body } = await api.call<{ key: string }>('POST', '/v1/keys', {
      name: 'r',
      scopes: ['context:read'],
    });
    const reader = apiOf({ url: stack.url, key: body.key });
    expect((await call('log', 'search_history', reader)).status).toBe(403);
  });
});
