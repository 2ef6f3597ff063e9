import { asService } from './connection/scope.js';
import type { Store } from './connection/store.js';

export type WebhookRow = Awaited<ReturnType<Store['prisma']['webhook']['create']>>;
export type DeliveryRow = Awaited<ReturnType<Store['prisma']['webhookDelivery']['create']>>;

/** Newest first. */
export const listWebhooks = ({ prisma }: Store, projectId: string): Promise<WebhookRow[]> =>
  prisma.webhook.findMany({ where: { projectId }, orderBy: { createdAt: 'desc' } });

export const findWebhook = (
  { prisma }: Pick<Store, 'prisma'>,
  projectId: string,
  id: string,
): Promise<WebhookRow | null> => prisma.webhook.findFirst({ where: { projectId, id } });

export interface NewWebhook {
  id: string;
  projectId: string;
  url: string;
  description: string;
  types: string[];
  secret: string;
  /** Start position in the order of events. */
  afterXid: bigint;
}

/** Creates a webhook unless the project has `max` of them: then undefined. Two that come at once are counted in turn. */
export async function insertWebhook(
  { transaction, prisma }: Pick<Store, 'transaction' | 'prisma'>,
  { id, projectId, url, description, types, secret, afterXid }: NewWebhook,
  max: number,
): Promise<WebhookRow | undefined> {
  const isMade = await transaction(async (query) => {
    await query({ name: 'lock-project', text: 'SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE' }, [
      projectId,
    ]);
    const rows = await query(
      {
        name: 'insert-webhook',
        text: `INSERT INTO webhooks (project_id, id, url, description, types, secret, after_xid)
          SELECT $1::uuid, $2::uuid, $3::text, $4::text, $5::text[], $6::text, $7::bigint
          WHERE (SELECT count(*) FROM webhooks WHERE project_id = $1) < $8::int RETURNING id`,
      },
      [projectId, id, url, description, types, secret, String(afterXid), max],
    );
    return rows.length === 1;
  });
  return isMade ? ((await findWebhook({ prisma }, projectId, id)) ?? undefined) : undefined;
}

/** All webhooks of all projects, for the service itself. */
export const allWebhooks = ({ prisma }: Store): Promise<WebhookRow[]> =>
  asService(async () => await prisma.webhook.findMany());

/** Replaces the stored secrets of a webhook if they did not change meanwhile. */
export const replaceSecrets = (
  { prisma }: Store,
  {
    projectId,
    id,
    secret,
    previousSecret,
  }: Pick<WebhookRow, 'projectId' | 'id' | 'secret' | 'previousSecret'>,
  data: Pick<WebhookRow, 'secret' | 'previousSecret'>,
) =>
  asService(async () =>
    prisma.webhook
      .updateMany({ where: { projectId, id, secret, previousSecret }, data })
      .then(({ count }) => count),
  );

/** Changes a webhook that is as `only` says. Returns undefined when there is no such webhook. */
export async function updateWebhook(
  { prisma }: Store,
  projectId: string,
  id: string,
  data: Partial<
    Pick<
      WebhookRow,
      | 'url'
      | 'description'
      | 'types'
      | 'afterXid'
      | 'afterId'
      | 'failingSince'
      | 'disabledAt'
      | 'disabledReason'
      | 'secret'
      | 'previousSecret'
      | 'previousSecretUntil'
    >
  >,
  only: { secret?: string; disabledAt?: null | { not: null } } = {},
): Promise<WebhookRow | undefined> {
  const [row] = await prisma.webhook.updateManyAndReturn({ where: { projectId, id, ...only }, data });
  return row;
}

/** Removes a webhook with its deliveries. False when there is none. */
export async function deleteWebhook(store: Store, projectId: string, id: string): Promise<boolean> {
  const parameters = [projectId, id];
  const deliveries = 'DELETE FROM webhook_deliveries WHERE project_id = $1 AND webhook_id = $2';
  return store.transaction(async (query) => {
    // Deliveries are locked before their webhook, as where the end of one is recorded: it is looked for once they are
    // counted.
    const removed = await query(
      {
        name: 'delete-webhook',
        text: `WITH gone AS (${deliveries} RETURNING 1)
          DELETE FROM webhooks WHERE project_id = $1 AND id = $2 AND (SELECT count(*) FROM gone) >= 0 RETURNING id`,
      },
      parameters,
    );
    // Those of events that were fanned out while the statement waited for the webhook.
    await query({ name: 'delete-late-deliveries', text: deliveries }, parameters);
    return removed.length === 1;
  });
}

export const insertDelivery = (
  { prisma }: Store,
  delivery: Pick<DeliveryRow, 'projectId' | 'webhookId' | 'messageId' | 'type' | 'payload'>,
): Promise<DeliveryRow> => prisma.webhookDelivery.create({ data: delivery });

export const findDelivery = (
  { prisma }: Store,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | null> => prisma.webhookDelivery.findFirst({ where: { projectId, webhookId, id } });

/** Newest first, below `before`. */
export const listDeliveries = (
  { prisma }: Store,
  of: { projectId: string; webhookId: string; state?: string; before: bigint; limit: number },
): Promise<DeliveryRow[]> =>
  prisma.webhookDelivery.findMany({
    where: {
      projectId: of.projectId,
      webhookId: of.webhookId,
      position: { lt: of.before },
      ...(of.state === undefined ? {} : { state: of.state }),
    },
    orderBy: { position: 'desc' },
    take: of.limit,
  });
