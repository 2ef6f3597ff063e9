import { z } from 'zod';

export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const readiness = z
  .object({
    status: z.enum(['ready', 'degraded', 'unavailable']),
    postgres: z.enum(['ok', 'down']),
    redis: z.enum(['ok', 'down']).describe('Reported, not required: compaction polls Postgres without it.'),
  })
  .meta({ id: 'Readiness' });
