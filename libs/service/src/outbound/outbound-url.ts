import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Hosts that the operator allows although they are not public. */
export interface AllowedHosts {
  hosts: ReadonlySet<string>;
  /** The environment variable that lists them. */
  variable: string;
}

/** The host of a URL in the form of a host list or a lookup. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Returns the parsed URL that a project names for requests of this server. Throws what `refused` makes of the reason for
 * a URL that is not https, has credentials or a fragment, or leads into a private network. Hosts that the operator allows
 * may be private and use http. A name that does not resolve yet is accepted: every connection checks the address again.
 */
export async function outboundUrl(
  text: string,
  { hosts: allowed, variable }: AllowedHosts,
  refused: (why: string) => Error,
): Promise<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw refused('must be an https URL');
  if (url.protocol === 'http:' && !allowed.has(hostOf(url))) {
    throw refused(`must use https; http is for hosts in ${variable}`);
  }
  if (url.username !== '' || url.password !== '') throw refused('must not contain credentials');
  if (url.hash !== '') throw refused('must not have a fragment');
  if (!(await mayLeadTo(hostOf(url), allowed))) throw refused('must not resolve to a private network');
  return url;
}

async function mayLeadTo(host: string, allowed: ReadonlySet<string>): Promise<boolean> {
  if (allowed.has(host)) return true;
  if (isIP(host)) return isPublicAddress(host);
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address));
}
