import { labelledValuesIn } from '../ledger/labelled-values.js';
import { withoutLine } from '../ledger/ledger.js';
import { IndexedText } from '../ledger/said-text.js';
import type { SeqMessage } from '../messages/seq-message.js';
import { measuredValuesIn, saidIn } from './measured-values.js';

/** A value that the agent wrote although nothing that stands beside the summary had said it. */
export interface UsedValue {
  value: string;
  /** The message in which the agent used it first. */
  usedSeq: number;
}

/** A used value that a folded message says: the agent has it from there, or from the summary of it. */
export interface Need extends UsedValue {
  /** The newest folded message that says it. */
  seq: number;
  /** The label of the value in that message; empty in prose and code. */
  label: string;
}

/** Messages after a fold in which a use counts as a need. */
export const needWindow = 60;

/**
 * The values that the agent used after a fold without having them from the messages beside the summary. `shown` are
 * those messages and all that came since, in seq order; uses count after the message `after`.
 */
export function usedValues(shown: readonly SeqMessage[], after: number): UsedValue[] {
  const used = new Map<string, UsedValue>();
  const known = new Set<string>();
  const before: IndexedText[] = [];
  for (const message of shown) {
    const text = saidIn(message);
    if (message.seq > after && message.role === 'assistant')
      for (const value of measuredValuesIn(text)) {
        if (known.has(value)) continue;
        known.add(value);
        if (!before.some((earlier) => earlier.says(value))) used.set(value, { value, usedSeq: message.seq });
      }
    before.push(new IndexedText(text));
  }
  return [...used.values()];
}

/** Looks through folded messages, the newest first, for those that said the used values last. */
export class NeedFinder {
  private readonly open: Map<string, UsedValue>;
  private readonly found: Need[] = [];

  constructor(used: readonly UsedValue[]) {
    this.open = new Map(used.map((one) => [one.value, one]));
  }

  /** True when no value is left to look for. */
  get isDone(): boolean {
    return this.open.size === 0;
  }

  look(message: SeqMessage): void {
    if (this.isDone) return;
    const text = new IndexedText(saidIn(message));
    let labels: ReadonlyMap<string, string> | undefined;
    for (const [value, used] of this.open) {
      if (!text.says(value)) continue;
      labels ??= labelsIn(message);
      this.found.push({ ...used, seq: message.seq, label: labels.get(withoutLine(value)) ?? '' });
      this.open.delete(value);
    }
  }

  /** The needs found, the one that was used last first. Values that no folded message says are none. */
  needs(): Need[] {
    return [...this.found].sort((a, b) => b.usedSeq - a.usedSeq || b.seq - a.seq);
  }
}

/** The labels of the values of a message, by value; of several labels the first. */
function labelsIn(message: SeqMessage): Map<string, string> {
  const labels = new Map<string, string>();
  for (const { value, label } of labelledValuesIn(message)) {
    const key = withoutLine(value);
    if (!labels.has(key)) labels.set(key, label);
  }
  return labels;
}
