'use client';

import type { MouseEvent, ReactNode } from 'react';
import { useQueryString } from './query-string';

interface Props {
  changes: Record<string, string | null>;
  className?: string;
  title?: string;
  tabIndex?: number;
  children: ReactNode;
}

/** A link to another state of the same page: followed in place, and a real address for a new tab or a copy. */
export function QueryLink({ changes, className, title, tabIndex, children }: Props) {
  const [params, change] = useQueryString();
  const next = new URLSearchParams(params.toString());
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    change(changes);
  };
  return (
    <a href={`?${next.toString()}`} className={className} title={title} tabIndex={tabIndex} onClick={follow}>
      {children}
    </a>
  );
}
