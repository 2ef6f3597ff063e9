import { createHash } from 'node:crypto';
import { recordServed } from '@spillway/store';
import { countServed } from '../usage/count-usage.js';
import type { ReadContext } from './build-context.js';
import { readContext, type ContextQuery } from './read-context.js';
import type { Runtime } from '../runtime.js';
import { isWeighed, weighThread } from '../threads/weigh-thread.js';

/** A context waits at most this long for its record. */
const maxMs = 1_000;

/**
 * The context to send to the model now, recorded: `at` shows it later whatever changes, and usage posted with the
 * answer is compared with it. When the record fails, that is logged and the context is served.
 */
export async function serveContext(rt: Runtime, query: Omit<ContextQuery, 'at'>): Promise<ReadContext> {
  const context = await readContext(rt, query);
  await atMost(maxMs, record(rt, context), () => {
    rt.log.warn({ thread: context.made.row.uid }, 'recording a served context is slow');
  });
  countServed(rt, query.projectId, context);
  return context;
}

async function record(rt: Runtime, context: ReadContext): Promise<void> {
  const { row, frame, prompt } = context.made;
  try {
    await recordServed(rt.store.query, {
      projectId: row.projectId,
      threadUid: row.uid,
      seq: context.lastSeq,
      generation: context.summary?.generation ?? 0,
      fingerprint: context.fingerprint,
      tokens: context.tokens.total,
      prompt: prompt === null ? null : { text: prompt, hash: sha256(prompt) },
      frame: JSON.stringify(frame),
    });
    if (!isWeighed(row)) await weighThread(rt, row.projectId, row.id);
  } catch (error) {
    rt.log.warn({ err: error, thread: row.uid }, 'a served context was not recorded');
  }
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
