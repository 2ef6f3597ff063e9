import { createHash } from 'node:crypto';
import {
  assembleContext,
  messageOverhead,
  outlineContext,
  SpillwayError,
  type Body,
  type Budget,
  type Context,
  type ContextInput,
} from '@spillway/engine';
import {
  markRead,
  readBodies,
  readEntries,
  readEntriesWithBodies,
  readThreadWithSummary,
  summaryAt,
  type ActiveSummary,
  type ThreadRow,
} from '@spillway/store';
import { bodyOf, entryOf, seqsThrough } from './entries.js';
import type { Runtime } from './runtime.js';
import type { ThreadSettings } from './settings.js';

export interface ContextQuery {
  projectId: string;
  threadId: string;
  /** A smaller budget, in tokens. */
  maxTokens?: number;
  /** The context as it was when this seq was the newest. */
  at?: number;
  /** Replaces the thread's system prompt. */
  system?: string;
}

export interface ReadContext extends Context {
  system: string | null;
  budget: Budget & { limit: number };
  summary: { generation: number; fromSeq: number; toSeq: number; method: 'llm' | 'extractive' } | null;
  lastSeq: number;
  /** Changes exactly when what a model would be sent changes. */
  fingerprint: string;
}

interface UsedSummary {
  generation: number;
  fromSeq: number;
  toSeq: number;
  method: 'llm' | 'extractive';
  text: string;
  tokens: number;
  carried: number[];
}

/**
 * The context to send to the model now. Never waits for a summary and never exceeds its budget: when compaction
 * has not caught up it leaves out the oldest messages and says so. Reads the active summary and the messages after
 * it, whatever the length of the thread. Throws `thread_not_found`, `budget_too_small`.
 */
export async function readContext(rt: Runtime, query: ContextQuery): Promise<ReadContext> {
  for (let attempt = 1; ; attempt++) {
    const row = await readThreadWithSummary(rt.store.query, query.projectId, query.threadId);
    if (!row) throw new SpillwayError('thread_not_found', 'No such thread.');
    const context = await readFrom(rt, row, query);
    // Only while a compaction is pending can `at` later be in doubt about what was served here. When one committed
    // while this was being read, the newer context is served; a thread cannot be compacted again and again.
    const { lastSeq } = context;
    if (query.at !== undefined || row.state === 'idle' || row.readSeq >= lastSeq || attempt > 3)
      return context;
    const read = { projectId: row.projectId, threadUid: row.uid, seq: lastSeq, generation: row.generation };
    if (await markRead(rt.store.query, read)) return context;
  }
}

async function readFrom(
  rt: Runtime,
  row: ThreadRow & ActiveSummary,
  query: ContextQuery,
): Promise<ReadContext> {
  const settings = await rt.settings.ofRow(row);
  const lastSeq = row.nextSeq - 1;
  const through = query.at ?? lastSeq;
  if (through > lastSeq) {
    throw new SpillwayError('invalid_request', `The newest message is ${lastSeq}.`, [
      { path: '/at', message: `must be at most ${lastSeq}` },
    ]);
  }
  const past = through < lastSeq;
  const summary = past
    ? await summaryAt(rt.store.query, row.projectId, row.uid, through)
    : activeSummary(row);
  const system = query.system ?? row.system;
  const limit = Math.min(settings.budget.limit, query.maxTokens ?? Infinity);
  const systemTokens =
    query.system === undefined ? settings.systemTokens : settings.count(query.system) + messageOverhead;
  const context = await assemble(rt, row, { summary, through, limit, systemTokens, settings });
  return {
    ...context,
    system,
    budget: { ...settings.budget, limit },
    summary: summary ?? null,
    lastSeq,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([system, context.messages, limit, settings.budget.trigger, lastSeq]))
      .digest('hex'),
  };
}

interface Frame {
  summary: UsedSummary | undefined;
  through: number;
  limit: number;
  systemTokens: number;
  settings: ThreadSettings;
}

async function assemble(rt: Runtime, row: ThreadRow, frame: Frame): Promise<Context> {
  const { summary, through, limit, settings } = frame;
  const leading = seqsThrough(Math.min(row.leadingThrough, through));
  const carried = summary?.carried ?? [];
  const after = summary?.toSeq ?? 0;
  const window = {
    projectId: row.projectId,
    threadUid: row.uid,
    after,
    through,
    also: [...leading, ...carried],
  };
  // Within the limit everything is shown, so bodies come along; beyond it, entries say first which are needed.
  const fits = through === row.nextSeq - 1 && row.liveTokens <= 2 * limit;
  const whole = fits ? await readEntriesWithBodies(rt.store.query, window) : null;
  const rows = whole ?? (await readEntries(rt.store.query, window));
  const entries = rows.map(entryOf);
  const carriedSeqs = new Set(carried);
  const input: ContextInput = {
    limit,
    systemTokens: frame.systemTokens,
    leading: entries.filter((entry) => entry.seq <= leading.length),
    carried: entries.filter(
      (entry) => entry.seq > leading.length && entry.seq <= after && carriedSeqs.has(entry.seq),
    ),
    summary: summary ? { text: summary.text, tokens: summary.tokens } : null,
    recent: entries.filter((entry) => entry.seq > Math.max(after, leading.length)),
  };
  const outlined = outlineContext(input);
  if (!outlined.fits) throw tooSmall(outlined.minimum, limit);
  const bodyRows = whole ?? (await readBodies(rt.store.query, row.projectId, row.uid, outlined.outline.seqs));
  const bodies = new Map<number, Body>(bodyRows.map((r) => [r.seq, bodyOf(r)]));
  const context = assembleContext(outlined.outline, bodies, settings.count);
  if (context.tokens.total > limit) throw tooSmall(context.tokens.total, limit);
  return context;
}

const tooSmall = (minimum: number, limit: number): SpillwayError =>
  new SpillwayError(
    'budget_too_small',
    `No valid context of this thread fits ${limit} tokens; the smallest takes ${minimum}.`,
    [{ path: '/max_tokens', message: `must be at least ${minimum}` }],
  );

const activeSummary = (row: ActiveSummary): UsedSummary | undefined =>
  row.sGeneration === null
    ? undefined
    : {
        generation: row.sGeneration,
        fromSeq: row.sFromSeq,
        toSeq: row.sToSeq,
        method: row.sMethod,
        text: row.sText,
        tokens: row.sTokens,
        carried: row.sCarried,
      };
