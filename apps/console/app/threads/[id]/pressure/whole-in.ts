/** A whole number from 1 to `last` out of an address; null for anything else that stands there. */
export function wholeIn(text: string | string[] | null | undefined, last: number): number | null {
  const number = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= last ? number : null;
}
