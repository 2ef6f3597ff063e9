import { expect, test } from 'vitest';
import { fingerprintIn, inputTokensOf } from './provider-usage.js';

const usages: [string, object][] = [
  ['Spillway', { input_tokens: 900 }],
  [
    'OpenAI chat',
    {
      prompt_tokens: 900,
      completion_tokens: 20,
      total_tokens: 920,
      prompt_tokens_details: { cached_tokens: 768, audio_tokens: 0 },
      completion_tokens_details: null,
    },
  ],
  [
    'OpenAI Responses',
    {
      input_tokens: 900,
      input_tokens_details: { cached_tokens: 768 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 920,
    },
  ],
  [
    'Anthropic',
    {
      input_tokens: 4,
      cache_read_input_tokens: 796,
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 0 },
      output_tokens: 20,
      server_tool_use: null,
      service_tier: 'standard',
    },
  ],
  [
    'Anthropic without a cache',
    { input_tokens: 900, cache_read_input_tokens: null, cache_creation_input_tokens: 0, output_tokens: 1 },
  ],
  [
    'AI SDK',
    {
      inputTokens: 900,
      inputTokenDetails: { noCacheTokens: 104, cacheReadTokens: 796, cacheWriteTokens: 0 },
      outputTokens: 20,
      totalTokens: 920,
      raw: { input_tokens: 104 },
    },
  ],
];

test('the usage of every provider counts the whole request, cached tokens included', () => {
  for (const [provider, usage] of usages) expect(inputTokensOf(usage), provider).toBe(900);
});

test.each([
  null,
  [],
  'a lot',
  7,
  {},
  { input_tokens: -1 },
  { input_tokens: 1.5 },
  { inputTokens: '900' },
  { prompt_tokens: null },
  { input_tokens: 1_000_000_001 },
  { prompt_tokens: 9e15 },
])('%j says nothing', (usage) => {
  expect(inputTokensOf(usage)).toBeNull();
});

test('a usage may name the context that it is about', () => {
  expect(fingerprintIn({ input_tokens: 1, fingerprint: 'abc' })).toBe('abc');
  expect(fingerprintIn({ input_tokens: 1, fingerprint: 7 })).toBeNull();
  expect(fingerprintIn(null)).toBeNull();
});
