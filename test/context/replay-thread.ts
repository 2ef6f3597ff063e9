import { isDeepStrictEqual } from 'node:util';
import { conversationOverhead, countMessage, formats, loadCounter } from '@spillway/engine';
import { providerComplaint, type Api, type JsonMessage, type WireFormat } from '@spillway/testing';
import { expect } from 'vitest';
import { settled } from '../folding-thread.js';

export interface Replayed {
  id: string;
  messages: readonly JsonMessage[];
  format?: WireFormat;
  contextWindow: number;
}

/**
 * Posts a thread message by message, as an agent does, and checks every context: within budget, with the tokens that it
 * says, valid for the provider, equal to what was posted before the first compaction, and growing at its end only.
 * Returns what is wrong.
 */
export async function replayThread(
  api: Api,
  { id, messages, format = 'openai', contextWindow }: Replayed,
): Promise<string[]> {
  await api.createThread({
    id,
    // By default only the newest pictures are sent, and older ones become notes. That rule has tests of its own.
    policy: { context: { context_window: contextWindow, max_images: 100 } },
  });
  const complaints: string[] = [];
  const counter = { text: await loadCounter('o200k'), perMessage: 4 };
  const tokensOf = (shown: readonly unknown[]): number =>
    shown.reduce<number>(
      (sum, body) => sum + countMessage(formats.openai.read(body as JsonMessage), counter),
      conversationOverhead,
    );
  const beside = leadingSystem(messages, format);
  let before: { generation: number; messages: unknown[]; degraded: boolean } | undefined;
  let offloaded = false;
  for (const [i, message] of messages.entries()) {
    const posted = await api.call<{ messages: { output: unknown }[] }>(
      'POST',
      `/v1/threads/${id}/messages?format=${format}`,
      { messages: [message] },
    );
    const read = await api.call<Awaited<ReturnType<Api['context']>>>(
      'GET',
      `/v1/threads/${id}/context?format=${format}`,
    );
    if (posted.status !== 201 || read.status !== 200) {
      complaints.push(`${i + 1}: ${posted.status} ${read.status} ${JSON.stringify(read.body)}`);
      continue;
    }
    offloaded ||= posted.body.messages.some(({ output }) => output !== null);
    const context = read.body;
    const complain = (what: string) => complaints.push(`${i + 1}: ${what}`);
    if (context.tokens.total > context.budget.limit) complain('over budget');
    if (format === 'openai' && tokensOf(context.messages) !== context.tokens.total)
      complain(`says ${context.tokens.total} tokens and has ${tokensOf(context.messages)}`);
    const complaint = providerComplaint(context.messages as JsonMessage[], format);
    if (complaint) complain(complaint);
    const generation = context.summary?.generation ?? 0;
    const untouched = generation === 0 && !offloaded && !context.degraded;
    if (untouched && !isDeepStrictEqual(context.messages, messages.slice(beside.length, i + 1)))
      complain('differs from what was posted');
    if (!beside.slice(0, i + 1).every((text) => context.system?.includes(text)))
      complain('lacks a system message');
    if (before?.generation === generation && !before.degraded && !context.degraded) {
      const start = context.messages.slice(0, before.messages.length);
      if (!isDeepStrictEqual(start, before.messages)) complain('does not continue the context before it');
    }
    before = { generation, messages: context.messages, degraded: context.degraded };
  }
  return complaints;
}

/** The system messages at the start, where a format has them beside its messages. */
function leadingSystem(messages: readonly JsonMessage[], format: WireFormat): string[] {
  if (!formats[format].systemBeside) return [];
  const count = messages.findIndex(({ role }) => role !== 'system');
  return messages.slice(0, count).map(({ content }) => String(content));
}

/** Replays a thread, waits until it is compacted, and checks that its summaries cover it without a gap. */
export async function expectKept(api: Api, thread: Replayed): Promise<void> {
  const { id, messages } = thread;
  expect(await replayThread(api, thread)).toEqual([]);
  await settled(api, id);
  expect(isDeepStrictEqual(await api.originals(id), messages)).toBe(true);
  let next = 1;
  for (const summary of await api.summaries(id)) {
    expect(summary.from_seq).toBe(next);
    next = summary.to_seq + 1;
  }
  const { compaction, last_seq: last } = await api.thread(id);
  expect(compaction.covered_through).toBe(next - 1);
  expect(last).toBe(messages.length);
}
