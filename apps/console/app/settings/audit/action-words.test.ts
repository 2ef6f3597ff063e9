import { expect, test } from 'vitest';
import { actionWords } from './action-words';

test.each([
  ['content.read', '/v1/threads/t-1/context?at=3', 'Read the context of a thread'],
  ['content.read', '/v1/threads/t-1/summaries/2/facts', 'Read the facts check of a summary'],
  ['content.read', '/v1/threads/t-1', 'Opened a thread'],
  ['key.created', 'a1', 'Created a key'],
  ['something.new_here', 'x', 'something new here'],
])('%s of %s reads %s', (action, target, expected) => {
  expect(actionWords(action, target)).toBe(expected);
});
