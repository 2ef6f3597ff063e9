/** Values looked at, evenly spread. */
const sampled = 500;

const patterns: readonly [type: string, pattern: RegExp][] = [
  ['int', /^[+-]?\d{1,18}$/],
  ['number', /^[+-]?(\d{1,18}(,\d{3})*)?\.?\d{1,18}(e[+-]?\d{1,3})?%?$/i],
  ['date', /^\d{4}[-/]\d{1,2}[-/]\d{1,2}([T ]\d{1,2}:\d{2}.{0,20})?$|^\d{1,2}[-/]\d{1,2}[-/]\d{4}$/],
  ['bool', /^(true|false|yes|no|t|f)$/i],
];

/** The narrowest type that nearly all values have, and the share of empty ones. */
export function columnType(values: readonly string[]): string {
  const step = Math.max(1, Math.floor(values.length / sampled));
  const taken = values.filter((_, i) => i % step === 0);
  const filled = taken.filter(
    (value) => value.trim() !== '' && !/^(null|na|n\/a|none|-)$/i.test(value.trim()),
  );
  const empty = taken.length === 0 ? 0 : 1 - filled.length / taken.length;
  const type = patterns.find(
    ([, pattern]) =>
      filled.length > 0 &&
      filled.filter((value) => pattern.test(value.trim())).length >= filled.length * 0.98,
  );
  const share = empty > 0.005 ? `, ${Math.round(100 * empty)} % empty` : '';
  return `(${type?.[0] ?? 'text'}${share})`;
}
