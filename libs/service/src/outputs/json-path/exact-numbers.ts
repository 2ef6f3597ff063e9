import type { Reviver } from '@spillway/engine';

/** Whether a text may contain numbers that a double cannot hold: more than fifteen digits, or a large exponent. */
export const mayHoldLongNumbers = (text: string): boolean => /\d[\d.]{15}|\d[eE][+-]?\d{3}/.test(text);

/** Standard since ES2026 and in every supported Node.js, but not in the types yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (source: string) => unknown };

/** Remembers the source text of numbers that a double would change, and writes them unchanged. */
export class ExactNumbers {
  private readonly sources = new Map<unknown, Map<string, string>>();

  readonly reviver: Reviver = (() => {
    const { sources } = this;
    return function (this: unknown, key, value, context) {
      const source = context?.source;
      if (typeof value === 'number' && source !== undefined && !isExact(value, source)) {
        let own = sources.get(this);
        if (!own) sources.set(this, (own = new Map<string, string>()));
        own.set(key, source);
      }
      return value;
    };
  })();

  /** The JSON of a value that `holder` holds under `key`. */
  stringify(value: unknown, holder: unknown, key: string | number | undefined): string {
    const { sources } = this;
    if (sources.size === 0) return JSON.stringify(value);
    const own = key === undefined ? undefined : sources.get(holder)?.get(String(key));
    if (own !== undefined) return own;
    return JSON.stringify(value, function (this: unknown, name: string, item: unknown) {
      const source = sources.get(this)?.get(name);
      return source === undefined ? item : rawJSON(source);
    });
  }
}

/** Whether the double has the digits of the source text. Leading and trailing zeros do not count. */
function isExact(value: number, source: string): boolean {
  return digitsOf(String(value)) === digitsOf(source);
}

const digitsOf = (number: string): string =>
  number
    .split(/e/i)[0]!
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
