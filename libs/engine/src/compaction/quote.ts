/** A person's words in a line of a summary, with whose they are. */
export interface Quote {
  role: string;
  /** Which one of several people it names. */
  participant: string | null;
  words: string;
}

const form = /^(user|system|developer)(?: ([^\s":]{1,64}))?: "(.*)"$/s;

/** Whose words they are: `user`, or `user anna` where several people write. */
export const speakerOf = ({ role, participant }: Pick<Quote, 'role' | 'participant'>): string =>
  participant === null ? role : `${role} ${participant}`;

export const renderQuote = (quote: Quote): string => `${speakerOf(quote)}: "${quote.words}"`;

/** Null of a text that is no quote. */
export function parseQuote(text: string): Quote | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, role, participant = null, words] = match;
  return { role: role!, participant, words: words! };
}
