import { expect, test } from 'vitest';
import { takeMediaRoom, withMediaRoom } from './media-room.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('work keeps its room until it ends, nested work has that of the outer one, and projects take turns', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, bytes: number): Promise<void> =>
    withMediaRoom(async () => {
      await withMediaRoom(() => takeMediaRoom(name[0]!, bytes));
      // The same again, as when a context is made twice, needs no more.
      await takeMediaRoom(name[0]!, bytes);
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => work(name, 24_000_000));
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4']) {
    ends.get(name)!();
    await settled();
  }
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4']);
  await Promise.all(all);
});

test('so many contexts of a project wait, and no more', async () => {
  let end = (): void => undefined;
  const held = withMediaRoom(async () => {
    await takeMediaRoom('a', 48_000_000);
    await new Promise<void>((resolve) => (end = resolve));
  });
  await settled();
  const one = () => withMediaRoom(() => takeMediaRoom('a', 24_000_000));
  const waiting = Array.from({ length: 64 }, one);
  await expect(one()).rejects.toMatchObject({ code: 'too_many_requests' });
  end();
  await Promise.all([held, ...waiting]);
});
