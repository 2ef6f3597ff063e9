/** Takes the focus for a view with keys of its own, so that they work at once, unless it is elsewhere already. */
export function focusIfNoneHasIt(view: HTMLElement | null): void {
  if (document.activeElement === document.body) view?.focus({ preventScroll: true });
}
