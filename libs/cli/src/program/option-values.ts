import { UsageError, type Values } from './command.js';

/** The text of an option, or undefined when it was not given. */
export const textOf = (options: Values, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of an option that may be given more than once; commas separate values too. */
export const textsOf = (options: Values, name: string): string[] =>
  [options[name] ?? []]
    .flat()
    .flatMap((value) => String(value).split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');

export const isSet = (options: Values, name: string): boolean => options[name] === true;

/** A whole number within bounds, or undefined when the option was not given. Throws `UsageError`. */
export function wholeNumberOf(
  options: Values,
  name: string,
  { min = 0, max = 2_147_483_647 }: { min?: number; max?: number } = {},
): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(
      `--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`,
    );
  return value;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * A time: RFC 3339, a day, or an age or a duration such as 30m, 12h, 7d, 2w, which counts from now in the given
 * direction. Undefined when the option was not given. Throws `UsageError`.
 */
export function timeOf(options: Values, name: string, direction: 'past' | 'future'): string | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const span = /^(\d{1,5})([mhdw])$/.exec(text);
  const sign = direction === 'past' ? -1 : 1;
  const at = span ? Date.now() + sign * Number(span[1]) * unitMs[span[2]!]! : timestampOf(text);
  if (Number.isNaN(at))
    throw new UsageError(
      `--${name} must be a time like 2026-11-21T08:00:00Z, a day like 2026-11-21 or a span like 7d, not ${JSON.stringify(text)}.`,
    );
  return new Date(at).toISOString();
}

/** A day begins at midnight in UTC. A time needs its offset: without one it would be another moment on each machine. */
function timestampOf(text: string): number {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i.exec(text) ?? [];
  const midnight = Date.parse(day ?? '');
  // To Date.parse the 31st of February is a day in March.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day!);
  return isDay ? Date.parse(text) : NaN;
}
