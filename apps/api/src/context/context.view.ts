import { createHash } from 'node:crypto';
import { messageJson } from '@spillway/service';
import type { ContextWithTools } from './context-for.js';

/** What an answer says beside the format and the messages, as JSON, with the tag of all of it. */
interface Beside {
  json: string;
  etag: string;
}

/** By the context, which is the same object when it is served again because nothing changed. */
const besides = new WeakMap<ContextWithTools, Beside>();
const shownOnce = new WeakSet<ContextWithTools>();
const written = new WeakMap<ContextWithTools, Buffer>();

function besideOf(context: ContextWithTools): Beside {
  const known = besides.get(context);
  if (known) return known;
  const { format: _, messages: __, ...rest } = contextView(context, { omit: 'messages' });
  const json = JSON.stringify(rest);
  // The messages are in the fingerprint, which is part of it.
  const beside = { json, etag: createHash('sha256').update(json).digest('hex').slice(0, 32) };
  besides.set(context, beside);
  return beside;
}

/** The tag of an answer: another one says something else, be it in its sums or its tools. */
export const contextTag = (context: ContextWithTools, { omit }: { omit?: 'messages' | undefined }): string =>
  `"${besideOf(context).etag}${omit ? '-sums' : ''}"`;

/**
 * The view of a context as JSON. One that is served again, because nothing changed, is kept as it was written: most are
 * served once, and their messages are kept already.
 */
export function contextJson(context: ContextWithTools): Buffer {
  const known = written.get(context);
  if (known) return known;
  const { format, messages } = contextView(context, {});
  const shown = messages.map(messageJson).join(',');
  const json = Buffer.from(
    `{"format":${JSON.stringify(format)},"messages":[${shown}],${besideOf(context).json.slice(1)}`,
  );
  if (shownOnce.has(context)) written.set(context, json);
  else shownOnce.add(context);
  return json;
}

export const contextView = (context: ContextWithTools, { omit }: { omit?: 'messages' | undefined }) => {
  const { budget, summary, change } = context;
  return {
    format: context.format,
    messages: omit || change ? [] : context.messages,
    ...change,
    system: context.system,
    ...(context.tools ? { tools: context.tools } : {}),
    tokens: context.tokens,
    budget: { context_window: budget.contextWindow, limit: budget.limit, trigger: budget.trigger },
    summary: summary && {
      generation: summary.generation,
      from_seq: summary.fromSeq,
      to_seq: summary.toSeq,
      method: summary.method,
    },
    elided: context.elided,
    parts: context.parts,
    dropped: context.dropped,
    degraded: context.degraded,
    reasoning: context.reasoning,
    pending_calls: context.pendingCalls.map(({ seq, callId, name }) => ({ seq, call_id: callId, name })),
    last_seq: context.lastSeq,
    served: context.served && { at: context.served.at.toISOString(), exact: context.served.exact },
    fingerprint: context.fingerprint,
  };
};
