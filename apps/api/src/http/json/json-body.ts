import { isUtf8 } from 'node:buffer';
import { SpillwayError } from '@spillway/service';
import { checkJson } from './json-limits.js';

/** Reads a request body as JSON or refuses it. Nothing is repaired or replaced silently. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new SpillwayError('invalid_utf8', 'The body is not valid UTF-8.');
  try {
    return JSON.parse(checkJson(bytes)) as unknown;
  } catch (error) {
    if (error instanceof SpillwayError) throw error;
    throw new SpillwayError('malformed_json', 'The body is not valid JSON.');
  }
}
