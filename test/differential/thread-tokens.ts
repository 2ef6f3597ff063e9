import {
  countMessage,
  entryOfMessage,
  formats,
  isSystem,
  resultsOf,
  type Entry,
  type MessageCounter,
} from '@spillway/engine';
import type { JsonMessage, Plain, Trajectory } from '@spillway/testing';

export interface PlainThread {
  name: string;
  /** The same messages for our engine. */
  entries: Entry[];
  messages: Plain[];
}

/** What a tool result costs once it is offloaded, as all of these systems do above some thousand tokens. */
const stubTokens = 700;
const offloadAbove = 3_000;

/** Counts the messages of threads in OpenAI's format once, so that both sides see the same numbers. */
export function plainThreads(
  threads: readonly Trajectory[],
  counter: MessageCounter,
  keep: (message: JsonMessage) => boolean = () => true,
): PlainThread[] {
  return threads.map(({ name, messages }) => {
    const entries = messages.filter(keep).map((body, i) => {
      const message = formats.openai.read(body);
      const counted = countMessage(message, counter);
      const tokens = resultsOf(message).length > 0 && counted > offloadAbove ? stubTokens : counted;
      return entryOfMessage(message, { seq: i + 1, tokens, pinned: false, format: 'openai' });
    });
    return {
      name,
      entries,
      messages: entries.map((entry) => ({
        role: isSystem(entry) ? 'system' : (entry.role as Plain['role']),
        tokens: entry.tokens,
        calls: [...entry.calls],
        answers: entry.answers[0] ?? null,
      })),
    };
  });
}
