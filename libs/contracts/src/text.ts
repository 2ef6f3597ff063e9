import { z } from 'zod';

/**
 * Text that a Postgres text column can store unchanged. Postgres refuses NUL, and a lone surrogate would be replaced
 * silently, so both are refused. Message bodies are exempt: they are stored as escaped JSON.
 */
export const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((s) => !s.includes('\0') && s.isWellFormed(), 'must not contain NUL or lone surrogates');

/** A thread's system prompt, or its replacement. */
export const systemPrompt = plainText(2_000_000);

/** Maximum length of a URL in bytes. */
export const maxUrl = 8_192;

/** Names of models may contain slashes, as in `org/model`, but no control characters and no `.` or `..` segments. */
export const askedModel = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (name) => !/\p{C}/u.test(name) && !/(^|[/\\])\.\.?($|[/\\])/.test(name),
    'must be a name of a model, without control characters and without . or .. between slashes',
  );

/**
 * Ids are chosen by the client: 1-200 characters of A-Z a-z 0-9 . _ : - @
 *
 * Not `.` or `..`: most clients take these out of an address before they send it, `%2E` too.
 */
export const clientId = z
  .string()
  .regex(/^[A-Za-z0-9._:@-]{1,200}$/, 'must be 1-200 characters of A-Z a-z 0-9 . _ : - @')
  .refine((id) => id !== '.' && id !== '..', 'must not be . or .., which addresses cannot name');

/** Shows in the OpenAPI document what the text of a URL stands for, as clients send it. */
const documentedAs = (schema: object) => ({
  override: ({ jsonSchema }: { jsonSchema: object }): void => {
    const { description } = jsonSchema as { description?: string };
    for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, description === undefined ? {} : { description }, schema);
  },
});

/** An integer in a query string or a path, within a range. */
export const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().int().min(min, error).max(max, error))
    .meta(documentedAs({ type: 'integer', minimum: min, maximum: max }));
};

export const maxSeq = 2_147_483_647;
export const timestamp = z.iso.datetime();

/** A point in time in a query string, as a Date. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-11-21T08:00:00Z' })
  .transform((at) => new Date(at));

/** Clocks differ: a time may be this far ahead of ours. */
const maxAheadMs = 60_000;

/** When a caller says that something was written. Postgres cannot store every time that ISO 8601 can write. */
export const pastTime = z.iso
  // What is no time is neither too early nor too late.
  .datetime({ offset: true, abort: true, error: 'must be a time with an offset, like 2026-11-21T08:00:00Z' })
  .refine((at) => Date.parse(at) >= 0, 'must not be before 1970-01-01T00:00:00Z')
  .refine(
    (at) => Date.parse(at) <= Date.now() + maxAheadMs,
    'must not be more than a minute in the future, by the clock of the server',
  );

/** When something ends that begins now. */
export const futureTime = z.iso
  .datetime({ abort: true, error: 'must be a time like 2026-11-21T08:00:00Z' })
  .refine((at) => Date.parse(at) > Date.now(), 'must be in the future, by the clock of the server');

/** A boolean in a query string. */
export const trueOrFalse = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .meta(documentedAs({ type: 'boolean' }));

/** A ratio in a query string; 1 means all. */
export const share = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a share like 0.8')
  .transform(Number)
  .meta(documentedAs({ type: 'number', minimum: 0, exclusiveMaximum: 1000 }));
