import type { Reviver } from '@spillway/engine';

/**
 * Whether a text may contain numbers that JavaScript writes differently: more digits than a double has, an exponent, a
 * fraction that ends in 0, a small one such as 0.0000001, or -0. Documents without them are parsed faster.
 */
export const mayHoldOtherNumbers = (text: string): boolean =>
  /\d[\d.]{15}|[[:,\s]-?(?:\d+(?:\.\d+)?[eE]|\d+\.\d*0(?!\d)|0\.0{6})|-0(?![\d.])/.test(text);

/** Standard since ES2026 and in every supported Node.js, but not in the types yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (source: string) => unknown };

/** Remembers the source text of numbers that JavaScript would write differently, and writes them as they were. */
export class ExactNumbers {
  /** By list or object. Those of a list are a list, which is faster than a map. */
  private readonly sources = new Map<unknown, Record<string, string | undefined>>();

  readonly reviver: Reviver = (() => {
    const { sources } = this;
    return function (this: unknown, key, value, context) {
      const source = context?.source;
      if (typeof value === 'number' && source !== undefined && String(value) !== source) {
        let own = sources.get(this);
        if (!own) sources.set(this, (own = sourcesOf(this)));
        own[key] = source;
      }
      return value;
    };
  })();

  /** The JSON of a value that `holder` holds under `key`. */
  stringify(value: unknown, holder: unknown, key: string | number | undefined): string {
    const { sources } = this;
    if (sources.size === 0) return JSON.stringify(value);
    const own = key === undefined ? undefined : sources.get(holder)?.[key];
    if (own !== undefined) return own;
    return JSON.stringify(value, function (this: unknown, name: string, item: unknown) {
      const source = sources.get(this)?.[name];
      return source === undefined ? item : rawJSON(source);
    });
  }
}

const sourcesOf = (holder: unknown): Record<string, string | undefined> =>
  Array.isArray(holder)
    ? ([] as unknown as Record<string, string | undefined>)
    : (Object.create(null) as Record<string, string | undefined>);
