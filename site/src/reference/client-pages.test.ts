import { expect, test } from 'vitest';
import { pageText } from './client-pages.js';

test('a page of TypeDoc gets its title, and its links lead to pages of the site', () => {
  const text = '# agent\n\n## Classes\n\n[`Format`](index.md#format) [`Here`](#here) [other](other.md)\n';
  expect(pageText(text, 'For adapters', 'Every export.')).toBe(
    '# For adapters\n\nEvery export.\n\n## Classes\n\n[`Format`](/client/api#format) [`Here`](#here) [other](other.md)\n',
  );
});

test('a numbered anchor that no heading has leads to the heading without the number', () => {
  const text = '# agent\n\n### Name\n\n### Twice\n\n### Twice\n\n[a](#name-1) [b](#twice-1)\n';
  expect(pageText(text, 'T', 'F')).toContain('[a](#name) [b](#twice-1)');
});
