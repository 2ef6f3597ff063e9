import { expect, test } from 'vitest';
import { needsPerson, reasonWords } from './reason-words';

test('a thread that is parked by a choice of a person needs none, every other does', () => {
  expect(['undone', 'declined'].map(needsPerson)).toEqual([false, false]);
  expect(['irreducible', 'auth', 'something new', undefined].map(needsPerson)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('what to do about a reason is a sentence of its own: it may follow the error of the provider', () => {
  expect(reasonWords('auth').why).toMatch(/^Set SPILLWAY_LLM_API_KEY/);
  expect(reasonWords('something_new').name).toBe('something new');
});
