import { z } from 'zod';
import { upstream, upstreamList, upstreamProvider, upstreamPut } from '../policies/upstream.js';
import { wholeList } from '../list.js';
import { type Route } from './route.js';

const ofProvider = z.object({
  provider: upstreamProvider.describe('Whose API the upstream speaks: `openai`, `anthropic` or `google`.'),
});

/** Where the model calls of a project go. */
export const upstreamsRoutes: Record<string, Route> = {
  'GET /v1/upstreams': {
    id: 'listUpstreams',
    scope: 'admin',
    summary: "Where the project's model calls go, when not to the server's provider",
    description:
      'Lists the upstreams of the project, at most one for each API. Keys are never shown. An API without one ' +
      "uses the server's provider.",
    query: wholeList,
    answers: { 200: upstreamList },
  },
  'PUT /v1/upstreams/{provider}': {
    id: 'putUpstream',
    scope: 'admin',
    summary: "Name the provider of the project's own, for the proxies and /chat",
    description:
      'Creates or replaces the upstream for an API: OpenAI for `/v1/chat/completions`, `/v1/responses` and `/chat`, ' +
      'Anthropic for `/v1/messages`, Google for `/v1beta/models`. The next call uses it. Summaries are written by the ' +
      'provider of the server.',
    params: ofProvider,
    body: upstreamPut,
    example: {
      body: { base_url: 'https://api.openai.com/v1', key: 'sk-your-key', models: ['gpt-4o', 'gpt-4o-mini'] },
    },
    answers: { 200: upstream },
  },
  'DELETE /v1/upstreams/{provider}': {
    id: 'removeUpstream',
    scope: 'admin',
    summary: "Remove an upstream and its key; calls go to the server's provider again",
    description:
      "Removes the upstream with its key. The next call uses the server's provider, with the server's list of models.",
    params: ofProvider,
    answers: { 204: null },
  },
};
