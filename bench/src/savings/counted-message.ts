import {
  countMessage,
  entryOfMessage,
  formats,
  isSystem,
  textOf,
  type MessageCounter,
} from '@spillway/engine';
import type { JsonMessage, Plain } from '@spillway/testing';

/** Characters above which Dawn offloads a result. */
export const dawnThreshold = 40_000;

/** A message with what the rules of other systems look at. */
export interface Counted {
  plain: Plain;
  characters: number;
  /** Tokens of its first ten lines, of a result that was offloaded by characters. */
  tenLines: number;
}

export function countedMessage(body: JsonMessage, counter: MessageCounter): Counted {
  const message = formats.openai.read(body);
  const tokens = countMessage(message, counter);
  const entry = entryOfMessage(message, { seq: 1, tokens, pinned: false, format: 'openai' });
  const role = isSystem(entry) ? 'system' : (entry.role as Plain['role']);
  const plain = { role, tokens, calls: [...entry.calls], answers: entry.answers[0] ?? null };
  const text = textOf(message);
  const isOffloaded = role === 'tool' && text.length > dawnThreshold;
  return {
    plain,
    characters: text.length,
    tenLines: isOffloaded ? counter.text(text.split('\n').slice(0, 10).join('\n')) : 0,
  };
}
