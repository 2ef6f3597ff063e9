/** Presses the button that expands a message, or the one that collapses it. */
export function expandRow(list: HTMLElement | null, seq: number | null): void {
  const row = list?.querySelector(`[data-index="${(seq ?? 0) - 1}"]`);
  const closed = [...(row?.querySelectorAll<HTMLElement>('[data-expand]') ?? [])];
  const open = [...(row?.querySelectorAll<HTMLElement>('[data-collapse]') ?? [])];
  for (const button of closed.length > 0 ? closed : open) button.click();
}
