import createFetchClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

/** Every schema of the API by name. */
export type Schemas = components['schemas'];
/** What `createClient` returns: a client of openapi-fetch. */
export type SpillwayClient = ReturnType<typeof createClient>;

/** A typed client of the HTTP API. `key` is an API key; errors come back as problem documents, never thrown. */
export const createClient = (options: { baseUrl: string; key: string; fetch?: typeof globalThis.fetch }) =>
  createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${options.key}` },
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
