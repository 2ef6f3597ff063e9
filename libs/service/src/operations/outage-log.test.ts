import { expect, test } from 'vitest';
import { outageLog } from './outage-log.js';

test('what fails every few seconds is said at once, then once a minute, and when it works again', () => {
  const lines: [number, string, unknown][] = [];
  let at = 0;
  const write = (fields: unknown, text?: unknown): void => void lines.push([at, String(text), fields]);
  const log = outageLog({ warn: write, info: write }, 'the look for due threads', { now: () => at });
  const error = new Error('connect ECONNREFUSED');
  log.worked();
  for (; at < 130_000; at += 5_000) log.failed(error);
  log.worked();
  log.worked();
  log.failed(error);
  expect(lines).toEqual([
    [0, 'the look for due threads fails', { err: error, failures: 1 }],
    [60_000, 'the look for due threads fails', { err: error, failures: 13 }],
    [120_000, 'the look for due threads fails', { err: error, failures: 25 }],
    [130_000, 'the look for due threads works again', { failures: 26, ms: 130_000 }],
    [130_000, 'the look for due threads fails', { err: error, failures: 1 }],
  ]);
});
