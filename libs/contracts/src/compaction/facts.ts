import { z } from 'zod';
import { position, whole } from '../quantities.js';
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
  kind: factKind.optional().describe('Only facts of this kind.'),
  state: factState.optional().describe('Only facts in this state.'),
});

const fact = z.object({
  kind: factKind.describe('What the value is.'),
  text: z.string().describe('As in the thread, on one line.'),
  seqs: z.array(position).describe('The first messages that contain it.'),
  count: whole.describe('Number of messages that contain it.'),
  last_seq: position.describe('The newest message that contains it.'),
  state: factState,
});

const statement = z.object({
  field: z.string().describe('The field of the summary that it stands in.'),
  start: whole.describe('Where it starts in the field, in UTF-16 units.'),
  text: z.string().describe('An item of a list, else a sentence, as the field has it.'),
  basis: z
    .enum(['cited', 'matched', 'none', 'unclear'])
    .describe(
      'cited: it names the messages itself; matched: they share its identifiers and rare words; none: it has a value that no message holds, and no message is close; unclear: it has no value to check, and its words lead to no message.',
    ),
  seqs: z.array(position).describe('The messages that it comes from.'),
  missing: z
    .array(z.string())
    .describe(
      'Its identifiers, numbers of two digits or more and names that no message of 1..to_seq holds: probably made up. Outputs are looked at as their stubs.',
    ),
});

const states = z.object({
  kept: whole.describe("In the summary's text."),
  carried: whole.describe('In a message beside the summary.'),
  dropped: whole.describe('No longer seen by a model.'),
});

/** The state of the facts in the messages that a generation covers. */
export const summaryFacts = z
  .object({
    generation: position.describe('The checked generation.'),
    created_at: timestamp.describe('When it was made.'),
    from_seq: position.describe('The first message of its fold.'),
    to_seq: position.describe('The last message that it stands for.'),
    counts: z.record(z.string(), states).describe('By kind, of the whole range, whatever the filter is.'),
    total: states.describe('Over all kinds.'),
    forgotten: whole.describe('The lightest facts of a very long range are left out; this many.'),
    data: z.array(fact).describe('By weight: used most and newest first.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Sent as `cursor`, returns the next page of facts. Null on the last one.'),
    statements: z
      .array(statement)
      .nullable()
      .describe('Where each statement of the summary comes from; with the first page only.'),
  })
  .meta({ id: 'SummaryFacts' });
