import { expect, test } from 'vitest';
import { geminiSystem, geminiTools } from './request.js';
import { geminiUsage } from './usage.js';

test.each<[string, unknown, string | undefined]>([
  ['a text', 'Be brief.', 'Be brief.'],
  [
    'a content',
    { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    'Be brief.\nBe kind.',
  ],
  ['a part', { text: 'Be brief.' }, 'Be brief.'],
  ['parts and texts', ['Be brief.', { text: 'Be kind.' }], 'Be brief.\nBe kind.'],
  ['nothing', undefined, undefined],
])('a system instruction that is %s', (_, instruction, text) => {
  expect(geminiSystem(instruction)).toBe(text);
});

test('functions are counted as tools, whichever schema they have, and tools of Google are not', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } } };
  const functionDeclarations = [
    { name: 'read', description: 'Reads.', parametersJsonSchema: schema },
    { name: 'list', parameters: schema },
    { name: 'stop' },
  ];
  expect(geminiTools([{ googleSearch: {} }, { functionDeclarations }])).toEqual([
    { type: 'function', name: 'read', description: 'Reads.', inputSchema: schema },
    { type: 'function', name: 'list', inputSchema: schema },
    { type: 'function', name: 'stop', inputSchema: { type: 'object' } },
  ]);
});

test('thoughts count as output, and tokens of a cache as part of the input', () => {
  const counted = { promptTokenCount: 900, candidatesTokenCount: 20, thoughtsTokenCount: 30 };
  expect(geminiUsage({ ...counted, cachedContentTokenCount: 800 })).toEqual({
    input_tokens: 900,
    output_tokens: 50,
    input_tokens_details: { cached_tokens: 800 },
  });
  expect(geminiUsage({ candidatesTokenCount: 20 })).toBeUndefined();
  expect(geminiUsage(undefined)).toBeUndefined();
});
