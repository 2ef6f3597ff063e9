import { expect, test } from 'vitest';
import { followUps, formats, loadCounter, seqsBehind, spokenIn, type Spoken } from '../index.js';

const count = await loadCounter('o200k');

const thread = [
  { role: 'user', content: 'I moved. Please send FF-7 to my new address.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"order":"FF-7"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: '{"order":"FF-7","state":"packed"}' },
  { role: 'assistant', content: 'Of course. What is it?' },
  { role: 'user', content: 'Nyvej 11, 75306 Narvik.' },
  { role: 'assistant', content: 'Here is all I know about parcels. '.repeat(20) },
];
const spoken = new Map(
  thread.flatMap((body, i) => {
    const one = spokenIn(i + 1, formats.openai.read(body));
    return one ? [[one.seq, one] as [number, Spoken]] : [];
  }),
);

test('an answer that shares no word with the request is found behind it', () => {
  const { bySeq, tokens } = followUps(seqsBehind([1, 3], 6), spoken, { pageTokens: 3_000, count });
  expect(bySeq.get(1)).toEqual([
    { seq: 4, role: 'assistant', participant: null, text: 'Of course. What is it?' },
    { seq: 5, role: 'user', participant: null, text: 'Nyvej 11, 75306 Narvik.' },
  ]);
  expect(bySeq.get(3)).toEqual([]);
  expect(tokens).toBe(count('Of course. What is it?') + count('Nyvej 11, 75306 Narvik.'));
});

test('calls, results and long messages do not follow', () => {
  expect([...spoken.keys()]).toEqual([1, 4, 5, 6]);
  const { bySeq } = followUps(seqsBehind([5], 6), spoken, { pageTokens: 3_000, count });
  expect(bySeq.get(5)).toEqual([]);
});

test('follow-ups take a twentieth of a page at most', () => {
  const { bySeq, tokens } = followUps(seqsBehind([1], 6), spoken, { pageTokens: 200, count });
  expect(tokens).toBeLessThanOrEqual(10);
  expect(bySeq.get(1)!.map(({ seq }) => seq)).toEqual([4]);
});

test('the two best hits are followed through eight messages, without those that are hits or behind another', () => {
  expect(seqsBehind([10, 12, 12, 15, 40], 100)).toEqual(
    new Map([
      [10, [11, 13, 14, 16, 17, 18]],
      [12, [19, 20]],
    ]),
  );
  expect(seqsBehind([10], 12)).toEqual(new Map([[10, [11, 12]]]));
});

test('what a tool answered in a message of the user is not what the user said', () => {
  const body = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 't1', content: 'a page of text' },
      { type: 'text', text: 'Go on.' },
    ],
  };
  expect(spokenIn(3, formats.anthropic.read(body))).toEqual({
    seq: 3,
    role: 'user',
    participant: null,
    text: 'Go on.',
  });
});
