import type { Schemas } from '@spillway/client';
import { plural } from '@/ui/quantity';
import { providers, type Provider } from '../upstreams/providers';

type System = Schemas['System'];

/** Something that leaves the host for a reason of this project. */
export interface Outbound {
  name: string;
  words: string;
}

export interface OutboundSources {
  model: System['model'];
  settings: System['settings'];
  /** Null: not known. */
  upstreams: readonly Schemas['Upstream'][] | null;
  webhooks: readonly Pick<Schemas['Webhook'], 'url' | 'disabled_at'>[] | null;
}

/** What leaves the host, and where it goes. */
export const outboundOf = ({ model, settings, upstreams, webhooks }: OutboundSources): Outbound[] => [
  { name: 'Summaries', words: summaryWords(model) },
  ...providers.map((provider) => ({
    name: `Calls of agents, ${provider.label}`,
    words: callWords(provider, model, upstreams),
  })),
  { name: 'Webhooks', words: webhookWords(webhooks) },
  { name: 'Traces', words: traceWords(settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null) },
];

const unknown = 'Unknown: the API did not answer.';

function summaryWords(model: System['model']): string {
  if (model === null) return 'No model is configured: code makes summaries, and no message is sent for one.';
  return `Messages are sent to ${addressOf(model)} where the policy lets a model make summaries.`;
}

/** `/chat` and the proxies; see upstreamOf of the service. */
function callWords(
  { name, label, baseUrl }: Provider,
  model: System['model'],
  upstreams: OutboundSources['upstreams'],
): string {
  if (upstreams === null) return unknown;
  const calls = name === 'openai' ? '/chat and the proxy' : 'the proxy';
  const own = upstreams.find(({ provider }) => provider === name);
  if (own) return `Conversations of ${calls} are sent to this project’s upstream, ${own.base_url}.`;
  if (model !== null && speaks(model.provider) === name)
    return `Conversations of ${calls} are sent to the server’s provider, ${addressOf(model)}.`;
  return `Conversations are sent to ${baseUrl} when a caller of the proxy brings a key of ${label}.`;
}

/** Whose API a provider of the server speaks. */
const speaks = (provider: string): Provider['name'] | null => {
  if (provider === 'anthropic' || provider === 'google') return provider;
  return provider === 'openai' || provider === 'openai-compatible' ? 'openai' : null;
};

const addressOf = ({ provider, base_url: address }: NonNullable<System['model']>): string =>
  address ?? providers.find(({ name }) => name === provider)?.baseUrl ?? `${provider}’s own address`;

function webhookWords(webhooks: OutboundSources['webhooks']): string {
  if (webhooks === null) return unknown;
  const enabled = webhooks.filter(({ disabled_at: at }) => at === null);
  if (enabled.length === 0) return 'No webhook is enabled.';
  const hosts = [...new Set(enabled.map(({ url }) => new URL(url).host))];
  return `Events are sent to ${plural(enabled.length, 'webhook')}: ${hosts.join(', ')}.`;
}

const traceWords = (collector: string | number | null): string =>
  collector === null
    ? 'The API sends none.'
    : `Traces are sent to the collector of the operator, ${collector}.`;
