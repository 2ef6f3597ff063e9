import { createHash } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import {
  leadingAt,
  servedAt,
  shownSummary,
  summaryAt,
  type ActiveSummary,
  type RecordServed,
  type ServedRow,
  type ShownSummary,
  type ThreadWithSummary,
} from '@spillway/store';
import { buildContext, counterOf } from './build-context.js';
import type { ContextQuery, ReadContext } from './context.js';
import { countRequest } from './count-request.js';
import { frameOf, type ContextFrame, type ContextSource } from './context-frame.js';
import { toolsHashOf } from './context-reasoning.js';
import type { KnownThread } from './kept-threads.js';
import { atMost, late } from '../operations/at-most.js';
import type { Runtime } from '../runtime.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';
import { countServed } from '../usage/count-usage.js';

/** A context waits at most this long for its record. */
const maxRecordMs = 1_000;

/**
 * The context to send to the model now, or with `at` what was served when that seq was the newest message, whatever has
 * changed since; erased content does not come back. Never waits for a summary and never exceeds its budget: when
 * compaction is behind, it leaves out the oldest messages and reports them. Reads one summary and the messages after
 * it, whatever the length of the thread, and writes nothing. Throws `thread_not_found`, `budget_too_small`.
 */
export async function readContext(rt: Runtime, query: ContextQuery): Promise<ReadContext> {
  const row = await rt.contextQueue.readThread(query.projectId, query.threadId);
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

/**
 * The context to send to the model now, recorded: `at` shows it later whatever changes, and usage posted with the
 * answer is compared with it. When the record fails, that is logged and the context is served. A thread that this
 * process knows is not read again: one statement records the context if the thread has not changed, or says that the
 * one before is still the one to serve.
 */
export async function serveContext(rt: Runtime, query: Omit<ContextQuery, 'at'>): Promise<ReadContext> {
  const context = (await serveKept(rt, query)) ?? (await serveNew(rt, query));
  countServed(rt, query.projectId, context);
  return context;
}

/** Null when the thread is not kept, or changed since. */
async function serveKept(rt: Runtime, query: ContextQuery): Promise<ReadContext | null> {
  const known = rt.keptThreads.find(query);
  if (!known) return null;
  const last = rt.keptThreads.findServed(query);
  const context = last
    ? (await rt.contextQueue.isStillServed(last.record)) && last.context
    : await serveAgain(rt, query, known);
  if (context) return context;
  rt.keptThreads.forget(query);
  return null;
}

/** Null when the thread changed since it was kept, or nobody can tell: then it is read again. */
async function serveAgain(rt: Runtime, query: ContextQuery, known: KnownThread): Promise<ReadContext | null> {
  try {
    const context = await buildContext(rt, await sourceNow(rt, known.row, query, known.window));
    const isRecorded = await atMost(maxRecordMs, record(rt, query, context, known.row.rowVersion));
    return isRecorded === true ? context : null;
  } catch (error) {
    // If it was not the fault of what is kept, it comes again.
    rt.log.debug({ err: error, thread: known.row.uid }, 'a kept thread is read again');
    return null;
  }
}

async function serveNew(rt: Runtime, query: ContextQuery): Promise<ReadContext> {
  const context = await readContext(rt, query);
  const { row } = context.made;
  const recordAndWeigh = async (): Promise<void> => {
    await record(rt, query, context, null);
    if (!isWeighed(row)) await weighThread(rt, row.projectId, row.id);
  };
  const recorded = recordAndWeigh().catch((error: unknown) => {
    rt.log.warn({ err: error, thread: row.uid }, 'a served context was not recorded');
  });
  if ((await atMost(maxRecordMs, recorded)) === late)
    rt.log.warn({ thread: row.uid }, 'recording a served context is slow');
  return context;
}

/**
 * Records a context, and keeps what it was built from. False when the thread was erased or, with a version, when its row
 * has another by now: then nothing is written or kept.
 */
async function record(
  rt: Runtime,
  query: ContextQuery,
  context: ReadContext,
  ifRowVersion: string | null,
): Promise<boolean> {
  const { row, window } = context.made;
  const served = { ...recordOf(context), ifRowVersion };
  const isRecorded = await rt.contextQueue.record(served);
  if (isRecorded && window && isWeighed(row)) {
    const promptHash = served.prompt?.hash ?? null;
    const kept = { ...served, threadId: row.id, rowVersion: row.rowVersion, promptHash };
    rt.keptThreads.keep(query, { row, window }, context.isRepeatable ? { context, record: kept } : null);
  }
  if (isRecorded) await countRequest(rt, context);
  return isRecorded;
}

function recordOf({
  made,
  lastSeq,
  summary,
  fingerprint,
  tokens,
}: ReadContext): Omit<RecordServed, 'ifRowVersion'> {
  const { row, frame, prompt } = made;
  return {
    projectId: row.projectId,
    threadUid: row.uid,
    seq: lastSeq,
    generation: summary?.generation ?? 0,
    fingerprint,
    tokens: tokens.total,
    prompt: prompt === null ? null : { text: prompt, hash: promptHashOf(prompt) },
    frame: JSON.stringify(frame),
  };
}

/** The hash of a system prompt. */
export const promptHashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The current context. */
async function readNow(rt: Runtime, row: ThreadWithSummary, query: ContextQuery): Promise<ReadContext> {
  return buildContext(rt, await sourceNow(rt, row, query));
}

/** What would have been served at a seq where nothing was served, under the current settings. */
async function readPast(
  rt: Runtime,
  row: ThreadWithSummary,
  query: ContextQuery,
  at: number,
): Promise<ReadContext> {
  const source = await sourceNow(rt, row, query);
  const isPast = at !== row.headSeq;
  const summary = isPast ? await summaryAt(rt.store.query, row.projectId, row.uid, at) : source.summary;
  const leadingThrough = isPast
    ? await leadingAt(rt.store.query, row.projectId, row.uid, at)
    : row.leadingThrough;
  return buildContext(rt, { ...source, frame: { ...source.frame, leadingThrough }, summary, through: at });
}

/**
 * What was served, built again from its frame, its summary and its messages. The fingerprint tells whether it is the
 * same. It differs when something it showed was erased or withdrawn, or when the caller asks for another format, prompt
 * or budget.
 */
async function readServed(
  rt: Runtime,
  row: ThreadWithSummary,
  query: ContextQuery,
  served: ServedRow,
): Promise<ReadContext> {
  const { projectId, uid } = row;
  const frame = JSON.parse(served.frame) as ContextFrame;
  const source: ContextSource = {
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
    window: null,
  };
  const context = await buildContext(rt, await withPrompt(source, query.system));
  return {
    ...context,
    served: { at: served.servedAt, exact: context.fingerprint === served.fingerprint },
  };
}

async function sourceNow(
  rt: Runtime,
  row: ThreadWithSummary,
  query: ContextQuery,
  window: KnownThread['window'] | null = null,
): Promise<ContextSource> {
  const settings = await rt.settings.ofRow(row);
  const { limit } = settings.budget;
  const { format = settings.format, alternate = false } = query;
  const model = query.model ?? row.model;
  const tools = query.tools?.length ? JSON.stringify(query.tools) : '';
  const moreTokens = tools === '' ? 0 : settings.count(tools);
  const systemTokens = settings.systemTokens + moreTokens;
  const toolTokens = settings.toolTokens + moreTokens;
  const frame = {
    ...frameOf({ ...settings, systemTokens, toolTokens }, { format, limit, model, alternate }),
    reasoning: query.reasoning ?? 'auto',
    leadingThrough: row.leadingThrough,
    toolsHash: toolsHashOf((row.tools ?? '') + tools),
    namesTools: true,
  };
  const source: ContextSource = {
    row,
    frame: withinBudget(frame, query.maxTokens),
    prompt: row.system,
    summary: activeSummary(row),
    through: row.headSeq,
    ownLimit: settings.measuredLimit,
    measuredLimit: settings.measuredLimit,
    window,
  };
  return withPrompt(source, query.system);
}

const withinBudget = (frame: ContextFrame, maxTokens = Infinity): ContextFrame => ({
  ...frame,
  limit: Math.min(frame.limit, maxTokens),
});

/** With another system prompt than the thread's. */
async function withPrompt(source: ContextSource, prompt: string | undefined): Promise<ContextSource> {
  if (prompt === undefined) return source;
  const { frame } = source;
  const counter = await counterOf(frame);
  const systemTokens = frame.toolTokens + counter.text(prompt) + counter.perMessage;
  return { ...source, prompt, frame: { ...frame, systemTokens } };
}

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
        holds: row.sHolds,
      };
