import type { Schemas } from '@spillway/client';
import { reasonWords } from '@/app/attempts/reason-words';
import { count } from '@/ui/quantity';

export interface RunEnd {
  good: boolean;
  text: string;
  /** The generation it made. */
  generation: number | null;
}

export interface Asked {
  kind: 'compact' | 'rebuild' | 'quarantine';
  /** The generation that was active. */
  from: number;
  /** The generation that waited for an approval; null without one. */
  proposed: number | null;
}

/** The outcome of a request in words; null while it runs. */
export function settledAs({ kind, from, proposed }: Asked, { compaction }: Schemas['Thread']): RunEnd | null {
  const { state, generation, covered_through: through, reason, prepared } = compaction;
  // Numbers only grow. A thread that is still over its trigger is due again at once, and may stay so.
  if (generation > from || (state === 'idle' && generation > 0 && generation !== from)) {
    const text = `Generation ${generation} is active and covers messages 1–${count(through)}.`;
    return { good: true, text, generation };
  }
  if (state === 'parked' || state === 'backoff') {
    const why = reason ? `: ${reasonWords(reason).name}` : '';
    const then = state === 'parked' ? 'Compaction stopped' : 'It is retried automatically';
    return {
      good: false,
      text: `No summary was made${why}. ${then}; see its compactions.`,
      generation: null,
    };
  }
  // Only a compaction that nobody requested proposes, so the request has ended.
  if (state !== 'running' && prepared?.state === 'proposed' && prepared.generation !== proposed) {
    const withdrawn = kind === 'quarantine' ? 'It is withdrawn. ' : '';
    const text = `${withdrawn}Generation ${prepared.generation} waits for an approval.`;
    return { good: kind === 'quarantine', text, generation: prepared.generation };
  }
  if (state !== 'idle') return null;
  const unchanged: Record<typeof kind, string> = {
    compact: 'Nothing was compacted: all remaining messages stay verbatim.',
    rebuild: 'Nothing was rebuilt: no message is old enough to be summarized.',
    quarantine:
      generation === 0
        ? 'It is withdrawn. The messages fit without a summary, so none is made now.'
        : 'It is withdrawn. The active summary was not made from it and stays.',
  };
  return { good: kind === 'quarantine', text: unchanged[kind], generation: null };
}
