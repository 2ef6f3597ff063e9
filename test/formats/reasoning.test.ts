import {
  apiOf,
  checkRequest,
  providerComplaint,
  signThinking,
  until,
  type Api,
  type JsonMessage,
} from '@spillway/testing';
import { beforeAll, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

const words = (n: number) => 'lorem ipsum dolor '.repeat(n);
const anthropic = '?format=anthropic';
const post = async (id: string, ...messages: object[]) => {
  const answer = await api.call('POST', `/v1/threads/${id}/messages${anthropic}`, { messages });
  expect(answer.status).toBe(201);
};
const thinking = (signature: string, call?: string) => ({
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'I think.', signature },
    { type: 'text', text: words(30) },
    ...(call ? [{ type: 'tool_use', id: call, name: 'run', input: {} }] : []),
  ],
});
const result = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: words(40) }],
});

/** One turn of an agent: reads its context, is checked as its provider would, and answers with signed thinking. */
async function turn(id: string, model: string, call?: string) {
  const context = await api.context(id, `${anthropic}&model=${model}`);
  const messages = context.messages as JsonMessage[];
  const request = { messages, system: context.system, model, thinking: true };
  expect(checkRequest('anthropic', request), `${id} at ${context.last_seq}`).toBeNull();
  await post(id, thinking(signThinking(model, { system: context.system, messages }), call));
  return context;
}

test('signed reasoning survives folds, tool loops and a switch of models', async () => {
  // The whole thread fits, so that nothing depends on how soon a worker folds it.
  const policy = { context: { context_window: 16_000, response_reserve: 1_000, trigger_tokens: 3_000 } };
  await api.createThread({ id: 'signed', policy, system: 'Be brief.' });
  let kept = 0;
  for (let i = 0; i < 12; i++) {
    await post('signed', { role: 'user', content: `step ${i} ${words(20)}` });
    const model = i < 9 ? 'claude-a' : 'claude-b';
    for (const call of [`call_${i}_1`, `call_${i}_2`]) {
      kept += (await turn('signed', model, call)).reasoning.kept;
      await post('signed', result(call));
    }
    const last = await turn('signed', model);
    if (i === 9) expect(last.reasoning.why).toContain('other_model');
  }
  expect(kept).toBeGreaterThan(10);
  await until('it was folded', async () => (await api.thread('signed')).compaction.generation > 0);

  const strip = await api.context('signed', `${anthropic}&reasoning=strip`);
  expect(strip.reasoning).toMatchObject({ kept: 0, why: ['asked'] });
  expect(JSON.stringify(strip.messages)).not.toContain('thinking');
  const keep = await api.context('signed', `${anthropic}&reasoning=keep`);
  expect(keep.reasoning).toMatchObject({ stripped: 0, why: [] });
});

test('a fold in the middle of a tool loop waits for its end', async () => {
  const policy = { context: { context_window: 8_000, response_reserve: 1_000 } };
  await api.createThread({ id: 'loop', policy });
  await post('loop', { role: 'user', content: `start ${words(100)}` });
  await turn('loop', 'claude-a');
  await post('loop', { role: 'user', content: `go on ${words(100)}` });
  await turn('loop', 'claude-a', 'call_1');
  await post('loop', result('call_1'));
  const low = { policy: { context: { trigger_tokens: 300, reserve_ratio: 0 } }, wait_ms: 20_000 };
  const fold = await api.call<{ result: string }>('POST', '/v1/threads/loop/compactions', low);
  expect(fold.body.result).toBe('compacted');
  const inLoop = await turn('loop', 'claude-a');
  expect(inLoop).toMatchObject({ summary: null, reasoning: { kept: 2, stripped: 0 } });
  await post('loop', { role: 'user', content: 'and now?' });
  const after = await turn('loop', 'claude-a');
  expect(after.summary).toMatchObject({ generation: 1 });
  expect(after.reasoning).toMatchObject({ kept: 0, why: ['prefix_changed'] });
  await until('the thread is idle', async () => (await api.thread('loop')).compaction.state === 'idle');
});

test('a fold does not wait for the end of a tool loop where the provider counts more than would fit', async () => {
  const policy = { context: { context_window: 8_000, response_reserve: 1_000 } };
  await api.createThread({ id: 'counted', policy, model: 'claude-a' });
  await post('counted', { role: 'user', content: `start ${words(600)}` });
  await turn('counted', 'claude-a');
  await post('counted', { role: 'user', content: `go on ${words(50)}` });
  await turn('counted', 'claude-a', 'call_1');
  await post('counted', result('call_1'));
  const low = { policy: { context: { trigger_tokens: 300, reserve_ratio: 0 } }, wait_ms: 20_000 };
  const fold = await api.call<{ result: string }>('POST', '/v1/threads/counted/compactions', low);
  expect(fold.body.result).toBe('compacted');

  const { summary, tokens, budget, fingerprint, messages, system } = await api.context(
    'counted',
    `${anthropic}&model=claude-a`,
  );
  expect(summary).toBeNull();
  const answer = thinking(
    signThinking('claude-a', { system, messages: messages as JsonMessage[] }),
    'call_2',
  );
  const usage = { input_tokens: Math.round(budget.limit / 0.9), output_tokens: 9 };
  const posted = { messages: [answer], usage, fingerprint };
  const recorded = await api.call('POST', `/v1/threads/counted/messages${anthropic}`, posted);
  expect(recorded.body).toMatchObject({ usage: { applied: true } });
  await post('counted', result('call_2'));
  const after = await api.context('counted', `${anthropic}&model=claude-a`);
  expect(after.tokens.total).toBeLessThanOrEqual(tokens.total * 0.9);
  expect(after).toMatchObject({ summary: { generation: 1 }, budget: { limit: budget.limit } });
  expect(after.reasoning.why).toContain('prefix_changed_in_tool_loop');
});

test('a loop that outgrows its budget before it is folded loses its reasoning, and the context says so', async () => {
  await api.createThread({ id: 'outgrown' });
  await post('outgrown', { role: 'user', content: `before ${words(200)}` });
  await turn('outgrown', 'claude-a');
  await post('outgrown', { role: 'user', content: 'go' });
  await turn('outgrown', 'claude-a', 'call_1');
  await post('outgrown', result('call_1'));
  const { tokens, reasoning } = await turn('outgrown', 'claude-a', 'call_2');
  expect(reasoning).toMatchObject({ kept: 2, stripped: 0 });
  await post('outgrown', result('call_2'));
  const over = await api.context('outgrown', `${anthropic}&model=claude-a&max_tokens=${tokens.total}`);
  expect(over).toMatchObject({ degraded: true, reasoning: { kept: 0 } });
  expect(over.reasoning.why).toContain('prefix_changed_in_tool_loop');
  expect(JSON.stringify(over.messages)).not.toContain('thinking');
});

test('a changed system prompt takes the reasoning that was made under the old one', async () => {
  await api.createThread({ id: 'system', system: 'Be brief.' });
  await post('system', { role: 'user', content: 'go' });
  await turn('system', 'claude-a');
  await post('system', { role: 'user', content: 'on' });
  await api.call('PATCH', '/v1/threads/system', { system: 'Be long.' });
  expect((await turn('system', 'claude-a')).reasoning).toEqual({
    kept: 0,
    stripped: 1,
    why: ['prefix_changed'],
  });
});

test('a context whose calls become notes without their reasoning is still within the tokens asked for', async () => {
  await api.createThread({ id: 'notes', model: 'gpt-a', policy: { context: { context_window: 20_000 } } });
  const turns = [1, 2, 3, 4, 5].flatMap((n) => [
    { role: 'user', content: `look ${n}` },
    { type: 'reasoning', id: `rs_${n}`, summary: [] },
    { type: 'computer_call', id: `cu_${n}`, call_id: `call_${n}`, action: { type: 'screenshot' } },
    {
      type: 'computer_call_output',
      call_id: `call_${n}`,
      output: { type: 'computer_screenshot', image_url: 'https://example.com/a.png' },
    },
  ]);
  await api.call('POST', '/v1/threads/notes/messages?format=responses', { messages: turns });
  const own = await api.context('notes', '?format=responses&model=gpt-a');
  const { total } = own.tokens;
  expect(own.reasoning).toMatchObject({ kept: 5, stripped: 0 });
  const other = '?format=responses&model=gpt-b';
  expect((await api.context('notes', other)).tokens.total).toBeGreaterThan(total);

  const within = await api.context('notes', `${other}&max_tokens=${total}`);
  expect(within.tokens.total).toBeLessThanOrEqual(total);
  expect(within).toMatchObject({ degraded: true, budget: { limit: total } });
  expect((await api.context('notes', `${other}&max_tokens=${total}`)).fingerprint).toBe(within.fingerprint);
  expect(providerComplaint(within.messages as JsonMessage[], 'responses')).toBeNull();
});
