import { createHash } from 'node:crypto';
import type { RecordServed } from '@spillway/store';
import type { ContextQuery, ReadContext } from './context.js';
import { countServed } from '../usage/count-usage.js';
import { readContext } from './read-context.js';
import type { Runtime } from '../runtime.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';

/** A context waits at most this long for its record. */
const maxMs = 1_000;

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
  await atMost(maxMs, record(rt, query, context), () => {
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
