import { newMessages, type Body } from '@spillway/engine';
import { readThread, rewoundAmong, servedWithFingerprint, type FoundServed } from '@spillway/store';
import type { ContextQuery, ReadContext } from './context.js';
import type { ContextFrame } from './context-frame.js';
import { prefixHashFrom, toolsHashOf } from './context-reasoning.js';
import type { Runtime } from '../runtime.js';
import { promptHashOf, type serveContext } from './read-context.js';

/** Why a caller must replace what it holds. */
export type ReplayReason =
  /** No recent context has the fingerprint, or a later one at the same message took its place. */
  | 'unknown_fingerprint'
  | 'format_changed'
  /** The system prompt or the tools. */
  | 'system_changed'
  | 'model_changed'
  | 'rewound'
  /** Another summary is shown, or one is no longer. */
  | 'folded'
  /** Earlier messages are shown in another way: erased, left out, or with a late result. */
  | 'rewritten';

/** How a context differs from an earlier one: messages at its end, or all of it. */
export type ContextChange = { append: Body[] } | { replay: Body[]; reason: ReplayReason };

/**
 * The context of now, and how it differs from the one that was served with the fingerprint `since`: a caller that
 * replays what it was handed out holds all of it. `read` serves the context, or only reads it.
 */
export async function contextSince(
  rt: Runtime,
  query: Omit<ContextQuery, 'at'>,
  since: string,
  read: typeof serveContext,
): Promise<{ context: ReadContext; change: ContextChange }> {
  // Read first: the record of the new context may take its place.
  const thread = await readThread(rt.store.query, query.projectId, query.threadId);
  const before = thread && (await servedWithFingerprint(rt.store.query, thread.projectId, thread.uid, since));
  const context = await read(rt, query);
  return { context, change: await changeSince(rt, context, before) };
}

async function changeSince(
  rt: Runtime,
  context: ReadContext,
  before: FoundServed | undefined,
): Promise<ContextChange> {
  const { messages, system, made } = context;
  if (!before) return { replay: messages, reason: 'unknown_fingerprint' };
  const frame = JSON.parse(before.frame) as ContextFrame;
  const hash = prefixHashFrom(JSON.stringify([system, made.frame.toolsHash ?? null]));
  const isComparable = frame.format === made.frame.format && frame.digest !== undefined;
  const append = isComparable ? newMessages(messages, hash, frame.digest!) : null;
  if (append) return { append };
  return { replay: messages, reason: await reasonOf(rt, context, before, frame) };
}

async function reasonOf(
  rt: Runtime,
  { made, summary }: ReadContext,
  before: FoundServed,
  frame: ContextFrame,
): Promise<ReplayReason> {
  const { row, prompt } = made;
  if (frame.format !== made.frame.format) return 'format_changed';
  const promptHash = prompt === null ? null : promptHashOf(prompt);
  const tools = made.frame.toolsHash ?? toolsHashOf(null);
  if (before.promptHash !== promptHash || frame.toolsHash !== tools) return 'system_changed';
  const rewound = await rewoundAmong(rt.store.query, row.projectId, row.uid, [before.seq]);
  if (rewound.size > 0 || before.seq > row.headSeq) return 'rewound';
  if (before.generation !== (summary?.generation ?? 0)) return 'folded';
  return frame.model === made.frame.model ? 'rewritten' : 'model_changed';
}
