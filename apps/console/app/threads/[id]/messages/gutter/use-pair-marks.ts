'use client';

import { useEffect, type RefObject } from 'react';

/**
 * Marks a tool call and its result while either is hovered or focused. Works on the elements, since both are in rows of
 * their own and rendering the list for a hover would be slow.
 */
export function usePairMarks(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = list.current;
    if (!root) return;
    const mark = (event: Event) => {
      const at = event.target instanceof Element ? event.target.closest('[data-call]') : null;
      const id =
        event.type === 'pointerleave' || event.type === 'focusout' ? null : at?.getAttribute('data-call');
      for (const old of root.querySelectorAll('[data-paired]')) old.removeAttribute('data-paired');
      if (!id) return;
      for (const one of root.querySelectorAll(`[data-call="${CSS.escape(id)}"]`))
        one.setAttribute('data-paired', '');
    };
    const events = ['pointerover', 'pointerleave', 'focusin', 'focusout'];
    for (const name of events) root.addEventListener(name, mark);
    return () => {
      for (const name of events) root.removeEventListener(name, mark);
    };
  }, [list]);
}
