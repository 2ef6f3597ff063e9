import type { Schemas } from '@spillway/client';
import type { Coverage } from './coverage';

type Range = Schemas['GenerationRange'];

/** Where a message stands for the model as things are now. */
export type StandingName = 'summary' | 'carried' | 'system' | 'sent' | 'shortened' | 'left_out' | 'unknown';

export interface Standing {
  name: StandingName;
  /** The generation whose range it is in, also when it is sent all the same. */
  covered: Range | undefined;
}

/** Words for each, so that no place is known by its colour alone. */
export const standingWords: Record<Exclude<StandingName, 'summary' | 'unknown'>, string> = {
  carried: 'carried verbatim',
  system: 'always sent',
  sent: 'in the context',
  shortened: 'shortened in the context',
  left_out: 'left out: over budget',
};

/** Tells where messages stand, from the parts of the context as it is now. */
export function standingsOf(
  coverage: Coverage,
  context: Schemas['Context'] | undefined,
): (seq: number) => Standing {
  const kinds = new Map(context?.parts.map((part) => [part.seq, part.kind]));
  const elided = (seq: number) => context?.elided.find((gap) => seq >= gap.from_seq && seq <= gap.to_seq);
  return (seq) => {
    const covered = coverage.of(seq);
    const kind = kinds.get(seq);
    if (kind === 'system' || kind === 'carried') return { name: kind, covered };
    if (covered) return { name: 'summary', covered };
    const reason = elided(seq)?.reason;
    if (reason === 'over_budget') return { name: 'left_out', covered };
    if (!kind) return { name: 'unknown', covered };
    return { name: reason === 'shortened' ? 'shortened' : 'sent', covered };
  };
}
