import { llmSummarizer } from '@spillway/llm';
import { appendMessages, compactThread, restoreSummary, writeSummary } from '@spillway/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStubLlm, type StubLlm } from '@spillway/testing';
import { SimulatedProcess, Tables } from '@spillway/testing/simulation';
import { turns } from '../folding-thread.js';

const projectId = '11111111-1111-4111-8111-111111111111';
const quick = { breakerMs: 50, firstMs: 20, maxMs: 60 };
const summary = { provider: 'openai' as const, model: 'of-unknown-size' };

let stub: StubLlm;
beforeAll(async () => {
  stub = await startStubLlm();
});
afterAll(() => stub.stop());
beforeEach(() => stub.reset());

/** The service over a database in memory, whose summaries are made by the stub. */
function service(policy: object = {}) {
  let ms = 0;
  const tables = new Tables(() => Date.now() + ms);
  const context = { context_window: 8_000, trigger_ratio: 0.3, counter: 'estimate' as const };
  const set = (changed: object) => {
    const version = (tables.projects.get(projectId)?.settingsVersion ?? 0) + 1;
    const stored = JSON.stringify({ context, summary: { ...summary, ...changed } });
    tables.projects.set(projectId, { id: projectId, settingsVersion: version, policy: stored });
  };
  set(policy);
  const { rt } = new SimulatedProcess('one', {
    tables,
    policy: {},
    leaseMs: 60_000,
    hints: null,
    ask: (_process, ask) => new Promise((resolve) => resolve(ask.perform())),
    model: () =>
      llmSummarizer(
        { provider: 'openai-compatible', baseUrl: stub.url, apiKey: 'sk-test', model: null },
        quick,
      ),
    onDefect: (error) => expect.unreachable(String(error)),
  });
  const of = (threadId: string) => ({ projectId, threadId });
  const thread = (id: string) => tables.find(projectId, id)!;
  return {
    set,
    append: (id: string, ...bodies: { role: string; [key: string]: unknown }[]) =>
      appendMessages(rt, {
        ...of(id),
        messages: bodies.map((body) => ({ clientId: null, pinned: false, format: 'openai' as const, body })),
      }),
    compact: (id: string) => compactThread(rt, of(id)),
    /** Until it is compacted, whatever the waits in between. */
    folded: async (id: string) => {
      for (let attempt = 1; attempt <= 10; attempt++) {
        const { kind } = await compactThread(rt, of(id));
        if (kind === 'done') return;
        ms += 120_000;
      }
      expect.unreachable('it was not compacted in ten attempts');
    },
    attempts: (id: string) => thread(id).attempts.map(({ outcome, reason }) => [outcome, reason]),
    last: (id: string) => thread(id).summaries.at(-1)!,
    restore: (id: string, generation: number) => restoreSummary(rt, projectId, id, generation),
    write: (id: string, toSeq: number, fields: Record<string, string>) =>
      writeSummary(rt, { ...of(id), toSeq, fields, keyId: 'k' }),
  };
}

const asked = (i: number) => stub.calls[i]!.prompt;
const seqsIn = (prompt: string) => [...prompt.matchAll(/^\{"seq":(\d+)/gm)].map((m) => Number(m[1]));

test('a tool call without a result is no reason to fail: its continuation gives way to a transcript', async () => {
  const on = service({ model: 'gpt-4o-mini', input: 'continuation' });
  await on.append('open', ...turns(14, { topic: 'apples' }), {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  });
  expect(await on.compact('open')).toMatchObject({ kind: 'done' });
  expect(on.attempts('open')).toEqual([['compacted', null]]);
  expect(seqsIn(asked(0))).toContain(1);
});

const written = {
  task_overview: 'Only the caller knows of the zebra.',
  current_state: '',
  important_discoveries: '',
  next_steps: '',
  context_to_preserve: '',
};

test("a caller's own summary stays known after a fold by code: a model goes on from it", async () => {
  const on = service();
  await on.append('own', ...turns(20, { topic: 'apples' }));
  await on.write('own', 12, written);
  on.set({ provider: 'extractive' });
  await on.append('own', ...turns(12, { topic: 'pears' }));
  await on.folded('own');
  expect(on.last('own')).toMatchObject({ method: 'extractive', fromSeq: 13 });
  on.set({});
  await on.append('own', ...turns(12, { topic: 'plums' }));
  await on.folded('own');
  expect(on.last('own')).toMatchObject({ method: 'llm', fromSeq: 1 });
  expect(asked(0)).toContain('zebra');
  expect(asked(0)).not.toContain('apples 0.');
  const { toSeq } = on.last('own');
  expect(stub.calls.flatMap(({ prompt }) => seqsIn(prompt))).toEqual(
    Array.from({ length: toSeq - 12 }, (_, i) => i + 13),
  );
});

test('also when the fold by code is a copy that a restore made', async () => {
  const on = service({ provider: 'extractive' });
  await on.append('copied', ...turns(20, { topic: 'apples' }));
  await on.write('copied', 12, written);
  await on.append('copied', ...turns(12, { topic: 'pears' }));
  await on.folded('copied');
  await on.append('copied', ...turns(12, { topic: 'plums' }));
  await on.folded('copied');
  await on.restore('copied', 2);
  on.set({});
  await on.append('copied', ...turns(12, { topic: 'figs' }));
  await on.folded('copied');
  expect(on.last('copied')).toMatchObject({ method: 'llm', fromSeq: 1 });
  expect(asked(0)).toContain('zebra');
});

const tooLong = { status: 400, error: 'prompt is too long: 9000 tokens > 8192 maximum' };

test("a message that is larger than the model's window is cut for it, head and tail", async () => {
  const on = service();
  stub.answer = (call) => (JSON.stringify(call.body).length > 30_000 ? tooLong : stub.plain(call));
  const words = 'Lorem ipsum dolor sit amet. '.repeat(3_000);
  await on.append(
    'large',
    { role: 'user', content: `HEAD ${words} TAIL` },
    ...turns(24, { topic: 'apples' }),
  );
  await on.folded('large');
  expect(on.last('large')).toMatchObject({ method: 'llm' });
  expect(on.attempts('large')).toEqual([['compacted', null]]);
  expect(asked(0)).toMatch(/HEAD Lorem.*\\n\[\.\.\. about \d+ tokens not shown \.\.\.\]\\n.* TAIL/);
});

test('so are its results and the inputs of its calls', async () => {
  const on = service();
  stub.answer = (call) => (JSON.stringify(call.body).length > 30_000 ? tooLong : stub.plain(call));
  const input = JSON.stringify({ text: 'To write. '.repeat(6_000) });
  await on.append(
    'call',
    { role: 'user', content: 'Write it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write', arguments: input } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ...turns(24, { topic: 'apples' }),
  );
  await on.folded('call');
  expect(on.attempts('call')).toEqual([['compacted', null]]);
  expect(on.last('call')).toMatchObject({ method: 'llm' });
});

describe('a message that a model cannot summarize costs one fold by code, and later folds go on from it', () => {
  test.each([
    ['it refuses', { content: '', finishReason: 'content_filter' }],
    ['it finds the input too long', tooLong],
    ['its answer cannot be used', { content: 'Sure! Here is what happened.' }],
  ])('%s', async (_, answer) => {
    const on = service();
    stub.answer = (call) => (call.prompt.includes('FORBIDDEN') ? answer : stub.plain(call));
    await on.append(
      'filtered',
      { role: 'user', content: 'FORBIDDEN words.' },
      ...turns(24, { topic: 'apples' }),
    );
    await on.folded('filtered');
    const { toSeq } = on.last('filtered');
    expect(on.last('filtered')).toMatchObject({ method: 'extractive' });
    stub.calls.length = 0;
    stub.answer = stub.plain;
    await on.append('filtered', ...turns(24, { topic: 'pears' }));
    await on.folded('filtered');
    expect(on.last('filtered')).toMatchObject({ method: 'llm', fromSeq: toSeq + 1 });
    expect(asked(0)).toContain('Notes so far');
    expect(asked(0)).not.toContain('apples 0.');
  });
});

test('after an outage a model makes the summary anew from the messages', async () => {
  const on = service({ extractive_after_ms: 1_000 });
  stub.answer = () => ({ status: 500 });
  await on.append('outage', ...turns(24, { topic: 'apples' }));
  await on.folded('outage');
  expect(on.last('outage')).toMatchObject({ method: 'extractive' });
  stub.answer = stub.plain;
  await on.append('outage', ...turns(24, { topic: 'pears' }));
  await on.folded('outage');
  expect(on.last('outage')).toMatchObject({ method: 'llm', fromSeq: 1 });
});

test('time that ran out while a model could not summarize a message is not an outage', async () => {
  const on = service({ extractive_after_ms: 1_000 });
  stub.answer = () => ({ content: 'Sure! Here is what happened.' });
  await on.append('late', ...turns(24, { topic: 'apples' }));
  await on.folded('late');
  const { toSeq } = on.last('late');
  expect(on.attempts('late')).toHaveLength(2);
  stub.answer = stub.plain;
  await on.append('late', ...turns(24, { topic: 'pears' }));
  await on.folded('late');
  expect(on.last('late')).toMatchObject({ method: 'llm', fromSeq: toSeq + 1 });
});

test('a short wait between the parts of a fold is waited for, and no part is asked again', async () => {
  const on = service();
  let failures = 0;
  stub.answer = (call) =>
    seqsIn(call.prompt).includes(1) || failures++ > 0
      ? stub.plain(call)
      : { status: 429, headers: { 'retry-after': '1' } };
  await on.append('parts', ...turns(40, { topic: 'apples' }));
  expect(await on.compact('parts')).toMatchObject({ kind: 'done' });
  expect(on.attempts('parts')).toEqual([['compacted', null]]);
  expect(stub.calls.filter(({ prompt }) => seqsIn(prompt).includes(1))).toHaveLength(1);
});

test('an attempt that paid for parts and then was blocked keeps its row', async () => {
  const on = service();
  const blocked = Promise.withResolvers<void>();
  stub.answer = (call) =>
    call.prompt.includes('pears')
      ? { status: 429, headers: { 'retry-after': '500' } }
      : { ...stub.plain(call), after: blocked.promise };
  await on.append('paid', ...turns(40, { topic: 'apples' }));
  await on.append('other', ...turns(24, { topic: 'pears' }));
  const paid = on.compact('paid');
  await expect.poll(() => stub.calls.length).toBe(1);
  await on.compact('other');
  blocked.resolve();
  expect(await paid).toMatchObject({ kind: 'retry_later' });
  expect(on.attempts('paid')).toEqual([['failed', 'paused']]);
  expect(stub.calls).toHaveLength(2);
});
