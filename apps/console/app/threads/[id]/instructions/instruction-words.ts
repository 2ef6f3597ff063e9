import type { Schemas } from '@spillway/client';

type Instruction = Schemas['Instruction'];

/** What a person reads of an instruction's state. */
export function stateWords({ state, retired_by_seq: by, may_hold: mayHold, approved }: Instruction): string {
  if (state === 'active') return approved ? 'active, approved' : 'active';
  if (state === 'retired') return `${mayHold ? 'probably replaced' : 'retired'} by message ${by}`;
  return state;
}

const maxNamed = 6;

/** In which generations it stood, and whether the context of now says it. */
export function generationWords({ in_context: generations, stands_in: place }: Instruction): string {
  const named = generations.slice(0, maxNamed).join(', ');
  const more = generations.length > maxNamed ? ` and ${generations.length - maxNamed} more` : '';
  if (place === 'message')
    return named === '' ? 'none yet: its message is in the context' : `${named}${more}`;
  if (named === '') return 'none';
  return place === 'summary' ? `${named}${more}` : `${named}${more}; not now`;
}
