import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * The text of a variable without white space at its ends, such as the line break that `echo` writes into a secret.
 * Undefined when nothing is left.
 */
const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() || undefined : value);

export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(trimmed, schema.optional());
export const text = (fallback: string) => z.preprocess(trimmed, z.string().default(fallback));

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: ({ input }) => `must be one of ${values.join(', ')}, and is "${String(input)}"` });

export const orDefault = <T extends z.ZodType>(schema: T, fallback: z.output<T>) =>
  z.preprocess((value) => trimmed(value) ?? fallback, schema);

/** A whole number in decimal digits. */
export const whole = (fallback: number, { min, max }: { min: number; max: number }) =>
  z.preprocess(trimmed, z.string().optional()).transform((given, context) => {
    if (given === undefined) return fallback;
    const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return number;
    const message = `must be a whole number from ${min} to ${max}, and is "${given}"`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const port = (fallback: number) => whole(fallback, { min: 0, max: 65_535 });

/** Postgres takes a number of milliseconds as an integer of 32 bits, and a longer timer of Node.js fires at once. */
const maxMs = 2_147_483_647;

export const milliseconds = (fallback: number, { min = 1, max = maxMs } = {}) =>
  whole(fallback, { min, max });

export const url = (protocol: RegExp, error: string) => z.url({ protocol, error });
export const httpUrl = url(/^https?$/, 'must be an http:// or https:// URL');

export const wordsOf = (list: string): string[] => list.split(/[\s,]+/).filter(Boolean);

function isNetwork(network: string): boolean {
  const [address = '', prefix] = network.split('/');
  const family = isIP(address);
  return (
    family > 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)))
  );
}

export const networks = text('').refine(
  (list) => wordsOf(list).every(isNetwork),
  'must be IP addresses or networks, as 10.0.0.0/8, with commas between',
);

/** Compared with the host of a URL, which has neither a scheme nor a port, and no brackets. */
const isHost = (host: string): boolean => isIP(host) > 0 || /^[^/:@[\]]+$/.test(host);

export const hosts = text('').refine(
  (list) => wordsOf(list).every(isHost),
  'must be names or addresses of hosts, as example.internal, without scheme and port and with commas between',
);

const minSecretLength = 32;
const minDistinct = 8;

/** What is wrong with a secret: it must be long, and not a few repeated characters. Null for a good one. */
export function weaknessOf(secret: string): string | null {
  if (secret.length < minSecretLength) {
    return `must have at least ${minSecretLength} characters and has ${secret.length}`;
  }
  const distinct = new Set(secret).size;
  return distinct < minDistinct
    ? `must be random: it has ${distinct} different characters, and needs at least ${minDistinct}`
    : null;
}

/** A secret that cannot be guessed. */
export const strongSecret = z.string().superRefine((secret, context) => {
  const weakness = weaknessOf(secret);
  if (weakness) context.addIssue({ code: 'custom', message: weakness });
});

const maxKeyLength = 200;

/** A secret that a client can send as `Authorization: Bearer`. */
export const strongKey = strongSecret.superRefine((key, context) => {
  const message = /[^\x21-\x7e]/.test(key)
    ? 'must have letters, digits and ASCII punctuation only: a header can carry no other characters'
    : key.length > maxKeyLength
      ? `must have at most ${maxKeyLength} characters and has ${key.length}`
      : null;
  if (message) context.addIssue({ code: 'custom', message });
});
