import { useEffect, type RefObject } from 'react';

/** Rows above the focused element that are drawn only now push it away. So many frames in which none did are enough. */
const quietFrames = 10;
/** Something that never comes to rest is left where it is. */
const maxFrames = 300;
/** Whoever scrolls or moves on decides what is in view. */
const moves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls the focused element wholly into view. A browser leaves one where it is that is partly on screen, for example a
 * tab at the edge of a phone.
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
  for (const move of moves)
    window.addEventListener(move, () => moved.abort(), {
      capture: true,
      passive: true,
      signal: moved.signal,
    });
  let [frames, quiet] = [0, 0];
  const look = () => {
    if (moved.signal.aborted) return;
    const before = element.getBoundingClientRect().top;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    quiet = element.getBoundingClientRect().top === before ? quiet + 1 : 0;
    const isDone = document.activeElement !== element || quiet >= quietFrames || ++frames >= maxFrames;
    if (isDone) moved.abort();
    else requestAnimationFrame(look);
  };
  look();
}
