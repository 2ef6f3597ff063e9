import { createHash } from 'node:crypto';
import {
  assembleContext,
  conversationOverhead,
  loadCounter,
  outlineContext,
  SpillwayError,
  type Context,
  type ContextInput,
  type FormatName,
  type MessageCounter,
} from '@spillway/engine';
import {
  readBodies,
  readEntries,
  readEntriesWithBodies,
  readThreadWithSummary,
  servedAt,
  shownSummary,
  summaryAt,
  type ActiveSummary,
  type BodyRow,
  type ServedRow,
  type ShownSummary,
  type ThreadRow,
} from '@spillway/store';
import { frameOf, type ContextFrame } from './context-frame.js';
import { entryOf, seqsThrough } from './entries.js';
import { loadMedia } from './media/load-media.js';
import type { Runtime } from './runtime.js';

export interface ContextQuery {
  projectId: string;
  threadId: string;
  /** A smaller budget, in tokens. */
  maxTokens?: number;
  /** The context as it was when this seq was the newest. */
  at?: number;
  /** Replaces the thread's system prompt. */
  system?: string;
  /** How the messages are written. Left out: as they were served, or as OpenAI chat messages. */
  format?: FormatName;
}

export interface ReadContext extends Omit<Context, 'system'> {
  format: FormatName;
  system: string | null;
  budget: { contextWindow: number; limit: number; trigger: number };
  summary: { generation: number; fromSeq: number; toSeq: number; method: 'llm' | 'extractive' } | null;
  /** The newest message that it stands for. */
  lastSeq: number;
  model: string | null;
  /** Tokens of the same conversation with every message in full and no summary, its system prompt and tools included. */
  fullTokens: number;
  /** Changes exactly when what a model would be sent changes. */
  fingerprint: string;
  /** For `at`: when a context was last served there, and whether this is that context. Null when none was. */
  served: { at: Date; exact: boolean } | null;
  /** What it was made from. */
  made: { row: ThreadRow; frame: ContextFrame; prompt: string | null };
}

/**
 * The context to send to the model now, or with `at` what was served when that seq was the newest message, whatever
 * has changed since; nothing that was erased comes back. Never waits for a summary and never exceeds its budget: when
 * compaction has not caught up it leaves out the oldest messages and says so. Reads one summary and the messages after
 * it, whatever the length of the thread, and writes nothing. Throws `thread_not_found`, `budget_too_small`.
 */
export async function readContext(rt: Runtime, query: ContextQuery): Promise<ReadContext> {
  const row = await readThreadWithSummary(rt.store.query, query.projectId, query.threadId);
  if (!row) throw new SpillwayError('thread_not_found', 'No such thread.');
  const lastSeq = row.nextSeq - 1;
  const { at } = query;
  if (at === undefined) return readNow(rt, row, query);
  if (at > lastSeq) {
    throw new SpillwayError('invalid_request', `The newest message is ${lastSeq}.`, [
      { path: '/at', message: `must be at most ${lastSeq}` },
    ]);
  }
  const served = await servedAt(rt.store.query, row.projectId, row.uid, at);
  return served ? readServed(rt, row, query, served) : readPast(rt, row, query, at);
}

/** The context as it is now. */
async function readNow(
  rt: Runtime,
  row: ThreadRow & ActiveSummary,
  query: ContextQuery,
): Promise<ReadContext> {
  return build(rt, await sourceNow(rt, row, query));
}

/** What would have been served at a seq where nothing was: under the settings of now. */
async function readPast(
  rt: Runtime,
  row: ThreadRow & ActiveSummary,
  query: ContextQuery,
  at: number,
): Promise<ReadContext> {
  const source = await sourceNow(rt, row, query);
  const isPast = at < row.nextSeq - 1;
  const summary = isPast ? await summaryAt(rt.store.query, row.projectId, row.uid, at) : source.summary;
  return build(rt, { ...source, summary, through: at });
}

/**
 * What was served. It is made again from its frame, its summary and its messages; the fingerprint says whether it came
 * out the same, which it does not when something that it showed was erased or withdrawn, or when the caller asks for
 * another format, prompt or budget.
 */
async function readServed(
  rt: Runtime,
  row: ThreadRow & ActiveSummary,
  query: ContextQuery,
  served: ServedRow,
): Promise<ReadContext> {
  const { projectId, uid } = row;
  const frame = JSON.parse(served.frame) as ContextFrame;
  const source: Source = {
    row,
    frame: withinBudget({ ...frame, format: query.format ?? frame.format }, query.maxTokens),
    prompt: served.promptHash === null ? null : (served.prompt ?? row.system),
    summary:
      served.generation === 0
        ? undefined
        : ((await shownSummary(rt.store.query, projectId, uid, served.generation)) ??
          (await summaryAt(rt.store.query, projectId, uid, served.seq))),
    through: served.seq,
    ownLimit: frame.limit,
    measuredLimit: Infinity,
  };
  const context = await build(rt, await withPrompt(source, query.system));
  return {
    ...context,
    served: { at: served.servedAt, exact: context.fingerprint === served.fingerprint },
  };
}

/** What a context is made from. */
interface Source {
  row: ThreadRow;
  frame: ContextFrame;
  /** The system prompt beside the messages. */
  prompt: string | null;
  summary: ShownSummary | undefined;
  through: number;
  /** What the limit would be without a smaller budget for this context. */
  ownLimit: number;
  /** See ThreadSettings. */
  measuredLimit: number;
}

async function sourceNow(rt: Runtime, row: ThreadRow & ActiveSummary, query: ContextQuery): Promise<Source> {
  const settings = await rt.settings.ofRow(row);
  const { limit } = settings.budget;
  const frame = frameOf(settings, { format: query.format ?? 'openai', limit, model: row.model });
  const source: Source = {
    row,
    frame: withinBudget(frame, query.maxTokens),
    prompt: row.system,
    summary: activeSummary(row),
    through: row.nextSeq - 1,
    ownLimit: settings.measuredLimit,
    measuredLimit: settings.measuredLimit,
  };
  return withPrompt(source, query.system);
}

const withinBudget = (frame: ContextFrame, maxTokens = Infinity): ContextFrame => ({
  ...frame,
  limit: Math.min(frame.limit, maxTokens),
});

/** With another system prompt than the thread's. */
async function withPrompt(source: Source, prompt: string | undefined): Promise<Source> {
  if (prompt === undefined) return source;
  const { frame } = source;
  const counter = await counterOf(frame);
  const systemTokens = frame.toolTokens + counter.text(prompt) + counter.perMessage;
  return { ...source, prompt, frame: { ...frame, systemTokens } };
}

const counterOf = async ({ counter }: ContextFrame): Promise<MessageCounter> => ({
  text: await loadCounter(counter.name, counter.charsPerToken),
  perMessage: counter.perMessage,
});

async function build(rt: Runtime, asked: Source): Promise<ReadContext> {
  let source = asked;
  let context = await assemble(rt, source);
  // A provider that counts more than the calibration says would refuse it, and no compaction may ever come.
  if (context.tokens.total > source.measuredLimit) {
    source = { ...source, frame: { ...source.frame, limit: source.measuredLimit } };
    context = await assemble(rt, source);
  }
  const { row, frame, prompt, summary, through } = source;
  const prompts = [...(prompt === null ? [] : [prompt]), ...context.system];
  const system = prompts.length > 0 ? prompts.join('\n\n') : null;
  const { format, contextWindow, limit, trigger, systemTokens } = frame;
  return {
    ...context,
    format,
    system,
    budget: { contextWindow, limit, trigger },
    summary: summary ?? null,
    lastSeq: through,
    model: row.model,
    fullTokens: Number(row.totalTokens) + systemTokens + conversationOverhead,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([system, context.messages, limit, trigger, through]))
      .digest('hex'),
    served: null,
    made: { row, frame, prompt },
  };
}

async function assemble(rt: Runtime, source: Source): Promise<Context> {
  const { row, frame, summary, through } = source;
  const { limit } = frame;
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
    maxImages: frame.maxImages,
    clearedThrough: summary?.clearedThrough ?? 0,
    recent: entries.filter((entry) => entry.seq > Math.max(after, leading.length)),
  };
  const made = await within(rt, source, input, whole);
  if (!('minimum' in made)) return made;
  throw tooSmall(await smallestBudget(rt, source, input, whole, made.minimum), source);
}

/** A budget that is known to work: what one that is too small lacks depends on the budget itself. */
async function smallestBudget(
  rt: Runtime,
  source: Source,
  input: ContextInput,
  whole: readonly BodyRow[] | null,
  least: number,
): Promise<number> {
  for (let limit = least, tries = 1; ; tries++) {
    const wider = { ...source, frame: { ...source.frame, limit } };
    const made = await within(rt, wider, input, whole);
    if (!('minimum' in made)) return limit;
    limit = Math.max(made.minimum, tries < closeTries ? 0 : Math.ceil(limit * 1.25));
  }
}

/** After so many tries the budget grows faster: the smallest one is not worth a long search. */
const closeTries = 8;

/**
 * Another format may take a little more than what was posted; then less is shown. Where nothing fits, the least that
 * it lacks is added to the limit.
 */
async function within(
  rt: Runtime,
  { row, frame }: Source,
  input: ContextInput,
  whole: readonly BodyRow[] | null,
): Promise<Context | { minimum: number }> {
  const { format, limit } = frame;
  const counter = await counterOf(frame);
  for (let room = limit; ;) {
    const outlined = outlineContext({ ...input, limit: room });
    if (!outlined.fits) return { minimum: outlined.minimum + limit - room };
    const { outline } = outlined;
    const rows = whole ?? (await readBodies(rt.store.query, row.projectId, row.uid, outline.seqs));
    // Messages go only with their thread, which was erased between the two reads.
    if (whole === null && rows.length < outline.seqs.length)
      throw new SpillwayError('thread_not_found', 'No such thread.');
    const hidden = (seq: number): number => outline.reductions.get(seq)?.images ?? 0;
    const { bodies, lost } = await loadMedia(rt, row.projectId, rows, hidden);
    for (const seq of lost)
      outline.reductions.set(seq, { ...noReduction, ...outline.reductions.get(seq), lost: true });
    const context = assembleContext(outline, bodies, format, counter);
    if (context.tokens.total <= limit) return context;
    room -= context.tokens.total - limit;
  }
}

const noReduction = { images: 0, cleared: false };

const tooSmall = (minimum: number, { frame, ownLimit }: Source): SpillwayError =>
  minimum <= ownLimit
    ? new SpillwayError(
        'budget_too_small',
        `No valid context of this thread fits ${frame.limit} tokens; ${minimum} are enough.`,
        [{ path: '/max_tokens', message: `must be at least ${minimum}` }],
      )
    : new SpillwayError(
        'budget_too_small',
        `No valid context of this thread fits its limit of ${ownLimit} tokens; ${minimum} would be enough. ` +
          'Give it a larger context window, or unpin messages.',
      );

const activeSummary = (row: ActiveSummary): ShownSummary | undefined =>
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
