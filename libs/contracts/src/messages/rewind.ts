import { z } from 'zod';
import { whole } from '../quantities.js';
import { idempotencyKey, ifLastSeq, messagesAppended } from './message.js';
import { maxSeq } from '../text.js';

export const rewindHeaders = z.object({
  'if-match': ifLastSeq.describe('The last_seq that you know. Another one: 412, nothing is rewound.'),
  'idempotency-key': idempotencyKey.describe(
    'Makes retries safe: the same key rewinds once. The same key with another to_seq: 409.',
  ),
});

export const threadRewind = z
  .strictObject({
    to_seq: z
      .number()
      .int()
      .min(0)
      .max(maxSeq)
      .describe('The message that becomes the newest; it must not be rewound itself. 0 leaves none.'),
  })
  .meta({ id: 'ThreadRewind' });

export const threadRewound = z
  .object({
    thread: messagesAppended.shape.thread.omit({ warnings: true }).describe('The thread after the rewind.'),
    messages: whole.describe('How many messages left the context; 0 when it ended there already.'),
  })
  .meta({ id: 'ThreadRewound' });
