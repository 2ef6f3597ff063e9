import { BlockList, isIP } from 'node:net';

/** Addresses outside the public internet: private, shared, loopback, link-local, test and multicast ranges. */
const v4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  v4.addSubnet(network, prefix, 'ipv4');
}

/** Only 2000::/3 of IPv6 is public, without the ranges that embed other addresses or serve as examples. */
const v6Public = new BlockList();
v6Public.addSubnet('2000::', 3, 'ipv6');
const v6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  v6.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !v4.check(address, 'ipv4');
  return family === 6 && v6Public.check(address, 'ipv6') && !v6.check(address, 'ipv6');
}
