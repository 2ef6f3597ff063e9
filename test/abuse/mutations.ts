import type { Random } from '@spillway/testing';

/** What parsers trip over. */
const tokens = [
  '{', '}', '[', ']', '"', ',', ':', '\\', '\0', '\r\n', '\r\n\r\n', '%', '%00', '%2e%2e', '../', '?', '&', '#', ';',
  '-1', '0', '1e400', '9007199254740993', '2147483648', '-0', 'null', 'true', '{}', '[]', '""', '"\\ud800"', '\\u0000',
  '__proto__', '"constructor":{}', '$', "'", '--', '\uFEFF', '\u202E', '😀', 'a'.repeat(3_000), '['.repeat(200), '\xff\xfe',
]; // prettier-ignore

/** One change to bytes: a bit, a piece lost, doubled or moved, or a token of the above put in. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from(random.pick(tokens));
  const at = random.below(bytes.length);
  const length = 1 + Math.floor(random.next() ** 3 * Math.min(bytes.length - at, 200));
  const [before, piece, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  switch (random.below(5)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      flipped[at] = flipped[at]! ^ (1 << random.below(8));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, piece, piece, after]);
    case 3:
      return Buffer.concat([after, piece, before]);
    default:
      return Buffer.concat([before, Buffer.from(random.pick(tokens)), piece, after]);
  }
}

const values: unknown[] = [
  null, true, false, 0, -1, 1.5, 1e308, 2_147_483_648, '', 'x', '\0', '\ud800', 'x'.repeat(5_000), [], {}, [[]], [null],
  { not: '' }, { type: 'text' }, { type: 'text', text: 1 }, 'tool', 'assistant', 'system', '2026-01-01', Array(1_001).fill({}),
]; // prettier-ignore

/** A JSON value with one of the values in it replaced, taken away or doubled. */
export function mutateJson(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(values);
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = Object.keys(copy);
  if (keys.length === 0 || random.chance(0.1)) {
    if (Array.isArray(copy)) copy.push(random.pick(values));
    else copy[random.pick(['id', 'role', 'type', 'x', 'policy', 'content'])] = random.pick(values);
    return copy;
  }
  const key = random.pick(keys);
  if (random.chance(0.15)) {
    if (Array.isArray(copy)) copy.push(structuredClone(copy[Number(key)]));
    else delete copy[key];
    return copy;
  }
  copy[key] = mutateJson(random, copy[key]);
  return copy;
}

/** An address with something wrong within, mostly in its query, as a client may send it. */
export function mutatePath(random: Random, path: string): string {
  const mark = path.indexOf('?');
  const kept = mark < 0 || random.chance(0.2) ? 1 : mark + 1;
  const mutated = mutateBytes(random, Buffer.from(path.slice(kept))).toString('latin1');
  return path.slice(0, kept) + mutated.replace(/[^\x21-\x7e]/g, (byte) => encodeURIComponent(byte));
}
