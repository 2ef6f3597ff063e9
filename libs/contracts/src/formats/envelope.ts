import { z } from 'zod';
import { clientId, pastTime } from '../text.js';

/** Our own fields, which a message of any format may have. They are not part of the message. */
export const envelope = {
  id: clientId.optional().describe("The client's id of the message: posting it again is safe."),
  pinned: z.boolean().optional().describe('Never summarized.'),
  sent_at: pastTime
    .optional()
    .describe(
      'When it was written where it comes from, if that was not now. Kept to the millisecond; the first one of an id ' +
        'stays. Lists show it beside `created_at`, which everything else goes by.',
    ),
};

/** A typed part of a message's content. Unknown fields are kept. */
export const typed = z.looseObject({ type: z.string() });

/** Ids of tool calls come from the model: any text of limited length. */
export const callId = z.string().min(1).max(4096);
