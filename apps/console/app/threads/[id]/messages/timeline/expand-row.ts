/** Presses what expands a message, or what folds it again once all of it is open. */
export function expandRow(list: HTMLElement | null, seq: number | null): void {
  const row = list?.querySelector(`[data-index="${(seq ?? 0) - 1}"]`);
  const closed = [...(row?.querySelectorAll<HTMLElement>('[data-expand]') ?? [])];
  const open = [...(row?.querySelectorAll<HTMLElement>('[data-collapse]') ?? [])];
  for (const button of closed.length > 0 ? closed : open) button.click();
}
