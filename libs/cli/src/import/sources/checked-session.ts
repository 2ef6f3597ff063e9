import { UsageError } from '../../program/command.js';
import type {
  ImportedMessage,
  ImportedSession,
  LeftOut,
  ReadMessage,
  ReadSession,
} from '../imported-session.js';
import { exactMessage } from '../numbers/exact-message.js';
import { timeOf } from './message-time.js';

/**
 * A session as it is imported: each id once, and times and numbers as the API takes them. Throws `UsageError` with file
 * and line.
 */
export function checkedSession(name: string, session: ReadSession): ImportedSession {
  const first = new Map<string, number>();
  for (const { id, line } of session.messages) {
    const other = first.get(id);
    if (other !== undefined)
      throw new UsageError(`${name}:${line}: The message has the id of the one in line ${other}: ${id}.`);
    first.set(id, line);
  }
  const now = new Date().toISOString();
  const messages = session.messages.map((read) => ({
    ...timed(read, now, session.leftOut),
    message: exactMessage(read.message, { name, line: read.line }),
  }));
  return { ...session, messages };
}

/** A time that the API would refuse is left out and counted: nobody can repair the log of another program. */
function timed(message: ReadMessage, now: string, leftOut: LeftOut): ImportedMessage {
  const { at: read } = message;
  if (read === null || read === undefined) return { ...message, at: null };
  const at = timeOf(read);
  if (at !== null && at <= now) return { ...message, at };
  leftOut.add(at === null ? 'times that cannot be read' : 'times in the future');
  return { ...message, at: null };
}
