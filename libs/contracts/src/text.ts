import { z } from 'zod';

/**
 * Text that can live in a Postgres text column unchanged: NUL is refused by Postgres and a lone surrogate
 * would be replaced silently, so both are refused at the door. Message bodies are not bound by this: they are
 * stored as escaped JSON.
 */
export const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((s) => !s.includes('\0') && s.isWellFormed(), 'must not contain NUL or lone surrogates');

/** Ids are the client's: 1-200 characters of A-Z a-z 0-9 . _ : - @ */
export const clientId = z
  .string()
  .regex(/^[A-Za-z0-9._:@-]{1,200}$/, 'must be 1-200 characters of A-Z a-z 0-9 . _ : - @');

/** A whole number in a query string or a path, refused when it is not one in range. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));

export const maxSeq = 2_147_483_647;
export const timestamp = z.iso.datetime();
