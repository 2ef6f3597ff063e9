import { z } from 'zod';
import { maxSeq } from './text.js';

/** A number of things, of tokens, bytes or milliseconds. Never negative. */
export const whole = z.number().int().min(0);

/** A budget of tokens for a day in UTC; null: any number. */
export const tokensPerDay = whole.max(1_000_000_000_000).nullable();

/** A difference of two counts: negative when the second is the larger one. */
export const difference = z.number().int();

/** A message or a generation by its number, or 0 for none. */
export const position = whole.max(maxSeq);

/** A part of a whole: 1 is all of it. */
export const ratio = z.number().min(0).max(1);

/** A cost in US dollars. */
export const usd = z.number().min(0);
