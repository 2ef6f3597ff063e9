import { z } from 'zod';
import { listOf } from '../list.js';
import { askedModel, plainText, timestamp } from '../text.js';

export const upstreamProvider = z.enum(['openai', 'anthropic', 'google']);

export const upstreamPut = z
  .strictObject({
    base_url: plainText(2_000)
      .min(1)
      .optional()
      .describe(
        "Where the API answers, as the provider's SDK takes it, with `/v1` where there is one (Google: `/v1beta`). An https URL of a " +
          "public host; the operator can allow private hosts and http to them. Left out: the provider's own address.",
      ),
    key: z
      .string()
      .regex(/^[\x21-\x7e]{1,500}$/, 'must be 1-500 visible ASCII characters without spaces')
      .nullable()
      .optional()
      .describe(
        'The key at the provider, which is stored encrypted and never shown again. Null: none is sent. Left out: the ' +
          'stored one stays, as long as `base_url` does.',
      ),
    models: z
      .array(askedModel)
      .max(1_000)
      .optional()
      .describe(
        'The models that may be called; the first is the default of `/chat`. Empty or left out: all.',
      ),
  })
  .meta({ id: 'UpstreamPut' });

export const upstream = z
  .object({
    provider: upstreamProvider.describe('Whose API it speaks.'),
    base_url: z.string().describe('Where model calls go.'),
    has_key: z.boolean().describe('A key goes with them.'),
    models: z.array(z.string()).describe('The models that may be called; empty: all.'),
    created_at: timestamp.describe('When it was created.'),
    changed_at: timestamp.describe('When it was last put.'),
  })
  .meta({ id: 'Upstream', description: "Where a project's model calls go, without the key." });

export const upstreamList = listOf(upstream, 'UpstreamList');
