/** Characters of a line that make its shape. */
const shapedLength = 200;
/** Buckets in which words are counted: words that share one count as more frequent than they are, which does no harm. */
const buckets = 1 << 16;

/**
 * The shape of each line, as a number: numbers, paths, quoted values and rare words become classes, so that lines that
 * one statement printed have one shape. A word stands for itself when more than `wordShare` of the lines hold it; the
 * coarsest shapes, with a share of 1, hold no words at all. `kinds` keeps lines apart that say things of other kinds.
 */
export function shapesOf(lines: readonly string[], kinds: ArrayLike<number>, wordShare: number): Int32Array {
  const frequent = wordShare < 1 ? frequentWords(lines, wordShare) : undefined;
  const shapes = new Int32Array(lines.length);
  lines.forEach((line, i) => {
    let hash = Math.imul(kinds[i]! + 1, prime);
    let last = 0;
    scan(line, (part) => {
      const what = part > 0 && !frequent?.has(part) ? wordClass : part;
      // Classes that follow each other are a list, whose length says nothing.
      if (what === last && what <= 0) return;
      hash = Math.imul(hash ^ what, prime);
      hash ^= hash >>> 13;
      last = what;
    });
    shapes[i] = hash;
  });
  return shapes;
}

function frequentWords(lines: readonly string[], share: number): { has: (word: number) => boolean } {
  const counts = new Uint32Array(buckets);
  let filled = 0;
  for (const line of lines) {
    if (line === '') continue;
    filled++;
    scan(line, (part) => {
      if (part > 0) counts[part & (buckets - 1)]!++;
    });
  }
  const least = Math.max(3, filled * share);
  return { has: (word) => counts[word & (buckets - 1)]! >= least };
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
