import { describe, expect, test } from 'vitest';
import { FolderCalls, FolderHangs } from './folder-calls.js';

/** A call that returns when the test says so. */
function heldCall() {
  let end!: (result: string) => void;
  const ended = new Promise<string>((resolve) => (end = resolve));
  let begun = 0;
  const call = () => {
    begun++;
    return ended;
  };
  return { call, end, begun: () => begun };
}

async function allHang(results: Promise<string>[]): Promise<void> {
  for (const result of await Promise.allSettled(results))
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(FolderHangs) as unknown });
}

describe('calls to a folder that may hang', () => {
  test('three run at once, the others after them in order', async () => {
    const calls = new FolderCalls(60_000);
    const held = Array.from({ length: 5 }, heldCall);
    const results = held.map(({ call }) => calls.run(call));
    expect(held.map(({ begun }) => begun())).toEqual([1, 1, 1, 0, 0]);
    held[1]!.end('b');
    expect(await results[1]).toBe('b');
    await expect.poll(() => held.map(({ begun }) => begun())).toEqual([1, 1, 1, 1, 0]);
    held.forEach(({ end }, i) => end(`${i}`));
    expect(await Promise.all(results)).toEqual(['0', 'b', '2', '3', '4']);
  });

  test('one that takes too long is given up, and so is one that waits; neither frees its place before it returns', async () => {
    const calls = new FolderCalls(20);
    const held = Array.from({ length: 4 }, heldCall);
    await allHang(held.map(({ call }) => calls.run(call)));
    // All places are taken by calls that hang: nobody waits.
    const next = heldCall();
    await expect(calls.run(next.call)).rejects.toThrow('The folder of outputs did not answer within 0.02 s.');
    for (const { end } of held) end('late');
    await expect.poll(() => calls.run(() => Promise.resolve('again')).catch(String)).toBe('again');
    expect([held[3]!.begun(), next.begun()]).toEqual([0, 0]);
  });

  test('what a call returns too late goes to whom it says, and a certain call is made in any case', async () => {
    const calls = new FolderCalls(20);
    const held = Array.from({ length: 3 }, heldCall);
    const late: string[] = [];
    await allHang(held.map(({ call }) => calls.run(call, { late: (result) => late.push(result) })));
    const close = heldCall();
    await expect(calls.run(close.call, { isCertain: true })).rejects.toThrow(FolderHangs);
    expect(close.begun()).toBe(0);
    held.forEach(({ end }, i) => end(`${i}`));
    await expect.poll(() => close.begun()).toBe(1);
    expect(late).toEqual(['0', '1', '2']);
  });

  test('an error of a call is that of its caller, and frees its place', async () => {
    const calls = new FolderCalls(60_000);
    const failing = () => Promise.reject(new Error('ENOSPC'));
    for (let i = 0; i < 5; i++) await expect(calls.run(failing)).rejects.toThrow('ENOSPC');
    expect(await calls.run(() => Promise.resolve(1))).toBe(1);
  });
});
