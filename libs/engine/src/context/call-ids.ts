import type { Step } from '../units/unit.js';
import type { Message } from '../messages/message.js';
import type { Format, MessageIds } from '../formats/format.js';

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
 * that grow at their end keep their ids (ADR 125). Results go to the calls of their id in order.
 */
export class CallIds {
  private readonly given = new Set<string>();
  private readonly repeats = new Map<string, number>();

  constructor(private readonly format: Format) {}

  ofStep(step: Step): StepIds {
    if (this.format.uniqueCallIds === 'step') this.given.clear();
    const given: string[] = [];
    let isChanged = false;
    for (const { seq, calls } of step.members)
      for (const id of calls) {
        const one = this.give(id, seq);
        isChanged ||= one !== id;
        given.push(one);
      }
    const missing = step.repeated.length === 0 ? step.unanswered : [...step.unanswered, ...step.repeated];
    if (!isChanged) return { changed: none, missing };
    const waiting = new IdsInOrder();
    const changed = new Map<number, MessageIds>();
    let at = 0;
    for (const { seq, calls, answers } of step.members) {
      const strays = new Set(step.strays.get(seq));
      const called = given.slice(at, (at += calls.length));
      called.forEach((id, i) => waiting.add(calls[i]!, id));
      const answered = answers.map((id, i) => (strays.has(i) ? id : waiting.next(id)));
      if (isSame(called, calls) && isSame(answered, answers)) continue;
      changed.set(seq, { call: inOrder(called), result: inOrder(answered) });
    }
    return { changed, missing: missing.map((id) => waiting.next(id)) };
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

const none: StepIds['changed'] = new Map();

/** The ids that calls of the same posted id were given; results take them in order. */
class IdsInOrder {
  private readonly byId = new Map<string, { ids: string[]; next: number }>();

  add(id: string, given: string): void {
    const same = this.byId.get(id);
    if (same) same.ids.push(given);
    else this.byId.set(id, { ids: [given], next: 0 });
  }

  next(id: string): string {
    const same = this.byId.get(id);
    return same?.ids[same.next++] ?? id;
  }
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
