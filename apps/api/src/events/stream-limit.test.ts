import { expect, test } from 'vitest';
import { StreamLimit } from './stream-limit.js';

const caller = (keyId: string, sessionId: string | null = null, projectId = 'p') => ({
  projectId,
  keyId,
  sessionId,
  token: null,
  scopes: [],
  hasChatBudget: false,
});
const refused = (code: string) => expect.objectContaining({ code }) as Error;

test('a stream slot that is released twice is released once', () => {
  const limit = new StreamLimit();
  const [release] = Array.from({ length: 8 }, () => limit.take(caller('a')));
  release!();
  release!();
  limit.take(caller('a'));
  expect(() => limit.take(caller('a'))).toThrow(refused('too_many_streams'));
});

test('more sessions of one key do not get more streams than the key may have', () => {
  const limit = new StreamLimit();
  let open = 0;
  expect(() => {
    for (let session = 0; session < 125; session++)
      for (let n = 0; n < 8; n++, open++) limit.take(caller('a', `session-${session}`));
  }).toThrow(refused('too_many_streams'));
  expect(open).toBe(64);
  limit.take(caller('b'));
});

test('the keys of one project do not take the streams of other projects', () => {
  const limit = new StreamLimit();
  let open = 0;
  expect(() => {
    for (let key = 0; key < 200; key++) for (let n = 0; n < 8; n++, open++) limit.take(caller(`key-${key}`));
  }).toThrow(refused('too_many_streams'));
  expect(open).toBe(250);
  limit.take(caller('other', null, 'q'));
});
