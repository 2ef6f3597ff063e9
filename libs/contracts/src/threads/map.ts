import { z } from 'zod';
import { position, whole } from '../quantities.js';
import { summary } from '../compaction/compaction.js';
import { wholeNumber } from '../text.js';

export const mapQuery = z.strictObject({
  buckets: wholeNumber(1, 1000).optional().describe('Into how many stretches the thread is divided at most.'),
});

export const generationRange = summary
  .omit({
    fields: true,
    facts: true,
    text: true,
    fidelity: true,
    slots: true,
    // What an attempt cost is read with the summary.
    input_tokens: true,
    output_tokens: true,
    cached_input_tokens: true,
    cost_usd: true,
    prompt_version: true,
  })
  .meta({ id: 'GenerationRange', description: 'What a summary generation covers, without what it says.' });

export const threadMap = z
  .object({
    last_seq: position.describe('The newest message that was not rewound; 0 for none.'),
    buckets: z
      .array(
        z.object({
          from_seq: position.describe('Its first message.'),
          to_seq: position.describe('Its last message.'),
          tokens: whole.describe('Of all its messages.'),
          largest: z
            .object({ seq: position.describe('Its seq.'), tokens: whole.describe('Its tokens.') })
            .describe('The message with the most tokens.'),
        }),
      )
      .describe('Stretches of equal length in the order of the thread, with the tokens of their messages.'),
    generations: z
      .array(generationRange)
      .describe('Summary generations of every chain, newest first, without what they say.'),
  })
  .meta({ id: 'ThreadMap' });
