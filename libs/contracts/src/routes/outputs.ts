import { z } from 'zod';
import {
  grepQuery,
  grepResult,
  holdQuery,
  outline,
  output,
  outputContentQuery,
  outputExcerpt,
  outputList,
  outputUploaded,
  outputUploadQuery,
} from '../outputs/output.js';
import { pagedList } from '../list.js';
import { held } from '../messages/message.js';
import { projectOutputsQuery } from '../outputs/output-list.js';
import { threadId, type Route } from './route.js';

export const outputId = z.string().regex(/^out_[0-9a-f]{32}$/, 'must be an output id');
const outputParams = z.object({ id: outputId.describe('The id of the output, as in its stub.') });

/** Offloaded outputs. */
export const outputsRoutes: Record<string, Route> = {
  'GET /v1/threads/{id}/outputs': {
    id: 'listOutputs',
    scope: 'context:read',
    summary: 'Offloaded outputs of a thread, newest first',
    description:
      'Lists the outputs of a thread, newest first. Expired and corrupt ones are included; `state` tells ' +
      'them apart.',
    params: threadId,
    query: pagedList,
    example: { query: { limit: 20 } },
    answers: { 200: outputList },
  },
  'POST /v1/threads/{id}/outputs': {
    id: 'uploadOutput',
    scope: 'messages:write',
    cost: 'heavy',
    summary:
      'Upload an output of any size as a stream, then post the stub of the answer as the tool result: that message ' +
      'makes it readable. Not posted within an hour, it is removed',
    description:
      'Stores the body as it arrives, whatever its media type, up to SPILLWAY_OUTPUT_MAX_BYTES (1 GiB), and ' +
      'returns its stub. Post the stub unchanged as the content of the tool result: that message makes the ' +
      'output readable. An upload that is not posted within an hour is removed.',
    params: threadId,
    query: outputUploadQuery,
    streamed: true,
    example: { query: { tool: 'run_tests', tool_call_id: 'call_1' }, body: '{"passed": 118, "failed": 2}\n' },
    answers: { 201: outputUploaded },
  },
  'GET /v1/outputs': {
    id: 'listProjectOutputs',
    scope: 'outputs:read',
    summary: 'Offloaded outputs of all threads',
    description:
      'Lists the outputs of every thread that match all filters, newest first unless `sort` says otherwise.',
    query: projectOutputsQuery,
    example: { query: { kind: 'log', sort: 'biggest', limit: 20 } },
    answers: { 200: outputList },
  },
  'GET /v1/outputs/{id}': {
    id: 'getOutput',
    scope: 'outputs:read',
    summary: 'Metadata of an output',
    description:
      'Returns size, kind and state of an output, without its content. Works after the output expired or ' +
      'was erased.',
    params: outputParams,
    answers: { 200: output },
  },
  'GET /v1/outputs/{id}/content': {
    id: 'getOutputContent',
    scope: 'outputs:read',
    content: true,
    summary:
      'Content: whole or by Range as it is; by lines, columns, head, tail or JSONPath bounded in tokens',
    description:
      'Returns the bytes of an output, whole or by a `Range` header, with an ETag for `If-Range` and ' +
      '`If-None-Match`. With `lines`, `line`, `head`, `tail` ' +
      'or `path` it returns text bounded by `max_tokens`, and the header `Spillway-Next` has the query for ' +
      'the next part. Expired outputs answer 410.',
    params: outputParams,
    query: outputContentQuery,
    example: { query: { lines: '800-900', max_tokens: 2000, numbered: true } },
    answers: { 200: ['text/plain', outputExcerpt], 206: 'text/plain', 304: null },
  },
  'GET /v1/outputs/{id}/grep': {
    id: 'grepOutput',
    scope: 'outputs:read',
    cost: 'search',
    content: true,
    summary: 'Search an output (RE2 syntax, linear time)',
    description:
      'Searches an output for a regular expression in RE2 syntax, in time linear in its size. Resume at ' +
      '`next_cursor`. A project runs two searches at a time.',
    params: outputParams,
    query: grepQuery,
    example: { query: { pattern: 'ERROR|FATAL', context: 2, limit: 20 } },
    answers: { 200: grepResult },
  },
  'GET /v1/outputs/{id}/outline': {
    id: 'outlineOutput',
    scope: 'outputs:read',
    cost: 'heavy',
    content: true,
    summary:
      'What an output holds, with line numbers: symbols, schema, columns, error lines, headings, files',
    description:
      'Says what is where in an output, with line numbers: symbols of sources, the schema of JSON, columns ' +
      'of tables, error lines of logs, headings of pages, files of diffs.',
    params: outputParams,
    answers: { 200: outline },
  },
  'POST /v1/outputs/{id}/keep': {
    id: 'keepOutput',
    scope: 'messages:write',
    // Contexts show the whole output then.
    alsoScope: 'outputs:read',
    summary: 'Show the whole output in place of its stub from the next fold on, whatever is summarized',
    description:
      'Shows the message of an output with its whole content in place of the stub, from the next fold on. ' +
      'Kept messages and outputs may take a quarter of the limit together. It does not keep the output from ' +
      'expiring: pin it for that.',
    params: outputParams,
    query: holdQuery,
    answers: { 200: held },
  },
  'POST /v1/outputs/{id}/release': {
    id: 'releaseOutput',
    scope: 'messages:write',
    summary: 'Keep an output no longer; its result becomes one line with the next fold',
    description:
      'Keeps an output no longer. The result becomes one line with the next fold; contexts do not change ' +
      'before it.',
    params: outputParams,
    query: holdQuery,
    answers: { 200: held },
  },
  'POST /v1/outputs/{id}/pin': {
    id: 'pinOutput',
    scope: 'threads:manage',
    summary: 'Store an output for good, whatever its age and the budget',
    description:
      "Stores an output until it is unpinned or erased: neither its age nor the project's budget removes " +
      'it. Contexts do not change.',
    params: outputParams,
    answers: { 200: output },
  },
  'DELETE /v1/outputs/{id}/pin': {
    id: 'unpinOutput',
    scope: 'threads:manage',
    summary: 'Let an output expire again',
    description:
      'Lets an output expire again. Its time to live counts from when it was stored, so an old one goes ' +
      'with the next sweep.',
    params: outputParams,
    answers: { 200: output },
  },
};
