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
    id: z.uuid().describe('Names it in the audit log, and to revoke it.'),
    thread_id: z.string().describe('The only thread that it is valid for.'),
    key_id: z.uuid().describe('The key that issued it.'),
    key_name: z.string().describe('The name of that key.'),
    scopes: z.array(scope).describe('What it may do in this thread.'),
    created_at: timestamp.describe('When it was issued.'),
    expires_at: timestamp.describe('When it stops working.'),
  })
  .meta({ id: 'ThreadToken', description: 'A credential for one thread, without the token itself.' });

export const threadTokenCreated = threadToken
  .extend({ token: z.string().describe('The token itself, shown only now: sent as a key is.') })
  .meta({ id: 'ThreadTokenCreated' });

export const threadTokenList = listOf(threadToken, 'ThreadTokenList');
export const threadTokenId = z.uuid();
