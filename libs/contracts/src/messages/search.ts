import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { listOf } from '../list.js';
import { outputKinds } from '../outputs/output-kinds.js';
import { maxSeq, plainText, wholeNumber } from '../text.js';

export const searchQuery = z
  .strictObject({
    q: plainText(1000)
      .refine((q) => q.trim() !== '', 'must not be empty')
      .describe('Words in any order, a question, "phrases" in quotes, identifiers as they are.'),
    role: z
      .enum(['system', 'developer', 'user', 'assistant', 'tool'])
      .optional()
      .describe('Only messages of this role. Tool results are `tool`.'),
    tool: plainText(200)
      .min(1)
      .optional()
      .describe('Only calls of the tool with this name, and their results.'),
    kind: z.enum(outputKinds).optional().describe('Only tool results that hold this, offloaded or not.'),
    from_seq: wholeNumber(1, maxSeq).optional().describe('Only messages from this seq on.'),
    to_seq: wholeNumber(1, maxSeq).optional().describe('Only messages up to this seq.'),
    limit: wholeNumber(1, 100).optional().describe('Default: 20.'),
    max_tokens: wholeNumber(100, 20_000)
      .optional()
      .describe(
        'Tokens of all windows of the answer. The best hits get the most; beyond it each hit still has about 60. ' +
          'Default: a quarter of what a context of the thread may have, at most 4,000.',
      ),
    cursor: z.string().max(1_024).optional().describe('`next_cursor` of the page before.'),
  })
  .refine(({ from_seq, to_seq }) => from_seq === undefined || to_seq === undefined || from_seq <= to_seq, {
    path: ['from_seq'],
    message: 'must not be larger than to_seq',
  });

const textWindow = z.object({
  line: whole.describe('Its first line in the message or the output, from 1.'),
  text: z.string().describe('Verbatim.'),
});

const shown = {
  windows: z
    .array(textWindow)
    .describe('The whole text when it is short; else the pieces with the most of what was searched for.'),
  complete: z.boolean().describe('The windows are the whole text of the message.'),
};

const participant = z
  .string()
  .nullable()
  .describe('Which of several people in the thread said it, where the message has a `name`.');

export const searchHit = z
  .object({
    seq: position.describe('The message.'),
    role: z.string().describe('Its role; tool results are `tool`.'),
    participant,
    match: z
      .enum(['all', 'any'])
      .describe(
        'all: it has all words, within 2,000 characters. any: some of them, or far from each other; such hits are ' +
          'listed when nothing matches all words, and after those that do when the query is a question.',
      ),
    snippet: z.string().describe('The best match on one line.'),
    ...shown,
    pair: z
      .object({
        seq: position.describe('The other message.'),
        role: z.string().describe('Its role.'),
        ...shown,
      })
      .nullable()
      .describe('The call of a result, or the result of a call.'),
    followed_by: z
      .array(
        z.object({
          seq: position.describe('The message.'),
          role: z.enum(['user', 'assistant']).describe('Who said it.'),
          participant,
          text: z.string().describe('All that it says.'),
        }),
      )
      .describe(
        'Of the two best hits: short messages among the eight that follow, where the answer to a question often stands. ' +
          'Never rewound ones, and none after `to_seq`.',
      ),
    covered_by: position
      .nullable()
      .describe('The generation that summarizes the message; null while it is in the context verbatim.'),
    output: z
      .object({
        id: z.string().describe('The output.'),
        line: whole.describe('Its line with the match, from 1.'),
        column: whole.describe('The column of the match in that line, from 1.'),
      })
      .nullable()
      .describe('The offloaded output it was found in.'),
  })
  .meta({ id: 'SearchHit' });

export const searchHits = listOf(searchHit, 'SearchHitList').extend({
  truncated: z
    .boolean()
    .describe(
      'True when older messages were not searched yet, where next_cursor goes on, or when an output is too large to be searched to its end, where grep does.',
    ),
});
