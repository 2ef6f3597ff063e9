import { setImmediate } from 'node:timers/promises';
import {
  SpillwayError,
  type SummaryFields,
  factsIn,
  FactTable,
  SaidText,
  SourceIndex,
  statementsOf,
  usesIn,
  type FactKind,
  type FactState,
  type FoundFact,
  type SourcedStatement,
} from '@spillway/engine';
import type { SummaryRow, ThreadRow } from '@spillway/store';
import { LRUCache } from 'lru-cache';
import { pageFrom, readCursor, type Page } from '../paging/cursor.js';
import { getSummary } from './list-summaries.js';
import type { Runtime } from '../runtime.js';
import { scanMessages } from '../messages/scan-messages.js';
import { withSearchSlot } from '../search/search-slots.js';

export interface CheckedFact extends FoundFact {
  state: FactState;
}

export interface FactsQuery {
  projectId: string;
  threadId: string;
  generation: number;
  /** All messages that the summary covers, or only those that its own compaction folded in. */
  range?: 'chain' | 'own';
  kind?: FactKind;
  state?: FactState;
  limit?: number;
  cursor?: string;
}

export interface FactsCheck {
  summary: SummaryRow;
  fromSeq: number;
  /** By kind and state, of the whole range; the filter of a page does not change them. */
  counts: Map<FactKind, Record<FactState, number>>;
  forgotten: number;
  page: Page<CheckedFact>;
  /** Only on the first page. */
  statements: SourcedStatement[] | null;
}

interface Checked {
  facts: CheckedFact[];
  statements: SourcedStatement[];
  forgotten: number;
}

/** Pages of one check are requested in a row; any change of the thread's content is another version. */
const checks = new LRUCache<string, Checked>({
  maxSize: 120_000,
  sizeCalculation: ({ facts, statements }) => 1 + facts.length + statements.length,
  ttl: 60_000,
  ttlAutopurge: true,
});
const running = new Map<string, Promise<Checked>>();

/**
 * The state of the facts in a generation's range: those that its text still contains, those that are carried beside it,
 * and those that a model no longer sees; and for each of its statements the source messages. Throws
 * `summary_not_found`, `summary_withdrawn`, and `too_many_searches` when all search slots are taken.
 */
export async function checkFacts(rt: Runtime, query: FactsQuery): Promise<FactsCheck> {
  const { projectId, threadId, range = 'chain', kind, state, limit = 100 } = query;
  const { thread, summary } = await getSummary(rt, projectId, threadId, query.generation);
  if (summary.withdrawnAt !== null)
    throw new SpillwayError('summary_withdrawn', 'This generation was withdrawn; its facts are not shown.');
  const start = readCursor(query.cursor, 0);
  const { facts, statements, forgotten } = await checked(rt, thread, summary);
  const fromSeq = range === 'own' ? summary.fromSeq : 1;
  const inRange = facts.filter((fact) => fact.lastSeq >= fromSeq);
  const wanted = inRange.filter((fact) => (!kind || fact.kind === kind) && (!state || fact.state === state));
  return {
    summary,
    fromSeq,
    counts: countsOf(inRange),
    forgotten,
    page: pageFrom(wanted, start, limit),
    statements: query.cursor === undefined ? statements : null,
  };
}

async function checked(rt: Runtime, thread: ThreadRow, summary: SummaryRow): Promise<Checked> {
  const key = [thread.projectId, thread.uid, thread.contentVersion, summary.generation].join();
  const known = checks.get(key);
  if (known) return known;
  const begun = running.get(key);
  if (begun) return begun;
  const check = withSearchSlot(thread.projectId, () => scan(rt, thread, summary));
  running.set(key, check);
  try {
    const made = await check;
    checks.set(key, made);
    return made;
  } finally {
    running.delete(key);
  }
}

async function scan(rt: Runtime, thread: ThreadRow, summary: SummaryRow): Promise<Checked> {
  const { toSeq, asOfSeq } = summary;
  const carried = new Set(summary.carried);
  const table = new FactTable();
  const index = new SourceIndex(statementsOf(JSON.parse(summary.fields) as SummaryFields), toSeq);
  // Sent beside the messages, so the summary model sees it too.
  index.addText(`${thread.system ?? ''}\n${JSON.stringify(thread.tools ?? [])}`);
  const range = { projectId: thread.projectId, threadUid: thread.uid, fromSeq: 1, toSeq, asOfSeq };
  await scanMessages(rt, range, (message) => {
    const { seq } = message;
    const facts = factsIn(message);
    table.add(facts, {
      seq,
      uses: usesIn(message),
      carried: carried.has(seq) || seq <= thread.leadingThrough,
    });
    index.add(message, facts);
  });
  const summaryText = new SaidText(summary.text);
  const facts: CheckedFact[] = [];
  for (const [i, fact] of table.byWeight().entries()) {
    if (i % 500 === 499) await setImmediate();
    facts.push({
      ...fact,
      state: summaryText.says(fact.text) ? 'kept' : fact.carried ? 'carried' : 'dropped',
    });
  }
  return { facts, statements: index.sources(), forgotten: table.forgotten };
}

function countsOf(facts: readonly CheckedFact[]): FactsCheck['counts'] {
  const counts: FactsCheck['counts'] = new Map();
  for (const { kind, state } of facts) {
    const of = counts.get(kind) ?? { kept: 0, carried: 0, dropped: 0 };
    of[state]++;
    counts.set(kind, of);
  }
  return counts;
}
