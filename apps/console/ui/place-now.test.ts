import { expect, onTestFinished, test, vi } from 'vitest';
import { placeNow } from './place-now';

function placeAt(address: string): string {
  const { pathname, search } = new URL(address, 'http://console');
  vi.stubGlobal('window', { location: { pathname, search } });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return placeNow();
}

test.each([
  ['/threads/a', '/threads'],
  ['/threads/a', '/threads/b'],
  ['/threads/a', '/threads/a?tab=context'],
  ['/threads/a?tab=summaries&gen=1', '/threads/a?tab=summaries&gen=2'],
  ['/threads/a?tab=summaries', '/threads/a?tab=summaries&generation=2'],
])('%s and %s are two places', (one, other) => expect(placeAt(one)).not.toBe(placeAt(other)));

test.each([
  ['/threads/a', '/threads/a?seq=7'],
  ['/threads/a?tab=summaries&gen=1', '/threads/a?tab=summaries&gen=1&fact=dropped'],
  ['/threads/a?tab=summaries&gen=1', '/threads/a?gen=1&tab=summaries'],
])('%s and %s are one place', (one, other) => expect(placeAt(one)).toBe(placeAt(other)));
