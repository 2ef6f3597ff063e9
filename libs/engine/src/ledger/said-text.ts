import { onOneLine } from '../compaction/summary-line.js';

/**
 * A text that is asked what it says verbatim. Line breaks count as spaces, and a value only where it stands for
 * itself: `T12` is not said by `T123`.
 */
export class SaidText {
  private readonly text: string;

  constructor(text: string) {
    this.text = onOneLine(text);
  }

  says(value: string): boolean {
    const wanted = onOneLine(value);
    return wanted !== '' && says(this.text, wanted);
  }
}

/** Questions after which an index of the text pays. */
const fewQuestions = 20;

/**
 * The same for a text as it was written, with its line breaks. It may be asked for very many values: an index of its
 * words answers most questions without a search of the text.
 */
export class IndexedText {
  private questions = 0;
  /** Where each word of the text stands first, once it was asked often. */
  private firsts: ReadonlyMap<string, number> | undefined;

  constructor(private readonly text: string) {}

  says(value: string): boolean {
    if (++this.questions <= fewQuestions) return says(this.text, value);
    this.firsts ??= firstsIn(this.text);
    let from = 0;
    // Where a value stands for itself, so does each of its words.
    for (const { 0: word, index } of value.matchAll(words)) {
      const first = this.firsts.get(word);
      if (first === undefined) return false;
      from = Math.max(from, first - index);
    }
    return says(this.text, value, from);
  }
}

const words = /\w+/g;

function firstsIn(text: string): Map<string, number> {
  const firsts = new Map<string, number>();
  for (const { 0: word, index } of text.matchAll(words)) if (!firsts.has(word)) firsts.set(word, index);
  return firsts;
}

/** Tells whether a text says a value where it stands for itself, from a position on. */
export function says(text: string, value: string, from = 0): boolean {
  for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const before = isWord(text[at - 1]) && isWord(value[0]);
    const after = isWord(text[end]) && isWord(value.at(-1));
    if (!before && !after) return true;
  }
  return false;
}

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
