import type { Client } from '@modelcontextprotocol/client';
import { mcpAnswerSchemas } from '@spillway/contracts';
import { loadCounter, type CountTokens } from '@spillway/engine';
import { apiOf, type Api } from '@spillway/testing';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { foldOnce } from '../folding-thread.js';
import { callTool, kinds, mcpClient, type ToolAnswer } from './mcp-clients.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

type Tool = keyof typeof mcpAnswerSchemas;
type Structure<T extends Tool> = z.infer<(typeof mcpAnswerSchemas)[T]>;

let stack: BorrowedStack;
let api: Api;
let count: CountTokens;
beforeAll(async () => {
  stack = await borrowedStack('readers');
  api = apiOf(stack);
  count = await loadCounter('o200k');
});

/** Calls a tool and checks what holds for every answer: its schema, without fields beyond it, and its tokens. */
async function ask<T extends Tool>(
  client: Client,
  name: T,
  args: object,
  maxTokens = 2_000,
): Promise<{ text: string; data: Structure<T> }> {
  const { text, isError, structure }: ToolAnswer = await callTool(client, name, args);
  expect(isError, text).toBe(false);
  expect(structure, name).toEqual(mcpAnswerSchemas[name].parse(structure));
  expect(count(text), `${name}, text`).toBeLessThanOrEqual(maxTokens);
  expect(count(JSON.stringify(structure)), `${name}, data`).toBeLessThanOrEqual(maxTokens);
  return { text, data: structure as Structure<T> };
}

/** A thread with an output in it. Returns the id of the output. */
async function threadWith(id: string, output: string): Promise<string> {
  const call = { id: 'c1', type: 'function', function: { name: 'sh', arguments: '{"command":"make all"}' } };
  const { messages } = await api.append(
    id,
    { role: 'user', name: 'anna', content: 'The release is called Walrus. Build it.' },
    { role: 'assistant', content: 'I build it.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: output },
  );
  return messages[2]!.output!.id;
}

describe.each(kinds)('an MCP client (%s) gets as data', (kind) => {
  let client: Client;
  let id: string;
  const thread_id = `of-${kind}`;
  beforeAll(async () => {
    const log = Array.from({ length: 3_000 }, (_, i) => `${i + 1}: step ${(i * 7919) % 1000} "ok"`).join(
      '\n',
    );
    id = await threadWith(thread_id, log);
    client = await mcpClient(stack, kind);
    await client.listTools();
  });
  afterAll(() => client?.close());

  test('the hits of a search, each with its pair', async () => {
    const { data } = await ask(client, 'search_history', { thread_id, q: 'walrus' });
    expect(data).toMatchObject({
      hits: [{ seq: 1, role: 'user', participant: 'anna', output: null, complete: true, pair: null }],
      next_cursor: null,
    });
    expect(data.hits[0]!.windows[0]!.text).toContain('called Walrus');
    const made = await ask(client, 'search_history', { thread_id, q: '"make all"' });
    expect(made.data.hits[0]).toMatchObject({ seq: 2, pair: { seq: 3, role: 'tool' } });
  });

  test('every match of a pattern once, page by page, and the same as in the text', async () => {
    const lines: number[] = [];
    let pages = 0;
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const { text, data } = await ask(client, 'grep_output', { thread_id, id, pattern: '7 "ok"$', cursor });
      const inText = [...text.matchAll(/^(\d+):/gm)].map(([, line]) => Number(line));
      expect(inText).toEqual(data.matches.map(({ line }) => line));
      lines.push(...inText);
      cursor = data.next_cursor ?? undefined;
      expect(text.includes('Next: ')).toBe(cursor !== undefined);
      pages++;
    }
    const expected = Array.from({ length: 3_000 }, (_, i) => i).filter((i) => ((i * 7919) % 1000) % 10 === 7);
    expect(lines).toEqual(expected.map((i) => i + 1));
    expect(pages).toBeGreaterThan(2);
  });

  test('an outline, and where it continues', async () => {
    const symbols = Array.from(
      { length: 400 },
      (_, i) => `export function step${i}(x: number) {\n  return x;\n}`,
    );
    const code = await threadWith(`code-${kind}`, symbols.join('\n'));
    const names: string[] = [];
    for (let from_line: number | undefined, isFirst = true; isFirst || from_line; isFirst = false) {
      const args = { thread_id: `code-${kind}`, id: code, from_line };
      const { data } = await ask(client, 'outline_output', args);
      expect(data).toMatchObject({ kind: 'code', total_items: 400 });
      names.push(...data.items.map(({ label }) => /step\d+/.exec(label)![0]));
      from_line = data.next_line ?? undefined;
    }
    expect(names).toEqual(symbols.map((_, i) => `step${i}`));
  });

  test('what is kept, and the context with it', async () => {
    const { data: kept } = await ask(client, 'keep', { thread_id, seq: 1 });
    expect(kept.seqs).toEqual([1]);
    expect(kept.kept_tokens).toBeGreaterThan(0);
    expect((await ask(client, 'release', { thread_id, seq: 1 })).data.kept_tokens).toBe(0);
    const { data } = await ask(client, 'get_context', { thread_id });
    const context = await api.context(thread_id);
    expect(data).toMatchObject({
      summary: null,
      last_seq: 3,
      tokens: context.tokens.total,
      earlier_seq: null,
    });
    expect(data.messages).toMatchObject([
      { seq: 1, role: 'user', participant: 'anna', complete: true },
      { seq: 2, role: 'assistant', complete: true },
      { seq: 3, role: 'tool', complete: true },
    ]);
  });

  test('nothing where a call is wrong, or an answer is a text alone', async () => {
    for (const [name, args] of [
      ['search_history', { thread_id, q: '' }],
      ['grep_output', { thread_id, id: `out_${'0'.repeat(32)}`, pattern: 'x' }],
      ['read_message', { thread_id, seq: 1 }],
      ['read_output', { thread_id, id }],
    ] as const)
      expect(await callTool(client, name, args), name).not.toHaveProperty('structure');
  });
});

test('the summary of a context is data too, with the messages that it stands for', async () => {
  const client = await mcpClient(stack);
  const policy = { context: { context_window: 16_000, trigger_ratio: 0.4 }, summary: { max_tokens: 300 } };
  await api.createThread({ id: 'folded', policy });
  await foldOnce(api, 'folded');
  const { summary } = await api.context('folded');
  for (const maxTokens of [200, 600, 5_000]) {
    const args = { thread_id: 'folded', max_tokens: maxTokens };
    const { text, data } = await ask(client, 'get_context', args, maxTokens);
    const expected = { from_seq: summary!.from_seq, to_seq: summary!.to_seq };
    if (data.summary) expect(data.summary).toMatchObject(expected);
    expect(data.messages.length).toBeGreaterThan(0);
    const inText = [...text.matchAll(/^\[message (\d+), /gm)].map(([, seq]) => Number(seq));
    expect(data.messages.map(({ seq }) => seq)).toEqual(inText);
    if (maxTokens > 600) expect(data.summary).not.toBeNull();
    if (data.earlier_seq !== null) expect(text).toContain(`seq=${data.earlier_seq})]`);
  }
  await client.close();
});

describe('data stays within the tokens of an answer where JSON is much longer than its text', () => {
  /** Texts that escapes make longer, and texts of many tokens. */
  const costly = {
    quotes: '"\\'.repeat(3_000),
    controls: '\u0001\u0002\u001b'.repeat(2_000),
    lines: 'a\n\n'.repeat(3_000),
    tabs: '\t"x"\n'.repeat(2_000),
    emoji: '👩‍👩‍👧‍👦'.repeat(600),
    random: createHash('sha512').update('x').digest('base64').repeat(60),
  };
  let client: Client;
  beforeAll(async () => {
    client = await mcpClient(stack);
    await client.listTools();
  });
  afterAll(() => client?.close());

  test.each(Object.entries(costly))('%s', async (name, text) => {
    const policy = { outputs: { offload_over_tokens: 1_000 } };
    await api.call('PUT', `/v1/threads/${name}`, { policy, model: 'gpt-4o' });
    const words = Array.from({ length: 12 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `needle ${i} ${text.slice(0, 1_500)} needle`,
    }));
    await api.append(name, ...words);
    const id = await threadWith(name, `${`needle ${text.replaceAll('\n', ' ').slice(0, 900)}\n`.repeat(40)}`);
    const { data: found } = await ask(client, 'search_history', { thread_id: name, q: 'needle' });
    expect(found.hits.length).toBeGreaterThan(0);
    for (const context of [undefined, 3])
      expect(
        (await ask(client, 'grep_output', { thread_id: name, id, pattern: 'needle', context })).data.matches,
      ).not.toEqual([]);
    for (const maxTokens of [200, 500, 2_000])
      await ask(client, 'get_context', { thread_id: name, max_tokens: maxTokens }, maxTokens);
    await ask(client, 'outline_output', { thread_id: name, id });
  });

  test('matches that are full of control characters: fewer of them on a page', async () => {
    const controls = `needle ${'\u0001\u0002\u001b'.repeat(300)}\n`.repeat(40);
    const args = { thread_id: 'matched', id: await threadWith('matched', controls), pattern: 'needle' };
    const { data } = await ask(client, 'grep_output', { ...args, context: 3 });
    expect(data.matches.length).toBeGreaterThan(0);
    expect(data.next_cursor).not.toBeNull();
  });

  test('hits that are full of quotes and tabs: they are cut, and say so', async () => {
    const content = (i: number) => `${i}\n${'\t"needle"\\\t"\\\n'.repeat(140)}`;
    const messages = Array.from({ length: 8 }, (_, i) => ({ role: 'user', content: content(i) }));
    await api.call('PUT', '/v1/threads/quoted', { model: 'gpt-4o' });
    await api.append('quoted', ...messages);
    const { data } = await ask(client, 'search_history', { thread_id: 'quoted', q: 'needle' });
    expect(data.hits).toHaveLength(8);
    for (const { seq, windows, complete } of data.hits) {
      expect(complete).toBe(false);
      expect(windows.length).toBeGreaterThan(0);
      for (const { text } of windows) expect(content(seq - 1)).toContain(text);
    }
  });

  test('threads with long ids, each of which is listed once', async () => {
    const ids = Array.from({ length: 45 }, (_, i) =>
      `long-${createHash('sha512').update(String(i)).digest('base64url').repeat(3)}`.slice(0, 200),
    );
    for (const id of ids) await api.append(id, { role: 'user', content: 'hello' });
    const listed: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const { text, data } = await ask(client, 'list_threads', { q: 'long-', cursor }, 2_400);
      const inText = text.split('\n').slice(0, -1);
      expect(inText.map((line) => line.split('\t')[0])).toEqual(data.threads.map(({ id }) => id));
      listed.push(...data.threads.map(({ id }) => id));
      cursor = data.next_cursor ?? undefined;
    }
    expect(listed.sort()).toEqual(ids.sort());
  });
});
