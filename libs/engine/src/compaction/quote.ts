import { speakerName, type Speaker } from '../messages/participant.js';

/** A person's words in a line of a summary, and who said them. */
export interface Quote extends Speaker {
  words: string;
}

const form = /^(user|system|developer)(?: ([^\s":]{1,64}))?: "(.*)"$/s;

export const renderQuote = (quote: Quote): string => `${speakerName(quote)}: "${quote.words}"`;

/** Null of a text that is no quote. */
export function parseQuote(text: string): Quote | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, role, participant = null, words] = match;
  return { role: role!, participant, words: words! };
}
