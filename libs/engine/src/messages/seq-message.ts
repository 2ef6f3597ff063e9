import { withoutProgramText } from './program-text.js';
import { callsOf, resultsOf, textOf, textOfParts, type Message } from './message.js';
import type { Role } from './role.js';

/** A message to summarize. The body of an offloaded output is its stub. */
export interface SeqMessage {
  seq: number;
  /** When it was sent, or else recorded, RFC 3339. */
  at: string | null;
  role: Role;
  name: string | null;
  /** All of its text, with that of its results. */
  text: string;
  /**
   * Its text without that of its results: the words of its sender. A message of the user may have both, and words of a
   * coding agent, which are not the user's.
   */
  speech: string;
  calls: { id: string; name: string; input: string }[];
  /** The calls it answers, with the text of each result. */
  results: { id: string; name: string | null; text: string; isError: boolean }[];
}

export const seqMessage = (seq: number, message: Message, at: Date | null = null): SeqMessage => ({
  seq,
  at: at?.toISOString() ?? null,
  role: message.role,
  name: message.name,
  text: textOf(message),
  speech: speechOf(message),
  calls: callsOf(message).map(({ id, name, input }) => ({ id, name, input })),
  results: resultsOf(message).map(({ callId, name, parts, isError }) => ({
    id: callId,
    name,
    text: textOfParts(parts),
    isError,
  })),
});

function speechOf({ role, parts }: Message): string {
  const spoken = textOfParts(parts.filter(({ type }) => type !== 'result'));
  return role === 'assistant' || role === 'tool' ? spoken : withoutProgramText(spoken);
}
