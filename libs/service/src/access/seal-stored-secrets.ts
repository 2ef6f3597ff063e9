import type { Runtime } from '../runtime.js';
import { sealUpstreamKeys } from '../upstreams/upstream-key.js';
import { sealWebhookSecrets } from '../webhooks/webhook-secret.js';

/**
 * Encrypts stored secrets again that are plain or encrypted with an older key. Runs at each start, in many processes at
 * once.
 */
export async function sealStoredSecrets(rt: Runtime): Promise<void> {
  await sealWebhookSecrets(rt);
  await sealUpstreamKeys(rt);
}
