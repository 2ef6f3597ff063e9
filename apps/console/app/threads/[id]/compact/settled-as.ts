import type { Schemas } from '@spillway/client';
import { reasonWords } from '@/app/attempts/reason-words';
import { count } from '@/ui/quantity';

export interface RunEnd {
  good: boolean;
  text: string;
  /** The generation it made. */
  generation: number | null;
}

/** The outcome of a request in words; null while it runs. `from` was the active generation. */
export function settledAs(
  { kind, from }: { kind: 'compact' | 'rebuild' | 'quarantine'; from: number },
  { compaction }: Schemas['Thread'],
): RunEnd | null {
  const { state, generation, covered_through: through, reason } = compaction;
  if (state === 'parked' || state === 'backoff') {
    const why = reason ? `: ${reasonWords(reason).name}` : '';
    const then = state === 'parked' ? 'Compaction stopped' : 'It is retried automatically';
    return {
      good: false,
      text: `No summary was made${why}. ${then}; see its compactions.`,
      generation: null,
    };
  }
  if (state !== 'idle') return null;
  if (generation > 0 && generation !== from) {
    const text = `Generation ${generation} is active and covers messages 1–${count(through)}.`;
    return { good: true, text, generation };
  }
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
