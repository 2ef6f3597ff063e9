import { z } from 'zod';
import {
  threadTokenCreate,
  threadTokenCreated,
  threadTokenId,
  threadTokenList,
} from '../access/thread-token.js';
import { wholeList } from '../list.js';
import { threadId, type Route } from './route.js';

/** Credentials for one thread. */
export const threadTokensRoutes: Record<string, Route> = {
  'POST /v1/threads/{id}/tokens': {
    id: 'createThreadToken',
    scope: 'any',
    summary: "Issue a short-lived token for this thread alone, with some of the key's scopes",
    description:
      'Issues a token that is valid for this thread alone, with some of the scopes of the key. The token is ' +
      'shown once; only its hash is stored. It ends with its lifetime, its key or its thread. A session issues ' +
      'tokens within five minutes of showing its key. A key has at most 100 live tokens for a thread: one more ' +
      'ends its oldest. All keys together have at most 1,000: then a key without one gets 409 `too_many_tokens`.',
    params: threadId,
    body: threadTokenCreate,
    example: { body: { scopes: ['messages:write', 'context:read'], ttl_s: 900 } },
    answers: { 201: threadTokenCreated },
  },
  'GET /v1/threads/{id}/tokens': {
    id: 'listThreadTokens',
    scope: 'any',
    summary: 'Live tokens of a thread: those of this key, or all with the scope threads:manage',
    description:
      'Lists the tokens of a thread that have neither ended nor been revoked, newest first. ' +
      'The tokens themselves are never shown again.',
    params: threadId,
    query: wholeList,
    answers: { 200: threadTokenList },
  },
  'DELETE /v1/threads/{id}/tokens/{token_id}': {
    id: 'revokeThreadToken',
    scope: 'any',
    summary: 'Revoke a token: one of this key, or any with the scope threads:manage',
    description: 'Revokes a token. It stops working within seconds.',
    params: z.object({
      id: threadId.shape.id,
      token_id: threadTokenId.describe('The id of the token, as the list has it.'),
    }),
    answers: { 204: null },
  },
};
