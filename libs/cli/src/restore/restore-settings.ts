import { SpillwayError, type Schemas, type Spillway } from '@spillway/client';
import { readProjectSettings, type ProjectSettings } from '../backup/project-settings.js';
import { counted } from '../program/counted.js';
import { CommandError } from '../program/command.js';
import { exitCode } from '../program/exit-code.js';
import type { Failure } from './restore-threads.js';

/** What became of the settings that have secrets or addresses. */
export interface RestoredSettings {
  /** New secrets: those of the backed up webhooks are not in the file. */
  webhooks: { url: string; secret: string }[];
  /** What a person has to do. */
  todo: string[];
  failure: Failure | null;
}

/**
 * Puts policy and models in place, before the threads whose budgets follow from them. What the project has of its own is
 * never replaced: throws `CommandError` before anything is changed where it differs from the backup.
 */
export async function restorePolicy(spillway: Spillway, { policy, models }: ProjectSettings): Promise<void> {
  const now = await readProjectSettings(spillway);
  const isSamePolicy = isSame(now.policy, policy);
  if (!isSamePolicy && Object.keys(now.policy).length > 0)
    throw refused('policy_differs', 'The project has a policy of its own, which is not that of the backup.');
  const overrides = new Map(now.models.map(({ name, override }) => [name, override]));
  const changed = models.filter(
    ({ name, override }) => overrides.has(name) && !isSame(overrides.get(name), override),
  );
  if (changed.length > 0) throw refused('models_differ', modelsMessage(changed.map(({ name }) => name)));
  if (!isSamePolicy) await spillway.call({ method: 'PUT', path: '/v1/policy', body: policy });
  for (const { name, override } of models)
    if (!overrides.has(name))
      await spillway.call({ method: 'PUT', path: `/v1/models/${encodeURIComponent(name)}`, body: override });
}

const refused = (code: string, message: string): CommandError =>
  new CommandError(
    code,
    message,
    'Restore into an empty project, or call again with --threads-only, which keeps the settings of the project.',
    exitCode.conflict,
  );

const modelsMessage = (names: readonly string[]): string =>
  `The project has other windows or prices than the backup for ${counted(names.length, 'model')}: ` +
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', ...' : ''}.`;

const isSame = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other);

/** JSON that does not depend on the order of keys. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/**
 * Adds the webhooks and upstreams, after the threads: a webhook is not told of threads that it knew. One that is there
 * stays as it is: no thread depends on it, and a restore that is called again must not end there. One that the server
 * refuses is named and left out. Any other error ends the work and is returned, because nothing shows the secrets of the
 * webhooks before it again.
 */
export async function restoreReceivers(
  spillway: Spillway,
  settings: ProjectSettings,
  signal: AbortSignal,
): Promise<RestoredSettings> {
  const restored: RestoredSettings = { webhooks: [], todo: [], failure: null };
  try {
    await addWebhooks(spillway, settings, restored, signal);
    await putUpstreams(spillway, settings, restored, signal);
  } catch (error) {
    restored.failure = { error };
    restored.todo.push('Call again with --skip-existing: not all webhooks and upstreams are restored.');
  }
  return restored;
}

async function addWebhooks(
  spillway: Spillway,
  { webhooks }: ProjectSettings,
  restored: RestoredSettings,
  signal: AbortSignal,
): Promise<void> {
  const path = '/v1/webhooks';
  const { data: there } = await spillway.call<Schemas['WebhookList']>({ method: 'GET', path, signal });
  for (const { url, enabled, ...rest } of webhooks) {
    if (there.some((one) => one.url === url)) continue;
    signal.throwIfAborted();
    const body = { url, ...rest };
    const made = await doOrName(restored, `Add the webhook ${url}`, () =>
      // A second one would tell of each event twice, under a secret that nobody saw.
      spillway.call<Schemas['WebhookCreated']>({ method: 'POST', path, body, isRepeatable: false, signal }),
    ).catch((error: unknown) => {
      restored.todo.push(`Rotate the secret of the webhook ${url} if it was added: nobody has seen it.`);
      throw error;
    });
    if (made === null) continue;
    restored.webhooks.push({ url, secret: made.secret });
    if (!enabled)
      await doOrName(restored, `Disable the webhook ${url}`, () =>
        spillway.call({ method: 'PATCH', path: `${path}/${made.id}`, body: { enabled }, signal }),
      ).catch((error: unknown) => {
        restored.todo.push(
          `Disable the webhook ${url} yourself if it is not: another call leaves it as it is.`,
        );
        throw error;
      });
  }
}

async function putUpstreams(
  spillway: Spillway,
  { upstreams }: ProjectSettings,
  restored: RestoredSettings,
  signal: AbortSignal,
): Promise<void> {
  const { data: there } = await spillway.call<Schemas['UpstreamList']>({
    method: 'GET',
    path: '/v1/upstreams',
    signal,
  });
  for (const { provider, base_url, models, has_key } of upstreams) {
    const existing = there.find((one) => one.provider === provider);
    if (existing) {
      const now = { base_url: existing.base_url, models: existing.models, has_key: existing.has_key };
      if (!isSame(now, { base_url, models, has_key }))
        restored.todo.push(
          `Check the upstream of ${provider}: it was left as it is. The backup has ${base_url}, ` +
            `${models.length === 0 ? 'all models' : `the models ${models.join(', ')}`}, with${has_key ? '' : 'out'} a key.`,
        );
    } else if (has_key)
      restored.todo.push(`Put the upstream of ${provider} (${base_url}) with its key: no backup holds it.`);
    else
      await doOrName(restored, `Put the upstream of ${provider}`, () =>
        spillway.call({
          method: 'PUT',
          path: `/v1/upstreams/${provider}`,
          body: { base_url, models },
          signal,
        }),
      );
  }
}

/** The answer, or null where the server refuses: then it is named among what is to do. */
async function doOrName<T>(
  { todo }: RestoredSettings,
  what: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SpillwayError) || error.status < 400 || error.status >= 500) throw error;
    todo.push(`${what} yourself: ${error.message}`);
    return null;
  }
}
