import { z } from 'zod';
import { wholeNumber } from './text.js';

/** Every list answers {data, next_cursor}; a null cursor marks the last page. */
export const listOf = <T extends z.ZodType>(item: T, id: string) =>
  z
    .object({
      data: z.array(item).describe('This page.'),
      next_cursor: z
        .string()
        .nullable()
        .describe('Sent as `cursor`, returns the next page. Null on the last one.'),
    })
    .meta({ id });

export const page = {
  limit: wholeNumber(1, 1000)
    .optional()
    .describe('Items of a page at most. The default is 50 or 100, as the operation says.'),
  cursor: z
    .string()
    .max(512)
    .optional()
    .describe('`next_cursor` of the page before. Left out: the first page.'),
};

/** Parameters of a list that is read page by page. */
export const pagedList = z.strictObject({ ...page });

/** Parameters of lists that are short enough for one page. */
export const wholeList = z.strictObject({
  limit: page.limit.describe('Items of a page at most. Left out: all.'),
  cursor: page.cursor,
});

/** Parameters of a list that may be longer than one page, and is mostly not. */
export const longList = z.strictObject({
  limit: page.limit.describe('Items of a page at most. Left out: 1,000.'),
  cursor: page.cursor,
});
