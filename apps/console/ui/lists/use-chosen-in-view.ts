import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls a row of tabs or a list sideways and down, as far as it takes to show the chosen one when it changes. */
export function useChosenInView<E extends HTMLElement>(chosen: string | number): RefObject<E | null> {
  const list = useRef<E>(null);
  useEffect(() => {
    list.current
      ?.querySelector('[aria-current]:not([aria-current="false"]), [aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);
  return list;
}
