import type { CountTokens } from '../tokens/counter.js';

/** A value that a summary keeps letter by letter. */
export interface LedgerEntry {
  value: string;
  /** The key that it stood under, or the tool that it was given to. May be empty. */
  label: string;
  /** The newest message that says it. */
  seq: number;
  /** How much it was used, over all folds; a use counts less the older it is. */
  uses: number;
  /** The value whose place it took, with the newest message that said that one. */
  was?: { value: string; seq: number } | undefined;
}

/** An entry with at least so many uses is written with their number, so that the next fold knows it. */
const shownUses = 8;
/** The uses of an entry without a number. */
export const otherUses = 3;

const line = /^- \[(\d{1,9}(?:,\d{1,9}){0,9})\] (.+)$/;
const part = /^(seen )?(?:([\w.-]{1,40}): )?(\S+)(?: \(was (\S+) \[(\d{1,9})\]\))?(?: x(\d{1,6}))?$/;
const seen = 'seen ';
/** As many messages as a citation may list. */
const messagesPerLine = 10;
const between = { messages: ' | ', labels: '; ', values: ', ' } as const;

/**
 * `- [217,219] edit: src/a.ts x12, src/b.ts; HAT271 | seen id: JRB442`: the values of message 217, then those of 219,
 * in the order of the thread. What was only seen is from the result of a tool, and nobody has used it. A value that took
 * the place of another says so: `9090 (was 8080 [12])`.
 */
export function renderLedger(entries: readonly LedgerEntry[]): string {
  const bySeq = Map.groupBy(
    [...entries].sort((a, b) => a.seq - b.seq),
    ({ seq }) => seq,
  );
  const messages = [...bySeq];
  const lines: string[] = [];
  for (let i = 0; i < messages.length; i += messagesPerLine) {
    const some = messages.slice(i, i + messagesPerLine);
    const texts = some.map(([, of]) => groupsOf(of).join(between.labels));
    lines.push(`- [${some.map(([seq]) => seq).join(',')}] ${texts.join(between.messages)}`);
  }
  return lines.join('\n');
}

function groupsOf(entries: readonly LedgerEntry[]): string[] {
  const byLabel = Map.groupBy(entries, ({ label, uses }) => (uses > 0 ? '' : seen) + (label && `${label}: `));
  return [...byLabel].map(([label, values]) => {
    return label + values.map(renderEntry).join(between.values);
  });
}

/** A value with what it replaced and how much it was used. */
export function renderEntry({ value, uses, was }: LedgerEntry): string {
  const before = was ? ` (was ${was.value} [${was.seq}])` : '';
  return value + before + (uses >= shownUses ? ` x${Math.round(uses)}` : '');
}

/** Reads back what `renderLedger` wrote, of more than `max` entries the newest. Lines of another form are no entries. */
export function parseLedger(text: string, max = Infinity): LedgerEntry[] {
  const newestFirst: LedgerEntry[][] = [];
  let left = max;
  for (const written of text.split('\n').reverse()) {
    if (left <= 0) break;
    const entries = entriesOfLine(written);
    newestFirst.push(entries.slice(-left));
    left -= entries.length;
  }
  return newestFirst.reverse().flat();
}

function entriesOfLine(written: string): LedgerEntry[] {
  const [, list, rest] = line.exec(written) ?? [];
  const seqs = list?.split(',').map(Number) ?? [];
  const messages = rest?.split(between.messages) ?? [];
  if (seqs.length !== messages.length) return [];
  return messages.flatMap((of, i) => of.split(between.labels).flatMap((group) => entriesIn(group, seqs[i]!)));
}

function entriesIn(group: string, seq: number): LedgerEntry[] {
  let of = { label: '', uses: otherUses as number };
  return group.split(between.values).flatMap((item, i) => {
    const [, only, label, value, before, beforeSeq, uses] = part.exec(item) ?? [];
    if (value === undefined) return [];
    if (i === 0) of = { label: label ?? '', uses: only === undefined ? otherUses : 0 };
    const was = before === undefined ? {} : { was: { value: before, seq: Number(beforeSeq) } };
    return [{ value, label: of.label, seq, uses: Number(uses ?? of.uses), ...was }];
  });
}

/** Values in a row that may be too long for what is left before the rest is not tried any more. */
const maxMisses = 20;

/** So many more are chosen than seem to fit, because a token may join parts: the best of them that fit are kept. */
const moreThanFits = 1.15;

export interface SizedEntry {
  entry: LedgerEntry;
  tokens: number;
}

/** The entries that fit into `room` tokens once rendered, in the order of the candidates. */
export function fitLedger(candidates: Iterable<SizedEntry>, room: number, count: CountTokens): LedgerEntry[] {
  const chosen: LedgerEntry[] = [];
  const seqs = new Set<number>();
  let left = room * moreThanFits;
  let misses = 0;
  for (const { entry, tokens } of candidates) {
    const cost = tokens + 1 + (seqs.has(entry.seq) ? 0 : 3);
    const isTooLong = cost > Math.min(left, room);
    if (isTooLong && ++misses > maxMisses) break;
    if (isTooLong) continue;
    left -= cost;
    seqs.add(entry.seq);
    chosen.push(entry);
  }
  // Tokens of the parts are an estimate of those of the whole.
  let fits = 0;
  for (let tooMany = chosen.length + 1; fits + 1 < tooMany;) {
    const some = Math.floor((fits + tooMany) / 2);
    if (count(renderLedger(chosen.slice(0, some))) <= room) fits = some;
    else tooMany = some;
  }
  return chosen.slice(0, fits);
}
