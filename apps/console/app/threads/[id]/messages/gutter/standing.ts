import type { Schemas } from '@spillway/client';
import type { Coverage } from './coverage';

type Range = Schemas['GenerationRange'];

/** The standing of a message in the current context. */
export type StandingName = 'summary' | 'carried' | 'system' | 'sent' | 'shortened' | 'left_out' | 'unknown';

export interface Standing {
  name: StandingName;
  /** The generation whose range contains it, also when it is sent verbatim. */
  covered: Range | undefined;
}

/** The text of each standing, so that it is not known by colour alone. */
export const standingWords: Record<Exclude<StandingName, 'summary' | 'unknown'>, string> = {
  carried: 'carried verbatim',
  system: 'always sent',
  sent: 'in the context',
  shortened: 'shortened in the context',
  left_out: 'left out: over budget',
};

/** Computes standings from the parts of the current context. */
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
