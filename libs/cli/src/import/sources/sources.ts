import { UsageError } from '../../program/command.js';
import type { ImportedSession, ReadSession } from '../imported-session.js';
import { checkedSession } from './checked-session.js';
import { isAnthropic, readAnthropic } from './read-anthropic.js';
import { isClaudeCode, readClaudeCode } from './read-claude-code.js';
import { isCodex, readCodex } from './read-codex.js';
import { isLanggraph, readLanggraph } from './langgraph/read-langgraph.js';
import { isOpenai, readOpenai } from './read-openai.js';
import { isPi, readPi } from './read-pi.js';
import { isAiSdk, readAiSdk } from './read-ai-sdk.js';
import { isResponses, readResponses } from './read-responses.js';
import type { SourceFile } from './source-file.js';
import { sourcesLike } from './text-alone.js';

interface Source {
  /** Whether the content looks like it. */
  is(file: SourceFile): boolean;
  /** Throws `UsageError` with file and line. */
  read(file: SourceFile): ReadSession;
}

/** The sources in the order in which their content is recognized: those that others resemble come last. */
const sources: Readonly<Record<string, Source>> = {
  'claude-code': { is: isClaudeCode, read: readClaudeCode },
  codex: { is: isCodex, read: readCodex },
  pi: { is: isPi, read: readPi },
  langgraph: { is: isLanggraph, read: readLanggraph },
  responses: { is: isResponses, read: readResponses },
  'ai-sdk': { is: isAiSdk, read: readAiSdk },
  anthropic: { is: isAnthropic, read: readAnthropic },
  openai: { is: isOpenai, read: readOpenai },
};

export const sourceNames = Object.keys(sources);

/** The source whose form a file has, and others that have the same form. Throws `UsageError` for none. */
export function detectSource(file: SourceFile): { name: string; others: string[] } {
  const name = sourceNames.find((known) => sources[known]!.is(file));
  if (name !== undefined) return { name, others: sourcesLike(name, file) };
  const first = file.entries[0]?.value;
  if (first?.type === 'thread' && 'last_seq' in first)
    throw new UsageError(
      `${file.name} is an export of Spillway, which import does not read: it reads those by "export --as". ` +
        '"backup" and "restore" keep a thread as it is.',
    );
  throw new UsageError(
    `${file.name} has the form of no known source. --from names one: ${sourceNames.join(', ')}.`,
  );
}

/** Reads a session. Throws `UsageError`, also for one without messages. */
export function readSession(source: string, file: SourceFile): ImportedSession {
  const session = checkedSession(file.name, sources[source]!.read(file));
  if (session.messages.length === 0) throw new UsageError(`${file.name} has no messages.`);
  return session;
}
