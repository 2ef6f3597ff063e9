import type { Schemas } from '@spillway/client';
import { expect, test } from 'vitest';
import { shownConcerns } from './shown-concerns';

const attention = (workers: number | null, ...kinds: string[]) =>
  ({ concerns: kinds.map((kind) => ({ kind })), health: { workers } }) as Schemas['Attention'];
const kinds = (of: Schemas['Attention']) => shownConcerns(of).map(({ kind }) => kind);

test('no worker is a concern of its own, unless threads that wait for one say so', () => {
  expect(kinds(attention(0))).toEqual(['no_worker']);
  expect(kinds(attention(0, 'parked'))).toEqual(['no_worker', 'parked']);
  expect(kinds(attention(0, 'due_for_long'))).toEqual(['due_for_long']);
});

test('workers that are connected, and those that nobody can count without Redis, are none', () => {
  expect(kinds(attention(2))).toEqual([]);
  expect(kinds(attention(null))).toEqual([]);
});
