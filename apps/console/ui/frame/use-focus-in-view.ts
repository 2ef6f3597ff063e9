import { useEffect, type RefObject } from 'react';

/** Rows above the focused element that are drawn only now push it away within a few frames. */
const frames = 10;

/**
 * Scrolls the focused element wholly into view. A browser leaves one where it is that is partly on screen, for example a
 * tab at the edge of a phone.
 */
export function useFocusInView(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = content.current;
    if (!root) return;
    const show = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(':focus-visible')) keepInView(target, frames);
    };
    root.addEventListener('focusin', show);
    return () => root.removeEventListener('focusin', show);
  }, [content]);
}

function keepInView(element: HTMLElement, left: number): void {
  if (document.activeElement !== element) return;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (left > 0) requestAnimationFrame(() => keepInView(element, left - 1));
}
