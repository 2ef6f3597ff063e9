import { basename, extname } from 'node:path';
import { UsageError, type Values } from '../program/command.js';
import { textOf } from '../program/option-values.js';
import type { ImportedSession } from './imported-session.js';
import type { SessionFile } from './session-file.js';

/** The thread that `--thread` names, or undefined without it. Throws `UsageError`. */
export function namedThread(options: Values): string | undefined {
  const id = textOf(options, 'thread');
  if (id === undefined || (/^[A-Za-z0-9._:@-]{1,200}$/.test(id) && id !== '.' && id !== '..')) return id;
  throw new UsageError('--thread must be 1-200 characters of A-Z a-z 0-9 . _ : - @, and not . or ..');
}

/** The thread of a session that the caller names none for. */
export const threadIdOf = ({ source, name }: SessionFile, sessionId: string | null): string =>
  `${source}-${sessionId ?? basename(name, extname(name))}`.replace(/[^A-Za-z0-9._:@-]+/g, '-').slice(0, 200);

/** What the API takes as a value of the metadata. */
const metadataText = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, 512)
    .toWellFormed();

/** When the session began is known if its first message says so, and when it ended from the last time in it. */
export function metadataOf(
  source: string,
  { sessionId, title, messages }: ImportedSession,
): Record<string, string> {
  const times = messages.flatMap(({ at }) => at ?? []).sort();
  return {
    imported_from: source,
    ...(sessionId === null ? {} : { imported_session: metadataText(sessionId) }),
    ...(title ? { session_title: metadataText(title) } : {}),
    ...(messages[0]?.at ? { session_began: times[0]! } : {}),
    ...(times.length === 0 ? {} : { session_ended: times.at(-1)! }),
  };
}
