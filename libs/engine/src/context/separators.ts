import { countMessage, type MessageCounter } from '../tokens/count-message.js';
import type { Entry } from '../messages/entry.js';
import { textPart, type Message } from '../messages/message.js';

const assistantSays = (text: string): Message => ({ role: 'assistant', name: null, parts: [textPart(text)] });

/** Inserted between two consecutive messages of the user that a context creates. */
export const separator = assistantSays('Noted.');

/** Inserted between two consecutive messages of the user that were posted so. */
export const postedSeparator = assistantSays('[no answer]');

/** Whether the user speaks in this message, without results in it. */
const isSpeech = (entry: Entry): boolean => entry.role === 'user' && entry.answers.length === 0;

/**
 * Tokens of the separators in a context that starts with a summary and then shows these messages. The summary is a
 * message of the user too. Results without a call, which are shown as notes of the user, are not considered.
 */
export function separatorTokens(shown: readonly Entry[], counter: MessageCounter): number {
  const separated = shown.filter((entry, i) => {
    if (!isSpeech(entry)) return false;
    const before = shown[i - 1];
    return before === undefined || (isSpeech(before) && before.seq + 1 !== entry.seq);
  });
  return separated.length * countMessage(separator, counter);
}
