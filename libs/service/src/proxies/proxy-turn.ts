import { contextWindowOf, SpillwayError, type Body } from '@spillway/engine';
import { readThread, type ThreadRow } from '@spillway/store';
import type { ContextQuery, ReadContext } from '../context/context.js';
import { readContext, serveContext } from '../context/read-context.js';
import { appendMessages } from '../messages/append-messages.js';
import type { Runtime } from '../runtime.js';
import { createThread } from '../threads/create-thread.js';
import { putThread } from '../threads/put-thread.js';
import { noSettings } from '../threads/thread-input.js';
import { windowWarning } from '../threads/thread-warnings.js';
import { countCutTurn, countTurn } from '../usage/count-usage.js';
import { refuseSpentChat, type SpendingCall } from '../usage/refuse-spent-chat.js';
import type { SpendingKey } from '../usage/key-budgets.js';
import { roomOf } from '../upstreams/model-call-room.js';
import { upstreamOf, type Upstream } from '../upstreams/upstream-of.js';
import type { ProviderCall } from './call-provider.js';
import { countHistoryCall, findEnd, goOnFrom, recordEnd } from './history-end.js';
import { callModel, passOn, type ProxyAnswer } from './proxy-answer.js';
import type { CutReply, Ends } from './relay.js';
import { syncHistory, type History } from './sync-history.js';
import { refuseReferences, type ProviderReply, type ReadRequest, type WireApi } from './wire-api.js';

export interface ProxyTurn extends Pick<ProviderCall, 'headers' | 'ownKey' | 'signal'> {
  api: WireApi;
  projectId: string;
  key: SpendingKey;
  /** Null: the thread whose conversation the request continues. */
  threadId: string | null;
  /** The caller's request, as its SDK sent it. */
  body: Body;
  incoming: History['incoming'];
}

/**
 * Runs one model call of an agent through its thread: records what is new in the request, sends the provider the
 * thread's context in place of the conversation, passes its answer on as it comes, and records the reply before the
 * caller has its end, so that the caller's next request finds it. The provider's errors are passed on as they are, and
 * then no reply is recorded. Throws `upstream_not_configured`, `upstream_failed`, `invalid_request`,
 * `chat_budget_spent`, `key_budget_spent`, `too_many_requests` and `overloaded` without room for the call, and what
 * recording and contexts throw.
 */
export async function proxyTurn(rt: Runtime, turn: ProxyTurn): Promise<ProxyAnswer> {
  const { api, projectId, key, threadId, body } = turn;
  const asked = api.read(body);
  const upstream = await upstreamOf(rt, projectId, api.provider, turn.ownKey?.key);
  if (threadId === null) return turnOfHistory(rt, turn, asked, upstream);
  const thread = await readThread(rt.store.query, projectId, threadId);
  await refuseCall(rt, { projectId, key, asked, upstream, thread });
  return turnIn(rt, { ...turn, threadId, asked, upstream, thread, endsAt: nowhere });
}

/**
 * The same in the thread whose conversation the request continues. Everything that a request may be refused for comes
 * before that thread is taken, because a refused request is sent again.
 */
async function turnOfHistory(
  rt: Runtime,
  turn: ProxyTurn,
  asked: ReadRequest,
  upstream: Upstream,
): Promise<ProxyAnswer> {
  const { api, projectId, key, incoming } = turn;
  const conversation = { format: api.format, messages: asked.messages };
  const end = await findEnd(rt, projectId, conversation);
  const { found } = end;
  const before = found && (await readThread(rt.store.query, projectId, found.threadId));
  await refuseCall(rt, { projectId, key, asked, upstream, thread: before });
  refuseReferences(asked.messages);
  incoming(asked.messages);
  const { threadId, outcome } = await goOnFrom(rt, projectId, end);
  countHistoryCall(rt, { ...end, projectId, model: asked.model, outcome });
  const thread = outcome === 'continued' ? before : await readThread(rt.store.query, projectId, threadId);
  const endsAt = async (seq: number, reply: readonly Body[]): Promise<void> => {
    const messages = [...asked.messages, ...reply];
    await recordEnd(rt, { projectId, threadId, seq }, { ...conversation, messages }).catch((error: unknown) =>
      rt.log.warn(
        { err: error, threadId },
        'the next call of this conversation will have a thread of its own',
      ),
    );
  };
  return turnIn(rt, { ...turn, threadId, asked, upstream, thread, endsAt });
}

/** A thread with a name is found without an end. */
const nowhere = (): Promise<void> => Promise.resolve();

async function refuseCall(
  rt: Runtime,
  { asked, upstream, ...call }: SpendingCall & Pick<Turn, 'asked' | 'upstream'>,
): Promise<void> {
  upstream.modelFor(asked.model, call.thread?.model ?? null);
  await refuseSpentChat(rt, call);
  rt.modelCalls.refuseFull(call.projectId);
}

interface Turn extends ProxyTurn {
  threadId: string;
  asked: ReadRequest;
  upstream: Upstream;
  /** Undefined before its first request. */
  thread: ThreadRow | undefined;
  /** Notes that the conversation ends at this message of the thread, with this reply behind what was asked. */
  endsAt: (seq: number, reply: readonly Body[]) => Promise<void>;
}

async function turnIn(rt: Runtime, turn: Turn): Promise<ProxyAnswer> {
  const { asked, upstream, thread } = turn;
  if (!thread) await openThread(rt, turn);
  const head = await syncHistory(rt, { ...turn, messages: asked.messages });
  if (thread && thread.model !== asked.model && mayComeBack(upstream, thread, asked))
    await followModel(rt, turn, asked.model);
  const room = roomOf(rt, turn);
  try {
    const called = await callThrough(rt, turn, head, room);
    if (!called.answer.ok) await turn.endsAt(head, []);
    const answer = passOn(called.answer, turn.api, room, endsOf(rt, turn, called));
    return { ...answer, headers: { ...answer.headers, ...called.ours } };
  } catch (error) {
    room.release();
    await turn.endsAt(head, []);
    throw error;
  }
}

/** Calls the model with the thread's context in place of the conversation. */
async function callThrough(
  rt: Runtime,
  turn: Turn,
  head: number,
  { hold }: ReturnType<typeof roomOf>,
): Promise<Answered> {
  const { api, projectId, threadId, body, asked, upstream } = turn;
  const read = asked.isRest ? contextOfAnswer : contextThrough;
  const context = await read(rt, head, {
    projectId,
    threadId,
    format: api.format,
    model: asked.model,
    tools: asked.tools,
    ...(asked.system === null ? {} : { system: asked.system }),
  });
  const ours = { ...headersOf(threadId, context), ...(await warningHeader(rt, context, asked.model)) };
  const call = { ...turn, body: api.write(body, asked, context), hold };
  const answer = await callModel(rt, { api, upstream, model: asked.model }, call);
  return { context, head, answer, ours };
}

/** What comes of a turn at the end of its answer. */
const endsOf = (rt: Runtime, turn: Turn, { context, head }: Called): Ends => ({
  record: (reply) => recordReply(rt, turn, { context, head, reply }),
  countCut: (cut) => countCutReply(rt, turn, { context, head, cut }),
  unreadable: (error) =>
    rt.log.warn({ err: error, threadId: turn.threadId }, 'a reply cannot be read: it is not recorded'),
});

/**
 * The context that ends with the caller's own newest message. Another caller of the same thread may have written or taken
 * back messages meanwhile, and this model call is not about those.
 */
async function contextThrough(
  rt: Runtime,
  head: number,
  query: Omit<ContextQuery, 'at'>,
): Promise<ReadContext> {
  const context = await serveContext(rt, query);
  return context.lastSeq === head ? context : readContext(rt, { ...query, at: head });
}

/**
 * The context that an answer began behind, whatever was folded since. Throws `invalid_request` where it cannot be made
 * again: the provider would continue the answer to something else.
 */
async function contextOfAnswer(
  rt: Runtime,
  head: number,
  query: Omit<ContextQuery, 'at'>,
): Promise<ReadContext> {
  const context = await readContext(rt, { ...query, at: head });
  if (context.served?.exact) return context;
  throw new SpillwayError(
    'invalid_request',
    'The context that this answer began behind cannot be made again. Ask for the whole answer.',
  );
}

/** A thread that a request names for the first time gets its format and its model, whose window bounds the context. */
async function openThread(rt: Runtime, turn: Turn): Promise<void> {
  const { projectId, threadId, api, incoming } = turn;
  const { model, messages } = turn.asked;
  // A request whose messages are refused creates nothing.
  refuseReferences(messages);
  incoming(messages);
  const settings = { ...noSettings, model, format: api.format };
  await createThread(rt, projectId, threadId, settings).catch((error: unknown) => {
    // Another request was first.
    if (!(error instanceof SpillwayError && error.code === 'thread_exists')) throw error;
  });
}

/**
 * Whether a caller who calls another model may call the thread's own after it. With the server's key that one may be
 * allowed only because it is the thread's (SPILLWAY_CHAT_MODELS): then the thread keeps it.
 */
function mayComeBack({ modelFor }: Upstream, { model }: ThreadRow, asked: ReadRequest): boolean {
  try {
    modelFor(model, asked.model);
    return true;
  } catch (error) {
    if (error instanceof SpillwayError && error.code === 'invalid_request') return false;
    throw error;
  }
}

/**
 * Gives the thread the model that its caller calls now, whose window bounds the context. The window of an unknown model
 * would be a guess: the thread keeps its own. The call goes on under it, too, when the policy of the thread does not allow
 * the new one.
 */
async function followModel(rt: Runtime, { projectId, threadId }: Turn, model: string): Promise<void> {
  const { overrides } = await rt.settings.project(projectId);
  if (!contextWindowOf(model, overrides).known) return;
  try {
    await putThread(rt, { projectId, id: threadId, mayManage: false }, { model });
  } catch (error) {
    rt.log.warn({ err: error, threadId, model }, 'a thread keeps its model, and another one is called');
  }
}

const headersOf = (threadId: string, { tokens, summary, degraded }: ReadContext): Record<string, string> => ({
  'spillway-thread': threadId,
  'spillway-context-tokens': `${tokens.total}`,
  ...(summary ? { 'spillway-generation': `${summary.generation}` } : {}),
  ...(degraded ? { 'spillway-degraded': 'true' } : {}),
});

/**
 * Names a window that nobody chose. That of the thread's model bounds the context, and that of the called model is what
 * the context must fit: either may be unknown.
 */
async function warningHeader(
  rt: Runtime,
  { made: { row }, budget }: ReadContext,
  called: string,
): Promise<Record<string, string>> {
  const warning = (await windowWarning(rt, row)) ?? (await windowWarning(rt, { ...row, model: called }));
  return warning ? { 'spillway-warning': `${warning.code};window=${budget.contextWindow}` } : {};
}

interface Called {
  context: ReadContext;
  /** The newest seq that the context shows. */
  head: number;
}

interface Answered extends Called {
  answer: Response;
  /** The headers that say what Spillway did. */
  ours: Record<string, string>;
}

/** The caller has paid for the reply and gets it in any case: nothing here throws. */
async function recordReply(
  rt: Runtime,
  turn: Turn,
  called: Called & { reply: ProviderReply },
): Promise<void> {
  const { projectId, key, asked, endsAt } = turn;
  const { context, head, reply } = called;
  const { usage, messages } = reply;
  const spender = { projectId, keyId: key.keyId };
  await countTurn(rt, spender, { model: asked.model, context, usage, reply: messages }).catch(
    (error: unknown) => rt.log.warn({ err: error, project: projectId }, 'a reply was not counted'),
  );
  if (asked.isRest) return;
  if (messages.length === 0) return endsAt(head, []);
  try {
    await endsAt(await appendReply(rt, turn, called), messages);
  } catch (error) {
    const thread = context.made.row.uid;
    rt.log.warn({ err: error, thread }, 'a reply that went through a proxy was not recorded');
    // The caller asks again from where it stands, unless another writer has gone on from there.
    const isOvertaken = error instanceof SpillwayError && error.code === 'last_seq_changed';
    if (!isOvertaken) await endsAt(head, []);
  }
}

/** Records the reply, and returns its last seq. One that is not recorded comes back with the caller's next request. */
async function appendReply(
  rt: Runtime,
  { projectId, threadId, incoming }: Turn,
  { context: { fingerprint }, head, reply: { messages, usage } }: Called & { reply: ProviderReply },
): Promise<number> {
  const { messages: recorded } = await appendMessages(rt, {
    projectId,
    threadId,
    messages: incoming(messages),
    ifLastSeq: head,
    usage: usage ? { usage, fingerprint } : null,
  });
  return recorded.at(-1)!.seq;
}

/** The provider charges for a reply that nobody waited for. The caller asks again from where it stands. */
async function countCutReply(
  rt: Runtime,
  { projectId, key, asked: { model }, endsAt }: Turn,
  { context, head, cut }: Called & { cut: CutReply },
): Promise<void> {
  try {
    await endsAt(head, []);
    await countCutTurn(rt, { projectId, keyId: key.keyId }, { model, context, ...cut });
  } catch (error) {
    rt.log.warn({ err: error, project: projectId }, 'a reply that was cut off was not counted');
  }
}
