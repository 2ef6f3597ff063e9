import type { Schemas } from '@spillway/client';
import { contentOf, generationOf, headOf, liveOf, type ModelThread } from '../thread-model.js';
import { sameList, type Client } from './request.js';

const textsOf = (messages: readonly unknown[]): string[] =>
  messages
    .map((message) => String((message as { content: unknown }).content))
    // Spillway's own note between two messages of the user, and the summary.
    .filter((text) => text !== 'Noted.' && !text.startsWith('<conversation_summary'));

/** Whether these messages are all of the thread after a seq, with some of those before it ahead of them. */
export function shows(
  thread: Pick<ModelThread, 'messages'>,
  messages: readonly unknown[],
  coveredThrough: number,
  isWhole: boolean,
): boolean {
  const texts = textsOf(messages);
  const live = liveOf(thread);
  const after = live.filter(({ seq }) => seq > coveredThrough).map(contentOf);
  const before = live.filter(({ seq }) => seq <= coveredThrough).map(contentOf);
  if (!isWhole) {
    let at = 0;
    const all = [...before, ...after];
    return texts.every((text) => (at = all.indexOf(text, at) + 1) > 0 || text.length > 0);
  }
  const carried = texts.slice(0, texts.length - after.length);
  return sameList(texts.slice(carried.length), after) && carried.every((text) => before.includes(text));
}

/** Whether a context is that of the thread as the model knows it. */
export function showsThread(
  of: ModelThread,
  { summary, last_seq, messages, degraded }: Schemas['Context'],
  { strict }: Client,
): boolean {
  const covered = summary?.to_seq ?? 0;
  const isKnown =
    !strict ||
    ((summary?.generation ?? 0) === of.active && covered === (generationOf(of, of.active)?.to ?? 0));
  return last_seq === headOf(of) && isKnown && shows(of, messages, covered, !degraded);
}
