import { until, type Api, type JsonMessage } from '@spillway/testing';
import { expect } from 'vitest';

/** A policy under which fourteen turns make a thread due. */
export const folding = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300 },
};

/** A text of 200 tokens that states nothing. */
export const filler = 'All work and no play makes a dull thread. '.repeat(20);

interface TurnOptions {
  /** The first word of each message, before its number. Default: `Turn`. */
  topic?: string;
  /** The number of the first message. A message with an odd number is the assistant's. Default: 0. */
  from?: number;
  /** What the first messages begin with, instead of topic and number. */
  first?: readonly string[];
}

/**
 * Messages of a user and an assistant in turn, of about 200 tokens each: `Turn 0. `, `Turn 1. ` and so on, with filler
 * behind.
 */
export const turns = (n: number, { topic = 'Turn', from = 0, first = [] }: TurnOptions = {}): JsonMessage[] =>
  Array.from({ length: n }, (_, i) => ({
    role: (from + i) % 2 ? 'assistant' : 'user',
    content: `${first[i] ?? `${topic} ${from + i}.`} ${filler}`,
  }));

/** Waits until a thread has this generation or a later one and no compaction is due or runs, and returns the thread. */
export const settled = (api: Api, id: string, generation = 0, withinMs?: number) =>
  until(
    `${id} is idle with generation ${generation}`,
    async () => {
      const thread = await api.thread(id);
      return thread.compaction.generation >= generation && thread.compaction.state === 'idle' && thread;
    },
    withinMs,
  );

/** Appends two turns at a time until the thread is folded once more and idle, and returns its newest seq. */
export async function foldOnce(api: Api, id: string): Promise<number> {
  let thread = await api.thread(id);
  const { generation } = thread.compaction;
  for (let from = 0; thread.compaction.generation === generation; from += 2) {
    expect(from).toBeLessThan(80);
    await api.append(id, ...turns(2, { from }));
    thread = await settled(api, id);
  }
  return thread.last_seq;
}

/** Appends turns until the thread is due, waits until a summary of it is proposed, and returns its generation. */
export async function proposedSummary(api: Api, id: string): Promise<number> {
  for (let from = 0; ; from++) {
    const { live_tokens, trigger_tokens } = await api.thread(id);
    if (live_tokens >= trigger_tokens) break;
    await api.append(id, ...turns(1, { from }));
  }
  return until(`a summary of ${id} is proposed`, async () => {
    const { prepared } = (await api.thread(id)).compaction;
    return prepared?.state === 'proposed' && prepared.generation;
  });
}
