import { z } from 'zod';
import { page } from '../list.js';
import { clientId, plainText, time, trueOrFalse } from '../text.js';
import { outputKindNames } from './output-kinds.js';

/** Filter for outputs of a project; conditions are combined with AND. */
export const projectOutputsQuery = z.strictObject({
  ...page,
  thread: clientId.optional().describe('Only outputs of this thread.'),
  tool: plainText(200).optional().describe('Only outputs of this tool.'),
  kind: plainText(40).optional().describe(`Only outputs that hold this: ${outputKindNames}.`),
  state: z.enum(['ready', 'expired', 'corrupt']).optional().describe('Only outputs in this state.'),
  pinned: trueOrFalse.optional().describe('Only pinned outputs, or only others.'),
  q: plainText(200)
    .optional()
    .describe('Part of the id, the tool, the id of the call or the thread; case does not matter.'),
  expiring_before: time
    .optional()
    .describe('Outputs that will be removed before then: neither pinned nor gone.'),
  sort: z
    .enum(['newest', 'biggest', 'expiring'])
    .optional()
    .describe('expiring lists those that will be removed, the next one first.'),
});
