import { UsageError } from '../../program/command.js';
import type { ImportedSession } from '../imported-session.js';
import { parseJson } from '../numbers/parse-json.js';
import { checkedSession } from '../sources/checked-session.js';
import { isObject, type JsonObject } from '../sources/json-value.js';
import { refuse } from '../sources/source-file.js';
import type { ReadConversation } from './conversation.js';
import type { Chunks } from './export-chunks.js';
import { jsonElements } from './json-elements.js';
import { isChatgpt, readChatgpt } from './read-chatgpt.js';
import { isClaudeAi, readClaudeAi } from './read-claude-ai.js';

interface Export {
  /** Whether a conversation looks like one of it. */
  is: (value: JsonObject) => boolean;
  read: ReadConversation;
}

const exports: Readonly<Record<string, Export>> = {
  chatgpt: { is: isChatgpt, read: readChatgpt },
  'claude-ai': { is: isClaudeAi, read: readClaudeAi },
};

/** Exports of all conversations of a user: a file has many sessions. */
export const exportNames = Object.keys(exports);

/**
 * The name of the export that a file is, by its first element, or null. A file whose first element cannot be read is
 * none: the readers of other sources say what is wrong with it.
 */
export async function detectExport(name: string, chunks: Chunks): Promise<string | null> {
  try {
    for await (const { text } of jsonElements(name, chunks())) {
      if (!/"(?:mapping|chat_messages)"/.test(text)) return null;
      const { value } = parsed(text);
      return exportNames.find((known) => isObject(value) && exports[known]!.is(value)) ?? null;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  return null;
}

/** Reads the conversations of an export one by one, each from its text alone. Throws `UsageError` with file and line. */
export async function* conversationsOf(
  source: string,
  name: string,
  chunks: Chunks,
): AsyncGenerator<ImportedSession> {
  const { is, read } = exports[source]!;
  for await (const { text, line } of jsonElements(name, chunks())) {
    const { value, reason } = parsed(text);
    if (reason !== undefined) refuse(name, line, `The conversation is not JSON: ${reason}.`);
    const conversation =
      isObject(value) && is(value)
        ? value
        : refuse(name, line, `This is no conversation of an export of ${source}.`);
    yield checkedSession(name, read({ name, value: conversation, line }));
  }
}

/** The value, or the reason why the text is not JSON. */
function parsed(text: string): { value: unknown; reason?: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { value: undefined, reason: (error as Error).message };
  }
}
