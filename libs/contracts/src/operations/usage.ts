import { z } from 'zod';
import { difference, usd, whole } from '../quantities.js';
import { timestamp } from '../text.js';

const money = usd.nullable();
const signedMoney = z.number().nullable();

export const usageQuery = z.strictObject({
  from: timestamp.optional().describe('Default: 24 hours, or 30 days, before `to`.'),
  to: timestamp.optional().describe('Default: now.'),
  bucket: z.enum(['hour', 'day']).optional().describe('In UTC. Default: hour.'),
});

const numbers = {
  messages: whole.describe('Recorded messages; repeated ones are not counted again.'),
  tokens_recorded: whole.describe('Of these messages, outputs in full.'),
  contexts: whole.describe('Served to agents; views in the console are not counted.'),
  contexts_degraded: whole.describe('Messages were left out or shortened to stay within budget.'),
  contexts_over_window: whole.describe('Contexts whose full history no longer fits the window.'),
  tokens_sent: whole.describe('Of the contexts served.'),
  tokens_full: whole.describe(
    'Tokens of the full histories instead: every message in full, with system prompt and tools. A history counts up to its window, because more could not have been sent.',
  ),
  tokens_saved: difference.describe(
    'tokens_full - tokens_sent, what a degraded context left out or cut included.',
  ),
  server_errors: whole.describe('Requests answered with a 5xx.'),
  compactions: z
    .object({
      ok: whole.describe('Attempts that put a summary in place.'),
      failed: whole.describe('failed, parked or lost'),
      other: whole.describe('Nothing to compact, overtaken by another change, released at a shutdown.'),
      failed_by_reason: z.record(z.string(), whole).describe('The failed ones, by reason.'),
      median_ms: whole.nullable().describe('Of those that succeeded.'),
      longest_ms: whole.nullable().describe('Of those that succeeded; null without any.'),
    })
    .describe('Attempts that ended in this time.'),
  outputs: z
    .object({ count: whole.describe('Offloaded.'), bytes: whole.describe('Of these outputs.') })
    .describe('Tool results that were offloaded.'),
  llm: z
    .object({
      attempts: whole.describe('Attempts with a model call.'),
      input_tokens: whole.describe('Tokens sent to the model.'),
      output_tokens: whole.describe('Tokens that the model wrote.'),
      cached_input_tokens: whole.describe("Of the input tokens, those read from the provider's cache."),
      cost_usd: money.describe('Null when there were model calls and none had a price.'),
      unpriced_attempts: whole.describe('Whose model had no price: not in the cost.'),
    })
    .describe('Model calls for summaries, as the provider counted them.'),
  chat: z
    .object({
      turns: whole.describe('Turns of /chat and of the proxies.'),
      input_tokens: whole.describe('Tokens sent to the model.'),
      output_tokens: whole.describe('Tokens that the model wrote.'),
      cached_input_tokens: whole.describe("Of the input tokens, those read from the provider's cache."),
      cost_usd: money.describe('Null when there were turns and none had a price.'),
      unpriced_turns: whole.describe('Whose model had no price: not in the cost.'),
    })
    .describe(
      'Model calls of agents, as the provider counted them, or as Spillway counts them where it reported nothing. Not part of `money`: the answers are what the caller asked for.',
    ),
};

export const usageBucket = z
  .object({ at: timestamp.describe('When the bucket begins.'), ...numbers })
  .meta({ id: 'UsageBucket', description: 'The numbers of one hour or day.' });

export const usage = z
  .object({
    from: timestamp.describe('When the first bucket begins.'),
    to: timestamp.describe('When the last bucket ends.'),
    bucket: z.enum(['hour', 'day']).describe('Length of a bucket.'),
    totals: z.object(numbers).meta({ id: 'UsageTotals', description: 'The numbers of the whole range.' }),
    series: z.array(usageBucket).describe('Every bucket of the range, oldest first.'),
    money: z
      .object({
        models: z
          .array(
            z.object({
              model: z.string().describe('Of the threads; empty for those without one.'),
              tokens_not_sent: difference.describe('Of tokens_saved, those of these threads.'),
              input_price: money.describe('Current price in USD per million tokens.'),
              saved_usd: signedMoney.describe('tokens_not_sent at input_price; null without a price.'),
              spent_usd: money.describe('On summaries of these threads.'),
              net_usd: signedMoney.describe('saved_usd - spent_usd'),
            }),
          )
          .describe('One for each model of the threads.'),
        saved_usd: signedMoney.describe(
          'Of threads whose model has a price, at the price of fresh input; null when no model has one.',
        ),
        saved_if_cached_usd: signedMoney.describe('As if the provider had read all of it from its cache.'),
        spent_usd: money.describe(
          'On summaries of the same threads. Attempts from before a price was set count at the price of today; null when one of them has no price today either.',
        ),
        net_usd: signedMoney.describe('saved_usd - spent_usd'),
        net_if_cached_usd: signedMoney.describe('saved_if_cached_usd - spent_usd: the lower bound.'),
        unpriced_tokens: difference.describe(
          'Not sent by threads whose model has no price: not in the sums.',
        ),
        unpriced_models: z
          .array(z.string())
          .describe('Models of threads and summaries in the range that have no price.'),
      })
      .meta({
        id: 'SavedMoney',
        description: 'The tokens that were not sent, and what summaries cost, at the prices of the project.',
      }),
  })
  .meta({ id: 'Usage' });
