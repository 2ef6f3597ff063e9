import { isUtf8 } from 'node:buffer';
import { SpillwayError } from '@spillway/service';

/** The deepest JSON that is accepted: beyond it lies what can be parsed and then not written again. */
const deepest = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Depth of a JSON text, found without parsing it; stops as soon as it is too deep. */
export function isTooDeep(json: Buffer): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);
const mayForbid = /__proto__|constructor|prototype|\\u/;

/** A request body as JSON, or a clear refusal: nothing is repaired and nothing silently replaced. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new SpillwayError('invalid_utf8', 'The body is not valid UTF-8.');
  if (isTooDeep(bytes)) {
    throw new SpillwayError('invalid_request', `The body is nested deeper than ${deepest} levels.`);
  }
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text, mayForbid.test(text) ? refuseForbiddenKeys : undefined) as unknown;
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    throw new SpillwayError('malformed_json', 'The body is not valid JSON.');
  }
}

function refuseForbiddenKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') refuse(key);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const own of Object.getOwnPropertyNames(value)) if (forbidden.has(own)) refuse(own);
  }
  return value;
}

function refuse(key: string): never {
  throw new SpillwayError('invalid_request', `The key ${key} is not accepted.`);
}
