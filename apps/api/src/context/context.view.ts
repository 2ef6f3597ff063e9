import type { ContextWithTools } from './context-for.js';

const known = new WeakMap<ContextWithTools, Buffer>();

/** The view of a context as JSON. A context that is served again, because nothing changed, is not written again. */
export function contextJson(context: ContextWithTools): Buffer {
  const before = known.get(context);
  if (before) return before;
  const json = Buffer.from(written(context));
  known.set(context, json);
  return json;
}

/** Messages are written once, with the context: the rest is put around their JSON. */
function written(context: ContextWithTools): string {
  if (context.change) return JSON.stringify(contextView(context, {}));
  const { format, messages: _, ...rest } = contextView(context, { omit: 'messages' });
  return `{"format":${JSON.stringify(format)},"messages":${context.messagesJson},${JSON.stringify(rest).slice(1)}`;
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
