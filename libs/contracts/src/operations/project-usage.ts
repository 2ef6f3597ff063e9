import { z } from 'zod';
import { listOf, page } from '../list.js';
import { usd, whole } from '../quantities.js';
import { timestamp } from '../text.js';

/** What projects are sorted by, the largest first. The store has a figure for each. */
export const projectFigures = [
  'messages',
  'tokens_recorded',
  'contexts',
  'server_errors',
  'llm_tokens',
  'llm_cost_usd',
  'chat_tokens',
  'chat_cost_usd',
  'cost_usd',
  'threads',
  'output_bytes',
] as const;

export const projectUsageQuery = z.strictObject({
  from: timestamp.optional().describe('Default: 24 hours before `to`.'),
  to: timestamp.optional().describe('Default: now. A range has at most 31 days.'),
  sort: z
    .enum(projectFigures)
    .optional()
    .describe(
      'The figure that the list is sorted by, the largest first. `llm_tokens` and `chat_tokens` are input and output ' +
        'together, `cost_usd` is the sum of both costs. Default: messages.',
    ),
  ...page,
});

const cost = usd.nullable();

const projectUsage = z
  .object({
    id: z.uuid().describe('The project.'),
    name: z.string().describe('As the operator named it.'),
    suspended_at: timestamp
      .nullable()
      .describe('Since when its requests are refused; null while they are served.'),
    compaction_paused_at: timestamp
      .nullable()
      .describe('Since when the compaction of this project is paused; null while it is not.'),
    messages: whole.describe('Recorded messages; repeated ones are not counted again.'),
    tokens_recorded: whole.describe('Of these messages, outputs in full.'),
    contexts: whole.describe('Served to agents.'),
    server_errors: whole.describe('Requests answered with a 5xx.'),
    llm: z
      .object({
        attempts: whole.describe('Attempts with a model call.'),
        input_tokens: whole.describe('Tokens sent to the model.'),
        output_tokens: whole.describe('Tokens that the model wrote.'),
        cached_input_tokens: whole.describe("Of the input tokens, those read from the provider's cache."),
        cost_usd: cost.describe('Null when there were model calls and none had a price.'),
        unpriced_attempts: whole.describe('Whose model had no price: not in the cost.'),
      })
      .describe('Model calls for summaries, those of erased threads too.'),
    chat: z
      .object({
        turns: whole.describe("Calls of agents' models by /chat and the proxies."),
        input_tokens: whole.describe('Tokens sent to the model.'),
        output_tokens: whole.describe('Tokens that the model wrote.'),
        cached_input_tokens: whole.describe("Of the input tokens, those read from the provider's cache."),
        cost_usd: cost.describe('Null when there were turns and none had a price.'),
        unpriced_turns: whole.describe('Whose model had no price: not in the cost.'),
      })
      .describe("Calls of agents' models that went through the service."),
    threads: whole.describe('Threads of now, whatever the range.'),
    output_bytes: whole.describe('Bytes of the outputs that can be read now, whatever the range.'),
  })
  .meta({ id: 'ProjectUsage', description: 'What a project did in a range, and what it holds now.' });

export const projectUsageList = listOf(projectUsage, 'ProjectUsageItems')
  .extend({
    from: timestamp.describe('When the range begins: `from`, widened to a whole hour in UTC.'),
    to: timestamp.describe('When the range ends, widened as well.'),
  })
  .meta({ id: 'ProjectUsageList' });
