import { expect, test } from 'vitest';
import { alignSession } from './align-session.js';

const session = (ids: string, others = '') => ({
  messages: [...ids].map((id, i) => ({ id, message: {}, line: i + 1, at: null })),
  otherIds: new Set(others),
});
/** Of `-` the thread has a message without an id. Seqs begin at 11. */
const thread = (ids: string) => [...ids].map((id, i) => ({ seq: 11 + i, id: id === '-' ? null : id }));

test.each([
  ['a new thread', 'abc', '', '', { known: 0, rewindTo: null, gone: 0, foreign: 0 }],
  ['the same file again', 'abc', '', 'abc', { known: 3, rewindTo: null, gone: 0, foreign: 0 }],
  ['a longer file', 'abcd', '', 'ab', { known: 2, rewindTo: null, gone: 0, foreign: 0 }],
  [
    'a thread that went on after the import',
    'abc',
    '',
    'abc-z',
    { known: 3, rewindTo: null, gone: 0, foreign: 0 },
  ],
  ['a branch that was left', 'abxy', 'c', 'abc', { known: 2, rewindTo: 12, gone: 1, foreign: 0 }],
  ['an answer that grew', 'aCd', 'c', 'ac', { known: 1, rewindTo: 11, gone: 1, foreign: 0 }],
  ['a file whose beginning changed', 'Abc', 'a', 'abc', { known: 0, rewindTo: 0, gone: 3, foreign: 0 }],
  [
    'a thread that went on elsewhere, and a longer file',
    'abc',
    '',
    'ab-z',
    { known: 2, rewindTo: 12, gone: 2, foreign: 2 },
  ],
  ['a thread of something else', 'abc', '', 'z', { known: 0, rewindTo: 0, gone: 1, foreign: 1 }],
])('%s', (_what, ids, others, recorded, expected) => {
  expect(alignSession(session(ids, others), thread(recorded))).toEqual(expected);
});
