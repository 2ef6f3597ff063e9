import { z } from 'zod';
import { timestamp } from '../text.js';

export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const modelHealth = z
  .object({
    state: z
      .enum(['ok', 'failing', 'unknown'])
      .describe('failing: the last attempts failed at the provider; unknown: no call within a week.'),
    failing_since: timestamp.nullable().describe('The first failure since the last success.'),
    failures: z.number().int().describe('Attempts that failed at the provider since then.'),
    last_error: z.string().nullable(),
    last_failure_at: timestamp.nullable(),
    last_ok_at: timestamp.nullable(),
    next_try_at: timestamp.nullable().describe('When the first waiting thread is tried again.'),
    waiting: z.number().int().describe('Threads that wait for the next try.'),
  })
  .meta({ id: 'ModelHealth' });

export const readiness = z
  .object({
    status: z.enum(['ready', 'degraded', 'unavailable']),
    postgres: z.enum(['ok', 'down']),
    redis: z.enum(['ok', 'down']).describe('Reported, not required: compaction polls Postgres without it.'),
  })
  .meta({ id: 'Readiness' });
