import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.js';

describe('what may be sent to', () => {
  test.each(['1.1.1.1', '93.184.216.34', '2606:2800:220:1::1'])('%s may', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'localhost',
    '',
  ])('%s may not', (address) => expect(isPublicAddress(address)).toBe(false));
});
