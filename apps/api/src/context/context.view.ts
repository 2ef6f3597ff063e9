import { messageJson } from '@spillway/service';
import type { ContextWithTools } from './context-for.js';

const shownOnce = new WeakSet<ContextWithTools>();
const written = new WeakMap<ContextWithTools, Buffer>();

/**
 * The view of a context as JSON. One that is served again, because nothing changed, is kept as it was written: most are
 * served once, and their messages are kept already.
 */
export function contextJson(context: ContextWithTools): Buffer {
  const known = written.get(context);
  if (known) return known;
  const { format, messages, ...rest } = contextView(context, {});
  const shown = messages.map(messageJson).join(',');
  const json = Buffer.from(
    `{"format":${JSON.stringify(format)},"messages":[${shown}],${JSON.stringify(rest).slice(1)}`,
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
