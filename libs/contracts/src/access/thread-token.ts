import { z } from 'zod';
import { listOf } from '../list.js';
import { timestamp } from '../text.js';
import { scope } from './key.js';

/** Lifetimes of a thread token in seconds. */
export const threadTokenLifetime = { min: 60, default: 3_600, max: 86_400 };

const scopes = z
  .array(scope.exclude(['admin']))
  .min(1)
  .max(4);

export const threadTokenCreate = z
  .strictObject({
    scopes: scopes.describe('Some of the scopes of the key that issues it.'),
    ttl_s: z
      .number()
      .int()
      .min(threadTokenLifetime.min)
      .max(threadTokenLifetime.max)
      .optional()
      .describe('Seconds until it ends; it never outlives its key. Default: 3600.'),
  })
  .meta({ id: 'ThreadTokenCreate' });

const threadToken = z
  .object({
    id: z.uuid(),
    thread_id: z.string(),
    key_id: z.uuid().describe('The key that issued it.'),
    scopes: z.array(scope),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'ThreadToken' });

export const threadTokenCreated = threadToken
  .extend({ token: z.string().describe('The token itself, shown only now: sent as a key is.') })
  .meta({ id: 'ThreadTokenCreated' });

export const threadTokenList = listOf(threadToken, 'ThreadTokenList');
export const threadTokenId = z.uuid();
