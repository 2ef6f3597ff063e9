import type { SessionEntry } from './sdk.js';

/** A message of Anthropic with the id of the session's line, by which it is recorded once. */
export interface SessionMessage {
  id: string;
  role: string;
  content: string | object[];
}

interface Line extends SessionEntry {
  uuid: string;
  message: { id?: string; role: string; content: string | object[]; model?: string };
}

/**
 * Returns the conversation in lines of a session file. An answer has a line for each of its blocks; they are one message
 * again. Lines of subagents, summaries of the program's own compactions and notices of the program are left out.
 */
export function messagesOf(entries: readonly SessionEntry[]): SessionMessage[] {
  const messages: SessionMessage[] = [];
  let answerId: string | undefined;
  for (const { uuid, message } of entries.filter(isSpoken)) {
    const { id, role, content } = message;
    const last = messages.at(-1);
    if (role === 'assistant' && id !== undefined && id === answerId && last)
      messages[messages.length - 1] = { id: uuid, role, content: [...blocksOf(last), ...blocksOf(message)] };
    else messages.push({ id: uuid, role, content });
    answerId = role === 'assistant' ? id : undefined;
  }
  return messages;
}

/** The model of the newest answer. */
export const modelOf = (entries: readonly SessionEntry[]): string | undefined =>
  entries.filter(isSpoken).findLast(({ message }) => message.role === 'assistant')?.message.model;

function isSpoken(entry: SessionEntry): entry is Line {
  const { type, uuid, isSidechain, isCompactSummary, isApiErrorMessage } = entry;
  const { model, content } = (entry.message ?? {}) as Partial<Line['message']>;
  const speaks = (type === 'user' || type === 'assistant') && uuid !== undefined && content !== undefined;
  const isOwn = isCompactSummary === true || isApiErrorMessage === true || model === '<synthetic>';
  return speaks && content.length > 0 && isSidechain !== true && !isOwn;
}

const blocksOf = ({ content }: { content: string | object[] }): object[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
