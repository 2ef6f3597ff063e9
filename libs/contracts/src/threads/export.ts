import { z } from 'zod';
import { messageFormat } from '../formats/message-format.js';

export const exportQuery = z.strictObject({
  format: z
    .enum(['jsonl', 'markdown'])
    .optional()
    .describe(
      'jsonl (the default): a line for the thread, one for each message, one for each summary, one for each standing instruction.',
    ),
  as: messageFormat
    .optional()
    .describe(
      'With jsonl: after the line of the thread, the history alone, in this format, each call with its result and ' +
        'without rewound messages. Lines of type system stand before it, and lines of type dropped say what the ' +
        'format cannot express.',
    ),
});
