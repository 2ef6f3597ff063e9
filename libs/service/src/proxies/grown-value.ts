import type { Body } from '@spillway/engine';
import { isObject } from './wire-api.js';

/** What a chunk repeats as a whole; other texts come in pieces. */
const wholeTexts = new Set(['id', 'type', 'role', 'name', 'format', 'signature', 'thought_signature']);

/**
 * A value of a message with what a chunk adds to it. Changes `before`: a copy for each chunk would take time quadratic in
 * the length of the answer, on the event loop.
 */
export function grown(before: unknown, delta: unknown): unknown {
  if (delta === null || delta === undefined) return before;
  if (typeof before === 'string' && typeof delta === 'string') return before + delta;
  if (Array.isArray(before) && Array.isArray(delta)) return grownList(before, delta);
  if (!isObject(delta)) return delta;
  const all: Body = isObject(before) ? before : {};
  for (const [name, value] of Object.entries(delta)) {
    // It would replace the prototype of the message.
    if (name === '__proto__') continue;
    const known = Object.hasOwn(all, name) ? all[name] : undefined;
    const isRepeated = wholeTexts.has(name) && typeof known === 'string';
    if (!isRepeated) all[name] = grown(known, value);
    else if (value !== '' && value !== null) all[name] = value;
  }
  return all;
}

/** Of each list, the positions of its items by `nameOf`, so that no piece is searched for. */
const positions = new WeakMap<unknown[], Map<string, number>>();

function positionsIn(list: unknown[]): Map<string, number> {
  let known = positions.get(list);
  if (!known) {
    known = new Map();
    for (const [at, item] of list.entries()) note(known, item, at);
    positions.set(list, known);
  }
  return known;
}

function note(known: Map<string, number>, item: unknown, at: number): void {
  const name = nameOf(item);
  if (name !== null) known.set(name, at);
}

/** Pieces of one item have its type and its index. Null without an index. */
const nameOf = (item: unknown): string | null =>
  isObject(item) && item.index !== undefined
    ? JSON.stringify([typeof item.type, item.type, item.index])
    : null;

function grownList(all: unknown[], delta: readonly unknown[]): unknown[] {
  const known = positionsIn(all);
  for (const item of delta) {
    const name = nameOf(item);
    const at = name === null ? positionOfThinking(item, all) : known.get(name);
    if (at !== undefined) all[at] = grown(all[at], item);
    else {
      all.push(item);
      note(known, item, all.length - 1);
    }
  }
  return all;
}

/** Thinking blocks have no index: the newest one goes on until its signature. */
function positionOfThinking(item: unknown, all: readonly unknown[]): number | undefined {
  const newest = all.at(-1);
  const goesOn =
    isObject(item) &&
    isObject(newest) &&
    item.type === 'thinking' &&
    newest.type === 'thinking' &&
    !newest.signature;
  return goesOn ? all.length - 1 : undefined;
}
