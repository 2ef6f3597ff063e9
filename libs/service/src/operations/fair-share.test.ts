import { expect, test } from 'vitest';
import { FairShare } from './fair-share.js';

/** Takes amounts, and notes in which order they are given. */
function taking(max: number) {
  const share = new FairShare(max);
  const given: string[] = [];
  const releases = new Map<string, () => void>();
  const take = (name: string, amount: number): void =>
    void share.take(name[0]!, amount).then((release) => {
      given.push(name);
      releases.set(name, release);
    });
  const release = async (name: string): Promise<void> => {
    releases.get(name)!();
    await settled();
  };
  return { share, given, take, release };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a project with many requests waits in turns with the others', async () => {
  const { share, given, take, release } = taking(1);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) take(name, 1);
  expect(share.waitingOf('a')).toBe(2);
  await settled();
  for (const name of ['a1', 'a2', 'b1', 'c1']) await release(name);
  expect(given).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  expect(share.waitingOf('a')).toBe(0);
});

test('amounts are given while they are free, and a large one is not overtaken', async () => {
  const { given, take, release } = taking(10);
  for (const [name, amount] of [
    ['a1', 6],
    ['b1', 100],
    ['c1', 1],
  ] as const)
    take(name, amount);
  await settled();
  expect(given).toEqual(['a1']);
  await release('a1');
  expect(given).toEqual(['a1', 'b1']);
  await release('b1');
  await release('b1');
  take('d1', 9);
  take('d2', 1);
  await settled();
  expect(given).toEqual(['a1', 'b1', 'c1', 'd1']);
});
