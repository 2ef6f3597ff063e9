import { z } from 'zod';
import {
  instructionAdd,
  instructionChange,
  instructionChanged,
  instructionList,
  instructionsQuery,
} from '../instructions/instruction.js';
import { clientId } from '../text.js';
import { threadId, type Route } from './route.js';

/** What a user told the assistant about how to behave from now on. */
export const instructionsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/instructions': {
    id: 'listInstructions',
    scope: 'context:read',
    cost: 'search',
    content: true,
    summary: 'Standing instructions, newest first, with their state and the generations that showed them',
    description:
      'Lists what users told the assistant about how to behave from now on, newest first. Code finds them ' +
      'in the messages, also in those that no fold has covered yet. Retired and dismissed ones are ' +
      'included, and with `state=possible` the sentences that may be one are listed instead.',
    params: threadId,
    query: instructionsQuery,
    example: { query: { state: 'active', limit: 50 } },
    answers: { 200: instructionList },
  },
  'POST /v1/threads/{id}/instructions': {
    id: 'addInstruction',
    scope: 'threads:manage',
    summary: 'Add a standing instruction that no message says; the next generation shows it',
    description:
      'Adds an instruction that no message says. It holds at once and is shown from the next generation on, ' +
      'verbatim at the head of the summary. Adding one that was added already and holds changes nothing, so a retry is safe.',
    params: threadId,
    body: instructionAdd,
    example: { body: { text: 'Never push to the branch main.' } },
    answers: { 201: instructionChanged },
  },
  'PATCH /v1/threads/{id}/instructions/{instruction_id}': {
    id: 'changeInstruction',
    scope: 'threads:manage',
    summary: 'Dismiss an instruction, or approve one; the next generation follows',
    description:
      'Dismisses an instruction, or approves one that was dismissed, retired, possible or only found. The next ' +
      'generation follows; contexts of now stay as they are.',
    params: z.object({
      id: threadId.shape.id,
      instruction_id: clientId.describe('The id of the instruction, as the list has it.'),
    }),
    body: instructionChange,
    example: { body: { state: 'dismissed' } },
    answers: { 200: instructionChanged },
  },
};
