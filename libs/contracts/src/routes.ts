import { z } from 'zod';
import { chatReply, chatTurn } from './chat.js';
import {
  attemptList,
  compactionRequest,
  compactionResult,
  queue,
  summary,
  summaryList,
} from './compaction.js';
import { context, contextQuery } from './context.js';
import { health, readiness } from './health.js';
import { listOf } from './list.js';
import {
  messageList,
  messagesAppend,
  messagesAppended,
  messagesAppendQuery,
  messagesQuery,
} from './message.js';
import { model, modelName, modelOverride } from './model.js';
import {
  grepQuery,
  grepResult,
  outline,
  output,
  outputContentQuery,
  outputList,
  outputsQuery,
} from './output.js';
import { policyInput, projectPolicy } from './policy.js';
import { searchHits, searchQuery } from './search.js';
import { clientId, wholeNumber } from './text.js';
import { thread, threadCreate, threadList, threadPatch, threadQuery } from './thread.js';

/** One operation of the API. The OpenAPI document is made from these; a test holds the controllers to them. */
export interface Route {
  id: string;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Answers by status; a string is the media type of an answer that is not JSON. */
  answers: Record<number, z.ZodType | string | null>;
  /** Reachable without an API key. */
  open?: true;
}

const threadId = z.object({ id: clientId });
export const outputId = z.string().regex(/^out_[0-9a-f]{32}$/, 'must be an output id');
const outputParams = z.object({ id: outputId });
const generationParams = z.object({ id: clientId, generation: wholeNumber(1, 2_147_483_647) });
const none = z.strictObject({});

/** The whole API on one screen, keyed by "METHOD /path". */
export const routes: Record<string, Route> = {
  'POST /v1/threads': {
    id: 'createThread',
    summary: 'Create a thread',
    body: threadCreate,
    answers: { 201: thread, 200: thread },
  },
  'GET /v1/threads': {
    id: 'listThreads',
    summary: 'List threads',
    query: threadQuery,
    answers: { 200: threadList },
  },
  'GET /v1/threads/{id}': {
    id: 'getThread',
    summary: 'One thread',
    params: threadId,
    query: none,
    answers: { 200: thread },
  },
  'PATCH /v1/threads/{id}': {
    id: 'changeThread',
    summary: 'Change model, metadata, policy or system prompt',
    params: threadId,
    body: threadPatch,
    answers: { 200: thread },
  },
  'DELETE /v1/threads/{id}': {
    id: 'eraseThread',
    summary: 'Erase a thread: messages, summaries, outputs',
    params: threadId,
    answers: { 204: null },
  },

  'POST /v1/threads/{id}/messages': {
    id: 'appendMessages',
    summary: 'Record messages',
    params: threadId,
    query: messagesAppendQuery,
    body: messagesAppend,
    answers: { 201: messagesAppended, 200: messagesAppended },
  },
  'GET /v1/threads/{id}/messages': {
    id: 'listMessages',
    summary: 'Messages by seq',
    params: threadId,
    query: messagesQuery,
    answers: { 200: messageList },
  },
  'GET /v1/threads/{id}/context': {
    id: 'getContext',
    summary: 'The context to send to the model',
    params: threadId,
    query: contextQuery,
    answers: { 200: context, 304: null },
  },

  'POST /v1/threads/{id}/chat': {
    id: 'chat',
    summary: 'Say something, get the model to answer, and have both recorded',
    params: threadId,
    body: chatTurn,
    answers: { 200: chatReply },
  },
  'GET /v1/threads/{id}/search': {
    id: 'searchThread',
    summary: 'Search all messages, summarized ones too, and offloaded outputs',
    params: threadId,
    query: searchQuery,
    answers: { 200: searchHits },
  },

  'POST /v1/threads/{id}/compactions': {
    id: 'requestCompaction',
    summary: 'Compact now',
    params: threadId,
    body: compactionRequest,
    answers: { 200: compactionResult, 202: compactionResult },
  },
  'GET /v1/threads/{id}/compactions': {
    id: 'listCompactions',
    summary: 'Compaction attempts, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: attemptList },
  },
  'POST /v1/threads/{id}/retry': {
    id: 'retryThread',
    summary: 'Unpark a thread',
    params: threadId,
    answers: { 200: thread },
  },
  'POST /v1/threads/{id}/rebuild': {
    id: 'rebuildThread',
    summary: 'Make the summary again from the original messages, in a new chain',
    params: threadId,
    answers: { 202: compactionResult },
  },
  'GET /v1/threads/{id}/summaries': {
    id: 'listSummaries',
    summary: 'Summary generations, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: summaryList },
  },
  'GET /v1/threads/{id}/summaries/{generation}': {
    id: 'getSummary',
    summary: 'One generation',
    params: generationParams,
    answers: { 200: summary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/restore': {
    id: 'restoreSummary',
    summary: 'Make an older generation the active summary, in a new chain',
    params: generationParams,
    answers: { 200: summary },
  },

  'GET /v1/threads/{id}/outputs': {
    id: 'listOutputs',
    summary: 'Offloaded outputs of a thread, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: outputList },
  },
  'GET /v1/outputs/{id}': {
    id: 'getOutput',
    summary: 'Metadata of an output',
    params: outputParams,
    answers: { 200: output },
  },
  'GET /v1/outputs/{id}/content': {
    id: 'getOutputContent',
    summary: 'Content by Range, lines, head or tail',
    params: outputParams,
    query: outputContentQuery,
    answers: { 200: 'text/plain', 206: 'text/plain' },
  },
  'GET /v1/outputs/{id}/grep': {
    id: 'grepOutput',
    summary: 'Search an output (RE2 syntax, linear time)',
    params: outputParams,
    query: grepQuery,
    answers: { 200: grepResult },
  },

  'GET /v1/outputs/{id}/outline': {
    id: 'outlineOutput',
    summary:
      'What an output holds, with line numbers: symbols, schema, columns, error lines, headings, files',
    params: outputParams,
    answers: { 200: outline },
  },
  'POST /v1/outputs/{id}/pin': {
    id: 'pinOutput',
    summary: 'Keep an output, whatever its age and the budget',
    params: outputParams,
    answers: { 200: output },
  },
  'DELETE /v1/outputs/{id}/pin': {
    id: 'unpinOutput',
    summary: 'Let an output expire again',
    params: outputParams,
    answers: { 200: output },
  },

  'GET /v1/queue': {
    id: 'getQueue',
    summary: 'Due, running, backing off and parked threads; recent sweeps',
    query: none,
    answers: { 200: queue },
  },
  'GET /v1/policy': {
    id: 'getPolicy',
    summary: "The project's policy",
    query: none,
    answers: { 200: projectPolicy },
  },
  'PUT /v1/policy': {
    id: 'changePolicy',
    summary: "Replace the project's policy",
    body: policyInput,
    answers: { 200: projectPolicy },
  },
  'GET /v1/models': {
    id: 'listModels',
    summary: 'Known models and overrides',
    query: none,
    answers: { 200: listOf(model, 'ModelList') },
  },
  'PUT /v1/models/{name}': {
    id: 'overrideModel',
    summary: "Override a model's context window",
    params: z.object({ name: modelName }),
    body: modelOverride,
    answers: { 200: model },
  },

  'GET /healthz': { id: 'health', summary: 'The process is up', answers: { 200: health }, open: true },
  'GET /readyz': {
    id: 'ready',
    summary: 'Postgres answers; Redis is reported',
    answers: { 200: readiness, 503: readiness },
    open: true,
  },
};
