import type { ReadSession } from '../imported-session.js';
import type { JsonObject } from '../sources/json-value.js';
import { refuse } from '../sources/source-file.js';

/** A conversation of an export. */
export interface Conversation {
  /** The file. */
  name: string;
  value: JsonObject;
  /** Where it begins in the file: its messages have no lines of their own there. */
  line: number;
}

/** Reads a conversation of one kind of export. Throws `UsageError` with file and line. */
export type ReadConversation = (conversation: Conversation) => ReadSession;

/** Throws `UsageError` that names file, line and conversation: a whole export is often on one line. */
export const refuseConversation = ({ name, line }: Conversation, id: string | null, what: string): never =>
  refuse(name, line, id === null ? what : `In the conversation ${id}: ${what}`);
