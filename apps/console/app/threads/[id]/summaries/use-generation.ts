'use client';

import type { Schemas } from '@spillway/client';
import { useQueryString } from '@/ui/lists/query-string';
import { isErased } from './generation-label';

type Summary = Schemas['Summary'];

export interface ChosenGeneration {
  summary: Summary;
  /** What it is compared with, if anything. */
  base: Summary | undefined;
  /** What it would be compared with first: the generation before it that can be read. */
  nearestBase: Summary | undefined;
  choose: (summary: Summary | undefined) => void;
  compare: (base: Summary | undefined) => void;
}

/** The generation and its base as the address names them; the active one without a name. `all` is newest first. */
export function useGeneration(all: readonly Summary[]): ChosenGeneration | undefined {
  const [params, change] = useQueryString();
  // Links from before there was a base say `generation`.
  const asked = Number(params.get('gen') ?? params.get('generation'));
  const summary =
    all.find(({ generation }) => generation === asked) ?? all.find(({ active }) => active) ?? all[0];
  if (!summary) return undefined;
  const others = all.filter((one) => one !== summary && !isErased(one));
  const base = others.find(({ generation }) => generation === Number(params.get('base')));
  const older = others.filter(({ generation }) => generation < summary.generation);
  return {
    summary,
    base,
    nearestBase: older.find(({ withdrawn_at }) => withdrawn_at === null) ?? older[0] ?? others.at(-1),
    choose: (to) => {
      if (to) change({ gen: String(to.generation), generation: null });
    },
    compare: (to) =>
      change({ gen: String(summary.generation), generation: null, base: to ? String(to.generation) : null }),
  };
}
