import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

/** All public addresses of IPv6 are within it so far. */
const allocated = ipaddr.parseCIDR('2000::/3');

/** Whether a text is an IP address on the public internet: not private, shared, local, reserved or a mapped one. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(allocated));
}
