// @module-tag long
import { formatNames } from '@spillway/engine';
import { extractiveSummarizer } from '@spillway/llm';
import {
  appendMessages,
  compactThread,
  pinMessage,
  readContext,
  serveContext,
  type ReadContext,
  type Runtime,
} from '@spillway/service';
import { readThread } from '@spillway/store';
import { Chance, SimulatedProcess, Tables } from '@spillway/testing/simulation';
import { expect, test } from 'vitest';

const seed = BigInt(process.env.SPILLWAY_SEED ?? 1);
const threads = Number(process.env.SPILLWAY_THREADS ?? 40);
const steps = 50;
const windows = [6_000, 8_000, 16_000];
const projectId = '11111111-1111-4111-8111-111111111111';
console.info(`served contexts of random threads: SPILLWAY_SEED=${seed}`);

/** The service over a database in memory, with nothing that fails. */
function serviceOver(tables: Tables): Runtime {
  const unexpected = (error: unknown) => expect.unreachable(String(error));
  const { rt } = new SimulatedProcess('one', {
    tables,
    policy: { context: { context_window: windows[1]!, response_reserve: 600, counter: 'estimate' } },
    leaseMs: 60_000,
    hints: null,
    ask: (_process, ask) => new Promise((resolve) => resolve(ask.perform())),
    model: () => extractiveSummarizer,
    onDefect: unexpected,
  });
  return rt;
}

const posted = { clientId: null, pinned: false, format: 'openai' as const };
const words = (chance: Chance): string => 'all work and no play '.repeat(5 + chance.below(90));

/** A user's message, or a step of a tool: what was called, and what came of it. */
function nextMessages(chance: Chance, i: number): { role: string; [key: string]: unknown }[] {
  if (chance.happens(0.4)) return [{ role: 'user', content: words(chance) }];
  const ids = Array.from({ length: 1 + chance.below(3) }, (_, n) => `c${i}-${n}`);
  const call = (id: string) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } });
  return [
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: words(chance) })),
  ];
}

test('with usage after every step contexts fit the window by the provider’s count, grow only at their end between compactions, and at=N is what was served for every N', async () => {
  const chance = new Chance(seed);
  let adoptions = 0;
  for (let n = 0; n < threads; n++) adoptions += await liveThrough(chance, `thread-${n}`);
  expect(adoptions).toBeGreaterThan(threads / 4);
});

test('budget_too_small names a budget over the one asked for that is enough, in every format', async () => {
  const chance = new Chance(seed);
  let refused = 0;
  for (let n = 0; n < threads / 4; n++) {
    const tables = new Tables(() => Date.now());
    tables.projects.set(projectId, { id: projectId, settingsVersion: 1, policy: '{}' });
    const rt = serviceOver(tables);
    const of = { projectId, threadId: `tight-${n}` };
    for (let i = 0; i < 4; i++) {
      const bodies = nextMessages(chance, i);
      const messages = bodies.map((body) => ({ ...posted, pinned: body.role === 'user' && i < 2, body }));
      await appendMessages(rt, { ...of, messages });
    }
    for (const format of formatNames) {
      for (let maxTokens = 1; maxTokens < 1_000; maxTokens += 1 + chance.below(40)) {
        const minimum = await minimumOf(readContext(rt, { ...of, format, maxTokens }));
        if (minimum === null) continue;
        refused++;
        const where = `${format}, ${maxTokens} tokens, SPILLWAY_SEED=${seed}`;
        expect(minimum, where).toBeGreaterThan(maxTokens);
        expect(await minimumOf(readContext(rt, { ...of, format, maxTokens: minimum })), where).toBeNull();
      }
    }
  }
  expect(refused).toBeGreaterThan(threads);
});

test('budget_too_small counts what a context puts between pinned messages of the user', async () => {
  const tables = new Tables(() => Date.now());
  tables.projects.set(projectId, { id: projectId, settingsVersion: 1, policy: '{}' });
  const rt = serviceOver(tables);
  const of = { projectId, threadId: 'pinned-in-a-row' };
  const messages = [1, 2, 3].map((n) => ({
    ...posted,
    pinned: true,
    body: { role: 'user', content: `Rule ${n}: never push to main.` },
  }));
  await appendMessages(rt, { ...of, messages });
  let refused = 0;
  const at = (maxTokens: number) => minimumOf(readContext(rt, { ...of, alternate: true, maxTokens }));
  for (let maxTokens = 1; maxTokens < 200; maxTokens++) {
    const minimum = await at(maxTokens);
    if (minimum === null) continue;
    refused++;
    expect(minimum).toBeGreaterThan(maxTokens);
    expect(await at(minimum)).toBeNull();
    // The smallest: its place between two budgets so close is found by halves.
    expect(await at(minimum - 1)).not.toBeNull();
  }
  expect(refused).toBeGreaterThan(30);
});

test('budget_too_small names the smallest budget, also where long messages are shortened to fit', async () => {
  const tables = new Tables(() => Date.now());
  tables.projects.set(projectId, { id: projectId, settingsVersion: 1, policy: '{}' });
  const rt = serviceOver(tables);
  const of = { projectId, threadId: 'shortened' };
  const messages = Array.from({ length: 10 }, (_, i) => ({
    ...posted,
    body: { role: i % 2 ? 'assistant' : 'user', content: `message ${i} ${'lorem ipsum dolor '.repeat(12)}` },
  }));
  await appendMessages(rt, { ...of, messages });
  const at = (maxTokens: number) => minimumOf(readContext(rt, { ...of, maxTokens }));
  let refused = 0;
  for (let maxTokens = 1; maxTokens < 200; maxTokens++) {
    const minimum = await at(maxTokens);
    if (minimum === null) continue;
    refused++;
    expect(await at(minimum)).toBeNull();
    expect(await at(minimum - 1)).not.toBeNull();
  }
  expect(refused).toBeGreaterThan(30);
});

/** What a refusal says is enough; null when there is a context. */
async function minimumOf(reading: Promise<unknown>): Promise<number | null> {
  try {
    await reading;
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: 'budget_too_small' });
    return Number(/(\d+) are enough/.exec((error as Error).message)![1]);
  }
}

/** One life of a thread; gives how often a compaction changed its calibration. */
async function liveThrough(chance: Chance, threadId: string): Promise<number> {
  const tables = new Tables(() => Date.now());
  const project = { id: projectId, settingsVersion: 1, policy: '{}' };
  tables.projects.set(projectId, project);
  const rt = serviceOver(tables);
  const of = { projectId, threadId };
  const truth = 0.5 + chance.random() * 2;
  const post = (body: { role: string }[], usage: object | null = null, fingerprint: string | null = null) =>
    appendMessages(rt, {
      ...of,
      messages: body.map((one) => ({ ...posted, body: one })),
      usage: usage && { usage, fingerprint },
    });
  const served: ReadContext[] = [];
  let pinned = 0;
  const calibrations = new Set<number>();
  for (let i = 0; i < steps; i++) {
    await post(nextMessages(chance, i));
    if (chance.happens(0.7)) await compactThread(rt, of);
    const context = await serveContext(rt, of);
    const before = served.at(-1);
    const where = `${threadId}, step ${i}, SPILLWAY_SEED=${seed}`;
    expect(context.budget.limit, where).toBeLessThanOrEqual(context.budget.contextWindow - 600);
    const row = (await readThread(rt.store.query, projectId, threadId))!;
    calibrations.add(row.calibration);
    // However small the thread is by the time the usage comes, its ratio is that of what was served.
    expect(row.measuredRatio, where).toBeLessThanOrEqual(Math.max(1, truth * 1.01 + 0.02));
    // What was measured holds at once where the provider counts more than what is in force.
    const isKnown = Math.max(row.calibration, row.measuredRatio) >= truth;
    const counted = Math.round(context.tokens.total * truth);
    if (isKnown) expect(counted, where).toBeLessThanOrEqual(context.budget.contextWindow);
    const isSettled = !context.degraded && before && !before.degraded;
    if (isSettled && before.summary?.generation === context.summary?.generation)
      expect(context.messages.slice(0, before.messages.length), where).toEqual(before.messages);
    served.push(context);
    // The thread is compacted, and its settings and pins change, while the model is called.
    if (chance.happens(0.3)) await compactThread(rt, of);
    if (chance.happens(0.2)) {
      if (pinned > 0) await pinMessage(rt, { ...of, seq: pinned, pinned: false });
      pinned = pinned > 0 ? 0 : 1 + chance.below(context.lastSeq);
      if (pinned > 0) await pinMessage(rt, { ...of, seq: pinned, pinned: true });
    }
    if (chance.happens(0.05)) {
      const policy = { context: { context_window: chance.pick(windows), max_images: chance.below(4) } };
      Object.assign(project, {
        policy: JSON.stringify(policy),
        settingsVersion: project.settingsVersion + 1,
      });
    }
    const noise = 0.99 + chance.random() * 0.02;
    const usage = { input_tokens: Math.round(context.tokens.total * truth * noise) };
    const answer = { role: 'assistant', content: words(chance).slice(0, 200) };
    await post([answer], usage, chance.happens(0.5) ? context.fingerprint : null);
  }
  for (const { lastSeq, messages, system, budget, tokens, fingerprint, summary } of served) {
    const again = await readContext(rt, { ...of, at: lastSeq });
    expect(again, `${threadId}, at ${lastSeq}, SPILLWAY_SEED=${seed}`).toMatchObject({
      ...{ lastSeq, messages, system, budget, tokens, fingerprint, served: { exact: true } },
      ...(summary ? { summary: { generation: summary.generation } } : { summary: null }),
    });
  }
  return calibrations.size - 1;
}
