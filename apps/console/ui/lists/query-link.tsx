'use client';

import type { MouseEvent, ReactNode } from 'react';
import { useQueryString } from './query-string';

interface Props {
  changes: Record<string, string | null>;
  title?: string;
  tabIndex?: number;
  className?: string | undefined;
  /** For screen readers, when the text alone is not enough. */
  label?: string | undefined;
  /** Whether it is the current state. */
  current?: boolean | undefined;
  /** Called after it was followed in place. */
  onFollow?: (() => void) | undefined;
  children: ReactNode;
}

/** A link to another state of the same page: followed in place, with a real URL for new tabs and copies. */
export function QueryLink(props: Props) {
  const { changes, className, title, tabIndex, label, current = false, onFollow, children } = props;
  const [params, , followTo] = useQueryString();
  const next = new URLSearchParams(params.toString());
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    followTo(changes);
    onFollow?.();
  };
  return (
    <a
      href={`?${next.toString()}`}
      className={className}
      title={title}
      tabIndex={tabIndex}
      aria-label={label}
      aria-current={current || undefined}
      onClick={follow}
    >
      {children}
    </a>
  );
}
