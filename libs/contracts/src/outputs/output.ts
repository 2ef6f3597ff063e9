import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { listOf } from '../list.js';
import { clientId, maxSeq, plainText, timestamp, trueOrFalse, wholeNumber } from '../text.js';
import { outputKindNames } from './output-kinds.js';

export const output = z
  .object({
    id: z.string().describe('As in its stub.'),
    thread_id: z
      .string()
      .describe(
        'The thread of its message; where forks share it, its owner or the thread whose outputs are listed.',
      ),
    seq: position.nullable().describe('Its message; null before that message is recorded.'),
    tool: z.string().nullable().describe('The tool whose result it is; null when unknown.'),
    tool_call_id: z.string().nullable().describe('The call that it answers; null when unknown.'),
    state: z
      .enum(['ready', 'expired', 'corrupt'])
      .describe('ready: can be read; expired: removed; corrupt: the bytes do not match their checksum.'),
    bytes: whole.describe('Size as posted.'),
    lines: whole.describe('Number of lines.'),
    tokens: whole.describe('Tokens of the whole output.'),
    content_type: z.string().describe('Media type, by what it holds.'),
    kind: z.string().describe(`What it holds: ${outputKindNames}.`),
    sha256: z.string().describe('Empty once the output was erased; its sizes are 0 then.'),
    pinned: z.boolean().describe('Neither its age nor the budget removes it.'),
    created_at: timestamp.describe('When it was stored.'),
    expires_at: timestamp.nullable().describe('When a sweep removes it; null when it is pinned or gone.'),
    deleted_at: timestamp.nullable().describe('When it became unreadable; null while it can be read.'),
  })
  .meta({ id: 'Output', description: 'A tool result that was offloaded to storage, without its content.' });

export const outputList = listOf(output, 'OutputList');
export const holdQuery = z.strictObject({
  thread: clientId
    .optional()
    .describe('The thread that it is meant for, when a fork shares the output. Default: its owner.'),
});

export const outputUploadQuery = z.strictObject({
  tool: plainText(200).optional().describe('The tool whose output this is.'),
  tool_call_id: plainText(4096)
    .optional()
    .describe('The call that it answers. If set, the message must answer that call.'),
});

export const outputUploaded = z
  .object({
    output: output
      .extend({
        state: z.literal('staging').describe('Not readable until its message is recorded.'),
      })
      .describe('What was stored.'),
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
    .optional()
    .describe('A line, or a range of lines like 800-900, from 1.'),
  line: wholeNumber(1, maxSeq).optional().describe('One line, by itself or with columns.'),
  columns: z
    .string()
    .regex(/^[1-9]\d{0,9}(-([1-9]\d{0,9})?)?$/, 'must be a column or a range like 1-2000 or 2001-')
    .optional()
    .describe('Characters of a line, from 1. With lines, the column of the first line to start at.'),
  head: wholeNumber(1, 10_000).optional().describe('The first lines: this many.'),
  tail: wholeNumber(1, 10_000).optional().describe('The last lines: this many.'),
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
    text: z.string().describe('The lines, or the matches of the path.'),
    first_line: whole.nullable().describe('The first line shown, from 1; null when there is none.'),
    last_line: whole.nullable().describe('The last line shown; null when there is none.'),
    lines: whole.describe('Lines of the output, or matches of the path.'),
    tokens: whole.describe('Tokens of `text`.'),
    next: z.string().nullable().describe('The query for the next part; null when everything was returned.'),
  })
  .meta({ id: 'OutputExcerpt' });

export const grepQuery = z.strictObject({
  pattern: plainText(512)
    .refine((p) => p.length > 0, 'must not be empty')
    .describe('A regular expression in RE2 syntax, matched in each line.'),
  ignore_case: trueOrFalse.optional().describe('Case does not matter. Default: false.'),
  context: wholeNumber(0, 20).optional().describe('Lines shown before and after each match. Default: 0.'),
  limit: wholeNumber(1, 200).optional().describe('Matches of a page at most. Default: 50.'),
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
    kind: z.string().describe(`What it holds: ${outputKindNames}.`),
    items: z
      .array(
        z.object({
          line: whole.describe('Where it begins, from 1; also 1 when that is unknown.'),
          depth: whole.describe('Its level; 0 is the outermost.'),
          label: z.string().describe('A name, a path, a heading or a line.'),
        }),
      )
      .describe('In the order of the output.'),
    truncated: z.boolean().describe('The output is longer than the part that an outline covers.'),
  })
  .meta({ id: 'Outline' });

const numbered = z.array(z.string());
export const grepResult = z
  .object({
    matches: z
      .array(
        z.object({
          line: whole.describe('Its number, from 1.'),
          column: whole.describe('The column of the match in the line, from 1.'),
          offset: whole.describe('The byte offset of the match in the output.'),
          text: z.string().describe('The line, or the part around the match of a long one.'),
          before: numbered.describe('Lines before it, as asked for with `context`.'),
          after: numbered.describe('Lines after it.'),
        }),
      )
      .describe('In the order of the output.'),
    truncated: z.boolean().describe('The output goes on at next_cursor, or a line was shown in part.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Sent as `cursor`, resumes the search. Null when the output was searched to its end.'),
    scanned_lines: whole.describe('Lines that this request looked at.'),
  })
  .meta({ id: 'GrepResult' });
