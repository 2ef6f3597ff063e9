import type { Schemas } from '@spillway/client';
import { contentOf, generationOf, headOf, liveOf, type ModelThread } from '../thread-model.js';
import { sameList, type Client } from './request.js';

const textsOf = (messages: readonly unknown[]): string[] =>
  messages
    .map((message) => String((message as { content: unknown }).content))
    // Spillway's own notes, and the summary.
    .filter((text) => !/^(Noted\.$|\[Messages \d+-\d+ are not shown|<conversation_summary)/.test(text));

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
    // Some are left out and others are shortened, which leaves their id. The rest is in order, up to the newest.
    const all = [...before, ...after];
    let at = 0;
    for (const text of texts) {
      const beginning = /^<[^>]+>/.exec(text)?.[0] ?? text;
      at = all.findIndex((content, i) => i >= at && content.startsWith(beginning)) + 1;
      if (at === 0) return false;
    }
    return at === all.length;
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
