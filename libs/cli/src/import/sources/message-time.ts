import type { JsonObject } from './json-value.js';

/** ISO 8601 with an offset: without one nobody knows which moment is meant. */
const withOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;
/** Numbers are Unix times. From 2001 on, so that a small number is not taken for one. */
const minSeconds = 1e9;
const maxSeconds = 1e11;

/** A time as sources write it, ISO 8601 or Unix in seconds or milliseconds, as ISO 8601 in UTC. Null for anything else. */
export function timeOf(value: unknown): string | null {
  const ms =
    typeof value === 'number'
      ? msOfNumber(value)
      : typeof value === 'string' && withOffset.test(value)
        ? Date.parse(value.replace(' ', 'T').replace(',', '.'))
        : NaN;
  return ms >= 0 && ms <= 8.64e15 ? new Date(ms).toISOString() : null;
}

const msOfNumber = (value: number): number =>
  value < minSeconds ? NaN : Math.round(value < maxSeconds ? value * 1_000 : value);

/** Where exports put the time of a message. Requests of a provider have none of these fields. */
const fields = ['created_at', 'create_time', 'createdAt', 'timestamp'];

/**
 * Takes the time out of a message that has one among its fields, and fields for one that are null. A field that holds
 * something else stays in the message.
 */
export function takeTime(message: JsonObject): { time: string | null; message: JsonObject } {
  const found = fields.filter((field) => message[field] === null || timeOf(message[field]) !== null);
  if (found.length === 0) return { time: null, message };
  const rest = Object.entries(message).filter(([field]) => !found.includes(field));
  const times = found.flatMap((field) => timeOf(message[field]) ?? []);
  return { time: times[0] ?? null, message: Object.fromEntries(rest) };
}
