import { bytes, count, duration } from '@/ui/quantity';

/** A value of a policy in a few characters. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return Number.isInteger(value) ? count(value) : String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** `30 d`, `10.7 GB`: large numbers of milliseconds or bytes in readable units. */
export function inWords(key: string, value: unknown): string | null {
  if (typeof value !== 'number') return null;
  if (key.endsWith('_ms')) return duration(value);
  return key.endsWith('_bytes') ? bytes(value) : null;
}

/** Sources in words. */
export const sourceLabel = (source: string): string =>
  source.startsWith('preset:') ? `preset ${source.slice('preset:'.length)}` : source;
