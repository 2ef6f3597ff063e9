import { z } from 'zod';
import { messageFormat } from './message.js';
import { maxSeq, maxUrl, plainText, systemPrompt, timestamp, trueOrFalse, wholeNumber } from '../text.js';

/** Options of a context, in the query string or in a body. */
const options = {
  format: messageFormat.optional(),
  reasoning: z
    .enum(['auto', 'keep', 'strip'])
    .optional()
    .describe('Signed or sealed reasoning: auto (the default) shows what the provider still takes.'),
  model: plainText(200).optional().describe("The model that the context is for. Default: the thread's."),
  omit: z
    .enum(['messages'])
    .optional()
    .describe('messages: leaves the messages out and returns sums and parts only.'),
};
const maxTokens = 100_000_000;
const words = {
  max_tokens: 'A smaller budget for this context.',
  at: 'The context that was served when this seq was the newest.',
  system: "Replaces the thread's system prompt for this context.",
  alternate: 'Separates consecutive messages of the user, for strict chat templates.',
};

export const contextQuery = z.strictObject({
  ...options,
  max_tokens: wholeNumber(1, maxTokens).optional().describe(words.max_tokens),
  at: wholeNumber(1, maxSeq).optional().describe(words.at),
  system: plainText(maxUrl)
    .optional()
    .describe(`${words.system} A URL has at most ${maxUrl} bytes: send longer prompts with POST.`),
  alternate: trueOrFalse.optional().describe(words.alternate),
});

/** The same options as JSON. */
export const contextBody = z
  .strictObject({
    ...options,
    max_tokens: z.number().int().min(1).max(maxTokens).optional().describe(words.max_tokens),
    at: z.number().int().min(1).max(maxSeq).optional().describe(words.at),
    system: systemPrompt.optional().describe(words.system),
    alternate: z.boolean().optional().describe(words.alternate),
  })
  .meta({ id: 'ContextOptions' });

export const context = z
  .object({
    format: messageFormat,
    messages: z.array(z.looseObject({})),
    system: z.string().nullable(),
    tokens: z.object({
      total: z.number().int(),
      system: z.number().int(),
      summary: z.number().int(),
      recent: z.number().int(),
    }),
    budget: z.object({
      context_window: z.number().int(),
      limit: z.number().int(),
      trigger: z.number().int(),
    }),
    summary: z
      .object({
        generation: z.number().int(),
        from_seq: z.number().int(),
        to_seq: z.number().int(),
        method: z.enum(['llm', 'extractive']),
      })
      .nullable(),
    elided: z.array(
      z.object({
        from_seq: z.number().int(),
        to_seq: z.number().int(),
        reason: z.enum(['over_budget', 'shortened']),
      }),
    ),
    parts: z
      .array(
        z.object({
          kind: z.enum(['system', 'carried', 'summary', 'recent', 'note']),
          seq: z.number().int().nullable(),
          tokens: z.number().int(),
        }),
      )
      .describe('One entry for each of `messages`: where it comes from.'),
    dropped: z
      .array(z.object({ seq: z.number().int().nullable(), what: z.string() }))
      .describe('What the requested format cannot express, by message.'),
    degraded: z
      .boolean()
      .describe('True when messages had to be left out or shortened to stay within budget.'),
    reasoning: z
      .object({
        kept: z.number().int(),
        stripped: z.number().int(),
        why: z.array(z.enum(['asked', 'other_model', 'prefix_changed', 'prefix_changed_in_tool_loop'])),
      })
      .describe('Blocks of signed or sealed reasoning that are shown, that are not, and why not.'),
    pending_calls: z
      .array(z.object({ seq: z.number().int(), call_id: z.string(), name: z.string() }))
      .describe('Calls without a result at the end: post their results before the next model call.'),
    last_seq: z.number().int().describe('The newest message that it includes: N for `at=N`.'),
    served: z
      .object({ at: timestamp, exact: z.boolean() })
      .nullable()
      .describe(
        'For `at=N`: when a caller was last served a context there, and whether this is that context to the letter. ' +
          'Null when none was served: then this is what would have been.',
      ),
    fingerprint: z.string(),
  })
  .meta({ id: 'Context' });
