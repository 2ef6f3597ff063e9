import { expect, test } from 'vitest';
import { callsWithResults } from './calls-with-results.js';
import type { SeqMessage } from './seq-message.js';

const message = (more: Partial<SeqMessage>): SeqMessage => ({
  ...{ seq: 1, at: null, role: 'assistant', name: null, text: '', speech: '', calls: [], results: [] },
  ...more,
});
const call = (id: string, input: string) => ({ id, name: 'sh', input });
const result = (id: string, text: string) => ({ id, name: null, text, isError: false });
const pairsIn = (...messages: SeqMessage[]) =>
  callsWithResults(messages).map(({ call: { input }, result: of }) => [input, of?.text ?? null]);

test('an id that each turn uses again names the call of its turn', () => {
  expect(
    pairsIn(
      message({ calls: [call('call_0', 'one')] }),
      message({ results: [result('call_0', 'first')] }),
      message({ calls: [call('call_0', 'two')] }),
      message({ results: [result('call_0', 'second')] }),
      message({ calls: [call('call_0', 'three')] }),
    ),
  ).toEqual([
    ['one', 'first'],
    ['two', 'second'],
    ['three', null],
  ]);
});

test('results of one id go to the calls of one message in order', () => {
  const both = message({ calls: [call('a', 'one'), call('a', 'two')] });
  const first = message({ results: [result('a', 'first')] });
  const second = message({ results: [result('a', 'second')] });
  const pairs = [
    ['one', 'first'],
    ['two', 'second'],
  ];
  expect(pairsIn(both, first, second)).toEqual(pairs);
  expect(pairsIn(both, message({ results: [...first.results, ...second.results] }))).toEqual(pairs);
});

test('a result that comes again is the newest one, and one without its call is none', () => {
  const asked = message({ calls: [call('a', 'one')] });
  const twice = [message({ results: [result('a', 'early')] }), message({ results: [result('a', 'late')] })];
  expect(pairsIn(message({ results: [result('a', 'before')] }), asked, ...twice)).toEqual([['one', 'late']]);
});
