import { APICallError, MissingToolResultsError } from 'ai';
import { describe, expect, test } from 'vitest';
import { isProviderTrouble } from '../provider-gate.js';
import { asSummarizerError } from './model-error.js';

const answered = (statusCode: number, message = 'stub') =>
  asSummarizerError(
    new APICallError({ message, url: 'http://localhost', requestBodyValues: {}, statusCode }),
    new AbortController().signal,
  );

test('what a provider repeats of its input is an error that Postgres can store', () => {
  const { message } = answered(400, 'bad input: \0 and \ud83d');
  expect(message).toContain('bad input');
  expect(message.isWellFormed() && !message.includes('\0')).toBe(true);
});

describe('most 4xx answers are the fault of the request', () => {
  test.each([400, 404, 405, 410, 422, 451])(
    'a %i is the fault of the request, not of the provider',
    (status) => {
      const error = answered(status);
      expect(error.failure).toBe('rejected');
      expect(error.message).toContain('summary.model');
      expect(isProviderTrouble(error.failure)).toBe(false);
    },
  );
});

test.each([408, 409, 425, 429, 500, 502, 503, 529, 200])('a %i is trouble of the provider', (status) => {
  expect(isProviderTrouble(answered(status).failure)).toBe(true);
});

test.each([
  [400, "This model's maximum context length is 128000 tokens."],
  [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
  [413, 'Request entity too large'],
])('%i %s: the input was too long', (status, message) => {
  expect(answered(status, message).failure).toBe('too_long');
});

test('a 400 about a token parameter is not mistaken for input that is too long', () => {
  expect(answered(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.").failure).toBe(
    'rejected',
  );
});

test('a request that the SDK does not send is the fault of the request', () => {
  const open = new MissingToolResultsError({ toolCallIds: ['c1'] });
  expect(asSummarizerError(open, new AbortController().signal).failure).toBe('rejected');
});
