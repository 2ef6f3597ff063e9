import { useEffect, type RefObject } from 'react';

/** Where a focused element stands: its ancestors, nearest first, with its position in each. */
type Place = readonly { parent: Element; index: number }[];

/**
 * Keeps the focus in its place when the focused element leaves the page, for example a button whose action was done.
 * The nearest ancestor that is left and focusable gets it; in place of a removed row, the row that is there now.
 */
export function useKeptFocus(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = content.current;
    if (!root) return;
    let last: { element: Element; place: Place } | null = null;
    const remember = ({ target }: FocusEvent) => {
      if (target instanceof Element && root.contains(target))
        last = { element: target, place: placeOf(target, root) };
    };
    // A click beside all elements takes the focus on purpose; what is removed may be told only after the event.
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) return;
      queueMicrotask(() => {
        if (document.hasFocus() && last?.element === target && last.element.isConnected) last = null;
      });
    };
    // The whole page: a dialog is outside of the content, and returns the focus to a button that may be gone.
    const observer = new MutationObserver(() => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const heir = heirOf(last.place);
      last = null;
      heir?.focus({ preventScroll: true });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    root.addEventListener('focusin', remember);
    root.addEventListener('focusout', forget);
    return () => {
      observer.disconnect();
      root.removeEventListener('focusin', remember);
      root.removeEventListener('focusout', forget);
    };
  }, [content]);
}

function placeOf(element: Element, root: Element): Place {
  const place: { parent: Element; index: number }[] = [];
  for (let at = element; at !== root && at.parentElement; at = at.parentElement)
    place.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  return place;
}

function heirOf(place: Place): HTMLElement | null {
  for (const { parent, index } of place) {
    if (!parent.isConnected) continue;
    const neighbour = parent.children[Math.min(index, parent.children.length - 1)];
    for (const heir of [neighbour, parent])
      if (heir instanceof HTMLElement && heir.hasAttribute('tabindex')) return heir;
  }
  return null;
}
