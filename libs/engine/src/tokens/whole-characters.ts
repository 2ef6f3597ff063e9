/** Moves a cut past the second half of a surrogate pair. */
export function afterWholeCharacter(text: string, at: number): number {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return at < text.length && low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? at + 1 : at;
}

/** The start of a text, of `max` UTF-16 units or of one more where that would split a character. */
export const startOf = (text: string, max: number): string => text.slice(0, afterWholeCharacter(text, max));
