import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { actionWords, knownActions } from './action-words';

test.each([
  ['content.read', '/v1/threads/t-1/context?at=3', 'Read the context of a thread'],
  ['content.read', '/v1/threads/t-1/summaries/2/facts', 'Read the facts check of a summary'],
  ['content.read', '/v1/threads/t-1', 'Opened a thread'],
  ['key.created', 'a1', 'Created a key'],
  ['thread.retried', 't-1', 'Retried a thread'],
  ['something.new_here', 'x', 'something new here'],
])('%s of %s reads %s', (action, target, expected) => {
  expect(actionWords(action, target)).toBe(expected);
});

test('every action that has words is one that is recorded', () => {
  const sources = ['prisma/migrations', 'libs/store/src', 'libs/service/src'];
  const named = execFileSync('grep', ['-rhoE', `'[a-z]+\\.[a-z_]+'`, ...sources], { encoding: 'utf8' });
  const recorded = new Set(named.split('\n').map((text) => text.replaceAll("'", '')));
  expect(knownActions.filter((action) => !recorded.has(action))).toEqual([]);
});
