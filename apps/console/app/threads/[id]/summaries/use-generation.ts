'use client';

import type { Schemas } from '@spillway/client';
import { useQueryString } from '@/ui/lists/query-string';
import { isErased } from './generation-label';
import { useNamedSummary, type NamedSummary } from './use-named-summary';

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

export interface Generations {
  /** The list, and what the URL names beside it; newest first. */
  all: readonly Summary[];
  named: NamedSummary;
  /** The generation that the URL names, which may not be there; the active one when it names none. */
  chosen: ChosenGeneration | undefined;
}

/** The generations of a thread, and of them the one that the URL names, with its base. `listed` is newest first. */
export function useGeneration(threadId: string, listed: readonly Summary[] | undefined): Generations {
  const [params, change] = useQueryString();
  // Old links use `generation`.
  const named = useNamedSummary(threadId, listed, params.get('gen') ?? params.get('generation'));
  const compared = useNamedSummary(threadId, listed, params.get('base'));
  const all = withAll(listed ?? [], [named.summary, compared.summary]);
  const summary = named.generation === null ? (all.find(({ active }) => active) ?? all[0]) : named.summary;
  if (!summary) return { all, named, chosen: undefined };
  const others = all.filter((one) => one !== summary && !isErased(one));
  const older = others.filter(({ generation }) => generation < summary.generation);
  const chosen: ChosenGeneration = {
    summary,
    base: others.find((one) => one === compared.summary),
    nearestBase: older.find(({ withdrawn_at }) => withdrawn_at === null) ?? older[0] ?? others.at(-1),
    choose: (to) => {
      if (to) change({ gen: String(to.generation), generation: null });
    },
    compare: (to) =>
      change({ gen: String(summary.generation), generation: null, base: to ? String(to.generation) : null }),
  };
  return { all, named, chosen };
}

/** The list with the summaries that it does not have, each before the first older one. */
function withAll(listed: readonly Summary[], others: readonly (Summary | undefined)[]): readonly Summary[] {
  const all = [...listed];
  for (const other of others) {
    if (!other || all.some(({ generation }) => generation === other.generation)) continue;
    const at = all.findIndex(({ generation }) => generation < other.generation);
    all.splice(at < 0 ? all.length : at, 0, other);
  }
  return all;
}
