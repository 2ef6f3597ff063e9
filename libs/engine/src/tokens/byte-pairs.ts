/** Of bytes that are no token: higher than every rank. */
const noToken = 0x7fffffff;
/** Numbers in a table of tokens are counted from this character on. */
const zero = '#'.charCodeAt(0);

/**
 * The ranks of an encoding's tokens by their bytes, in a hash table of typed arrays: 4 MB for 200,000 tokens, and nothing
 * for the garbage collector to look at.
 */
class TokenRanks {
  /** The bytes of all tokens, one token after the other. */
  private readonly bytes: Uint8Array;
  /** Where each token begins, and behind the last one the end. */
  private readonly starts: Int32Array;
  /** 0 where nothing is, else a rank and 1. */
  private readonly slots: Int32Array;
  private readonly mask: number;

  /** `table`: see write-encodings.mjs. */
  constructor(table: string) {
    this.bytes = new Uint8Array(table.length);
    const starts = [0];
    let end = 0;
    for (let at = 0; at < table.length;) {
      const last = at + table.charCodeAt(at) - zero;
      while (at < last) this.bytes[end++] = table.charCodeAt(++at);
      starts.push(end);
      at++;
    }
    this.starts = Int32Array.from(starts);
    const size = 2 ** Math.ceil(Math.log2(2 * starts.length));
    this.mask = size - 1;
    this.slots = new Int32Array(size);
    for (let rank = 0; rank + 1 < starts.length; rank++) {
      let slot = this.slotOf(this.bytes, starts[rank]!, starts[rank + 1]!);
      while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
      this.slots[slot] = rank + 1;
    }
  }

  rankOf(bytes: Uint8Array, from: number, to: number): number {
    let slot = this.slotOf(bytes, from, to);
    for (; this.slots[slot] !== 0; slot = (slot + 1) & this.mask) {
      const rank = this.slots[slot]! - 1;
      if (this.isToken(rank, bytes, from, to)) return rank;
    }
    return noToken;
  }

  private isToken(rank: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.starts[rank]!;
    if (this.starts[rank + 1]! - start !== to - from) return false;
    for (let i = from; i < to; i++) if (bytes[i] !== this.bytes[start + i - from]) return false;
    return true;
  }

  /** FNV-1a of 32 bits. */
  private slotOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    return (hash ^ (hash >>> 15)) & this.mask;
  }
}

/**
 * Returns a function that counts the tokens of a piece of text by byte-pair encoding, given the encoding's table of tokens (see
 * write-encodings.mjs). Half of a character counts as the U+FFFD that it is encoded as. Quadratic in the length of a piece
 * that is no token.
 */
export function bytePairCounter(table: string): (piece: string) => number {
  const ranks = new TokenRanks(table);
  const encoder = new TextEncoder();
  return (piece) => {
    const bytes = encoder.encode(piece);
    return ranks.rankOf(bytes, 0, bytes.length) === noToken ? partsOf(bytes, ranks) : 1;
  };
}

/** How many parts are left when, again and again, the two neighbours that make the token of the lowest rank are merged. */
function partsOf(bytes: Uint8Array, ranks: TokenRanks): number {
  let parts = bytes.length;
  const starts = Int32Array.from({ length: parts + 1 }, (_, i) => i);
  /** Of each part, the rank of the token that it makes with the next one. */
  const merged = new Int32Array(parts).fill(noToken);
  const look = (part: number): void => {
    const isLast = part + 1 >= parts;
    merged[part] = isLast ? noToken : ranks.rankOf(bytes, starts[part]!, starts[part + 2]!);
  };
  for (let part = 0; part < parts; part++) look(part);
  for (;;) {
    let first = 0;
    for (let part = 1; part < parts; part++) if (merged[part]! < merged[first]!) first = part;
    if (parts === 0 || merged[first] === noToken) return parts;
    starts.copyWithin(first + 1, first + 2, parts + 1);
    merged.copyWithin(first, first + 1, parts);
    parts--;
    look(first);
    if (first > 0) look(first - 1);
  }
}
