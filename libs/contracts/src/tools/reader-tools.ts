import { z } from 'zod';
import { messageFormat } from '../formats/message-format.js';
import { maxSeq, plainText } from '../text.js';

/** Models write numbers as text, too. */
export const wholeOf = (max: number) => z.coerce.number().int().min(1).max(max);

export const outputIdArgument = z
  .string()
  .regex(/^out_[0-9a-f]{32}$/, 'must be the id of an output, as in its stub');
const lines = z
  .string()
  .regex(/^[1-9]\d{0,9}(-[1-9]\d{0,9})?$/, 'must be a line or a range like 800-900')
  .describe('A range like 800-900.');
const columns = z
  .string()
  .regex(/^[1-9]\d{0,9}(-([1-9]\d{0,9})?)?$/, 'must be a range like 1-2000 or 2001-')
  .describe('Of one long line: characters like 1-2000.');
const cursor = z.string().max(1_024).describe('To go on: from the end of the last answer.');

/** What each reader tool does, and its arguments. Short, because every model call sends them. */
export const readerToolSchemas = {
  read_output: {
    description: 'Reads a stored tool output by lines, or a JSON one by path. Its stub has the id.',
    arguments: z.strictObject({
      id: outputIdArgument,
      lines: lines.optional(),
      columns: columns.optional(),
      tail: wholeOf(10_000).optional().describe('The last lines.'),
      path: plainText(1000).optional().describe('JSONPath like $.rows[0].'),
    }),
  },
  grep_output: {
    description: 'Finds the lines of a stored tool output that match a regular expression (RE2).',
    arguments: z.strictObject({
      id: outputIdArgument,
      pattern: plainText(512).min(1),
      ignore_case: z.boolean().optional(),
      context: z.coerce.number().int().min(0).max(20).optional().describe('Lines around each match.'),
      cursor: cursor.optional(),
    }),
  },
  outline_output: {
    description: 'Lists what a stored tool output holds, with lines: symbols, schema, errors, headings.',
    arguments: z.strictObject({
      id: outputIdArgument,
      from_line: wholeOf(maxSeq).optional(),
    }),
  },
  search_history: {
    description: 'Searches all earlier messages of this conversation and its stored outputs.',
    arguments: z.strictObject({
      q: plainText(1000).min(1).describe('Words, a question, or "a phrase".'),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
      tool: plainText(200).min(1).optional().describe('Only calls and results of this tool.'),
      cursor: cursor.optional(),
    }),
  },
  read_message: {
    description: 'Reads an earlier message by its number.',
    arguments: z.strictObject({
      seq: wholeOf(maxSeq),
      lines: lines.optional(),
      columns: columns.optional(),
    }),
  },
} as const;

export const toolsQuery = z.strictObject({
  format: messageFormat
    .optional()
    .describe("The form of the tools. Default: the thread's format, or openai."),
});

export const toolList = z
  .object({
    format: messageFormat.describe('The format of `tools`.'),
    tools: z.array(z.looseObject({})).describe('To be sent in `tools` of the model call, beside your own.'),
    names: z
      .record(z.string(), z.string())
      .describe('The name of each tool for the model, by ours; see outputs.tool_names of the policy.'),
    tokens: z.number().int().min(0).describe('What they take in each model call.'),
  })
  .meta({ id: 'ToolList' });

export const toolCall = z
  .strictObject({
    arguments: z
      .union([z.record(z.string(), z.unknown()), z.string().max(20_000)])
      .describe('As the model gave them: an object, or its JSON.'),
    max_tokens: z
      .number()
      .int()
      .min(100)
      .max(20_000)
      .optional()
      .describe('Maximum tokens of the answer. Default: a quarter of a context, at most 2,000.'),
  })
  .meta({ id: 'ToolCall' });

export const toolResult = z
  .object({
    name: z.string().describe('Our name of the tool.'),
    text: z.string().describe("For the model: post it as the call's result."),
    is_error: z.boolean().describe('The model has to change its call: `text` says how.'),
    tokens: z.number().int().min(0).max(20_000).describe('Tokens of `text`.'),
  })
  .meta({ id: 'ToolResult' });
