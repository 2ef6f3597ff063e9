import { z } from 'zod';
import { listOf, page } from '../list.js';
import { plainText, timestamp } from '../text.js';

const filters = {
  actor: plainText(200)
    .optional()
    .describe(
      'key:<id> (with its sessions and thread tokens), session:<id>, token:<id>, address:<ip>, operator or service.',
    ),
  kind: z
    .enum(['changes', 'reads'])
    .optional()
    .describe('changes: without reads of content (`content.read`). reads: those alone.'),
  action: plainText(100).optional().describe('As key.created.'),
  target: plainText(400).optional().describe('Part of the target.'),
  from: timestamp.optional().describe('At this time or later.'),
  to: timestamp.optional().describe('Before this time.'),
};

export const auditExportQuery = z.strictObject(filters);
export const auditQuery = z.strictObject({ ...page, ...filters });

export const auditEntry = z
  .object({
    id: z.string().describe('Its place in the log: larger is newer.'),
    at: timestamp.describe('When it happened.'),
    actor: z
      .string()
      .describe('key:…, session:…, token:…, address:… of a request without a known key, operator or service'),
    actor_name: z
      .string()
      .nullable()
      .describe('The name of the key, also for its sessions and thread tokens.'),
    action: z.string().describe('What was done, such as key.created.'),
    target: z.string().describe('What it was done to.'),
    thread_id: z.string().nullable().describe('The thread of the entry, if it is known.'),
    detail: z.record(z.string(), z.unknown()).nullable().describe('More about it, by action; null without.'),
  })
  .meta({ id: 'AuditEntry', description: 'Who did what, and when.' });

export const auditList = listOf(auditEntry, 'AuditList');
