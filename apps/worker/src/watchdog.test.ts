import { beforeEach, describe, expect, test } from 'vitest';
import { createWatchdog, type Watchdog } from './watchdog.js';

const minute = 60_000;

let now: number;
let running: number;
let begunAt: number;
let happened: string[];
let watchdog: Watchdog;
beforeEach(() => {
  [now, running, begunAt, happened] = [0, 0, 0, []];
  const compactor = { running: () => running, begunAt: () => begunAt };
  watchdog = createWatchdog({ log: { error: () => undefined, fatal: () => undefined } }, compactor, {
    reopen: () => happened.push('reopened'),
    end: () => happened.push('ended'),
    slots: 8,
    clock: () => now,
  });
});

/** Runs the reconciler once a second until that time. */
function reconcileUntil(time: number, due: number): void {
  for (now += 1_000; now <= time; now += 1_000) watchdog.look(due);
  now = time;
}

describe('the watchdog of a worker', () => {
  test('leaves a worker alone that has nothing to do', () => {
    reconcileUntil(60 * minute, 0);
    expect(happened).toEqual([]);
  });

  test('opens the queue anew once a minute while threads are due and it hands out none', () => {
    running = 1;
    reconcileUntil(minute, 5);
    expect(happened).toEqual([]);
    reconcileUntil(3.5 * minute, 5);
    expect(happened).toEqual(['reopened', 'reopened', 'reopened']);
  });

  test('leaves a queue alone that hands out jobs', () => {
    running = 1;
    for (let n = 1; n <= 10; n++) {
      reconcileUntil(n * 0.9 * minute, 5);
      watchdog.taken();
    }
    expect(happened).toEqual([]);
  });

  test('leaves a queue alone whose jobs all wait for a slow model', () => {
    running = 8;
    reconcileUntil(9 * minute, 20);
    expect(happened).toEqual([]);
    running = 7;
    reconcileUntil(10.1 * minute, 20);
    expect(happened).toEqual(['reopened']);
  });

  test('ends the process when threads are due and none was begun for three minutes', () => {
    reconcileUntil(3 * minute, 5);
    expect(happened).not.toContain('ended');
    reconcileUntil(3 * minute + 1_000, 5);
    expect(happened).toContain('ended');
  });

  test('does not end a process because of an outage in which nobody knew what was due', () => {
    reconcileUntil(minute, 5);
    for (now += 1_000; now <= 20 * minute; now += 1_000) watchdog.blind();
    reconcileUntil(22 * minute, 5);
    expect(happened).not.toContain('ended');
    reconcileUntil(23.1 * minute, 5);
    expect(happened).toContain('ended');
  });

  test('does not end a process that begins threads, works on one, or had nothing due meanwhile', () => {
    reconcileUntil(2 * minute, 5);
    begunAt = now;
    reconcileUntil(4.9 * minute, 5);
    running = 1;
    reconcileUntil(10 * minute, 5);
    running = 0;
    reconcileUntil(12 * minute, 5);
    watchdog.look(0);
    reconcileUntil(14.9 * minute, 5);
    expect(happened).not.toContain('ended');
  });
});
