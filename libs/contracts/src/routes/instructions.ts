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
    params: threadId,
    query: instructionsQuery,
    answers: { 200: instructionList },
  },
  'POST /v1/threads/{id}/instructions': {
    id: 'addInstruction',
    scope: 'threads:manage',
    summary: 'Add a standing instruction that no message says; the next generation shows it',
    params: threadId,
    body: instructionAdd,
    answers: { 201: instructionChanged },
  },
  'PATCH /v1/threads/{id}/instructions/{instruction_id}': {
    id: 'changeInstruction',
    scope: 'threads:manage',
    summary: 'Dismiss an instruction, or approve one; the next generation follows',
    params: z.object({ id: clientId, instruction_id: clientId }),
    body: instructionChange,
    answers: { 200: instructionChanged },
  },
};
