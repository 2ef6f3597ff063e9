import { z } from 'zod';
import { messageFormat } from '../formats/message-format.js';
import { maxSeq, maxUrl, plainText, systemPrompt, trueOrFalse, wholeNumber } from '../text.js';

const maxTokens = 100_000_000;
/** Milliseconds that a context waits at most for a compaction. */
const maxWaitMs = 10_000;
const words = {
  max_tokens: 'A smaller budget for this context.',
  at: 'The context that was served when this seq was the newest.',
  system: "Replaces the thread's system prompt for this context.",
  alternate: 'Separates consecutive messages of the user, for strict chat templates.',
  tools: 'true: the answer has the tools that read outputs and earlier messages back, and they are counted.',
  since:
    'The fingerprint of the context that you hold: the answer has the messages to append to it, or all of them and why.',
  wait: 'Milliseconds to wait for a compaction that is due or running; then the context is served as it is. Default: 0.',
};

const shared = {
  reasoning: z
    .enum(['auto', 'keep', 'strip'])
    .optional()
    .describe('Signed or sealed reasoning: auto (the default) shows what the provider still takes.'),
  since: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the fingerprint of a context')
    .optional()
    .describe(words.since),
  model: plainText(200).optional().describe("The model that the context is for. Default: the thread's."),
};

const inQuery = {
  ...shared,
  max_tokens: wholeNumber(1, maxTokens).optional().describe(words.max_tokens),
  alternate: trueOrFalse.optional().describe(words.alternate),
  tools: trueOrFalse.optional().describe(words.tools),
  wait: wholeNumber(0, maxWaitMs).optional().describe(words.wait),
};

/** Options of the context that an append answers with, in its query string. */
export const nextContextOptions = inQuery;

const format = messageFormat.optional().describe("Default: the thread's format, or openai.");
const omit = z
  .enum(['messages'])
  .optional()
  .describe('messages: leaves the messages out and returns sums and parts only.');

const waitsForNow = ({ at, wait }: { at?: number | undefined; wait?: number | undefined }) =>
  at === undefined || wait === undefined;
const notBoth = { path: ['wait'], message: 'must be left out with at: the past has nothing to wait for' };

/** A change is of the context of now and has its messages. */
const sinceIsOfNow = ({ at, omit, since }: { at?: unknown; omit?: unknown; since?: unknown }) =>
  since === undefined || (at === undefined && omit === undefined);
const notSince = { path: ['since'], message: 'must be left out with at and with omit' };

export const contextQuery = z
  .strictObject({
    format,
    ...inQuery,
    omit,
    at: wholeNumber(1, maxSeq).optional().describe(words.at),
    system: plainText(maxUrl)
      .optional()
      .describe(`${words.system} A URL has at most ${maxUrl} bytes: send longer prompts with POST.`),
  })
  .refine(waitsForNow, notBoth)
  .refine(sinceIsOfNow, notSince);

/** The same options as JSON. */
export const contextBody = z
  .strictObject({
    format,
    ...shared,
    omit,
    max_tokens: z.number().int().min(1).max(maxTokens).optional().describe(words.max_tokens),
    at: z.number().int().min(1).max(maxSeq).optional().describe(words.at),
    system: systemPrompt.optional().describe(words.system),
    alternate: z.boolean().optional().describe(words.alternate),
    tools: z.boolean().optional().describe(words.tools),
    wait: z.number().int().min(0).max(maxWaitMs).optional().describe(words.wait),
  })
  .refine(waitsForNow, notBoth)
  .refine(sinceIsOfNow, notSince)
  .meta({ id: 'ContextOptions' });
