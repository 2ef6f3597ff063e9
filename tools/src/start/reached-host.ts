import { loopback } from '@spillway/embedded';
import { isIPv6 } from 'node:net';

/** The addresses on which a server listens on all, as URLs write them. */
const wildcards = new Set(['0.0.0.0', '[::]']);

/** The host, as URLs write it, under which this machine reaches what listens on `host`. */
export function reachedHost(host: string): string {
  const { hostname } = new URL(`http://${isIPv6(host) ? `[${host}]` : host}`);
  return wildcards.has(hostname) ? loopback : hostname;
}
