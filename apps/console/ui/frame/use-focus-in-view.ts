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
    ([entry]) => {
      if (entry!.intersectionRatio === 1 || !show(element)) return;
      // An observer is silent about an element that is pushed away again in the frame in which it was shown.
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

/** Scrolls an element into view. Whether it moved: one that is larger than the view, or wholly in it, does not. */
function show(element: HTMLElement): boolean {
  const before = element.getBoundingClientRect();
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const after = element.getBoundingClientRect();
  return before.top !== after.top || before.left !== after.left;
}
