import type { SearchTerms } from './search-terms.js';
import { addCounts, countTerms, holdsBounded, lowerCaseOf, type TermCounts } from './term-counts.js';

/** A text that holds a term of a search: a message, or a passage of an offloaded output. */
export interface SearchedText {
  seq: number;
  text: string;
  /** The calls that a message makes, each with its own searchable text. */
  calls?: readonly { id: string; text: string }[];
  /** Ids of the calls that a message answers. */
  answers?: readonly string[];
}

/** The counts of a text that ranking needs, so that a long thread is ranked without its texts in memory. */
export interface Candidate {
  seq: number;
  counts: TermCounts;
  length: number;
  /** It holds the whole query. */
  whole: boolean;
  calls: { id: string; counts: TermCounts; length: number }[];
  answers: readonly string[];
}

export function candidateOf(
  { seq, text, calls = [], answers = [] }: SearchedText,
  terms: SearchTerms,
): Candidate {
  const lower = lowerCaseOf(text);
  return {
    seq,
    counts: countTerms(lower, terms),
    length: text.length,
    whole: holdsBounded(lower, terms.whole),
    calls: calls.map((call) => ({
      id: call.id,
      counts: countTerms(lowerCaseOf(call.text), terms),
      length: call.text.length,
    })),
    answers,
  };
}

/** The numbers that the weights of a search depend on. A cursor holds them, so that every page ranks alike. */
export interface SearchStatistics {
  /** Texts that were searched, and the average length of those with a term. */
  texts: number;
  length: number;
  /** In how many of them each term is. */
  found: number[];
  /** For each term, whether it counts only where it stands for itself. */
  strict: boolean[];
  /** Hits below this level are left out. */
  minLevel: HitLevel;
}

/**
 * 3: the whole query. 2: all terms, together. 1: all terms, identifiers as parts of longer ones. 0: some of the terms, or
 * all far from each other.
 */
export type HitLevel = 0 | 1 | 2 | 3;

export interface Rank {
  level: HitLevel;
  /** Of equal level, the higher score comes first. An integer, so that it survives a cursor. */
  score: number;
}

/** The minimum of the levels of a search: older ranges do not go below what newer messages have reached. */
export type SearchFloor = Pick<SearchStatistics, 'strict' | 'minLevel'>;

export const noFloor = ({ terms }: SearchTerms): SearchFloor => ({
  strict: terms.map(() => false),
  minLevel: 0,
});

export interface RankOptions<T> {
  /** Texts of the range, with those that hold no term. */
  texts: number;
  floor: SearchFloor;
  /** Of an earlier page of the same range. */
  fixed?: SearchStatistics | null;
  /** Other candidates only lend their calls to the results. */
  isAskedFor?: (candidate: T) => boolean;
}

/**
 * Ranks the texts of a range. Rare terms weigh more, long texts less (BM25). A result is ranked together with the call
 * that it answers, and stands for that call. Texts with only some of the terms are hits when no text has all of them,
 * and for a question.
 */
export function rankCandidates<T extends Candidate>(
  candidates: readonly T[],
  terms: SearchTerms,
  { texts, floor, fixed = null, isAskedFor = () => true }: RankOptions<T>,
): { hits: (T & Rank)[]; statistics: SearchStatistics } {
  const joined = withCalls(candidates);
  const statistics = fixed ?? statisticsOf(joined, terms, texts, floor);
  const weights = termWeights(statistics);
  const ranked = joined
    .filter(({ candidate }) => isAskedFor(candidate))
    .flatMap((one) => {
      const rank = rankOf(one, terms, statistics, weights);
      return rank ? [{ ...one, ...rank }] : [];
    });
  let minLevel = statistics.minLevel;
  if (!fixed && !terms.isQuestion)
    for (const { level } of ranked) if (level > minLevel) minLevel = level === 3 ? 2 : level;
  const hits = ranked.filter(({ level }) => level >= minLevel);
  return {
    hits: onceEach(hits).map(({ candidate, level, score }) => ({ ...candidate, level, score })),
    statistics: { ...statistics, minLevel },
  };
}

/** A call and its result are one hit, the better of the two. A call with several results is left to them. */
function onceEach<T extends Candidate>(hits: readonly (Joined<T> & Rank)[]): (Joined<T> & Rank)[] {
  const levelOf = new Map(hits.map(({ candidate, level }) => [candidate, level]));
  const shown = new Map<T, HitLevel>();
  const kept = hits.filter(({ callers, level }) => {
    const isShown = callers.some(
      (caller) => caller.calls.length === 1 && (levelOf.get(caller) ?? -1) > level,
    );
    if (!isShown)
      for (const caller of callers) if (level >= (shown.get(caller) ?? 0)) shown.set(caller, level);
    return !isShown;
  });
  return kept.filter(({ candidate, level }) => level > (shown.get(candidate) ?? -1));
}

interface Joined<T> {
  candidate: T;
  counts: TermCounts;
  length: number;
  /** Candidates whose calls it answers. */
  callers: T[];
}

/** Each candidate with the counts of the calls that it answers: those of the nearest message before it. */
function withCalls<T extends Candidate>(candidates: readonly T[]): Joined<T>[] {
  const callersOf = callersBySeq(candidates);
  return candidates.map((candidate) => {
    const joined: Joined<T> = { candidate, counts: candidate.counts, length: candidate.length, callers: [] };
    for (const id of candidate.answers) {
      const caller = lastBefore(callersOf.get(id) ?? [], candidate.seq);
      if (!caller) continue;
      joined.counts = addCounts(joined.counts, caller.call.counts);
      joined.length += caller.call.length;
      joined.callers.push(caller.candidate);
    }
    return joined;
  });
}

interface Caller<T extends Candidate> {
  candidate: T;
  call: T['calls'][number];
}

/** Who made the calls of each id, in the order of the thread. Servers repeat ids, in each turn or in all of them. */
function callersBySeq<T extends Candidate>(candidates: readonly T[]): Map<string, Caller<T>[]> {
  const callers = new Map<string, Caller<T>[]>();
  for (const candidate of candidates.toSorted((a, b) => a.seq - b.seq))
    for (const call of candidate.calls) {
      const same = callers.get(call.id);
      if (same) same.push({ candidate, call });
      else callers.set(call.id, [{ candidate, call }]);
    }
  return callers;
}

/** The last of the callers before a message, by halves: thousands may share an id. */
function lastBefore<T extends Candidate>(callers: readonly Caller<T>[], seq: number): Caller<T> | undefined {
  let from = 0;
  let to = callers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (callers[middle]!.candidate.seq < seq) from = middle + 1;
    else to = middle;
  }
  return callers[from - 1];
}

/** Texts below this length count as equally short: the newer one comes first. */
const minLength = 600;
const lengthOf = (length: number): number => Math.max(minLength, length);

function statisticsOf<T>(
  joined: readonly Joined<T>[],
  { terms }: SearchTerms,
  texts: number,
  floor: SearchFloor,
): SearchStatistics {
  const strict = terms.map(
    ({ kind }, i) =>
      floor.strict[i]! || (kind === 'identifier' && joined.some(({ counts }) => counts.exact[i]! > 0)),
  );
  const found = terms.map(
    (_, i) => joined.filter(({ counts }) => termFrequency(counts, i, strict) > 0).length,
  );
  const length = joined.reduce((sum, one) => sum + lengthOf(one.length), 0) / Math.max(1, joined.length);
  return {
    texts: Math.max(texts, joined.length),
    length: Math.round(length),
    found,
    strict,
    minLevel: floor.minLevel,
  };
}

const termFrequency = (counts: TermCounts, i: number, strict: readonly boolean[]): number =>
  counts.exact[i]! + (strict[i] ? 0 : counts.partial[i]!);

/** The weight of each term: the rarer, the higher. */
export const termWeights = ({ texts, found }: SearchStatistics): number[] =>
  found.map((n) => Math.log(1 + (texts - n + 0.5) / (n + 0.5)));

/** How soon repetitions of a term stop to count, and how much a long text is discounted (BM25's k1 and b). */
const saturation = 1.2;
const lengthDiscount = 0.5;

/** Null for a text without any of the terms. */
function rankOf<T extends Candidate>(
  { candidate, counts, length }: Joined<T>,
  { terms }: SearchTerms,
  statistics: SearchStatistics,
  weights: readonly number[],
): Rank | null {
  const longer = lengthOf(length) / Math.max(1, statistics.length);
  const discount = saturation * (1 - lengthDiscount + lengthDiscount * longer);
  let sum = 0;
  let isMissing = false;
  let isExact = true;
  terms.forEach(({ kind }, i) => {
    const frequency = termFrequency(counts, i, statistics.strict);
    if (frequency === 0) isMissing = true;
    else sum += (weights[i]! * frequency * (saturation + 1)) / (frequency + discount);
    if (kind === 'identifier' && counts.exact[i] === 0) isExact = false;
  });
  if (sum === 0) return null;
  let closest = 0;
  for (const set of counts.together) {
    let weight = 0;
    terms.forEach((_, i) => (weight += set & (1 << i) ? weights[i]! : 0));
    closest = Math.max(closest, weight);
  }
  const all = (1 << terms.length) - 1;
  const isTogether = counts.together.includes(all);
  const level = candidate.whole ? 3 : isTogether ? 2 : !isMissing && !isExact ? 1 : 0;
  return { level, score: Math.round((sum + togetherness * closest) * 1_000) };
}

/** The weight of terms that stand together, relative to their weight anywhere in a text. */
const togetherness = 0.5;
