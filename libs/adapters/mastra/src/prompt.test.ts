import { expect, test } from 'vitest';
import { threadMsOf } from '../../../../test/thread-time.js';
import { contextPrompt, historyOf, systemOf, type PromptMessage } from './prompt.js';

const mastra = { createdAt: 1 };
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'list', input: { n: 1 } };
const reasoning = { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'signed' } } };
const result = (value: string) => ({
  type: 'tool-result',
  toolCallId: 'c1',
  toolName: 'list',
  output: { type: 'text', value },
});
const prompt: PromptMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'hi', providerOptions: { mastra, openai: { a: 1 } } }] },
  { role: 'assistant', content: [reasoning, call] },
  { role: 'tool', content: [{ ...result('a long result'), input: { n: 1 } }] },
];

test('a prompt is recorded without its system messages and without what Mastra adds for itself', () => {
  expect(historyOf(prompt)).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'hi', providerOptions: { openai: { a: 1 } } }] },
    { role: 'assistant', content: [reasoning, call] },
    { role: 'tool', content: [result('a long result')] },
  ]);
  expect(prompt[3]!.content).toEqual([{ ...result('a long result'), input: { n: 1 } }]);
});

const bytes = new TextEncoder().encode('hi');
const url = new URL('https://example.com/a.png');
test.each<[string, unknown, string]>([
  ['bytes', bytes, 'aGk='],
  ['a text in base64', 'aGk=', 'aGk='],
  ['a link', url, url.href],
  ['bytes of version 4 of the specification', { type: 'data', data: bytes }, 'aGk='],
  ['a link of version 4 of the specification', { type: 'url', url }, url.href],
])('a file as %s is recorded as text', (_, data, expected) => {
  const file = { type: 'file', mediaType: 'image/png', data };
  expect(historyOf([{ role: 'user', content: [file] }])).toEqual([
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: expected }] },
  ]);
});

test('bytes become text in less time than a list of their characters takes', () => {
  const large = new Uint8Array(2_000_000).fill(7);
  const ofFile = () => historyOf([{ role: 'user', content: [{ type: 'file', data: large }] }]);
  const ofList = () => Array.from(large, (byte) => String.fromCharCode(byte));
  expect(threadMsOf(ofFile)).toBeLessThan(threadMsOf(ofList));
});

test('the system prompt is the text of all system messages', () => {
  expect(systemOf([prompt[0]!, { role: 'system', content: 'Be kind.' }])).toBe('Be brief.\n\nBe kind.');
  expect(systemOf(prompt.slice(1))).toBeUndefined();
});

test('what the caller has comes back as the caller’s own objects', () => {
  const shown = contextPrompt(historyOf(prompt), 'Be brief.', prompt);
  expect(shown).toEqual(prompt);
  shown.slice(0, 3).forEach((one, i) => expect(one).toBe(prompt[i]));
});

test('a stub takes the place of a result, and a summary is a message of its own', () => {
  const summary = { role: 'user', content: 'Summary: nothing yet.' };
  const context = [summary, historyOf(prompt)[1]!, { role: 'tool', content: [result('[stored as out_1]')] }];
  expect(contextPrompt(context, 'Be brief.', prompt)).toEqual([
    prompt[0],
    { role: 'user', content: [{ type: 'text', text: 'Summary: nothing yet.' }] },
    prompt[2],
    { role: 'tool', content: [result('[stored as out_1]')] },
  ]);
});

test('a system prompt that the thread changed takes the place of the caller’s', () => {
  const [system] = contextPrompt([], 'Be long.', prompt);
  expect(system).toEqual({ role: 'system', content: 'Be long.' });
  expect(contextPrompt([], null, prompt)).toEqual([prompt[0]]);
});

test('reasoning that the context leaves out leaves the caller’s message, its calls stay', () => {
  const shown = contextPrompt([{ role: 'assistant', content: [call] }], null, prompt.slice(1));
  expect(shown).toEqual([{ role: 'assistant', content: [call] }]);
});

test('of answers whose calls have one id each stands for itself', () => {
  const answer = (n: number): PromptMessage => ({
    role: 'assistant',
    content: [reasoning, { ...call, input: { n, of: { a: 1, b: 2 } } }],
  });
  const twice = [answer(1), answer(2)];
  const renamed = { ...call, toolCallId: 'c1_4', input: { n: 2 } };
  const reordered = { ...call, input: { of: { b: 2, a: 1 }, n: 1 } };
  const context = [
    { role: 'assistant', content: [reasoning, reordered] },
    { role: 'assistant', content: [renamed] },
  ];
  const [first, second] = contextPrompt(context, null, twice);
  expect(first).toBe(twice[0]);
  expect(second!.content).toEqual([renamed]);
});
