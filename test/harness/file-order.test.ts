import { expect, test } from 'vitest';
import { spreadBusy } from '../file-order.js';

const order = (busy: readonly number[], others: readonly number[]) =>
  spreadBusy([
    ...busy.map((duration, i) => ({ file: `busy ${i}`, duration, isBusy: true })),
    ...others.map((duration, i) => ({ file: `other ${i}`, duration, isBusy: false })),
  ]);

test('busy files are spread evenly over a run by how long they take, and both kinds keep their order', () => {
  expect(order([40, 30, 30], [50, 50, 40, 30, 20, 10])).toEqual([
    'busy 0',
    'other 0',
    'other 1',
    'busy 1',
    'other 2',
    'busy 2',
    'other 3',
    'other 4',
    'other 5',
  ]);
});

test('files of one kind alone stay as they are', () => {
  expect(order([3, 2, 1], [])).toEqual(['busy 0', 'busy 1', 'busy 2']);
  expect(order([], [3, 2, 1])).toEqual(['other 0', 'other 1', 'other 2']);
});
