import { z } from 'zod';
import { listOf, page } from './list.js';
import { maxSeq, plainText, timestamp, wholeNumber } from './text.js';

export const output = z
  .object({
    id: z.string(),
    thread_id: z.string(),
    seq: z.number().int().nullable(),
    tool: z.string().nullable(),
    tool_call_id: z.string().nullable(),
    state: z.enum(['ready', 'expired', 'corrupt']),
    bytes: z.number().int(),
    lines: z.number().int(),
    tokens: z.number().int(),
    content_type: z.string(),
    kind: z.string(),
    sha256: z.string(),
    pinned: z.boolean(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    deleted_at: timestamp.nullable(),
  })
  .meta({ id: 'Output' });

export const outputList = listOf(output, 'OutputList');
export const outputsQuery = z.strictObject({ ...page });

/** At most one of lines, head and tail; none of them: the whole content, or the bytes a Range header names. */
export const outputContentQuery = z.strictObject({
  lines: z
    .string()
    .regex(/^[1-9]\d{0,9}(-[1-9]\d{0,9})?$/, 'must be a line number or a range like 800-900')
    .optional(),
  head: wholeNumber(1, 10_000).optional(),
  tail: wholeNumber(1, 10_000).optional(),
});

export const grepQuery = z.strictObject({
  pattern: plainText(512).refine((p) => p.length > 0, 'must not be empty'),
  ignore_case: z.enum(['true', 'false']).optional(),
  context: wholeNumber(0, 20).optional(),
  limit: wholeNumber(1, 200).optional(),
  cursor: wholeNumber(1, maxSeq).optional().describe('The line to go on from, as given by next_cursor.'),
});

export const outline = z
  .object({
    kind: z.string(),
    items: z.array(z.object({ line: z.number().int(), depth: z.number().int(), label: z.string() })),
    truncated: z.boolean().describe('The output is longer than what an outline is made of.'),
  })
  .meta({ id: 'Outline' });

const numbered = z.array(z.string());
export const grepResult = z
  .object({
    matches: z.array(
      z.object({ line: z.number().int(), text: z.string(), before: numbered, after: numbered }),
    ),
    truncated: z.boolean(),
    next_cursor: z.string().nullable(),
    scanned_lines: z.number().int(),
  })
  .meta({ id: 'GrepResult' });
