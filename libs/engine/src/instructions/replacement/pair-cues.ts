import { inBoth } from '../matter.js';
import { areNear, isOpposite } from './concepts.js';
import type { Gist } from './gist.js';
import { unitsOf, valueKinds, type ValueKind } from './values.js';

/** How much two instructions are about the same: by words in common, by words for one thing, or not at all. */
interface Relation {
  /** Words of the matter in both. */
  shared: number;
  /** Words of the older, and of the newer, that have one for the same thing in the other. */
  nearOld: number;
  nearNew: number;
  /** Things that both name. */
  things: number;
  level: 'apart' | 'loose' | 'close';
}

/** How two instructions stand to each other, as names that weights are learnt for (`npm run cues`). */
export function pairCues(older: Gist, newer: Gist): Set<string> {
  const cues = new Set<string>();
  const relation = relationOf(older, newer);
  const { level } = relation;
  relationCues(older, newer, relation, cues);
  const differing = valueCues(older, newer, level, cues) + choiceCues(older, newer, level, cues);
  cues.add(`${level}:any-differ:${differing > 0}`);
  const signs = `${older.matter.sign}${newer.matter.sign}`;
  cues.add(`signs:${signs}`);
  cues.add(`${level}:signs:${signs}`);
  for (const mark of newer.marks) {
    cues.add(`new:${mark}`);
    cues.add(`${level}:new:${mark}`);
    if (older.marks.has(mark)) cues.add(`both:${mark}`);
  }
  for (const mark of older.marks) cues.add(`old:${mark}`);
  const verb =
    older.verb === newer.verb
      ? 'same'
      : areNear(older.verb, newer.verb)
        ? 'near'
        : newer.stems.has(older.verb)
          ? 'within'
          : 'other';
  cues.add(`verb:${verb}`);
  cues.add(`${level}:verb:${verb}`);
  wordCues(older.tokens, newer.tokens, cues);
  cues.add(`words-old:${Math.min(5, Math.floor(older.words / 5))}`);
  cues.add(`words-new:${Math.min(6, Math.floor(newer.words / 5))}`);
  return cues;
}

/**
 * The words of the newer one, said anew or again, how each begins, and what is left between the beginning and the end that
 * both have: "Spanish subtitles." in "Spanish vocabulary." leaves the thing, and in "French subtitles." the value.
 */
function wordCues(older: readonly string[], newer: readonly string[], cues: Set<string>): void {
  const inOlder = new Set(older);
  const inNewer = new Set(newer);
  for (const word of inNewer) cues.add(`${inOlder.has(word) ? 'again' : 'anew'}:${word}`);
  cues.add(`first-old:${older[0]}`);
  cues.add(`first-new:${newer[0]}`);
  const shortest = Math.min(older.length, newer.length);
  let begin = 0;
  while (begin < shortest && older[begin] === newer[begin]) begin++;
  let end = 0;
  while (end < shortest - begin && older.at(-1 - end) === newer.at(-1 - end)) end++;
  const left = (tokens: readonly string[]) => tokens.length - begin - end;
  cues.add(`begin:${Math.min(4, begin)}`);
  cues.add(`end:${Math.min(4, end)}`);
  cues.add(`left-old:${Math.min(4, left(older))}`);
  cues.add(`left-new:${Math.min(6, left(newer))}`);
  cues.add(`left:${Math.min(3, left(older))}x${Math.min(4, left(newer))}`);
  const added = newer.filter((word) => !inOlder.has(word)).length;
  const gone = older.filter((word) => !inNewer.has(word)).length;
  cues.add(`added:${Math.min(6, added)}x${Math.min(4, gone)}`);
  if (gone === 0) cues.add('nothing-gone');
}

/** Is there anything that both are about? Where not, neither can replace the other. */
export const areRelated = (older: Gist, newer: Gist): boolean =>
  meet(older.matter.words, newer.matter.words) ||
  meet(older.things, newer.things) ||
  meet(older.choices.keys(), newer.choices);

function meet<T>(some: Iterable<T>, others: { has(one: T): boolean }): boolean {
  for (const one of some) if (others.has(one)) return true;
  return false;
}

function relationOf(older: Gist, newer: Gist): Relation {
  const [a, b] = [older.matter.words, newer.matter.words];
  const shared = inBoth(a, b);
  const oldRest = [...a].filter((word) => !b.has(word));
  const newRest = [...b].filter((word) => !a.has(word));
  const nearOld = oldRest.filter((word) => newRest.some((other) => areNear(word, other))).length;
  const nearNew = newRest.filter((word) => oldRest.some((other) => areNear(word, other))).length;
  const things = inBoth(older.things, newer.things);
  const alike = shared + nearOld;
  const level = alike >= 2 ? 'close' : alike === 1 || things > 0 ? 'loose' : 'apart';
  return { shared, nearOld, nearNew, things, level };
}

function relationCues(older: Gist, newer: Gist, relation: Relation, cues: Set<string>): void {
  const { shared, nearOld, nearNew, things } = relation;
  const [a, b] = [older.matter.words.size, newer.matter.words.size];
  const alike = shared + nearOld;
  cues.add(`shared:${Math.min(4, shared)}`);
  cues.add(`near:${Math.min(2, nearOld)}`);
  cues.add(`things:${Math.min(3, things)}`);
  cues.add(`alike:${alike === 0 && things > 0 ? 'thing' : Math.min(3, alike)}`);
  cues.add(`of-old:${shareOf(alike, a)}`);
  cues.add(`of-new:${shareOf(shared + nearNew, b)}`);
  cues.add(`rest-old:${Math.min(4, a - alike)}`);
  cues.add(`rest-new:${Math.min(5, b - shared - nearNew)}`);
  if (meet(older.matter.topics, newer.matter.topics)) cues.add('topic:same');
  else if (older.matter.topics.size > 0 && newer.matter.topics.size > 0) cues.add('topic:apart');
}

/** In five steps: none, less than a third, less than three fifths, less than all, all. */
const shareOf = (part: number, whole: number): number =>
  part === 0 ? 0 : part >= whole ? 4 : part / whole >= 0.6 ? 3 : part / whole >= 0.3 ? 2 : 1;

/** Which kinds of values both give, and which one of them alone. Returns how many differ. */
function valueCues(older: Gist, newer: Gist, level: string, cues: Set<string>): number {
  const counts = { differ: 0, same: 0, old: 0, new: 0 };
  for (const kind of valueKinds) {
    const how = howValuesStand(kind, older.values.get(kind), newer.values.get(kind));
    if (how === null) continue;
    counts[how === 'other-unit' ? 'differ' : how]++;
    cues.add(`${kind}:${how}`);
    cues.add(`${level}:${kind}:${how}`);
  }
  for (const [how, count] of Object.entries(counts)) cues.add(`${level}:values-${how}:${Math.min(2, count)}`);
  return counts.differ;
}

function howValuesStand(
  kind: ValueKind,
  older: ReadonlySet<string> | undefined,
  newer: ReadonlySet<string> | undefined,
): 'differ' | 'same' | 'old' | 'new' | 'other-unit' | null {
  if (older === undefined) return newer === undefined ? null : 'new';
  if (newer === undefined) return 'old';
  if (meet(older, newer)) return 'same';
  if (kind !== 'measure') return 'differ';
  return meet(unitsOf(older), unitsOf(newer)) ? 'differ' : 'other-unit';
}

/** Where both choose of the same: alike or not. Returns how many choices differ. */
function choiceCues(older: Gist, newer: Gist, level: string, cues: Set<string>): number {
  let same = 0;
  let named = 0;
  let opposed = 0;
  for (const [of, made] of older.choices) {
    const other = newer.choices.get(of);
    if (other === undefined) continue;
    if (meet(made, other)) same++;
    else {
      cues.add(`choice:${of}`);
      if (isOpposite(of)) opposed++;
      else named++;
    }
  }
  for (const [how, count] of Object.entries({ same, named, opposed })) {
    cues.add(`choices-${how}:${Math.min(2, count)}`);
    cues.add(`${level}:choices-${how}:${Math.min(2, count)}`);
  }
  return named + opposed;
}
