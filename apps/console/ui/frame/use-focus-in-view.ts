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
  const show = () => element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry!.intersectionRatio < 1) show();
    },
    { threshold: [0, 1] },
  );
  signal.addEventListener('abort', () => observer.disconnect());
  for (const move of moves)
    window.addEventListener(move, () => moved.abort(), { capture: true, passive: true, signal });
  element.addEventListener('blur', () => moved.abort(), { signal });
  show();
  observer.observe(element);
}
