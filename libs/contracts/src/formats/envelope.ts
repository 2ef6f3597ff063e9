import { z } from 'zod';
import { clientId } from '../text.js';

/** Our two fields, which a message of any format may have. They are not part of the message. */
export const envelope = {
  id: clientId.optional().describe("The client's id of the message: posting it again is safe."),
  pinned: z.boolean().optional().describe('Never summarized.'),
};

/** A typed part of a message's content. Unknown fields are kept. */
export const typed = z.looseObject({ type: z.string() });

/** Ids of tool calls come from the model: any text of limited length. */
export const callId = z.string().min(1).max(4096);
