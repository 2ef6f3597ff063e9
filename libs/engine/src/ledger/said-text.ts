/**
 * A text that is asked what it says verbatim. Line breaks count as spaces, and a value only where it stands for
 * itself: `T12` is not said by `T123`.
 */
export class SaidText {
  private readonly text: string;

  constructor(text: string) {
    this.text = flat(text);
  }

  says(value: string): boolean {
    const wanted = flat(value);
    return wanted !== '' && says(this.text, wanted);
  }
}

/** Tells whether a text says a value where it stands for itself. */
export function says(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const before = isWord(text[at - 1]) && isWord(value[0]);
    const after = isWord(text[end]) && isWord(value.at(-1));
    if (!before && !after) return true;
  }
  return false;
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
