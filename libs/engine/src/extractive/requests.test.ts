import { describe, expect, test } from 'vitest';
import { isConstraint } from './requests.js';

test.each([
  'Never push to main.',
  "Please don't change the public API.",
  'Use only the standard library.',
  'The total must not exceed $500.',
  'I can pay at most $500.',
  'I prefer an aisle seat.',
  "I don't want you to touch the tests.",
  'Make sure that it still builds on Node 20.',
  'Keep the old endpoint for one more release.',
])('a rule is a constraint: %s', (sentence) => {
  expect(isConstraint(sentence)).toBe(true);
});

describe('a report, a wish or a question is not a constraint', () => {
  test.each([
    "However, I don't have the reservation ID handy.",
    "I don't know which of them failed.",
    'I only want to know the price.',
    'I keep getting a 500.',
    "I'd only like to change the flight.",
    'I hope you remember my last order.',
    'It never worked on Windows.',
    'Why does it always fail?',
    "Don't you have it?",
  ])('%s', (sentence) => {
    expect(isConstraint(sentence)).toBe(false);
  });
});
