import { expect, it } from 'vitest';
import { reachedHost } from './reached-host.js';

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['0:0:0:0:0:0:0:0', '127.0.0.1'],
  ['192.168.1.20', '192.168.1.20'],
  ['::1', '[::1]'],
  ['localhost', 'localhost'],
  ['build-7.lan', 'build-7.lan'],
])('what listens on %s is reached at %s', (host, reached) => {
  expect(reachedHost(host)).toBe(reached);
});
