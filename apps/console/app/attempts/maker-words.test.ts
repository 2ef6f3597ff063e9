import { expect, test } from 'vitest';
import { makerWords } from './maker-words';

test('who made a summary is named', () => {
  expect(makerWords({ method: 'extractive' })).toBe('code, no model');
  expect(makerWords({ method: 'llm', model: 'gpt-4o-mini' })).toBe('gpt-4o-mini');
  expect(makerWords({ method: 'caller', author: 'release bot' })).toBe('a caller with the key release bot');
  expect(makerWords({ method: null })).toBeNull();
});
