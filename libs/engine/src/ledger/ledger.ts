import type { CountTokens } from '../tokens/counter.js';
import { ownCopy } from '../messages/own-copy.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { factsField, type SummaryFields } from '../compaction/summary.js';
import { parseLines, withoutClippedWords } from '../compaction/summary-line.js';
import { labelledValuesIn, valuesOfText } from './labelled-values.js';
import {
  fitLedger,
  otherUses,
  parseLedger,
  renderEntry,
  renderLedger,
  type LedgerEntry,
} from './ledger-text.js';
import { replacementsIn, type Replacement } from './replaced-values.js';

interface Ranked extends LedgerEntry {
  /** The message at which `uses` was counted last. */
  at: number;
  /** The newest message that says it, or an ending of it that it stands for. */
  last: number;
}

/** A ledger never holds more entries than this, however long the range is; the lighter half is then forgotten. */
const maxEntries = 20_000;
/** Messages after which a use counts half, and after which having been said counts half. */
const halfLife = { use: 200, mention: 150 } as const;
/** How much having been said lately counts beside use. */
const recency = 3;
/**
 * How much having been said lately counts for a value that only a tool printed, beside 1 for one that somebody used. By
 * its form: an address is whole wherever it stands, and says where something runs; a relative path means nothing without
 * the file that it was printed from.
 */
const printed = { address: 1.4, relative: 0.5, other: 0.9 } as const;
/** How much a short value is preferred: 0 not at all, 1 by its tokens. */
const brevity = 0.2;
/** A file's name that so many used paths end with names little alone: `package.json`, `index.ts`. */
const manyFolders = 6;
/** The share of its score that such a path has: most still come before listed values, for which some room is left. */
const shareOfCommonName = 0.55;
/** The same of a value of a closed task that was not said since: the line of the task has the outcome. */
const shareOfClosed = 0.3;

/**
 * The values that a thread may need again letter by letter, over all of its folds. Those that the agent passed to tools
 * and that people wrote rank by use and age; those that a tool listed by age alone. Deterministic, linear in the text.
 */
export class Ledger {
  private entries = new Map<string, Ranked>();
  private newest = 1;

  /** Goes on from an earlier summary: from its ledger, and from the values that its other lines say. */
  constructor(prior: SummaryFields | null = null) {
    const { [factsField]: facts = '', ...narrative } = prior ?? {};
    const entries = [
      ...entriesOfLines(narrative),
      ...Object.values(narrative).flatMap(entriesOfOldList),
      ...parseLedger(facts, maxEntries),
    ].filter(({ seq }) => seq >= 1);
    this.newest = entries.reduce((newest, { seq }) => Math.max(newest, seq), 1);
    for (const entry of entries)
      this.entries.set(withoutLine(entry.value), { ...entry, at: this.newest, last: entry.seq });
    // An older line of the summary may still say it.
    for (const { was } of entries) {
      const older = was && this.entries.get(withoutLine(was.value));
      if (older && older.seq <= was.seq) this.entries.delete(withoutLine(was.value));
    }
  }

  add(messages: readonly SeqMessage[]): void {
    for (const message of messages) {
      const { seq } = message;
      this.newest = Math.max(this.newest, seq);
      // The message names the older value too: what counts is who said it before.
      const replaced = replacementsIn(message).map((one) => ({
        ...one,
        saidAt: this.entries.get(withoutLine(one.before))?.seq ?? seq,
      }));
      for (const { value, label, uses } of labelledValuesIn(message)) {
        const key = withoutLine(value);
        const known = this.entries.get(key);
        const before = known ? known.uses * decayed(seq - known.at, halfLife.use) : 0;
        this.entries.set(known ? key : ownCopy(key), {
          value: ownCopy(value),
          label: known?.label || label,
          seq,
          uses: before + uses,
          at: seq,
          last: seq,
          was: known?.was,
        });
      }
      for (const one of replaced) this.replace(one, one.saidAt);
      if (this.entries.size > maxEntries) this.forget();
    }
  }

  /** The newer value stands for both, with what the older one was used. */
  private replace({ before, after }: Replacement, saidAt: number): void {
    const older = this.entries.get(withoutLine(before));
    const newer = this.entries.get(withoutLine(after));
    if (!older || !newer || older === newer) return;
    newer.uses = Math.max(newer.uses, older.uses);
    newer.label ||= older.label;
    newer.was = { value: older.value, seq: saidAt };
    this.entries.delete(withoutLine(before));
  }

  /**
   * Lines that name the most useful values within `room` tokens, except for those that `isSaid` elsewhere. `openFrom`:
   * the message that began the open task, where tasks before it were closed.
   */
  render(
    room: number,
    count: CountTokens,
    { isSaid = () => false, openFrom = 0 }: { isSaid?: (value: string) => boolean; openFrom?: number } = {},
  ): string {
    const unsaid = this.byWorth(count, openFrom).filter(({ entry }) => !isSaid(entry.value));
    return renderLedger(fitLedger(unsaid, room, count));
  }

  /** The values that somebody used: the user or the agent wrote them, or a tool got them. The most used first. */
  used(): LedgerEntry[] {
    return withoutEndings([...this.entries.values()])
      .filter(({ uses }) => uses > 0)
      .map(this.asOfNow)
      .sort((a, b) => b.uses - a.uses || b.seq - a.seq);
  }

  private byWorth(count: CountTokens, openFrom: number): { entry: LedgerEntry; tokens: number }[] {
    const entries = withoutEndings([...this.entries.values()]);
    const used = entries.filter(({ uses }) => uses > 0);
    const usedByName = Map.groupBy(used, ({ value }) => fileNameOf(value));
    const shareOf = ({ value, last, uses }: Ranked): number => {
      const name = fileNameOf(value);
      const isCommon = name !== '' && uses > 0 && usedByName.get(name)!.length >= manyFolders;
      return (isCommon ? shareOfCommonName : 1) * (last < openFrom ? shareOfClosed : 1);
    };
    const heaviest = entries
      .map((entry) => ({ entry, score: this.score(entry) * shareOf(entry) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, maxCandidates);
    return heaviest
      .map(({ entry, score }) => {
        const tokens = count(entry.was ? renderEntry({ ...entry, uses: 0 }) : entry.value);
        return { entry: this.asOfNow(entry), tokens, worth: score / Math.pow(tokens + 2, brevity) };
      })
      .sort((a, b) => b.worth - a.worth);
  }

  private asOfNow = ({ value, label, seq, uses, at, was }: Ranked): LedgerEntry => ({
    value,
    label,
    seq,
    uses: uses * decayed(this.newest - at, halfLife.use),
    ...(was ? { was } : {}),
  });

  private score(entry: Ranked): number {
    const age = this.newest - entry.last;
    const uses = this.asOfNow(entry).uses;
    const form = uses > 0 ? 1 : printed[formOf(entry.value)];
    return Math.log2(1 + uses) + form * recency * decayed(age, halfLife.mention);
  }

  private forget(): void {
    const kept = [...this.entries.values()]
      .sort((a, b) => this.score(b) - this.score(a))
      .slice(0, maxEntries / 2);
    this.entries = new Map(kept.map((entry) => [withoutLine(entry.value), entry]));
  }
}

/**
 * The values in lines of an earlier summary that name their message: its ledger left them out, as they stand there.
 * The seqs that code writes into such a line are none of it.
 */
const entriesOfLines = (fields: SummaryFields): LedgerEntry[] =>
  Object.values(fields)
    .flatMap((text) => parseLines(text))
    .flatMap(({ seq, text }) =>
      valuesOfText(withoutClippedWords(text.replace(ownWords, ' ')), true).map((value) => ({
        ...value,
        seq,
        uses: otherUses,
      })),
    );

/** See `extractive/open-ends.ts` and `extractive/outcomes/failures.ts`. */
const ownWords =
  /^message \d{1,9} asks for what is not answered yet$|\(passed at \d{1,9}(?= after |\)$)|\[\d{1,9}\](?=, |\)$)/g;

/** Head of the list that versions before 0.2 wrote: `Identifiers in use (last seq): HAT271 (1); mia_li_3668 (5)`. */
export const oldListHead = 'Identifiers in use (last seq): ';

const entriesOfOldList = (text: string): LedgerEntry[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(oldListHead))
    .flatMap((line) => [...line.matchAll(/(?<=: |; )(\S{1,300}) \((\d{1,9})\)(?=;|$)/g)])
    .map(([, value, seq]) => ({ value: value!, label: '', seq: Number(seq), uses: otherUses }));

/** Entries whose tokens are counted: more than any summary has room for. */
const maxCandidates = 2_000;

const decayed = (messages: number, half: number): number => Math.pow(0.5, Math.max(0, messages) / half);

const formOf = (value: string): keyof typeof printed =>
  /^https?:\/\//.test(value) ? 'address' : /^\.{1,2}\//.test(value) ? 'relative' : 'other';

/** `src/cart/tax.ts` of `src/cart/tax.ts:42`: a file is one value, whichever of its lines was named last. */
export const withoutLine = (value: string): string => value.replace(/(?<=\.\w{1,8})(?::\d{1,6}){1,2}$/, '');

const fileNameOf = (value: string): string =>
  value.includes('/') ? withoutLine(value.slice(value.lastIndexOf('/') + 1)) : '';

/** A path that another one ends with is said by it: the longer one stands for both. */
function withoutEndings(entries: readonly Ranked[]): Ranked[] {
  const byValue = new Map(entries.map((entry) => [withoutLine(entry.value), { ...entry }]));
  for (const entry of [...byValue.values()].sort((a, b) => b.value.length - a.value.length)) {
    for (const ending of endingsOf(withoutLine(entry.value))) {
      const shorter = byValue.get(ending);
      if (!shorter) continue;
      byValue.delete(ending);
      entry.uses += shorter.uses;
      entry.last = Math.max(entry.last, shorter.last);
    }
  }
  return [...byValue.values()];
}

/** `/b/c.ts`, `b/c.ts` and `c.ts` of `a/b/c.ts`; `./c.js` of `../c.js`. */
function endingsOf(path: string): string[] {
  const endings = path.startsWith('../') ? [path.slice(1)] : [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    if (at > 0) endings.push(path.slice(at));
    endings.push(path.slice(at + 1));
    if (path.startsWith('../', at + 1)) endings.push(path.slice(at + 2));
  }
  return endings;
}
