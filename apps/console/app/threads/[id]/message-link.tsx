import type { ReactNode } from 'react';
import { count } from '@/ui/quantity';
import { QueryLink } from '@/ui/lists/query-link';
import classes from './message-link.module.css';

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

interface Props {
  seq: number;
  label?: string;
  /** It stands within a sentence, as its own text: not as one of a row of numbers. */
  children?: ReactNode;
}

/** Leads to a message in the timeline. */
export function MessageLink({ seq, children, label }: Props) {
  return (
    <QueryLink
      changes={{ ...nothingElse, seq: String(seq) }}
      className={children ? 'inline num' : `inline num ${classes.apart}`}
      label={label}
    >
      {children ?? count(seq)}
    </QueryLink>
  );
}
