'use client';

import type { Schemas } from '@spillway/client';
import { useQueryString } from '@/ui/lists/query-string';
import { isErased } from './generation-label';

type Summary = Schemas['Summary'];

export interface ChosenGeneration {
  summary: Summary;
  /** The generation to compare with, if any. */
  base: Summary | undefined;
  /** The default base: the previous readable generation. */
  nearestBase: Summary | undefined;
  choose: (summary: Summary | undefined) => void;
  compare: (base: Summary | undefined) => void;
}

/** The generation and its base as named in the URL; the active one by default. `all` is newest first. */
export function useGeneration(all: readonly Summary[]): ChosenGeneration | undefined {
  const [params, change] = useQueryString();
  // Old links use `generation`.
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
