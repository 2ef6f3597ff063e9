import { until, type Api } from '@spillway/testing';
import { expect } from 'vitest';

/** A policy under which a few long turns fill the window. */
export const folding = {
  context: { context_window: 8_000, trigger_ratio: 0.3 },
  summary: { max_tokens: 300 },
};

/** Appends turns until the thread is folded once more, and returns its newest seq. */
export async function fold(api: Api, id: string): Promise<number> {
  const { generation } = (await api.thread(id)).compaction;
  for (let turn = 0; (await api.thread(id)).compaction.generation === generation; turn++) {
    const long = `Turn ${turn}. ${'All work and no play makes a dull thread. '.repeat(20)}`;
    await api.append(id, { role: 'user', content: long }, { role: 'assistant', content: 'Yes.' });
    await until('it is settled', async () => (await api.thread(id)).compaction.state === 'idle');
    expect(turn).toBeLessThan(30);
  }
  return (await api.thread(id)).last_seq;
}
