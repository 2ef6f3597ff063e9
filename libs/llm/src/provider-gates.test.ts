import { expect, test } from 'vitest';
import { ProviderGates } from './provider-gates.js';
import { SummarizerError } from './summarizer.js';

const down = () => Promise.reject(new SummarizerError('unavailable', 'The model failed: 500'));
const fine = () => Promise.resolve('a summary');
const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error as SummarizerError).failure,
  );

test('a project whose calls all fail is paused, and pauses no other project and no other model', async () => {
  const gates = new ProviderGates();
  const ends: string[] = [];
  for (let i = 0; i < 40; i++) ends.push(await failureOf(gates.of('noisy', 'm').pass(1, down)));
  expect(ends).toContain('paused');
  expect(await failureOf(gates.of('noisy', 'm').pass(1, fine))).toBe('paused');
  expect(await gates.of('quiet', 'm').pass(1, fine)).toBe('a summary');
  expect(await gates.of('noisy', 'other').pass(1, fine)).toBe('a summary');
});

test('the gates are bounded: the least recently used one is dropped', () => {
  const gates = new ProviderGates();
  const first = gates.of('p', 'first');
  const second = gates.of('p', 'second');
  for (let i = 0; i < 1_999; i++) {
    gates.of('p', `m${i}`);
    gates.of('p', 'first');
  }
  expect(gates.of('p', 'first')).toBe(first);
  expect(gates.of('p', 'second')).not.toBe(second);
});
