import { z } from 'zod';
import { listOf, page } from '../list.js';
import { maxSeq, plainText, share, time, trueOrFalse, wholeNumber } from '../text.js';
import { compactionStateName, thread } from './thread.js';

/** A listed thread. A page of full threads could have gigabytes: a system prompt may have two megabytes. */
export const threadListed = thread
  .omit({ system: true, tools: true })
  .extend({ summary_tokens: z.number().int().describe('Tokens of the active summary; 0 without one.') })
  .meta({ id: 'ThreadListed' });

export const threadList = listOf(threadListed, 'ThreadList');

/** Filter for threads; conditions are combined with AND. */
const filter = {
  state: z
    .string()
    .transform((list) => [...new Set(list.split(','))])
    .pipe(z.array(compactionStateName))
    .optional()
    .describe('One state, or several with commas between them.'),
  model: plainText(200).optional(),
  q: plainText(200)
    .optional()
    .describe('Part of the id, or of a value of the metadata; case does not matter.'),
  has_errors: trueOrFalse.optional().describe('Parked, backing off, or the last compaction failed.'),
  fill_min: share.optional().describe('Live tokens as a share of limit_tokens, from here on: 0.8 is 80 %.'),
  min_messages: wholeNumber(0, maxSeq).optional(),
  min_tokens: wholeNumber(0, maxSeq).optional().describe('Live tokens, from here on.'),
  created_after: time.optional(),
  created_before: time.optional(),
  updated_after: time.optional(),
  updated_before: time.optional(),
  compacted_after: time.optional().describe('Threads with a summary made since then.'),
  metadata: plainText(600)
    .regex(/^[^=]{1,64}=/, 'must be key=value')
    .transform((pair) => {
      const at = pair.indexOf('=');
      return { key: pair.slice(0, at), value: pair.slice(at + 1) };
    })
    .optional()
    .describe('A key of the metadata and its whole value: user=42.'),
};

export const threadQuery = z.strictObject({
  ...page,
  ...filter,
  sort: z.enum(['updated', 'created', 'tokens', 'messages', 'id', 'fill']).optional(),
  direction: z.enum(['asc', 'desc']).optional().describe('asc by default for id, desc for all others.'),
});

export const threadCountsQuery = z.strictObject(filter);

const counted = z.number().int();

export const threadCounts = z
  .object({
    total: counted,
    states: z.object({ idle: counted, due: counted, running: counted, backoff: counted, parked: counted }),
    models: z
      .array(z.object({ model: z.string().nullable(), threads: counted }))
      .describe('The most used first, 50 at most.'),
  })
  .meta({ id: 'ThreadCounts' });
