import type { Shortcut } from './shortcut';

/** How long a first key (`g`) waits for its second. */
const sequenceMs = 1_500;

let first: { key: string; at: number } | null = null;

/** Whether a first key waits for its second, which then has no other meaning. */
export const sequenceBegun = (now = Date.now()): boolean => first !== null && now - first.at < sequenceMs;

/** Takes a key and returns the shortcut that it completes, if any; a key that begins one is remembered. */
export function press(key: string, entries: readonly Shortcut[], now = Date.now()): Shortcut | undefined {
  const keys = sequenceBegun(now) ? `${first!.key} ${key}` : key;
  first = null;
  const found = entries.find((entry) => entry.keys === keys) ?? entries.find((entry) => entry.keys === key);
  if (found?.run) return found;
  if (entries.some((entry) => entry.keys.startsWith(`${key} `))) first = { key, at: now };
  return undefined;
}
