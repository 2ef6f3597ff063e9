import { z } from 'zod';
import { listOf, page } from '../list.js';
import { maxSeq, plainText, timestamp, trueOrFalse, wholeNumber } from '../text.js';

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
    sha256: z.string().describe('Empty once the output was erased; its sizes are 0 then.'),
    pinned: z.boolean(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    deleted_at: timestamp.nullable(),
  })
  .meta({ id: 'Output' });

export const outputList = listOf(output, 'OutputList');
export const outputsQuery = z.strictObject({ ...page });

export const outputUploadQuery = z.strictObject({
  tool: plainText(200).optional().describe('The tool whose output this is.'),
  tool_call_id: plainText(4096)
    .optional()
    .describe('The call that it answers. If set, the message must answer that call.'),
});

export const outputUploaded = z
  .object({
    output: output.extend({ state: z.literal('staging') }),
    stub: z.string().describe('Post it, unchanged, as the content of the tool result.'),
  })
  .meta({ id: 'OutputUploaded' });

const maxTokens = wholeNumber(100, 20_000)
  .optional()
  .describe('Maximum tokens of the answer. Default: 2,000.');

/**
 * At most one of lines, line, head and tail. Without them and without path: the whole content, or the bytes of a Range
 * header.
 */
export const outputContentQuery = z.strictObject({
  lines: z
    .string()
    .regex(/^[1-9]\d{0,9}(-[1-9]\d{0,9})?$/, 'must be a line number or a range like 800-900')
    .optional(),
  line: wholeNumber(1, maxSeq).optional().describe('One line, by itself or with columns.'),
  columns: z
    .string()
    .regex(/^[1-9]\d{0,9}(-([1-9]\d{0,9})?)?$/, 'must be a column or a range like 1-2000 or 2001-')
    .optional()
    .describe('Characters of a line, from 1. With lines, the column of the first line to start at.'),
  head: wholeNumber(1, 10_000).optional(),
  tail: wholeNumber(1, 10_000).optional(),
  path: plainText(1000)
    .optional()
    .describe(
      'A JSONPath (RFC 9535). Each match is a line of JSON, and lines, columns and head then mean these lines; numbered ' +
        'shows the path of each. JSON lines are one array. No match is an empty answer.',
    ),
  max_tokens: maxTokens,
  numbered: trueOrFalse.optional().describe('Each line after its number and a tab.'),
});

export const outputExcerpt = z
  .object({
    text: z.string(),
    first_line: z.number().int().nullable(),
    last_line: z.number().int().nullable(),
    lines: z.number().int().describe('Lines of the output, or matches of the path.'),
    tokens: z.number().int(),
    next: z.string().nullable().describe('The query for the next part; null when everything was returned.'),
  })
  .meta({ id: 'OutputExcerpt' });

export const grepQuery = z.strictObject({
  pattern: plainText(512).refine((p) => p.length > 0, 'must not be empty'),
  ignore_case: trueOrFalse.optional(),
  context: wholeNumber(0, 20).optional(),
  limit: wholeNumber(1, 200).optional(),
  max_tokens: maxTokens,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,9}(\.\d{1,15}\.\d{1,15})?$/, 'must come from next_cursor')
    .refine((cursor) => Number(cursor.split('.')[0]) <= maxSeq, 'must come from next_cursor')
    .optional()
    .describe('Where to resume, from next_cursor: a line, or a position in a long one.'),
});

export const outline = z
  .object({
    kind: z.string(),
    items: z.array(z.object({ line: z.number().int(), depth: z.number().int(), label: z.string() })),
    truncated: z.boolean().describe('The output is longer than the part that an outline covers.'),
  })
  .meta({ id: 'Outline' });

const numbered = z.array(z.string());
export const grepResult = z
  .object({
    matches: z.array(
      z.object({
        line: z.number().int(),
        column: z.number().int().describe('The column of the match in the line, from 1.'),
        offset: z.number().int().describe('The byte offset of the match in the output.'),
        text: z.string().describe('The line, or the part around the match of a long one.'),
        before: numbered,
        after: numbered,
      }),
    ),
    truncated: z.boolean(),
    next_cursor: z.string().nullable(),
    scanned_lines: z.number().int(),
  })
  .meta({ id: 'GrepResult' });
