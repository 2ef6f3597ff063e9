import { expect, test } from 'vitest';
import { headingsOf, slugOf, titleOf } from './headings.js';

test('anchors are those of forges', () => {
  expect(slugOf("Without code: the provider's own API")).toBe('without-code-the-providers-own-api');
  expect(slugOf('`a_b` and c-d')).toBe('a_b-and-c-d');
});

test('headings are read outside of code; a repeated one gets a number, and an anchor may be set', () => {
  const text = '# The `cut`\n## One\n```sh\n# no heading\n```\n## One\n## Two {#second}\n';
  expect(headingsOf(text)).toEqual([
    { level: 1, text: 'The cut', anchor: 'the-cut' },
    { level: 2, text: 'One', anchor: 'one' },
    { level: 2, text: 'One', anchor: 'one-1' },
    { level: 2, text: 'Two', anchor: 'second' },
  ]);
  expect(titleOf(text)).toBe('The cut');
  expect(titleOf('## One')).toBeNull();
});
