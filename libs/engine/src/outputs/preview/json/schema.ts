import { plural } from '../counts.js';
import { isObject } from './leaves.js';
import { memberPath } from './paths.js';

export interface SchemaBounds {
  /** Keys of an object that are shown. */
  keys: number;
  depth: number;
}

/** Items of a list that its schema is merged from, evenly spread, the first and last among them. */
const sampled = 200;

export interface SchemaLine {
  /** How many lists and objects the value stands in. */
  depth: number;
  /** Its path, in a form in which it can be read, and what stands there. */
  text: string;
}

/** What a value looks like, a line for each path: types, lengths, and how often a key is there. */
export function schemaLines(value: unknown, bounds: SchemaBounds): SchemaLine[] {
  const lines: SchemaLine[] = [];
  describe({ path: '$', depth: 0, values: [value], of: 1 }, bounds, lines);
  return lines;
}

interface Described {
  path: string;
  depth: number;
  /** The values that stand there. */
  values: readonly unknown[];
  /** How many might: the objects of which some have the key. */
  of: number;
}

function describe({ path, depth, values, of }: Described, bounds: SchemaBounds, lines: SchemaLine[]): void {
  const share = values.length < of ? ` (in ${Math.round((100 * values.length) / of)} %)` : '';
  lines.push({ depth, text: `${path}: ${typesOf(values)}${share}` });
  if (bounds.depth < 0) return;
  const deeper = { ...bounds, depth: bounds.depth - 1 };
  const lists = values.filter((value): value is unknown[] => Array.isArray(value));
  const items = sample(lists.flatMap((list) => sample(list)));
  if (items.some((item) => typeof item === 'object' && item !== null))
    describeKeys({ path: `${path}[*]`, depth: depth + 1, objects: items.filter(isObject) }, deeper, lines);
  describeKeys({ path, depth, objects: values.filter(isObject) }, deeper, lines);
}

/** Keys of an object, or of the objects of a list, that are looked at: more are names of data. */
const maxKeys = 500;

function describeKeys(
  { path, depth, objects }: { path: string; depth: number; objects: readonly Record<string, unknown>[] },
  bounds: SchemaBounds,
  lines: SchemaLine[],
): void {
  if (objects.length === 0 || bounds.depth < 0) return;
  const keys = new Map<string, unknown[]>();
  for (const object of objects) {
    for (const [key, value] of Object.entries(object).slice(0, maxKeys)) {
      const known = keys.get(key);
      if (known) known.push(value);
      else if (keys.size < maxKeys) keys.set(key, [value]);
    }
  }
  const shown = [...keys].slice(0, bounds.keys);
  const of = objects.length;
  for (const [key, values] of shown)
    describe({ path: path + memberPath(key), depth: depth + 1, values, of }, bounds, lines);
  const hidden = keys.size - shown.length;
  if (hidden > 0) lines.push({ depth, text: `${path}: ${plural(hidden, 'more key')} not shown` });
}

function typesOf(values: readonly unknown[]): string {
  const types = new Map<string, number[]>();
  for (const value of values) {
    const type = typeOf(value);
    const sizes = types.get(type) ?? [];
    if (sizes.length < 1_000) sizes.push(sizeOf(value));
    types.set(type, sizes);
  }
  return [...types].map(([type, sizes]) => `${type}${lengths(type, sizes)}`).join(' | ');
}

/** The type in JSON. A number that JavaScript would round is a bigint here. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return value === null ? 'null' : typeof value;
}

function lengths(type: string, sizes: readonly number[]): string {
  if (type !== 'array' && type !== 'object') return '';
  const noun = type === 'array' ? 'item' : 'key';
  const sorted = sizes.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  return least === most
    ? ` of ${plural(most, noun)}`
    : ` of ${least}-${most.toLocaleString('en-US')} ${noun}s`;
}

const sizeOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0;

function sample<T>(list: readonly T[]): T[] {
  if (list.length <= sampled) return [...list];
  const step = (list.length - 1) / (sampled - 1);
  return Array.from({ length: sampled }, (_, i) => list[Math.round(i * step)]!);
}
