import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** A connection was not made, because it would lead into a private network. */
export class PrivateAddress extends Error {
  constructor() {
    super('private_address');
  }
}

/**
 * Resolves names for connections, and refuses those with an address that is not public. The address is checked when the
 * connection is made, so a DNS name that changes later does not help an attacker.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    if (found.some(({ address }) => !isPublicAddress(address))) return callback(new PrivateAddress(), '', 0);
    if (options.all) return callback(null, found);
    const [first] = found;
    callback(null, first!.address, first!.family);
  });
};
