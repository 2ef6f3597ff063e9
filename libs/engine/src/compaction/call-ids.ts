import type { Format, MessageIds } from '../formats/format.js';
import type { Message } from '../messages/message.js';
import type { Step } from './unit.js';

/** The ids of a step in a context. */
export interface StepIds {
  /** By seq, for messages in which an id changes. */
  changed: ReadonlyMap<number, MessageIds>;
  /** Of the calls without a result. */
  missing: readonly string[];
}

/**
 * The ids of calls in one context. A posted id stays, unless the format does not allow it or an earlier call of the
 * context has it; then it gets the seq of its message. So an id depends only on what stands before it, and contexts
 * that grow at their end keep their ids. Results go to the calls of their id in order.
 */
export class CallIds {
  private readonly given = new Set<string>();
  private readonly repeats = new Map<string, number>();

  constructor(private readonly format: Format) {}

  ofStep(step: Step): StepIds {
    if (step.members.every((entry) => entry.calls.length === 0)) return asPosted(step);
    if (this.format.uniqueCallIds === 'step') this.given.clear();
    let isChanged = false;
    const calls = step.members.map((entry) =>
      entry.calls.map((id) => {
        const given = this.give(id, entry.seq);
        isChanged ||= given !== id;
        return given;
      }),
    );
    if (!isChanged) return asPosted(step);
    const waiting = new Map<string, Waiting>();
    step.members.forEach((entry, i) =>
      entry.calls.forEach((id, n) => {
        const same = waiting.get(id) ?? { ids: [], next: 0 };
        same.ids.push(calls[i]![n]!);
        waiting.set(id, same);
      }),
    );
    const next = (id: string): string => {
      const same = waiting.get(id);
      return same?.ids[same.next++] ?? id;
    };
    const changed = new Map<number, MessageIds>();
    step.members.forEach((entry, i) => {
      const strays = new Set(step.strays.get(entry.seq));
      const results = entry.answers.map((id, index) => (strays.has(index) ? id : next(id)));
      if (isSame(calls[i]!, entry.calls) && isSame(results, entry.answers)) return;
      changed.set(entry.seq, { call: inOrder(calls[i]!), result: inOrder(results) });
    });
    return { changed, missing: missingOf(step).map(next) };
  }

  private give(id: string, seq: number): string {
    const allowed = this.format.allowedCallId(id);
    let given = allowed;
    while (this.given.has(given)) {
      const base = `${allowed}_${seq}`;
      const times = (this.repeats.get(base) ?? 0) + 1;
      this.repeats.set(base, times);
      given = times === 1 ? base : `${base}_${times}`;
    }
    this.given.add(given);
    return given;
  }
}

const asPosted = (step: Step): StepIds => ({ changed: new Map(), missing: missingOf(step) });

const missingOf = ({ unanswered, repeated }: Step): readonly string[] =>
  repeated.length === 0 ? unanswered : [...unanswered, ...repeated];

/** Calls of one posted id: the ids that they were given, and which of them gets the next result. */
interface Waiting {
  ids: string[];
  next: number;
}

const isSame = (ids: readonly string[], posted: readonly string[]): boolean =>
  ids.every((id, i) => id === posted[i]);

const inOrder = (ids: readonly string[]) => {
  let at = 0;
  return (id: string): string => ids[at++] ?? id;
};

/** A message that was posted in another format than that of the context, with its ids there. */
export const withIds = (message: Message, ids: MessageIds): Message => ({
  ...message,
  parts: message.parts.map((part) => {
    if (part.type === 'call') return { ...part, id: ids.call(part.id) };
    return part.type === 'result' ? { ...part, callId: ids.result(part.callId) } : part;
  }),
});
