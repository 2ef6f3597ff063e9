import { apiOf, until, type Api } from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { filler, settled, turns } from '../folding-thread.js';
import { callOf, toolCall, toolResult } from '../tool-calls.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const policy = {
  context: { context_window: 8_000, trigger_ratio: 0.3, reserve_ratio: 0.02 },
  summary: { max_tokens: 400 },
};

interface Sent {
  role: string;
  content: string | null;
  tool_call_id?: string;
  tool_calls?: { id: string }[];
}
const sent = async (id: string) => (await api.context(id)).messages as unknown as Sent[];

/** What every provider asks for: results directly after the message with their calls, each call once and answered. */
function expectValid(messages: readonly Sent[]): void {
  const open = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      expect(open.delete(message.tool_call_id!), `message ${i} answers a call before it`).toBe(true);
      continue;
    }
    expect([...open], `calls before message ${i} are answered`).toEqual([]);
    for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  if (messages.at(-1)?.role === 'tool') expect([...open]).toEqual([]);
}

/** Folds until the thread's summary covers this message. */
async function foldPast(id: string, seq: number, ...more: object[]): Promise<void> {
  for (let i = 0; i < 20; i++) {
    await api.append(id, ...(more.length > 0 ? more : turns(2)));
    const { compaction } = await settled(api, id);
    expectValid(await sent(id));
    if (compaction.covered_through >= seq) return;
  }
  throw new Error(`message ${seq} was not folded`);
}

test('a call without a result is named by the summary that covers it, and the context stays valid', async () => {
  await api.createThread({ id: 'orphan', policy });
  await api.append(
    'orphan',
    { role: 'user', content: 'Look up the order, please.' },
    toolCall('lost', 'find_order', { order: 'W-2378156' }),
    // The agent went on without it.
    { role: 'assistant', content: 'I could not reach the shop; I will try again later.' },
  );
  await foldPast('orphan', 3);
  const [notes] = await sent('orphan');
  expect(notes!.content).toContain('no result yet: find_order({"order":"W-2378156"})');
  const all = JSON.stringify(await sent('orphan'));
  expect(all).not.toContain('"lost"');
});

test('a call that waits for a person stays through folds, with what the user says meanwhile', async () => {
  await api.createThread({ id: 'approval', policy });
  await api.append('approval', ...turns(8), { role: 'user', content: 'Cancel it.' });
  const { messages } = await api.append('approval', toolCall('asked', 'cancel_order', { order: 'W-99' }));
  const { seq } = messages[0]!;
  const { covered_through: before } = (await api.thread('approval')).compaction;
  for (let i = 0; i < 4; i++)
    await api.append('approval', { role: 'user', content: `Anything new? ${filler}` });
  const { compaction } = await until('it is folded', async () => {
    const thread = await api.thread('approval');
    return thread.compaction.state === 'idle' && thread.compaction.covered_through > before && thread;
  });
  expect(compaction.covered_through).toBeLessThan(seq);
  const waiting = await sent('approval');
  expectValid(waiting);
  expect(waiting.some((message) => message.tool_calls?.[0]?.id === 'asked')).toBe(true);

  // The person approves: the result joins its call.
  await api.append('approval', toolResult('asked', 'Cancelled, 624 refunded.'));
  const after = await sent('approval');
  expectValid(after);
  const at = after.findIndex((message) => message.tool_calls?.[0]?.id === 'asked');
  expect(after[at + 1]).toMatchObject({ role: 'tool', tool_call_id: 'asked' });
  expect(after[at + 1]!.content).toContain('624 refunded');
});

test('a result that comes after its call was folded is a note in a valid context, and search finds it', async () => {
  await api.createThread({ id: 'late', policy });
  await api.append(
    'late',
    { role: 'user', content: 'Start the report.' },
    toolCall('job', 'start_report', { quarter: 'Q3' }),
    { role: 'assistant', content: 'The report runs; I go on meanwhile.' },
  );
  await foldPast('late', 3);
  const { messages } = await api.append(
    'late',
    toolResult('job', 'The report is at s3://reports/q3-8812.csv'),
  );
  const late = await sent('late');
  expectValid(late);
  const note = late.find((message) => message.content?.includes('q3-8812.csv'));
  expect(note).toMatchObject({ role: 'user' });
  expect(note!.content).toContain('came late');
  for (const format of ['anthropic', 'responses', 'ai-sdk']) {
    const shown = await api.context('late', `?format=${format}`);
    expect(JSON.stringify(shown.messages)).toContain('q3-8812.csv');
  }

  // Folded itself, the summary says it, or one search does.
  await foldPast('late', messages[0]!.seq);
  const [summary] = await sent('late');
  expect(summary!.content).toContain('q3-8812');
  expect(summary!.content).not.toContain('no result yet: start_report');
  const found = await api.call<{ data: { seq: number }[] }>('GET', '/v1/threads/late/search?q=q3-8812.csv');
  expect(found.body.data.map(({ seq }) => seq)).toContain(messages[0]!.seq);
});

const fields = {
  task_overview: 'Run it.',
  current_state: '',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
};

interface Item {
  type: string;
  id?: string;
  call_id?: string;
  tool_use_id?: string;
}
interface Program {
  begins: object;
  calls: (n: number) => object;
  results: (n: number) => object;
  ends: object;
  /** Ids of the programs that begin and end among these items. */
  begun: (items: readonly Item[]) => (string | undefined)[];
  ended: (items: readonly Item[]) => (string | undefined)[];
}

const ofType = (type: string, id: 'id' | 'call_id' | 'tool_use_id') => (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === type ? [item[id]] : []));
const byAssistant = (...content: object[]) => ({ role: 'assistant', content });
const claudes = { type: 'code_execution_20250825', tool_id: 'prog_1' };
const openais = { type: 'program', caller_id: 'prog_1' };

const programs: Record<string, Program> = {
  anthropic: {
    begins: byAssistant({
      type: 'server_tool_use',
      id: 'prog_1',
      name: 'code_execution',
      input: { code: filler },
    }),
    calls: (n) =>
      byAssistant({ type: 'tool_use', id: `call_${n}`, name: 'rows', input: {}, caller: claudes }),
    results: (n) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `call_${n}`, content: filler.repeat(3) }],
    }),
    ends: byAssistant({
      type: 'code_execution_tool_result',
      tool_use_id: 'prog_1',
      content: { type: 'code_execution_result', stdout: '42', stderr: '', return_code: 0, content: [] },
    }),
    begun: ofType('server_tool_use', 'id'),
    ended: ofType('code_execution_tool_result', 'tool_use_id'),
  },
  responses: {
    begins: { type: 'program', id: 'pr_1', call_id: 'prog_1', code: filler, fingerprint: 'ZnA' },
    calls: (n) => ({
      type: 'function_call',
      call_id: `call_${n}`,
      name: 'rows',
      arguments: '{}',
      caller: openais,
    }),
    results: (n) => ({
      type: 'function_call_output',
      call_id: `call_${n}`,
      output: filler.repeat(3),
      caller: openais,
    }),
    ends: { type: 'program_output', id: 'po_1', call_id: 'prog_1', result: '42', status: 'completed' },
    begun: ofType('program', 'call_id'),
    ended: ofType('program_output', 'call_id'),
  },
};

test.each(Object.entries(programs))(
  'a program of the provider stays with what it called: %s',
  async (format, of) => {
    const id = `program-${format}`;
    await api.createThread({ id, policy });
    const append = async (...messages: object[]) => {
      await api.call('POST', `/v1/threads/${id}/messages?format=${format}`, { messages });
      await settled(api, id);
      const { messages: shown } = await api.context(id, `?format=${format}`);
      const items = (shown as unknown as Item[]).flatMap((message) => {
        const { content } = message as { content?: unknown };
        return Array.isArray(content) ? (content as Item[]) : [message];
      });
      expect(of.begun(items)).toEqual(expect.arrayContaining(of.ended(items)));
      return of.begun(items);
    };
    await append(...turns(6), { role: 'user', content: 'Run it.' });
    // It runs: the output may be the next message.
    expect(await append(of.begins, of.calls(1), of.results(1))).toEqual(['prog_1']);
    const begins = 8;
    const coveredThrough = async () => (await api.thread(id)).compaction.covered_through;
    for (let n = 2; (await coveredThrough()) === 0; n++)
      expect(await append(of.calls(n), of.results(n))).toEqual(['prog_1']);
    expect(await coveredThrough()).toBeLessThan(begins);
    // It ended: no cut separates what it called from it.
    expect(await append(of.ends)).toEqual(['prog_1']);
    const ends = (await api.thread(id)).last_seq;
    await append({ role: 'user', content: 'Thanks.' });
    const cut = { fields, to_seq: begins };
    const refused = await api.call<{ detail?: string }>('POST', `/v1/threads/${id}/summaries`, cut);
    expect(refused.body.detail ?? '').toContain(`messages ${begins} to ${ends} belong together`);
    await append(byAssistant({ type: format === 'responses' ? 'output_text' : 'text', text: filler }));
    for (let i = 0; i < 8; i++) await append(...turns(2));
    expect(await coveredThrough()).toBeGreaterThan(14);
  },
);

test('results that take the room until the model answered leave the thread idle, and are summarized once it did', async () => {
  const id = 'large-step';
  // Half of the trigger has to be reclaimed, and the results of one step take most of it.
  const context = { ...policy.context, trigger_ratio: 0.5, min_reclaim_ratio: 0.5 };
  await api.createThread({ id, policy: { ...policy, context } });
  const names = ['orders', 'items', 'payments'];
  const calls = names.map((name) => callOf(name, 'read_schema', { name }));
  await api.append(
    id,
    { role: 'user', content: 'Compare these schemas, please.' },
    { role: 'assistant', content: null, tool_calls: calls },
    ...names.map((name) => toolResult(name, filler.repeat(7))),
  );
  const thread = await until('it was looked at', async () => {
    const { body } = await api.call<{ data: { outcome: string }[] }>('GET', `/v1/threads/${id}/compactions`);
    return body.data.some(({ outcome }) => outcome !== null) && (await api.thread(id));
  });
  expect(thread.live_tokens).toBeGreaterThan(thread.trigger_tokens);
  expect(thread.compaction).toMatchObject({ state: 'idle', generation: 0 });
  await api.append(id, { role: 'assistant', content: 'They have nothing in common.' });
  await until('it is summarized', async () => (await api.thread(id)).compaction.covered_through === 5);
  expectValid(await sent(id));
});
