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
import {
  auditList,
  auditQuery,
  keyCreate,
  keyCreated,
  keyId,
  keyList,
  sessionStarted,
  type Scope,
} from './key.js';
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
  /** What a key needs to come in; `open` needs none, `any` a good one. There is no route without a word here. */
  scope: Scope | 'open' | 'any';
  /** Shows what a thread holds: a person who reads it in the console is written into the audit log. */
  content?: true;
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
    scope: 'messages:write',
    summary: 'Create a thread',
    body: threadCreate,
    answers: { 201: thread, 200: thread },
  },
  'GET /v1/threads': {
    id: 'listThreads',
    scope: 'context:read',
    summary: 'List threads',
    query: threadQuery,
    answers: { 200: threadList },
  },
  'GET /v1/threads/{id}': {
    id: 'getThread',
    scope: 'context:read',
    summary: 'One thread',
    params: threadId,
    query: none,
    answers: { 200: thread },
  },
  'PATCH /v1/threads/{id}': {
    id: 'changeThread',
    scope: 'threads:manage',
    summary: 'Change model, metadata, policy or system prompt',
    params: threadId,
    body: threadPatch,
    answers: { 200: thread },
  },
  'DELETE /v1/threads/{id}': {
    id: 'eraseThread',
    scope: 'threads:manage',
    summary: 'Erase a thread: messages, summaries, outputs',
    params: threadId,
    answers: { 204: null },
  },

  'POST /v1/threads/{id}/messages': {
    id: 'appendMessages',
    scope: 'messages:write',
    summary: 'Record messages',
    params: threadId,
    query: messagesAppendQuery,
    body: messagesAppend,
    answers: { 201: messagesAppended, 200: messagesAppended },
  },
  'GET /v1/threads/{id}/messages': {
    id: 'listMessages',
    scope: 'context:read',
    content: true,
    summary: 'Messages by seq',
    params: threadId,
    query: messagesQuery,
    answers: { 200: messageList },
  },
  'DELETE /v1/threads/{id}/messages/{seq}': {
    id: 'eraseMessage',
    scope: 'threads:manage',
    summary: 'Erase what a message says, and every summary made from it; its seq stays',
    params: z.object({ id: clientId, seq: wholeNumber(1, 2_147_483_647) }),
    answers: { 204: null },
  },
  'GET /v1/threads/{id}/context': {
    id: 'getContext',
    scope: 'context:read',
    content: true,
    summary: 'The context to send to the model',
    params: threadId,
    query: contextQuery,
    answers: { 200: context, 304: null },
  },

  'POST /v1/threads/{id}/chat': {
    id: 'chat',
    scope: 'messages:write',
    summary: 'Say something, get the model to answer, and have both recorded',
    params: threadId,
    body: chatTurn,
    answers: { 200: chatReply },
  },
  'GET /v1/threads/{id}/search': {
    id: 'searchThread',
    scope: 'context:read',
    content: true,
    summary: 'Search all messages, summarized ones too, and offloaded outputs',
    params: threadId,
    query: searchQuery,
    answers: { 200: searchHits },
  },

  'POST /v1/threads/{id}/compactions': {
    id: 'requestCompaction',
    scope: 'threads:manage',
    summary: 'Compact now',
    params: threadId,
    body: compactionRequest,
    answers: { 200: compactionResult, 202: compactionResult },
  },
  'GET /v1/threads/{id}/compactions': {
    id: 'listCompactions',
    scope: 'context:read',
    summary: 'Compaction attempts, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: attemptList },
  },
  'POST /v1/threads/{id}/retry': {
    id: 'retryThread',
    scope: 'threads:manage',
    summary: 'Unpark a thread',
    params: threadId,
    answers: { 200: thread },
  },
  'POST /v1/threads/{id}/rebuild': {
    id: 'rebuildThread',
    scope: 'threads:manage',
    summary: 'Make the summary again from the original messages, in a new chain',
    params: threadId,
    answers: { 202: compactionResult },
  },
  'GET /v1/threads/{id}/summaries': {
    id: 'listSummaries',
    scope: 'context:read',
    content: true,
    summary: 'Summary generations, newest first',
    params: threadId,
    query: outputsQuery,
    answers: { 200: summaryList },
  },
  'GET /v1/threads/{id}/summaries/{generation}': {
    id: 'getSummary',
    scope: 'context:read',
    content: true,
    summary: 'One generation',
    params: generationParams,
    answers: { 200: summary },
  },
  'POST /v1/threads/{id}/summaries/{generation}/quarantine': {
    id: 'quarantineSummary',
    scope: 'threads:manage',
    summary:
      'Withdraw a generation and all that were made from it; the summary is made again from the messages',
    params: generationParams,
    answers: { 202: compactionResult },
  },
  'POST /v1/threads/{id}/summaries/{generation}/restore': {
    id: 'restoreSummary',
    scope: 'threads:manage',
    summary: 'Make an older generation the active summary, in a new chain',
    params: generationParams,
    answers: { 200: summary },
  },

  'GET /v1/threads/{id}/outputs': {
    id: 'listOutputs',
    scope: 'context:read',
    summary: 'Offloaded outputs of a thread, newest first',
    params: threadId,
    query: outputsQuery,
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
    summary: 'Content by Range, lines, head or tail',
    params: outputParams,
    query: outputContentQuery,
    answers: { 200: 'text/plain', 206: 'text/plain' },
  },
  'GET /v1/outputs/{id}/grep': {
    id: 'grepOutput',
    scope: 'outputs:read',
    content: true,
    summary: 'Search an output (RE2 syntax, linear time)',
    params: outputParams,
    query: grepQuery,
    answers: { 200: grepResult },
  },

  'GET /v1/outputs/{id}/outline': {
    id: 'outlineOutput',
    scope: 'outputs:read',
    content: true,
    summary:
      'What an output holds, with line numbers: symbols, schema, columns, error lines, headings, files',
    params: outputParams,
    answers: { 200: outline },
  },
  'POST /v1/outputs/{id}/pin': {
    id: 'pinOutput',
    scope: 'threads:manage',
    summary: 'Keep an output, whatever its age and the budget',
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

  'GET /v1/queue': {
    id: 'getQueue',
    scope: 'admin',
    summary: 'Due, running, backing off and parked threads; recent sweeps',
    query: none,
    answers: { 200: queue },
  },
  'GET /v1/policy': {
    id: 'getPolicy',
    scope: 'context:read',
    summary: "The project's policy",
    query: none,
    answers: { 200: projectPolicy },
  },
  'PUT /v1/policy': {
    id: 'changePolicy',
    scope: 'admin',
    summary: "Replace the project's policy",
    body: policyInput,
    answers: { 200: projectPolicy },
  },
  'GET /v1/models': {
    id: 'listModels',
    scope: 'context:read',
    summary: 'Known models and overrides',
    query: none,
    answers: { 200: listOf(model, 'ModelList') },
  },
  'PUT /v1/models/{name}': {
    id: 'overrideModel',
    scope: 'admin',
    summary: "Override a model's context window",
    params: z.object({ name: modelName }),
    body: modelOverride,
    answers: { 200: model },
  },

  'GET /v1/keys': {
    id: 'listKeys',
    scope: 'admin',
    summary: 'Keys of the project, revoked ones too',
    query: none,
    answers: { 200: keyList },
  },
  'POST /v1/keys': {
    id: 'createKey',
    scope: 'admin',
    summary: 'Make a key',
    body: keyCreate,
    answers: { 201: keyCreated },
  },
  'DELETE /v1/keys/{id}': {
    id: 'revokeKey',
    scope: 'admin',
    summary: 'Revoke a key, and the sessions begun with it',
    params: z.object({ id: keyId }),
    answers: { 204: null },
  },
  'GET /v1/audit': {
    id: 'listAudit',
    scope: 'admin',
    summary: 'The audit log, newest first',
    query: auditQuery,
    answers: { 200: auditList },
  },
  'POST /v1/sessions': {
    id: 'startSession',
    scope: 'any',
    summary: "Begin a session: a token that stands for the request's key for some hours",
    answers: { 201: sessionStarted },
  },
  'DELETE /v1/sessions/current': {
    id: 'endSession',
    scope: 'any',
    summary: 'End the session whose token the request carries',
    answers: { 204: null },
  },

  'GET /healthz': { id: 'health', summary: 'The process is up', answers: { 200: health }, scope: 'open' },
  'GET /readyz': {
    id: 'ready',
    summary: 'Postgres answers; Redis is reported',
    answers: { 200: readiness, 503: readiness },
    scope: 'open',
  },
};
