import { useEffect, type RefObject } from 'react';

/** Whoever scrolls or moves on decides what is in view. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Keeps the focused element wholly in view. A browser leaves one where it is that is partly on screen, for example a tab
 * at the edge of a phone, and lets rows that are drawn late above it push it away.
 */
export function useFocusInView(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = content.current;
    if (!root) return;
    const show = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(':focus-visible')) keepInView(target);
    };
    root.addEventListener('focusin', show);
    return () => root.removeEventListener('focusin', show);
  }, [content]);
}

function keepInView(element: HTMLElement): void {
  const moved = new AbortController();
  const { signal } = moved;
  const observer = new IntersectionObserver(
    (changes) => {
      // On a slow machine several changes come at once; the last one says where the element is.
      const { intersectionRatio, boundingClientRect: seen } = changes.at(-1)!;
      if (intersectionRatio === 1) return;
      show(element);
      const { top, left } = element.getBoundingClientRect();
      // An element that is larger than the view stays where it was seen.
      if (Math.abs(top - seen.top) < 1 && Math.abs(left - seen.left) < 1) return;
      // An observer is silent about an element that is pushed away again before its next look.
      observer.unobserve(element);
      observer.observe(element);
    },
    { threshold: [0, 1] },
  );
  signal.addEventListener('abort', () => observer.disconnect());
  for (const move of moves)
    window.addEventListener(move, () => moved.abort(), { capture: true, passive: true, signal });
  element.addEventListener('blur', () => moved.abort(), { signal });
  show(element);
  observer.observe(element);
}

/** Scrolls an element into view. One that is larger than the view, or wholly in it, does not move. */
const show = (element: HTMLElement) => element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
