import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { outboundOf, type OutboundSources } from './outbound';

const nothing: OutboundSources = { model: null, settings: {}, upstreams: [], webhooks: [] };
const words = (sources: Partial<OutboundSources>) =>
  Object.fromEntries(outboundOf({ ...nothing, ...sources }).map((row) => [row.name, row.words]));
const openai = 'Calls of agents, OpenAI';
const anthropic = 'Calls of agents, Anthropic';
const google = 'Calls of agents, Google';
const model = (provider: string, base_url: string | null = null) =>
  ({ provider, name: 'm', base_url, has_key: true }) as NonNullable<Schemas['System']['model']>;
const upstream = { provider: 'openai', base_url: 'http://127.0.0.1:9/v1' } as Schemas['Upstream'];

test('without a configured model, calls with keys of callers still leave the host', () => {
  const found = words({});
  expect(found.Summaries).toMatch(/No model is configured/);
  expect(found[openai]).toBe(
    'Conversations are sent to https://api.openai.com/v1 when a caller of the proxy brings a key of OpenAI.',
  );
  expect(found[anthropic]).toMatch(/https:\/\/api\.anthropic\.com\/v1 when a caller/);
  expect(found[google]).toMatch(/https:\/\/generativelanguage\.googleapis\.com\/v1beta when a caller/);
  expect(found.Webhooks).toBe('No webhook is enabled.');
  expect(found.Traces).toBe('The API sends none.');
});

test('calls go to the upstream of the project, before the provider of the server', () => {
  const found = words({ model: model('openai-compatible', 'http://gateway/v1'), upstreams: [upstream] });
  expect(found[openai]).toMatch(/this project’s upstream, http:\/\/127\.0\.0\.1:9\/v1\.$/);
  expect(found.Summaries).toMatch(/sent to http:\/\/gateway\/v1 where/);
  const ofServer = words({ model: model('anthropic') });
  expect(ofServer[anthropic]).toMatch(/the server’s provider, https:\/\/api\.anthropic\.com\/v1\.$/);
  expect(ofServer[openai]).toMatch(/when a caller of the proxy brings a key/);
  expect(words({ model: model('google') })[google]).toMatch(/the server’s provider, https:\/\/generative/);
});

test('webhooks are named by host, without those that are disabled, and traces by their collector', () => {
  const found = words({
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    webhooks: [
      { url: 'https://a.example/secret', disabled_at: null },
      { url: 'https://b.example/x', disabled_at: '2026-01-01T00:00:00Z' },
    ],
  });
  expect(found.Webhooks).toBe('Events are sent to 1 webhook: a.example.');
  expect(found.Traces).toBe('Traces are sent to the collector of the operator, http://collector:4318.');
});

test('what the API did not answer is unknown', () => {
  const found = words({ upstreams: null, webhooks: null });
  expect([found[openai], found.Webhooks]).toEqual(Array(2).fill('Unknown: the API did not answer.'));
});
