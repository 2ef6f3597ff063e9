import { z } from 'zod';
import { modelHealth, readiness } from './health.js';

/** The components of this service and their configuration, without secrets. */
export const system = z
  .object({
    readiness,
    versions: z.object({ spillway: z.string(), node: z.string(), postgres: z.string().nullable() }),
    model: z
      .object({
        provider: z.string(),
        name: z.string().nullable(),
        base_url: z.string().nullable().describe("Null: the provider's own address."),
        has_key: z.boolean(),
        health: modelHealth.describe('Of this project.'),
      })
      .nullable()
      .describe('The configured model; null without a provider.'),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('Effective environment variables, without passwords and keys.'),
  })
  .meta({ id: 'System' });
