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
    if (wanted === '') return false;
    for (let at = this.text.indexOf(wanted); at >= 0; at = this.text.indexOf(wanted, at + 1)) {
      const end = at + wanted.length;
      const before = isWord(this.text[at - 1]) && isWord(wanted[0]);
      const after = isWord(this.text[end]) && isWord(wanted.at(-1));
      if (!before && !after) return true;
    }
    return false;
  }
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
