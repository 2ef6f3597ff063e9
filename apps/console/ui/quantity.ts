const whole = new Intl.NumberFormat('en-US');

/** 1,241 */
export const count = (n: number): string => whole.format(n);

/** 1,241 messages */
export const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** 842, 12.4k, 128k, 1.2M: for columns, where the exact number is one hover away. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) return `${trimmed(n / 1000)}k`;
  return `${trimmed(n / 1_000_000)}M`;
}

/** 512 B, 3.2 MB */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let size = n;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${trimmed(size)} ${units[unit] ?? 'B'}`;
}

/** 412 ms, 7.2 s, 1 min 30 s, 5 h 20 min, 2 d */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed(ms / 1000)} s`;
  if (ms < 3_600_000) return inTwo(Math.floor(ms / 1000), 60, ['min', 's']);
  if (ms < 172_800_000) return inTwo(Math.floor(ms / 60_000), 60, ['h', 'min']);
  return inTwo(Math.floor(ms / 3_600_000), 24, ['d', 'h']);
}

/** 412 ms, 7.2 s, 3 min, 5 h, 2 d: for ages, which change while they are read. */
export const roughDuration = (ms: number): string =>
  ms < 60_000 ? duration(ms) : (duration(ms).match(/^\d+ \w+/)?.[0] ?? duration(ms));

/** A quantity in two units, without the smaller one when it is 0. */
function inTwo(all: number, size: number, [large, small]: [string, string]): string {
  const rest = all % size;
  const whole = `${Math.floor(all / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

/** Whole percents, but more than nothing is never 0 % and less than all never 100 %. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 1) return '<1%';
  if (value > 99 && value < 100) return '>99%';
  return `${Math.round(value)}%`;
}

/** −42%, −99.7%: what a share that was saved made smaller, in tenths where whole percents would say all or nothing. */
export function decrease(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 1) return `−${Math.max(0.1, Math.floor(value * 10) / 10)}%`;
  if (value > 99 && value < 100) return `−${Math.floor(value * 10) / 10}%`;
  return `−${Math.round(value)}%`;
}

const trimmed = (n: number): string => (n < 99.95 ? n.toFixed(1).replace(/\.0$/, '') : n.toFixed(0));

/** $12.40, $0.0031: small amounts keep two significant digits. */
export function usd(amount: number): string {
  const size = Math.abs(amount);
  const digits = size === 0 || size >= 0.995 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(size)));
  return `${amount < 0 ? '−' : ''}$${size.toLocaleString('en-US', { minimumFractionDigits: Math.max(2, digits), maximumFractionDigits: Math.max(2, digits) })}`;
}
