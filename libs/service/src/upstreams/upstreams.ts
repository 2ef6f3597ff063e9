import { SpillwayError } from '@spillway/engine';
import {
  deleteUpstream,
  listUpstreams as readUpstreams,
  putUpstream as writeUpstream,
  putUpstreamWithoutKey,
  type CallerRow,
  type UpstreamRow,
} from '@spillway/store';
import { refuseUnproven } from '../access/refuse-unproven.js';
import { outboundUrl } from '../outbound/outbound-url.js';
import type { Page } from '../paging/cursor.js';
import { pageOfWhole, type ListQuery } from '../paging/page-of-whole.js';
import type { Runtime } from '../runtime.js';
import { defaultBaseUrl, type UpstreamProvider } from './provider-apis.js';
import { ownerOf } from './upstream-key.js';

export interface UpstreamInput {
  /** Undefined: the provider's own address. */
  baseUrl: string | undefined;
  /** Null: none. Undefined: the stored one, which needs the same base URL. */
  key: string | null | undefined;
  /** That may be called; empty: all. */
  models: string[];
}

/** The upstreams of a project, by provider. */
export const listUpstreams = async (
  rt: Runtime,
  projectId: string,
  query: ListQuery,
): Promise<Page<UpstreamRow>> =>
  pageOfWhole(await readUpstreams(rt.store, projectId), query, {
    list: 'upstreams',
    keyOf: ({ provider }) => provider,
  });

/**
 * Creates or replaces the upstream of a project for a provider's API. A stored key never goes to another address than the
 * one that it was stored for. Throws `reauthentication_required`, `upstream_url_refused`, `secrets_not_configured`, and
 * `invalid_request` for a missing key.
 */
export async function putUpstream(
  rt: Runtime,
  caller: CallerRow,
  provider: UpstreamProvider,
  { baseUrl: asked, key, models }: UpstreamInput,
): Promise<UpstreamRow> {
  await refuseUnproven(rt, caller, 'upstream');
  const { projectId } = caller;
  const baseUrl = await upstreamUrl(provider, asked ?? defaultBaseUrl[provider], rt.upstreamHosts);
  const to = { projectId, provider, baseUrl, models };
  if (key !== undefined)
    return writeUpstream(rt.store, { ...to, key: key === null ? null : rt.secrets.seal(key, ownerOf(to)) });

  const row = await putUpstreamWithoutKey(rt.store, to);
  if (!row)
    throw new SpillwayError('invalid_request', 'The base URL changes, so send the key again, or null.', [
      { path: '/key', message: 'is required when base_url changes' },
    ]);
  return row;
}

/** Removes the upstream: calls use that of the server again. Throws `upstream_not_found`. */
export async function removeUpstream(
  rt: Runtime,
  projectId: string,
  provider: UpstreamProvider,
): Promise<void> {
  if (!(await deleteUpstream(rt.store, projectId, provider)))
    throw new SpillwayError('upstream_not_found', `The project has no upstream for ${provider}.`);
}

async function upstreamUrl(
  provider: UpstreamProvider,
  text: string,
  hosts: ReadonlySet<string>,
): Promise<string> {
  const url = await outboundUrl(text, { hosts, variable: 'SPILLWAY_UPSTREAM_HOSTS' }, refused);
  if (url.search !== '') throw refused('must not have a query: the paths of the API are added to it');
  if (url.pathname === '/') url.pathname = addedPath[provider];
  return url.href.replace(/\/+$/, '');
}

/** What the SDK of a provider adds to an address without a path. OpenAI's takes one that has it. */
const addedPath: Record<UpstreamProvider, string> = { openai: '/', anthropic: '/v1', google: '/v1beta' };

const refused = (why: string) =>
  new SpillwayError('upstream_url_refused', 'Models cannot be called at this URL.', [
    { path: '/base_url', message: why },
  ]);
