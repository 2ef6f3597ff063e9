import { z } from 'zod';
import { attention } from '../operations/attention.js';
import { auditExportQuery, auditList, auditQuery } from '../access/audit.js';
import { attemptsQuery, projectAttemptList } from '../compaction/compaction.js';
import { queue, queueQuery, queueRetried, queueRetry } from '../compaction/queue.js';
import { health, readiness } from '../operations/health.js';
import {
  key,
  keyCreate,
  keyCreated,
  keyId,
  keyList,
  keyPatch,
  sessionCurrent,
  sessionProof,
  sessionStarted,
} from '../access/key.js';
import { listOf, longList, wholeList } from '../list.js';
import { model, modelName, modelOverride } from '../policies/model.js';
import { system } from '../operations/system.js';
import { usage, usageQuery } from '../operations/usage.js';
import { none, type Route } from './route.js';

/** Routes about a project or the whole service. */
export const administrationRoutes: Record<string, Route> = {
  'GET /v1/queue': {
    id: 'getQueue',
    scope: 'admin',
    summary: 'Due, running, backing off and parked threads; recent sweeps',
    description:
      'Returns how many threads are in each state of the compaction, the threads that are not idle, and ' +
      'what the last sweeps of the storage removed. Read from Postgres, so it is right without Redis.',
    query: queueQuery,
    example: { query: { state: 'parked', reason: 'irreducible', limit: 50 } },
    answers: { 200: queue },
  },
  'POST /v1/queue/retry': {
    id: 'retryQueue',
    scope: 'threads:manage',
    summary: 'Retry all parked threads, those of one reason, or all that back off',
    description:
      'Makes parked threads, or those that back off, due again: at most 1,000 per request. Repeat it while ' +
      '`more` is true.',
    body: queueRetry,
    example: { body: { state: 'parked', reason: 'irreducible' } },
    answers: { 200: queueRetried },
  },
  'GET /v1/compactions': {
    id: 'listProjectCompactions',
    scope: 'context:read',
    summary: 'Compaction attempts of all threads, newest first',
    description: 'Lists the attempts of all threads, newest first. Attempts of erased threads are gone.',
    query: attemptsQuery,
    example: { query: { outcome: 'unsuccessful', limit: 50 } },
    answers: { 200: projectAttemptList },
  },
  'GET /v1/usage': {
    id: 'getUsage',
    scope: 'context:read',
    summary: 'What was recorded, served, saved and spent, by hour or day',
    description:
      'Returns what was recorded, served, saved and spent, in total and by hour or day in UTC. A range is ' +
      'widened to whole buckets and has at most 1,000. These are statistics: a crash may lose the last ' +
      'seconds.',
    query: usageQuery,
    example: { query: { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z', bucket: 'day' } },
    answers: { 200: usage },
  },
  'GET /v1/attention': {
    id: 'getAttention',
    scope: 'context:read',
    summary: 'What a person should look at now, and whether everything runs',
    description:
      'Lists what needs a person, the most severe first, and says whether Postgres, Redis, the workers and ' +
      'the summary model work. Empty `concerns` mean that there is nothing to do.',
    query: none,
    answers: { 200: attention },
  },
  'GET /v1/models': {
    id: 'listModels',
    scope: 'context:read',
    summary: 'Known models, with their context windows and the prices the project set',
    description:
      "Lists the models of the registry and the project's overrides by name. Prices are those " +
      'that the project set: Spillway has none of its own. `models.list()` of the SDKs of OpenAI and Anthropic ' +
      'reads it.',
    query: wholeList,
    answers: { 200: listOf(model, 'ModelList') },
  },
  'GET /v1/models/{name}': {
    id: 'getModel',
    scope: 'context:read',
    summary: 'One model, with its context window and the prices the project set',
    description:
      'Returns a model of the registry or of an override. The name may have a date or the prefix of a provider, as ' +
      'threads name it.',
    params: z.object({ name: modelName.describe('The model; a slash in it is sent as %2F.') }),
    answers: { 200: model },
  },
  'PUT /v1/models/{name}': {
    id: 'overrideModel',
    scope: 'admin',
    summary: 'Replace what the project says of a model: its context window and its prices',
    description:
      "Replaces the project's override of a model: fields that are left out are removed. Prices apply to " +
      'future attempts. A model that the registry does not know needs a `context_window`.',
    params: z.object({ name: modelName.describe('The model; a slash in it is sent as %2F.') }),
    body: modelOverride,
    example: {
      body: { context_window: 128000, input_price: 0.15, output_price: 0.6, cached_input_price: 0.075 },
    },
    answers: { 200: model },
  },
  'DELETE /v1/models/{name}': {
    id: 'removeOverride',
    scope: 'admin',
    summary: "Remove an override: the registry's word counts again",
    description:
      'Removes an override and its prices. The registry applies again, or the smallest window for an ' +
      'unknown model.',
    params: z.object({ name: modelName.describe('The model; a slash in it is sent as %2F.') }),
    answers: { 204: null },
  },
  'GET /v1/keys': {
    id: 'listKeys',
    scope: 'admin',
    summary: 'Keys of the project, revoked ones too',
    description:
      'Lists all keys of the project, the newest first, revoked and expired ones too. The keys themselves are ' +
      'never shown again.',
    query: longList,
    answers: { 200: keyList },
  },
  'POST /v1/keys': {
    id: 'createKey',
    scope: 'admin',
    summary: 'Make a key',
    description:
      'Creates a key and shows it once; only its hash is stored. A session can do this within five minutes ' +
      'after it has shown its own key.',
    body: keyCreate,
    example: {
      body: {
        name: 'support agent',
        scopes: ['messages:write', 'context:read', 'outputs:read'],
        expires_at: '2099-11-01T00:00:00Z',
        max_chat_tokens_per_day: 1_000_000,
      },
    },
    answers: { 201: keyCreated },
  },
  'PATCH /v1/keys/{id}': {
    id: 'changeKey',
    scope: 'admin',
    summary: 'Rename a key, or change its budget of tokens',
    description:
      'Changes the fields that the body names. What was spent today counts under the new budget, and a raised ' +
      'one holds at once.',
    params: z.object({ id: keyId.describe('The id of the key, as the list has it.') }),
    body: keyPatch,
    example: { body: { max_chat_tokens_per_day: 2_000_000 } },
    answers: { 200: key },
  },
  'DELETE /v1/keys/{id}': {
    id: 'revokeKey',
    scope: 'admin',
    summary: 'Revoke a key, and the sessions begun with it',
    description:
      'Revokes a key with its sessions and thread tokens; they stop working within seconds. The last admin ' +
      'key cannot be revoked. It cannot be undone.',
    params: z.object({ id: keyId.describe('The id of the key, as the list has it.') }),
    answers: { 204: null },
  },
  'GET /v1/audit': {
    id: 'listAudit',
    scope: 'admin',
    summary: 'The audit log, newest first',
    description:
      'Lists who did what, newest first. Refused requests and changes that the service made are included.',
    query: auditQuery,
    example: { query: { action: 'key.created', limit: 50 } },
    answers: { 200: auditList },
  },
  'GET /v1/audit/export': {
    id: 'exportAudit',
    scope: 'admin',
    cost: 'heavy',
    summary: 'The audit log as JSON lines, newest first',
    description:
      'Streams every matching entry of the audit log as JSON lines, newest first, at the pace of the ' +
      'reader.',
    query: auditExportQuery,
    example: { query: { from: '2026-11-01T00:00:00Z' } },
    answers: { 200: 'application/x-ndjson' },
  },
  'GET /v1/system': {
    id: 'getSystem',
    scope: 'admin',
    summary: 'The parts of this service, their versions and how it is set up',
    description:
      'Returns versions, the summary model and the effective settings of the service, without secrets.',
    query: none,
    answers: { 200: system },
  },
  'GET /v1/sessions/current': {
    id: 'currentSession',
    scope: 'any',
    summary: 'Whose key or session this is, and what it may do',
    description: 'Returns the project, the key and the scopes of the caller. Use it to check a key.',
    query: none,
    answers: { 200: sessionCurrent },
  },
  'POST /v1/sessions': {
    id: 'startSession',
    scope: 'any',
    summary: "Begin a session: a token that stands for the request's key for some hours",
    description:
      'Begins a session for the key of the request, so that a browser need not store the key. The token is ' +
      'shown once. A session cannot begin another one.',
    answers: { 201: sessionStarted },
  },
  'POST /v1/sessions/current/proof': {
    id: 'proveSession',
    scope: 'any',
    summary: 'Show the key of a session again; for five minutes the session may make credentials',
    description:
      'Shows the key of a session again. For the next five minutes the session may create keys and ' +
      'thread tokens, and set upstreams and the URLs and secrets of webhooks. A session that keeps guessing is refused with 429.',
    body: sessionProof,
    example: { body: { key: 'sw_the-key-of-this-session' } },
    answers: { 204: null },
  },
  'DELETE /v1/sessions/current': {
    id: 'endSession',
    scope: 'any',
    summary: 'End the session whose token the request carries',
    description:
      'Ends the session of the request; its token stops working within seconds. With a key it does nothing.',
    answers: { 204: null },
  },
  'GET /healthz': {
    id: 'health',
    summary: 'The process is up',
    description:
      'Answers as long as the process accepts requests. It checks nothing else, so use it to decide on a ' +
      'restart.',
    answers: { 200: health },
    scope: 'open',
  },
  'GET /readyz': {
    id: 'ready',
    summary: 'Postgres answers; Redis is reported',
    description:
      'Answers 200 when Postgres answers, else 503. Redis is reported and not required: without it workers ' +
      'poll compactions start later. Use it to decide where requests go.',
    answers: { 200: readiness, 503: readiness },
    scope: 'open',
  },
};
