import { weigh, type Entry } from '../messages/entry.js';
import { entriesOf, groupUnits, type Unit } from './unit.js';

/** The held messages of a generation. Only a compaction changes them, so that prefixes stay stable. */
export interface Holds {
  /** Seqs that stay as they are. */
  kept: readonly number[];
  /** Messages that are shown with their whole outputs, and what they then weigh. */
  whole: readonly (readonly [seq: number, tokens: number])[];
  /** Seqs whose tool results are one line. */
  released: readonly number[];
}

/** Kept messages may take this share of the limit together. */
export const maxKeptTokens = (limit: number): number => Math.floor(limit / 4);

const isKept = (entry: Entry): boolean => entry.hold?.name === 'keep' || entry.hold?.name === 'whole';

/** The weight of a message that is kept, with its whole outputs where that was asked for. */
export const keptWeight = (entry: Entry, limit: number): number =>
  entry.hold?.name === 'whole' ? entry.hold.tokens : weigh(entry, limit);

/** Kept units, the newest first, as many as fit their share of the limit. Pinned ones stay by themselves. */
export function keptUnits(units: readonly Unit[], limit: number): Unit[] {
  let left = maxKeptTokens(limit);
  return units.toReversed().filter((unit) => {
    const entries = entriesOf(unit);
    if (!entries.some(isKept)) return false;
    const weight = entries.reduce((sum, entry) => sum + keptWeight(entry, limit), 0);
    if (weight > left) return false;
    left -= weight;
    return true;
  });
}

/** The holds of a generation: of its kept units, and of the other messages that stay beside it. */
export function holdsOf(kept: readonly Unit[], shown: readonly Entry[]): Holds {
  const entries = kept.flatMap(entriesOf).sort((a, b) => a.seq - b.seq);
  return {
    kept: entries.map(({ seq }) => seq),
    whole: entries.flatMap(({ seq, hold }) => (hold?.name === 'whole' ? [[seq, hold.tokens] as const] : [])),
    released: shown.filter(({ hold }) => hold?.name === 'release').map(({ seq }) => seq),
  };
}

/** Whole units that contain one of these seqs: a call is kept with its results. */
export const unitsWith = (entries: readonly Entry[], isMeant: (entry: Entry) => boolean): Unit[] =>
  groupUnits(entries).filter((unit) => entriesOf(unit).some(isMeant));
