import { expect, test } from 'vitest';
import { replaceable } from './tool-response.js';

test('the text of an MCP tool and the output of a command can be replaced', () => {
  const block = { type: 'text', text: 'long' };
  expect(replaceable([block])?.text).toBe('long');
  expect(replaceable([block])?.with('stub')).toEqual([{ type: 'text', text: 'stub' }]);
  const shell = { stdout: 'long', stderr: '', interrupted: false };
  expect(replaceable(shell)?.text).toBe('long');
  expect(replaceable(shell)?.with('stub')).toEqual({ ...shell, stdout: 'stub' });
});

test.each<[string, unknown]>([
  [
    'several blocks',
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  ],
  ['an image', [{ type: 'image', data: 'QUJD', mimeType: 'image/png' }]],
  ['a file that was read', { type: 'text', file: { content: 'long', numLines: 1 } }],
  ['a command that wrote errors too', { stdout: 'long', stderr: 'broken' }],
  ['a text', 'long'],
  ['nothing', null],
])('a result of %s stays', (_, response) => {
  expect(replaceable(response)).toBeNull();
});
