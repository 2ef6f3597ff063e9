import type { Body } from '@spillway/engine';
import { readThread } from '@spillway/store';
import { appendMessages } from '../messages/append-messages.js';
import { countTurn } from '../usage/count-usage.js';
import { refuseSpentChat } from '../usage/refuse-spent-chat.js';
import type { SpendingKey } from '../usage/key-budgets.js';
import { callUpstream, type UpstreamAnswer } from './call-upstream.js';
import { getThread } from '../threads/get-thread.js';
import type { PostedUsage } from '../context/calibrate-thread.js';
import { timedCall } from '../metrics/timed-calls.js';
import type { Runtime } from '../runtime.js';
import { upstreamOf } from '../upstreams/upstream-of.js';
import { serveContext } from '../context/read-context.js';

export interface ChatTurn {
  projectId: string;
  key: SpendingKey;
  threadId: string;
  /** The user's message. Without it the turn continues with the recorded messages, above all tool results. */
  content: string | null;
  /** Default: the thread's model, or that of the upstream. */
  model: string | null;
  /** Aborted when the client disconnects: the model call is cancelled and nothing more is recorded. */
  signal: AbortSignal;
}

export interface ChatReply {
  seq: number;
  /** The model's message, unchanged, with its tool calls. */
  message: Body;
  contextTokens: number;
  usage: UpstreamAnswer['usage'];
}

/**
 * Runs one turn of a session (Chronos's ChatWithSession): records the user's message, builds the context, calls the
 * model, records the reply. When the model fails, the user's message stays recorded, and the same call without content
 * resumes there. Throws `upstream_not_configured`, `upstream_failed`, `invalid_request` for a model that is not
 * allowed, `chat_budget_spent`, `key_budget_spent`, `too_many_requests` and `overloaded` without room for the call, and what
 * recording and contexts throw.
 */
export async function chat(
  rt: Runtime,
  { projectId, key, threadId, content, model: asked, signal }: ChatTurn,
): Promise<ChatReply> {
  const existing =
    content === null
      ? await getThread(rt, projectId, threadId)
      : await readThread(rt.store.query, projectId, threadId);
  const upstream = await upstreamOf(rt, projectId, 'openai');
  const model = upstream.modelFor(asked, existing?.model ?? null);
  await refuseSpentChat(rt, { projectId, key, thread: existing });
  rt.modelCalls.refuseFull(projectId);
  if (content !== null) await record(rt, projectId, threadId, { role: 'user', content }, null);
  const thread = await getThread(rt, projectId, threadId);
  const context = await serveContext(rt, { projectId, threadId, format: 'openai' });
  let release = (): void => undefined;
  const asking = {
    model,
    signal,
    hold: (bytes: number) => (release = rt.modelCalls.take(projectId, bytes)),
    messages: [
      ...(context.system === null ? [] : [{ role: 'system', content: context.system }]),
      ...context.messages,
    ],
    tools: thread.tools === null ? null : (JSON.parse(thread.tools) as unknown[]),
  };
  const of = { purpose: 'chat', model, provider: upstream.provider } as const;
  const answer = await timedCall(rt.metrics, of, () => callUpstream(upstream, asking)).finally(() =>
    release(),
  );
  const spender = { projectId, keyId: key.keyId };
  await countTurn(rt, spender, { model, context, usage: answer.usage, reply: [answer.message] });
  const usage = answer.usage ? { usage: answer.usage, fingerprint: context.fingerprint } : null;
  const seq = await record(rt, projectId, threadId, answer.message, usage);
  return { seq, message: answer.message, contextTokens: context.tokens.total, usage: answer.usage };
}

async function record(
  rt: Runtime,
  projectId: string,
  threadId: string,
  body: Body,
  usage: PostedUsage | null,
): Promise<number> {
  const messages = [{ clientId: null, pinned: false, format: 'openai' as const, body }];
  const { messages: recorded } = await appendMessages(rt, { projectId, threadId, messages, usage });
  return recorded[0]!.seq;
}
