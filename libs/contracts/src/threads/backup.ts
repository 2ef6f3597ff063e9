import { z } from 'zod';
import { whole } from '../quantities.js';

export const threadRestored = z
  .object({
    id: z.string().describe('The id of the thread.'),
    messages: whole.describe('Messages, rewound ones included.'),
    summaries: whole.describe('Generations of the summary.'),
    outputs: whole.describe('Outputs, removed ones included.'),
    missing_outputs: whole.describe('Outputs whose bytes were lost before the backup was made.'),
    media: whole.describe('Images, audio and files of messages.'),
    missing_media: whole.describe('Media that were lost before the backup was made.'),
    same_context: z
      .boolean()
      .nullable()
      .describe(
        'Whether the context is that of the thread when it was backed up. False when policies or models of this ' +
          'server give it another budget. Null when the thread changed during its backup, or had no context.',
      ),
  })
  .meta({ id: 'ThreadRestored', description: 'What a backup restored.' });
