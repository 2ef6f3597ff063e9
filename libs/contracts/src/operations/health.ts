import { z } from 'zod';
import { whole } from '../quantities.js';
import { timestamp } from '../text.js';

export const health = z
  .object({ status: z.literal('ok').describe('Always ok: an answer is the proof.') })
  .meta({ id: 'Health' });

export const modelHealth = z
  .object({
    state: z
      .enum(['ok', 'failing', 'unknown'])
      .describe('failing: the last attempts failed at the provider; unknown: no call within a week.'),
    failing_since: timestamp.nullable().describe('The first failure since the last success.'),
    failures: whole.describe('Attempts that failed at the provider since then.'),
    last_error: z.string().nullable().describe('What the last failure said; null without one.'),
    last_failure_at: timestamp.nullable().describe('Null without one.'),
    last_ok_at: timestamp.nullable().describe('Null without one.'),
    next_try_at: timestamp.nullable().describe('When the first waiting thread is tried again.'),
    waiting: whole.describe('Threads that wait for the next try.'),
  })
  .meta({ id: 'ModelHealth' });

export const readiness = z
  .object({
    status: z
      .enum(['ready', 'degraded', 'unavailable'])
      .describe(
        'ready: all that is set up works; degraded: Redis is down or read-only, or the storage of outputs is down; ' +
          'unavailable: without Postgres, or with tables that are too old.',
      ),
    postgres: z
      .enum(['ok', 'down', 'outdated'])
      .describe(
        'Required for every request. `down` also while it takes no writes, as a standby. `outdated`: its tables are ' +
          'older than this version of Spillway, so requests would fail; run the program that migrates.',
      ),
    redis: z
      .enum(['ok', 'read_only', 'down', 'none'])
      .describe(
        'Reported, not required: compaction polls Postgres without it. `read_only`: it answers and takes no writes, ' +
          'because its memory or its disk is full, or as a replica. `none`: the service is set up without Redis.',
      ),
    outputs: z
      .enum(['ok', 'down'])
      .describe(
        'Whether the storage of outputs takes writes, as of the last 30 s. `down`: appends with a tool result over the ' +
          'limit are 503, other requests are served.',
      ),
  })
  .meta({ id: 'Readiness', description: 'Whether the service can serve requests.' });
