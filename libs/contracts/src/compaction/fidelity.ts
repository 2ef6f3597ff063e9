import { z } from 'zod';
import { position, ratio, whole } from '../quantities.js';

const lostValue = {
  value: z.string().describe('Letter by letter.'),
  label: z.string().describe('What the message says it is, such as order_id; may be empty.'),
  seq: position.describe('The newest summarized message that says it.'),
};

/** What a summary kept of the messages that it replaced, measured by code. */
export const summaryFidelity = z
  .object({
    score: ratio.describe(
      'The smaller share of instructions and facts kept; summary.min_fidelity is compared with it.',
    ),
    instructions_kept: whole.describe('Standing instructions that the summary says verbatim.'),
    instructions_total: whole.describe(
      'Those that held at the fold and that no message beside the summary says.',
    ),
    facts_kept: whole.describe('Of the facts, those that the summary or a message beside it says.'),
    facts_total: whole.describe(
      'Identifiers, paths and long numbers that somebody wrote or passed to a tool in the messages of this fold. What a tool only listed is not counted.',
    ),
    needs: whole
      .nullable()
      .describe(
        'Identifiers that the agent used in the first 60 messages after the fold and had from summarized messages. Null in a list until the next fold, and for a summary that is not in place.',
      ),
    need_recall: ratio.nullable().describe('The share of these that the summary says. Null without any.'),
    needs_through_seq: position.nullable().describe('The last message that was looked at for needs.'),
    lost: z
      .object({
        instructions: z
          .array(
            z.object({
              id: z.string().describe('As in the list of instructions.'),
              seq: position.describe('The message that says it.'),
              text: z.string().describe('Verbatim.'),
            }),
          )
          .describe('Standing instructions that the summary does not say.'),
        facts: z
          .array(z.object(lostValue))
          .describe('Facts that neither the summary nor a message beside it says.'),
        needs: z
          .array(z.object({ ...lostValue, used_seq: position.describe('Where the agent used it first.') }))
          .describe('Identifiers that the agent used after the fold and the summary does not say.'),
      })
      .optional()
      .describe('At most 50 of each. Where one summary is read.'),
  })
  .meta({ id: 'SummaryFidelity' });
