import type { Schemas } from '@spillway/client';
import type { Random } from '@spillway/testing';
import type { Reply } from './serial-order.js';
import {
  appended,
  contentOf,
  copied,
  erased,
  generationOf,
  headOf,
  held,
  liveOf,
  rewound,
  stateOf,
  undone,
  withGeneration,
  type ModelThread,
} from './thread-model.js';

/** A request that clients send, at once or again. */
export interface Request {
  method: string;
  /** After the address of the thread. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** The fork that it makes. */
  fork?: string;
  /** Another thread than that of the client. */
  of?: string;
  step: (thread: ModelThread, reply: Reply) => ModelThread | null;
  /** What the answer says of the context, read after the request was done. */
  also?: (thread: ModelThread, reply: Reply) => ModelThread | null;
}

interface Problem {
  code: string;
}

const bodyOf = <T>({ body }: Reply): T => body as T;
const isOk = ({ status }: Reply): boolean => status >= 200 && status < 300;
/** Nothing was done: the thread changed during each of several tries, or too many such requests were in progress. */
const isBusy = (reply: Reply): boolean => isRefused(reply, 'thread_busy', 'too_many_requests');
const isRefused = (reply: Reply, ...codes: string[]): boolean =>
  reply.status >= 400 && codes.includes(bodyOf<Problem>(reply).code);

const when = (is: boolean, thread: ModelThread): ModelThread | null => (is ? thread : null);
const sameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i]);

const textsOf = (messages: readonly unknown[]): string[] =>
  messages
    .map((message) => String((message as { content: unknown }).content))
    // Spillway's own note between two messages of the user, and the summary.
    .filter((text) => text !== 'Noted.' && !text.startsWith('<conversation_summary'));

/** Whether these messages are all of the thread after a seq, with some of those before it ahead of them. */
function shows(
  thread: Pick<ModelThread, 'messages'>,
  messages: readonly unknown[],
  coveredThrough: number,
  isWhole: boolean,
): boolean {
  const texts = textsOf(messages);
  const live = liveOf(thread);
  const after = live.filter(({ seq }) => seq > coveredThrough).map(contentOf);
  const before = live.filter(({ seq }) => seq <= coveredThrough).map(contentOf);
  if (!isWhole) {
    let at = 0;
    const all = [...before, ...after];
    return texts.every((text) => (at = all.indexOf(text, at) + 1) > 0 || text.length > 0);
  }
  const carried = texts.slice(0, texts.length - after.length);
  return sameList(texts.slice(carried.length), after) && carried.every((text) => before.includes(text));
}

/** `strict`: only the clients make summaries, so that the model knows each of them. */
export function requestsFor(random: Random, { thread: name, strict }: { thread: string; strict: boolean }) {
  let count = 0;
  const words = 'All work and no play makes a dull thread. '.repeat(strict ? 6 : 14);
  const sent: Request[] = [];

  const context = (of: ModelThread, shown: Schemas['Context']): ModelThread | null => {
    const { summary, last_seq, messages, degraded } = shown;
    const covered = summary?.to_seq ?? 0;
    const isKnown =
      !strict ||
      ((summary?.generation ?? 0) === of.active && covered === (generationOf(of, of.active)?.to ?? 0));
    return when(last_seq === headOf(of) && isKnown && shows(of, messages, covered, !degraded), of);
  };

  const append = (of: ModelThread): Request => {
    const messages = Array.from({ length: 1 + random.below(3) }, () => {
      const id = `${name}-${count++}`;
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
              return shown ? context(now, shown) : now;
            },
          }
        : {}),
    };
  };

  const rewind = (of: ModelThread): Request => {
    const live = liveOf(of);
    const to = random.chance(0.1) ? headOf(of) : (live.at(-2 - random.below(4))?.seq ?? 0);
    const key = `key-${count++}`;
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
  };

  const erase = (of: ModelThread): Request => {
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
  };

  const pin = (of: ModelThread): Request => {
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
  };

  const refusals = [
    'summary_not_newest',
    'summary_withdrawn',
    'summary_rewound',
    'over_limit',
    'summary_not_found',
  ];

  const shown = (now: ModelThread, reply: Reply): ModelThread | null => {
    if (!isOk(reply)) return now;
    const { generation, active } = bodyOf<Schemas['RestoredSummary']>(reply);
    return when(active === (generation === now.active), now);
  };

  const write = (of: ModelThread): Request => {
    const to = liveOf(of).at(-3 - random.below(4))?.seq ?? 1;
    const text = `Summary ${name}-${count++}.`;
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
        if (!strict)
          return when(isOk(reply) || isRefused(reply, 'generation_changed', 'message_rewound'), now);
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
      ...(strict ? { also: shown } : {}),
    };
  };

  const chosen = (of: ModelThread): number =>
    of.active !== 0 && random.chance(0.6) ? of.active : 1 + random.below(of.generations.length + 1);

  const undo = (of: ModelThread): Request => {
    const n = chosen(of);
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
  };

  const restore = (of: ModelThread): Request => {
    const n = chosen(of);
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
  };

  const hold = (of: ModelThread): Request => {
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
  };

  const instruct = (): Request => {
    const text = `Never say ${name} ${count++}.`;
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
  };

  const decide = (of: ModelThread): Request => {
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
  };

  const label = (): Request => {
    const metadata = `v${count++}`;
    return {
      method: 'PATCH',
      path: '',
      body: { metadata: { label: metadata } },
      step: (now, reply) => (isBusy(reply) ? now : when(isOk(reply), { ...now, metadata })),
      // The answer has the thread as it is by then.
      also: (now, reply) =>
        when(!isOk(reply) || bodyOf<Schemas['Thread']>(reply).metadata.label === now.metadata, now),
    };
  };

  const fork = (of: ModelThread): Request => {
    const id = `${name}-fork-${count++}`;
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
  };

  const get = (path: string, is: (now: ModelThread, reply: Reply) => boolean): Request => ({
    method: 'GET',
    path,
    step: (now, reply) => when(isBusy(reply) || (isOk(reply) && is(now, reply)), now),
  });

  const readContext = (): Request =>
    get('/context', (now, reply) => context(now, bodyOf<Schemas['Context']>(reply)) !== null);

  const readThread = (): Request =>
    get('', (now, reply) => {
      const { last_seq, recorded_seq, metadata, compaction } = bodyOf<Schemas['Thread']>(reply);
      const isKnown = !strict || compaction.generation === now.active;
      const isSame = last_seq === headOf(now) && recorded_seq === now.next - 1;
      return isSame && isKnown && (metadata.label ?? '') === now.metadata;
    });

  const readMessages = (): Request =>
    get('/messages?limit=500&view=original', (now, reply) => {
      const { data } = bodyOf<Schemas['MessageList']>(reply);
      return (
        data.length === now.messages.length &&
        data.every((one, i) => {
          const known = now.messages[i]!;
          const isSame = one.seq === known.seq && (one.rewound_before ?? 0) === known.rewoundBefore;
          if ((one.hold ?? null) !== known.hold) return false;
          return isSame && (one.message as { content: string }).content === contentOf(known);
        })
      );
    });

  const readSummaries = (): Request =>
    get('/summaries?limit=1000', (now, reply) => {
      const { data } = bodyOf<Schemas['SummaryList']>(reply);
      const active = data.filter((one) => one.active).map(({ generation }) => generation);
      if (!strict) return active.length <= 1;
      const isListed = sameList(
        data.map(({ generation, state }) => `${generation} ${state}`),
        now.generations.map((one) => `${one.generation} ${stateOf(now, one)}`).reverse(),
      );
      return isListed && (active[0] ?? 0) === now.active && active.length <= 1;
    });

  const readInstructions = (): Request =>
    get('/instructions?limit=500', (now, reply) => {
      const { data } = bodyOf<Schemas['InstructionList']>(reply);
      const added = data.filter(({ source }) => source === 'added');
      // One that a newer one retired is there beside itself when it is added again.
      const active = added.filter(({ state }) => state === 'active').map(({ text }) => text);
      const states = (of: readonly { id: string; isDismissed: boolean }[]): string[] =>
        of.map(({ id, isDismissed }) => `${id} ${isDismissed}`).sort();
      const shownNow = added.map(({ id, state }) => ({ id, isDismissed: state === 'dismissed' }));
      return sameList(states(shownNow), states(now.instructions)) && new Set(active).size === active.length;
    });

  const writes: ((of: ModelThread) => Request)[] = [
    ...[append, append, append, rewind, erase, instruct, label, fork, write, hold],
    ...(strict ? [write, undo, restore] : [pin, undo]),
  ];
  const reads = [readContext, readContext, readThread, readMessages, readSummaries, readInstructions];

  return {
    /** One that may come next: a new one, or at times an earlier one again. */
    next(of: ModelThread): Request {
      if (of.messages.length === 0) return append(of);
      if (random.chance(0.35)) return random.pick(reads)();
      const old = sent.at(-1 - random.below(12));
      if (old && random.chance(0.15)) return old;
      const isDecision = of.instructions.length > 0 && random.chance(0.1);
      const made = isDecision ? decide(of) : random.pick(writes)(of);
      sent.push(made);
      return made;
    },
    /** All that the thread shows, one after another. */
    all: (): Request[] => [readContext(), readThread(), readMessages(), readSummaries(), readInstructions()],
    /** What a fork shows. */
    contextOf: (fork: string): Request => ({
      ...get('/context', (now, reply) => {
        const shown = bodyOf<Schemas['Context']>(reply);
        const { messages, summary, degraded } = shown;
        return shows(now.forks.get(fork)!, messages, summary?.to_seq ?? 0, !degraded);
      }),
      of: fork,
    }),
  };
}
