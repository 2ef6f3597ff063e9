import type { SeqMessage } from '../messages/seq-message.js';
import { oneLine, type Item } from './item.js';

/** What the user asked for, in the user's words: the task is the user's to say. */
export const requestsOf = (messages: readonly SeqMessage[]): Item[] =>
  messages
    .filter((message) => message.role === 'user' && message.text.trim() !== '')
    .map((message) => ({ seq: message.seq, text: `user: "${oneLine(message.text, 320)}"`, weight: 1 }));
