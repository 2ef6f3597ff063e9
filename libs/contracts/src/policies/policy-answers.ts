import { z } from 'zod';
import { whole } from '../quantities.js';
import { clientId } from '../text.js';
import { policyInput } from './policy.js';

const effective = z.record(z.string(), z.unknown()).describe('Every key with its effective value.');
const sources = z
  .record(z.string(), z.string())
  .describe(
    'The source of each key, such as `context.trigger_ratio`: default, preset:<name>, server, project or thread.',
  );

const explained = {
  effective,
  sources,
  inherited: z
    .object({ effective, sources })
    .describe('The same without this level: the values that unset keys have.'),
};

const version = z
  .string()
  .describe('Changes with the policy. With If-Match, a change applies to this version only.');

/** The project's policy: the keys it sets, and the effective policy. */
export const projectPolicy = z
  .object({ policy: policyInput.describe('The keys that this level sets itself.'), ...explained, version })
  .meta({ id: 'ProjectPolicy' });

/** A policy as GET answers it. What applies is shown there and cannot be changed here. */
export const returnedPolicy = z
  .strictObject({
    policy: policyInput.describe('Replaces the keys that this level sets itself.'),
    version: version
      .max(100)
      .optional()
      .describe('The version that the change was made from, as with If-Match. Default: any version.'),
    effective: effective.optional().describe('Read-only: as GET answers it.'),
    sources: sources.optional().describe('Read-only: as GET answers it.'),
    inherited: explained.inherited.optional().describe('Read-only: as GET answers it.'),
  })
  .meta({ id: 'ReturnedPolicy' });

export const policyBudget = z
  .object({
    context_window: whole.describe('Tokens that the model accepts, input and output together.'),
    limit: whole.describe('No context is larger.'),
    trigger: whole.describe('Live tokens at which compaction is due.'),
  })
  .meta({ id: 'PolicyBudget', description: 'The budget in tokens that follows from a policy and a model.' });

export const threadPolicy = z
  .object({
    policy: policyInput.describe('The keys that the thread sets itself.'),
    ...explained,
    budget: policyBudget,
    version,
  })
  .meta({ id: 'ThreadPolicy' });

export const policySchema = z.record(z.string(), z.unknown()).meta({ id: 'PolicySchema' });

export const policyPreviewRequest = z
  .strictObject({
    policy: policyInput.describe('The draft.'),
    thread_id: clientId.optional().describe("The thread whose policy this is. Default: the project's."),
  })
  .meta({ id: 'PolicyPreviewRequest' });

/** The effect of a policy if it was saved, and its problems. */
export const policyPreview = z
  .object({
    ...explained,
    budget: policyBudget
      .nullable()
      .describe("The thread's budget; null for a project, whose threads have different windows."),
    problems: z
      .array(
        z.object({
          path: z.string().describe('JSON pointer into the policy.'),
          message: z.string().describe('What is wrong there.'),
        }),
      )
      .describe('What would refuse the policy; empty when it can be saved.'),
  })
  .meta({ id: 'PolicyPreview' });
