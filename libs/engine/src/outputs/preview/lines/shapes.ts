/** Characters of a line that make its shape. */
const shapedLength = 200;
/** Buckets in which words are counted: words that share one count as more frequent than they are, which does no harm. */
const buckets = 1 << 16;

/**
 * The shapes of lines: numbers, paths, quoted values and rare words become classes, so that lines that one statement
 * printed have one shape. Lines are read once, for shapes of any fineness.
 */
export class LineShapes {
  /** The parts of all lines, one after the other. */
  private parts = new Int32Array(4_096);
  /** Where the parts of each line end. */
  private readonly ends: Uint32Array;
  /** How often words come, by bucket. */
  private readonly counts = new Uint32Array(buckets);
  private filled = 0;

  constructor(lines: readonly string[]) {
    this.ends = new Uint32Array(lines.length);
    let length = 0;
    const add = (part: number): void => {
      if (length === this.parts.length) this.parts = grown(this.parts);
      this.parts[length++] = part;
      if (part > 0) this.counts[part & (buckets - 1)]!++;
    };
    lines.forEach((line, i) => {
      if (line !== '') this.filled++;
      scan(line, add);
      this.ends[i] = length;
    });
  }

  /**
   * The shape of each line, as a number. A word stands for itself when more than `wordShare` of the lines hold it; the
   * coarsest shapes, with a share of 1, hold no words at all. `kinds` keeps lines apart that say things of other kinds.
   */
  of(kinds: ArrayLike<number>, wordShare: number): Int32Array {
    const least = wordShare < 1 ? Math.max(3, this.filled * wordShare) : Infinity;
    const shapes = new Int32Array(this.ends.length);
    let at = 0;
    for (let i = 0; i < shapes.length; i++) {
      let hash = Math.imul(kinds[i]! + 1, prime);
      let last = 0;
      for (const end = this.ends[i]!; at < end; at++) {
        const part = this.parts[at]!;
        const what = part > 0 && this.counts[part & (buckets - 1)]! < least ? wordClass : part;
        // Classes that follow each other are a list, whose length says nothing.
        if (what === last && what <= 0) continue;
        hash = Math.imul(hash ^ what, prime);
        hash ^= hash >>> 13;
        last = what;
      }
      shapes[i] = hash;
    }
    return shapes;
  }

  /** How many words of each line hardly any other line has: what no statement prints again and again. */
  rareWords(): Uint8Array {
    const rare = new Uint8Array(this.ends.length);
    let at = 0;
    for (let i = 0; i < rare.length; i++) {
      let found = 0;
      for (const end = this.ends[i]!; at < end; at++) {
        const part = this.parts[at]!;
        if (part > 0 && this.counts[part & (buckets - 1)]! <= rareCount) found++;
      }
      rare[i] = Math.min(found, maxRareWords);
    }
    return rare;
  }
}

/** A word that comes so often at most is rare; a line with more of them than are counted is no rarer. */
const rareCount = 2;
export const maxRareWords = 15;

function grown(parts: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * parts.length);
  larger.set(parts);
  return larger;
}

const prime = 0x01000193;
/** Classes are not positive; hashes of words are. */
const wordClass = 0;
const numberClass = -1;
const quotedClass = -2;
const pathClass = -3;
const signs = -1_000;

/** Calls with each part of a line in order: the hash of a word, or a class. Blanks separate and are no part. */
function scan(line: string, see: (part: number) => void): void {
  const end = Math.min(line.length, shapedLength);
  let at = 0;
  let sign = 0;
  while (at < end) {
    const code = line.charCodeAt(at);
    if (code === 32 || code === 9) {
      at++;
      continue;
    }
    if ((code === doubleQuote || code === quote || code === backtick) && closes(line, at, end)) {
      see(quotedClass);
      at = line.indexOf(line[at]!, at + 1) + 1;
      sign = 0;
      continue;
    }
    if (!isWordCode(code)) {
      // A ruler or a bar is one sign, however long.
      if (code !== sign) see(signs - code);
      sign = code;
      at++;
      continue;
    }
    sign = 0;
    let digits = 0;
    let joints = 0;
    const from = at;
    let to = at;
    for (; at < end; at++) {
      const next = line.charCodeAt(at);
      if (isWordCode(next)) {
        if (next >= 48 && next <= 57) digits++;
        to = at + 1;
      } else if (isJoint(next)) joints++;
      else break;
    }
    // What ends a word is a sign of the sentence, not a part of the word.
    joints -= at - to;
    if (digits === to - from) see(numberClass);
    else if (digits > 0 || joints > 0) see(pathClass);
    else see(wordHash(line, from, to));
    for (let i = to; i < at; i++) {
      const code = line.charCodeAt(i);
      if (code !== sign) see(signs - code);
      sign = code;
    }
  }
}

/** Positive, so that it is no class. */
function wordHash(line: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ line.charCodeAt(i), prime);
  return (hash ^ (hash >>> 16)) & 0x7fffffff || 1;
}

function closes(line: string, at: number, end: number): boolean {
  const close = line.indexOf(line[at]!, at + 1);
  return close > 0 && close < end;
}

const quote = 39;
const doubleQuote = 34;
const backtick = 96;

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  (code >= 0xc0 && code < 0x2000) ||
  (code >= 0x3040 && code < 0xe000);

/** Holds paths, names of modules, times and versions together: . / \ : - @ + ~ */
const isJoint = (code: number): boolean =>
  code === 46 ||
  code === 47 ||
  code === 92 ||
  code === 58 ||
  code === 45 ||
  code === 64 ||
  code === 43 ||
  code === 126;
