import type { Shortcut } from './shortcut';

/** How long a first key (`g`) waits for its second. */
const sequenceMs = 1_500;

let first: { key: string; at: number } | null = null;

/**
 * Whether a first key waits for its second, which then has no other meaning. `at` is the `timeStamp` of the event: when
 * the key was pressed, which a page that is busy learns late.
 */
export const sequenceBegun = (at: number): boolean => first !== null && at - first.at < sequenceMs;

/**
 * Takes a key pressed `at` and returns the shortcut that it completes, if any; a key that begins one is remembered.
 */
export function press(key: string, entries: readonly Shortcut[], at: number): Shortcut | undefined {
  const keys = sequenceBegun(at) ? `${first!.key} ${key}` : key;
  first = null;
  const found = entries.find((entry) => entry.keys === keys) ?? entries.find((entry) => entry.keys === key);
  if (found?.run) return found;
  if (entries.some((entry) => entry.keys.startsWith(`${key} `))) first = { key, at };
  return undefined;
}
