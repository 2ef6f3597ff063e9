import type { MessagePort } from 'node:worker_threads';
import { indexOfColumn } from '@spillway/blobs';
import { parseJson } from '@spillway/engine';
import { exec, type JsonValue } from 'jsonpath-rfc9535';
import parsePath from 'jsonpath-rfc9535/parser';
import { ExactNumbers, mayHoldOtherNumbers } from './exact-numbers.js';

export interface PathTask {
  bytes: Uint8Array;
  path: string;
  /** The range of matches to return, from 1, and the column in the first one to start at, from 0. */
  first: number;
  last: number;
  fromColumn: number;
  /** Maximum of characters returned. */
  maxCharacters: number;
}

/** A match as JSON, or the requested part of it. */
export interface PathMatch {
  number: number;
  /** Its normalized path. */
  path: string;
  text: string;
  /** Characters of the JSON before `text`. */
  column: number;
  isEnd: boolean;
}

export type PathResult =
  { total: number; matches: PathMatch[] } | { problem: 'not_json' | 'invalid_path'; why: string };

/** On a thread of its own: says when it begins, so that a limit of its time leaves out how long it waited. */
export function evaluateTimed({ task, begun }: { task: PathTask; begun: MessagePort }): PathResult {
  begun.postMessage(null);
  return evaluatePath(task);
}

/** Evaluates a JSONPath (RFC 9535) over a JSON document, or over JSON lines as one array. */
export function evaluatePath(task: PathTask): PathResult {
  const { path, first, last, fromColumn, maxCharacters } = task;
  try {
    parsePath(path);
  } catch (error) {
    return { problem: 'invalid_path', why: String((error as Error).message).slice(0, 300) };
  }
  const text = Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.length).toString('utf8');
  const numbers = new ExactNumbers();
  const parsed = parseJson(text, mayHoldOtherNumbers(text) ? numbers.reviver : undefined);
  if (!parsed) return { problem: 'not_json', why: 'is neither a JSON object or array nor JSON lines' };
  const root = parsed.value as JsonValue;
  const matches: PathMatch[] = [];
  let total = 0;
  let characters = 0;
  exec(root, path, (value, steps) => {
    total++;
    if (total < first || total > last || characters > maxCharacters) return;
    const keys = steps.map(keyOf);
    const json = numbers.stringify(value, holderOf(root, keys), keys.at(-1));
    const column = total === first ? fromColumn : 0;
    const start = indexOfColumn(json, column);
    const end = wholeCharacter(json, Math.min(json.length, start + maxCharacters));
    characters += end - start;
    matches.push({
      number: total,
      path: normalized(steps),
      text: json.slice(start, end),
      column,
      isEnd: end === json.length,
    });
  });
  return { total, matches };
}

function holderOf(root: unknown, keys: readonly (string | number)[]): unknown {
  let holder = root;
  for (const key of keys.slice(0, -1)) holder = (holder as Record<string, unknown>)[key];
  return holder;
}

/** Names are written as in a normalized path. */
const keyOf = (step: string | number): string | number =>
  typeof step === 'number' ? step : step.replace(/\\(u([0-9a-f]{4})|.)/g, unescaped);

const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const unescaped = (_all: string, escaped: string, code: string | undefined): string =>
  code === undefined ? (controls[escaped] ?? escaped) : String.fromCharCode(parseInt(code, 16));

const normalized = (steps: readonly (string | number)[]): string =>
  `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `['${step}']`)).join('')}`;

/** The end of a part of a text, without splitting a surrogate pair. */
const wholeCharacter = (text: string, end: number): number =>
  /[\uDC00-\uDFFF]/.test(text[end] ?? '') ? end - 1 : end;
