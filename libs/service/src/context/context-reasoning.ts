import { createHash } from 'node:crypto';
import {
  applyReasoning,
  countReasoning,
  type Context,
  type MessageCounter,
  type PrefixHash,
  type Reasoned,
} from '@spillway/engine';
import { findSummary, servedThrough, type Served, type ShownSummary } from '@spillway/store';
import type { ContextFrame, ContextSource } from './context-frame.js';
import { messageJson, TextHash } from './message-json.js';
import type { Runtime } from '../runtime.js';

/** What was served of the thread up to a seq, and since when its summary is shown. */
export interface ServedBefore {
  served: readonly (Served & { made: ContextFrame })[];
  foldedThrough: number;
}

/** For a context that does not depend on those before it. */
export const nothingServed: ServedBefore = { served: [], foldedThrough: 0 };

/** Reads what decides about signed reasoning. Reads nothing when the context has none. */
export async function servedBefore(
  rt: Runtime,
  { row, frame, summary, through }: ContextSource,
  context: Context,
): Promise<ServedBefore> {
  const isSigned = context.messages.some((body) => countReasoning(body, frame.format, 'signed') > 0);
  if (!isSigned || (frame.reasoning ?? 'auto') !== 'auto') return nothingServed;
  const { projectId, uid } = row;
  const served = await servedThrough(rt.store.query, projectId, uid, through - 1);
  const shown = summary && (await findSummary(rt.store, { projectId, threadUid: uid }, summary.generation));
  return {
    served: served.map((one) => ({ ...one, made: JSON.parse(one.frame) as ContextFrame })),
    foldedThrough: shown?.asOfSeq ?? 0,
  };
}

interface SentBeside {
  /** The system prompt that is sent beside the messages. */
  system: string | null;
  counter: MessageCounter;
}

/** The context without the reasoning that its provider would refuse. */
export function withReasoning(
  { row, frame }: ContextSource,
  context: Context,
  { served, foldedThrough, system, counter }: ServedBefore & SentBeside,
): Reasoned {
  const inFormat = served.filter(({ made }) => made.format === frame.format && made.digest !== undefined);
  return applyReasoning(context, {
    mode: frame.reasoning ?? 'auto',
    format: frame.format,
    model: frame.model,
    served: inFormat.map(({ seq, made }) => ({ seq, digest: made.digest!, model: made.model })),
    foldedThrough,
    // Where nothing was served, the thread's own model is the best guess.
    madeBy: () => row.model,
    hash: prefixHashFrom(JSON.stringify([system, frame.toolsHash ?? null])),
    counter,
  });
}

/**
 * The generation that the running tool loop began with, when another one is shown now. A fold in the middle of a loop
 * waits for its end: a strict provider accepts neither the loop's reasoning after a changed prefix nor the loop without
 * its reasoning.
 */
export function generationOfLoop(
  { brokenLoop }: Reasoned,
  { served }: ServedBefore,
  shown: ShownSummary | undefined,
): number | null {
  if (brokenLoop === null || !shown) return null;
  const before = served.find((one) => one.seq < brokenLoop);
  return before && before.generation < shown.generation ? before.generation : null;
}

/** Tool schemas as part of a prefix. */
export const toolsHashOf = (tools: string | null): string =>
  createHash('sha256')
    .update(tools ?? '')
    .digest('base64url');

/** A running hash of everything sent, initialized with what is sent before the messages. */
export function prefixHashFrom(start: string): PrefixHash {
  const hash = new TextHash().add(start);
  return {
    add: (message) => void hash.add('\0').add(messageJson(message)),
    digest: () => hash.digest('base64url'),
  };
}
