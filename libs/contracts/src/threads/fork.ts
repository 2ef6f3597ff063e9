import { z } from 'zod';
import { position } from '../quantities.js';
import { clientId } from '../text.js';

export const threadFork = z
  .strictObject({
    at: position.describe(
      'The newest message that the fork has; it must not be rewound. 0 for none. Default: the newest of the thread.',
    ),
    id: clientId.describe(
      'The id of the fork: makes retries safe. An id that belongs to another thread: 409. Default: a UUID of version 7.',
    ),
  })
  .partial()
  .meta({ id: 'ThreadFork' });

export const forkedFrom = z
  .object({
    thread: z.string().describe('The id of the thread that it was forked from, which may be erased by now.'),
    at: position.describe('The newest message that it has from there; 0 for none.'),
  })
  .nullable()
  .describe('Of a fork: where its first messages come from. Null for any other thread.');
