import { expect, test } from 'vitest';
import type { Problem } from '@/ui/messages/problem';
import { knownParts } from './known-parts';

const problem = (code: string): Problem => ({
  type: 'about:blank',
  title: 'A failure',
  status: 503,
  detail: 'It failed.',
  code,
  request_id: 'r1',
});

test('an API that cannot reach its database is up, and Postgres is down', () => {
  expect(knownParts(problem('database_unavailable'))).toEqual({
    api: 'up',
    postgres: 'down',
    othersAreKnown: false,
  });
});

test('while the API does not answer, or answers with an error, the other parts are unknown', () => {
  expect(knownParts(problem('api_unreachable'))).toEqual({
    api: 'down',
    postgres: 'unknown',
    othersAreKnown: false,
  });
  expect(knownParts(problem('api_timeout'))).toMatchObject({ api: 'down', postgres: 'unknown' });
  expect(knownParts(problem('internal'))).toMatchObject({ api: 'failing', postgres: 'unknown' });
});

test('after an answer each part is as it says', () => {
  expect(knownParts(null)).toEqual({ api: 'up', postgres: 'answered', othersAreKnown: true });
});
