import { z } from 'zod';
import { clientId } from '../text.js';

/** The two fields of ours that any message may carry, whatever its format. They are no part of the message. */
export const envelope = {
  id: clientId.optional().describe("The client's id of the message: posting it again is free."),
  pinned: z.boolean().optional().describe('Never summarized.'),
};

/** A typed piece of a message's content. Fields we do not name are kept as they are. */
export const typed = z.looseObject({ type: z.string() });

/** Ids of tool calls are the model's: any text, within reason. */
export const callId = z.string().min(1).max(4096);
