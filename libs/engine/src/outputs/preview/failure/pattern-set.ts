import { requiredWords } from './required-words.js';

/**
 * Many patterns that are looked for in many lines. A line is read once for the words that matches contain, and only
 * patterns whose word stands there are tried: of a hundred patterns a usual line has the words of a few.
 */
export class PatternSet {
  /** Built when it is first asked, because most processes never are. */
  private words: WordFinder | undefined;

  constructor(private readonly patterns: readonly RegExp[]) {}

  /** The number of the first pattern that matches; -1 when none does. */
  first(line: string): number {
    this.words ??= new WordFinder(this.patterns.map(requiredWords));
    const candidates = this.words.candidates(line);
    for (let part = 0; part < candidates.length; part++) {
      for (let bits = candidates[part]!; bits !== 0; bits &= bits - 1) {
        const number = 32 * part + 31 - Math.clz32(bits & -bits);
        if (this.patterns[number]!.test(line)) return number;
      }
    }
    return -1;
  }
}

/**
 * Aho and Corasick's automaton: finds words of which one may be part of another, in one step for each character. Sets of
 * patterns are bits, 32 to a number.
 */
class WordFinder {
  /** Of an ASCII character, whose case does not count. 0: no word has it. */
  private readonly classOf = new Uint8Array(128);
  private classes = 1;
  /** The next state by state and class of character. State 0 is the start. */
  private readonly next: Uint16Array;
  /** How many numbers a set of patterns takes. */
  private readonly size: number;
  /** The patterns with a word that ends in a state, by state. */
  private readonly endsIn: Uint32Array;
  /** Whether there are any. */
  private readonly isEnd: Uint8Array;
  /** The patterns that say no words. */
  private readonly always: Uint32Array;
  private readonly found: Uint32Array;

  constructor(wordsOf: readonly (readonly string[] | null)[]) {
    this.size = Math.ceil(wordsOf.length / 32);
    this.always = new Uint32Array(this.size);
    this.found = new Uint32Array(this.size);
    wordsOf.forEach((words, pattern) => {
      if (words === null) this.always[pattern >> 5]! |= 1 << (pattern & 31);
    });
    const words = wordsOf.flatMap((some, pattern) => (some ?? []).map((word) => ({ word, pattern })));
    for (const { word } of words) for (const char of word) this.addClass(char);
    const states = 1 + words.reduce((sum, { word }) => sum + word.length, 0);
    this.next = new Uint16Array(states * this.classes);
    this.endsIn = new Uint32Array(states * this.size);
    this.isEnd = new Uint8Array(states);
    this.addWords(words);
    this.addFallbacks(states);
  }

  /** The patterns that may match a line. The same array each time. */
  candidates(line: string): Uint32Array {
    const { next, classes, classOf, isEnd, endsIn, size, found } = this;
    found.set(this.always);
    let state = 0;
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      state = next[state * classes + (code < 128 ? classOf[code]! : 0)]!;
      if (isEnd[state] !== 0) for (let j = 0; j < size; j++) found[j]! |= endsIn[state * size + j]!;
    }
    return found;
  }

  private addClass(char: string): void {
    const code = char.charCodeAt(0);
    if (this.classOf[code] !== 0) return;
    this.classOf[code] = this.classOf[char.toUpperCase().charCodeAt(0)] = this.classes++;
  }

  /** A tree of the words: words that begin alike share their first states. */
  private addWords(words: readonly { word: string; pattern: number }[]): void {
    let last = 0;
    for (const { word, pattern } of words) {
      let state = 0;
      for (const char of word) {
        const at = state * this.classes + this.classOf[char.charCodeAt(0)]!;
        state = this.next[at] ||= ++last;
      }
      this.isEnd[state] = 1;
      this.endsIn[state * this.size + (pattern >> 5)]! |= 1 << (pattern & 31);
    }
  }

  /** Where a word goes on with no such character, the longest end of what was read that begins another word does. */
  private addFallbacks(states: number): void {
    const fallback = new Uint16Array(states);
    const queue = [0];
    for (let at = 0; at < queue.length; at++) {
      const state = queue[at]!;
      for (let c = 0; c < this.classes; c++) {
        const place = state * this.classes + c;
        const child = this.next[place]!;
        const other = state === 0 ? 0 : this.next[fallback[state]! * this.classes + c]!;
        if (child === 0) {
          this.next[place] = other;
          continue;
        }
        fallback[child] = other;
        this.isEnd[child]! |= this.isEnd[other]!;
        for (let j = 0; j < this.size; j++)
          this.endsIn[child * this.size + j]! |= this.endsIn[other * this.size + j]!;
        queue.push(child);
      }
    }
  }
}
