import { z } from 'zod';
import { policyBudget, policyInput } from './policy.js';
import { clientId } from '../text.js';

export const policySimulate = z
  .strictObject({
    thread_id: clientId,
    policy: policyInput.describe('The draft.'),
    level: z
      .enum(['project', 'thread'])
      .optional()
      .describe("The policy that the draft replaces: the project's (default) or the thread's."),
  })
  .meta({ id: 'PolicySimulate' });

const seq = z.number().int();
const tokens = z.number().int();

const run = z
  .object({
    budget: policyBudget,
    compactions: z.array(
      z.object({
        at_seq: seq.describe('The newest message when it became due.'),
        from_seq: seq,
        to_seq: seq,
        tokens_before: tokens,
        tokens_after: tokens,
      }),
    ),
    peak_tokens: tokens.describe('Maximum of live tokens.'),
    peak_fill: z.number().describe('The same as a share of the context window.'),
    contexts: z.number().int().describe('Contexts read: one before each message of the assistant.'),
    tokens_sent: tokens.describe('Tokens of all these contexts.'),
    over_limit: z
      .number()
      .int()
      .describe('Contexts that left messages out because live tokens exceeded the limit.'),
    stuck: z
      .number()
      .int()
      .describe('Checks with nothing to compact: the thread is then parked until it grows.'),
    fill: z
      .array(z.object({ seq, tokens }))
      .describe('Live tokens over the thread: the maximum of each of up to 400 ranges of seqs.'),
  })
  .meta({ id: 'SimulatedRun' });

export const policySimulation = z
  .object({
    thread_id: z.string(),
    messages: z.number().int().describe('Messages of the thread.'),
    replayed: z.number().int().describe('How many of them were replayed, from the first.'),
    current: run,
    draft: run,
    sent_ratio: z
      .number()
      .nullable()
      .describe(
        'What the draft sends, as a share of what the current policy sends; null when that is nothing.',
      ),
    not_simulated: z
      .array(z.string())
      .describe('Keys that the draft changes and the simulation does not cover.'),
    assumptions: z.array(z.string()),
  })
  .meta({ id: 'PolicySimulation' });
