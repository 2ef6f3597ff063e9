import { failureWeight, hintsAtFailure } from '../failure/failure-rules.js';
import { oneLine } from '../one-line.js';
import type { Records } from '../odd-records.js';
import { isObject, leavesOf, type Leaf } from './leaves.js';
import { memberPath } from './paths.js';

/** Leaves of an item that are looked at, and characters of each. */
const maxLeaves = 40;
const maxLeafLength = 160;
/** Lists and maps deeper than this are part of their item. */
const maxDepth = 4;
/** Items of all lists together. */
const maxItems = 100_000;
const maxShownLength = 300;
/** A list of so few items, of which some hold lists of so many, is a frame around those: runs of a report, pages. */
const maxHolders = 4;
const longList = 20;

/** The items of all lists of a value, and of maps that hold many objects: each says what its leaves say. */
export function itemsAsRecords(value: unknown): Records {
  const paths: string[] = [];
  const items: unknown[] = [];
  const collect = (of: unknown, path: string, depth: number): void => {
    if (items.length >= maxItems || depth > maxDepth || typeof of !== 'object' || of === null) return;
    const entries = Array.isArray(of) ? of.map((item, i) => [`[${i}]`, item] as const) : keyed(of);
    const isList = Array.isArray(of) || isMap(of);
    for (const [key, item] of entries) {
      if (items.length >= maxItems) return;
      // Lists within the items of a list belong to these, unless a few items hold long ones.
      if (!isList || (entries.length <= maxHolders && holdsLongList(item)))
        collect(item, path + key, depth + 1);
      else {
        paths.push(path + key);
        items.push(item);
      }
    }
  };
  collect(value, '$', 0);
  return {
    noun: 'item',
    texts: items.map((item) => leavesOf(item, '', maxLeaves).map(leafText).join(', ')),
    show: (i) => `${paths[i]!}: ${oneLine(shownLeaves(items[i]), maxShownLength)}`,
  };
}

const holdsLongList = (item: unknown): boolean =>
  isObject(item) &&
  Object.values(item).some((value) =>
    Array.isArray(value) ? value.length >= longList : isObject(value) && isMap(value),
  );

const keyed = (of: object): (readonly [string, unknown])[] =>
  Object.entries(of).map(([key, item]) => [memberPath(key), item] as const);

/** An object whose values are objects alike is a list by name. */
function isMap(of: object): boolean {
  const values = Object.values(of);
  return values.length >= 8 && values.filter(isObject).length >= values.length * 0.9;
}

function leafText({ path, value }: Leaf): string {
  const text = typeof value === 'string' ? value.slice(0, maxLeafLength) : String(value);
  return path === '' ? text : `${path}=${text}`;
}

/** Leaves that tell of a failure first. */
function shownLeaves(item: unknown): string {
  const leaves = leavesOf(item, '', maxLeaves).map(leafText);
  const tells = (text: string): boolean => failureWeight(text) >= 3 || hintsAtFailure(text);
  const first = leaves.slice(0, 2);
  const rest = leaves.slice(2);
  return [...first, ...rest.filter(tells), ...rest.filter((text) => !tells(text))].join(', ');
}
