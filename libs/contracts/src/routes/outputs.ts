import { z } from 'zod';
import {
  grepQuery,
  grepResult,
  outline,
  output,
  outputContentQuery,
  outputExcerpt,
  outputList,
  outputsQuery,
  outputUploaded,
  outputUploadQuery,
} from '../outputs/output.js';
import { held } from '../messages/message.js';
import { projectOutputsQuery } from '../outputs/output-list.js';
import { threadId, type Route } from './route.js';

export const outputId = z.string().regex(/^out_[0-9a-f]{32}$/, 'must be an output id');
const outputParams = z.object({ id: outputId });

/** Offloaded outputs. */
export const outputsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/outputs': {
    id: 'listOutputs',
    scope: 'context:read',
    summary: 'Offloaded outputs of a thread, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: outputList },
  },
  'POST /v1/threads/{id}/outputs': {
    id: 'uploadOutput',
    scope: 'messages:write',
    cost: 'heavy',
    summary:
      'Upload an output of any size as a stream, then post the stub of the answer as the tool result: that message ' +
      'makes it readable. Not posted within an hour, it is removed',
    params: threadId,
    query: outputUploadQuery,
    streamed: true,
    answers: { 201: outputUploaded },
  },
  'GET /v1/outputs': {
    id: 'listProjectOutputs',
    scope: 'outputs:read',
    summary: 'Offloaded outputs of all threads',
    query: projectOutputsQuery,
    answers: { 200: outputList },
  },
  'GET /v1/outputs/{id}': {
    id: 'getOutput',
    scope: 'outputs:read',
    summary: 'Metadata of an output',
    params: outputParams,
    answers: { 200: output },
  },
  'GET /v1/outputs/{id}/content': {
    id: 'getOutputContent',
    scope: 'outputs:read',
    content: true,
    summary:
      'Content: whole or by Range as it is; by lines, columns, head, tail or JSONPath bounded in tokens',
    params: outputParams,
    query: outputContentQuery,
    answers: { 200: ['text/plain', outputExcerpt], 206: 'text/plain' },
  },
  'GET /v1/outputs/{id}/grep': {
    id: 'grepOutput',
    scope: 'outputs:read',
    cost: 'search',
    content: true,
    summary: 'Search an output (RE2 syntax, linear time)',
    params: outputParams,
    query: grepQuery,
    answers: { 200: grepResult },
  },
  'GET /v1/outputs/{id}/outline': {
    id: 'outlineOutput',
    scope: 'outputs:read',
    cost: 'heavy',
    content: true,
    summary:
      'What an output holds, with line numbers: symbols, schema, columns, error lines, headings, files',
    params: outputParams,
    answers: { 200: outline },
  },
  'POST /v1/outputs/{id}/keep': {
    id: 'keepOutput',
    scope: 'messages:write',
    summary: 'Show the whole output in place of its stub from the next fold on, whatever is summarized',
    params: outputParams,
    answers: { 200: held },
  },
  'POST /v1/outputs/{id}/release': {
    id: 'releaseOutput',
    scope: 'messages:write',
    summary: 'Keep an output no longer; its result becomes one line with the next fold',
    params: outputParams,
    answers: { 200: held },
  },
  'POST /v1/outputs/{id}/pin': {
    id: 'pinOutput',
    scope: 'threads:manage',
    summary: 'Store an output for good, whatever its age and the budget',
    params: outputParams,
    answers: { 200: output },
  },
  'DELETE /v1/outputs/{id}/pin': {
    id: 'unpinOutput',
    scope: 'threads:manage',
    summary: 'Let an output expire again',
    params: outputParams,
    answers: { 200: output },
  },
};
