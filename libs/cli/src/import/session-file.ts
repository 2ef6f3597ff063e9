import { UsageError, type Option } from '../program/command.js';
import { conversationsOf, detectExport, exportNames } from './exports/exports.js';
import { chunksOf, wholeOf } from './exports/export-chunks.js';
import type { ImportedSession } from './imported-session.js';
import { readSource } from './sources/source-file.js';
import { detectSource, readSession, sourceNames } from './sources/sources.js';

/** A file with one session, or an export with all conversations of a user. */
export interface SessionFile {
  name: string;
  source: string;
  isExport: boolean;
  /** Sources that the file may be of as well: nothing in it tells them apart. */
  others: readonly string[];
  /** Reads the sessions in the order of the file, an export from its start with each call. */
  sessions: () => AsyncIterable<ImportedSession> | Iterable<ImportedSession>;
}

export const sourceOption: Option = {
  type: 'string',
  choices: [...sourceNames, ...exportNames],
  summary: 'The source. Default: recognized by its content.',
};

/** Opens a file and finds out its source. Throws `UsageError`. */
export async function openSessions(name: string, from: string | undefined): Promise<SessionFile> {
  const chunks = await chunksOf(name);
  const found = from === undefined ? await detectExport(name, chunks) : from;
  if (found !== null && exportNames.includes(found))
    return {
      name,
      source: found,
      isExport: true,
      others: [],
      sessions: () => conversationsOf(found, name, chunks),
    };
  const file = readSource(name, await wholeOf(chunks));
  const { name: source, others } = found === null ? detectSource(file) : { name: found, others: [] };
  const session = readSession(source, file);
  return { name, source, isExport: false, others, sessions: () => [session] };
}

/** A session of a file, without its messages. */
export interface ListedSession {
  sessionId: string | null;
  title: string | null;
  messages: number;
}

/**
 * The sessions that a call means: all, or the one with an id or a title. `check` sees each of these whole. Throws
 * `UsageError` for none, and for a title of several.
 */
export async function chooseSessions(
  file: SessionFile,
  wanted: string | undefined,
  check: (session: ImportedSession) => void = () => undefined,
): Promise<ListedSession[]> {
  if (wanted !== undefined && !file.isExport)
    throw new UsageError(
      `${file.name} has one session. --conversation is for exports of ${exportNames.join(' and ')}.`,
    );
  const chosen: ListedSession[] = [];
  for await (const session of file.sessions()) {
    const { sessionId, title = null, messages } = session;
    if (wanted !== undefined && sessionId !== wanted && title !== wanted) continue;
    check(session);
    chosen.push({ sessionId, title, messages: messages.length });
  }
  if (wanted === undefined) {
    if (chosen.length === 0) throw new UsageError(`${file.name} has no conversations.`);
    return chosen;
  }
  // An id says more than a title that looks like it.
  const exact = chosen.filter(({ sessionId }) => sessionId === wanted);
  const found = exact.length > 0 ? exact : chosen;
  if (found.length === 1) return found;
  throw new UsageError(
    found.length === 0
      ? `${file.name} has no conversation with the id or the title ${JSON.stringify(wanted)}.`
      : `${file.name} has ${found.length} conversations with the title ${JSON.stringify(wanted)}. --conversation takes an id: ${found.map(({ sessionId }) => sessionId).join(', ')}.`,
  );
}

/** The one session that a call means. Throws `UsageError` for none, and for several. */
export async function onlySession(file: SessionFile, wanted: string | undefined): Promise<ImportedSession> {
  const chosen = await chooseSessions(file, wanted);
  if (chosen.length > 1)
    throw new UsageError(
      `${file.name} has ${chosen.length} conversations. --conversation names one by id or title.`,
    );
  for await (const session of file.sessions()) {
    if (session.sessionId !== chosen[0]!.sessionId) continue;
    if (session.messages.length === 0)
      throw new UsageError(`${file.name} has no messages in this conversation.`);
    return session;
  }
  throw new UsageError(`${file.name} was changed while it was read.`);
}
