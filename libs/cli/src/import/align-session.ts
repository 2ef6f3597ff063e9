import type { ImportedSession } from './imported-session.js';

/** A message of the thread that is not rewound. */
export interface Recorded {
  seq: number;
  id: string | null;
}

/** What an import has to do with a thread. */
export interface Alignment {
  /** How many messages of the file the thread begins with. */
  known: number;
  /** The message to rewind to before the others are posted; null when nothing is in the way. */
  rewindTo: number | null;
  /** How many messages the rewind takes out of the context. */
  gone: number;
  /** How many of these the file does not know in any state. */
  foreign: number;
}

/**
 * Compares a file with what is recorded, by ids. Messages after the common beginning are in the way of new ones: those
 * that the file knows are from an earlier state of the session, for example from a branch that was left.
 */
export function alignSession(
  { messages, otherIds }: Pick<ImportedSession, 'messages' | 'otherIds'>,
  recorded: readonly Recorded[],
): Alignment {
  let known = 0;
  while (known < messages.length && recorded[known]?.id === messages[known]!.id) known++;
  const after = recorded.slice(known);
  // The thread goes on where the file ends: nothing is to be posted.
  if (known === messages.length || after.length === 0) return { known, rewindTo: null, gone: 0, foreign: 0 };
  const own = new Set(messages.map(({ id }) => id));
  const foreign = after.filter(({ id }) => id === null || !(own.has(id) || otherIds.has(id))).length;
  return { known, rewindTo: recorded[known - 1]?.seq ?? 0, gone: after.length, foreign };
}
