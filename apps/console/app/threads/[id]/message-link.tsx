import type { ReactNode } from 'react';
import { count } from '@/ui/quantity';
import { QueryLink } from '@/ui/query-link';

/** What an address no longer says once it leads to a message: the timeline has no generations to choose. */
const nothingElse = {
  tab: null,
  generation: null,
  gen: null,
  base: null,
  fact: null,
  kind: null,
  range: null,
};

/** Leads to a message in the timeline. */
export function MessageLink({ seq, children, label }: { seq: number; children?: ReactNode; label?: string }) {
  return (
    <QueryLink changes={{ ...nothingElse, seq: String(seq) }} className="inline num" label={label}>
      {children ?? count(seq)}
    </QueryLink>
  );
}
