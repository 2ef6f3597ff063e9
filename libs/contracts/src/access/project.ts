import { z } from 'zod';
import { listOf } from '../list.js';
import { plainText, timestamp } from '../text.js';

export const projectCreate = z
  .strictObject({
    name: plainText(100)
      .refine((name) => name.trim() === name && name !== '', 'must have text, and no spaces around it')
      .describe('Unique in the service.'),
  })
  .meta({ id: 'ProjectCreate' });

export const project = z
  .object({
    id: z.uuid().describe('Names it to the operator.'),
    name: z.string().describe('As the operator named it.'),
    created_at: timestamp.describe('When it was created.'),
    admin_keys: z
      .number()
      .int()
      .min(0)
      .describe('Keys with the scope admin that work. Without one, only the operator can make another.'),
    erased_at: timestamp
      .nullable()
      .describe(
        'When its erasure was asked for. It stays in the list for a day, while remains are looked for.',
      ),
    suspended_at: timestamp
      .nullable()
      .describe('Since when all its requests are refused; null while they are served.'),
    compaction_paused_at: timestamp
      .nullable()
      .describe('Since when no worker compacts its threads; null unless its own compaction is paused.'),
  })
  .meta({ id: 'Project', description: 'A tenant: nothing of one project is visible in another.' });

export const projectCreated = project
  .extend({ key: z.string().describe('Its first key, with the scope admin. Shown only now.') })
  .meta({ id: 'ProjectCreated' });

export const projectList = listOf(project, 'ProjectList');
export const projectErasure = z
  .strictObject({ name: plainText(100).describe('Its name, so that a wrong id erases nothing.') })
  .meta({ id: 'ProjectErasure' });
export const projectId = z.object({ id: z.uuid().describe('The id of the project, as the list has it.') });

export const adminKeyCreate = z
  .strictObject({
    name: plainText(100).min(1).describe('To recognize it in lists and in the audit log.'),
  })
  .meta({ id: 'AdminKeyCreate' });
