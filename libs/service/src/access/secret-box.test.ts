import { expect, test } from 'vitest';
import { secretBox } from './secret-box.js';

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];

test('a secret is stored encrypted, differently each time, and opens for its owner alone', () => {
  const box = secretBox([first]);
  const stored = box.seal('whsec_secret', 'p/w');
  expect(stored).toMatch(/^enc:1:[0-9a-f]{8}:/);
  expect(stored).not.toContain('secret');
  expect(box.seal('whsec_secret', 'p/w')).not.toBe(stored);
  expect(box.open(stored, 'p/w')).toBe('whsec_secret');
  expect(() => box.open(stored, 'p/other')).toThrow();
  expect(() => secretBox([second]).open(stored, 'p/w')).toThrow(/No key/);
  // Not the last character: some of its bits are padding.
  const at = stored.length - 8;
  const changed = stored.slice(0, at) + (stored[at] === 'A' ? 'B' : 'A') + stored.slice(at + 1);
  expect(() => box.open(changed, 'p/w')).toThrow();
});

test('a new key in front of the old one opens both, and says which text is stale', () => {
  const stored = secretBox([first]).seal('whsec_secret', 'p/w');
  const box = secretBox([second, first]);
  expect(box.open(stored, 'p/w')).toBe('whsec_secret');
  expect([box.isStale(stored), box.isStale('whsec_plain'), box.isStale(box.seal('x', 'p/w'))]).toEqual([
    true,
    true,
    false,
  ]);
});

test('without a key nothing is sealed, and what was stored as plain text can be used', () => {
  const box = secretBox([]);
  expect(() => box.seal('x', 'p/w')).toThrow(
    expect.objectContaining({ code: 'secrets_not_configured' }) as Error,
  );
  expect(box.open('whsec_plain', 'p/w')).toBe('whsec_plain');
  expect(box.isStale('whsec_plain')).toBe(false);
});
