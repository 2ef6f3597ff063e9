import { expect, test } from 'vitest';
import { wholeAnswers } from './whole-answers.js';

const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const call = { functionCall: { name: 'list', args: {} }, thoughtSignature: 'c2ln' };
const result = { functionResponse: { name: 'list', response: { output: 'x' } } };

test('pieces of a streamed answer are one content with one text', () => {
  const pieces = [
    model({ text: 'Hm', thought: true }),
    model({ text: '.', thought: true }),
    model({ text: 'I ' }),
    model({ text: 'look.' }),
    model(call),
    { role: 'model' },
    model({ text: '' }),
  ];
  expect(wholeAnswers([user({ text: 'Go.' }), ...pieces, user(result)])).toEqual([
    user({ text: 'Go.' }),
    model({ text: 'Hm.', thought: true }, { text: 'I look.' }, call),
    user(result),
  ]);
  expect(pieces[0]).toEqual(model({ text: 'Hm', thought: true }));
});

test('a part with a signature stays as it came', () => {
  const signed = { text: '', thoughtSignature: 'c2ln' };
  const parts = [{ text: 'All ' }, { text: 'done.' }, signed];
  expect(wholeAnswers(parts.map((part) => model(part)))).toEqual([model({ text: 'All done.' }, signed)]);
  const last = { text: 'done.', thoughtSignature: 'c2ln' };
  expect(wholeAnswers([model({ text: 'All ' }), model(last), model({ text: ' Bye.' })])).toEqual([
    model({ text: 'All ' }, last, { text: ' Bye.' }),
  ]);
});

test('contents of the user stay apart', () => {
  const contents = [user({ text: 'One.' }), user({ text: 'Two.' }), { parts: [{ text: '' }] }];
  expect(wholeAnswers(contents)).toEqual(contents);
});
