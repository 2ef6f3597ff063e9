import { z } from 'zod';

export const exportQuery = z.strictObject({
  format: z
    .enum(['jsonl', 'markdown'])
    .optional()
    .describe(
      'jsonl (the default): a line for the thread, one for each message, one for each summary, one for each standing instruction.',
    ),
});
