import type { ReadMessage } from '../imported-session.js';
import { idFromPosition, idFromSource } from './message-id.js';
import type { JsonObject } from './json-value.js';
import { takeTime } from './message-time.js';
import { refuse, type SourceFile } from './source-file.js';

type Complain = (message: JsonObject) => string | null;

/** Says what is wrong with content that is neither a text nor a list, which every format refuses. */
export const wrongContent: Complain = ({ content }) =>
  typeof content === 'string' || Array.isArray(content)
    ? null
    : 'The content must be a text or a list of parts.';

/**
 * Reads a file whose entries are messages with a role. `complain` says what else is wrong with one, or null. Throws for
 * a role that is not in `roles`, and names the line.
 */
export const listedMessages = (
  { name, entries }: SourceFile,
  roles: readonly string[],
  complain: Complain,
): ReadMessage[] =>
  entries.map(({ value, line }, i) => {
    if (typeof value.role !== 'string' || !roles.includes(value.role))
      return refuse(
        name,
        line,
        `The role is ${JSON.stringify(value.role)}. It must be one of ${roles.join(', ')}.`,
      );
    const complaint = complain(value);
    if (complaint !== null) return refuse(name, line, complaint);
    const { id: own, ...timed } = value;
    // With the time, as ids were made before times were read: a file that was imported then goes on.
    const id = typeof own === 'string' ? idFromSource(own) : idFromPosition(i, timed);
    const { time, message } = takeTime(timed);
    return { id, message, line, at: time };
  });
