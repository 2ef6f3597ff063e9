/** An integer from 1 to `last` in the URL; null for anything else. */
export function wholeIn(text: string | string[] | null | undefined, last: number): number | null {
  const number = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= last ? number : null;
}
