import type { Schemas } from '@spillway/client';
import { apiOf, loadSamples, rowsOf, startStack, type Api, type Stack } from '@spillway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Preview = Schemas['CompactionPreview'];

let stack: Stack;
let api: Api;
beforeAll(async () => {
  stack = await startStack({ env: { SPILLWAY_POLL_MS: '300' } });
  api = apiOf(stack);
});
afterAll(() => stack?.stop());

const preview = async (id: string, policy?: object) =>
  (await api.call<Preview>('POST', `/v1/threads/${id}/compactions/preview`, policy ? { policy } : {})).body;
const compact = async (id: string, policy?: object) =>
  (
    await api.call<Schemas['CompactionResult']>('POST', `/v1/threads/${id}/compactions`, {
      ...(policy ? { policy } : {}),
      wait_ms: 30_000,
    })
  ).body;

/** The demo's threads, and one with many more turns. */
const threads = loadSamples().filter(({ name }) => !/^(desk-(day|customers)|one-long)/.test(name));
/** What `npm test` previews of them. */
const quick = threads.slice(0, 2).map(({ name }) => name);
const policies: [string, object][] = [
  ['a lower trigger', { context: { trigger_ratio: 0.02 } }],
  ['turns instead of a reserve', { context: { trigger_ratio: 0.02, keep_recent_turns: 1 } }],
  ['a small reserve and a short summary', { context: { trigger_ratio: 0.02, reserve_ratio: 0.005 }, summary: { max_tokens: 300 } }],
  ['cleared tool results', { context: { trigger_ratio: 0.05, keep_tool_results: 1 } }],
]; // prettier-ignore

describe.each(threads.map(({ name, messages }) => [name, messages] as const))('on %s', (name, messages) => {
  const tags = quick.includes(name) ? [] : ['long'];
  test.each(policies)('with %s, what was previewed is what happens', { tags }, async (_what, policy) => {
    const id = `${name}-${policies.findIndex(([, one]) => one === policy)}`;
    await api.createThread({ id, policy: { context: { context_window: 128_000 } } });
    for (let i = 0; i < messages.length; i += 50) await api.append(id, ...messages.slice(i, i + 50));
    const shown = await preview(id, policy);
    expect(shown).toMatchObject({ result: 'would_compact', reason: null });
    const cut = shown.cut!;
    expect((await compact(id, policy)).result).toBe('compacted');
    const summary = (await api.summaries(id)).at(-1)!;
    expect(summary).toMatchObject({ from_seq: cut.from_seq, to_seq: cut.to_seq, carried: cut.carried });
    const [attempt] = await api.compactions(id);
    expect(attempt).toMatchObject({
      from_seq: cut.from_seq,
      to_seq: cut.to_seq,
      tokens_before: shown.tokens_before,
      tokens_after: cut.tokens_kept + summary.tokens,
    });
    // Standing instructions have room of their own beside the summary.
    expect(summary.tokens).toBeLessThanOrEqual(cut.summary_tokens + cut.instruction_tokens);
    const context = await api.context(id);
    const { total } = context.tokens;
    // The note in place of a cleared result is planned with the most it may take.
    if (cut.cleared_results === 0) expect(total).toBe(attempt!.tokens_after);
    else expect(total).toBeLessThanOrEqual(attempt!.tokens_after!);
    const kept = context.parts.filter(({ kind, seq }) => kind === 'recent' && seq !== null);
    expect(new Set(kept.map(({ seq }) => seq)).size).toBe(cut.kept.messages);
  });
});

describe('a preview', () => {
  const [{ name, messages }] = threads as [(typeof threads)[0]];
  const tables = ['threads', 'messages', 'summaries', 'compaction_attempts', 'outputs', 'projects'];
  const everything = async () => {
    const dump: unknown[] = [];
    for (const table of tables) {
      const rows = await rowsOf(stack.databaseUrl, `SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY 1`);
      dump.push(rows);
    }
    return JSON.stringify(dump);
  };

  test('changes nothing in the database', async () => {
    await api.createThread({ id: 'still', policy: { context: { context_window: 128_000 } } });
    await api.append('still', ...messages.slice(0, 40));
    const before = await everything();
    for (const [, policy] of policies) await preview('still', policy);
    await preview('still');
    expect(await everything()).toBe(before);
  });

  test('below the trigger says so, as the call itself does', async () => {
    const id = 'below';
    await api.append(id, { role: 'user', content: 'hello' });
    expect(await preview(id)).toMatchObject({ result: 'below_trigger', cut: null });
    expect((await compact(id)).result).toBe('below_trigger');
  });

  test('with nothing to cut says so and why, as the call itself does', async () => {
    const policy = { context: { trigger_tokens: 5 } };
    const id = 'nothing';
    await api.append(id, { role: 'user', content: 'hello there, how are you today' });
    expect(await preview(id, policy)).toMatchObject({
      result: 'nothing_to_compact',
      reason: 'nothing_to_cut',
      cut: null,
    });
    expect((await compact(id, policy)).result).toBe('nothing_to_compact');
  });

  test.each([
    ['an unknown key', { context: { speed: 1 } }],
    ['a provider that is not configured', { summary: { provider: 'openai' } }],
    ['a reserve above the trigger', { context: { trigger_ratio: 0.1, reserve_ratio: 0.5 } }],
    ['a schema that is none', { summary: { schema: { type: 'string' } } }],
  ])('refuses %s as the call itself does', async (_what, policy) => {
    await api.createThread({ id: `bad-${JSON.stringify(policy).length}` });
    const id = `bad-${JSON.stringify(policy).length}`;
    const [shown, done] = await Promise.all(
      ['/compactions/preview', '/compactions'].map((path) =>
        api.call<Schemas['Problem']>('POST', `/v1/threads/${id}${path}`, { policy }),
      ),
    );
    expect(shown!.status).toBe(422);
    expect(shown!.body.errors).toEqual(done!.body.errors);
  });

  test(`${name} is told which policy applies`, async () => {
    await api.createThread({ id: 'told', policy: { context: { context_window: 50_000 } } });
    const { policy, trigger_tokens: trigger } = await preview('told', { context: { trigger_ratio: 0.5 } });
    expect(policy).toMatchObject({
      context: { context_window: 50_000, trigger_ratio: 0.5, reserve_ratio: 0.1 },
    });
    expect(trigger).toBe(25_000);
  });
});
