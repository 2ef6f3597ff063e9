import { allWebhooks, replaceSecrets, type WebhookRow } from '@spillway/store';
import { randomBytes } from 'node:crypto';
import type { Runtime } from '../runtime.js';

/** The owner of a webhook's sealed secret: in another row it does not open. */
export const ownerOf = ({ projectId, id }: Pick<WebhookRow, 'projectId' | 'id'>): string =>
  `${projectId}/${id}`;

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Until when the secret that was replaced signs too; null when none does. */
export function overlapUntil(
  { previousSecret, previousSecretUntil: until }: WebhookRow,
  now: Date,
): Date | null {
  return previousSecret !== null && until !== null && until > now ? until : null;
}

/** The secrets that sign now: the current one, and the previous one during its overlap. */
export function signingSecrets(rt: Runtime, webhook: WebhookRow, now: Date): string[] {
  const previous = overlapUntil(webhook, now) === null ? null : webhook.previousSecret;
  return [webhook.secret, previous]
    .filter((one) => one !== null)
    .map((one) => rt.secrets.open(one, ownerOf(webhook)));
}

/**
 * Encrypts secrets that were stored before a key was configured, or with an older key. Runs at each start, in many
 * processes at once; a secret that was replaced meanwhile stays. One that no key opens stays as it is. Returns how many
 * changed.
 */
export async function sealWebhookSecrets(rt: Runtime): Promise<number> {
  let changed = 0;
  for (const webhook of await allWebhooks(rt.store)) {
    const stored = [webhook.secret, webhook.previousSecret].filter((one) => one !== null);
    if (!stored.some((one) => rt.secrets.isStale(one))) continue;
    const again = (one: string) => rt.secrets.seal(rt.secrets.open(one, ownerOf(webhook)), ownerOf(webhook));
    const { secret, previousSecret } = webhook;
    let sealed: { secret: string; previousSecret: string | null };
    try {
      sealed = {
        secret: again(secret),
        previousSecret: previousSecret === null ? null : again(previousSecret),
      };
    } catch (error) {
      rt.log.error(
        { err: error, webhook: webhook.id },
        'the secret of a webhook cannot be opened: rotate it',
      );
      continue;
    }
    changed += await replaceSecrets(rt.store, webhook, sealed);
  }
  return changed;
}
