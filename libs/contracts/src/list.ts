import { z } from 'zod';
import { wholeNumber } from './text.js';

/** Every list answers {data, next_cursor}; a null cursor marks the last page. */
export const listOf = <T extends z.ZodType>(item: T, id: string) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() }).meta({ id });

export const page = {
  limit: wholeNumber(1, 1000).optional(),
  cursor: z.string().max(512).optional(),
};
