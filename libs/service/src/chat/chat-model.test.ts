import { expect, test } from 'vitest';
import { chatModel } from './chat-model.js';

const llm = { provider: 'openai', baseUrl: null, apiKey: null, model: 'small' } as const;
const open = { llm, listed: new Set<string>() };
const listed = { llm, listed: new Set(['large']) };

test('without a list the thread and the server choose the model, and a caller does not', () => {
  expect(chatModel(null, null, open)).toBe('small');
  expect(chatModel(null, 'own', open)).toBe('own');
  expect(chatModel('own', 'own', open)).toBe('own');
  expect(chatModel('small', 'own', open)).toBe('small');
  expect(() => chatModel('large', 'own', open)).toThrow('is not allowed for chat');
});

test('with a list only its models and that of the server answer', () => {
  expect(chatModel('large', 'own', listed)).toBe('large');
  expect(chatModel(null, null, listed)).toBe('small');
  expect(() => chatModel(null, 'own', listed)).toThrow('is not allowed for chat');
  expect(() => chatModel('own', 'own', listed)).toThrow('is not allowed for chat');
});
