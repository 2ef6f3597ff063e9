import { z } from 'zod';
import { modelHealth, readiness } from './health.js';

/** The components of this service and their configuration, without secrets. */
export const system = z
  .object({
    readiness,
    versions: z
      .object({
        spillway: z.string().describe('As in package.json.'),
        node: z.string().describe('The Node.js of this API process.'),
        postgres: z.string().nullable().describe('Null when Postgres does not answer.'),
      })
      .describe('Of the programs that run.'),
    model: z
      .object({
        provider: z.string().describe('As in SPILLWAY_LLM_PROVIDER.'),
        name: z.string().nullable().describe('As in SPILLWAY_LLM_MODEL; null when it is not set.'),
        base_url: z.string().nullable().describe("Null: the provider's own address."),
        has_key: z.boolean().describe('A key of the provider is set.'),
        health: modelHealth.describe('Of this project.'),
      })
      .nullable()
      .describe('The configured model; null without a provider.'),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('Effective environment variables, without passwords and keys.'),
  })
  .meta({ id: 'System' });
