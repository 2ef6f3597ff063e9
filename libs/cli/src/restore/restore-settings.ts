import { SpillwayError, type Schemas, type Spillway } from '@spillway/client';
import type { ProjectSettings } from '../backup/project-settings.js';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';

/** What became of the settings that have secrets or addresses. */
export interface RestoredSettings {
  /** New secrets: those of the backed up webhooks are not in the file. */
  webhooks: { url: string; secret: string }[];
  /** What a person has to do. */
  todo: string[];
}

/**
 * Puts policy and models in place, before the threads whose budgets follow from them. Throws `CommandError` when the
 * project has another policy.
 */
export async function restorePolicy(spillway: Spillway, { policy, models }: ProjectSettings): Promise<void> {
  const now = await spillway.call<Schemas['ProjectPolicy']>({ method: 'GET', path: '/v1/policy' });
  const [was, is] = [inOrder(policy), inOrder(now.policy)];
  if (is !== '{}' && is !== was)
    throw new CommandError(
      'policy_differs',
      'The project has a policy of its own, which is not that of the backup.',
      'Restore into an empty project, or call again with --threads-only, which keeps the settings of the project.',
      exitCode.conflict,
    );
  if (is !== was) await spillway.call({ method: 'PUT', path: '/v1/policy', body: policy });
  for (const { name, override } of models)
    await spillway.call({ method: 'PUT', path: `/v1/models/${encodeURIComponent(name)}`, body: override });
}

/** JSON that does not depend on the order of keys. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/**
 * Adds the webhooks and upstreams, after the threads: a webhook is not told of threads that it knew. One that the server
 * refuses is named and left out.
 */
export async function restoreReceivers(
  spillway: Spillway,
  { webhooks, upstreams }: ProjectSettings,
): Promise<RestoredSettings> {
  const restored: RestoredSettings = { webhooks: [], todo: [] };
  const { data: there } = await spillway.call<Schemas['WebhookList']>({
    method: 'GET',
    path: '/v1/webhooks',
  });
  for (const { url, enabled, ...rest } of webhooks) {
    if (there.some((one) => one.url === url)) continue;
    await named(restored, `Add the webhook ${url}`, async () => {
      const body = { url, ...rest };
      const made = await spillway.call<Schemas['WebhookCreated']>({
        method: 'POST',
        path: '/v1/webhooks',
        body,
        // A second one would tell of each event twice, under a secret that nobody saw.
        isRepeatable: false,
      });
      if (!enabled)
        await spillway.call({ method: 'PATCH', path: `/v1/webhooks/${made.id}`, body: { enabled } });
      restored.webhooks.push({ url, secret: made.secret });
    });
  }
  for (const { provider, base_url, models, has_key: hasKey } of upstreams) {
    if (hasKey)
      restored.todo.push(`Put the upstream of ${provider} (${base_url}) with its key: no backup holds it.`);
    else
      await named(restored, `Put the upstream of ${provider}`, () =>
        spillway.call({ method: 'PUT', path: `/v1/upstreams/${provider}`, body: { base_url, models } }),
      );
  }
  return restored;
}

async function named({ todo }: RestoredSettings, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SpillwayError) || error.status < 400 || error.status >= 500) throw error;
    todo.push(`${what} yourself: ${error.message}`);
  }
}
