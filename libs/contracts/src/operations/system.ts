import { z } from 'zod';
import { modelHealth, readiness } from './health.js';

/** The parts of this service and how it is set up; secrets are left out. */
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
      .describe('The configured model; null when summaries are made by code and no model is called.'),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('Environment variables as they apply, passwords and keys left out.'),
  })
  .meta({ id: 'System' });
