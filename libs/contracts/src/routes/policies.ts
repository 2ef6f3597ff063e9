import {
  policyInput,
  policyPreview,
  policyPreviewRequest,
  policySchema,
  projectPolicy,
  threadPolicy,
} from '../policies/policy.js';
import { policySimulate, policySimulation } from '../policies/policy-simulation.js';
import { none, threadId, type Route } from './route.js';

/** Policies, the sources of their values, and simulations. */
export const policiesRoutes: Record<string, Route> = {
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
    summary: "Replace the project's policy; with If-Match, only the version it names",
    body: policyInput,
    answers: { 200: projectPolicy },
  },
  'GET /v1/policy/schema': {
    id: 'getPolicySchema',
    scope: 'context:read',
    summary: 'JSON Schema of a policy, with descriptions, bounds, defaults and what the presets set',
    query: none,
    answers: { 200: policySchema },
  },
  'POST /v1/policy/preview': {
    id: 'previewPolicy',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'What a policy would mean if it were saved, and what speaks against it; changes nothing',
    body: policyPreviewRequest,
    answers: { 200: policyPreview },
  },
  'POST /v1/policy/simulate': {
    id: 'simulatePolicy',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'Replay a thread under another policy: when it would have been compacted; changes nothing',
    body: policySimulate,
    answers: { 200: policySimulation },
  },
  'GET /v1/threads/{id}/policy': {
    id: 'getThreadPolicy',
    scope: 'context:read',
    summary: "A thread's policy, what applies, and the budget that follows",
    params: threadId,
    query: none,
    answers: { 200: threadPolicy },
  },
};
