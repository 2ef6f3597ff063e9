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

/** Whether a key of this server opens a stored secret: not after the key that sealed it was lost. */
export function canOpen(rt: Runtime, webhook: Pick<WebhookRow, 'projectId' | 'id'>, stored: string): boolean {
  try {
    rt.secrets.open(stored, ownerOf(webhook));
    return true;
  } catch {
    return false;
  }
}

/**
 * The secrets that sign now: the current one, and the previous one during its overlap if a key opens it. Throws when no
 * key opens the current one.
 */
export function signingSecrets(rt: Runtime, webhook: WebhookRow, now: Date): string[] {
  const kept = overlapUntil(webhook, now) === null ? null : webhook.previousSecret;
  const previous = kept !== null && canOpen(rt, webhook, kept) ? kept : null;
  return [webhook.secret, previous]
    .filter((one) => one !== null)
    .map((one) => rt.secrets.open(one, ownerOf(webhook)));
}

/**
 * Encrypts secrets that were stored before a key was configured, or with an older key, and removes previous ones whose
 * overlap is over. Runs at each start, in many processes at once; a secret that was replaced meanwhile stays. One that
 * no key opens stays as it is, and keeps no other from being encrypted. Returns how many webhooks changed.
 */
export async function sealWebhookSecrets(rt: Runtime): Promise<number> {
  let changed = 0;
  for (const webhook of await allWebhooks(rt.store)) {
    const { secret, previousSecret } = webhook;
    const isOver = overlapUntil(webhook, new Date()) === null;
    const sealed = {
      secret: sealedAgain(rt, webhook, secret),
      previousSecret: previousSecret === null || isOver ? null : sealedAgain(rt, webhook, previousSecret),
    };
    if (sealed.secret === secret && sealed.previousSecret === previousSecret) continue;
    changed += await replaceSecrets(rt.store, webhook, sealed);
  }
  return changed;
}

/** A stored secret, encrypted with the current key if that can be done. */
function sealedAgain(rt: Runtime, webhook: WebhookRow, stored: string): string {
  if (!rt.secrets.isStale(stored)) return stored;
  try {
    return rt.secrets.seal(rt.secrets.open(stored, ownerOf(webhook)), ownerOf(webhook));
  } catch (error) {
    const what = stored === webhook.secret ? 'the secret' : 'the previous secret';
    rt.log.error({ err: error, webhook: webhook.id }, `${what} of a webhook cannot be opened: rotate it`);
    return stored;
  }
}
