import { isExactNumber, SpillwayError, type ErrorCode } from '@spillway/service';
import { endOfNumber, endOfString, endOfValue, isDigit } from './json-ends.js';

// The client divides and uploads by the same limits: libs/client/src/agent/requests/json-values.ts.
/** Maximum depth of JSON. Deeper values can be parsed but not serialized again. */
const deepest = 64;
/** Maximum keys of one object. An object with a million keys is slow to build, and no message has one. */
const maxKeys = 10_000;
/** Maximum of objects, arrays, array elements and keys in one body: about two hundred for each of 1,000 messages. */
const maxValues = 250_000;
const maxKeyLength = 4_096;
/** Maximum of values in the input of one call: it is the same in every request, whatever else is in that one. */
const maxInputValues = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** An object or an array that is open at this point of the walk. */
interface Open {
  /** Where it begins, and how many values stand before it. */
  from: number;
  before: number;
  /** Null in an array. */
  keys: Set<string> | null;
  /** The key or the index of the next value. */
  at: string | number;
  awaitsKey: boolean;
}

/** A part of the text that is replaced: a number by a string of its digits, the input of a call by one that holds it. */
interface Replaced {
  from: number;
  to: number;
  isInput: boolean;
}

/**
 * Scans a JSON text without building it. Throws for what is expensive to build or would change silently when it is
 * read: depth, counts, duplicate keys, keys that reach a prototype, numbers that a double cannot hold. Syntax errors
 * are left to the parser. Returns the text. In the input of a call nothing is refused, because a model chose it: there
 * numbers that a double cannot hold are strings, and an input with anything else of these is `{"json": "<its text>"}`,
 * whose syntax nobody checks.
 */
export function checkJson(json: Buffer): string {
  const open: Open[] = [];
  const replaced: Replaced[] = [];
  let values = 0;
  /** The input of a call that is open. */
  let input: Open | undefined;
  const count = () => {
    if (++values > maxValues) refuse('body_too_complex', open, `holds more than ${maxValues} values`);
    if (input && values - input.before > maxInputValues)
      refuse('body_too_complex', open, `holds more than ${maxInputValues} values`);
  };
  /** Takes what begins here. Returns where it ends, or the end of the text when it does not end. */
  const take = (i: number): number => {
    const byte = json[i]!;
    const inner = open.at(-1);
    if (byte === QUOTE) {
      const end = endOfString(json, i);
      if (end < 0) return json.length;
      if (inner?.awaitsKey) {
        count();
        takeKey(json.subarray(i, end + 1), inner, open);
      }
      return end;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (open.length === deepest)
        refuse('body_too_complex', open.slice(0, 3), `is nested deeper than ${deepest} levels`);
      const isObject = byte === OPEN_OBJECT;
      const keys = isObject ? new Set<string>() : null;
      count();
      const opened = { from: i, before: values - 1, keys, at: isObject ? '' : 0, awaitsKey: isObject };
      if (!input && isInput(open)) input = opened;
      open.push(opened);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (open.pop() === input) input = undefined;
    } else if (byte === COMMA && inner) {
      if (inner.keys) inner.awaitsKey = true;
      else {
        count();
        inner.at = (inner.at as number) + 1;
      }
    } else if (byte === MINUS || isDigit(byte)) {
      const end = endOfNumber(json, i);
      if (!isExactNumber(json.toString('latin1', i, end)) && !isOfSchema(open)) {
        if (!input && !isInput(open))
          refuse(
            'number_not_exact',
            open,
            'is a number that loses precision as a double: send it as a string',
          );
        replaced.push({ from: i, to: end, isInput: false });
      }
      return end - 1;
    }
    return i;
  };
  for (let i = 0; i < json.length; i++) {
    try {
      i = take(i);
    } catch (error) {
      if (!input || !(error instanceof SpillwayError)) throw error;
      const { from, before } = input;
      const to = endOfValue(json, from);
      while (replaced.length > 0 && replaced.at(-1)!.from > from) replaced.pop();
      replaced.push({ from, to, isInput: true });
      values = before;
      open.length = open.indexOf(input);
      input = undefined;
      i = to - 1;
    }
  }
  return withReplaced(json, replaced);
}

/** Bounds in JSON schemas, such as the largest 64-bit integer: the nearest double bounds as well. */
const fieldsOfSchemas = new Set<string | number | undefined>([
  'tools',
  'functions',
  'response_format',
  'output_config',
  'output_format',
  'text',
]);
const isOfSchema = ([field]: readonly Open[]): boolean => fieldsOfSchemas.has(field?.at);

/**
 * The fields that lead to the input of a call: in messages, and in contents of Gemini, which may be lists. A model chose
 * it: its caller can neither change nor leave out what it may not send.
 */
const pathsOfInput = [
  ['messages', 'content', 'input'],
  ['contents', 'parts', 'functionCall', 'args'],
  ['contents', 'parts', 'function_call', 'args'],
];

/** Whether the next value, around which these are open, is the input of a call. */
const isInput = (open: readonly Open[]): boolean => {
  const last = open.at(-1);
  if (!last?.keys || !pathsOfInput.some((path) => path.at(-1) === last.at)) return false;
  const fields = open.filter(({ keys }) => keys !== null).map(({ at }) => at);
  return pathsOfInput.some(
    (path) => path.length === fields.length && path.every((at, i) => at === fields[i]),
  );
};

function withReplaced(json: Buffer, replaced: readonly Replaced[]): string {
  let text = '';
  let at = 0;
  for (const { from, to, isInput } of replaced) {
    const literal = json.toString('utf8', from, to);
    text += `${json.toString('utf8', at, from)}${isInput ? JSON.stringify({ json: literal }) : `"${literal}"`}`;
    at = to;
  }
  return text + json.toString('utf8', at);
}

function takeKey(quoted: Buffer, object: Open, open: readonly Open[]): void {
  if (quoted.length > maxKeyLength)
    refuse('body_too_complex', open.slice(0, -1), `has a key over ${maxKeyLength} bytes`);
  const text = quoted.toString('utf8');
  const key = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
  object.at = key;
  object.awaitsKey = false;
  if (reachesPrototype(key, open.at(-2)?.at)) refuse('invalid_request', open, 'is a forbidden key');
  if (object.keys!.has(key)) refuse('duplicate_key', open, 'is a duplicate key');
  object.keys!.add(key);
  if (object.keys!.size > maxKeys)
    refuse('body_too_complex', open.slice(0, -1), `has more than ${maxKeys} keys`);
}

/** Whether a program that merges objects could be led to a prototype. Alone, these are words that content may use. */
const reachesPrototype = (key: string, parent: string | number | undefined): boolean =>
  key === '__proto__' || (key === 'prototype' && parent === 'constructor');

function refuse(code: ErrorCode, open: readonly Open[], message: string): never {
  const path = open.map(({ at }) => `/${pointerPart(at)}`).join('');
  throw new SpillwayError(code, `${path || 'The body'} ${message}.`, [{ path: path || '/', message }]);
}

/** One step of a JSON pointer (RFC 6901), shortened for display. */
export const pointerPart = (step: PropertyKey): string =>
  String(step).slice(0, 80).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
