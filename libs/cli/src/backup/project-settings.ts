import type { Schemas, Spillway } from '@spillway/client';

/** The settings of a project, without secrets. */
export interface ProjectSettings {
  policy: Schemas['PolicyInput'];
  models: { name: string; override: Schemas['ModelOverride'] }[];
  webhooks: { url: string; description: string; types: Schemas['Webhook']['types']; enabled: boolean }[];
  upstreams: {
    provider: Schemas['Upstream']['provider'];
    base_url: string;
    models: string[];
    has_key: boolean;
  }[];
}

/** Reads the settings of the project of the key. */
export async function readProjectSettings(spillway: Spillway): Promise<ProjectSettings> {
  const get = <T>(path: string) => spillway.call<T>({ method: 'GET', path });
  const { policy } = await get<Schemas['ProjectPolicy']>('/v1/policy');
  const { data: models } = await get<Schemas['ModelList']>('/v1/models');
  const { data: webhooks } = await get<Schemas['WebhookList']>('/v1/webhooks');
  const { data: upstreams } = await get<Schemas['UpstreamList']>('/v1/upstreams');
  return {
    policy,
    models: models.flatMap((model) => {
      const override = overrideOf(model);
      return override === null ? [] : [{ name: model.name, override }];
    }),
    webhooks: webhooks.map(({ url, description, types, enabled }) => ({ url, description, types, enabled })),
    upstreams: upstreams.map(({ provider, base_url, models: allowed, has_key }) => ({
      provider,
      base_url,
      models: allowed,
      has_key,
    })),
  };
}

/** What the project set of a model; null when it set nothing. */
function overrideOf({
  source,
  context_window,
  ...prices
}: Schemas['Model']): Schemas['ModelOverride'] | null {
  const { input_price, output_price, cached_input_price } = prices;
  const override = {
    ...(source === 'override' ? { context_window } : {}),
    ...(input_price === null ? {} : { input_price }),
    ...(output_price === null ? {} : { output_price }),
    ...(cached_input_price === null ? {} : { cached_input_price }),
  };
  return Object.keys(override).length === 0 ? null : override;
}
