import { z } from 'zod';
import { whole } from '../quantities.js';
import { modelHealth, readiness } from './health.js';
import { fixedContent } from '../threads/thread.js';
import { timestamp } from '../text.js';

export const concern = z
  .object({
    kind: z
      .string()
      .describe(
        'compaction_paused, model_failing, context_refused, parked, last_admin_key_expires, unknown_model, history_not_found, summary_proposed, chat_budget_spent, key_budget_spent, summary_budget_spent, due_for_long, backing_off_for_long, near_limit, outputs_corrupt, outputs_expiring, sweep_refused, sweep_failed, webhook_disabled or webhook_failing; more may come.',
      ),
    severity: z.enum(['act', 'watch']).describe('act: it needs a person.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why they are parked, what is paused and since when, when the last admin key expires or did, the unknown models, how many calls were found in no thread, the error of the model, the tokens that summaries or model calls of agents took today, in the project or with which keys (named where the caller may list keys), why the storage was not swept, or why a webhook was disabled.',
      ),
    count: whole.describe(
      'Of compaction_paused, the threads that are due. Of key_budget_spent, the keys; `reason` names five at most. Of outputs, and of threads with the window of an unknown model, at most 1,000 are counted; of context_refused, at most 20 threads are checked.',
    ),
    at_least: z
      .boolean()
      .describe(
        'More threads may have the problem: of context_refused, those beyond the 20 that were checked count as parked.',
      ),
    thread_ids: z.array(z.string()).describe('Up to five of them.'),
    detail: fixedContent
      .nullable()
      .describe('Of context_refused: the numbers of the first thread that is named.'),
    page: z.string().describe('The page of the console that shows them.'),
  })
  .meta({ id: 'Concern', description: 'Something that a person should look at.' });

export const attention = z
  .object({
    concerns: z.array(concern).describe('The most severe first; empty when there is nothing to do.'),
    health: readiness
      .extend({
        model: modelHealth.nullable().describe('The summary model; null when the policy is extractive.'),
        workers: whole
          .nullable()
          .describe(
            'Workers with a connection to Redis that was used within the last 20 s; null when Redis is unavailable. One that hangs is counted for up to 31 s.',
          ),
        last_attempt_at: timestamp.nullable().describe('When a worker last did something for this project.'),
        oldest_due_ms: whole
          .nullable()
          .describe(
            'For how long a worker could have claimed the oldest due thread; null without one, and while compaction is paused.',
          ),
        storage: z
          .object({
            output_bytes: whole.describe('Bytes of the outputs that can be read, pinned ones included.'),
            max_bytes: whole.describe('Above this the sweep removes the oldest: `outputs.max_bytes`.'),
          })
          .describe('What stored outputs take.'),
        counts: z
          .object({
            due: whole.describe('Wait for a worker.'),
            proposed: whole.describe('Their proposed summary waits for an approval.'),
            running: whole.describe('A worker compacts them.'),
            backoff: whole.describe('Failed, and are retried later.'),
            parked: whole.describe('Not retried without a change by a person.'),
          })
          .describe('Threads by the state of their compaction.'),
      })
      .describe('Whether every part of the service works.'),
  })
  .meta({ id: 'Attention' });
