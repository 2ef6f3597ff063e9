import { z } from 'zod';
import { listOf } from '../list.js';
import { tokensPerDay, whole } from '../quantities.js';
import { futureTime, plainText, timestamp } from '../text.js';

/** The scopes of a key. `admin` includes all others. */
export const scope = z
  .enum(['messages:write', 'context:read', 'outputs:read', 'threads:manage', 'admin'])
  .meta({ id: 'Scope', description: 'What a key may do.' });
export type Scope = z.infer<typeof scope>;

const name = plainText(100).min(1).describe('To recognize it in lists and in the audit log.');
const maxChatTokensPerDay = tokensPerDay.describe(
  'Input and output tokens that model calls of agents may take with this key on a day in UTC, through /chat and the proxies, with its thread tokens and sessions. Once they are spent, further calls get a 429 until the next day. The budget of the project holds as well. Null: any number.',
);

export const keyCreate = z
  .strictObject({
    name,
    scopes: z.array(scope).min(1).max(5).describe('What it may do. admin includes all others.'),
    expires_at: futureTime
      .nullable()
      .optional()
      .describe('When it expires; null: never. Default: never, or after 90 days when a session creates it.'),
    max_chat_tokens_per_day: maxChatTokensPerDay.optional(),
  })
  .meta({ id: 'KeyCreate' });

export const keyPatch = z
  .strictObject({ name, max_chat_tokens_per_day: maxChatTokensPerDay })
  .partial()
  .meta({ id: 'KeyPatch' });

export const key = z
  .object({
    id: z.uuid().describe('Names it in the audit log, and to revoke it.'),
    name: z.string().describe('As given when it was created.'),
    prefix: z.string().describe('The start of the key, to recognize it.'),
    scopes: z.array(scope).describe('What it may do. admin includes all others.'),
    created_at: timestamp.describe('When it was created.'),
    expires_at: timestamp.nullable().describe('When it stops working; null: never.'),
    revoked_at: timestamp.nullable().describe('When it was revoked; null while it is not.'),
    last_used_at: timestamp.nullable().describe('To the minute; a session counts as its key.'),
    max_chat_tokens_per_day: maxChatTokensPerDay,
    chat_tokens_today: whole.describe(
      'Input and output tokens that model calls of agents took with this key, its thread tokens and sessions since midnight UTC.',
    ),
  })
  .meta({ id: 'Key', description: 'An API key, without the key itself.' });

export const keyCreated = key
  .extend({ key: z.string().describe('The key itself, shown only now.') })
  .meta({ id: 'KeyCreated' });

export const keyList = listOf(key, 'KeyList');
export const keyId = z.uuid();

export const sessionStarted = z
  .object({
    token: z.string().describe('Replaces the key until the session ends.'),
    expires_at: timestamp.describe('Latest end; half an hour without a request ends it earlier.'),
  })
  .meta({ id: 'SessionStarted' });

/** The key that the session was started with. */
export const sessionProof = z
  .strictObject({ key: plainText(200).min(1).describe('The key that the session was started with.') })
  .meta({ id: 'SessionProof' });

export const sessionCurrent = z
  .object({
    project: z
      .object({
        id: z.string().describe('Unique in the service.'),
        name: z.string().describe('As the operator named it.'),
      })
      .describe('The project of the key.'),
    key: z
      .object({
        id: z.string().describe('Names it in the audit log.'),
        name: z.string().describe('As given when it was created.'),
        prefix: z.string().describe('The start of the key, to recognize it.'),
      })
      .describe('The key that the request stands for.'),
    scopes: z.array(scope).describe('What this caller may do.'),
    is_session: z.boolean().describe('False when the request carries the key itself.'),
  })
  .meta({ id: 'SessionCurrent' });
