import type { Schemas } from '@spillway/client';
import { headOf, liveOf, type ModelThread } from '../thread-model.js';
import { bodyOf, isBusy, isOk, isRefused, when, type Client, type Request } from './request.js';

export function instruct({ thread: name, number }: Client): Request {
  const text = `Never say ${name} ${number()}.`;
  return {
    method: 'POST',
    path: '/instructions',
    body: { text },
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (reply.status !== 201) return null;
      const { id } = bodyOf<Schemas['Instruction']>(reply);
      const known = now.instructions.find((one) => one.id === id);
      if (known) return when(known.text === text && !known.isDismissed, now);
      return { ...now, instructions: [...now.instructions, { id, text, isDismissed: false }] };
    },
  };
}

export function decide({ random }: Client, of: ModelThread): Request {
  const { id } = random.pick(of.instructions);
  const isDismissed = random.chance(0.5);
  return {
    method: 'PATCH',
    path: `/instructions/${id}`,
    body: { state: isDismissed ? 'dismissed' : 'active' },
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      const instructions = now.instructions.map((one) => (one.id === id ? { ...one, isDismissed } : one));
      return when(isOk(reply), { ...now, instructions });
    },
  };
}

export function label({ number }: Client): Request {
  const metadata = `v${number()}`;
  return {
    method: 'PATCH',
    path: '',
    body: { metadata: { label: metadata } },
    step: (now, reply) => (isBusy(reply) ? now : when(isOk(reply), { ...now, metadata })),
    // The answer has the thread as it is by then.
    also: (now, reply) =>
      when(!isOk(reply) || bodyOf<Schemas['Thread']>(reply).metadata.label === now.metadata, now),
  };
}

export function fork({ random, thread: name, number }: Client, of: ModelThread): Request {
  const id = `${name}-fork-${number()}`;
  const at = random.chance(0.5) ? null : (liveOf(of).at(-1 - random.below(5))?.seq ?? 0);
  return {
    fork: id,
    method: 'POST',
    path: '/fork',
    body: { id, ...(at === null ? {} : { at }) },
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      const known = now.forks.get(id);
      const made = bodyOf<Schemas['Thread']>(reply);
      if (known) return when(reply.status === 200 && made.last_seq === known.at, now);
      const upTo = at ?? headOf(now);
      if (upTo !== 0 && !liveOf(now).some(({ seq }) => seq === upTo))
        return when(isRefused(reply, 'message_rewound'), now);
      const messages = liveOf(now).filter(({ seq }) => seq <= upTo);
      const forks = new Map(now.forks).set(id, { at: upTo, messages });
      return when(reply.status === 201 && made.last_seq === upTo, { ...now, forks });
    },
  };
}
