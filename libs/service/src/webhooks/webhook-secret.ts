import { allWebhooks, asService, databaseTime, replaceSecrets, type WebhookRow } from '@spillway/store';
import { randomBytes } from 'node:crypto';
import type { Runtime } from '../runtime.js';

/** The owner of a webhook's sealed secret: in another row it does not open. */
export const ownerOf = ({ projectId, id }: Pick<WebhookRow, 'projectId' | 'id'>): string =>
  `${projectId}/${id}`;

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The webhooks with their previous secrets only while these still sign. The clock of the database decides, because it set
 * the end: that of a process may be off.
 */
export async function withinOverlap(rt: Runtime, webhooks: readonly WebhookRow[]): Promise<WebhookRow[]> {
  if (webhooks.every(({ previousSecret }) => previousSecret === null)) return [...webhooks];
  const now = await databaseTime(rt.store.query);
  return webhooks.map((webhook) =>
    isOverAt(webhook, now) ? { ...webhook, previousSecret: null, previousSecretUntil: null } : webhook,
  );
}

const isOverAt = ({ previousSecretUntil: until }: WebhookRow, now: number): boolean =>
  until === null || until.getTime() <= now;

/** Until when the secret that was replaced signs too; null when none does. Of a webhook of `withinOverlap`. */
export const overlapUntil = ({ previousSecret, previousSecretUntil: until }: WebhookRow): Date | null =>
  previousSecret === null ? null : until;

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
 * The secrets that sign for a webhook of `withinOverlap`: the current one, and the previous one if a key opens it. Throws
 * when no key opens the current one.
 */
export function signingSecrets(rt: Runtime, webhook: WebhookRow): string[] {
  const kept = webhook.previousSecret;
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
  const webhooks = await allWebhooks(rt.store);
  const current = await asService(() => withinOverlap(rt, webhooks));
  for (const [at, webhook] of webhooks.entries()) {
    const { secret, previousSecret } = webhook;
    const isOver = current[at]!.previousSecret === null;
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
