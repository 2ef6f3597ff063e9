import {
  policyPreview,
  policyPreviewRequest,
  policySchema,
  projectPolicy,
  returnedPolicy,
  threadPolicy,
} from '../policies/policy-answers.js';
import { policyInput } from '../policies/policy.js';
import { policySimulate, policySimulation } from '../policies/policy-simulation.js';
import { z } from 'zod';
import { none, threadId, type Route } from './route.js';

/** Policies, the sources of their values, and simulations. */
export const policiesRoutes: Record<string, Route> = {
  'GET /v1/policy': {
    id: 'getPolicy',
    scope: 'context:read',
    summary: "The project's policy",
    description:
      'Returns the keys that the project sets, and every key with its effective value and its source.',
    query: none,
    answers: { 200: projectPolicy },
  },
  'PUT /v1/policy': {
    id: 'changePolicy',
    scope: 'admin',
    summary: "Replace the project's policy; with If-Match, only the version it names",
    description:
      "Replaces the project's policy: keys that are left out get their inherited values again. Threads " +
      'adopt it with their next message or context. With `If-Match`, another version is refused with 412, ' +
      'unless the policy is already as the body says: a retry is safe. Takes the policy alone, or what GET ' +
      'answered with another `policy`: `version` is then as If-Match, and the rest is read-only.',
    body: z.union([policyInput, returnedPolicy]),
    example: { body: { context: { trigger_ratio: 0.7 }, outputs: { threshold_tokens: 2000 } } },
    answers: { 200: projectPolicy },
  },
  'GET /v1/policy/schema': {
    id: 'getPolicySchema',
    scope: 'context:read',
    summary: 'JSON Schema of a policy, with descriptions, bounds, defaults and what the presets set',
    description:
      'Returns the JSON Schema of a policy, for forms and editors: descriptions, bounds, defaults and what ' +
      'each preset sets.',
    query: none,
    answers: { 200: policySchema },
  },
  'POST /v1/policy/preview': {
    id: 'previewPolicy',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'What a policy would mean if it were saved, and what speaks against it; changes nothing',
    description:
      'Returns what would apply if this policy was saved for the project or a thread, and the problems that ' +
      'would refuse it. Saves nothing.',
    body: policyPreviewRequest,
    example: { body: { policy: { context: { trigger_ratio: 0.5 } } } },
    answers: { 200: policyPreview },
  },
  'POST /v1/policy/simulate': {
    id: 'simulatePolicy',
    scope: 'context:read',
    cost: 'heavy',
    summary: 'Replay a thread under another policy: when it would have been compacted; changes nothing',
    description:
      "Replays the sizes of a thread's messages under a draft and under its current policy, with the " +
      'planner of real compactions. Calls no model and changes nothing; `assumptions` says what it takes ' +
      'for granted.',
    body: policySimulate,
    example: {
      body: { thread_id: 'support-42', policy: { context: { trigger_ratio: 0.5 } }, level: 'thread' },
    },
    answers: { 200: policySimulation },
  },
  'GET /v1/threads/{id}/policy': {
    id: 'getThreadPolicy',
    scope: 'context:read',
    summary: "A thread's policy, what applies, and the budget that follows",
    description:
      'Returns the keys that the thread sets, every key with its effective value and source, and the budget ' +
      'that follows.',
    params: threadId,
    query: none,
    answers: { 200: threadPolicy },
  },
};
