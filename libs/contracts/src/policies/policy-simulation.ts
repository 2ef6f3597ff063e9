import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { policyBudget } from './policy-answers.js';
import { policyInput } from './policy.js';
import { clientId } from '../text.js';

export const policySimulate = z
  .strictObject({
    thread_id: clientId.describe('The thread whose messages are replayed.'),
    policy: policyInput.describe('The draft.'),
    level: z
      .enum(['project', 'thread'])
      .optional()
      .describe("The policy that the draft replaces: the project's (default) or the thread's."),
  })
  .meta({ id: 'PolicySimulate' });

const seq = position;
const tokens = whole;

const run = z
  .object({
    budget: policyBudget,
    compactions: z
      .array(
        z.object({
          at_seq: seq.describe('The newest message when it became due.'),
          from_seq: seq.describe('The first summarized message.'),
          to_seq: seq.describe('The last summarized message.'),
          tokens_before: tokens.describe('Live tokens before it.'),
          tokens_after: tokens.describe('Live tokens after it.'),
        }),
      )
      .describe('Each one that would have happened, in order.'),
    peak_tokens: tokens.describe('Maximum of live tokens.'),
    peak_fill: z.number().min(0).describe('The same as a share of the context window.'),
    contexts: whole.describe('Contexts read: one before each message of the assistant.'),
    tokens_sent: tokens.describe('Tokens of all these contexts.'),
    over_limit: whole.describe('Contexts that left messages out because live tokens exceeded the limit.'),
    stuck: whole.describe('Checks with nothing to compact after which the thread is parked until it grows.'),
    fill: z
      .array(
        z.object({
          seq: seq.describe('The last message of the range.'),
          tokens: tokens.describe('The maximum of live tokens in it.'),
        }),
      )
      .describe('Live tokens over the thread: the maximum of each of up to 400 ranges of seqs.'),
  })
  .meta({ id: 'SimulatedRun', description: 'What a policy would have done with the thread.' });

export const policySimulation = z
  .object({
    thread_id: z.string().describe('The replayed thread.'),
    messages: whole.describe('Messages of the thread.'),
    replayed: whole.describe('How many of them were replayed, from the first.'),
    current: run,
    draft: run,
    sent_ratio: z
      .number()
      .min(0)
      .nullable()
      .describe(
        'What the draft sends, as a share of what the current policy sends; null when that is nothing.',
      ),
    not_simulated: z
      .array(z.string())
      .describe('Keys that the draft changes and the simulation does not cover.'),
    assumptions: z.array(z.string()).describe('What the simulation takes for granted, in sentences.'),
  })
  .meta({ id: 'PolicySimulation' });
