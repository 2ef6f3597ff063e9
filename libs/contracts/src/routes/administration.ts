import { z } from 'zod';
import { attention } from '../operations/attention.js';
import { auditExportQuery, auditList, auditQuery } from '../access/audit.js';
import {
  attemptsQuery,
  projectAttemptList,
  queue,
  queueQuery,
  queueRetried,
  queueRetry,
} from '../compaction/compaction.js';
import { health, readiness } from '../operations/health.js';
import {
  keyCreate,
  keyCreated,
  keyId,
  keyList,
  sessionCurrent,
  sessionProof,
  sessionStarted,
} from '../access/key.js';
import { listOf } from '../list.js';
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
    query: queueQuery,
    answers: { 200: queue },
  },
  'POST /v1/queue/retry': {
    id: 'retryQueue',
    scope: 'threads:manage',
    summary: 'Retry all parked threads, those of one reason, or all that back off',
    body: queueRetry,
    answers: { 200: queueRetried },
  },
  'GET /v1/compactions': {
    id: 'listProjectCompactions',
    scope: 'context:read',
    summary: 'Compaction attempts of all threads, newest first',
    query: attemptsQuery,
    answers: { 200: projectAttemptList },
  },
  'GET /v1/usage': {
    id: 'getUsage',
    scope: 'context:read',
    summary: 'What was recorded, served, saved and spent, by hour or day',
    query: usageQuery,
    answers: { 200: usage },
  },
  'GET /v1/attention': {
    id: 'getAttention',
    scope: 'context:read',
    summary: 'What a person should look at now, and whether everything runs',
    query: none,
    answers: { 200: attention },
  },
  'GET /v1/models': {
    id: 'listModels',
    scope: 'context:read',
    summary: 'Known models, with their context windows and the prices the project set',
    query: none,
    answers: { 200: listOf(model, 'ModelList') },
  },
  'PUT /v1/models/{name}': {
    id: 'overrideModel',
    scope: 'admin',
    summary: 'Replace what the project says of a model: its context window and its prices',
    params: z.object({ name: modelName }),
    body: modelOverride,
    answers: { 200: model },
  },
  'DELETE /v1/models/{name}': {
    id: 'removeOverride',
    scope: 'admin',
    summary: "Remove an override: the registry's word counts again",
    params: z.object({ name: modelName }),
    answers: { 204: null },
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
  'GET /v1/audit/export': {
    id: 'exportAudit',
    scope: 'admin',
    cost: 'heavy',
    summary: 'The audit log as JSON lines, newest first',
    query: auditExportQuery,
    answers: { 200: 'application/x-ndjson' },
  },
  'GET /v1/system': {
    id: 'getSystem',
    scope: 'admin',
    summary: 'The parts of this service, their versions and how it is set up',
    query: none,
    answers: { 200: system },
  },
  'GET /v1/sessions/current': {
    id: 'currentSession',
    scope: 'any',
    summary: 'Whose key or session this is, and what it may do',
    query: none,
    answers: { 200: sessionCurrent },
  },
  'POST /v1/sessions': {
    id: 'startSession',
    scope: 'any',
    summary: "Begin a session: a token that stands for the request's key for some hours",
    answers: { 201: sessionStarted },
  },
  'POST /v1/sessions/current/proof': {
    id: 'proveSession',
    scope: 'any',
    summary: 'Show the key of a session again; for the next five minutes the session may make keys',
    body: sessionProof,
    answers: { 204: null },
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
