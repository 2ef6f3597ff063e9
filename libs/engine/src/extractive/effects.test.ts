import { describe, expect, test } from 'vitest';
import { formats } from '../formats/formats.js';
import { seqMessage } from '../messages/seq-message.js';
import { effectsIn, refusalsIn } from './effects.js';

const thread = (result: object) =>
  [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'book_flight', arguments: '{"flight":"HT271"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: JSON.stringify(result) },
  ].map((body, i) => seqMessage(i + 1, formats.openai.read(body)));

describe('a call whose result begins with', () => {
  test.each<[string, object]>([
    ['an empty error', { error: null, id: 'B-1' }],
    ['an error that is false', { error: false, id: 'B-1' }],
    ['no failures', { failed: 0, booked: 1 }],
  ])('%s has changed something', (_what, result) => {
    expect(effectsIn(thread(result))).toMatchObject([{ text: 'book_flight(flight: HT271)' }]);
    expect(refusalsIn(thread(result))).toEqual([]);
  });

  test.each<[string, object]>([
    ['the words of an error', { error: 'no seat is left' }],
    ['a mark of failure', { failed: true, reason: 'no seat is left' }],
    ['a count of failures', { failed: 10, reason: 'no seat is left' }],
  ])('%s was refused', (_what, result) => {
    expect(effectsIn(thread(result))).toEqual([]);
    expect(refusalsIn(thread(result))).toMatchObject([
      { text: 'book_flight(flight: HT271) refused: no seat is left' },
    ]);
  });
});
