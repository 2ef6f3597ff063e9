import type { Schemas } from '@spillway/client';
import { appended, erased, headOf, held, liveOf, rewound, type ModelThread } from '../thread-model.js';
import { bodyOf, isBusy, isOk, isRefused, sameList, when, type Client, type Request } from './request.js';
import type { Reply } from '../serial-order.js';
import { showsThread } from './shown-context.js';

export function append(client: Client, of: ModelThread): Request {
  const { random, thread: name, words, number } = client;
  const messages = Array.from({ length: 1 + random.below(3) }, () => {
    const id = `${name}-${number()}`;
    return { id, role: 'user', content: `<${id}> ${words}` };
  });
  // Some of an earlier request again, with others.
  const known = liveOf(of).at(-1);
  if (known && !known.isErased && random.chance(0.15))
    messages.unshift({ id: known.id, role: 'user', content: known.content });
  const head = random.chance(0.3) ? headOf(of) : null;
  const isServed = random.chance(0.3);
  return {
    method: 'POST',
    path: `/messages${isServed ? '?context=true' : ''}`,
    body: { messages },
    ...(head === null ? {} : { headers: { 'if-match': `${head}` } }),
    step: (now, reply) => {
      const live = liveOf(now);
      const of = messages.map(({ id }) => live.find((one) => one.id === id));
      if (of.some((one) => one?.isErased)) return when(isRefused(reply, 'message_conflict'), now);
      const fresh = messages.filter((_, i) => of[i] === undefined);
      if (fresh.length > 0 && head !== null && headOf(now) !== head)
        return when(isRefused(reply, 'last_seq_changed'), now);
      if (isBusy(reply)) return now;
      if (!isOk(reply)) return null;
      const after = appended(now, fresh);
      const { messages: recorded, thread } = bodyOf<Schemas['MessagesAppended']>(reply);
      const seqs = messages.map(({ id }) => liveOf(after).find((one) => one.id === id)!.seq);
      const isRight = sameList(
        seqs,
        recorded.map(({ seq }) => seq),
      );
      return when(isRight && thread.last_seq === headOf(after), after);
    },
    ...(isServed
      ? {
          also: (now: ModelThread, reply: Reply) => {
            const shown = isOk(reply) ? bodyOf<Schemas['MessagesAppended']>(reply).context : null;
            return when(!shown || showsThread(now, shown, client), now);
          },
        }
      : {}),
  };
}

export function rewind({ random, number }: Client, of: ModelThread): Request {
  const live = liveOf(of);
  const to = random.chance(0.1) ? headOf(of) : (live.at(-2 - random.below(4))?.seq ?? 0);
  const key = `key-${number()}`;
  const head = random.chance(0.3) ? headOf(of) : null;
  return {
    method: 'POST',
    path: '/rewind',
    body: { to_seq: to },
    headers: { 'idempotency-key': key, ...(head === null ? {} : { 'if-match': `${head}` }) },
    step: (now, reply) => {
      const known = now.rewinds.get(key);
      const answers = (after: ModelThread, messages: number): ModelThread | null => {
        if (!isOk(reply)) return null;
        const answer = bodyOf<Schemas['ThreadRewound']>(reply);
        return when(answer.messages === messages && answer.thread.last_seq === headOf(after), after);
      };
      if (known) return answers(now, known.messages);
      if (head !== null && headOf(now) !== head) return when(isRefused(reply, 'last_seq_changed'), now);
      const isThere = to === 0 || liveOf(now).some(({ seq }) => seq === to);
      if (!isThere) return when(isRefused(reply, 'message_rewound'), now);
      if (isBusy(reply)) return now;
      const after = rewound(now, to, key);
      return answers(after, after.rewinds.get(key)!.messages);
    },
  };
}

export function erase({ random }: Client, of: ModelThread): Request {
  const seq = random.chance(0.1) ? of.next + 50 : (random.pick(of.messages)?.seq ?? 1);
  return {
    method: 'DELETE',
    path: `/messages/${seq}`,
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (!now.messages.some((one) => one.seq === seq)) return when(reply.status === 404, now);
      return when(reply.status === 204, erased(now, seq));
    },
  };
}

export function pin({ random }: Client, of: ModelThread): Request {
  const seq = liveOf(of).at(-1 - random.below(6))?.seq ?? 1;
  return {
    method: 'PATCH',
    path: `/messages/${seq}`,
    body: { pinned: true },
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (!now.messages.some((one) => one.seq === seq)) return when(reply.status === 404, now);
      const isThere = liveOf(now).some((one) => one.seq === seq);
      return when(
        isThere ? isOk(reply) || isRefused(reply, 'pinned_too_large') : isRefused(reply, 'message_rewound'),
        now,
      );
    },
  };
}

export function hold({ random }: Client, of: ModelThread): Request {
  const from = random.pick(of.messages)?.seq ?? 1;
  const to = from + random.below(3);
  const name = random.chance(0.6) ? 'keep' : 'release';
  return {
    method: 'POST',
    path: `/messages/${name}`,
    body: { from_seq: from, to_seq: to },
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (to > headOf(now)) return when(isRefused(reply, 'message_not_found'), now);
      if (!liveOf(now).some(({ seq }) => from <= seq && seq <= to))
        return when(isRefused(reply, 'message_rewound'), now);
      if (name === 'keep' && isRefused(reply, 'kept_too_large')) return now;
      return when(isOk(reply), held(now, { from, to, hold: name }));
    },
  };
}
