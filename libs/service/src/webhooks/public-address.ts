import { BlockList, isIP } from 'node:net';

/** What is not of the public internet: private and shared networks, this machine, its link, tests, multicast. */
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

/** Of IPv6 only 2000::/3 is public, and of that not what stands for another address or for an example. */
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

/** Whether an IP address may be sent to. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !v4.check(address, 'ipv4');
  return family === 6 && v6Public.check(address, 'ipv6') && !v6.check(address, 'ipv6');
}
