import { counted } from '../program/counted.js';
import { terminalLine } from '../program/terminal-text.js';
import type { ImportedSession, LeftOut } from './imported-session.js';
import type { Posted } from './post-session.js';
import type { ListedSession, SessionFile } from './session-file.js';

/** A session as a row of JSON. One without messages has no thread. */
export const rowOf = (
  { source, isExport, others }: SessionFile,
  { sessionId, title = null, messages, leftOut }: ImportedSession,
  thread: string | null,
  posted: Posted | null,
): object => ({
  source,
  ...(others.length > 0 ? { could_be: others } : {}),
  ...(isExport ? { conversation: sessionId, title } : {}),
  thread,
  messages: messages.length,
  ...posted,
  left_out: leftOut.asObject(),
});

export function sentence(
  { source }: SessionFile,
  thread: string,
  { title, messages }: ImportedSession,
  posted: Posted | null,
): string {
  const total = messages.length;
  const named = title ? `${thread} (${terminalLine(title, 60)})` : thread;
  if (!posted) return `${counted(total, 'message')} of ${source} would be recorded in the thread ${named}.`;
  const parts = [
    `Recorded ${posted.recorded} of ${counted(total, 'message')} of ${source} in the thread ${named}`,
    ...(posted.known > 0 ? [`already there: ${posted.known}`] : []),
    ...(posted.rewound > 0 ? [`rewound, of an earlier state: ${posted.rewound}`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** The lines after the last session. */
export function totals(
  { isExport, source, others }: SessionFile,
  chosen: readonly ListedSession[],
  leftOut: LeftOut,
  conflicts: number,
): string[] {
  const empty = chosen.filter(({ messages }) => messages === 0).length;
  const left = leftOut.asText();
  const counts = [
    counted(chosen.length, 'conversation'),
    ...(empty > 0 ? [`${empty} without messages`] : []),
    ...(conflicts > 0 ? [`not imported, because the thread has other messages: ${conflicts}`] : []),
  ];
  return [
    ...(isExport ? [`${counts.join('; ')}.`] : []),
    ...(left === '' ? [] : [`Left out: ${left}.`]),
    ...(others.length > 0
      ? [`Read as ${source}: text alone looks the same in ${others.join(', ')}. --from names another source.`]
      : []),
  ];
}
