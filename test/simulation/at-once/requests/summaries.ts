import type { Schemas } from '@spillway/client';
import type { Reply } from '../serial-order.js';
import { copied, generationOf, liveOf, undone, withGeneration, type ModelThread } from '../thread-model.js';
import { bodyOf, isBusy, isOk, isRefused, when, type Client, type Request } from './request.js';

const refusals = [
  'summary_not_newest',
  'summary_withdrawn',
  'summary_rewound',
  'over_limit',
  'summary_not_found',
];

export function write({ random, strict, thread: name, number }: Client, of: ModelThread): Request {
  const to = liveOf(of).at(-3 - random.below(4))?.seq ?? 1;
  const text = `Summary ${name}-${number()}.`;
  const expected = random.chance(0.4) ? of.active : null;
  const fields = {
    task_overview: text,
    ...{ current_state: '', important_discoveries: '', next_steps: '', context_to_preserve: '' },
  };
  return {
    method: 'POST',
    path: '/summaries',
    body: { fields, to_seq: to, ...(expected === null ? {} : { expected_generation: expected }) },
    step: (now, reply) => {
      if (isBusy(reply) || isRefused(reply, 'invalid_request')) return now;
      if (!strict) return when(isOk(reply) || isRefused(reply, 'generation_changed', 'message_rewound'), now);
      const active = generationOf(now, now.active);
      const { generation } = bodyOf<Schemas['RestoredSummary']>(reply);
      if (active && active.to === to && active.text === text)
        return when(reply.status === 200 && generation === active.generation, now);
      if (expected !== null && now.active !== expected)
        return when(isRefused(reply, 'generation_changed'), now);
      if (!liveOf(now).some(({ seq }) => seq === to)) return when(isRefused(reply, 'message_rewound'), now);
      if (reply.status !== 201) return null;
      const after = withGeneration(now, { to, text, replaces: now.active, restoredFrom: 0 });
      return when(generation === after.active, after);
    },
    // The answer has the summary as it is by then.
    ...(strict ? { also: shownBy } : {}),
  };
}

/** Whether the answer says rightly that the summary is the active one. */
const shownBy = (now: ModelThread, reply: Reply): ModelThread | null => {
  if (!isOk(reply)) return now;
  const { generation, active } = bodyOf<Schemas['RestoredSummary']>(reply);
  return when(active === (generation === now.active), now);
};

export function undo(client: Client, of: ModelThread): Request {
  const { strict } = client;
  const n = chosen(client, of);
  return {
    method: 'DELETE',
    path: `/summaries/${n}`,
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (!strict) return when(isOk(reply) || isRefused(reply, ...refusals), now);
      const one = generationOf(now, n);
      if (!one) return when(reply.status === 404, now);
      const from = isOk(reply) ? bodyOf<Schemas['UndoneSummary']>(reply).restored_from : null;
      if (one.isUndone && now.active !== n) return when(from === one.replaces, now);
      if (one.isWithdrawn) return when(isRefused(reply, 'summary_withdrawn'), now);
      if (one.isRewound) return when(isRefused(reply, 'summary_rewound'), now);
      if (now.active !== n) return when(isRefused(reply, 'summary_not_newest'), now);
      const after = undone(now, one);
      return when(from === after.from, after.thread);
    },
  };
}

export function restore(client: Client, of: ModelThread): Request {
  const { strict } = client;
  const n = chosen(client, of);
  return {
    method: 'POST',
    path: `/summaries/${n}/restore`,
    step: (now, reply) => {
      if (isBusy(reply)) return now;
      if (!strict) return when(isOk(reply) || isRefused(reply, ...refusals), now);
      const one = generationOf(now, n);
      if (!one) return when(reply.status === 404, now);
      if (one.isWithdrawn) return when(isRefused(reply, 'summary_withdrawn'), now);
      if (one.isRewound) return when(isRefused(reply, 'summary_rewound'), now);
      const after = copied(now, one, now.active);
      return when(
        isOk(reply) && bodyOf<Schemas['RestoredSummary']>(reply).generation === after.active,
        after,
      );
    },
  };
}

/** The active one most often. */
const chosen = ({ random }: Client, of: ModelThread): number =>
  of.active !== 0 && random.chance(0.6) ? of.active : 1 + random.below(of.generations.length + 1);
