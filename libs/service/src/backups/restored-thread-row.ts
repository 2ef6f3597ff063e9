import { formatNames, SpillwayError, type PolicyInput } from '@spillway/engine';
import { z } from 'zod';
import { refuseBadPolicy } from '../policies/policy-problems.js';
import type { Runtime } from '../runtime.js';
import { columnsOf, sourceOf } from '../threads/thread-input.js';
import { refuseBackup } from './backup-line.js';

const json = <T extends z.ZodType>(of: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(of);

/** Checks the bounds of a policy, as for one that is posted. Throws `invalid_request`. */
export type CheckPolicy = (policy: unknown) => PolicyInput;

/** The columns that decide about the others. */
const threadRow = z.looseObject({
  model: z.string().nullable(),
  system: z.string().nullable(),
  tools: json(z.array(z.unknown())).nullable(),
  format: z.enum(formatNames).nullable(),
  metadata: json(z.record(z.string(), z.string())),
  policy: json(z.record(z.string(), z.unknown())),
  calibration: z.number().positive(),
  measured_ratio: z.number().positive(),
  live_tokens: z.number().int().min(0),
});

/**
 * The row of a thread for this project: its budget follows from the policies and models of this server, and nobody works
 * on it. Keys that the project has locked since stay in its policy, unread, as in threads that are there. It is weighed
 * again with its next context. Throws `invalid_request` for a policy that this project refuses.
 */
export async function restoredThreadRow(
  rt: Runtime,
  projectId: string,
  { id, uid }: { id: string; uid: string },
  row: Readonly<Record<string, unknown>>,
  checkPolicy: CheckPolicy,
): Promise<Readonly<Record<string, unknown>> & { id: string }> {
  const { success, data } = threadRow.safeParse(row);
  if (!success) return refuseBackup('the row of the thread is not valid.');
  const { model, system, tools, format, metadata } = data;
  const input = { model, system, tools, format, metadata, policy: checkPolicy(data.policy) };
  const calibration = { calibration: data.calibration, measuredRatio: data.measured_ratio };
  const project = await rt.settings.project(projectId);
  const settings = await rt.settings
    .resolve(project, { ...sourceOf(input, calibration), policyVersion: 1 })
    .catch((error: unknown) => {
      if (error instanceof SpillwayError) throw error;
      return refuseBackup('the policy of the thread is not valid.', error);
    });
  refuseBadPolicy(settings, rt.summarizers);
  const budget = columnsOf(input, settings, calibration);
  return {
    ...data,
    tools: row.tools,
    metadata: row.metadata,
    policy: row.policy,
    id,
    uid,
    context_window: budget.contextWindow,
    limit_tokens: budget.limitTokens,
    trigger_tokens: budget.triggerTokens,
    summary_enabled: budget.summaryEnabled,
    needs_compaction: false,
    weighed_version: 0,
    prepared_generation: 0,
  };
}
