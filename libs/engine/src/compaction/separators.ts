import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { Entry } from '../messages/entry.js';
import { textPart, type Message } from '../messages/message.js';

const assistantSays = (text: string): Message => ({ role: 'assistant', name: null, parts: [textPart(text)] });

/** Stands between two messages of the user that a context puts in a row. */
export const separator = assistantSays('Noted.');

/** Stands between two messages of the user that were posted in a row. */
export const postedSeparator = assistantSays('[no answer]');

/** Does the user speak in this message, without bringing results? */
const isSpeech = (entry: Entry): boolean => entry.role === 'user' && entry.answers.length === 0;

/**
 * Tokens of the separators in a context that starts with a summary and then shows these messages. The summary is a
 * message of the user too. Results without a call, which are shown as the user's words, are not looked for.
 */
export function separatorTokens(shown: readonly Entry[], counter: MessageCounter): number {
  const separated = shown.filter((entry, i) => {
    if (!isSpeech(entry)) return false;
    const before = shown[i - 1];
    return before === undefined || (isSpeech(before) && before.seq + 1 !== entry.seq);
  });
  return separated.length * countMessage(separator, counter);
}
