import type { Runtime } from '../runtime.js';
import { countReported } from '../usage/count-usage.js';
import { refuseSpentChat } from '../usage/refuse-spent-chat.js';
import { roomOf } from '../upstreams/model-call-room.js';
import { upstreamOf } from '../upstreams/upstream-of.js';
import { callModel, passOn, type ProxyAnswer } from './proxy-answer.js';
import type { ProxyTurn } from './proxy-turn.js';

/**
 * Passes a call on that an agent makes beside its conversation, as for a title: the request goes to the provider as it
 * came, and neither it nor the answer is recorded. What it took is counted. Throws what `proxyTurn` throws for a model, an
 * upstream and a budget.
 */
export async function proxyAside(
  rt: Runtime,
  { api, projectId, key, ...call }: Omit<ProxyTurn, 'threadId' | 'incoming'>,
): Promise<ProxyAnswer> {
  const { model } = api.read(call.body);
  const upstream = await upstreamOf(rt, projectId, api.provider, call.ownKey?.key);
  upstream.modelFor(model, null);
  await refuseSpentChat(rt, { projectId, key, thread: undefined });
  const room = roomOf(rt, { projectId, ...call });
  const called = { api, upstream, model };
  const answer = await callModel(rt, called, { ...call, hold: room.hold }).catch((error: unknown) => {
    room.release();
    throw error;
  });
  const count = ({ usage }: { usage: unknown }) =>
    countReported(rt, { projectId, keyId: key.keyId }, { model, usage }).catch((error: unknown) =>
      rt.log.warn({ err: error, project: projectId }, 'a call beside a session was not counted'),
    );
  return passOn(answer, api, room, {
    record: count,
    countCut: count,
    unreadable: (error) => rt.log.warn({ err: error, project: projectId }, 'an answer cannot be read'),
  });
}
