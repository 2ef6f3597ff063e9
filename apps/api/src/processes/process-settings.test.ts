import { describe, expect, test } from 'vitest';
import { processSettings } from './process-settings.js';

describe('API_WORKERS', () => {
  test.each([undefined, '', '1', ' 1 '])('%j is one process', (API_WORKERS) => {
    expect(processSettings({ API_WORKERS }).count).toBe(1);
  });

  test.each([
    ['4', 4],
    ['64', 64],
  ])('%j is %d processes', (API_WORKERS, count) => {
    expect(processSettings({ API_WORKERS }).count).toBe(count);
  });

  test.each(['0', '-1', '65', '1.5', 'two', '1e1', '0x2'])('%j is refused with the limits', (API_WORKERS) => {
    expect(() => processSettings({ API_WORKERS })).toThrow(
      `API_WORKERS must be a whole number from 1 to 64 and is "${API_WORKERS}".`,
    );
  });
});
