import { SpillwayError, type ErrorCode } from '@spillway/service';

/** The deepest JSON that is accepted: beyond it lies what can be parsed and then not written again. */
const deepest = 64;
/** Names in one object. An object of a million names is slow to build, and no message has one. */
const maxKeys = 10_000;
/** Objects, lists and list elements, and names of all objects, in one body: some two hundred for each of 1,000 messages. */
const maxValues = 250_000;
const maxKeyLength = 4_096;

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or a list that is open where the walk stands. */
interface Open {
  /** Null in a list. */
  keys: Set<string> | null;
  /** The key or the index of what comes next. */
  at: string | number;
  awaitsKey: boolean;
}

/**
 * Walks a JSON text without building any of it, and throws for what would be dear to build, or be changed silently by
 * being read: nesting, counts, the same key twice, keys that reach a prototype, numbers that a double can't hold.
 * What is not JSON is left to the parser, which says so.
 */
export function checkJson(json: Buffer): void {
  const open: Open[] = [];
  let values = 0;
  const count = () => {
    if (++values > maxValues) refuse('body_too_complex', open, `holds more than ${maxValues} values`);
  };
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    const inner = open.at(-1);
    if (byte === QUOTE) {
      const end = endOfString(json, i);
      if (end < 0) return;
      if (inner?.awaitsKey) {
        count();
        takeKey(json.subarray(i, end + 1), inner, open);
      }
      i = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (open.length === deepest)
        refuse('body_too_complex', open.slice(0, 3), `is nested deeper than ${deepest} levels`);
      count();
      const isObject = byte === OPEN_OBJECT;
      open.push({ keys: isObject ? new Set() : null, at: isObject ? '' : 0, awaitsKey: isObject });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      open.pop();
    } else if (byte === COMMA && inner) {
      if (inner.keys) inner.awaitsKey = true;
      else {
        count();
        inner.at = (inner.at as number) + 1;
      }
    } else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(json, i);
      if (!isExact(json.toString('latin1', i, end)))
        refuse(
          'number_not_exact',
          open,
          'is a number that would not come back as it was sent: send it as text',
        );
      i = end - 1;
    }
  }
}

/** Where a string ends that starts at `from`; -1 when it does not. */
function endOfString(json: Buffer, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return -1;
}

function takeKey(quoted: Buffer, object: Open, open: readonly Open[]): void {
  if (quoted.length > maxKeyLength)
    refuse('body_too_complex', open.slice(0, -1), `has a key over ${maxKeyLength} bytes`);
  const text = quoted.toString('utf8');
  const key = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
  object.at = key;
  object.awaitsKey = false;
  if (forbiddenKeys.has(key)) refuse('invalid_request', open, 'is a key that is not accepted');
  if (object.keys!.has(key)) refuse('duplicate_key', open, 'is there twice in its object');
  object.keys!.add(key);
  if (object.keys!.size > maxKeys)
    refuse('body_too_complex', open.slice(0, -1), `has more than ${maxKeys} keys`);
}

/** + - . E e */
const inNumber = new Set([0x2b, 0x2d, 0x2e, 0x45, 0x65]);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

function endOfNumber(json: Buffer, from: number): number {
  let end = from + 1;
  while (isDigit(json[end]) || inNumber.has(json[end]!)) end++;
  return end;
}

/** Whether a number literal has a value that a double holds: whole numbers up to 2^53, and nothing infinite. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  // Not a number at all: the parser will say so.
  if (Number.isNaN(value)) return true;
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value);
  const vanished = value === 0 && /[1-9]/.test(literal.split(/[eE]/)[0]!);
  return Number.isFinite(value) && !vanished;
}

function refuse(code: ErrorCode, open: readonly Open[], message: string): never {
  const path = open.map(({ at }) => `/${pointerPart(at)}`).join('');
  throw new SpillwayError(code, `${path || 'The body'} ${message}.`, [{ path: path || '/', message }]);
}

/** One step of a JSON pointer (RFC 6901), short enough to be read. */
export const pointerPart = (step: PropertyKey): string =>
  String(step).slice(0, 80).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
