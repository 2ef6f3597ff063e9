import { createHash } from 'node:crypto';
import {
  assembleContext,
  conversationOverhead,
  outlineContext,
  SpillwayError,
  type Budget,
  type Context,
  type ContextInput,
  type FormatName,
} from '@spillway/engine';
import {
  markRead,
  readBodies,
  readEntries,
  readEntriesWithBodies,
  readThreadWithSummary,
  summaryAt,
  type ActiveSummary,
  type BodyRow,
  type ThreadRow,
} from '@spillway/store';
import { entryOf, seqsThrough } from './entries.js';
import { loadMedia } from './media/load-media.js';
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
  /** How the messages are written; as OpenAI chat messages when left out. */
  format?: FormatName;
}

export interface ReadContext extends Omit<Context, 'system'> {
  format: FormatName;
  system: string | null;
  budget: Budget & { limit: number };
  summary: { generation: number; fromSeq: number; toSeq: number; method: 'llm' | 'extractive' } | null;
  lastSeq: number;
  model: string | null;
  /** Tokens of the same conversation with every message in full and no summary, its system prompt and tools included. */
  fullTokens: number;
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
  clearedThrough: number;
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
  const asked = query.system ?? row.system;
  const limit = Math.min(settings.budget.limit, query.maxTokens ?? Infinity);
  const systemTokens =
    query.system === undefined
      ? settings.systemTokens
      : settings.toolTokens + settings.count(query.system) + settings.counter.perMessage;
  const { format = 'openai' } = query;
  const made = await assemble(rt, row, { summary, through, limit, systemTokens, settings, format });
  const prompts = [...(asked === null ? [] : [asked]), ...made.system];
  const system = prompts.length > 0 ? prompts.join('\n\n') : null;
  return {
    ...made,
    format,
    system,
    budget: { ...settings.budget, limit },
    summary: summary ?? null,
    lastSeq,
    model: row.model,
    fullTokens: Number(row.totalTokens) + systemTokens + conversationOverhead,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([system, made.messages, limit, settings.budget.trigger, lastSeq]))
      .digest('hex'),
  };
}

interface Frame {
  summary: UsedSummary | undefined;
  through: number;
  limit: number;
  systemTokens: number;
  settings: ThreadSettings;
  format: FormatName;
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
    maxImages: settings.policy.context.max_images,
    clearedThrough: summary?.clearedThrough ?? 0,
    recent: entries.filter((entry) => entry.seq > Math.max(after, leading.length)),
  };
  return within(rt, row, input, whole, frame);
}

/** Another format may take a little more than what was posted; then less is shown. */
async function within(
  rt: Runtime,
  row: ThreadRow,
  input: ContextInput,
  whole: readonly BodyRow[] | null,
  { settings, format, limit }: Frame,
): Promise<Context> {
  for (let room = limit; ;) {
    const outlined = outlineContext({ ...input, limit: room });
    if (!outlined.fits) throw tooSmall(outlined.minimum, limit);
    const { outline } = outlined;
    const rows = whole ?? (await readBodies(rt.store.query, row.projectId, row.uid, outline.seqs));
    // Messages go only with their thread, which was erased between the two reads.
    if (whole === null && rows.length < outline.seqs.length)
      throw new SpillwayError('thread_not_found', 'No such thread.');
    const hidden = (seq: number): number => outline.reductions.get(seq)?.images ?? 0;
    const { bodies, lost } = await loadMedia(rt, row.projectId, rows, hidden);
    for (const seq of lost)
      outline.reductions.set(seq, { ...noReduction, ...outline.reductions.get(seq), lost: true });
    const context = assembleContext(outline, bodies, format, settings.counter);
    if (context.tokens.total <= limit) return context;
    room -= context.tokens.total - limit;
  }
}

const noReduction = { images: 0, cleared: false };

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
        clearedThrough: row.sClearedThrough,
      };
