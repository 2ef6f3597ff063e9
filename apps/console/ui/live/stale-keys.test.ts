import { expect, test } from 'vitest';
import { eventTypes } from './event-types';
import { liveNames, staleKeys } from './stale-keys';

test('each query that is kept up to date is made stale by some event', () => {
  const stale = eventTypes.flatMap((type) => staleKeys({ type, thread_id: 'a' }).map(([name]) => name));
  expect(new Set(stale)).toEqual(new Set(liveNames));
});
