import type { Client } from '@modelcontextprotocol/client';
import { loadCounter, type CountTokens } from '@spillway/engine';
import { apiOf, type Api } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import workspace from '../../package.json' with { type: 'json' };
import { foldOnce } from '../folding-thread.js';
import { callOf, toolResult } from '../tool-calls.js';
import { callTool, kinds, mcpClient } from './mcp-clients.js';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
let count: CountTokens;
let logId: string;
beforeAll(async () => {
  stack = await borrowedStack('readers');
  api = apiOf(stack);
  count = await loadCounter('o200k');
  logId = await foldedThread('work');
});

const log = Array.from({ length: 3_000 }, (_, i) => `${i + 1}: step ${(i * 7919) % 1000} ok`).join('\n');
const policy = { context: { context_window: 16_000, trigger_ratio: 0.4 }, summary: { max_tokens: 300 } };

/** A thread with a call (seq 2), its offloaded result (seq 3) and a fold. Returns the id of the output. */
async function foldedThread(id: string): Promise<string> {
  await api.createThread({ id, policy });
  const posted = await api.append(
    id,
    { role: 'user', content: 'The release is called Walrus. Build it.' },
    { role: 'assistant', content: 'I build it.', tool_calls: [callOf('c1', 'sh', { command: 'make all' })] },
    toolResult('c1', log),
  );
  await foldOnce(api, id);
  await api.append(id, { role: 'user', content: 'What was the release called?' });
  return posted.messages[2]!.output!.id;
}

/** Reads the call that the last line of an answer names, as a model would. */
function nextCall(text: string): { name: string; args: Record<string, unknown> } | null {
  const found = /(?:Next|Earlier): (\w+)\((.*)\)\]$/.exec(text);
  const args = [...(found?.[2] ?? '').matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|[^,]+)/g)];
  return (
    found && {
      name: found[1]!,
      args: Object.fromEntries(args.map(([, k, v]) => [k!, JSON.parse(v!) as unknown])),
    }
  );
}

const readers = ['read_output', 'grep_output', 'outline_output', 'search_history', 'read_message'];

describe.each(kinds)('an MCP client (%s)', (kind) => {
  let client: Client;
  beforeAll(async () => {
    client = await mcpClient(stack, kind);
  });
  afterAll(() => client?.close());
  const call = async (name: string, args: object, maxTokens = 2_000) => {
    const answer = await callTool(client, name, { thread_id: 'work', ...args });
    expect(count(answer.text), name).toBeLessThanOrEqual(maxTokens);
    return answer;
  };

  test('is told what the server is and which tools it has', async () => {
    expect(client.getServerVersion()).toEqual({ name: 'spillway', version: workspace.version });
    expect(client.getInstructions()).toContain('stored aside');
    const { tools } = await client.listTools();
    const names = ['list_threads', 'get_context', 'keep', 'release', ...readers];
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(description, name).toMatch(/^[A-Z].*\.$/s);
      expect(annotations?.readOnlyHint, name).toBe(!['keep', 'release'].includes(name));
      const needsNone = ['list_threads', 'read_output', 'grep_output', 'outline_output'];
      expect(inputSchema.required?.includes('thread_id') ?? false, name).toBe(!needsNone.includes(name));
    }
  });

  test('finds its conversation and what was summarized in it', async () => {
    const { text } = await callTool(client, 'list_threads', { q: 'wor' });
    expect(text).toMatch(/^work\t\d+ messages, summarized/);
    const hit = await call('search_history', { q: 'walrus' });
    expect(hit.text).toContain('[message 1, user]\nThe release is called Walrus. Build it.');
  });

  test('reads a call with its result, and a result with its call', async () => {
    const made = await call('read_message', { seq: 2 });
    expect(made.text).toMatch(/^I build it\./);
    expect(made.text).toContain('[its pair, message 3, tool');
    expect(made.text).toContain(logId);
    const answered = await call('read_message', { seq: 3 });
    expect(answered.text).toContain('[its pair, message 2, assistant]\nI build it.');
    expect(answered.text).toContain('make all');
    expect(answered.text).toMatch(/\[Message 3, tool\. Lines 1-\d+ of \d+\.\]$/);
    expect((await call('read_message', { seq: 1 })).text).not.toContain('its pair');
  });

  test('reads an output of which it knows the id alone, as a stub has it', async () => {
    const { text, isError } = await callTool(client, 'read_output', { id: logId, lines: '1-2' });
    expect(isError, text).toBe(false);
    expect(text).toBe(
      (await call('read_output', { id: logId, lines: '1-2' })).text.replace(/"thread_id":"work",?/, ''),
    );
    const missing = await callTool(client, 'grep_output', { id: `out_${'0'.repeat(32)}`, pattern: 'x' });
    expect(missing).toMatchObject({ isError: true, text: 'Error: No such output.' });
  });

  test('reads a stored output whole, by the calls that the answers name', async () => {
    const lines: string[] = [];
    for (let next: ReturnType<typeof nextCall> = { name: 'read_output', args: { id: logId } }; next;) {
      const { text, isError } = await callTool(client, next.name, { thread_id: 'work', ...next.args });
      expect(isError, text).toBe(false);
      lines.push(
        ...text
          .split('\n')
          .slice(0, -1)
          .map((line) => line.split('\t')[1]!),
      );
      next = nextCall(text);
      // A call is complete as it is written.
      if (next) expect(next.args).toMatchObject({ thread_id: 'work', id: logId });
    }
    expect(lines.join('\n')).toBe(log);
  });

  test('searches and outlines a stored output', async () => {
    const found = await call('grep_output', { id: logId, pattern: '^2999: ' });
    expect(found.text).toMatch(/^2999:2999: step \d+ ok\n\[1 match\.\]$/);
    expect((await call('outline_output', { id: logId })).isError).toBe(false);
  });

  test('sees what the model would be sent, within the tokens it asks for', async () => {
    const context = await api.context('work');
    const { text } = await call('get_context', {});
    expect(text).toMatch(new RegExp(`^\\[summary of messages 1-${context.summary!.to_seq}\\]\n`));
    expect(text).toContain('What was the release called?');
    expect(text).toContain(`The context has ${context.tokens.total} of ${context.budget.limit} tokens.`);
    const short = await call('get_context', { max_tokens: 200 }, 200);
    expect(short.text).toContain('What was the release called?');
    const earlier = nextCall(short.text)!;
    expect(earlier.name).toBe('read_message');
    expect((await callTool(client, earlier.name, earlier.args)).isError).toBe(false);
  });

  test('keeps a message and an output, and takes it back', async () => {
    expect((await call('keep', { seq: 1 })).text).toMatch(/^Messages 1 are kept from the next summary on\./);
    expect((await call('release', { seq: 1 })).text).toMatch(/^Messages 1 are released/);
    // The whole log is more than may be kept.
    const large = await call('keep', { id: logId });
    expect(large).toMatchObject({ isError: true, text: expect.stringContaining('Release others') as string });
  });

  test.each([
    ['an argument that is missing', 'read_message', {}, 'seq'],
    ['an unknown argument', 'search_history', { query: 'x' }, 'query: is not a known field'],
    ['an id that is none', 'read_output', { id: 'x' }, 'id of an output'],
    [
      'an output that does not exist',
      'grep_output',
      { id: `out_${'0'.repeat(32)}`, pattern: 'x' },
      'No such output',
    ],
    ['a message that does not exist', 'read_message', { seq: 900 }, 'no message'],
    ['a pattern that is none', 'grep_output', { id: '', pattern: '(' }, 'id of an output'],
    ['nothing to keep', 'keep', {}, 'Send either seq or id'],
    ['a thread that does not exist', 'get_context', { thread_id: 'nowhere' }, 'list_threads has the ids'],
  ])('with %s is told what to change', async (_what, name, args, expected) => {
    const { text, isError } = await callTool(client, name, { thread_id: 'work', ...args });
    expect({ text, isError }).toEqual({ text: expect.stringContaining(expected) as string, isError: true });
    expect(text).toMatch(/^Error: /);
  });

  test('with an unknown tool is told which there are', async () => {
    await expect(client.callTool({ name: 'rm', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('search_history') as string,
    });
  });

  test('makes 50 calls at once, each of which gets its own answer', async () => {
    const seqs = Array.from({ length: 50 }, (_, i) => (i % 5) + 1);
    const texts = await Promise.all(seqs.map((seq) => call('read_message', { seq })));
    texts.forEach(({ text, isError }, i) => {
      expect(isError, text).toBe(false);
      expect(text).toContain(`[Message ${seqs[i]}, `);
    });
  });

  test('cancels a call and goes on', async () => {
    const abort = new AbortController();
    const args = { thread_id: 'work', q: 'step' };
    const cancelled = client.callTool({ name: 'search_history', arguments: args }, { signal: abort.signal });
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    expect((await call('read_message', { seq: 1 })).text).toContain('Walrus');
  });
});

test('a thread token needs no thread id, and its tools have the names that its stubs use', async () => {
  const renamed = { outputs: { tool_names: { search_history: 'recall', read_output: 'keep' } } };
  await api.call('PUT', '/v1/threads/renamed', { policy: renamed, model: 'gpt-4o' });
  await api.append('renamed', {
    role: 'user',
    content: `The word is xyzzy.\n${'more and more\n'.repeat(2_000)}`,
  });
  const { body } = await api.call<{ token: string }>('POST', '/v1/threads/renamed/tokens', {
    scopes: ['context:read', 'outputs:read', 'messages:write'],
  });
  for (const kind of kinds) {
    const client = await mcpClient({ url: stack.url, key: body.token }, kind);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ['get_context', 'grep_output', 'keep', 'outline_output', 'read_message', 'recall', 'release'].sort(),
    );
    expect(JSON.stringify(tools)).not.toContain('thread_id');
    // The reader tool has the name: stubs use it.
    expect(tools.find(({ name }) => name === 'keep')?.description).toContain('Reads a stored tool output');
    const { text } = await callTool(client, 'recall', { q: 'xyzzy' });
    expect(text).toContain('The word is xyzzy.');
    expect(text).not.toContain('thread_id');
    expect((await callTool(client, 'recall', { q: 'xyzzy', thread_id: 'work' })).isError).toBe(true);
    await client.close();
  }
});
