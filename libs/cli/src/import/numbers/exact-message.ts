import type { JsonObject } from '../sources/json-value.js';
import { refuse } from '../sources/source-file.js';
import { InexactNumber } from './inexact-number.js';

type Path = readonly (string | number)[];

/**
 * A message without inexact numbers. In the input of a call they are strings, as in the API: a model chose them. Throws
 * `UsageError` with file and line for one elsewhere, which the API would refuse.
 */
export const exactMessage = (message: JsonObject, place: { name: string; line: number }): JsonObject =>
  exactValue(message, [], place) as JsonObject;

function exactValue(value: unknown, path: Path, place: { name: string; line: number }): unknown {
  if (value instanceof InexactNumber) {
    if (isOfCall(path)) return value.digits;
    return refuse(
      place.name,
      place.line,
      `The number ${value.digits} at ${path.join('.')} loses precision as a double. Write it as a string.`,
    );
  }
  if (Array.isArray(value)) return value.map((item, i) => exactValue(item, [...path, i], place));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, exactValue(inner, [...path, key], place)]),
  );
}

const isOfCall = ([content, , input]: Path): boolean => content === 'content' && input === 'input';
