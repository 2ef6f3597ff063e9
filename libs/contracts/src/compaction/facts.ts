import { z } from 'zod';
import { page } from '../list.js';
import { timestamp } from '../text.js';

export const factKind = z.enum([
  'constraint',
  'path',
  'id',
  'url',
  'email',
  'error',
  'command',
  'number',
  'output',
]);
export const factState = z
  .enum(['kept', 'carried', 'dropped'])
  .describe(
    "kept: the summary's text contains it literally; carried: a message with it is in the context beside the summary; dropped: a model no longer sees it.",
  );

export const factsQuery = z.strictObject({
  ...page,
  range: z
    .enum(['chain', 'own'])
    .optional()
    .describe(
      'chain (the default): all messages 1..to_seq, with earlier generations; own: facts in from_seq..to_seq only.',
    ),
  kind: factKind.optional(),
  state: factState.optional(),
});

const fact = z.object({
  kind: factKind,
  text: z.string().describe('As in the thread, on one line.'),
  seqs: z.array(z.number().int()).describe('The first messages that contain it.'),
  count: z.number().int().describe('Number of messages that contain it.'),
  last_seq: z.number().int(),
  state: factState,
});

const statement = z.object({
  field: z.string(),
  start: z.number().int().describe('Where it starts in the field, in UTF-16 units.'),
  text: z.string().describe('An item of a list, else a sentence, as the field has it.'),
  basis: z
    .enum(['cited', 'matched', 'none', 'unclear'])
    .describe(
      'cited: it names the messages itself; matched: they share its identifiers and rare words; none: it has a value that no message holds, and no message is close; unclear: it has no value to check, and its words lead to no message.',
    ),
  seqs: z.array(z.number().int()),
  missing: z
    .array(z.string())
    .describe(
      'Its identifiers, numbers of two digits or more and names that no message of 1..to_seq holds: probably made up. Outputs are looked at as their stubs.',
    ),
});

const states = z.object({
  kept: z.number().int(),
  carried: z.number().int(),
  dropped: z.number().int(),
});

/** The state of the facts in the messages that a generation covers. */
export const summaryFacts = z
  .object({
    generation: z.number().int(),
    created_at: timestamp,
    from_seq: z.number().int(),
    to_seq: z.number().int(),
    counts: z.record(z.string(), states).describe('By kind, of the whole range, whatever the filter is.'),
    total: states,
    forgotten: z.number().int().describe('The lightest facts of a very long range are left out; this many.'),
    data: z.array(fact).describe('By weight: used most and newest first.'),
    next_cursor: z.string().nullable(),
    statements: z
      .array(statement)
      .nullable()
      .describe('Where each statement of the summary comes from; with the first page only.'),
  })
  .meta({ id: 'SummaryFacts' });
