import { z } from 'zod';
import { summary } from '../compaction/compaction.js';
import { wholeNumber } from '../text.js';

export const mapQuery = z.strictObject({
  buckets: wholeNumber(1, 1000).optional().describe('Into how many stretches the thread is divided at most.'),
});

export const generationRange = summary.omit({ fields: true, text: true }).meta({ id: 'GenerationRange' });

export const threadMap = z
  .object({
    last_seq: z.number().int(),
    buckets: z
      .array(
        z.object({
          from_seq: z.number().int(),
          to_seq: z.number().int(),
          tokens: z.number().int(),
          largest: z.object({ seq: z.number().int(), tokens: z.number().int() }),
        }),
      )
      .describe('Stretches of equal length in the order of the thread, with the tokens of their messages.'),
    generations: z
      .array(generationRange)
      .describe('Summary generations of every chain, newest first, without what they say.'),
  })
  .meta({ id: 'ThreadMap' });
