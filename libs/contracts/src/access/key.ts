import { z } from 'zod';
import { listOf } from '../list.js';
import { plainText, timestamp } from '../text.js';

/** The scopes of a key. `admin` includes all others. */
export const scope = z
  .enum(['messages:write', 'context:read', 'outputs:read', 'threads:manage', 'admin'])
  .meta({ id: 'Scope' });
export type Scope = z.infer<typeof scope>;

export const keyCreate = z
  .strictObject({
    name: plainText(100).min(1),
    scopes: z.array(scope).min(1).max(5),
    expires_at: timestamp
      .nullable()
      .optional()
      .describe('When it expires; null: never. Default: never, or after 90 days when a session creates it.'),
  })
  .meta({ id: 'KeyCreate' });

const key = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().describe('The start of the key, to recognize it.'),
    scopes: z.array(scope),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    last_used_at: timestamp.nullable().describe('To the minute; a session counts as its key.'),
  })
  .meta({ id: 'Key' });

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
export const sessionProof = z.strictObject({ key: plainText(200).min(1) }).meta({ id: 'SessionProof' });

export const sessionCurrent = z
  .object({
    project: z.object({ id: z.string(), name: z.string() }),
    key: z.object({ id: z.string(), name: z.string(), prefix: z.string() }),
    scopes: z.array(scope),
    is_session: z.boolean().describe('False when the request carries the key itself.'),
  })
  .meta({ id: 'SessionCurrent' });
