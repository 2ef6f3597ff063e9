import { expect, test } from 'vitest';
import { stepsOf } from './replay-session.js';

const kinds: Record<string, object> = {
  u: { role: 'user' },
  a: { role: 'assistant' },
  t: { role: 'tool' },
  s: { role: 'system' },
  r: { type: 'reasoning' },
  c: { type: 'function_call' },
  o: { type: 'function_call_output' },
};
const session = (word: string) => ({
  messages: [...word].map((kind, i) => ({
    id: `${kind}${i}`,
    message: { ...kinds[kind] },
    line: i,
    at: null,
  })),
});
/** `|` is a call of the model. */
const shown = (word: string): string =>
  stepsOf(session(word))
    .map(({ posted, isCall }) => posted.map(({ id }) => id[0]).join('') + (isCall ? '|' : ''))
    .join('');

test.each([
  ['sua', 'su|a'],
  ['uatta', 'u|att|a'],
  ['uau', 'u|au|'],
  ['aua', 'au|a'],
  ['urcoocou', 'u|rcoo|cou|'],
  ['uaa', 'u|aa'],
])('%s is posted as %s', (word, expected) => {
  expect(shown(word)).toBe(expected);
});
