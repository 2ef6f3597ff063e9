import { whenAvailable } from '../operations/when-available.js';
import type { Runtime } from '../runtime.js';
import { sealUpstreamKeys } from '../upstreams/upstream-key.js';
import { sealWebhookSecrets } from '../webhooks/webhook-secret.js';

/**
 * Encrypts stored secrets again that are plain or encrypted with an older key. Runs at each start, in many processes at
 * once. What cannot be encrypted stays as it is and keeps no process from serving.
 */
export const sealStoredSecrets = (rt: Runtime): Promise<void> =>
  whenAvailable(rt, 'the encryption of stored secrets', async () => {
    await sealWebhookSecrets(rt);
    await sealUpstreamKeys(rt);
  }).catch((error: unknown) =>
    rt.log.error({ err: error }, 'stored secrets could not be encrypted again; the next start repeats it'),
  );
