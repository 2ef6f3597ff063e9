import { createHash } from 'node:crypto';
import { SpillwayError } from '@spillway/engine';
import {
  servedAt,
  shownSummary,
  summaryAt,
  type ActiveSummary,
  type RecordServed,
  type ServedRow,
  type ShownSummary,
  type VersionedRow,
} from '@spillway/store';
import { buildContext, counterOf } from './build-context.js';
import type { ContextQuery, ReadContext } from './context.js';
import { frameOf, type ContextFrame, type ContextSource } from './context-frame.js';
import { toolsHashOf } from './context-reasoning.js';
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
 * answer is compared with it. When the record fails, that is logged and the context is served. An unchanged context that
 * this process has served is served again after one look at the database.
 */
export async function serveContext(rt: Runtime, query: Omit<ContextQuery, 'at'>): Promise<ReadContext> {
  const kept = rt.contexts.find(query);
  const isCurrent = kept !== undefined && (await rt.contextQueue.isStillServed(kept.served));
  if (!isCurrent) rt.contexts.forget(query);
  const context = isCurrent ? kept.context : await serveNew(rt, query);
  countServed(rt, query.projectId, context);
  return context;
}

async function serveNew(rt: Runtime, query: Omit<ContextQuery, 'at'>): Promise<ReadContext> {
  const context = await readContext(rt, query);
  await atMost(maxRecordMs, record(rt, query, context), () => {
    rt.log.warn({ thread: context.made.row.uid }, 'recording a served context is slow');
  });
  return context;
}

async function record(rt: Runtime, query: ContextQuery, context: ReadContext): Promise<void> {
  const { row } = context.made;
  const served = recordOf(context);
  try {
    await rt.contextQueue.record(served);
    if (!isWeighed(row)) await weighThread(rt, row.projectId, row.id);
    else if (context.isRepeatable) {
      const promptHash = served.prompt?.hash ?? null;
      const kept = { ...served, threadId: row.id, rowVersion: row.rowVersion, promptHash };
      rt.contexts.keep(query, { context, served: kept });
    }
  } catch (error) {
    rt.log.warn({ err: error, thread: row.uid }, 'a served context was not recorded');
  }
}

function recordOf({ made, lastSeq, summary, fingerprint, tokens }: ReadContext): RecordServed {
  const { row, frame, prompt } = made;
  return {
    projectId: row.projectId,
    threadUid: row.uid,
    seq: lastSeq,
    generation: summary?.generation ?? 0,
    fingerprint,
    tokens: tokens.total,
    prompt: prompt === null ? null : { text: prompt, hash: sha256(prompt) },
    frame: JSON.stringify(frame),
  };
}

async function atMost(ms: number, work: Promise<void>, onLate: () => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onLate();
      resolve();
    }, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** The hash of a system prompt. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The current context. */
async function readNow(
  rt: Runtime,
  row: VersionedRow & ActiveSummary,
  query: ContextQuery,
): Promise<ReadContext> {
  return buildContext(rt, await sourceNow(rt, row, query));
}

/** What would have been served at a seq where nothing was served, under the current settings. */
async function readPast(
  rt: Runtime,
  row: VersionedRow & ActiveSummary,
  query: ContextQuery,
  at: number,
): Promise<ReadContext> {
  const source = await sourceNow(rt, row, query);
  const isPast = at !== row.headSeq;
  const summary = isPast ? await summaryAt(rt.store.query, row.projectId, row.uid, at) : source.summary;
  return buildContext(rt, { ...source, summary, through: at });
}

/**
 * What was served, built again from its frame, its summary and its messages. The fingerprint tells whether it is the
 * same. It differs when something it showed was erased or withdrawn, or when the caller asks for another format, prompt
 * or budget.
 */
async function readServed(
  rt: Runtime,
  row: VersionedRow & ActiveSummary,
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
  };
  const context = await buildContext(rt, await withPrompt(source, query.system));
  return {
    ...context,
    served: { at: served.servedAt, exact: context.fingerprint === served.fingerprint },
  };
}

async function sourceNow(
  rt: Runtime,
  row: VersionedRow & ActiveSummary,
  query: ContextQuery,
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
  };
  const source: ContextSource = {
    row,
    frame: withinBudget(frame, query.maxTokens),
    prompt: row.system,
    summary: activeSummary(row),
    through: row.headSeq,
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
