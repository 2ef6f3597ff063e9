import { z } from 'zod';
import { outputKindNames } from '../outputs/output-kinds.js';
import { position, whole } from '../quantities.js';

const nextCursor = z
  .string()
  .nullable()
  .describe('Sent as `cursor` with the same arguments, reads on. Null at the end.');
const complete = z.boolean().describe('The text is whole.');

/** Left out where there is none: a model pays for every field. */
const participant = z
  .string()
  .optional()
  .describe('Which of several people in the thread said it, where the message has a name.');

const found = {
  windows: z
    .array(z.object({ line: whole.describe('Its first line, from 1.'), text: z.string() }))
    .describe('The pieces that match best.'),
  complete: z.boolean().describe('The windows are the whole text.'),
};

const held = z.object({
  seqs: z.array(position).describe('The messages: one, its call and its results.'),
  kept_tokens: whole.describe('What all kept messages take.'),
  max_kept_tokens: whole.describe('What they may take together.'),
});

/** What the tools of `/mcp` answer as data, beside their text. Tools whose answer is a text alone have none. */
export const mcpAnswerSchemas = {
  grep_output: z.object({
    matches: z.array(
      z.object({
        line: whole.describe('Its number, from 1.'),
        text: z.string().describe('The line, or the part around the match of a long one.'),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
    next_cursor: nextCursor,
  }),
  outline_output: z.object({
    kind: z.string().describe(`${outputKindNames}.`),
    items: z.array(
      z.object({
        line: whole.describe('Where it begins, from 1.'),
        depth: whole.describe('0 is the outermost.'),
        label: z.string(),
      }),
    ),
    total_items: whole.describe('Of the whole outline.'),
    truncated: z.boolean().describe('The output is longer than the part that an outline covers.'),
    next_line: whole.nullable().describe('Sent as `from_line`, reads on. Null at the end.'),
  }),
  search_history: z.object({
    hits: z.array(
      z.object({
        seq: position.describe('The message; read_message reads it whole.'),
        role: z.string(),
        participant,
        output: z
          .object({ id: z.string(), line: whole })
          .nullable()
          .describe('The stored output that it was found in.'),
        ...found,
        pair: z
          .object({ seq: position, role: z.string(), ...found })
          .nullable()
          .describe('The call of a result, or the result of a call.'),
        followed_by: z
          .array(z.object({ seq: position, role: z.string(), participant, text: z.string() }))
          .describe('Short messages that were said soon after it, of the best hits.'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  get_context: z.object({
    summary: z
      .object({
        from_seq: position.nullable(),
        to_seq: position.nullable().describe('The last message that it stands for.'),
        text: z.string(),
        complete,
      })
      .nullable(),
    messages: z
      .array(
        z.object({
          seq: position.nullable().describe('Null for a note that is no message.'),
          role: z.string(),
          participant,
          text: z.string(),
          complete,
        }),
      )
      .describe('The newest that fit, in order.'),
    last_seq: whole.describe('The newest message.'),
    tokens: whole.describe('What the whole context takes.'),
    limit: whole.describe('What it may take.'),
    pending_calls: whole.describe('Calls that wait for a result.'),
    earlier_seq: position
      .nullable()
      .describe(
        'The message before those shown, for read_message. Null: the summary has it, or there is none.',
      ),
  }),
  keep: held,
  release: held,
  list_threads: z.object({
    threads: z.array(
      z.object({
        id: z.string(),
        messages: whole.describe('How many it has.'),
        generation: whole.describe('How often it was summarized.'),
        updated_at: z.iso.datetime().describe('When it was last used.'),
      }),
    ),
    next_cursor: nextCursor,
  }),
} as const;
