import { apiOf, rowsOf, until, type Api } from '@spillway/testing';
import type { Schemas } from '@spillway/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { borrowedStack, type BorrowedStack } from '../borrowed-stack.js';
import { settled } from '../folding-thread.js';

let stack: BorrowedStack;
let api: Api;
beforeAll(async () => {
  stack = await borrowedStack('whole');
  api = apiOf(stack);
});

type Context = Schemas['Context'];
type Appended = Schemas['MessagesAppended'];

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const filler = 'all work and no play '.repeat(60);
const talk = (n: number, from = 0) =>
  Array.from({ length: n }, (_, i) => ({
    role: (from + i) % 2 ? 'assistant' : 'user',
    content: `${from + i}. ${filler}`,
  }));
const post = async (id: string, body: object): Promise<Appended> => {
  const answer = await api.call<Appended>('POST', `/v1/threads/${id}/messages`, body);
  expect(answer.status).toBe(201);
  return answer.body;
};
const answer = { role: 'assistant', content: 'Done.' };
/** What a model is sent, and the numbers beside it. */
const sent = ({ messages, system, tokens, budget, summary, last_seq, fingerprint }: Context) => ({
  ...{ messages, system, tokens, budget, summary, last_seq, fingerprint },
});

describe('at=N', () => {
  test('is what was served last at N, whatever changed since, and says so', async () => {
    const policy = { context: { context_window: 8_000 } };
    await api.createThread({ id: 'past', system: 'Be brief.', model: 'gpt-4o', policy });
    await api.append('past', ...talk(4));
    await api.context('past');
    const other = await api.context('past', '?format=anthropic&max_tokens=3000&system=Be%20kind.');
    await api.append('past', ...talk(4, 4));
    const plain = await api.context('past');
    const fingerprint = plain.fingerprint;
    const usage = { input_tokens: plain.tokens.total * 2 };
    await post('past', { messages: [answer], usage, fingerprint });

    const changed = { system: 'Be long.', model: 'gpt-4', policy: { context: { context_window: 5_000 } } };
    expect((await api.call('PATCH', '/v1/threads/past', changed)).status).toBe(200);
    await api.append('past', ...talk(12, 9));
    await settled(api, 'past', 1);
    await api.call('POST', '/v1/threads/past/summaries/1/restore');

    const again = await api.context('past', '?at=8');
    expect(sent(again)).toEqual(sent(plain));
    expect(again).toMatchObject({ last_seq: 8, system: 'Be brief.', served: { exact: true } });
    const otherAgain = await api.context('past', '?at=4');
    expect(sent(otherAgain)).toEqual(sent(other));
    expect(otherAgain).toMatchObject({ format: 'anthropic', served: { exact: true } });
    // With another prompt it is the same context, and not what was served to the letter.
    const rude = await api.context('past', '?at=4&system=Be%20rude.');
    expect(rude).toMatchObject({ format: 'anthropic', system: 'Be rude.', served: { exact: false } });
  });

  test('is what was served after messages were pinned and unpinned, also where not all of them fitted', async () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
    const policy = { context: { context_window: 12_000, max_images: 0 }, summary: { enabled: false } };
    await api.createThread({ id: 'pins', policy });
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, image], pinned: true },
      ...talk(40, 1),
    ];
    await post('pins', { messages });
    const before = await api.context('pins');
    expect(before).toMatchObject({ degraded: true, last_seq: 41 });
    const pin = async (seq: number, pinned: boolean) => {
      const answer = await api.call('PATCH', `/v1/threads/pins/messages/${seq}`, { pinned });
      expect(answer.status).toBe(200);
    };
    await pin(1, false);
    await pin(2, true);
    await post('pins', { messages: [answer] });
    const after = await api.context('pins');
    expect(after.messages.slice(0, 2)).not.toEqual(before.messages.slice(0, 2));
    await pin(2, false);
    for (const context of [before, after]) {
      const again = await api.context('pins', `?at=${context.last_seq}`);
      expect(sent(again)).toEqual(sent(context));
      expect(again.served).toMatchObject({ exact: true });
    }
  });

  test('where nothing was served is what would have been, with its own last_seq', async () => {
    await api.append('unserved', ...talk(6));
    const context = await api.context('unserved', '?at=3');
    expect(context).toMatchObject({ last_seq: 3, served: null });
    expect(context.messages).toHaveLength(3);
    // A look at the past is no context that was served.
    expect((await api.context('unserved', '?at=3')).served).toBeNull();
  });

  test('shows nothing that was erased since, and an erased thread leaves nothing of what was served', async () => {
    await api.createThread({ id: 'gone', system: 'My number is 4711.' });
    await api.append('gone', { role: 'user', content: 'The secret is 42.' }, ...talk(1, 1));
    await api.context('gone');
    await api.call('DELETE', '/v1/threads/gone/messages/1');
    const context = await api.context('gone', '?at=2');
    expect(JSON.stringify(context.messages)).not.toContain('42');
    expect(context.served).toMatchObject({ exact: false });

    expect((await api.call('DELETE', '/v1/threads/gone')).status).toBe(204);
    const left = await rowsOf<{ n: number }>(
      stack.databaseUrl,
      `SELECT count(*)::int AS n FROM served_prompts WHERE text LIKE '%4711%'`,
    );
    expect(left[0]!.n).toBe(0);
  });
});

describe('usage', () => {
  const usages: [string, (tokens: number) => object][] = [
    [
      'openai',
      (n) => ({ prompt_tokens: n, completion_tokens: 9, total_tokens: n + 9, prompt_tokens_details: null }),
    ],
    [
      'responses',
      (n) => ({ input_tokens: n, input_tokens_details: { cached_tokens: n - 5 }, output_tokens: 9 }),
    ],
    [
      'anthropic',
      (n) => ({ input_tokens: 5, cache_read_input_tokens: n - 9, cache_creation_input_tokens: 4 }),
    ],
    ['ai-sdk', (n) => ({ inputTokens: n, inputTokenDetails: { noCacheTokens: 5 }, outputTokens: 9 })],
  ];
  test.each(usages)('of %s is taken as the provider gave it', async (name, usageOf) => {
    const id = `usage-${name}`;
    await api.append(id, ...talk(5));
    const context = await api.context(id);
    const usage = usageOf(context.tokens.total * 2);
    const { usage: outcome } = await post(id, {
      messages: [answer],
      usage,
      fingerprint: context.fingerprint,
    });
    expect(outcome).toEqual({ applied: true });
    expect((await api.thread(id)).measured_ratio).toBeCloseTo(2, 1);
  });

  test('that fits no context that was served, or says nonsense, is ignored, and the message is recorded', async () => {
    await api.append('odd', ...talk(5));
    const { fingerprint } = await api.context('odd');
    const outcomes = [
      [{ usage: 'a lot', fingerprint }, 'not_understood'],
      [{ usage: { input_tokens: 2_000 }, fingerprint: 'another' }, 'no_served_context'],
      [{ usage: { input_tokens: 2_000 } }, 'no_served_context'],
      [{ usage: { input_tokens: 900_000 }, fingerprint }, 'implausible'],
      [{ usage: { input_tokens: 3, fingerprint } }, 'implausible'],
    ] as const;
    for (const [posted, reason] of outcomes) {
      const { usage } = await post('odd', { messages: [answer], ...posted });
      expect(usage, reason).toEqual({ applied: false, reason });
    }
    expect(await api.thread('odd')).toMatchObject({ calibration: 1, measured_ratio: 1, last_seq: 10 });
    expect((await post('odd', { messages: [answer] })).usage).toBeNull();
  });

  test('moves no limit before a compaction, never past the window, and a compaction during the call changes nothing', async () => {
    const policy = { context: { context_window: 16_000 } };
    await api.createThread({ id: 'steady', policy });
    const soon = { context: { trigger_ratio: 0.1, reserve_ratio: 0.02 } };
    await api.append('steady', ...talk(20));
    const context = await api.context('steady');
    const { limit } = context.budget;
    // The compaction commits while the model is called: the usage is that of the larger context.
    await api.call('POST', '/v1/threads/steady/compactions', { policy: soon });
    await settled(api, 'steady', 1);
    const usage = { input_tokens: Math.round(context.tokens.total * 1.003) };
    await post('steady', { messages: [answer], usage, fingerprint: context.fingerprint });
    expect(await api.thread('steady')).toMatchObject({ calibration: 1, limit_tokens: limit });
    expect((await api.thread('steady')).measured_ratio).toBeCloseTo(1, 1);

    // A provider that counts far less, with a context that was asked for small.
    for (let i = 0; i < 4; i++) {
      const small = await api.context('steady', '?max_tokens=2000');
      const less = { input_tokens: Math.round(small.tokens.total * 0.5) };
      await post('steady', { messages: [answer], usage: less, fingerprint: small.fingerprint });
    }
    expect((await api.context('steady')).budget).toMatchObject({ limit, context_window: 16_000 });
    await api.append('steady', ...talk(20, 30));
    await api.call('POST', '/v1/threads/steady/compactions', { policy: soon });
    await settled(api, 'steady', 2);
    const thread = await api.thread('steady');
    expect(thread.calibration).toBeLessThan(1);
    expect(thread.calibration).toBe(thread.measured_ratio);
    expect(thread.limit_tokens).toBe(limit);
  });

  test('of a provider that counts more makes a compaction due, and its contexts fit before and after', async () => {
    await api.createThread({ id: 'more', policy: { context: { context_window: 16_000 } } });
    await api.append('more', ...talk(20));
    const before = await api.context('more');
    const count = (context: Context) => context.tokens.total * 2.4;
    const usage = { input_tokens: Math.round(count(before)) };
    await post('more', { messages: [answer], usage, fingerprint: before.fingerprint });
    expect(count(await api.context('more'))).toBeLessThanOrEqual(16_000);
    await settled(api, 'more', 1);
    const thread = await api.thread('more');
    expect(thread.calibration).toBeCloseTo(2.4, 1);
    const after = await api.context('more');
    expect(after.budget.limit).toBe(thread.limit_tokens);
    expect(count(after)).toBeLessThanOrEqual(16_000);
  });
});

test('a change of the window weighs a thread again: one that could not shrink is at rest, one with a huge message is due', async () => {
  const other = apiOf({ url: stack.url, key: await stack.addProject('weights') });
  const policy = (context_window: number) => ({ context: { context_window, response_reserve: 500 } });
  await other.call('PUT', '/v1/policy', policy(4_000));
  const pinned = { role: 'user', content: `Never forget. ${filler}`, pinned: true };
  await other.append('stuck', ...Array.from({ length: 12 }, () => pinned));
  const state = (id: string, wanted: string) =>
    until(`${id} is ${wanted}`, async () => {
      const thread = await other.thread(id);
      return thread.compaction.state === wanted && thread;
    });
  await state('stuck', 'parked');
  // One message of about 9,000 tokens weighs no more than half of the limit.
  await other.append('pasted', { role: 'user', content: filler.repeat(30) });
  const small = (await other.thread('pasted')).live_tokens;
  expect(small).toBeLessThan(2_000);

  await other.call('PUT', '/v1/policy', policy(100_000));
  expect(await state('stuck', 'idle')).toMatchObject({ context_window: 100_000 });
  await other.context('pasted');
  const thread = await other.thread('pasted');
  expect(thread).toMatchObject({ context_window: 100_000 });
  expect(thread.live_tokens).toBeGreaterThan(2 * small);

  await other.call('PATCH', '/v1/threads/pasted', { policy: policy(4_000) });
  expect((await other.thread('pasted')).live_tokens).toBe(small);
});
