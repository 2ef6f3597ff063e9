import { z } from 'zod';

const lostValue = {
  value: z.string().describe('Letter by letter.'),
  label: z.string().describe('What the message says it is, such as order_id; may be empty.'),
  seq: z.number().int().describe('The newest summarized message that says it.'),
};

/** What a summary kept of the messages that it replaced, measured by code. */
export const summaryFidelity = z
  .object({
    score: z
      .number()
      .describe(
        'The smaller share of instructions and facts kept; summary.min_fidelity is compared with it.',
      ),
    instructions_kept: z.number().int().describe('Standing instructions that the summary says verbatim.'),
    instructions_total: z
      .number()
      .int()
      .describe('Those that held at the fold and that no message beside the summary says.'),
    facts_kept: z
      .number()
      .int()
      .describe('Of the facts, those that the summary or a message beside it says.'),
    facts_total: z
      .number()
      .int()
      .describe(
        'Identifiers, paths and long numbers that somebody wrote or passed to a tool in the messages of this fold. What a tool only listed is not counted.',
      ),
    needs: z
      .number()
      .int()
      .nullable()
      .describe(
        'Identifiers that the agent used in the first 60 messages after the fold and had from summarized messages. Null in a list until the next fold, and for a summary that is not in place.',
      ),
    need_recall: z
      .number()
      .nullable()
      .describe('The share of these that the summary says. Null without any.'),
    needs_through_seq: z.number().int().nullable().describe('The last message that was looked at for needs.'),
    lost: z
      .object({
        instructions: z.array(z.object({ id: z.string(), seq: z.number().int(), text: z.string() })),
        facts: z.array(z.object(lostValue)),
        needs: z.array(
          z.object({ ...lostValue, used_seq: z.number().int().describe('Where the agent used it first.') }),
        ),
      })
      .optional()
      .describe('At most 50 of each. Where one summary is read.'),
  })
  .meta({ id: 'SummaryFidelity' });
